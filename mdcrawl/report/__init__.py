"""report.html: one file to look at, written from the crawl database; it loads nothing and runs no page's script."""
