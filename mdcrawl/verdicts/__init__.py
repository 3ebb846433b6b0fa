"""Is this a page? Verdicts with their reasons, from facts about what came back."""
