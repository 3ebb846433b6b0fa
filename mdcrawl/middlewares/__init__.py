"""Downloader middlewares, one concern each: they change, repeat or refuse requests, and write nothing."""
