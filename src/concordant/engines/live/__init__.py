"""The live engine: counts that follow edits, so that an index can be read at any time."""
