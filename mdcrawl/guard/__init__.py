"""The address guard: no connection of a crawl, plain or the browser's, goes where strangers must not lead it."""
