"""Hierarchies: trees over elements, made of dendrograms, taxonomies and scored pairs, and their levels."""

from typing import TYPE_CHECKING

from concordant.lazy import attributes

if TYPE_CHECKING:
    from concordant.hierarchies import curve, hierarchy, null_moments, tree_indices

if not TYPE_CHECKING:
    __getattr__ = attributes(__name__)
