"""Pure extraction: from a page's bytes to the Markdown of its main content, with a receipt."""
