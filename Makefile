# Two commands for a newcomer: `make demo` and `make test`. The rest is for maintainers.
PYTHON ?= python3
BIN := .venv/bin
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

.PHONY: demo test test-fast test-slow fuzz bench bench-linear simulate check docs browser git servers clean

demo: .venv/runtime
	$(BIN)/scrapy demo

# Checks first, so that pytest's own line is the last.
test: .venv/tests .venv-recipes/ready browser git servers check
	$(BIN)/pytest --numprocesses=2 --dist=loadfile --cov --cov-report=term

# No browser and no crawl: rooms and units only.
test-fast: .venv/tests servers
	$(BIN)/pytest --numprocesses=2 --dist=loadfile mdcrawl tests/chunking tests/crawldb tests/discovery tests/export \
	  tests/extraction tests/pipelines tests/shared tests/site tests/verdicts $(wildcard tests/test_*.py)

test-slow: .venv/tests browser git servers
	$(BIN)/pytest -m slow

# Some five minutes of random input for what reads what strangers send.
fuzz: .venv/tests
	FUZZ_EXAMPLES=$${FUZZ_EXAMPLES:-20000} $(BIN)/pytest --timeout=1800 tests/discovery/test_robots_rules.py \
	  tests/discovery/test_urls.py tests/discovery/test_sniff.py

# A shared crawl as it would go with up to a thousand workers, from what is measured here; some three minutes.
simulate: .venv/tests servers
	$(BIN)/python -m bench.simulate

# mdcrawl beside its peers, some 5 minutes; ROUNDS= and PAGES= make it shorter.
bench: .venv/runtime .venv-bench/peers
	$(BIN)/python bench/peers.py --rounds $(or $(ROUNDS),5) --pages $(or $(PAGES),0)

# 1,000, 5,000 and 20,000 made pages: does a page cost the same in a large crawl? TINY=--tiny: pages of 10 KB, 20 minutes.
bench-linear: .venv/runtime
	$(BIN)/python bench/linear.py $(TINY) $(PAGES)

.venv-bench/peers: bench/requirements.txt
	$(PYTHON) -m venv .venv-bench
	.venv-bench/bin/pip install --quiet --disable-pip-version-check -r bench/requirements.txt
	touch $@

check: .venv/tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

# What the documentation says of settings, from settings.py; a test tells when it is out of date.
docs: .venv/bin/python
	$(BIN)/python docs/generate.py

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "mdcrawl needs Python 3.11 or newer; set PYTHON=")'
	$(PYTHON) -m venv .venv

.venv/runtime: .venv/bin/python requirements.txt
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $@

.venv/tests: .venv/runtime requirements-extras.txt requirements-scale.txt tests/requirements.txt
	$(BIN)/pip install --quiet --disable-pip-version-check -r tests/requirements.txt
	touch $@

# What docs/loading.md loads into: large, so it stays away from what mdcrawl itself needs.
.venv-recipes/ready: tests/recipes/requirements.txt
	$(PYTHON) -m venv .venv-recipes
	.venv-recipes/bin/pip install --quiet --disable-pip-version-check -r $<
	touch $@

# A Chromium for the tests: Playwright's own, else the system's, else Debian's package.
browser:
	@ls "$${PLAYWRIGHT_BROWSERS_PATH:-$$HOME/.cache/ms-playwright}"/chromium-* >/dev/null 2>&1 \
	  || command -v chromium >/dev/null || command -v google-chrome >/dev/null || command -v chrome >/dev/null \
	  || { $(SUDO) apt-get update -qq && $(SUDO) apt-get install -y -qq --no-install-recommends chromium; }

# The README's first command is git's, and the tests run it.
git:
	@command -v git >/dev/null || { $(SUDO) apt-get update -qq && $(SUDO) apt-get install -y -qq --no-install-recommends git; }

# A PostgreSQL and a Redis for the tests, which start their own: the system's, else Debian's packages.
servers:
	@ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || command -v postgres >/dev/null \
	  || { $(SUDO) apt-get update -qq && $(SUDO) apt-get install -y -qq --no-install-recommends postgresql; }
	@command -v redis-server >/dev/null \
	  || { $(SUDO) apt-get update -qq && $(SUDO) apt-get install -y -qq --no-install-recommends redis-server; }

clean:
	rm -rf .venv .venv-bench .venv-recipes out build dist *.egg-info .coverage* .hypothesis .mypy_cache .pytest_cache .ruff_cache
