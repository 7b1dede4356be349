"""The chart and the page of a SoftComparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.catalogue.index import INDICES
from concordant.counts.conventions import check_choice
from concordant.counts.sides import SIDES, SideName
from concordant.counts.spelling import counted
from concordant.errors import InputError, SoftError, TooLargeError
from concordant.report.charts.chart import Display
from concordant.report.charts.soft_table import SOFT_TABLE, SoftTable, soft_picture
from concordant.report.notebook import chart_html
from concordant.report.pages.soft import SoftData, SoftLine, soft_page
from concordant.report.report_data import SideTitles, check_side_names
from concordant.soft.device import DeviceSides
from concordant.soft.indices import soft_index
from concordant.soft.records import moved_weights

if TYPE_CHECKING:
    from concordant.comparisons.soft import SoftComparison
    from concordant.trust.interval import Interval

_RECORDS = 100  # that a page lists
_HARD = ("adjusted_rand", "matching_accuracy")


def _table(found: SoftComparison, names: SideTitles) -> SoftTable:
    counts, (own, others) = found.counts, found.counts.sides.clusters
    if not counts.size:
        raise InputError("there are no records to draw")
    # A side without clusters has an empty column.
    weights = moved_weights(counts)[np.ix_([*range(len(own)), -1], [*range(len(others)), -1])]
    picture = soft_picture(weights, counts.matched_columns, (own, others))
    return SoftTable(picture, names, (len(own), len(others)), found.soft_matching_accuracy)


def plot(found: SoftComparison, share: SideName | None, names: SideTitles, **figure: Any) -> Display:
    """The heat map on Matplotlib's axes."""
    check_side_names(names)
    if share is not None:
        check_choice("share", share, SIDES)
    return SOFT_TABLE.plot(_table(found, names), share=share, **figure)


def page(
    found: SoftComparison,
    names: SideTitles,
    indices: Sequence[str] | None,
    *,
    significance: bool,
    intervals: Mapping[str, Interval],
) -> str:
    """The page as one HTML text."""
    check_side_names(names)
    shown = found.keys() if indices is None else indices
    lines = [replace(_line(found, name), interval=intervals.get(name)) for name in shown]
    are_draws = found.counts.sides.are_draws
    hard: list[tuple[str, float]] = []
    with suppress(SoftError, InputError):  # draws and files have no labels
        hard = [(INDICES[name].title, found.hardened[name]) for name in _HARD]
    records: Sequence[Any] = []
    if not are_draws:
        with suppress(TooLargeError):
            records = list(found.records(limit=_RECORDS))
    data = SoftData(
        names,
        found.headline,
        _facts(found),
        lines,
        hard,
        None if are_draws or not found.counts.size else _table(found, names),
        [] if are_draws else list(found.matching()),
        records,
        found.counts.size,
        found.significance() if significance else None,
        [name for name in found.omitted if name not in shown],
        found.signature,
    )
    return soft_page(data)


def _facts(found: SoftComparison) -> list[str]:
    """The sizes, and the records that only one side has."""
    facts = [f"{found._title()}."]  # noqa: SLF001  (its own kind)
    unmatched = found._conventions.unmatched  # noqa: SLF001  (its own kind)
    for side, other in (SIDES, SIDES[::-1]):
        if number := found.counts.sides.audit.get(f"only_{side}", 0):
            verb = "is" if number == 1 else "are"
            fate = "left out" if unmatched == "drop" else f"in no cluster of the {other}"
            facts.append(f"{counted(number, 'record')} of the {side} alone {verb} {fate}.")
    return facts


def _line(found: SoftComparison, name: str) -> SoftLine:
    index = soft_index(name)
    return SoftLine(index, found.value(index), index.is_undefined(found.counts))


def picture(found: SoftComparison) -> str:
    """The heat map as a fragment for a notebook; draws and weights on a GPU have none."""
    sides = found.counts.sides
    if sides.are_draws or isinstance(sides, DeviceSides) or not found.counts.size:
        return ""
    return chart_html(SOFT_TABLE, _table(found, ("reference", "candidate")))
