"""Clusterings: what all kinds share, and partitions and covers, made from what users pass."""
