"""Find a browser: Playwright's own, else what the system has, else none."""

from __future__ import annotations

import pytest

from mdcrawl.handlers import finding
from mdcrawl.handlers.finding import find_browser, needs_no_sandbox


def install(folder, *names):
    for name in names:
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)


@pytest.mark.parametrize(
    ("installed", "found"),
    [
        pytest.param(("chromium", "google-chrome", "chrome"), "chromium", id="all three"),
        pytest.param(("google-chrome", "chrome"), "google-chrome", id="Google's"),
        pytest.param(("chrome",), "chrome", id="the last"),
        pytest.param(("firefox",), None, id="another browser"),
        pytest.param((), None, id="none"),
    ],
)
def test_system_browser(tmp_path, monkeypatch, installed, found):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(finding, "MACOS", ())
    install(tmp_path, *installed)
    assert find_browser(str(tmp_path / "nothing")) == (str(tmp_path / found) if found else None)


def test_playwright_s_own_goes_first(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    install(tmp_path, "chromium", "own")
    assert find_browser(str(tmp_path / "own")) == ""


@pytest.mark.parametrize(("user", "needed"), [(0, True), (1000, False)])
def test_sandbox_is_given_up_only_for_root(monkeypatch, user, needed):
    monkeypatch.setattr(finding.os, "geteuid", lambda: user)
    assert needs_no_sandbox() is needed
    assert "--no-sandbox" not in finding.ARGUMENTS
