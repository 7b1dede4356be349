"""Pages: one file of HTML each, which needs no network."""
