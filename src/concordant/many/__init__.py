"""Many partitions, or many parts of one: matrices, tracks, and cells gathered in batches."""
