"""Commands of the project: scrapy crawl with an exit status, page, convert, export, report, genspider, demo."""
