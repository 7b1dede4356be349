"""The value of an index after each of many edits, from the changes in the sums that its formula reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import numpy as np

from concordant.catalogue.index import Index
from concordant.counts.conventions import Undefined
from concordant.counts.elements import Elements
from concordant.counts.information import Information
from concordant.counts.pairs import Pairs
from concordant.differences.single_edits import Values
from concordant.engines.live.profile import LiveProfile

_MOST_GROUPS = 200_000  # different changes whose values are computed one by one

SumChanges = dict[str, Values]


def needed_changes(index: Index) -> tuple[str, ...]:
    """The sums that an edit must change to change the index; empty if its formula is not read from sums."""
    if not all(view in _NEEDED for view in index.views):
        return ()
    return tuple(dict.fromkeys(name for view in index.views for name in _NEEDED[view]))


def values_after(
    index: Index, profile: LiveProfile, changes: SumChanges, undefined: Undefined
) -> Values | None:
    """The value after each edit, to about 12 digits; None where the formula does not take columns.

    The rules are those of ``Index.value``: identical partitions are perfect, and a convention replaces 0/0.
    """
    is_official = undefined == "conll" and index.conll is not None
    formula = index.conll if is_official else index.compute
    try:
        with np.errstate(all="ignore"):
            values = _formula_values(formula, index, profile, changes)
    except (TypeError, ValueError, AttributeError):
        return None  # a sum that edits do not determine, or too many values
    convention = 0.0 if is_official else None if undefined in ("nan", "raise") else index.undefined
    values = np.where(np.isfinite(values), values, np.nan if convention is None else convention)
    if index.perfect is None or is_official:
        return values
    rows, columns = profile.state.rows_columns
    nn, bb = float(rows.squared - profile.state.squared), float(rows.squared - columns.squared)
    identical = np.isclose(changes["nn"], nn, 1e-12, 0) & np.isclose(changes["bb"], bb, 1e-12, 0)
    return np.where(identical, float(index.perfect), values)


def _formula_values(
    formula: Callable[..., Any], index: Index, profile: LiveProfile, changes: SumChanges
) -> Values:
    """The bare formula for each edit; nan or infinite where it divides by zero."""

    def computed(changes: Mapping[str, Any]) -> Any:
        return formula(*(_VIEWS[view](profile, changes) for view in index.views), **index.arguments)

    count = len(changes["nn"])
    try:
        values = np.asarray(computed(changes), dtype=np.float64)
        if values.shape == (count,) and count > 1:  # an array of one value acts as a number
            return values
    except (TypeError, ValueError, ZeroDivisionError):
        pass  # the formula needs plain numbers (a branch, a minimum, a root, 0/0): one by one
    if count > _MOST_GROUPS:
        raise ValueError("too many to compute one by one")
    values = np.full(count, np.nan)
    for place in range(count):
        with suppress(ZeroDivisionError):
            values[place] = computed({name: each[place] for name, each in changes.items()})
    return values


def _pairs(profile: LiveProfile, changes: Mapping[str, Any]) -> Any:
    now, together = profile.view(Pairs), changes["nn"] / 2
    apart = (changes["bb"] - changes["nn"]) / 2
    number: Any = int if isinstance(together, float) else np.asarray  # for one edit, formulas expect int
    counts = now.n11 + together, now.n10 - together, now.n01 + apart, now.n00 - apart
    pairs: Any = Pairs
    return pairs(*map(number, counts), now.size)


def _elements(profile: LiveProfile, changes: Mapping[str, Any]) -> Any:
    now, state = profile.view(Elements), profile.state
    size = np.float64(state.size)
    over_a, over_b = float(now.over_a) + changes["over_a"], float(now.over_b) + changes["over_b"]
    return SimpleNamespace(
        size=size,
        in_u=size,
        in_v=size,
        common=size,
        rows=np.float64(now.rows),
        columns=state.rows_columns[1].clusters + changes["columns"],
        cells=state.cells + changes["cells"],
        kept=state.kept + changes["kept"],
        over_a=over_a,
        over_b=over_b,
        outside_u=size - over_a,
        outside_v=size - over_b,
    )


def _information(profile: LiveProfile, changes: Mapping[str, Any]) -> Any:
    now, size = profile.view(Information), profile.size
    is_trivial = profile.columns + changes["columns"] == 1  # where rounding could leave an entropy
    h_u = np.float64(now.h_u)
    h_v = np.where(is_trivial, 0.0, now.h_v - changes["logs_b"] / size)[()]
    h_uv = np.where(is_trivial, h_u, now.h_uv - changes["logs"] / size)[()]
    return SimpleNamespace(
        size=np.float64(size),
        h_u=h_u,
        h_v=h_v,
        h_uv=h_uv,
        h_u_given_v=h_uv - h_v,
        h_v_given_u=h_uv - h_u,
        mutual=h_u + h_v - h_uv,
        of_elements=now.of_elements,
    )


_NEEDED: dict[type, tuple[str, ...]] = {
    Pairs: ("nn", "bb"),
    Elements: ("over_a", "over_b", "cells", "columns", "kept"),
    Information: ("logs", "logs_b"),
}
_VIEWS: dict[type, Callable[[LiveProfile, Mapping[str, Any]], Any]] = {
    Pairs: _pairs,
    Elements: _elements,
    Information: _information,
}
