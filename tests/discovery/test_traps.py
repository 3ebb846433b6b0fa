"""Traps: what never ends is cut after a few dozen pages, and what is merely large is not."""

import pickle
import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdcrawl.discovery.traps import TrapGuard, TrapOptions, family_of, sketch, url_trap
from mdcrawl.discovery.urls import canonical_url

SITE = "https://example.com"
WORDS = [
    f"{a}{b}"
    for a in ("hin", "val", "pum", "gas", "cou", "bra", "ful", "mir")
    for b in ("ge", "ve", "pa", "ket", "ter", "cket")
]


def prose(seed: object, words: int = 150) -> str:
    chooser = random.Random(str(seed))
    return " ".join(chooser.choice(WORDS) for _ in range(words))


STATIC = {
    "plain": ("/docs/install", ""),
    "date": ("/2022/02/02/02", ""),
    "version": ("/docs/1/1/1/1/1", ""),
    "same word twice": ("/docs/api/docs/api", ""),
    "repeated letter in a name": ("/docs/aaaaaaaa", ""),
    "next to next": ("/docs/next/next/next", "path repeats itself: /next"),
    "two folders in turn": ("/a/b/a/b/a/b/c", "path repeats itself: /a/b"),
    "page as folder": ("/x/index.php/index.php/index.php/y", "path repeats itself: /index.php"),
    "one word again and again": ("/a/x/b/x/c/x/d/x", "path repeats itself: /x"),
    "three filters of one name": ("/l?t=a&t=b&t=c", ""),
    "growing query": ("/l?p=2&p=3&p=2&p=3", "parameter p 4 times"),
    "growing query with escapes": ("/l?p=2&amp;p=3&amp;p=2&amp;p=3", "parameter p 4 times"),
    "escaped twice": ("/l?a=1&amp;amp;p=3", "query escapes & again and again"),
    "many parameters": ("/l?" + "&".join(f"k{n}=1" for n in range(17)), "17 parameters, more than 16"),
    "long": ("/" + "x" * 2000, "URL of 2020 characters, more than 2000"),
    "deep": ("/" + "/".join(f"s{n}" for n in range(25)), "path of 25 segments, more than 24"),
}


@pytest.mark.parametrize(("path", "reason"), STATIC.values(), ids=STATIC.keys())
def test_one_url(path, reason):
    assert url_trap(SITE + path) == reason
    assert TrapGuard().take(SITE + path) == reason


FAMILIES = {
    "numbers": ("/docs/events/2026/12", "example.com/docs/events/0"),
    "one more number": ("/docs/events/2026/12/24", "example.com/docs/events/0"),
    "number in a name": ("/article-17.html", "example.com/article-0.html"),
    "identifier": ("/x/5f3a9c0d1e", "example.com/x/0"),
    "UUID": ("/x/123e4567-e89b-12d3-a456-426614174000", "example.com/x/0"),
    "query": ("/list?color=red", "example.com/list?"),
    "www": ("/1", "example.com/0"),
    "deep": ("/a/b/c/d/e/f/g/h/i", "example.com/a/b/…"),
    "words": ("/docs/getting-started", ""),
    "root": ("/", ""),
}


@pytest.mark.parametrize(("path", "family"), FAMILIES.values(), ids=FAMILIES.keys())
def test_family(path, family):
    assert family_of(SITE + path) == family
    assert family_of("http://www.example.com" + path) == family


def crawl(urls, text_of) -> tuple[int, str]:
    """Return how many of the URLs were fetched, and the last reason for one that was not."""
    guard, fetched, reason = TrapGuard(), 0, ""
    for url in urls:
        cut = guard.take(url)
        if cut:
            reason = cut
            continue
        fetched += 1
        guard.learn(url, sketch(text_of(url)))
    return fetched, reason


def test_calendar_of_empty_months():
    urls = [f"{SITE}/docs/events/{year}/{month}" for year in range(2000, 2100) for month in range(1, 13)]
    fetched, reason = crawl(urls, lambda url: f"No events in month {url[-2:]} of this year. {prose('same')}")
    assert fetched == 25
    assert reason == "trap: 24 pages like example.com/docs/events/0 brought nothing new"


def test_calendar_of_thin_pages():
    assert crawl([f"{SITE}/month?m={n}" for n in range(500)], lambda _: "")[0] == 24


def test_calendar_that_invents_its_text_ends_too():
    urls = [f"{SITE}/calendar/{n}" for n in range(500)]
    assert crawl(urls, prose) == (48, "trap: 48 pages like example.com/calendar/0, more than 47")


