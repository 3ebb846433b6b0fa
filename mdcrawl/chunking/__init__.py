"""Cutting one page of Markdown into chunks that can be cited, counted on and compared."""
