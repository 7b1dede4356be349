"""Index declarations: parameters, spellings, and advice on which to choose."""
