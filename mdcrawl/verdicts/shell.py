"""Does a page need a browser? Decided on the raw page, without one."""

from __future__ import annotations

from mdcrawl.items import Evidence
from mdcrawl.verdicts.lexicon import notices as says

# A page whose whole text is shorter than this and which brings scripts is a shell, whatever its markup.
_ALMOST_NO_WORDS = 20
# Scripts that write a page are thousands of bytes; a counter or a theme switch is some hundreds.
_SMALL_SCRIPT_BYTES = 200


def needs_browser(evidence: Evidence, words: int, *, min_words: int = 80) -> str:
    """Return why scripts would fill this page, as a phrase; "" if a browser would not help.

    `words` counts the main content that extraction found. A page without scripts never needs one,
    nor does a page with enough words outside an empty main element.
    """
    if not evidence.scripts and not evidence.script_bytes:
        return ""
    is_small = not evidence.scripts and evidence.script_bytes < _SMALL_SCRIPT_BYTES
    if is_small and evidence.body_words and not evidence.empty_root:
        return ""
    brings = f"{len(evidence.scripts)} linked scripts, {evidence.script_bytes} bytes of inline script"
    if evidence.empty_root and (words < min_words or evidence.main_words == 0):
        return f"empty {evidence.empty_root}, {brings}"
    if words >= min_words:
        return ""
    if says.ENABLE_SCRIPTS.found_in(evidence.noscript_text) and evidence.body_words < 2 * min_words:
        return f"a noscript message about JavaScript, {evidence.body_words} words, {brings}"
    if says.LOADING.found_in(evidence.body_text) or any(says.LOADING.found_in(each) for each in evidence.headings):
        return f"a loading message, {brings}"
    if evidence.main_words == 0:
        return f"an empty main element, {brings}"
    if evidence.empty_box and words < _ALMOST_NO_WORDS:
        return f"empty {evidence.empty_box} and {words} words beside it, {brings}"
    if evidence.body_words < _ALMOST_NO_WORDS:
        return f"{evidence.body_words} words on the whole page, {brings}"
    return ""
