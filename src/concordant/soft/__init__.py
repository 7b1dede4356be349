"""Soft partitions: weights instead of labels, how similar two of them are, and where they differ."""

from typing import TYPE_CHECKING

from concordant.lazy import attributes

if TYPE_CHECKING:
    from concordant.soft import counts, expectation, indices, mantel, pairs, partition, streamed

if not TYPE_CHECKING:
    __getattr__ = attributes(__name__)
