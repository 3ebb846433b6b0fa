"""Fields of pages: defined, found, given their types, and named where they are missing. Imported only if asked for."""
