"""The one door to the compiled core: whoever counts labels, cells or graphs comes through here."""

from concordant.core._core import (
    ComponentTooLarge,
    assignment,
    best_fractions,
    bicomponents,
    blocks,
    cells,
    encode_arrow,
    expected_mutual_information,
    factorize,
    factorize_items,
    factorize_objects,
    grouped,
    integers,
    largest_first,
    pair_sums,
    profile,
)

__all__ = [
    "ComponentTooLarge",
    "assignment",
    "best_fractions",
    "bicomponents",
    "blocks",
    "cells",
    "encode_arrow",
    "expected_mutual_information",
    "factorize",
    "factorize_items",
    "factorize_objects",
    "grouped",
    "integers",
    "largest_first",
    "pair_sums",
    "profile",
]