def test_numbered_articles_are_no_trap():
    urls = [f"{SITE}/article/{n}" for n in range(400)]
    assert crawl(urls, prose) == (400, "")


def test_numbered_articles_with_some_dead_ones_are_no_trap():
    urls = [f"{SITE}/article/{n}" for n in range(400)]
    assert crawl(urls, lambda url: "" if int(url.rpartition("/")[2]) % 3 else prose(url)) == (400, "")


def test_posts_by_number_in_the_query_are_no_trap():
    assert crawl([f"{SITE}/?p={n}" for n in range(600)], prose) == (600, "")


def test_pages_without_numbers_are_never_counted():
    urls = [f"{SITE}/glossary/{a}{b}" for a in WORDS for b in WORDS]
    assert crawl(urls, lambda _: "") == (len(urls), "")


def test_pagination_past_the_end():
    urls = [f"{SITE}/blog?page={n}" for n in range(1, 500)]
    fetched, _ = crawl(urls, lambda url: prose(url) if int(url.rpartition("=")[2]) <= 40 else "Nothing here.")
    assert fetched == 40 + 24


def test_endless_pagination_with_ever_new_text():
    assert crawl([f"{SITE}/blog/page/{n}" for n in range(900)], prose)[0] == 200


def test_facets_of_one_list():
    """Filters show parts of the same list: nothing new, in whatever combination."""
    items = [prose(("item", n), 30) for n in range(12)]
    urls = [f"{SITE}/shop?color={color}&size={size}" for color in range(20) for size in range(20)]

    def text_of(url: str) -> str:
        chooser = random.Random(url)
        return "\n".join(items if url == urls[0] else chooser.sample(items, 6))

    fetched, reason = crawl(urls, text_of)
    assert fetched <= 60
    assert "brought nothing new" in reason


def test_combinations_of_parameters():
    names = ["a", "b", "c", "d", "e", "f", "g"]
    urls = [f"{SITE}/find?{x}=1&{y}=1&{z}=1" for x in names for y in names for z in names if len({x, y, z}) == 3]
    fetched, reason = crawl(urls, prose)
    assert fetched == 24
    assert reason == "trap: 24 combinations of parameters on /find"


def test_growing_path_of_changing_words():
    def urls():
        path = "/docs"
        for n in range(200):
            path += f"/{WORDS[n % 40]}" if n % 20 else "/docs"
            yield SITE + path

    assert crawl(urls(), lambda _: prose("same"))[0] <= 24


def test_novel_pages_make_up_for_barren_ones_only_so_far():
    urls = [f"{SITE}/n/{n}" for n in range(2000)]
    assert crawl(urls, lambda url: prose(url) if int(url.rpartition("/")[2]) % 10 == 0 else "")[0] < 80


def test_one_family_cut_leaves_the_others():
    guard = TrapGuard(TrapOptions(max_barren=2))
    for n in range(3):
        guard.take(f"{SITE}/a/{n}")
        guard.learn(f"{SITE}/a/{n}", frozenset())
    assert guard.take(f"{SITE}/a/9") == "trap: 3 pages like example.com/a/0 brought nothing new"
    assert guard.take(f"{SITE}/b/9") == ""
    assert guard.take(f"{SITE}/about") == ""
    assert guard.take("https://other.example/a/9") == ""


def test_numbers_do_not_make_a_text_new():
    assert sketch("Room 12 is free at 9 o'clock") == sketch("Room 7 is free at 10 o'clock")
    assert sketch("two words") == frozenset()
    assert len(sketch(prose(1, 5000))) == 64


def test_a_text_without_blanks_between_words_has_a_sketch():
    assert len(sketch("扉の蝶番に油を差す。年に二回行う。")) > 8


def test_the_guard_pickles():
    guard = TrapGuard()
    guard.take(f"{SITE}/a/1")
    guard.learn(f"{SITE}/a/1", sketch(prose(1)))
    again = pickle.loads(pickle.dumps(guard))
    assert again.take(f"{SITE}/a/2") == ""


def test_a_million_characters_are_sketched_in_bounded_time():
    began = time.process_time()
    sketch("hinge valve " * 500_000)
    assert time.process_time() - began < 1


@given(st.lists(st.text() | st.sampled_from(["/1", "?", "&", "=", "/a", "http://a.example"]), max_size=8).map("".join))
def test_total(text):
    guard = TrapGuard()
    for url in (text, canonical_url(f"https://example.com/{text}")):
        assert isinstance(guard.take(url), str)
        guard.learn(url, sketch(text))
