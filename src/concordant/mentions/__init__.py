"""Coreference over documents: files of mentions, scores and the command."""
