"""The crawl database: frontier, ledger and corpus of one output folder."""
