"""Hierarchies: values, cuts, trees against trees, comparison, page and commands."""

from typing import TYPE_CHECKING

from concordant.foundation.lazy import attributes

if TYPE_CHECKING:
    from concordant.hierarchies import best_cuts, hierarchy, page, sampled_levels

if not TYPE_CHECKING:
    __getattr__ = attributes(__name__)
