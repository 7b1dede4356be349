"""Engines: each makes a profile from where the data lies, and knows nothing of indices."""
