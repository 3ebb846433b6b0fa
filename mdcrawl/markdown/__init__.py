"""Reading Markdown by CommonMark: its blocks, and what lists and quotes hold."""
