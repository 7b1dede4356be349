"""How certain a value is: significance against chance, confidence intervals, adjustment for chance."""

from typing import TYPE_CHECKING

from concordant.lazy import attributes

if TYPE_CHECKING:
    from concordant.trust import (
        adjusted,
        interval,
        null_test,
        paired,
        record_intervals,
        significance,
        slice_cells,
        slices,
        units,
        versus,
    )

if not TYPE_CHECKING:
    __getattr__ = attributes(__name__)
