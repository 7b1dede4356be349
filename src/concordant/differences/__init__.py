"""Where two partitions differ: changes, clusters, records, edits, and events over time."""
