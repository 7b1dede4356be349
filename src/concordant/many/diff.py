"""The slices of a diff: how much changed in each part of the records, such as a country."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from concordant import engines, report
from concordant.clusterings.clustering import clustering_kind
from concordant.clusterings.inputs import partition_of
from concordant.clusterings.partition_data import LabelPartition
from concordant.comparisons import Comparison
from concordant.comparisons.decisions import Decisions, with_decisions
from concordant.comparisons.partitions import compare_partitions, with_named_weights
from concordant.counts.arithmetic import Integers, plain_weight, sums_by
from concordant.counts.base import Need
from concordant.counts.conventions import (
    SIDES,
    Conventions,
    NoiseOfAll,
    check_type,
)
from concordant.counts.counted import Counted, Names
from concordant.counts.input_options import InputOptions, input_options
from concordant.counts.profile import Profile
from concordant.counts.remedies import FOR_UNMATCHED
from concordant.counts.spelling import counted, printable
from concordant.counts.three_way import DiffSizes, ThreeWay
from concordant.counts.weighted_counts import WeightedCounts
from concordant.differences.diff_lists import (
    ClusterChange,
    ComponentChange,
    DiffCells,
    DiffLists,
    RecordChange,
    RunName,
    SliceChange,
)
from concordant.differences.lazy_list import LazyList, _RecordsOfCells, check_limit
from concordant.differences.versions import ChangedIds, NewRecords, changed_ids_of, new_records_of
from concordant.errors import (
    CoverError,
    ParameterError,
    UndefinedError,
    UnmatchedError,
)
from concordant.indices.attributes import DiffIndices
from concordant.indices.diff import DIFF_INDICES
from concordant.indices.index import Index, index_for
from concordant.indices.values import IndexAttributes
from concordant.many.columns import opened_roles
from concordant.many.judgements import Judgements, QuestionNumber, question_numbers
from concordant.many.questions import Questions, ask, by_question, find_design, fingerprint, shown_to_judges
from concordant.many.three_sides import ThreeSides, count_three_sides, omission_words
from concordant.report import format_value
from concordant.results import ReadOnlyDict, Result, TextRows
from concordant.text_layout import shortened
from concordant.trust.options import check_confidence, check_share
from concordant.trust.pair_draws import precision_strata, run_cells
from concordant.trust.sample_size import HALF_WIDTH
from concordant.trust.slice_cells import SliceCells, slice_cells


def slice_changes(
    runs: Counted,
    names: Names,
    reference: tuple[ThreeWay, DiffCells] | None,
    by: Any,
    *,
    records: Any,
    record: str | None,
    order: str,
    limit: int | None,
) -> LazyList[SliceChange]:
    """The slices by columns or by given values; ``reference`` has the cells of all three."""
    if reference is not None and len(reference[0].cell) < runs.counts.size:
        raise ParameterError(
            "slices of a diff with a reference need labels in memory, and these are in dataframes or files; "
            "leave out the reference to measure the impact alone",
            given={"by": ...},
        )
    pieces = slice_cells(runs, by, records, record)
    labels = [label[0] if len(pieces.columns) == 1 else label for label in pieces.labels]
    if reference is None:
        n, a, b = pieces.overlaps()
        group, counted = pieces.slice, pieces.records
        sizes = DiffSizes.of_runs(pieces.weight, a, b, n, int(pieces.squares.sum()))
    else:
        group, counted, sizes = _pieces_of_three(runs, pieces, *reference)
    nowhere = np.zeros_like(group)
    cells = DiffCells(nowhere, nowhere, counted, sizes)
    lists = DiffLists(cells, names, None if reference is None else nowhere)
    return lists.slices(group, labels, limit, order)


def _pieces_of_three(
    runs: Counted, pieces: SliceCells, three: ThreeWay, cells: DiffCells
) -> tuple[Integers, Integers, DiffSizes]:
    """The slice, the records and the sizes of each piece into which slices cut the three-way cells."""
    assert pieces.of_record is not None  # in memory, each record has its slice
    keys = pieces.of_record * len(three) + three.cell
    found, which, number = np.unique(keys, return_inverse=True, return_counts=True)
    mass = number.astype(np.int64)
    if isinstance(runs.counts, WeightedCounts):
        mass = sums_by(which.reshape(-1), runs.counts.own, len(found))
    group, cell = np.divmod(found, len(three))
    own = {name: getattr(cells.sizes, name)[cell] for name in ("a", "b", "ab", "n", "at", "bt", "c")}
    return group, number.astype(np.int64), replace(cells.sizes, mass=mass, **own)


TwoTitles = tuple[str, str]
RUNS: TwoTitles = ("before", "after")


_LONGEST_NAME = 40  # cells, in a sentence
_LISTED = 20  # rows of each list on a page
_CLOSED = (
    "closed: only the part of an entity within the two clusters of a record; if entities extend beyond "
    "these clusters, iq_closed and iq can differ in sign"
)


class Diff(DiffIndices, IndexAttributes[float]):
    """The change from one clustering to the next. `diff` returns it.

    Every metric is an attribute and an item: `d.split_rate` and `d["split_rate"]`.

    Attributes
    ----------
    comparison : Comparison
        The comparison of both clusterings, with every index.
    """

    _called = "a diff"
    _example = 'd.jaccard_distance or d["split_rate"]'

    comparison: Comparison
    names: TwoTitles
    omitted: Mapping[str, int]
    conventions: str
    _by: Any = None  # the slices, if `diff` was given any
    _given: tuple[Any, Any, Conventions] | None = None  # both versions, to compare them in another way

    def __init__(
        self,
        comparison: Comparison,
        names: TwoTitles = RUNS,
        sides: ThreeSides | None = None,
        cells: DiffCells | None = None,
    ) -> None:
        """``sides`` and ``cells`` are those of both runs and the reference, if there is one."""
        conventions = comparison._unusual_conventions
        if sides is not None:
            total = comparison._counted.conventions.get("weights")
            weights = "" if total is None else f"weights={total}"
            conventions = " | ".join(filter(None, [sides.conventions, weights]))
        omitted = ReadOnlyDict({} if sides is None else sides.omitted)
        # Read-only from here on.
        vars(self).update(comparison=comparison, names=names, omitted=omitted, conventions=conventions)
        self._sides, self._cells = sides, cells
        self._values: dict[str, float] = {}

    @property
    def has_reference(self) -> bool:
        """Whether a reference was given."""
        return self._sides is not None

    def keys(self) -> tuple[str, ...]:
        """List the available metrics.

        Returns
        -------
        tuple of str
            The names of the metrics.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.diff([0, 0, 1], [0, 0, 0]).keys()[:2]
        ('affected', 'split_rate')
        """
        kind = self._sizes.kind
        return tuple(name for name, index in DIFF_INDICES.items() if kind in index.kinds)

    def _declared(self, spelling: str) -> Index:
        return index_for(self._sizes, spelling, *self._sections)

    def _value(self, declared: Index | str) -> float:
        """Compute a metric and cache its value."""
        index = self._declared(declared) if isinstance(declared, str) else declared
        if index.name not in self._values:
            self._values[index.name] = index.value(self._sizes)
        return self._values[index.name]

    def exact(self, index: str) -> Fraction:
        """Compute a metric as a fraction, without rounding.

        Parameters
        ----------
        index : str
            Name of the metric.

        Returns
        -------
        Fraction
            The exact value.

        Raises
        ------
        UndefinedError
            If the formula divides by zero.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.diff([0, 0, 1, 1, 2, 2, 2], [0, 0, 0, 1, 1, 2, 2]).exact("jaccard_distance")
        Fraction(1, 2)
        """
        declared = self._declared(index)
        try:
            return Fraction(declared.evaluate(self._sizes, exact=True))
        except (ZeroDivisionError, OverflowError) as error:  # OverflowError: an infinite ratio
            why = f"{declared.formula} {self._sizes.zero_by_zero}"
            raise UndefinedError(f"{declared.name} is undefined: {why}") from error

    @cached_property
    def _profile(self) -> Profile:
        """The profile of the weights, or else of the records."""
        counts = self.comparison._counts
        return counts.weights if isinstance(counts, WeightedCounts) else counts.partitions

    @property
    def _squares(self) -> int:
        counts = self.comparison._counts
        return counts.squares if isinstance(counts, WeightedCounts) else counts.size

    @cached_property
    def _sizes(self) -> DiffSizes:
        if self._cells is not None or isinstance(self.comparison._counts, WeightedCounts):
            return self._lists.cells.sizes
        kinds = self._profile
        return DiffSizes.of_runs(kinds.mass, kinds.a, kinds.b, kinds.n, self._squares)

    @cached_property
    def _lists(self) -> DiffLists:
        if self._cells is not None and self._sides is not None:
            return DiffLists(self._cells, self._sides.names, self._sides.cells.reference)
        counts, names = self.comparison._counts, self.comparison._counted.names
        cells = DiffCells.of_table(self._profile.narrow_table, counts.table.n, self._squares)
        return DiffLists(cells, names)

    @cached_property
    def _fingerprint(self) -> str:
        return fingerprint(self._runs)

    @cached_property
    def _runs(self) -> Counted:
        """Both versions with their records in memory, which questions are about."""
        known = self.comparison._counted
        if self._sides is not None and not self._sides.in_memory:
            words = "the records stay in their sources, and the reference has all answers"
            raise ParameterError(f"{words}; ask about a diff without reference=")
        return known if known.sources is None else self._compared_again(*self._in_memory("a question"))

    def _in_memory(self, user: str) -> list[LabelPartition]:
        assert self._given is not None
        return [
            partition_of(side, self._given[2], role).in_memory(role, user)
            for side, role in zip(self._given[:2], RUNS, strict=True)
        ]

    @property
    def _elements(self) -> Profile:
        """The profile of the records, whatever they weigh."""
        counts = self.comparison._counts
        return counts.elements if isinstance(counts, WeightedCounts) else counts.partitions

    @property
    def decisions(self) -> Decisions:
        """The decisions of `diff(same=, different=)` that the clustering after the change breaks.

        Examples
        --------
        >>> import concordant as cc
        >>> d = cc.diff([0, 0, 1], [0, 0, 0], different=[(1, 2)])
        >>> d.decisions.different_broken, d.decisions[0].cluster
        (1, 0)
        """
        return self.comparison.decisions

    @property
    def id_churn(self) -> float:
        """The share of records whose cluster is the same and whose id changed.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.diff(["a", "a", "b", "b"], ["a", "a", "c", "c"]).id_churn
        0.5
        """
        return self.changed_ids(limit=0).id_churn

    def changed_ids(self, limit: int | None = 20) -> ChangedIds:
        """List the clusters whose id changed although their records did not.

        `compare(before, after).relabelled()` gives ids that lower their number.

        Parameters
        ----------
        limit : int or None, default=20
            Number of clusters to list. None lists all.

        Returns
        -------
        ChangedIds
            One row for each cluster, the largest first, and `id_churn`.

        Examples
        --------
        >>> import concordant as cc
        >>> ids = cc.diff(["a", "a", "b", "b"], ["a", "a", "c", "c"]).changed_ids()
        >>> [(each.before, each.after, each.size) for each in ids]
        [('b', 'c', 2)]
        """
        known = self.comparison._counted
        if self._given is not None and known.sources is None and known.names.known_labels != "all":
            known = self._compared_again(*self._given[:2])  # three sides were counted, or labels on a device
        if known.sources is not None:
            return ChangedIds(*engines.renamed_clusters(known, check_limit(limit)))
        if self._given is not None and known.names.known_labels != "all":
            known = self._compared_again(*self._in_memory("id_churn"))
        return changed_ids_of(known, limit)

    def new_records(self, limit: int | None = 20) -> NewRecords:
        """List the clusters that new records joined, and count the records of only one version.

        Other results do not have these records with `unmatched="drop"`. With `unmatched="singletons"`, each
        is a singleton in the other version.

        Parameters
        ----------
        limit : int or None, default=20
            Number of clusters to list. None lists all.

        Returns
        -------
        NewRecords
            One row for each cluster, those with most new records first.

        Examples
        --------
        >>> import concordant as cc
        >>> before, after = {"p": 1, "q": 1, "r": 2}, {"p": 1, "q": 1, "s": 1, "t": 3, "u": 3}
        >>> new = cc.diff(before, after, unmatched="drop").new_records()
        >>> new.n_changed, new.n_new, new.n_joined, new.n_removed
        (0, 3, 1, 1)
        >>> [(each.cluster, each.n_new, each.n_common) for each in new]
        [(3, 2, 0), (1, 1, 2)]
        """
        known = self.comparison._counted
        if self._given is not None and self._given[2].unmatched == "drop":
            known = self._compared_again(*self._given[:2], unmatched="singletons")
        if isinstance(known.counts, WeightedCounts):
            known = replace(known, counts=known.counts.elements)
        return new_records_of(known, limit)

    def _compared_again(self, before: Any, after: Any, **changed: Any) -> Counted:
        """Both versions, compared in another way, without weights."""
        assert self._given is not None
        conventions = replace(self._given[2], weights=None, progress=None, **changed)
        kinds = clustering_kind(before), clustering_kind(after)
        return compare_partitions(kinds, before, after, conventions)._counted

    def records(
        self, limit: int | None = 20, *, order: str = "jaccard_distance"
    ) -> _RecordsOfCells[RecordChange]:
        """List the records whose cluster changed.

        Parameters
        ----------
        limit : int or None, default=20
            Number of records to list. None lists all.
        order : str, default="jaccard_distance"
            The metric to sort by, the largest change first. For the changes of precision, recall and
            improvement, the worst first.

        Returns
        -------
        list of RecordChange
            One row for each record.

        Examples
        --------
        >>> import concordant as cc
        >>> d = cc.diff({"x": 0, "y": 0, "z": 1}, {"x": 5, "y": 6, "z": 6})
        >>> [(each.record, each.split_rate) for each in d.records(limit=2)]
        [('y', 0.5), ('x', 0.5)]
        """
        return self._lists.records(limit, order)

    def clusters(
        self, limit: int | None = 20, *, side: RunName = "before", order: str = "share"
    ) -> LazyList[ClusterChange]:
        """List the clusters of one run that changed.

        Each metric is the mean over the records of the cluster.

        Parameters
        ----------
        limit : int or None, default=20
            Number of clusters to list. None lists all.
        side : {"before", "after"}, default="before"
            The side whose clusters are listed.
        order : str, default="share"
            The metric to sort by. "share" is the cluster's part of the total jaccard_distance.

        Returns
        -------
        LazyList of ClusterChange
            One row for each cluster.

        Examples
        --------
        >>> import concordant as cc
        >>> changed = cc.diff([0, 0, 1, 2], [0, 0, 1, 1]).clusters(side="after")
        >>> [(each.cluster, each.share) for each in changed]
        [(1, 1.0)]
        """
        return self._lists.clusters(side, limit, order)

    def components(self, limit: int | None = 20, *, order: str = "share") -> LazyList[ComponentChange]:
        """List the connected components that changed: clusters of both runs that share records.

        Parameters
        ----------
        limit : int or None, default=20
            Number of components to list. None lists all.
        order : str, default="share"
            The metric to sort by. "share" is the component's part of the total jaccard_distance.

        Returns
        -------
        LazyList of ComponentChange
            One row for each component.

        Examples
        --------
        >>> import concordant as cc
        >>> d = cc.diff(["a", "a", "b", "b", "c"], [1, 2, 3, 3, 3])
        >>> [(each.before, each.n_after, round(each.share, 3)) for each in d.components()]
        [('b', 1, 0.571), ('a', 2, 0.429)]
        """
        return self._lists.components(limit, order)

    def slices(
        self,
        by: Any = None,
        *,
        details: Any = None,
        record: str | None = None,
        order: str = "share",
        limit: int | None = 20,
    ) -> LazyList[SliceChange]:
        """Compute the metrics of each slice of the records, such as a country.

        Clusters are not cut. Weighted by their records, the slices add up to the whole.

        Parameters
        ----------
        by : str, list of str, mapping, sequence or dataframe, optional
            The slices, as in `Comparison.slices`. By default, those of `diff(by=)`.
        details : dataframe or path, optional
            A source with one row for each record.
        record : str, optional
            The column of `details` that has the record ids.
        order : str, default="share"
            The metric to sort by.
        limit : int or None, default=20
            Number of slices to list. None lists all.

        Returns
        -------
        LazyList of SliceChange
            One row for each slice.

        Examples
        --------
        >>> import concordant as cc
        >>> d = cc.diff([0, 0, 1, 1, 1], [0, 0, 1, 1, 2])
        >>> [(each.slice, each.size, round(each.share, 2)) for each in d.slices(list("xxxyy"))]
        [('y', 2, 0.75), ('x', 3, 0.25)]
        """
        by = self._by if by is None else by
        if by is None:
            raise ParameterError("name the slices, here or in diff(by=)", given={"by": None})
        reference = (self._sides.cells, self._cells) if self._sides and self._cells else None
        how: dict[str, Any] = {"records": details, "record": record, "order": order, "limit": limit}
        return slice_changes(self.comparison._counted, self._lists.names, reference, by, **how)

    @cached_property
    def _given_slices(self) -> LazyList[SliceChange]:
        return self.slices()

    def ask(
        self,
        *,
        n_questions: int = 200,
        seed: int = 0,
        gold: Any = None,
        known: Any = None,
        by: Any = None,
        details: Any = None,
        record: str | None = None,
        show: Sequence[str] | None = None,
    ) -> Questions:
        """Draw pairs of records for people to judge: the same entity or not?

        The answers estimate the good and bad rates and `delta_precision`. Pairs that affect these more are
        more likely to be drawn. Fix the number before you look at answers.

        Parameters
        ----------
        n_questions : int, default=200
            Number of questions.
        seed : int, default=0
            Seed of the draws.
        gold : path, dataframe or list, optional
            Pairs with known answers to mix in, which measure the errors of judges. The columns are record_a,
            record_b and same.
        known : path, dataframe or list, optional
            Answers to earlier questions, which are not asked again.
        by : str, list of str, mapping, sequence or dataframe, optional
            Slices, as in the method `slices`. All slices get the same number of questions, and each has its
            own intervals.
        details : dataframe or path, optional
            A source with one row for each record, to show to judges.
        record : str, optional
            The column of `details` that has the record ids.
        show : sequence of str, optional
            The columns of `details` to show.

        Returns
        -------
        Questions
            The questions.

        Examples
        --------
        >>> import concordant as cc
        >>> q = cc.diff({"x": 0, "y": 0, "z": 1}, {"x": 5, "y": 6, "z": 6}).ask(n_questions=10)
        >>> len(q), sorted(q.questions[0].question)
        (2, ['1', 'q'])
        """
        runs = self._runs
        shown = shown_to_judges(runs, details, record, show)
        slices = None
        if by is not None:  # columns are those of ``details``, if given
            of_details = (details, record) if isinstance(by, str | list | tuple) else ()
            slices = slice_cells(runs, by, *of_details)
        how: dict[str, Any] = {"seed": seed, "gold": gold, "known": known, "shown": shown, "slices": slices}
        return ask(runs, n_questions, goal="precision", **how)

    def judged(self, answers: Any, *, questions: Any = None, confidence: float = 0.95) -> Judgements:
        """Estimate metrics from the answers of judges.

        Parameters
        ----------
        answers : path, dataframe or list
            The file of `Questions.save` with the column same filled in; or a dataframe or list of mappings
            with question and same.
        questions : Questions or path, optional
            The questions, if their design file is not beside the answers.
        confidence : float, default=0.95
            Confidence level.

        Returns
        -------
        Judgements
            The metrics with their intervals.

        Raises
        ------
        InputError
            If the answers belong to another diff, or a question is unknown.

        Examples
        --------
        >>> import concordant as cc
        >>> d = cc.diff({"x": 0, "y": 0, "z": 1}, {"x": 5, "y": 6, "z": 6})
        >>> q = d.ask(n_questions=10)
        >>> j = d.judged([{"question": each.question, "same": "yes"} for each in q.questions], questions=q)
        >>> j.delta_precision.value == cc.diff([0, 0, 1], [5, 6, 6], reference=[0, 0, 0]).delta_precision
        True
        """
        check_confidence(confidence)
        design = find_design(answers, self._fingerprint, questions)
        return Judgements(design, by_question(answers, design.pairs), confidence)

    def sample_size(self, *, within: float = 0.05, confidence: float = 0.95) -> LazyList[QuestionNumber]:
        """Compute how many questions are enough for intervals of a given half-width.

        Parameters
        ----------
        within : float, default=0.05
            The half-width.
        confidence : float, default=0.95
            Confidence level.

        Returns
        -------
        LazyList of QuestionNumber
            The number of questions for each metric, whatever the answers are.

        Examples
        --------
        >>> import concordant as cc
        >>> d = cc.diff([0, 0, 1, 1, 2, 2, 2], [0, 0, 0, 1, 1, 2, 2])
        >>> [(each.index, each.n_questions) for each in d.sample_size(within=0.1)]
        [('bad_split_rate', 11), ('good_merge_rate', 11), ('delta_precision', 56)]
        """
        check_share("within", within, HALF_WIDTH)
        check_confidence(confidence)
        (cells,) = run_cells(self.comparison._counts)
        totals = {each.name: each.total for each in precision_strata(cells)}
        return question_numbers(lambda name: totals[name] / 2, within, confidence)

    def to_dict(self, *, indices: str | Sequence[str] | None = None) -> dict[str, Any]:
        """Return the metrics and the number and weight of the records.

        Parameters
        ----------
        indices : str or sequence of str, optional
            Names of the metrics. By default, all that are available.

        Returns
        -------
        dict
            The content by name.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.diff([0, 0, 1], [0, 0, 0]).to_dict()["size"]
        3
        """
        counts = self.comparison._counts
        known: dict[str, Any] = {"size": counts.size, "names": dict(zip(RUNS, self.names, strict=True))}
        known |= {"weight": plain_weight(counts.total)} if isinstance(counts, WeightedCounts) else {}
        values = {name: self[name] for name in self._names_of(indices)}
        sliced = {} if self._by is None else {"slices": self._given_slices.to_dict()["rows"]}
        return known | {"omitted": self.omitted, "conventions": self.conventions, "indices": values} | sliced

    def to_html(
        self,
        path: str | os.PathLike[str],
        *,
        indices: str | Sequence[str] | None = None,
        slices: LazyList[SliceChange] | None = None,
        judged: Judgements | None = None,
    ) -> Path:
        """Write a page with the metrics and changes: one HTML file that needs no network.

        Parameters
        ----------
        path : str or path-like
            The file to write.
        indices : str or sequence of str, optional
            Names of the metrics to show. By default, all.
        slices : LazyList of SliceChange, optional
            The result of the method, to show it. By default, the slices of `diff(by=)`.
        judged : Judgements, optional
            The result of `judged`, to show these metrics.

        Returns
        -------
        Path
            The path of the file.

        Examples
        --------
        >>> import concordant as cc
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     cc.diff([0, 0, 1], [0, 0, 0]).to_html(folder + "/diff.html").name
        'diff.html'
        """
        first = ("good_split_rate", "bad_split_rate", "good_merge_rate", "bad_merge_rate", "delta_precision")
        chosen = ("affected", *first) if self.has_reference else self.keys()[:4]
        asked: dict[str, Callable[..., LazyList[Any]]] = {}
        if self._lists_are_at_hand:
            asked = {"components": self.components, "clusters": self.clusters, "records": self.records}
        pages, labels = report.pages, report.pages.PageLabels()
        slices = self._given_slices if slices is None and self._by is not None else slices
        shown = self._names_of(indices)
        sections = []
        data = self.comparison._report_data()
        if self._lists_are_at_hand and data.draws_overlaps and not data.counts.identical:
            named = replace(data.differing, names=(self._titles[0], self._titles[1]))
            sections.append(pages.diff.flow_section(named))
        if judged is not None:
            check_type("judged", judged, Judgements, "the result of judged()")
            sections += pages.diff.judged_sections(judged)
        if slices is not None:
            check_type("slices", slices, LazyList, "the result of slices()")
            sections.append(pages.diff.changed_section("slices", "Slices", slices, labels))
        for name, listed in asked.items():
            if len(rows := listed(limit=_LISTED)):
                sections.append(pages.diff.changed_section(name, pages.diff.LISTS[name], rows, labels))
        sections.append(pages.diff.metrics_section((name, _meaning(name), self[name]) for name in shown))
        numbers = pages.key_numbers((self[name], DIFF_INDICES[name].title, _meaning(name)) for name in chosen)
        page = pages.Page(
            title=" against ".join(self._titles[::-1]),
            headline=self.headline,
            head=numbers + pages.paragraphs(f"{note[0].upper()}{note[1:]}." for note in self._footnotes()),
            sections=[*sections, pages.signature_section(self.signature)],
            labels=labels,
        )
        return page.write(path)

    @property
    def _titles(self) -> list[str]:
        return [shortened(printable(name), _LONGEST_NAME) for name in self.names]

    @property
    def _lists_are_at_hand(self) -> bool:
        return self._cells is not None or self.comparison._counts.availability.at_hand >= Need.TABLE

    @property
    def size(self) -> int:
        """The number of records that were compared."""
        return self.comparison._counts.size

    @property
    def signature(self) -> str:
        """One line to publish with the values: version, sizes and conventions."""
        return " | ".join(filter(None, [self.comparison.signature, self.conventions]))

    @property
    def headline(self) -> str:
        """One sentence: how many records are in a changed cluster.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.diff([0, 0, 1, 1], [0, 0, 1, 2]).headline
        'The clusters of 2 of 4 records changed'
        """
        before, after = self._titles
        profile, size = self._elements, self.comparison._counts.size
        is_unnamed = self.names == RUNS
        changed = int(profile.mass[(profile.n != profile.a) | (profile.n != profile.b)].sum())
        if not changed:
            return "No cluster changed" if is_unnamed else f"{after} has the clusters of {before}"
        number = f"{changed:,} of {counted(size, 'record')}"
        number = number if profile is self._profile else f"{self.affected:.1%} of the weight"
        gain = self.improvement if self.has_reference else 0.0
        change = (
            f"The clusters of {number} changed" if is_unnamed else f"{after} changes the clusters of {number}"
        )
        if gain:
            return f"{change}, on average {'towards' if gain > 0 else 'away from'} the reference"
        return change if is_unnamed else f"{change} against {before}"

    def _title(self) -> str:
        return self.headline

    def _parts(self) -> Sequence[Result]:
        return [] if self._by is None else [self._given_slices]

    def _own_tables(self) -> Sequence[TextRows]:
        rows = [[name, _meaning(name), format_value(self[name])] for name in self._names_of(None)]
        return [[["index", "meaning", "value"], *rows]]

    def _footnotes(self) -> list[str]:
        """The largest change, and limitations of the values."""
        omission = omission_words(self.omitted.items()) if self.omitted else ""
        closed = _CLOSED if self.has_reference else ""
        conventions = f"conventions: {self.conventions}" if self.conventions else ""
        where = self._lists.where() if self._lists_are_at_hand else ""
        decided = self.comparison._counted.decided
        broken = "" if decided is None else self.decisions.headline
        return list(filter(None, [where, self._new_in_words(), broken, closed, omission, conventions]))

    def _new_in_words(self) -> str:
        """The records of one version only; sources are not counted again for it."""
        known = self.comparison._counted
        if not known.audit.get("only_reference") and not known.audit.get("only_candidate"):
            return ""
        if known.sources is None:
            return self.new_records(limit=0).headline
        new, removed = (counted(known.audit.get(f"only_{side}", 0), "record") for side in SIDES[::-1])
        return f"only in {self._titles[1]}: {new}; only in {self._titles[0]}: {removed}"

    def __repr__(self) -> str:
        return f"<Diff of {counted(self.comparison._counts.size, 'record')}: {self.headline}>"


def _meaning(name: str) -> str:
    summary = DIFF_INDICES[name].summary
    return f"{summary[0].lower()}{summary[1:].rstrip('.')}"


@input_options(meanings={"names": "Display names of both clusterings, for text and pages."})
def diff(
    before: Any,
    after: Any = None,
    *,
    reference: Any = None,
    by: Any = None,
    same: Any = None,
    different: Any = None,
    **options: Unpack[InputOptions],
) -> Diff:
    """Measure the change from one clustering of the same records to the next.

    The result shows how much was split off each record's cluster and merged into it. With a reference it
    also shows which splits and merges were right.

    Parameters
    ----------
    before : any input of compare
        The clustering before the change. Or one table, with `columns` in this order; a third column is the
        reference.
    after : any input of compare, optional
        The clustering after the change.
    reference : any input of compare, optional
        The true clustering of the same records.
    by : str, list of str, mapping, sequence or dataframe, optional
        Slices of the records, as in `Diff.slices`, which then lists them without an argument.
    same, different : list of pairs, dataframe or path, optional
        Decisions about pairs of records, as in `compare`. `Diff.decisions` has those that `after` breaks.
    **options
        The input options.

    Returns
    -------
    Diff
        The metrics of the change, and where it happened.

    Raises
    ------
    UnmatchedError
        If the sides have different records and `unmatched` is "error".

    Examples
    --------
    >>> d = diff([0, 0, 1, 1, 2, 2, 2], [0, 0, 0, 1, 1, 2, 2])
    >>> round(d.split_rate, 4), round(d.merge_rate, 4), d.affected
    (0.3333, 0.3333, 1.0)
    >>> judged = diff([0, 0, 1, 1], [0, 0, 0, 1], reference=["a", "a", "a", "b"])
    >>> judged.good_split_rate, judged.bad_split_rate, judged.good_merge_rate
    (0.25, 0.0, 0.3333333333333333)
    """
    given = Conventions.of(options)
    names = given.checked_names(RUNS)
    titles, conventions = (names[0], names[1]), replace(given, names=None)
    columns = conventions.columns
    if after is None and reference is None and not isinstance(columns, str) and len(columns or ()) == 3:
        sides, conventions = opened_roles((before, None, None), (*RUNS, "reference"), conventions)
        before, after, reference = sides
    elif reference is None:
        (before, after), conventions = opened_roles((before, after), RUNS, conventions)
    else:
        if after is None:
            (before, after), conventions = opened_roles((before, None), RUNS, conventions)
        roles = (*RUNS, "reference")
        (before, after, reference), conventions = opened_roles((before, after, reference), roles, conventions)
    if reference is None:
        result = _of_two(before, after, conventions, titles)
    else:
        result = _of_three((reference, before, after), conventions, titles)
        if conventions.progress is not None:
            conventions.progress(1, 1)
    if same is not None or different is not None:
        known = with_decisions(result.comparison._counted, same, different)
        vars(result)["comparison"] = result.comparison._edited(known)
    result.comparison._counted.observed = conventions.observed
    vars(result).update(_by=by, _given=(before, after, conventions))
    if by is not None:
        _ = result._given_slices
    return result


def _of_two(before: Any, after: Any, conventions: Conventions, names: TwoTitles) -> Diff:
    if conventions.unmatched == "keep":
        words = "a diff compares the records that both runs have"
        raise ParameterError(words, given={"unmatched": "keep"}, remedies=FOR_UNMATCHED[:2])
    try:
        kinds = clustering_kind(before), clustering_kind(after)
        comparison = compare_partitions(kinds, before, after, conventions)
    except UnmatchedError as error:
        error.withdraw(unmatched="keep")
        raise
    if comparison._counts.kind == "covers":
        raise CoverError("a diff needs partitions, and a side is a cover; compare() has indices for covers")
    if comparison._counts.divisible:
        _ = comparison._counts.partitions  # which refuses segments of time
    return Diff(comparison, names)


def _of_three(given: Sequence[Any], conventions: Conventions, names: TwoTitles) -> Diff:
    reference, *runs = given
    weights = with_named_weights(conventions, [*runs, reference]).weights
    with NoiseOfAll():
        sides = count_three_sides(given, ("reference", *RUNS), "compare", replace(conventions, weights=None))
        if weights is None:
            return Diff(sides.between(), names, sides, DiffCells.of_three(sides.cells, None))
        comparison = sides.between(weights)
        weighted = comparison._counts
        assert isinstance(weighted, WeightedCounts)
        return Diff(comparison, names, sides, DiffCells.of_three(sides.cells, weighted))
