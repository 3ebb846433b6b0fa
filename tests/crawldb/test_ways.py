"""The ways to URLs are those of the site's links, whatever the order of the answers and however much is remembered."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from mdcrawl.crawldb import frontier, ledger
from mdcrawl.crawldb.frontier import Candidate
from mdcrawl.crawldb.schema import urls
from mdcrawl.crawldb.ways import Ways, follow
from tests.crawldb.world import SITE, make_page

MOST_DEPTH = 3
PAGES = [f"p{number}" for number in range(8)]
SITES = st.dictionaries(st.sampled_from(PAGES), st.lists(st.sampled_from(PAGES), max_size=4, unique=True))


def candidate(url, way):
    depth, parent = way
    return Candidate(url, SITE, depth=depth, parent=parent, reason="too deep" if depth > MOST_DEPTH else "")


def crawl(world, links, choose, ways):
    """Answer for what waits in an order of somebody's choosing; return the ways in the end."""
    world.clear()
    world.start()
    world.know(PAGES[0])
    while True:
        with world.begin() as connection:
            waiting = sorted(each.url for each in frontier.queued(connection))
            if not waiting:
                rows = connection.execute(select(urls.c.url, urls.c.depth, urls.c.parent, urls.c.state)).all()
                return {row.url: (row.depth, row.parent, row.state) for row in rows}
            url = waiting[choose(len(waiting))]
            page = make_page(url, "text", links=links.get(url, []))
            ledger.record(connection, page, SITE)
            ledger.store(connection, page, world.run.id, "options")
            followed = follow(connection, ways, url, page.links, candidate)
        for new, way in followed.ways:
            ways.learn(new, way)


def ways_by_the_links_alone(links):
    found, layer = {PAGES[0]: (0, "")}, [PAGES[0]]
    while layer:
        reached = {}
        for parent in sorted(layer):
            if found[parent][0] <= MOST_DEPTH:
                for url in links.get(parent, []):
                    if url not in found:
                        reached.setdefault(url, (found[parent][0] + 1, parent))
        found |= reached
        layer = [url for url, (depth, _) in reached.items() if depth <= MOST_DEPTH]
    return found


@given(SITES, st.data())
@settings(deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow])
def test_ways_are_those_of_the_links_alone(lasting_world, links, data):
    for most in (1000, 2):
        found = crawl(lasting_world, links, lambda size: data.draw(st.integers(0, size - 1)), Ways(most))
        assert {url: way[:2] for url, way in found.items()} == ways_by_the_links_alone(links)


def test_link_that_is_on_every_page_is_asked_about_once(world, monkeypatch):
    asked = []
    add = frontier.add
    monkeypatch.setattr(frontier, "add", lambda connection, found: asked.extend(found) or add(connection, found))
    menu = ["p1", "p2", "p3"]
    crawl(world, dict.fromkeys(["p0", *menu], menu), lambda _: 0, Ways())
    assert sorted(each.url for each in asked) == ["p0", *menu]
