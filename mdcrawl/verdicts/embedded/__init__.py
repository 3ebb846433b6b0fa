"""Content that a shell carries in its own data: cheaper than a browser when it is really the page."""
