"""The value of an index for many cuts together, from sums of their overlaps and its own declaration."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from concordant.counts.information import Information
from concordant.counts.pairs import PartialCounts
from concordant.errors import Remedy, TooLargeError
from concordant.foundation.conventions import Undefined
from concordant.hierarchies.cut_sums import SUMMED_VIEWS, CutSums, KnownSums, UnknownSumError
from concordant.indices.index import Index

_BLOCK = 2**15  # cuts that are evaluated together stay in the cache
# Cuts that are counted one by one, and elements of all of them where each needs the whole table.
_MOST_CUTS = 200_000
_MOST_ELEMENTS = 2 * 10**9
# Entropies that were followed from cut to cut are wrong by some 1e-15; an index divides by one of them.
_ENTROPY_ERROR = 1e-12


class _SingleNumberNeededError(Exception):
    """A formula takes a root, or the larger of two numbers, which arrays do not have."""


class _NumbersOfCuts(np.ndarray[Any, np.dtype[np.float64]]):
    """A number of many cuts. A formula that needs single numbers is distinguished from one with an error."""

    def __bool__(self) -> NoReturn:
        raise _SingleNumberNeededError

    def __float__(self) -> NoReturn:
        raise _SingleNumberNeededError


def _float_entry(numbers: Any, *, i: int) -> float:
    return numbers if isinstance(numbers, float) else float(numbers[i])


def evaluate(
    index: Index, sums: CutSums, undefined: Undefined = "convention", *, only_best: bool = False
) -> NDArray[np.float64]:
    """The value of the index for each cut, the same bits as for the cut alone.

    With ``only_best`` that holds for the best cut, and others are only known not to be better.
    """
    if index.views == (Information,) and sums.information is not None:
        few = sums.length <= _MOST_CUTS
        if only_best or not few:
            return _from_logarithms(index, sums, sums.information(), undefined, exact_best=few)
    if not SUMMED_VIEWS.issuperset(index.views):
        return _one_by_one(index, sums, undefined)
    try:
        values = _from_arrays(index, sums, undefined)
        return _from_numbers(index, sums, undefined) if values is None else values
    except UnknownSumError:
        return _one_by_one(index, sums, undefined)


def _from_arrays(index: Index, sums: CutSums, undefined: Undefined) -> NDArray[np.float64] | None:
    """The values from arrays of sums; None if only the formula on single numbers gives them."""
    if undefined == "conll" and index.conll is not None:  # the values are those of another formula
        return None
    values = np.empty(sums.length)
    try:
        with np.errstate(all="ignore"):  # entries in doubt are evaluated again
            for begin in range(0, sums.length, _BLOCK):
                end = min(begin + _BLOCK, sums.length)
                values[begin:end] = _block(index, sums, begin, end, undefined)
    except TypeError:  # Python's, for roots, logarithms and choices: arrays lack them
        return None
    return values


def _from_numbers(index: Index, sums: CutSums, undefined: Undefined) -> NDArray[np.float64]:
    """The values from the sums of each cut; an error of the formula itself is raised here."""
    return np.array([index.value(sums.counts(i), undefined) for i in range(sums.length)], dtype=np.float64)


def _block(index: Index, sums: CutSums, begin: int, end: int, undefined: Undefined) -> NDArray[np.float64]:
    marks = np.zeros(end - begin, dtype=bool)
    views = sums.arrays(begin, end, marks)
    result = index.compute(*(views[view] for view in index.views), **index.arguments)
    result = result.rounded() if hasattr(result, "rounded") else float(result)
    values = np.empty(end - begin)
    values[:] = result
    low, high = index.bounds(sums.size)
    marks |= ~((low <= values) & (values <= high))
    if index.perfect is not None:
        squares = sums.nn, sums.aa, sums.bb
        nn, aa, bb = (each if isinstance(each, int) else each[begin:end] for each in squares)
        marks |= (nn == aa) & (nn == bb)
    for i in np.flatnonzero(marks).tolist():
        values[i] = index.value(sums.counts(begin + i), undefined)
    return values


def _from_logarithms(
    index: Index, sums: CutSums, entropies: Mapping[str, Any], undefined: Undefined, *, exact_best: bool
) -> NDArray[np.float64]:
    """The values from entropies that were followed from cut to cut, so the last digits may differ.

    Entropies of so many cuts one by one would take hours. With ``exact_best`` each cut that may be
    the best is computed again.
    """
    values = np.full(sums.length, np.nan)
    view: Any = KnownSums({"size": sums.size}, entropies, _together)
    try:
        with np.errstate(all="ignore"):
            values[:] = index.compute(view, **index.arguments)
    except _SingleNumberNeededError:  # no value is known, so each is computed by itself
        pass
    low, high = index.bounds(sums.size)
    in_doubt = ~((low <= values) & (values <= high)) | ((sums.nn == sums.aa) & (sums.nn == sums.bb))
    for i in np.flatnonzero(in_doubt).tolist():
        view = KnownSums({"size": sums.size}, entropies, partial(_float_entry, i=i))
        counts = PartialCounts(sums.size, sums.counts(i).identical, {Information: view})
        values[i] = index.value(counts, undefined)
    if not exact_best:
        return values
    better = values if index.agreement == "larger" else -values
    with np.errstate(divide="ignore"):  # clusters without entropy are in doubt
        error = _ENTROPY_ERROR * (1 + 1 / np.minimum(entropies["h_u"], entropies["h_v"]))
    surely = np.where(np.isfinite(error), better - error, -np.inf)
    candidates = np.flatnonzero(better + error >= np.nanmax(surely, initial=-np.inf))
    # If the last of them is perfect, no other one is a better choice.
    for chosen in (candidates[-1:], candidates):
        for i, cut in zip(chosen.tolist(), sums.profiles(chosen.tolist()), strict=True):
            values[i] = index.value(cut, undefined)
        if (values[chosen] == index.perfect).all():
            break
    return values


def _together(numbers: Any) -> Any:
    return numbers.view(_NumbersOfCuts) if isinstance(numbers, np.ndarray) else numbers


def _one_by_one(index: Index, sums: CutSums, undefined: Undefined) -> NDArray[np.float64]:
    by_table = index.needs > index.needs.SIZES
    most = min(_MOST_CUTS, _MOST_ELEMENTS // max(sums.size, 1)) if by_table else _MOST_CUTS
    if sums.length > most:
        raise TooLargeError(
            f"{index.name} is computed cut by cut, and {sums.title} are {sums.length:,} cuts of "
            f"{sums.size:,} records; at most {most:,} are computed",
            remedies=[Remedy("compute only that many, evenly spaced", levels=min(1000, most))],
        )
    values = np.empty(sums.length)
    for i, counts in enumerate(sums.profiles(range(sums.length))):
        values[i] = index.value(counts, undefined)
    return values
