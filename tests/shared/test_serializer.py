"""Requests as JSON: what a spider queues comes out as it was, and nothing else comes out."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scrapy.utils.request import request_from_dict

from mdcrawl.shared import serializer
from mdcrawl.shared.serializer import ForeignRequestError
from mdcrawl.spiders.docs import DocsSpider

SPIDER = DocsSpider(start="https://example.com/")
REQUEST = SPIDER.page_request("https://example.com/a?b=c", depth=3, parent="https://example.com/", found_in="llms")
SOUND = json.loads(serializer.dumps(REQUEST.to_dict(spider=SPIDER)))


def test_request_comes_out_as_it_was():
    back = request_from_dict(serializer.loads(serializer.dumps(REQUEST.to_dict(spider=SPIDER))), spider=SPIDER)
    assert back.to_dict(spider=SPIDER) == REQUEST.to_dict(spider=SPIDER)
    assert back.callback == SPIDER.parse
    assert back.errback == SPIDER.failed


def test_same_request_gives_the_same_text():
    again = REQUEST.copy()
    again.headers["Accept"] = "text/markdown"
    assert serializer.dumps(again.to_dict(spider=SPIDER)) == serializer.dumps(REQUEST.to_dict(spider=SPIDER))


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"callback": "__init__"}, id="no public method"),
        pytest.param({"callback": "os.system"}, id="no method"),
        pytest.param({"errback": None}, id="no errback"),
        pytest.param({"url": "file:///etc/passwd"}, id="file"),
        pytest.param({"url": "https://example.com/a/../b"}, id="URL not canonical"),
        pytest.param({"url": "https://evil.example/"}, id="URL of another site"),
        pytest.param({"site": "evil.example"}, id="site of another URL"),
        pytest.param({"depth": "3"}, id="number as text"),
        pytest.param({"priority": True}, id="truth as a number"),
        pytest.param({"parent": ["x"]}, id="list as text"),
        pytest.param({"meta": {"proxy": "http://evil.example"}}, id="unknown field"),
        pytest.param({"_class": "subprocess.Popen"}, id="class"),
    ],
)
def test_foreign_request_is_refused(change):
    with pytest.raises(ForeignRequestError):
        serializer.loads(json.dumps(SOUND | change))


@pytest.mark.parametrize("name", SOUND)
def test_every_field_is_needed(name):
    with pytest.raises(ForeignRequestError):
        serializer.loads(json.dumps({key: value for key, value in SOUND.items() if key != name}))


@settings(max_examples=50)
@given(st.text() | st.binary() | st.recursive(st.none() | st.text(), st.lists).map(json.dumps))
def test_anything_else_is_refused(anything):
    with pytest.raises(ForeignRequestError):
        serializer.loads(anything)
