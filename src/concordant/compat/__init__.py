"""Faces of other libraries: their names and conventions, our numbers."""
