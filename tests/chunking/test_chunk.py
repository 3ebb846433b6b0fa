from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdcrawl.chunking.chunk import ChunkOptions, ChunkStrategy, chunk_markdown
from mdcrawl.chunking.tokens import count_tokens

URL = "https://docs.example.com/doors/"


def texts(markdown, **options):
    return [chunk.text for chunk in chunk_markdown(markdown, options=ChunkOptions(**options))]


def paths(markdown, title=""):
    return [chunk.heading_path for chunk in chunk_markdown(markdown, title=title)]


PATHS = [
    (
        "levels",
        "# A\n\na\n\n## B\n\nb\n\n### C\n\nc\n\n## D\n\nd",
        "",
        [("A",), ("A", "B"), ("A", "B", "C"), ("A", "D")],
    ),
    ("a level skipped", "# A\n\na\n\n### B\n\nb\n\n### C\n\nc", "", [("A",), ("A", "B"), ("A", "C")]),
    ("two of level one", "# A\n\na\n\n# B\n\nb\n\n## C\n\nc", "", [("A",), ("B",), ("B", "C")]),
    ("title first", "## B\n\nb", "Doors", [("Doors", "B")]),
    ("title not twice", "# Doors\n\na\n\n## B\n\nb", "doors", [("doors",), ("doors", "B")]),
    ("text before the first heading", "a\n\n# A\n\nb", "Doors", [("Doors",), ("Doors", "A")]),
    ("no heading at all", "a", "", [()]),
    ("heading in a quote", "# A\n\n> # B\n> b", "", [("A",)]),
    ("empty headings are passed on", "# A\n\n## B\n\n### C\n\nc", "", [("A", "B", "C")]),
]


@pytest.mark.parametrize(
    ("markdown", "title", "expected"), [case[1:] for case in PATHS], ids=[case[0] for case in PATHS]
)
def test_heading_paths(markdown, title, expected):
    assert paths(markdown, title) == expected


def test_text_is_breadcrumb_blank_line_markdown():
    (chunk,) = chunk_markdown("## Hinges\n\nOil them.", title="Doors", url=URL)
    assert chunk.text == "Doors > Hinges\n\n## Hinges\n\nOil them."
    assert chunk.section == "Doors > Hinges"
    assert chunk.tokens == count_tokens(chunk.text)


def test_breadcrumb_can_be_left_out():
    assert texts("# Doors\n\nOil them.", breadcrumb=False) == ["# Doors\n\nOil them."]


def test_breadcrumb_that_would_open_a_fence_is_escaped():
    assert texts("# \\`\\`\\` and more\n\nText.")[0].startswith("\\``` and more\n\n")


def test_long_breadcrumb_gives_way():
    (first, *_) = texts(f"# {'long ' * 40}\n\n## Short\n\nText.", max_tokens=60)
    assert first.startswith("Short\n\n")


def test_position_part_and_neighbours():
    chunks = chunk_markdown(
        "# A\n\n" + "\n\n".join(f"Sentence {n}." for n in range(40)), options=ChunkOptions(max_tokens=60)
    )
    assert [chunk.position for chunk in chunks] == list(range(len(chunks)))
    assert [chunk.part for chunk in chunks] == list(range(len(chunks)))
    assert [chunk.prev_id for chunk in chunks] == ["", *(chunk.id for chunk in chunks[:-1])]
    assert [chunk.next_id for chunk in chunks] == [*(chunk.id for chunk in chunks[1:]), ""]


def test_anchor_urls_are_the_pages_own():
    markdown = "Intro.\n\n# A\n\na\n\n## Notes\n\nb\n\n# B\n\n## Notes\n\nc\n\n## D\n\nd\n\n## E {#own}\n\ne"
    anchors = [("A", "top"), ("Notes", "notes"), ("B", ""), ("Notes", "notes-1"), ("D", "")]
    urls = [chunk.anchor_url for chunk in chunk_markdown(markdown, url=URL, anchors=anchors)]
    assert urls == [URL, f"{URL}#top", f"{URL}#notes", f"{URL}#notes-1", URL, f"{URL}#own"]


def test_no_chunk_is_only_a_heading():
    paragraph = "word " * 95
    chunks = texts(f"# A\n\n{paragraph}\n\n## B\n\n{paragraph}\n\n## End", max_tokens=110)
    assert len(chunks) == 2
    assert chunks[0].rstrip().endswith("word")
    assert chunks[1].endswith("## End")


def test_page_of_headings_alone_is_not_lost():
    assert texts("# A\n\n## B") == ["A > B\n\n# A\n\n## B"]


def test_code_stays_whole_and_is_marked():
    code = "```py\n" + "print('open the door')\n" * 40 + "```"
    chunks = chunk_markdown(f"# A\n\nBefore.\n\n{code}\n\nAfter.", options=ChunkOptions(max_tokens=60))
    assert [code in chunk.text for chunk in chunks].count(True) == 1
    assert [(chunk.oversized, chunk.has_code, chunk.code_languages) for chunk in chunks if chunk.oversized] == [
        (True, True, ("py",))
    ]


def test_hard_limit_cuts_code_at_blank_lines():
    code = "```py\n" + "\n".join("x = 1\ny = 2\n" for _ in range(30)) + "```"
    chunks = chunk_markdown(code, options=ChunkOptions(max_tokens=40, hard_tokens=60))
    assert all(chunk.tokens <= 60 for chunk in chunks)
    assert all(chunk.text.startswith("```py\nx = 1\n") and chunk.text.endswith("\n```") for chunk in chunks)
    assert "".join(chunk.text.removeprefix("```py\n").removesuffix("```") for chunk in chunks) == code[6:-3]


