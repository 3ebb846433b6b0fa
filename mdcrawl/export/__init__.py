"""The output files: views of the crawl database, complete or absent, sorted, the same bytes for the same rows."""
