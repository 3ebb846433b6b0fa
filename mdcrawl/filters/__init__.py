"""Content filters for the fit views: by structure, by a query, or by a language model."""
