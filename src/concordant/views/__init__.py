"""Input of indices: a few named numbers, each computed once from the counts."""
