"""What engines hand over: counts, names, and exact arithmetic on them."""
