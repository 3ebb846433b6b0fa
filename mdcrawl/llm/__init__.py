"""Language models behind an endpoint that speaks OpenAI's chat API. Imported only if a crawl asks for one."""
