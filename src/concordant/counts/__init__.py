"""The output of engines: counts, names, and exact arithmetic on them."""
