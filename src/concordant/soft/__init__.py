"""Soft partitions: values, counts, indices, comparison, page and options of commands."""

from typing import TYPE_CHECKING

from concordant.foundation.lazy import attributes

if TYPE_CHECKING:
    from concordant.soft import page

if not TYPE_CHECKING:
    __getattr__ = attributes(__name__)
