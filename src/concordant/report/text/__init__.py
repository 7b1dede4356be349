"""A comparison as text for a terminal, and as a light table for a notebook."""
