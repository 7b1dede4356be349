"""compare() and Comparison: the only place where engines meet indices."""

from typing import TYPE_CHECKING

from concordant.comparisons.comparison import Comparison
from concordant.comparisons.entry import compare
from concordant.comparisons.live import Live
from concordant.comparisons.partitions import values
from concordant.foundation.lazy import attributes

if TYPE_CHECKING:
    from concordant.comparisons import between, decisions, edges, saved


__all__ = ["Comparison", "Live", "compare", "values"]

if not TYPE_CHECKING:
    __getattr__ = attributes(__name__)
