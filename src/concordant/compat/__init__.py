"""Compatibility modules: the names and conventions of other libraries, with concordant's values."""
