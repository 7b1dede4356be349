"""Checks of the text: source, messages, docstrings, pages, metadata and the public interface."""
