"""What a site says about the use of its pages: obeyed, recorded, ignored."""

from __future__ import annotations

import pytest

from tests.conftest import Answer

TDM = '[{"location": "/docs/tdm/*", "tdm-reservation": 1, "tdm-policy": "https://example.com/policy"}]'
AGAINST = {
    "/docs/signal/a": "Content-Signal: ai-input=no, and the pages are for ai-input",
    "/docs/tdm/a": "tdm-reservation: 1 (policy https://example.com/policy), and the pages are for ai-input",
    "/docs/noai": "robots directive noai, and the pages are for ai-input",
    "/docs/header": "Content-Signal: ai-input=no, and the pages are for ai-input",
}


@pytest.fixture(scope="module")
def site(mock_sites):
    site = mock_sites()
    site.add_page("/docs/", *AGAINST, "/docs/train", "/docs/noindex", "/docs/expired", "/docs/nofollow")
    for path in ("/docs/signal/a", "/docs/tdm/a", "/docs/behind"):
        site.add_page(path)
    site.robots(
        "User-agent: *",
        "Allow: /",
        "Content-Signal: /docs/signal/ ai-input=no, search=yes",
    )
    site.routes["/.well-known/tdmrep.json"] = Answer(200, {"Content-Type": "application/json"}, TDM)
    page = site.page("/docs/noai")
    site.routes["/docs/noai"] = page._replace(
        body=page.body.replace("<title>", '<meta name=robots content="noai"><title>')
    )
    said = {
        "/docs/header": {"Content-Signal": "ai-input=no"},
        "/docs/train": {"Content-Signal": "ai-train=no, ai-input=yes"},
        "/docs/noindex": {"X-Robots-Tag": "noindex"},
        "/docs/expired": {"X-Robots-Tag": "unavailable_after: 2020-01-01"},
        "/docs/nofollow": {"X-Robots-Tag": "nofollow"},
    }
    for path, headers in said.items():
        site.add_page(path, "/docs/behind", headers=headers)
    for path in ("/docs/noindex", "/docs/expired", "/docs/train", "/docs/header"):
        site.add_page(path, headers=said[path])
    return site


@pytest.fixture(scope="module")
def crawls(crawl, site, tmp_path_factory):
    """A crawl into one folder for each mode, the paths asked for in the last."""
    folder = tmp_path_factory.mktemp("rights")
    results = {}
    for mode in ("record", "obey", "ignore"):
        site.asked.clear()
        settings = {"MDCRAWL_SIGNALS": mode, "MDCRAWL_MAX_DELETE_RATIO": 1}
        results[mode] = crawl(site.url("/docs/"), folder, settings=settings, md_probe="off", sitemap="off", llms="off")
        for name in ("pages", "chunks"):
            getattr(results[mode], name)
    return results, site.paths


@pytest.mark.parametrize("path", AGAINST)
def test_signals_against_the_purpose(crawls, path):
    recorded, obeyed, ignored = (crawls[0][mode].row(path) for mode in ("record", "obey", "ignore"))
    assert recorded["verdict"] == "ok"
    assert recorded["rights"]
    # The same bytes as in the crawl before, and all the same held against the new setting.
    assert (obeyed["verdict"], obeyed["reason"]) == ("noindex", AGAINST[path])
    assert obeyed["rights"] == recorded["rights"]
    assert (ignored["verdict"], ignored["rights"]) == ("ok", {})
    assert not any(chunk["url"].endswith(path) for chunk in crawls[0]["obey"].chunks)


@pytest.mark.parametrize("mode", ["record", "obey"])
def test_signal_for_another_use_is_recorded_only(crawls, mode):
    row = crawls[0][mode].row("/docs/train")
    assert row["verdict"] in {"ok", "unchanged"}
    assert row["rights"] == {"content_signal": "ai-input=yes, ai-train=no"}


@pytest.mark.parametrize("mode", ["record", "obey", "ignore"])
def test_noindex_and_nofollow_count_in_every_mode(crawls, mode):
    result = crawls[0][mode]
    assert result.row("/docs/noindex")["verdict"] == "noindex"
    assert "/docs/behind" not in result.verdicts


def test_page_past_its_date_is_left_out(crawls):
    row = crawls[0]["obey"].row("/docs/expired")
    assert (row["verdict"], row["reason"]) == ("noindex", "unavailable after 2020-01-01T00:00:00+00:00")


def test_ignored_signals_are_not_even_asked_for(crawls):
    assert "/.well-known/tdmrep.json" not in crawls[1]


def test_licences_are_recorded_with_their_terms(crawl, mock_sites, tmp_path):
    site = mock_sites()
    site.add_page("/docs/", "/docs/own", "/docs/elsewhere")
    page = site.page("/docs/own")
    named = '<link rel="license" type="application/rsl+xml" href="own.xml"><title>'
    site.routes["/docs/own"] = page._replace(body=page.body.replace("<title>", named))
    other = "https://licences.example/l.xml"
    site.add_page("/docs/elsewhere", headers={"Link": f'<{other}>; rel="license"; type="application/rsl+xml"'})
    site.robots(f"License: {site.url('/rsl.xml')}", "User-agent: *", "Allow: /")
    terms = {
        "/rsl.xml": '<content url="/"><license><prohibits type="usage">ai-input</prohibits></license></content>',
        "/docs/own.xml": '<content url="/docs/own"><license><permits type="usage">all</permits></license></content>',
    }
    for path, body in terms.items():
        site.routes[path] = Answer(200, {"Content-Type": "application/rsl+xml"}, f"<rsl>{body}</rsl>")
    result = crawl(site.url("/docs/"), tmp_path, md_probe="off", sitemap="off", llms="off")
    # What only a licence says is for whoever uses the pages to weigh: no page is left out for it.
    assert result.verdicts == dict.fromkeys(["/docs/", "/docs/own", "/docs/elsewhere"], "ok")
    everywhere = {"license": site.url("/rsl.xml"), "license_prohibits": "ai-input"}
    assert result.row("/docs/")["rights"] == everywhere
    own = f"{site.url('/rsl.xml')} {site.url('/docs/own.xml')}"
    assert result.row("/docs/own")["rights"] == {"license": own, "license_permits": "all"}
    assert result.row("/docs/elsewhere")["rights"] == everywhere | {"license": f"{site.url('/rsl.xml')} {other}"}
    assert [site.paths.count(path) for path in terms] == [1, 1]
