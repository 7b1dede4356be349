"""Indices for partitions and covers: declarations, catalogues, and results that hold values."""
