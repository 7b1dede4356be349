"""What a person hands over: partitions, their labels, and the sources that they lie in."""
