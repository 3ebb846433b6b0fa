"""Extensions: what accompanies a crawl from its opening to its close."""
