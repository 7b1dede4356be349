"""Contrast: two candidates compared with one reference."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from functools import cached_property
from math import isfinite, isnan, nan
from pathlib import Path
from typing import Any, Unpack

from concordant import report
from concordant.comparisons import Comparison
from concordant.comparisons.partitions import with_named_weights
from concordant.counts.arithmetic import plain_weight
from concordant.counts.conventions import (
    Conventions,
)
from concordant.counts.input_options import InputOptions, input_options
from concordant.counts.spelling import counted, number_text, printable
from concordant.differences.lazy_list import LazyList, _RecordsOfCells, field_names
from concordant.differences.outcomes import (
    OUTCOMES,
    ClusterOutcome,
    ContrastSummary,
    IndexContrast,
    Outcome,
    Outcomes,
    RecordOutcome,
    check_outcome,
    cluster_outcomes,
    outcome_words,
    record_outcomes,
)
from concordant.differences.verdicts import Thresholds, amount, thresholds_of
from concordant.errors import ParameterError, UndefinedError, UnknownKeyError, WeightsError
from concordant.indices.index import INDICES, Index
from concordant.indices.values import named_indices
from concordant.many.columns import opened_roles
from concordant.many.three_sides import ThreeSides, count_three_sides, omission_words
from concordant.report import format_value
from concordant.results import ReadOnlyDict, Report, TextRows
from concordant.text_layout import shortened
from concordant.trust.difference import Difference, outcome_of, signed
from concordant.trust.options import SampleOptions, check_confidence
from concordant.trust.paired import PairedCounts
from concordant.trust.versus import versus

ThreeTitles = tuple[str, str, str]  # of the reference and the two candidates
ROLES: ThreeTitles = ("reference", "before", "after")
_LISTED = 300  # clusters of each outcome on a page
_FETCHED = 100  # records of each outcome on a page, if a query fetches them
_LONGEST_NAME = 40  # cells, in a sentence


class Contrast(Report, Mapping[str, IndexContrast]):
    """Two candidates compared with one reference. `contrast` returns it.

    It is a mapping from the most common indices to their values before and after.

    Attributes
    ----------
    before, after : Comparison
        The two comparisons, on the elements that all three have.
    """

    before: Comparison
    after: Comparison
    omitted: Mapping[str, int]  # elements of each of the three that not all three put in a cluster
    names: ThreeTitles
    thresholds: Thresholds
    conventions: str

    def __init__(
        self,
        sides: ThreeSides,
        thresholds: Thresholds,
        *,
        sample: SampleOptions | None = None,
        titles: ThreeTitles = ROLES,
    ) -> None:
        before, after = sides.to_reference
        weights = before._counted.conventions.get("weights")
        words = "" if weights is None else f"weights={weights}"
        conventions = " | ".join(filter(None, [sides.conventions, words]))
        vars(self).update(names=titles, before=before, after=after)
        vars(self).update(thresholds=thresholds, conventions=conventions, omitted=ReadOnlyDict(sides.omitted))
        self._cells = sides.cells
        self._sample, self._pieces, self._in_memory = sample, sides.pieces, sides.in_memory
        self._named = sides.names
        self._judged = Outcomes(sides.cells, (before._counts, after._counts), thresholds, sides.names)
        self._differences: dict[Index, Difference] = {}

    def summary(self) -> ContrastSummary:
        """Count the clusters, records and pairs that were fixed, broken, still wrong and still right.

        Returns
        -------
        ContrastSummary
            The numbers; with weights, those of records and pairs are weights.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.contrast(list("aabb"), [0, 0, 1, 2], [0, 0, 1, 1]).summary().clusters["fixed"]
        1
        """
        return self._judged.summary

    def clusters(self, limit: int | None = 20, *, outcome: Outcome | None = None) -> LazyList[ClusterOutcome]:
        """List the reference clusters with their verdicts before and after.

        Parameters
        ----------
        limit : int or None, default=20
            Number of clusters to list, those with the most changed pairs first. None lists all.
        outcome : {"fixed", "broken", "still_wrong", "still_right"}, optional
            List only clusters with this outcome.

        Returns
        -------
        LazyList of ClusterOutcome
            One row for each cluster.

        Examples
        --------
        >>> import concordant as cc
        >>> c = cc.contrast(list("aabb"), [0, 0, 1, 2], [0, 0, 1, 1])
        >>> [(each.cluster, each.outcome) for each in c.clusters(outcome="fixed")]
        [('b', 'fixed')]
        """
        return cluster_outcomes(self._judged, self._named, check_outcome(outcome), limit)

    def records(
        self, limit: int | None = 20, *, outcome: Outcome | None = None
    ) -> _RecordsOfCells[RecordOutcome]:
        """List the records by whether they are in the core of their cluster before and after.

        Parameters
        ----------
        limit : int or None, default=20
            Number of records to list. None lists all.
        outcome : {"fixed", "broken", "still_wrong", "still_right"}, optional
            List only records with this outcome.

        Returns
        -------
        list of RecordOutcome
            One row for each record.

        Examples
        --------
        >>> import concordant as cc
        >>> c = cc.contrast({"x": 0, "y": 0, "z": 1}, {"x": 5, "y": 6, "z": 6}, {"x": 5, "y": 5, "z": 6})
        >>> [(each.record, each.outcome) for each in c.records(outcome="fixed")]
        [('y', 'fixed')]
        """
        return record_outcomes(self._judged, self._named, check_outcome(outcome), limit)

    def indices(self, indices: str | Sequence[str] | None = None) -> LazyList[IndexContrast]:
        """Compute indices before and after.

        The outcome describes these records. With `interval` or `unit`, it describes the population:
        "unclear" if the interval of the difference contains 0.

        Parameters
        ----------
        indices : str or sequence of str, optional
            Names of the indices. By default, the most common; those without a valid interval have the
            outcome "".

        Returns
        -------
        LazyList of IndexContrast
            One row for each index.

        Examples
        --------
        >>> import concordant as cc
        >>> line = cc.contrast(list("aabb"), [0, 1, 2, 2], [0, 0, 2, 2]).indices("recall")[0]
        >>> line.before, line.after, line.outcome
        (0.5, 1.0, 'better')
        >>> cc.contrast(list("aabb"), [0, 1, 2, 2], [0, 0, 2, 2], interval=True).indices("recall")[0].outcome
        'unclear'
        """
        chosen = self._usual if indices is None else [INDICES[name] for name in named_indices(indices)]
        lines = [self._line(index.name, index, asked=indices is not None) for index in chosen]
        return LazyList(lines, columns=field_names(IndexContrast))

    def _line(self, name: str, index: Index, *, asked: bool) -> IndexContrast:
        before, after = self.before._value(index), self.after._value(index)
        difference = after - before if isfinite(before) and isfinite(after) else nan
        if self._sample is None:
            outcome = outcome_of(index, difference, is_clear=True)
            return IndexContrast(name, before, after, difference, nan, nan, outcome)
        found = self._difference(index, asked=asked)
        if found is None:
            return IndexContrast(name, before, after, difference, nan, nan, "", "no valid interval")
        ends = (found.low, found.high) if found.has_interval else (nan, nan)
        return IndexContrast(name, before, after, difference, *ends, found.outcome, found.note)

    def difference(self, index: str, **options: Any) -> Difference:
        """Test the difference of the two candidates in one index.

        Parameters
        ----------
        index : str
            Name of the index.
        **options : object
            Options of `Comparison.versus`.

        Returns
        -------
        Difference
            The difference after − before, its interval and p-value.

        Examples
        --------
        >>> import concordant as cc
        >>> c = cc.contrast(list("aabb"), [0, 0, 1, 2], [0, 0, 1, 1])
        >>> c.difference("rand").difference > 0
        True
        """
        if self._sample is not None:
            options = {"unit": self._sample.unit, "confidence": self._sample.confidence, **options}
        if self._in_memory:
            return self.after.versus(self.before, index, **options)
        return versus(self._paired, INDICES[index], SampleOptions(**options))

    @cached_property
    def _paired(self) -> PairedCounts:
        """The second candidate and the first, and the units that were drawn."""
        if not self._in_memory:
            order = self._cells.swap_order
            pieces = None if self._pieces is None else self._pieces.in_table(order)
            return PairedCounts(self._cells.swapped(), pieces=pieces)
        unit = "record" if self._sample is None else self._sample.unit
        paired = PairedCounts.of(self.after._counted, self.before._counted, unit)
        by_record = isinstance(unit, str) and unit == "record"
        return paired if by_record else PairedCounts(paired.cells, pieces=paired.pieces(unit))

    def _difference(self, index: Index, *, asked: bool) -> Difference | None:
        """The difference with its interval; None if undefined, or if it has none and is not ``asked`` for."""
        if self._sample is None or self._cells.size < 2:
            return None
        if index not in self._differences:
            paired, how = self._paired, self.after._when_undefined
            with suppress(UndefinedError, *(() if asked else (ParameterError,))):
                self._differences[index] = versus(paired, index, self._sample, how)
        return self._differences.get(index)

    @property
    def size(self) -> int:
        """The number of records that all three have."""
        return int(self._cells.size)

    @property
    def signature(self) -> str:
        """One line to publish with the values: version, sizes and conventions."""
        known = " | ".join(filter(None, [self.after.signature, self.conventions]))
        return " | ".join(dict.fromkeys(known.split(" | ")))  # both name the weights

    def __getitem__(self, index: str) -> IndexContrast:
        if not isinstance(index, str):
            raise UnknownKeyError(f"look up an index by its name, not by {index!r}")
        return self._line(index, INDICES[index], asked=True)

    def __iter__(self) -> Iterator[str]:
        return (index.name for index in self._usual)

    def __len__(self) -> int:
        return len(self._usual)

    def __contains__(self, index: object) -> bool:
        return isinstance(index, str) and index in INDICES and INDICES[index] in self._usual

    @cached_property
    def _usual(self) -> list[Index]:
        """The most common indices that both comparisons have."""
        shown = [index for index in INDICES.headline if index.is_shown_for(self.before._counts)]
        return self.before._available_of(shown)

    def to_dict(self) -> dict[str, Any]:
        """Return the counts and the most common indices.

        Returns
        -------
        dict
            The content by name.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.contrast(list("aabb"), [0, 0, 1, 2], [0, 0, 1, 1]).to_dict()["clusters"]["fixed"]
        1
        """
        weights = self._judged.weights
        known = {} if weights is None else {"weight": plain_weight(weights.total)}
        return {
            "size": self._cells.size,
            **known,
            "names": dict(zip(ROLES, self.names, strict=True)),
            "omitted": self.omitted,
            "conventions": self.conventions,
            "confidence": None if self._sample is None else self._sample.confidence,
            "in_no_cluster": self._judged.in_no_cluster,
            **self.summary().to_dict(),
            "indices": {line.index: _as_data(line) for line in self.indices()},
        }

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        """The indices most used, before and after."""
        return [{"index": name, **values} for name, values in self.to_dict()["indices"].items()][:limit]

    def to_html(self, path: str | os.PathLike[str]) -> Path:
        """Write a page with the fixed, broken and remaining errors: one HTML file that needs no network.

        Parameters
        ----------
        path : str or path-like
            The file to write.

        Returns
        -------
        Path
            The path of the file.

        Examples
        --------
        >>> import concordant as cc
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     cc.contrast(list("aabb"), [0, 0, 1, 2], [0, 0, 1, 1]).to_html(folder + "/c.html").name
        'c.html'
        """
        titles = self.names
        pages, labels, indices = report.pages, report.pages.PageLabels(), self.indices()
        size, sample = self.size, self._sample
        clusters = {outcome: self.clusters(_LISTED, outcome=outcome) for outcome in OUTCOMES[:3]}
        omitted = ((titles[ROLES.index(role)], number) for role, number in self.omitted.items())
        omission = [omission_words(omitted)] if self.omitted else []
        omission += filter(None, [self._outside])
        head = [
            pages.paragraphs((f"{each}." for each in omission), "left-out"),
            pages.paragraphs([f"{self._sized}."]),
            pages.contrast.outcome_bars(self.summary(), self.thresholds),
        ]
        intervals = [interval_words(line) for line in indices]
        of_indices = "" if sample is None else sample.title
        reference, before, after = (shortened(printable(name), _LONGEST_NAME) for name in titles)
        page = pages.Page(
            title=f"{after} against {before}, judged by {reference}",
            headline=self.headline,
            head="".join(head),
            sections=[
                pages.contrast.indices_section(indices, titles, size, of_indices, intervals),
                *pages.contrast.outcome_sections(
                    clusters, self._listed_records(), titles, labels, self._judged.unit
                ),
                pages.signature_section(self.signature),
            ],
            labels=labels,
        )
        return page.write(path)

    def _listed_records(self) -> dict[Outcome, _RecordsOfCells[RecordOutcome]]:
        """Records for the page; from sources, one query fetches all of them."""
        most = _LISTED if self._in_memory else _FETCHED
        listed = {outcome: self.records(most, outcome=outcome) for outcome in OUTCOMES[:3]}
        if not self._in_memory:
            cells = [cell for records in listed.values() for cell in records._cells]
            found = dict(zip(cells, self._named.examples(self._cells.clusters_of(cells), most), strict=True))
            for records in listed.values():
                records._use(found)
        return listed

    @property
    def headline(self) -> str:
        """One sentence: how many clusters were fixed and broken.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.contrast(list("aabb"), [0, 0, 1, 2], [0, 0, 1, 1]).headline
        'The change fixes 1 cluster and breaks none'
        """
        name = self.names[2]
        after = "The change" if name == ROLES[2] else shortened(printable(name), _LONGEST_NAME)
        clusters = self.summary().clusters
        if not clusters["fixed"] and not clusters["broken"]:
            verb = "stays" if clusters["still_wrong"] == 1 else "stay"
            rest = (
                f"{clusters['still_wrong']:,} {verb} wrong" if clusters["still_wrong"] else "all stay right"
            )
            return f"{after} fixes and breaks no cluster; {rest}"
        fixed, broken = clusters["fixed"], clusters["broken"]
        return (
            f"{after} fixes {counted(fixed, 'cluster') if fixed else 'no cluster'} and breaks "
            f"{f'{broken:,}' if broken else 'none'}"
        )

    def __format__(self, spec: str) -> str:
        """As text; "terminal" is for the command line, so the advice names its options."""
        if spec not in ("", "terminal"):
            raise ParameterError(f"a contrast has no format {spec!r}; there is 'terminal'")
        return self._text(self._notes("--interval")) if spec else str(self)

    @property
    def _titles(self) -> list[str]:
        """The names as tables show them."""
        return [shortened(printable(name)) for name in self.names]

    def _notes(self, option: str = "interval=True") -> list[str]:
        """The scope of better and worse, and what can change the numbers; the option adds intervals."""
        titles = dict(zip(ROLES, self._titles, strict=True))
        omitted = ((titles[role], number) for role, number in self.omitted.items())
        scope = f"better and worse: on these records; {option} if they are a sample of others"
        if self._sample is not None:
            unit = self._sample.unit
            drawn = "records" if isinstance(unit, str) and unit == "record" else "units"
            scope = (
                f"better and worse: for other {drawn} of the same population; unclear: the interval contains "
                f"0, or p > {1 - self._sample.confidence:.3g}"
            )
        return [
            omission_words(omitted) if self.omitted else "",
            f"({self.thresholds})",
            scope,
            self._outside,
            self.conventions,
        ]

    @property
    def _outside(self) -> str:
        """How many records the reference puts in no cluster, or their weight, if there are any."""
        outside = self._judged.in_no_cluster
        return f"{amount(outside, self._judged.unit)} in no reference cluster" if outside else ""

    @property
    def _sized(self) -> str:
        """The number of records, and their weight if they have weights."""
        weights = self._judged.weights
        words = "" if weights is None else f" of {amount(plain_weight(weights.total), 'weight')}"
        return f"{counted(self.size, 'record')}{words}"

    def _title(self) -> str:
        return self.headline

    def _own_tables(self) -> Sequence[TextRows]:
        rows = [
            [what, *(number_text(counts[each]) for each in OUTCOMES)]
            for what, counts in self.summary()._counts()
        ]
        return [[["", *map(outcome_words, OUTCOMES)], *rows], self._index_rows()]

    def _footnotes(self) -> Sequence[str]:
        return self._notes()

    def _index_rows(self) -> list[list[str]]:
        """The indices most used, for the text and the notebook."""
        titles = [] if self._sample is None else [self._sample.title]
        rows = [["", *self._titles[1:], "difference", *titles, ""]]
        for line in self.indices():
            numbers = [format_value(line.before), format_value(line.after), _signed(line.difference)]
            interval = [] if self._sample is None else [interval_words(line)]
            rows.append([line.index, *numbers, *interval, line.outcome])
        return rows

    def __repr__(self) -> str:
        counts = ", ".join(
            f"{count:,} {outcome_words(outcome)}" for outcome, count in self.summary().clusters.items()
        )
        return f"<Contrast of {self._sized}: {counts}>"


def interval_words(line: IndexContrast) -> str:
    """The ends of an interval, or why there is none.

    An index that is adjusted for chance has another difference in the population. If its interval does not
    contain the difference of these records, the two would look like a contradiction.
    """
    if isnan(line.low):
        return line.note.partition(":")[0]
    if not line.low <= line.difference <= line.high:
        return ""
    return f"{signed(line.low)} to {signed(line.high)}"


def _as_data(line: IndexContrast) -> dict[str, Any]:
    known = asdict(line)
    del known["index"]
    return known | {number: None for number in ("low", "high") if isnan(known[number])}


def _signed(value: float) -> str:
    text = format_value(value)
    return f"+{text}" if value > 0 else text


@input_options(meanings={"names": "Display names of the three clusterings, for text and pages."})
def contrast(
    reference: Any,
    before: Any = None,
    after: Any = None,
    *,
    near: float = 0.8,
    majority: float = 0.5,
    interval: bool = False,
    unit: Any = "record",
    confidence: float = 0.95,
    **options: Unpack[InputOptions],
) -> Contrast:
    """Compare two candidates with one reference: which errors did the second fix, and which are new?

    Only elements that all three have are compared. "better" and "worse" describe these records; for the
    population they were drawn from, use `interval`.

    With weights, clusters and overlaps are compared by weight, and the numbers of records and pairs are
    weights: a pair weighs the product of its two weights.

    Parameters
    ----------
    reference : any input of compare
        The reference; or one table that has all three, with `columns` in this order.
    before, after : any input of compare, optional
        The first candidate and the second. Three dataframes or files are joined by their own engine.
    near : float, default=0.8
        Minimum F1 for a cluster to count as right, as in `Comparison.summary`. 1 requires exact clusters.
    majority : float, default=0.5
        Share above which a part counts as most of a cluster.
    interval : bool, default=False
        Whether the records are a random sample. If so, differences have intervals.
    unit : str, mapping or sequence, default="record"
        The sampling unit of each record, as in `Comparison.interval`. Another unit than records implies
        `interval`.
    confidence : float, default=0.95
        Confidence level.
    **options
        The input options.

    Returns
    -------
    Contrast
        The fixed and broken clusters, records, pairs and indices.

    Raises
    ------
    UnmatchedError
        If the three have different elements and `unmatched` is "error".

    Examples
    --------
    >>> c = contrast(list("aabbcc"), [0, 0, 1, 2, 3, 3], [0, 0, 1, 1, 3, 4])
    >>> c.summary().clusters
    {'fixed': 1, 'broken': 1, 'still_wrong': 0, 'still_right': 1}
    >>> [(each.cluster, each.outcome) for each in c.clusters()]
    [('b', 'fixed'), ('c', 'broken'), ('a', 'still_right')]
    """
    given = Conventions.of(options)
    thresholds = thresholds_of(near, majority)
    titles = given.checked_names(ROLES)
    check_confidence(confidence)
    is_sample = interval or not (unit is None or (isinstance(unit, str) and unit == "record"))
    if confidence != SampleOptions().confidence and not is_sample:
        raise ParameterError("this is for intervals; pass interval=True", given={"confidence": confidence})
    sample = SampleOptions("record" if unit is None else unit, confidence) if is_sample else None
    opened, conventions = opened_roles((reference, before, after), ROLES, replace(given, names=None))
    conventions = with_named_weights(conventions, opened)
    if conventions.weights is not None and sample is not None:
        raise WeightsError(
            "the difference of weighted records has no interval: it depends on how they were drawn, and no "
            "method is known to be valid; leave out the weights, or interval and unit"
        )
    drawn = None if sample is None else sample.unit
    sides = count_three_sides(opened, ROLES, "contrast", conventions, drawn)
    if conventions.progress is not None:
        conventions.progress(1, 1)
    return Contrast(sides, thresholds, sample=sample, titles=(titles[0], titles[1], titles[2]))
