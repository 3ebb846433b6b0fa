"""One crawl over many workers: its frontier and the pace of its sites in Redis, on scrapy-redis."""