def test_table_is_cut_by_rows_under_its_header():
    rows = [f"| E{n:03} | The worker reported fault {n} |" for n in range(40)]
    chunks = texts("# A\n\n| Code | Meaning |\n|---|---|\n" + "\n".join(rows), max_tokens=80)
    assert len(chunks) > 3
    assert all("| Code | Meaning |\n|---|---|\n| E" in chunk for chunk in chunks)
    assert [line for chunk in chunks for line in chunk.split("\n") if line.startswith("| E")] == rows


def test_list_is_cut_by_items():
    items = [f"- Step {n} of the work.\n\n  More on it." for n in range(30)]
    chunks = texts("\n".join(items), max_tokens=60)
    assert len(chunks) > 3
    assert "\n".join(chunks) == "\n".join(items)


def test_paragraph_is_cut_by_sentences():
    sentences = [f"Sentence number {n} is here." for n in range(60)]
    chunks = texts(" ".join(sentences), max_tokens=50)
    assert all(chunk.startswith("Sentence") and chunk.endswith("here.") for chunk in chunks)
    assert " ".join(chunks) == " ".join(sentences)


@pytest.mark.parametrize(
    "sentence",
    ["队列会记录每一个任务。", "キューは仕事を記録します。", "ระบบจะบันทึกงานทุกงาน", "👩‍💻👍🏽🇩🇪"],
    ids=["Chinese", "Japanese", "Thai", "emoji"],
)
def test_text_without_spaces_is_cut_between_characters(sentence):
    chunks = texts(sentence * 80, max_tokens=50)
    assert "".join(chunks) == sentence * 80
    assert all(count_tokens(chunk) <= 50 for chunk in chunks)
    assert not any(chunk[0] in "\u200d\U0001f3fd" or chunk[-1] == "\u200d" for chunk in chunks)


def test_overlap_repeats_whole_blocks_within_a_section():
    paragraphs = [f"Paragraph {n} says little." for n in range(30)]
    chunks = texts("# A\n\n" + "\n\n".join(paragraphs) + "\n\n# B\n\nOther.", max_tokens=50, overlap=15)
    blocks = [chunk.split("\n\n")[1:] for chunk in chunks]
    assert all(after[:2] == before[-2:] for before, after in pairwise(blocks[1:-1]))
    assert blocks[-1] == ["# B", "Other."]


def test_small_neighbours_can_be_merged():
    markdown = "# A\n\nIntro.\n\n" + "\n\n".join(f"## S{n}\n\nShort." for n in range(4))
    chunks = chunk_markdown(markdown, options=ChunkOptions(merge_sections=True))
    assert [chunk.heading_path for chunk in chunks] == [("A",), ("A",)]
    assert "## S0\n\nShort.\n\n## S1" in chunks[1].text
    assert len({chunk.id for chunk in chunks}) == 2


def test_front_matter_is_kept_out():
    (chunk,) = chunk_markdown("---\ntitle: 'Doors'\ntags: [a]\n---\n\nText.\r\nMore.\r\n")
    assert (chunk.title, chunk.text) == ("Doors", "Doors\n\nText.\nMore.")


def test_windows_and_page():
    markdown = "# A\n\n" + "word " * 500
    windows = chunk_markdown(markdown, options=ChunkOptions(strategy=ChunkStrategy.WINDOWS, max_tokens=100))
    (page,) = chunk_markdown(markdown, options=ChunkOptions(strategy=ChunkStrategy.PAGE, max_tokens=100))
    assert "".join(chunk.text for chunk in windows) == markdown.strip()
    assert {chunk.tokens for chunk in windows[:-1]} == {100}
    assert page.oversized
    assert page.text == markdown


def test_features_in_lists_and_quotes():
    (chunk,) = chunk_markdown("- a\n\n  ```js{1}\n  x\n  ```\n\n> ~~~ {.sh}\n> y\n> ~~~\n\n> | a |\n> |---|\n> | 1 |")
    assert (chunk.has_code, chunk.code_languages, chunk.has_table) == (True, ("js", "sh"), True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_tokens": 0}, "max_tokens: .* not 0"),
        ({"overlap": -1}, "overlap: .* not -1"),
        ({"max_tokens": 10, "overlap": 10}, "overlap: .* not 10"),
        ({"hard_tokens": 299}, "hard_tokens: .* not 299"),
        ({"strategy": "pages"}, "strategy: .* 'pages'"),
    ],
    ids=str,
)
def test_senseless_options_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        ChunkOptions(**options)


@pytest.mark.parametrize(
    "text", ["", " \n", "\0", "\ud83d", "\ufeff", "---\n---\n", "```", "|", "<|endoftext|>", "\u2028"]
)
def test_any_text(text):
    for chunk in chunk_markdown(text, url=text, title=text):
        assert "\0" not in chunk.text
        assert chunk.text.encode()


@given(st.text(), st.integers(1, 30), st.sampled_from(ChunkStrategy))
def test_chunking_is_total(text, max_tokens, strategy):
    for chunk in chunk_markdown(text, options=ChunkOptions(max_tokens=max_tokens, strategy=strategy)):
        assert chunk.tokens == count_tokens(chunk.text)
        assert chunk.oversized == (chunk.tokens > max_tokens)
