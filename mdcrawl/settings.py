"""Settings: first Scrapy's own, then mdcrawl's. Each has its default, its unit and its reason.

Override on the command line with `-s NAME=VALUE`, in a site spider with `custom_settings`.

The comments are the documentation: `make docs` writes docs/settings.md from them, and the table of the
README from the first sentence of each.
"""

from __future__ import annotations

from scrapy.settings import default_settings

# --- Scrapy: the project ------------------------------------------------------------------------

BOT_NAME = "mdcrawl"
SPIDER_MODULES = ["mdcrawl.spiders"]
NEWSPIDER_MODULE = "mdcrawl.spiders"
COMMANDS_MODULE = "mdcrawl.commands"

# The User-Agent carries MDCRAWL_CONTACT and the download limit MDCRAWL_MAX_BYTES.
ADDONS = {"mdcrawl.addon.MdcrawlAddon": 100}

# --- Scrapy: a guest's manners ------------------------------------------------------------------

# mdcrawl.middlewares.robots obeys robots.txt by RFC 9309; Scrapy's own reads error pages as rules
# and lets requests through when robots.txt cannot be had.
ROBOTSTXT_OBEY = False
ROBOTSTXT_USER_AGENT = "mdcrawl"

# One request at a time to a site, a second apart (varied by half, Scrapy's default).
DOWNLOAD_DELAY = 1.0
CONCURRENT_REQUESTS_PER_DOMAIN = 1
CONCURRENT_REQUESTS = 16
# Items of one answer at a time: an answer has one page. Scrapy starts as many tasks for each.
CONCURRENT_ITEMS = 1

# --- Scrapy: safety -----------------------------------------------------------------------------

# Both open a port that runs Python for whoever holds a secret of this machine.
REMOTE_CONTROL_ENABLED = False
TELNETCONSOLE_ENABLED = False

# Every name is resolved once, checked, and connected to as checked; IPv6 too.
TWISTED_DNS_RESOLVER = "mdcrawl.guard.resolver.GuardResolver"
# Nothing but http and https is ever asked for.
DOWNLOAD_HANDLERS: dict[str, str | None] = {
    **dict.fromkeys(("http", "https"), "mdcrawl.handlers.lazy.LazyBrowserHandler"),
    **dict.fromkeys(("data", "file", "ftp", "s3")),
}

# A page from somebody in between is not the site's page.
DOWNLOAD_VERIFY_CERTIFICATES = True

# --- Scrapy: every answer reaches its verdict ---------------------------------------------------

HTTPERROR_ALLOW_ALL = True
METAREFRESH_ENABLED = False  # a page that only refreshes is judged, not followed
# Further tries for a page after 429, 5xx or no answer, each after a wait; after silence only one.
RETRY_TIMES = 2
REFERER_ENABLED = False

SCHEDULER = "mdcrawl.scheduler.FrontierScheduler"

DOWNLOADER_MIDDLEWARES: dict[str, int | None] = {
    "scrapy.downloadermiddlewares.offsite.OffsiteMiddleware": None,  # the scope is the spider's own
    "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
    "scrapy.downloadermiddlewares.redirect.RedirectMiddleware": None,
    # Before anything is spent on a request: may it be asked for at all? The address comes first, since
    # asking for robots.txt is asking too.
    "mdcrawl.middlewares.addresses.AddressesMiddleware": 50,
    "mdcrawl.middlewares.robots.RobotsMiddleware": 100,  # before lastmod, which may spare the request
    # Allowed, but is there anything new?
    "mdcrawl.middlewares.lastmod.LastmodMiddleware": 110,
    # Nearest to the network: all others see whole, unpacked answers, and only final ones.
    "scrapy.downloadermiddlewares.httpcompression.HttpCompressionMiddleware": None,
    "mdcrawl.middlewares.unpack.UnpackMiddleware": 950,
    "scrapy.downloadermiddlewares.retry.RetryMiddleware": None,
    "mdcrawl.middlewares.throttle.ThrottleMiddleware": 940,
    # Where Scrapy's own stands, so that what it keeps counts as an answer for all above.
    "scrapy.downloadermiddlewares.httpcache.HttpCacheMiddleware": None,
    "mdcrawl.middlewares.cache.CacheMiddleware": 900,
    # Above retries and redirects, so that only the final answer goes to the browser.
    "mdcrawl.middlewares.render.RenderMiddleware": 540,
    # Nearer than redirects: Markdown that is elsewhere is not the page's.
    "mdcrawl.middlewares.native.NativeMiddleware": 650,
    # Where Scrapy's own stands.
    "mdcrawl.middlewares.redirects.RedirectsMiddleware": 600,
    "scrapy.downloadermiddlewares.cookies.CookiesMiddleware": None,
    "mdcrawl.middlewares.cookies.CookiesMiddleware": 700,
}

