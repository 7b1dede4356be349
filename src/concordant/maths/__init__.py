"""Mathematics without clusterings: exact numbers, distributions, arrays."""
