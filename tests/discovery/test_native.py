"""The gate for native Markdown: what it must have, and how a site earns and loses trust."""

import pytest

from mdcrawl.discovery.native import NativeTrust, native_fault
from mdcrawl.items import Inventory

HTML = Inventory(headings=6, code_blocks=5, tables=2, list_items=9, words=300)

FAULTS = {
    "the same": (HTML, 0, ""),
    "more of everything": (Inventory(9, 6, 3, 9, 400), 0, ""),
    "title in the front matter": (Inventory(5, 5, 2, 9, 298), 0, ""),
    "few words less": (Inventory(6, 5, 2, 9, 271), 0, ""),
    "fences dropped": (Inventory(9, 0, 2, 9, 300), 0, "0 code blocks, the HTML has 5"),
    "table dropped": (Inventory(6, 5, 1, 9, 300), 0, "1 tables, the HTML has 2"),
    "stub": (Inventory(1, 5, 2, 0, 4), 0, "4 words, the HTML has 300"),
    "unresolved include": (Inventory(6, 5, 2, 9, 290), 1, "1 unresolved components, 290 words, the HTML has 300"),
    "unresolved ornament": (HTML, 3, ""),
    "headings dropped": (Inventory(4, 5, 2, 9, 300), 0, "4 headings, the HTML has 6"),
}


@pytest.mark.parametrize(("native", "unresolved", "fault"), FAULTS.values(), ids=FAULTS.keys())
def test_fault(native, unresolved, fault):
    assert native_fault(native, HTML, unresolved) == fault


def looks(trust: NativeTrust, pages: int, is_good=lambda _: True) -> list[int]:
    """Return for which of a site's pages the HTML was fetched too."""
    looked = []
    for page in range(pages):
        if trust.needs_html("example.com"):
            looked.append(page)
            trust.learn("example.com", is_good=is_good(page))
    return looked


def test_a_proven_site_is_sampled():
    looked = looks(NativeTrust(), 110)
    assert looked[:7] == [0, 1, 2, 3, 4, 5, 21]
    # One more request for at most every tenth page, after the first ten.
    assert len([page for page in looked if page >= 10]) <= 10


def test_a_failed_sample_starts_the_proof_again():
    looked = looks(NativeTrust(), 60, lambda page: page != 21)
    assert looked[6:13] == [21, 22, 23, 24, 25, 26, 27]


def test_machine_converted_markdown_is_looked_at_every_time():
    trust = NativeTrust()
    looks(trust, 30)
    assert all(trust.needs_html("example.com", machine_converted=True) for _ in range(5))


def test_a_site_that_fails_is_given_up():
    trust = NativeTrust()
    for page in range(3):
        assert not trust.is_given_up("example.com")
        trust.learn("example.com", is_good=page == 7)
    assert trust.is_given_up("example.com")
    assert not trust.is_given_up("other.example")


def test_some_failures_among_many_pages_are_no_reason_to_give_up():
    trust = NativeTrust()
    for page in range(40):
        trust.learn("example.com", is_good=page % 5 != 4)
    assert not trust.is_given_up("example.com")
