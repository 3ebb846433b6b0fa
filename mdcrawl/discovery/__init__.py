"""Where pages are and what a crawl may do there: URLs, scope, traps, robots, signals, sitemaps."""
