"""How certain a value is: significance against chance, confidence intervals, adjustment for chance."""

from typing import TYPE_CHECKING

from concordant.foundation.lazy import attributes

if TYPE_CHECKING:
    from concordant.inference import (
        adjusted,
        clustered_intervals,
        interval,
        paired,
        paired_comparison,
        permutation_test,
        record_intervals,
        significance,
        slice_cells,
        slices,
    )

if not TYPE_CHECKING:
    __getattr__ = attributes(__name__)
