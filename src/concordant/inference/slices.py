"""Slices: the indices of parts of the records, such as countries, and which are worse than the rest."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import islice
from typing import Any, Literal, get_args

import numpy as np

from concordant.counts.counted_sides import CountedSides, omitted_of
from concordant.counts.pairs import PairCounts, Pairs, PartialCounts, _whole, pairs_of
from concordant.counts.weighted_counts import WeightedCounts, weight_text
from concordant.differences.lazy_list import LazyList, field_names
from concordant.errors import (
    ParameterError,
    Remedy,
    TooLargeError,
    UndefinedError,
    UnknownKeyError,
    did_you_mean,
)
from concordant.foundation.conventions import Undefined, check_choice
from concordant.foundation.results import (
    DotPlot,
    Field,
    Listing,
    ReadOnlyDict,
    Report,
    as_frame,
    interval_fields,
    melted,
    rounded,
)
from concordant.foundation.spelling import counted, printable
from concordant.foundation.text_layout import shortened
from concordant.indices.index import INDICES
from concordant.inference.difference import benjamini_hochberg, holm
from concordant.inference.options import check_confidence, check_count
from concordant.inference.slice_cells import (
    UNNAMED,
    Label,
    Reading,
    SliceCells,
    ends_of_pairs,
    slice_cells,
    slice_text,
)
from concordant.inference.slice_tests import (
    PAIR_RATIOS,
    POINTWISE,
    TESTED,
    slice_tests,
)
from concordant.inference.statistic import LEAST_APPROXIMATE_P
from concordant.maths.arithmetic import harmonic, plain_weight, sum_of_ratios

ADJUSTED = ("adjusted_wallace_recall", "adjusted_wallace_precision", "adjusted_rand")  # for chance


@dataclass(frozen=True, slots=True)
class Slice:
    """The records with one value of a column, and their values. Clusters are not cut.

    Attributes
    ----------
    slice : object
        The value: a tuple for several columns, None for a missing value.
    size : int
        Number of records.
    weight : int or float
        Their weight.
    bcubed_precision, bcubed_recall, bcubed_f : float
        B-cubed indices.
    element_jaccard, element_centric : float
        Element-wise similarities.
    precision, recall, f_measure, jaccard : float
        Pair-counting indices.
    adjusted_wallace_recall, adjusted_wallace_precision, adjusted_rand : float
        Pair-counting indices corrected for chance.
    low, high : float, optional
        Interval of the tested index.
    difference : float, optional
        Difference of the tested index from the rest of the records.
    p, p_uncorrected : float, optional
        p-values: small if the slice is worse than the rest.
    n_components : int
        Number of components with its records.
    n_effective_units : float
        Number of components of equal size that would determine the index equally well.
    note : str
        The reason if there is no p-value, or what it depends on.
    undefined : tuple of str
        The indices that are 0/0 here, so their values are conventions.
    """

    slice: Any
    size: int
    weight: int | float
    bcubed_precision: float
    bcubed_recall: float
    bcubed_f: float
    element_jaccard: float
    element_centric: float
    precision: float
    recall: float
    f_measure: float
    jaccard: float
    adjusted_wallace_recall: float
    adjusted_wallace_precision: float
    adjusted_rand: float
    low: float | None
    high: float | None
    difference: float | None
    p: float | None
    p_uncorrected: float | None
    n_components: int
    n_effective_units: float
    note: str
    undefined: tuple[str, ...]


class SliceValues:
    """Every index of each slice, as fractions until the last division."""

    def __init__(self, cells: SliceCells, reading: Reading, undefined: Undefined) -> None:
        self.cells, self.reading, self._undefined = cells, reading, undefined
        number = len(cells.labels)
        own_slice, kind, self._weight, squares = cells.sums_of_kinds()
        n, a, b = (each[kind] for each in cells.kinds.sizes)
        self._sizes = n, a, b
        self._bounds = np.searchsorted(own_slice, np.arange(number + 1)).tolist()
        ends = ends_of_pairs(own_slice, number, self._sizes, self._weight, squares, total=cells.total)
        own = ends if reading == "ends" else cells.pairs(reading, cells.slice, number)
        self._pairs = [each.tolist() for each in own]
        self._whole = [sum(each.tolist()) for each in ends]  # only "ends" add up
        self._means: dict[tuple[str, int | None, bool], Fraction] = {}

    def pairs(self, number: int | None) -> tuple[Fraction, Fraction, Fraction, Fraction]:
        """Pairs together in both, in the reference and in the candidate, and all; None means all records."""
        doubled = self._whole if number is None else [each[number] for each in self._pairs]
        n11, u, v, every = (Fraction(each, 2 * self.cells.parts**2) for each in doubled)
        return n11, u, v, every

    def value(self, index: str, number: int | None, *, exact: bool) -> tuple[Fraction | float, bool]:
        """The value, and whether it is a convention, because the formula is 0/0."""
        if index in POINTWISE:
            return self._mean(index, number, exact=exact), False
        if index == "bcubed_f":
            p, r = (self._mean(f"bcubed_{x}", number, exact=exact) for x in ("precision", "recall"))
            return Fraction(harmonic(p, r)), False  # neither is 0, as every record is with itself
        n11, u, v, every = self.pairs(number)
        ratio: Any = PAIR_RATIOS.get(index)  # fractions do as well as arrays
        above, below = ratio(n11, u, v) if ratio else self._beyond_chance(index, n11, u, v)
        if below:
            return Fraction(above, below), False
        return self._convention(INDICES[index], n11, u, v, every), True

    def _mean(self, index: str, number: int | None, *, exact: bool) -> Fraction:
        key = (index, number, exact)
        if key not in self._means:
            first, last = (0, None) if number is None else self._bounds[number : number + 2]
            n, a, b = (each[first:last] for each in self._sizes)
            weight = self._weight[first:last]
            total = int(weight.sum()) if len(weight) else 1
            self._means[key] = sum_of_ratios(weight * n, POINTWISE[index](n, a, b), exact) / total
        return self._means[key]

    def _beyond_chance(
        self, index: str, n11: Fraction, u: Fraction, v: Fraction
    ) -> tuple[Fraction, Fraction]:
        """A pair of the reference is together in the candidate by chance as often as any pair is."""
        _, in_u, in_v, every = self.pairs(None)
        share_u, share_v = (each / every if every else Fraction(0) for each in (in_u, in_v))
        recall = n11 - u * share_v, u * (1 - share_v)
        precision = n11 - v * share_u, v * (1 - share_u)
        if index == "adjusted_wallace_recall":
            return recall
        if index == "adjusted_wallace_precision":
            return precision
        return recall[0] + precision[0], recall[1] + precision[1]

    def _convention(self, declared: Any, *pairs: Fraction) -> Fraction | float:
        n11, u, v, every = pairs
        counts = PartialCounts.of_pairs(_pair_counts(n11, u, v, every, size=1))
        if counts.identical:
            return float(declared.perfect)
        if self._undefined == "raise":
            raise UndefinedError(f"{declared.name} is 0/0 in a slice, which has no pair for it")
        if self._undefined == "nan" or declared.undefined is None:
            return math.nan
        return float(declared.undefined)


def _pair_counts(*pairs: Fraction, size: int) -> PairCounts:
    """The four counts, from pairs together on both sides, in the reference and in the candidate, and all."""
    n11, u, v, every = pairs
    return PairCounts(_whole(n11), _whole(u - n11), _whole(v - n11), _whole(every - u - v + n11), size)


SliceCorrection = Literal["holm", "benjamini_hochberg", "none"]
_CORRECTED: dict[str, str] = {"holm": "Holm", "benjamini_hochberg": "B-H", "none": "alone"}
_MOST = 1000  # slices without a limit
_LONGEST = 40  # cells of a label in a sentence
_NAMED = 3  # slices in a sentence

INDICES_OF_SLICES: tuple[str, ...] = (
    *("bcubed_precision", "bcubed_recall", "bcubed_f", "element_jaccard", "element_centric"),
    *(*PAIR_RATIOS, *ADJUSTED),
)


def slices_of(
    known: CountedSides,
    by: Any,
    *,
    records: Any,
    record: str | None,
    reading: Reading,
    index: str,
    confidence: float,
    correction: SliceCorrection,
    limit: int | None,
    undefined: Undefined,
    compared: Callable[[CountedSides], Any],
) -> Slices:
    """The slices of a comparison; ``compared`` compares counts."""
    check_choice("reading", reading, get_args(Reading))
    check_choice("correction", correction, get_args(SliceCorrection))
    check_confidence(confidence)
    index = _checked(index, TESTED)
    limit = None if limit is None else check_count("limit", limit)
    cells = slice_cells(known, by, records, record)
    if limit is None and len(cells.labels) > _MOST:
        raise TooLargeError(
            f"there are {len(cells.labels):,} slices, and without a limit no more than {_MOST:,} are listed",
            remedies=[Remedy("list the largest", limit=_MOST)],
        )
    values = SliceValues(cells, reading, undefined)
    how: dict[str, Any] = {
        "index": index,
        "confidence": confidence,
        "correction": correction,
        "limit": limit,
    }
    return Slices(known, values, compared=compared, **how)


class Slices(Report, Mapping[Any, Slice]):
    """The slices of a comparison, the largest first. `Comparison.slices` returns it.

    It is a mapping from value to `Slice`.
    """

    index: str
    confidence: float
    correction: SliceCorrection
    columns: tuple[str, ...]
    reading: Reading
    total: int  # the number of all slices

    def __init__(
        self,
        known: CountedSides,
        values: SliceValues,
        *,
        index: str,
        confidence: float,
        correction: SliceCorrection,
        limit: int | None,
        compared: Callable[[CountedSides], Any],
    ) -> None:
        self._known, self._values, self._compared = known, values, compared
        cells = values.cells
        vars(self).update(index=index, confidence=confidence, correction=correction)
        vars(self).update(columns=cells.columns, reading=values.reading)
        weights = cells.weights.tolist()
        order = sorted(range(len(weights)), key=lambda i: (-weights[i], _sort_key(cells.labels[i])))
        self._numbers = {self._key(cells.labels[i]): i for i in order[:limit]}
        vars(self).update(total=len(order))

    def _key(self, label: Label) -> Any:
        return label[0] if len(self.columns) == 1 else label

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._numbers)

    def __contains__(self, value: object) -> bool:
        return any(value is each or value == each for each in self._numbers)

    def __getitem__(self, value: Any) -> Slice:
        self._number(value)
        return self._slices[value]

    def _number(self, value: Any) -> int:
        if value in self:
            return self._numbers[value]
        near = did_you_mean(str(value), map(str, self._numbers))
        raise UnknownKeyError(f"there is no slice {value!r} by {', '.join(self.columns)}{near}")

    def exact(self, value: Any, index: str) -> Fraction:
        """Compute an index of a slice as a fraction, without rounding.

        Parameters
        ----------
        value : object
            The value of the slice.
        index : str
            Name of the index.

        Returns
        -------
        Fraction
            The exact value.

        Raises
        ------
        UndefinedError
            If the index is 0/0.

        Examples
        --------
        >>> import concordant as cc
        >>> c = cc.compare([0, 0, 1, 1, 1], [0, 0, 0, 1, 1])
        >>> c.slices(["x", "x", "x", "y", "y"]).exact("x", "bcubed_precision")
        Fraction(5, 9)
        """
        number = self._number(value)
        name = _checked(index, INDICES_OF_SLICES)
        found, is_convention = self._values.value(name, number, exact=True)
        if is_convention:
            raise UndefinedError(f"{name} is 0/0 in the slice {value!r}: it has no pair for it")
        return Fraction(found)

    def pairs(self, value: Any) -> Pairs:
        """Count the pairs of a slice, as `reading` assigns them.

        Parameters
        ----------
        value : object
            The value of the slice.

        Returns
        -------
        Pairs
            The four counts, which may be fractions.

        Examples
        --------
        >>> import concordant as cc
        >>> c = cc.compare([0, 0, 1, 1, 1], [0, 0, 0, 1, 1])
        >>> c.slices(["x", "x", "x", "y", "y"]).pairs("x")
        <Pairs of 3 records: n11=1, n10=1, n01=2, n00=2>
        """
        number = self._number(value)
        counts = _pair_counts(*self._values.pairs(number), size=int(self._values.cells.sizes[number]))
        return pairs_of(counts)

    def alone(self) -> Mapping[Any, Any]:
        """Compare the records of each slice alone. Errors between slices do not count.

        Returns
        -------
        mapping from value to Comparison
            The comparison of each slice.

        Examples
        --------
        >>> import concordant as cc
        >>> c = cc.compare([0, 0, 1, 1, 1], [0, 0, 0, 1, 1])
        >>> {value: each.adjusted_rand for value, each in c.slices(["x", "x", "x", "y", "y"]).alone().items()}
        {'x': 0.0, 'y': 1.0}
        """
        cells, numbers = self._values.cells, self._numbers.items()
        return ReadOnlyDict({value: self._compared(cells.cut(i, self._known)) for value, i in numbers})

    @property
    def size(self) -> int:
        """The number of records."""
        return self._known.counts.size

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the two sides."""
        return ("reference", "candidate")

    def _facts(self) -> Sequence[str]:
        return [f"slices={self.total} by {', '.join(self.columns)}", f"correction={self.correction}"]

    @property
    def _worst_first(self) -> Sequence[Slice]:
        """The slices, those worse than the rest first, and then by their difference from it."""
        worse = {id(each) for each in self.worse}
        last = float("inf")  # of a slice without a difference

        def order(each: Slice) -> tuple[bool, float]:
            return id(each) not in worse, last if each.difference is None else each.difference

        return sorted(self._slices.values(), key=order)

    @property
    def omitted(self) -> Mapping[str, int]:
        return omitted_of(self._known.audit)

    @property
    def worse(self) -> LazyList[Slice]:
        """The slices that are worse than the rest, by corrected p-values."""
        limit = round(1 - self.confidence, 12)
        rows = [each for each in self._slices.values() if each.p is not None and each.p < limit]
        return LazyList(rows, columns=field_names(Slice))

    @cached_property
    def _slices(self) -> dict[Any, Slice]:
        numbers = list(self._numbers.values())
        tests = slice_tests(self._values.cells, self.index, self.reading, self.confidence, numbers)
        found = {
            value: self._slice(value, number, test)
            for (value, number), test in zip(self._numbers.items(), tests, strict=True)
        }
        p = {value: each.p_uncorrected for value, each in found.items() if each.p_uncorrected is not None}
        correct = {"holm": holm, "benjamini_hochberg": benjamini_hochberg}.get(self.correction, list)
        for value, corrected in zip(p, correct(list(p.values())), strict=True):
            found[value] = replace(found[value], p=corrected)
        return found

    def _slice(self, value: Any, number: int, known: dict[str, Any]) -> Slice:
        cells = self._values.cells
        undefined = []
        for index in INDICES_OF_SLICES:
            found, is_convention = self._values.value(index, number, exact=False)
            known[index] = float(found)
            if is_convention:
                undefined.append(index)
        return Slice(
            slice=value,
            size=int(cells.sizes[number]),
            weight=plain_weight(Fraction(int(cells.weights[number])) / cells.parts)
            if self._has_weights
            else int(cells.sizes[number]),
            **known,
            p=None,
            undefined=tuple(undefined),
        )

    @property
    def _has_weights(self) -> bool:
        return isinstance(self._known.counts, WeightedCounts)

    def to_dict(self) -> dict[str, Any]:
        """Return the slices, and how they were measured and tested.

        Returns
        -------
        dict
            The content by name.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare([0, 0, 1, 1, 1], [0, 0, 0, 1, 1]).slices(list("xxxyy")).to_dict()["index"]
        'bcubed_f'
        """
        about = {
            name: getattr(self, name) for name in ("columns", "reading", "index", "confidence", "correction")
        }
        return about | {"total": self.total, "slices": self._rows()}

    def _metrics(self) -> dict[str, Any]:
        return {", ".join(str(row.pop(title)) for title in self._titles): row for row in self._rows()}

    def to_frame(self, backend: Any = None, *, wide: bool = False) -> Any:
        """Return a dataframe with one row for each slice and index.

        Parameters
        ----------
        backend : str or module, optional
            The dataframe library: "pandas", "polars" or "pyarrow". By default, a library that you have
            imported.
        wide : bool, default=False
            Whether to return one row for each slice, with a column for each index.

        Returns
        -------
        dataframe
            The values. The interval and the test are those of one index.

        Examples
        --------
        >>> import concordant as cc
        >>> slices = cc.compare([0, 0, 1, 1, 1], [0, 0, 0, 1, 1]).slices(list("xxxyy"))
        >>> slices.to_frame("polars").select("slice", "index", "value").row(0)
        ('x', 'bcubed_precision', 0.5555555555555556)
        >>> slices.to_frame("polars", wide=True).height
        2
        """
        return as_frame(super()._frame_columns() if wide else self._frame_columns(), backend)

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        return [self._row(each) for each in islice(self._slices.values(), limit)]

    def _row(self, each: Slice) -> dict[str, Any]:
        label = each.slice if len(self.columns) > 1 else (each.slice,)
        measured = {name: getattr(each, name) for name in field_names(Slice)[1:]}
        return (
            dict(zip(self._titles, label, strict=True)) | measured | {"undefined": ", ".join(each.undefined)}
        )

    @property
    def _titles(self) -> list[str]:
        """The columns of the slices; one that has the name of another column would hide it."""
        others = {*field_names(Slice)[1:], "index", "value"}
        return [f"by_{name}" if name in others else name for name in self.columns]

    def _names(self) -> Sequence[str]:
        return [*self._titles, *field_names(Slice)[1:]]

    def _frame_columns(self) -> dict[str, list[Any]]:
        of_test = ("low", "high", "difference", "p", "p_uncorrected", "note")
        columns = melted(super()._frame_columns(), INDICES_OF_SLICES, self.index, of_test)
        pairs = zip(columns["index"], columns["undefined"], strict=True)
        return columns | {"undefined": [index in names.split(", ") for index, names in pairs]}

    @property
    def headline(self) -> str:
        """One sentence: which slices are worse than the rest, and the number of slices.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare([0, 0, 1, 1, 1], [0, 0, 0, 1, 1]).slices(list("xxxyy")).headline
        'Of 2 slices, none is worse than the rest'
        """
        number = counted(len(self), "slice")
        if self.total > len(self):
            number = f"the {len(self):,} largest of {self.total:,} slices"
        if self.columns != (UNNAMED,):
            number += f" by {shortened(printable(' and '.join(self.columns)), _LONGEST)}"
        if not any(each.p is not None for each in self._slices.values()):
            return number
        worse = [shortened(self.label(each.slice), _LONGEST) for each in self._worst_first[: len(self.worse)]]
        names = [*worse[:_NAMED], *([f"{len(worse) - _NAMED:,} more"] if len(worse) > _NAMED else [])]
        listed = " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]])) or "none"
        return f"Of {number}, {listed} {'is' if len(worse) < 2 else 'are'} worse than the rest"

    def _listings(self, limit: int | None = None) -> Sequence[Listing]:
        """The slices, the worst first, and all records."""
        family = [name for name in PAIR_RATIOS if name != "jaccard"]
        if self.index not in PAIR_RATIOS:
            family = ["bcubed_precision", "bcubed_recall", "bcubed_f"]
        shown = family if self.index in family else [*family[:2], self.index]
        titles = ["P", "R", "F" if shown[2] == family[2] else self.index]
        rows = [
            (
                self.label(each.slice),
                each.weight,
                *(getattr(each, name) for name in shown),
                each.low,
                each.high,
                each.difference,
                shown_slice_p(each),
            )
            for each in islice(self._worst_first, limit)
        ]
        if self.total:
            whole = self._known.counts
            size = whole.total if isinstance(whole, WeightedCounts) else whole.size
            rows.append(("all", size, *map(self.whole, shown), None, None, None, ""))
        three = partial(rounded, decimals=3)
        weight = (
            Field("weight", text=lambda each: weight_text(Fraction(each))) if self._has_weights else "records"
        )
        columns = [
            "slice",
            weight,
            *(Field(title, title, three) for title in titles),
            *interval_fields(self.confidence, "{:.3f}".format),
            Field("vs rest", text=_signed),
            f"p ({_CORRECTED[self.correction]})",
        ]
        interval = f"{self.confidence * 100:g}% interval"
        dots = DotPlot(
            "slices",
            f"{INDICES[self.index].title} by {' and '.join(self.columns)}",
            titles[2],
            interval,
            "The worst slices are first. The units are components: clusters linked through shared records.",
        )
        return [Listing(rows, columns, total=self.total + bool(self.total), dots=dots)]

    def whole(self, index: str) -> float:
        """Compute an index of all records.

        Parameters
        ----------
        index : str
            Name of the index.

        Returns
        -------
        float
            The value.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare([0, 0, 1, 1, 1], [0, 0, 0, 1, 1]).slices(["x", "x", "x", "y", "y"]).whole("recall")
        0.5
        """
        return float(self._values.value(_checked(index, INDICES_OF_SLICES), None, exact=False)[0])

    def label(self, value: Any) -> str:
        """Return the value of a slice as one line of text.

        Parameters
        ----------
        value : object
            The value of the slice.

        Returns
        -------
        str
            The text.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare([0, 0, 1], [0, 0, 0]).slices(["x", "y", None]).label(None)
        '(none)'
        """
        return slice_text(value if len(self.columns) > 1 else (value,))

    def _footnotes(self) -> Sequence[str]:
        kind = f"pair-counting ({self.reading})" if self.index in PAIR_RATIOS else "B-cubed"
        about, *others = self.notes
        return [f"P and R are {kind} precision and recall. {about}", *others]

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for a table of slices: its columns, and why p-values are missing."""
        about = f"The interval, the difference from the rest and p are for {self.index}; units: components."
        meaning = (
            "p is the probability that a slice would be this much worse if slices were assigned to components"
        )
        notes = [f"{about} {meaning} at random."]
        for note in sorted({each.note for each in self._slices.values()} - {""}):
            own = [each for each in self._slices.values() if each.note == note]
            reason = note if own[0].p is not None else f"no p-value: {note}"
            names = ", ".join(shortened(self.label(each.slice), _LONGEST) for each in own[:_NAMED])
            notes.append(f"{names}{', ...' if len(own) > _NAMED else ''}: {reason}.")
        return tuple(notes)

    def __repr__(self) -> str:
        return f"<Slices: {counted(len(self), 'slice')} by {', '.join(self.columns)}>"


def _checked(index: str, known: Sequence[str]) -> str:
    """The name of an index, which may be given by any of its names."""
    name = INDICES[index].name
    if name not in known:
        raise ParameterError(f"use one of {', '.join(known)}", given={"index": index})
    return name


def _signed(difference: float) -> str:
    text = f"{difference:+.3f}"
    return text if text.strip("+-0.") else "0.000"


def shown_slice_p(each: Slice) -> str:
    """The corrected p-value as text, or why there is none."""
    if each.p is None:
        return "none"
    return f"<{LEAST_APPROXIMATE_P:g}" if each.p < LEAST_APPROXIMATE_P else f"{each.p:.3g}"


def _sort_key(label: Label) -> tuple[tuple[bool, str], ...]:
    """An order in which missing values are last."""
    return tuple((each is None, str(each)) for each in label)
