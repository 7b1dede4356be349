"""What indices read: a few named numbers, each computed once from the counts."""
