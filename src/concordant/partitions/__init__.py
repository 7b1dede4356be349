"""What a person hands over: partitions, their labels, and the conventions that are agreed on."""
