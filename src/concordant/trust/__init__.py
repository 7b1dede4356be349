"""How sure a value is: significance against chance, intervals for other data, adjustment for chance."""

from typing import TYPE_CHECKING

from concordant.lazy import attributes

if TYPE_CHECKING:
    from concordant.trust import adjusted, interval, paired, significance, slices, versus

if not TYPE_CHECKING:
    __getattr__ = attributes(__name__)
