"""The value of an index after each of many single edits, by its own formula on columns of numbers."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from concordant.catalogue.index import Index
from concordant.counts.elements import Elements
from concordant.counts.information import Information
from concordant.counts.pairs import Pairs
from concordant.differences.single_edits import Values
from concordant.engines.live.profile import LiveProfile

SumChanges = dict[str, Values]


def needed_changes(index: Index) -> tuple[str, ...]:
    """What an edit has to change for the index to change; empty where its formula is not read from sums."""
    if not all(view in _NEEDED for view in index.views):
        return ()
    return tuple(dict.fromkeys(name for view in index.views for name in _NEEDED[view]))


def values_after(index: Index, profile: LiveProfile, changes: SumChanges) -> Values | None:
    """The value after each edit, to about 12 digits; None where the formula does not take columns."""
    try:
        with np.errstate(divide="ignore", invalid="ignore"):
            views = [_VIEWS[view](profile, changes) for view in index.views]
            values = np.asarray(index.compute(*views, **index.arguments), dtype=np.float64)
    except (TypeError, ValueError, AttributeError):
        return None  # a formula with a branch, a root of a fraction, or a sum that no edit tells
    count = len(next(iter(changes.values())))
    return values if values.shape == (count,) else None


def _pairs(profile: LiveProfile, changes: SumChanges) -> Any:
    state = profile.state
    rows, columns = state.rows_columns
    size, nn = state.size, state.squared + changes["nn"]
    aa, bb = float(rows.squared), columns.squared + changes["bb"]
    n11, n10, n01 = (nn - size) / 2, (aa - nn) / 2, (bb - nn) / 2
    pairs: Any = Pairs
    return pairs(n11, n10, n01, size * (size - 1) / 2 - n11 - n10 - n01, size)


def _elements(profile: LiveProfile, changes: SumChanges) -> Any:
    now, state = profile.view(Elements), profile.state
    size = state.size
    over_a, over_b = float(now.over_a) + changes["over_a"], float(now.over_b) + changes["over_b"]
    return SimpleNamespace(
        size=size,
        in_u=size,
        in_v=size,
        common=size,
        rows=now.rows,
        columns=state.rows_columns[1].clusters + changes["columns"],
        cells=state.cells + changes["cells"],
        kept=state.kept + changes["kept"],
        over_a=over_a,
        over_b=over_b,
        outside_u=size - over_a,
        outside_v=size - over_b,
    )


def _information(profile: LiveProfile, changes: SumChanges) -> Any:
    now, size = profile.view(Information), profile.size
    h_v, h_uv = now.h_v - changes["logs_b"] / size, now.h_uv - changes["logs"] / size
    mutual = now.h_u + h_v - h_uv
    return SimpleNamespace(
        size=size,
        h_u=now.h_u,
        h_v=h_v,
        h_uv=h_uv,
        h_u_given_v=h_uv - h_v,
        h_v_given_u=h_uv - now.h_u,
        mutual=mutual,
    )


_NEEDED: dict[type, tuple[str, ...]] = {
    Pairs: ("nn", "bb"),
    Elements: ("over_a", "over_b", "cells", "columns", "kept"),
    Information: ("logs", "logs_b"),
}
_VIEWS: dict[type, Callable[[LiveProfile, SumChanges], Any]] = {
    Pairs: _pairs,
    Elements: _elements,
    Information: _information,
}
