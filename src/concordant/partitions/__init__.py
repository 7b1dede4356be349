"""Input: partitions, their labels, and their sources."""