# In order, 100 apart. Each takes the page and gives it on; only Store writes.
ITEM_PIPELINES = {
    "mdcrawl.pipelines.compare.ComparePipeline": 50,  # the same bytes as last time need no more work
    "mdcrawl.pipelines.extract.ExtractPipeline": 100,  # body -> Markdown, receipt, links
    "mdcrawl.pipelines.shell.ShellPipeline": 150,  # a page without its content goes to the browser, once
    "mdcrawl.pipelines.sources.SourcesPipeline": 160,  # the llms.txt that a page declares
    "mdcrawl.pipelines.native.NativePipeline": 170,  # the site's own Markdown, where it lacks nothing
    "mdcrawl.pipelines.verify.VerifyPipeline": 200,  # verdict and reason, before more is spent
    "mdcrawl.pipelines.model.ModelPipeline": 250,  # what a language model is asked of a good page, if anything
    "mdcrawl.pipelines.chunk.ChunkPipeline": 300,  # chunks of the pages that are kept
    "mdcrawl.pipelines.store.StorePipeline": 400,  # one transaction for all that was learned
}

# Scrapy loads what is here or in EXTENSIONS even where it is None or off, and the remote control takes 0.15 s.
EXTENSIONS_BASE = {
    path: order for path, order in default_settings.EXTENSIONS_BASE.items() if "remote_control" not in path
}
EXTENSIONS: dict[str, int | None] = {
    "scrapy.extensions.logstats.LogStats": None,  # Progress says more
    "scrapy.extensions.telnet.TelnetConsole": None,  # off anyway
    "scrapy.extensions.feedexport.FeedExporter": None,  # would write items, which may not be the last word
    "mdcrawl.extensions.feeds.Feeds": 0,  # where Scrapy's own stands; -O and FEEDS, of rows
    "mdcrawl.extensions.workers.WorkerPool": 100,  # up before the pipelines need it
    "mdcrawl.extensions.memory_guard.MemoryGuard": 150,  # it shrinks the pool
    "mdcrawl.extensions.accounting.Accounting": 200,  # what breaks gets its row too
    "mdcrawl.extensions.progress.Progress": 300,  # a live view on a terminal, else a line each LOGSTATS_INTERVAL
    "mdcrawl.extensions.finish.Finish": 900,  # last: commit, export, exit status
}

# Formats of feeds beside Scrapy's csv, json, xml. One that names a table goes before the name of the feed's file.
FEED_EXPORTERS = {
    **dict.fromkeys(
        ("jsonl", "jsonlines", "jl", "pages-jsonl", "chunks-jsonl", "changes-jsonl", "fields-jsonl"),
        "mdcrawl.exporters.JsonLinesExporter",
    ),
    **dict.fromkeys(("parquet", "pages-parquet"), "mdcrawl.exporters.PagesParquetExporter"),
    "chunks-parquet": "mdcrawl.exporters.ChunksParquetExporter",
    "fields-parquet": "mdcrawl.exporters.FieldsParquetExporter",
}

LOG_LEVEL = "INFO"
LOG_FORMATTER = "mdcrawl.logformatter.QuietLogFormatter"

# --- mdcrawl: output ----------------------------------------------------------------------------

# Folder; empty: `out/` and the host of the first start URL. One folder is one corpus: a crawl compares with what the
# last one left there, and holds a lock on it while it runs.
MDCRAWL_OUTPUT = ""
# URL or e-mail address of whoever runs the crawl, put into the User-Agent. Without one a site in trouble can
# only shut the crawler out, so its absence is warned of.
MDCRAWL_CONTACT = ""
# off or on: write llms.txt and llms-full.txt of the corpus too. Off, since no vector store reads them.
MDCRAWL_LLMS_FILES = "off"

# --- mdcrawl: manners and safety ----------------------------------------------------------------

