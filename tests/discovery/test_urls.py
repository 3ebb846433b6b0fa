"""Canonical URLs: exact spellings, what is dropped and what must stay, and properties over any text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from w3lib.url import safe_url_string

from mdcrawl.discovery.urls import UrlOptions, canonical_url, join_url, parse_start_url, site_of

SPELLINGS = {
    "unchanged": ("https://example.com/a/b.html", "https://example.com/a/b.html"),
    "no path": ("https://example.com", "https://example.com/"),
    "query without path": ("https://example.com?a=1", "https://example.com/?a=1"),
    "scheme and host case": ("HTTPS://Example.COM/A", "https://example.com/A"),
    "default port https": ("https://example.com:443/", "https://example.com/"),
    "default port http": ("http://example.com:80/", "http://example.com/"),
    "other scheme's port": ("http://example.com:443/", "http://example.com:443/"),
    "port zeros": ("http://example.com:0081/", "http://example.com:81/"),
    "empty port": ("http://example.com:/", "http://example.com/"),
    "dot segments": ("https://example.com/a/./b/../c", "https://example.com/a/c"),
    "dot segments above root": ("https://example.com/../../a", "https://example.com/a"),
    "dot segment at the end": ("https://example.com/a/b/..", "https://example.com/a/"),
    "single dot at the end": ("https://example.com/a/.", "https://example.com/a/"),
    "escaped dot segments": ("https://example.com/a/%2e%2E/b/.%2e/c", "https://example.com/c"),
    "hidden folder stays": ("https://example.com/.well-known/x", "https://example.com/.well-known/x"),
    "three dots stay": ("https://example.com/.../x", "https://example.com/.../x"),
    "double slash stays": ("https://example.com/a//b", "https://example.com/a//b"),
    "unreserved unescaped": ("https://example.com/%7Ea%61%2d", "https://example.com/~aa-"),
    "escape case": ("https://example.com/%c3%bc", "https://example.com/%C3%BC"),
    "reserved stays escaped": ("https://example.com/a%2fb%3f", "https://example.com/a%2Fb%3F"),
    "escaped escape": ("https://example.com/a%2520b", "https://example.com/a%2520b"),
    "lone percent": ("https://example.com/100%", "https://example.com/100%25"),
    "percent before escape": ("https://example.com/%%361", "https://example.com/%2561"),
    "half escape": ("https://example.com/%4", "https://example.com/%254"),
    "blank inside": ("https://example.com/two words", "https://example.com/two%20words"),
    "blanks around": (" \t https://example.com/a \n", "https://example.com/a"),
    "line break inside": ("https://exam\nple.com/a\r\n/b\tc", "https://example.com/a/bc"),
    "beyond ASCII": ("https://example.com/über?q=ü", "https://example.com/%C3%BCber?q=%C3%BC"),
    "lone surrogate": ("https://example.com/\ud800", "https://example.com/%EF%BF%BD"),
    "brackets and bars": ("https://example.com/[a|b]", "https://example.com/%5Ba%7Cb%5D"),
    "quote in path and query": ("https://example.com/it's?q='", "https://example.com/it's?q=%27"),
    "backslashes": ("https:\\\\example.com\\a\\b?c\\d", "https://example.com/a/b?c%5Cd"),
    "one slash": ("https:/example.com/a", "https://example.com/a"),
    "three slashes": ("https:///example.com/a", "https://example.com/a"),
    "IDN": ("https://Bücher.example/", "https://xn--bcher-kva.example/"),
    "IDN with sharp s": ("https://faß.example/", "https://xn--fa-hia.example/"),
    "IDN full stop": ("https://a。example/", "https://a.example/"),
    "IDN emoji": ("https://☃.example/", "https://xn--n3h.example/"),
    "full-width digits": ("http://１２７.0.0.1/", "http://127.0.0.1/"),
    "escaped host": ("https://ex%61mple.com/", "https://example.com/"),
    "trailing dot": ("https://example.com./a", "https://example.com/a"),
    "underscore": ("https://my_docs.example.com/", "https://my_docs.example.com/"),
    "decimal address": ("http://2130706433/", "http://127.0.0.1/"),
    "hexadecimal address": ("http://0x7f.1/", "http://127.0.0.1/"),
    "octal address": ("http://0177.0.0.01/", "http://127.0.0.1/"),
    "IPv6": ("http://[2001:DB8:0:0::1]:80/", "http://[2001:db8::1]/"),
    "mapped IPv6": ("http://[::FFFF:127.0.0.1]/", "http://[::ffff:7f00:1]/"),
    "fragment": ("https://example.com/a#b", "https://example.com/a"),
    "fragment of route form": ("https://example.com/#/a", "https://example.com/"),
    "empty query": ("https://example.com/a?", "https://example.com/a"),
    "empty parameters": ("https://example.com/a?&a=1&&b=2&", "https://example.com/a?a=1&b=2"),
    "parameter order stays": ("https://example.com/a?b=2&a=1", "https://example.com/a?b=2&a=1"),
    "parameter without value": ("https://example.com/a?b&c=", "https://example.com/a?b&c="),
    "plus stays": ("https://example.com/a?q=a+b%20c", "https://example.com/a?q=a+b%20c"),
    "question mark in query": ("https://example.com/a?q=b?c", "https://example.com/a?q=b?c"),
    "credentials": ("https://me:pw@example.com/a", "https://me:pw@example.com/a"),
    "at sign in credentials": ("https://a@b@example.com/", "https://a@b@example.com/"),
    "at sign in path": ("https://example.com/@me", "https://example.com/@me"),
}


@pytest.mark.parametrize(("url", "canonical"), SPELLINGS.values(), ids=SPELLINGS.keys())
def test_canonical_spelling(url, canonical):
    assert canonical_url(url) == canonical


DROPPED = {
    "utm": ("?utm_source=a&utm_Medium=b&x=1", "?x=1"),
    "click ids": ("?gclid=1&fbclid=2&msclkid=3", ""),
    "case of the name": ("?UTM_CAMPAIGN=a&GCLID=1", ""),
    "escaped name": ("?%75tm_source=a", ""),
    "session names": ("?PHPSESSID=abc&v=1", "?v=1"),
    "asp session": ("?ASPSESSIONIDQQTC=X", ""),
    "sid with a session's value": ("?sid=00009e3779b1", ""),
    "long sid": ("?s=Ab12Cd34Ef56Gh78Ij90Kl", ""),
    "sid of a section": ("?sid=42", "?sid=42"),
    "sid of ten digits": ("?sid=1234567890", "?sid=1234567890"),
    "search for a word": ("?s=deadbeef", "?s=deadbeef"),
    "search for a slug": ("?s=getting-started-with-pumps", "?s=getting-started-with-pumps"),
    "only the start is alike": ("?utmost=1&gclids=2", "?utmost=1&gclids=2"),
}


@pytest.mark.parametrize(("query", "left"), DROPPED.values(), ids=DROPPED.keys())
def test_tracking_and_session_parameters(query, left):
    assert canonical_url(f"https://example.com/a{query}") == f"https://example.com/a{left}"


SESSION_PATHS = {
    "servlet": ("/a;jsessionid=00ff", "/a"),
    "servlet upper case, more after": ("/a;JSESSIONID=00ff.node1/b", "/a/b"),
    "asp.net": ("/(S(lit3py55t21z5v55vlm25s55))/page.aspx", "/page.aspx"),
    "one behind another": ("/(A(0));sessionid=/b", "/b"),
    "other path parameter": ("/a;version=2", "/a;version=2"),
    "session before dots": ("/x/..;sid=1/y", "/y"),
}


@pytest.mark.parametrize(("path", "left"), SESSION_PATHS.values(), ids=SESSION_PATHS.keys())
def test_sessions_in_the_path(path, left):
    assert canonical_url(f"https://example.com{path}") == f"https://example.com{left}"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "a",
        "/a",
        "//example.com/a",
        "http:",
        "http://",
        "http:///",
        "http://[bad/",
        "http://[::1/",
        "http://a b/",
        "http://a..b/",
        "http://.a/",
        "http://example.com:99999/",
        "http://example.com:8x/",
        "http://example.com:-1/",
        "http://1.2.3.4.5/",
        "http://256.1.1.1/",
        "http://a<b/",
        "http://%00/",
        "http://%ff/",
        "http://a%2fb/",
        "ftp://example.com/",
        "mailto:a@example.com",
        "javascript:void(0)",
        "data:text/html,hi",
        "file:///etc/hostname",
        "http://[fe80::1%25eth0]/",
        f"http://{'a' * 64}.example/",
        f"http://{'a.' * 200}example/",
        "http://\ud800.example/",
        "http://ü" + "a" * 2000 + "/",
    ],
)
def test_what_is_no_web_url(text):
    assert canonical_url(text) == ""


@pytest.mark.parametrize(
    ("url", "canonical"),
    [
        ("https://example.com/#/a b", "https://example.com/#/a%20b"),
        ("https://example.com/x#!/a", "https://example.com/x#!/a"),
        ("https://example.com/#top", "https://example.com/"),
        ("https://example.com/x?utm_source=1#/a?tab=2", "https://example.com/x#/a?tab=2"),
    ],
)
def test_hash_routes_are_kept_when_asked_for(url, canonical):
    assert canonical_url(url, UrlOptions(hash_routes=True)) == canonical


def test_the_tracking_list_can_be_set():
    options = UrlOptions(tracking=("ref*",))
    assert (
        canonical_url("https://example.com/?utm_source=1&ref=2&referrer=3", options)
        == "https://example.com/?utm_source=1"
    )


STARTS = {
    "typing error": ("htp:/x", "not a URL: 'htp:/x' (scheme htp; use http or https)"),
    "no scheme": (
        "docs.example.com/a",
        "not a URL: 'docs.example.com/a' (no scheme; write https://docs.example.com/a)",
    ),
    "empty": ("  ", "not a URL: '' (empty)"),
    "no host": ("https://", "not a URL: 'https://' (no host)"),
    "bad host": ("https://exa mple.com/", "not a URL: 'https://exa mple.com/' (bad host 'exa mple.com')"),
    "bad address": ("http://1.2.3.400/", "not a URL: 'http://1.2.3.400/' (bad IPv4 address '1.2.3.400')"),
    "bad port": ("http://a.example:99999/", "not a URL: 'http://a.example:99999/' (bad port '99999')"),
    "host and port": (
        "localhost:8000/docs",
        "not a URL: 'localhost:8000/docs' (no scheme; write https://localhost:8000/docs)",
    ),
    "credentials": (
        "https://me:secret@example.com/",
        "credentials in the URL of example.com: leave out the part before '@'",
    ),
}


@pytest.mark.parametrize(("text", "message"), STARTS.values(), ids=STARTS.keys())
def test_start_url_fault_is_named(text, message):
    with pytest.raises(ValueError, match="URL") as error:
        parse_start_url(text)
    assert str(error.value) == message


def test_start_url_comes_back_canonical():
    assert parse_start_url(" HTTPS://Example.com/docs/?utm_source=mail ") == "https://example.com/docs/"


JOINED = {
    "relative": ("b", "https://example.com/docs/b"),
    "absolute path": (" /b ", "https://example.com/b"),
    "scheme-relative": ("//other.example/b", "https://other.example/b"),
    "backslashes": ("\\b\\c", "https://example.com/b/c"),
    "backslash in query stays": ("b?c\\d", "https://example.com/docs/b?c\\d"),
    "line break": ("/b\n/c", "https://example.com/b/c"),
    "fragment": ("#x", "https://example.com/docs/a?q=/x#x"),
    "empty": ("", "https://example.com/docs/a"),
    "query": ("?p=2", "https://example.com/docs/a?p=2"),
    "query before a fragment": ("?p=2#x", "https://example.com/docs/a?p=2#x"),
    "dots": ("../b/./c?x=../y", "https://example.com/b/c?x=../y"),
    "semicolon at the end": ("b;", "https://example.com/docs/b;"),
    "own scheme": ("HTTP://other.example/b", "HTTP://other.example/b"),
    "other scheme": ("mailto:a@example.com", "mailto:a@example.com"),
    "broken host is for the canonical form": ("http://[bad/", "http://[bad/"),
}


@pytest.mark.parametrize(("href", "url"), JOINED.values(), ids=JOINED.keys())
def test_join(href, url):
    base = "https://example.com/docs/a?q=/x#y" if href else "https://example.com/docs/a#y"
    assert join_url(base, href) == url


@pytest.mark.parametrize("base", ["", "example.com", "mailto:a@example.com", "/docs/"])
def test_nothing_is_joined_to_what_is_no_page(base):
    assert join_url(base, "a") == ""


SITES = {
    "host": ("https://docs.example.com/a", "docs.example.com"),
    "www": ("https://www.example.com/a", "example.com"),
    "www is the name": ("https://www.com/a", "www.com"),
    "http and https": ("http://example.com", "example.com"),
    "default port": ("https://example.com:443/", "example.com"),
    "port": ("http://127.0.0.1:8080/", "127.0.0.1:8080"),
    "IPv6": ("http://[::1]:8080/", "[::1]:8080"),
    "credentials": ("http://a:b@example.com/", "example.com"),
    "upper case": ("HTTP://EXAMPLE.COM/", "example.com"),
    "not a web URL": ("mailto:a@example.com", ""),
}


@pytest.mark.parametrize(("url", "site"), SITES.values(), ids=SITES.keys())
def test_site(url, site):
    assert site_of(url) == site


# Pieces that URL parsers trip over, so that random texts reach the deep parts.
PIECES = st.sampled_from(
    [
        "http:",
        "https:",
        "//",
        "/",
        "\\",
        "..",
        ".",
        "%2e",
        "%",
        "%25",
        "%61",
        "?",
        "&",
        "&amp;",
        "=",
        "#",
        "@",
        ":",
        "[",
        "]",
        "::1",
        ";jsessionid=",
        ";sid=",
        "/(S(a1))",
        "utm_source",
        "sid=",
        "a",
        "é",
        "。",
        "ﬁ",
        "\ud800",
        "\t",
        "\n",
        " ",
        "0x7f",
        "127",
        "xn--",
        "80",
        "!/",
    ]
)
URLISH = st.lists(PIECES | st.text(max_size=3), max_size=14).map("".join)
OPTIONS = st.sampled_from([UrlOptions(), UrlOptions(hash_routes=True), UrlOptions(tracking=(), sessions=())])


@given(st.text() | URLISH | URLISH.map("http://a.example/".__add__), OPTIONS)
def test_canonical_is_total_and_idempotent(text, options):
    once = canonical_url(text, options)
    assert canonical_url(once, options) == once
    assert once == "" or once.isascii()
    site_of(text)


@given(URLISH.map("http://a.example/".__add__))
def test_canonical_is_what_the_http_client_sends(text):
    once = canonical_url(text)
    assert safe_url_string(once) == once


@given(st.text() | URLISH, st.text() | URLISH)
def test_join_is_total(base, href):
    assert isinstance(join_url(base, href), str)


@given(st.text() | URLISH)
def test_a_start_url_is_refused_only_where_there_is_no_plain_url(text):
    canonical = canonical_url(text)
    if canonical and "@" not in canonical.partition("//")[2].partition("/")[0]:
        assert parse_start_url(text) == canonical
    else:
        with pytest.raises(ValueError, match="URL"):
            parse_start_url(text)
