"""The live engine: counts that follow edits, so an index can be read at any time."""
