"""Item pipelines, in the order of their numbers: extract, verify, chunk, store."""
