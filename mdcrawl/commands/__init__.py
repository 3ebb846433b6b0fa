"""Commands of the project: scrapy crawl with an exit status, scrapy export, scrapy demo."""