# Addresses (host:port, comma-separated) that may be private; everything else must be public. A page that is
# crawled can link and redirect anywhere, also to what only this machine can reach.
MDCRAWL_ALLOW_ADDRESSES = ""
# A start URL's own host:port is exempt: its operator named it. Set it to False where others give the start URLs.
MDCRAWL_TRUST_START = True
# Seconds: the longest Retry-After that is waited for. A page that asks for more is left for the next crawl.
MDCRAWL_MAX_WAIT_S = 120
# Pages of a site in a row that 429, 503 or no answer at all may meet before the site is left alone.
# Its other pages are in the ledger as `limit`, held. After three, pages are not tried a second time.
MDCRAWL_SITE_FAILURES = 10
# ai-input (retrieval), ai-train or search: what sites' signals are read for. A site may allow one use and
# refuse another, so say which is yours.
MDCRAWL_PURPOSE = "ai-input"
# obey, record or ignore what sites say about such use. What they said is in the column `rights` unless it is
# ignored; obeyed, a refusal makes the page `noindex`.
MDCRAWL_SIGNALS = "obey"
# http://user:password@host:port; the browser uses it too. A proxy resolves names itself, where nobody here can
# check them: only private addresses written as such, and names that are private by custom, are still refused. A
# user name with `{session}` in it gets a word of its own for each site.
MDCRAWL_PROXY = ""

# --- mdcrawl: extraction ------------------------------------------------------------------------

# Views in pages beside the Markdown files, comma-separated: markdown, fit_markdown, fit_html, citations, text. Each
# asked for is made from the same pass, the fit ones after the content filter; docs/views.md says what each is.
MDCRAWL_VIEWS = ""
# strip, keep or citations: targets cost tokens and say little to a model. `citations` numbers them and lists
# them at the end of the page.
MDCRAWL_LINKS = "strip"
# alt, keep or strip: the description is text, the address is not.
MDCRAWL_IMAGES = "alt"

# --- mdcrawl: copies ----------------------------------------------------------------------------

# start or all: whether copies of a page in other languages and versions than the start URL's are left out.
# They are told by the path (/de/, /v1.2/) and by what pages and sitemaps name as their translations (hreflang);
# a model that reads both answers from the wrong one.
MDCRAWL_VARIANTS = "start"

# --- mdcrawl: verdicts --------------------------------------------------------------------------

# Words; fewer make a page thin unless it is complete in itself. Less is mostly a shell, a stub or a list of
# links; a reference page of its own heading, code or whole sentences passes whatever its length.
MDCRAWL_MIN_WORDS = 80

# --- mdcrawl: the browser -----------------------------------------------------------------------

# Seconds for one page all in all; then it has failed. A page that never comes to rest must not hold the crawl.
MDCRAWL_RENDER_TIMEOUT_S = 45
# Seconds that the scripts of a page may take to bring its text; a page whose text stands still earlier
# is taken then. Data that comes from a slow server takes some seconds.
MDCRAWL_RENDER_WAIT_S = 12
# Pages after which the browser is replaced, so that its leaks stay small.
MDCRAWL_RENDER_PAGES = 100
# Pages open at a time; each takes some 100 MB and most of a core.
MDCRAWL_RENDER_CONCURRENCY = 2

# --- mdcrawl: chunks ----------------------------------------------------------------------------

# o200k_base tokens of a chunk's text, breadcrumb included. It is a ceiling, not a goal: a section is a chunk of
# its own however short it is. What cannot be cut without harm, such as code, stays whole and is marked oversized.
MDCRAWL_CHUNK_TOKENS = 300
# headings, windows (fixed windows of tokens), page (the whole page) or the path of a chunker. Only headings give
# chunks that are about one thing, have a deep link, and keep their ids when another section changes.
MDCRAWL_CHUNK_STRATEGY = "headings"
# Begin each text with its breadcrumb line; False leaves it out. A section called "Options" says whose they are
# only in its breadcrumb.
MDCRAWL_CHUNK_BREADCRUMB = True
# Merge small neighbouring sections under one heading into one chunk. Fewer chunks, of which each changes more
# often.
MDCRAWL_CHUNK_MERGE = False
# Tokens of whole blocks repeated from the chunk of the same section before. None by default: chunks end where
# sections and blocks do, and what is said twice is found twice.
MDCRAWL_CHUNK_OVERLAP = 0
# Tokens at which even code is split; 0: code stays whole. Set it to what your embedding model takes.
MDCRAWL_CHUNK_HARD_TOKENS = 0

# --- mdcrawl: seams -----------------------------------------------------------------------------

# Path of what finds the main content; empty: the declared container, pruned by a second opinion. A spider's
# main_content is the CSS selector that stands here by itself. docs/seams.md says what fits at each seam.
MDCRAWL_SELECTOR = ""
# html-to-markdown (in requirements-extras.txt) or the path of what writes Markdown; empty: our own, which is exact.
MDCRAWL_RENDERER = ""
# pruning, bm25, model or the path of a content filter; empty: bm25 if there is a query, else pruning. It shapes the
# fit views only.
MDCRAWL_FILTER = ""
# cl100k, characters or the path of what counts tokens; empty: o200k_base. Take what your embedding model counts by.
MDCRAWL_TOKENIZER = ""
# Paths of verdict rules of your own, comma-separated. They are asked before all others and have the last word.
MDCRAWL_VERDICT_RULES = ""
# JSON: options of the classes that stand at the seams, by seam. For example {"tokenizer": {"per_token": 4}}.
MDCRAWL_SEAM_OPTIONS = "{}"

