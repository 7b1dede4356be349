"""Compatibility modules: names and conventions of other libraries, values of concordant."""