# --- mdcrawl: language models -------------------------------------------------------------------

# Endpoint that speaks OpenAI's chat API, such as http://127.0.0.1:11434/v1. Only fields with `llm` and
# MDCRAWL_FILTER=model ask it. Its key is the environment's MDCRAWL_LLM_KEY, never a setting: settings are logged.
MDCRAWL_LLM_URL = ""
# The model's name at that endpoint; there is no default, since none is everywhere.
MDCRAWL_LLM_MODEL = ""
# Seconds for one answer; a model of your own on a small machine takes some tens.
MDCRAWL_LLM_TIMEOUT_S = 60
# Further tries after 429, 5xx or no answer, each after a wait; Retry-After is obeyed.
MDCRAWL_LLM_RETRIES = 2
# Tokens that one crawl may spend on a model, prompts and answers; 0: any number. Then no more is asked, and the crawl
# goes on.
MDCRAWL_LLM_BUDGET_TOKENS = 1_000_000
# Tokens of a page in one question; longer pages are asked about in parts. Small models have small windows.
MDCRAWL_LLM_CHUNK_TOKENS = 6000
# Prices of a million tokens sent and received, such as 0.15,0.60; empty: the cost is not counted.
MDCRAWL_LLM_PRICES = ""

# --- mdcrawl: the next crawl --------------------------------------------------------------------

# enabled, disabled, read_only, write_only or bypass: the store of answers in the crawl database. It makes
# conditional requests and `scrapy export --reextract` possible. `read_only` takes what is kept without asking
# the site, `write_only` asks for everything in full, `bypass` leaves the store alone for one crawl, and
# `disabled` keeps none.
MDCRAWL_CACHE = "enabled"
# Share of the corpus's pages, 0 to 1, that one crawl may delete: a site that is half gone is more
# often broken than gone. Above it nothing is committed and the exit status is 3.
MDCRAWL_MAX_DELETE_RATIO = 0.5

# --- mdcrawl: many machines ---------------------------------------------------------------------

# The crawl database on a server: postgresql+psycopg://USER@HOST/NAME, with ?options=-csearch_path%3DSCHEMA
# for a schema of its own; empty: crawl.sqlite in the output folder. Passwords belong into ~/.pgpass.
MDCRAWL_DB = ""
# redis://HOST/NUMBER: with a start URL, one crawl that many workers share, for which MDCRAWL_DB must be set
# too; without, a worker that takes start URLs from the list SPIDER:start_urls. Empty: the crawl database.
MDCRAWL_FRONTIER = ""
# Seconds without a sign of life after which another worker gets what a worker of MDCRAWL_FRONTIER had in hand;
# each gives three in this time.
MDCRAWL_FRONTIER_LEASE_S = 60

# --- mdcrawl: limits ----------------------------------------------------------------------------

# Bytes of one answer, packed or unpacked; documentation pages are far below 1 MB. More is no page, or a bomb.
MDCRAWL_MAX_BYTES = 10_000_000
# Seconds for one answer, from the request to its last byte: one that drips is cut off, too.
MDCRAWL_RESPONSE_TIMEOUT_S = 60
# Seconds without a header or a byte, before and during an answer. Slow is no fault; silent is.
MDCRAWL_SILENCE_TIMEOUT_S = 30
# Conversion processes; 0: one for each core. Conversion is what a crawl computes; the crawl itself takes one more.
MDCRAWL_WORKERS = 0
# Seconds for the conversion of one page; measured: the slowest takes 5. Past it the page is `bad_content` and its
# worker is replaced.
MDCRAWL_PAGE_TIMEOUT_S = 20
# Share of the memory of the machine or container in use, 0 to 1, above which the crawl takes half as many pages
# at a time, and half again two seconds later. What is left holds what a few large pages take.
MDCRAWL_MEMORY_SHRINK = 0.85
# Share of memory in use below which it takes twice as many again. A tenth lower, so that it does not go up and down.
MDCRAWL_MEMORY_RECOVER = 0.75
# Share of memory in use above which the crawl ends by itself. Its files are written, the status is 3; the system
# would kill it.
MDCRAWL_MEMORY_STOP = 0.95


def defaults() -> dict[str, object]:
    """Return the MDCRAWL_ settings with their defaults."""
    return {name: value for name, value in globals().items() if name.startswith("MDCRAWL_")}
