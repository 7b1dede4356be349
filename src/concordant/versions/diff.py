"""diff() and Diff: what one clustering changes in another, and what it fixes and breaks by a reference."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, Unpack

from concordant import engines, report, versions
from concordant.clusterings.clustering import clustering_kind
from concordant.clusterings.coerce import opened_sides, partition_of
from concordant.clusterings.labels import MemoryLabels
from concordant.comparisons import Comparison
from concordant.comparisons.decisions import Decisions, with_decisions
from concordant.comparisons.partitions import compare_partitions, with_named_weights
from concordant.counts.base import Detail
from concordant.counts.counted_sides import CountedSides, TableLabels
from concordant.counts.profile import Profile
from concordant.counts.three_way import DiffSizes
from concordant.counts.weighted_counts import WeightedCounts
from concordant.differences.fixed_and_broken import OUTCOMES, Outcome, OutcomeSummary
from concordant.differences.lazy_list import LazyList, _RecordsOfCells, check_limit
from concordant.differences.verdicts import USUAL_THRESHOLDS, Thresholds, thresholds_of
from concordant.errors import CoverError, ParameterError, Remedy, UndefinedError, UnmatchedError, WeightsError
from concordant.foundation.conventions import SIDES, Conventions, broken_decisions, check_choice, check_type
from concordant.foundation.input_options import InputOptions, input_options
from concordant.foundation.remedies import FOR_UNMATCHED
from concordant.foundation.results import Field, Listing, ReadOnlyDict, Result
from concordant.foundation.spelling import counted, percent, printable
from concordant.foundation.text_layout import shortened
from concordant.indices.index import Index, index_for
from concordant.indices.values import IndexAttributes
from concordant.inference.difference import Difference
from concordant.inference.options import SampleOptions, check_confidence, check_share
from concordant.inference.slice_cells import slice_cells
from concordant.labelling.sample_size import HALF_WIDTH
from concordant.many.aligned_runs import in_memory_by_name, omission_words
from concordant.maths.arithmetic import plain_weight
from concordant.report import format_value
from concordant.versions.attributes import DiffIndices
from concordant.versions.diff_lists import (
    ClusterChange,
    ComponentChange,
    DiffCells,
    DiffLists,
    DiffSide,
    RecordChange,
    SliceChange,
    slice_list,
)
from concordant.versions.id_changes import ChangedIds, NewRecords, changed_ids_of, new_records_of
from concordant.versions.index_changes import IndexChanges
from concordant.versions.indices import DIFF_INDICES
from concordant.versions.judgements import Judgements, QuestionNumber, question_numbers
from concordant.versions.pair_draws import precision_strata, run_cells
from concordant.versions.questions import (
    Questions,
    ask,
    by_question,
    find_design,
    fingerprint,
    shown_to_judges,
)
from concordant.versions.three_sides import ThreeSides, count_three_sides

RUNS = ("before", "after")
_SIDES = (*RUNS, "reference")

_LONGEST_NAME = 40  # cells, in a sentence
_LISTED = 20  # rows of each list on a page
_LISTED_OUTCOMES = 100  # clusters or records of each outcome on a page
_CLOSED = (
    "closed: only the part of an entity within the two clusters of a record; if entities extend beyond "
    "these clusters, iq_closed and iq can differ in sign"
)


class Diff(DiffIndices, IndexAttributes[float]):
    """The change from one clustering to the next. `diff` returns it.

    Every metric is an attribute and an item: `d.split_rate` and `d["split_rate"]`. With a reference, the
    result also shows what the change fixed and broke.

    Attributes
    ----------
    comparison : Comparison
        The comparison of both clusterings, with every index.
    """

    _called = "a diff"
    _example = 'd.jaccard_distance or d["split_rate"]'

    comparison: Comparison
    names: tuple[str, ...]
    omitted: Mapping[str, int]
    conventions: str
    _by: Any = None  # the slices, if `diff` was given any
    _given: tuple[Any, Any, Conventions] | None = None  # both versions, to compare them in another way

    def __init__(
        self, comparison: Comparison, names: tuple[str, ...] = RUNS, sides: ThreeSides | None = None
    ) -> None:
        conventions = comparison._unusual_conventions
        if sides is not None:
            total = comparison._counted.conventions.get("weights")
            weights = "" if total is None else f"weights={total}"
            conventions = " | ".join(filter(None, [sides.conventions, weights]))
        omitted = ReadOnlyDict({} if sides is None else sides.omitted)
        # Read-only from here on.
        vars(self).update(comparison=comparison, names=names, omitted=omitted, conventions=conventions)
        self._reference = sides
        self._values: dict[str, float] = {}

    @property
    def has_reference(self) -> bool:
        """Whether a reference was given."""
        return self._reference is not None

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
            self._values[index.name] = index.value(self._sizes, self.comparison._when_undefined)
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
        if self._reference is not None or isinstance(self.comparison._counts, WeightedCounts):
            return self._lists.cells.sizes
        kinds = self._profile
        return DiffSizes.of_runs(kinds.mass, kinds.a, kinds.b, kinds.n, self._squares)

    @cached_property
    def _lists(self) -> DiffLists:
        if self._reference is not None:
            return DiffLists(self._reference.cells, self._reference.names, self._reference.outcomes)
        counts, names = self.comparison._counts, self.comparison._counted.names
        cells = DiffCells.of_table(self._profile.narrow_table, counts.table.n, self._squares)
        return DiffLists(cells, names)

    @cached_property
    def _fingerprint(self) -> str:
        return fingerprint(self._runs)

    @cached_property
    def _runs(self) -> CountedSides:
        """Both versions with their records in memory, which questions are about."""
        known = self.comparison._counted
        if self._reference is not None and not self._reference.in_memory:
            words = "the records stay in their sources, and the reference has all answers"
            raise ParameterError(f"{words}; ask about a diff without reference=")
        return known if known.sources is None else self._compared_again(*self._in_memory("a question"))

    def _in_memory(self, user: str) -> list[MemoryLabels]:
        assert self._given is not None
        before, after, conventions = self._given
        sides = zip((before, after), RUNS, strict=True)
        read = {role: partition_of(side, conventions, role) for side, role in sides}
        return list(in_memory_by_name(read, user, conventions).values())

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

    def _compared_again(self, before: Any, after: Any, **changed: Any) -> CountedSides:
        """Both versions, compared in another way, without weights."""
        assert self._given is not None
        conventions = replace(self._given[2], weights=None, progress=None, **changed)
        kinds = clustering_kind(before), clustering_kind(after)
        return compare_partitions(kinds, before, after, conventions)._counted

    # -- with a reference -----------------------------------------------------------------------------

    @property
    def _judged(self) -> ThreeSides:
        """The counts and outcomes of the reference, or an error."""
        if self._reference is None:
            raise ParameterError(
                "only true clusters show what a change fixed and broke",
                remedies=[Remedy("name them", reference=...)],
            )
        return self._reference

    @property
    def before(self) -> Comparison:
        """The comparison of the reference with the clustering before, on the records that all three have.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.diff([0, 0, 1, 2], [0, 0, 1, 1], reference=list("aabb")).before.recall
        0.5
        """
        return self._judged.to_reference[0]

    @property
    def after(self) -> Comparison:
        """The comparison of the reference with the clustering after, on the records that all three have.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.diff([0, 0, 1, 2], [0, 0, 1, 1], reference=list("aabb")).after.recall
        1.0
        """
        return self._judged.to_reference[1]

    def summary(self) -> OutcomeSummary:
        """Count the clusters, records and pairs that were fixed, broken, still wrong and still right.

        Returns
        -------
        OutcomeSummary
            The numbers; with weights, those of records and pairs are weights.

        Raises
        ------
        ParameterError
            If the diff has no reference.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.diff([0, 0, 1, 2], [0, 0, 1, 1], reference=list("aabb")).summary().clusters["fixed"]
        1
        """
        return self._judged.outcomes.summary

    def indices(self, indices: str | Sequence[str] | None = None) -> IndexChanges:
        """Compute indices of both clusterings against the reference.

        The outcome describes these records. With `interval` or `unit`, it describes the population:
        "unclear" if the interval of the difference contains 0.

        Parameters
        ----------
        indices : str or sequence of str, optional
            Names of the indices. By default, the most common; those without a valid interval have the
            outcome "".

        Returns
        -------
        IndexChanges
            One row for each index.

        Raises
        ------
        ParameterError
            If the diff has no reference.

        Examples
        --------
        >>> import concordant as cc
        >>> truth, before, after = list("aabb"), [0, 1, 2, 2], [0, 0, 2, 2]
        >>> line = cc.diff(before, after, reference=truth).indices("recall")[0]
        >>> line.before, line.after, line.outcome
        (0.5, 1.0, 'better')
        >>> cc.diff(before, after, reference=truth, interval=True).indices("recall")[0].outcome
        'unclear'
        """
        return self._judged.changes(indices, self.names[:2])

    def difference(self, index: str, **options: Any) -> Difference:
        """Test the difference of both clusterings in one index against the reference.

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

        Raises
        ------
        ParameterError
            If the diff has no reference.

        Examples
        --------
        >>> import concordant as cc
        >>> d = cc.diff([0, 0, 1, 2], [0, 0, 1, 1], reference=list("aabb"))
        >>> d.difference("rand").difference > 0
        True
        """
        return self._judged.difference(index, **options)

    # -- lists ----------------------------------------------------------------------------------------

    def records(
        self, limit: int | None = 20, *, outcome: Outcome | None = None, order: str = "jaccard_distance"
    ) -> _RecordsOfCells[RecordChange]:
        """List the records whose cluster changed, or those that were fixed or broken.

        Parameters
        ----------
        limit : int or None, default=20
            Number of records to list. None lists all.
        outcome : {"fixed", "broken", "still_wrong", "still_right"}, optional
            List the records with this outcome, which needs a reference: whether a record is in the core of
            its true cluster before and after. Without it, the records whose cluster changed.
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
        >>> before, after = {"x": 0, "y": 0, "z": 1}, {"x": 5, "y": 6, "z": 6}
        >>> d = cc.diff(before, after, reference={"x": "a", "y": "b", "z": "b"})
        >>> [(each.record, each.split_rate) for each in d.records(limit=2)]
        [('y', 0.5), ('x', 0.5)]
        >>> [each.record for each in d.records(outcome="fixed")]
        ['y']
        """
        self._check_outcome(outcome)
        if not self._finds_records:
            _ = self.comparison._counted.names.records  # raises the reason
        return self._lists.records(limit, order, outcome)

    @property
    def _finds_records(self) -> bool:
        """Whether the records of an overlap are known, in memory or by a query."""
        names = self.comparison._counted.names
        return self._reference is not None or not isinstance(names, TableLabels) or names.find is not None

    def _check_outcome(self, outcome: Any) -> None:
        if outcome is not None:
            check_choice("outcome", outcome, OUTCOMES)
            _ = self._judged

    def clusters(
        self,
        limit: int | None = 20,
        *,
        outcome: Outcome | None = None,
        side: DiffSide | None = None,
        order: str = "share",
    ) -> LazyList[ClusterChange]:
        """List the clusters of one run that changed, or those of the reference.

        Each metric is the mean over the records of the cluster.

        Parameters
        ----------
        limit : int or None, default=20
            Number of clusters to list. None lists all.
        outcome : {"fixed", "broken", "still_wrong", "still_right"}, optional
            List the clusters of the reference with this outcome: whether they are right before and after.
        side : {"before", "after", "reference"}, optional
            The side whose clusters are listed: "reference" lists all, the others those that changed. By
            default "before", or "reference" with an outcome.
        order : str, default="share"
            The metric to sort by. "share" is the cluster's part of the total jaccard_distance.

        Returns
        -------
        LazyList of ClusterChange
            One row for each cluster.

        Examples
        --------
        >>> import concordant as cc
        >>> d = cc.diff([0, 0, 1, 2], [0, 0, 1, 1], reference=list("aabb"))
        >>> [(each.cluster, each.share) for each in d.clusters(side="after")]
        [(1, 1.0)]
        >>> [(each.cluster, each.verdict_before) for each in d.clusters(outcome="fixed")]
        [('b', 'split')]
        """
        self._check_outcome(outcome)
        if side is None:
            side = "before" if outcome is None else "reference"
        elif side == "reference":
            _ = self._judged
        elif outcome is not None:
            raise ParameterError("only clusters of the reference have an outcome", given={"side": side})
        return self._lists.clusters(side, limit, order, outcome)

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
        runs = self.comparison._counted
        if self._reference is not None and not self._reference.in_memory:
            raise ParameterError(
                "slices of a diff with a reference need labels in memory, and these are in dataframes or "
                "files; leave out the reference to measure the impact alone",
                given={"by": ...},
            )
        pieces = slice_cells(runs, by, details, record)
        labels = [label[0] if len(pieces.columns) == 1 else label for label in pieces.labels]
        if self._reference is None:
            n, a, b = pieces.overlaps()
            sizes = DiffSizes.of_runs(pieces.weight, a, b, n, int(pieces.squares.sum()))
            before, after = pieces.table.row[pieces.cell], pieces.table.column[pieces.cell]
            slices, cells = pieces.slice, DiffCells(before, after, pieces.records, sizes)
        else:
            assert pieces.of_record is not None  # in memory, each record has its slice
            own = runs.counts.own if isinstance(runs.counts, WeightedCounts) else None
            of_record = self._reference.three_way.cell
            slices, cells = self._reference.cells.cut(of_record, pieces.of_record, own)
        return slice_list(cells, slices, labels, limit, order)

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
        return ask(runs, self._fingerprint, n_questions, goal="precision", **how)

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
        return self._judgements(answers, questions, confidence)

    def _judgements(
        self, answers: Any, questions: Any, confidence: float, *, is_audit: bool = False
    ) -> Judgements:
        check_confidence(confidence)
        design = find_design(answers, self._fingerprint, questions, is_audit=is_audit)
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
        """Return the metrics, the number and weight of the records, and what was fixed and broken.

        Parameters
        ----------
        indices : str or sequence of str, optional
            Names of the metrics. By default, all that are available, and the indices of both clusterings
            against the reference.

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
        known: dict[str, Any] = {"size": counts.size, "names": dict(zip(_SIDES, self.names, strict=False))}
        known |= {"weight": plain_weight(counts.total)} if isinstance(counts, WeightedCounts) else {}
        values = {name: self[name] for name in self._names_of(indices)}
        sliced = {} if self._by is None else {"slices": self._given_slices.to_dict()["rows"]}
        known |= {"omitted": self.omitted, "conventions": self.conventions, "indices": values} | sliced
        if self._reference is not None and indices is None:
            sample, rows = self._reference.sample, self.indices()._rows()
            known["reference"] = self.summary().to_dict() | {
                "confidence": None if sample is None else sample.confidence,
                "indices": {row.pop("index"): row for row in rows},
            }
        return known

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
        pages, labels = report.pages, report.pages.PageLabels()
        slices = self._given_slices if slices is None and self._by is not None else slices
        sections = []
        data = self.comparison._report_data()
        if self._lists_are_at_hand and data.draws_overlaps and not data.counts.identical:
            named = replace(data.differing, names=(self._titles[0], self._titles[1]))
            sections.append(versions.page.flow_section(named))
        if judged is not None:
            check_type("judged", judged, Judgements, "the result of judged()")
            sections += versions.page.judged_sections(judged, labels)
        if slices is not None:
            check_type("slices", slices, LazyList, "the result of slices()")
            sections.append(versions.page.changed_section("slices", "Slices", slices, labels))
        sections += self._reference_sections(labels)
        lists: dict[str, Callable[..., LazyList[Any]]] = {}
        if self._lists_are_at_hand:
            lists = {"components": self.components, "clusters": self.clusters}
            lists |= {"records": self.records} if self._finds_records else {}
        for name, listed in lists.items():
            if len(rows := listed(limit=_LISTED)):
                sections.append(versions.page.changed_section(name, versions.page.LISTS[name], rows, labels))
        shown = ((name, _meaning(name), self[name]) for name in self._names_of(indices))
        sections.append(versions.page.metrics_section(shown))
        head = pages.key_numbers((self[name], DIFF_INDICES[name].title, _meaning(name)) for name in chosen)
        if self._reference is not None:
            head += versions.page.outcome_bars(self.summary())
        page = pages.Page(
            title=" against ".join(self._titles[1::-1])
            + "".join(f", judged by {x}" for x in self._titles[2:]),
            headline=self.headline,
            head=head + pages.paragraphs(f"{note[0].upper()}{note[1:]}." for note in self._footnotes()),
            sections=[*sections, pages.signature_section(self.signature)],
            labels=labels,
        )
        return page.write(path)

    def _reference_sections(self, labels: Any) -> Iterator[Any]:
        """The sections that only a reference adds to the page."""
        if self._reference is None:
            return
        pages = report.pages
        for listing in self.indices()._listings():
            yield pages.listing_section(listing, labels, key="indices")
        lists: dict[str, Callable[..., LazyList[Any]]] = {"clusters": self.clusters, "records": self.records}
        for kind, listed in lists.items():
            for outcome in ("broken", "still_wrong", "fixed"):  # fixed ones need no action and may be many
                if len(rows := listed(_LISTED_OUTCOMES, outcome=outcome)):
                    yield versions.page.outcome_section(kind, outcome, rows, labels)

    @property
    def _titles(self) -> list[str]:
        return [shortened(printable(name), _LONGEST_NAME) for name in self.names]

    @property
    def _lists_are_at_hand(self) -> bool:
        at_hand = self.comparison._counts.availability.at_hand
        return self._reference is not None or at_hand >= Detail.TABLE

    @property
    def size(self) -> int:
        """The number of records that were compared."""
        return self.comparison._counts.size

    @property
    def signature(self) -> str:
        """One line to publish with the values: version, sizes and conventions."""
        known = " | ".join(filter(None, [self.comparison.signature, self.conventions]))
        return " | ".join(dict.fromkeys(known.split(" | ")))  # both may name a convention

    @property
    def headline(self) -> str:
        """One sentence: how many records are in a changed cluster, or what the change fixed and broke.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.diff([0, 0, 1, 1], [0, 0, 1, 2]).headline
        'The clusters of 2 of 4 records changed'
        >>> cc.diff([0, 0, 1, 2], [0, 0, 1, 1], reference=list("aabb")).headline
        'The change fixes 1 cluster and breaks none'
        """
        sides = self._reference
        main = self._change if sides is None or not self._n_changed else self._outcome_sentence(sides)
        return "; ".join(filter(None, [main, broken_decisions(self.comparison._counted.conventions)]))

    def _outcome_sentence(self, sides: ThreeSides) -> str:
        """A sentence on fixed and broken clusters, with a remark if a sample shows no change of an index."""
        subject = "The change" if self._is_unnamed else self._titles[1]
        if sides.sample is None or any(each.outcome in ("better", "worse") for each in self.indices()):
            return self.summary()._sentence(subject)
        outcomes = self.summary()._sentence("the change" if self._is_unnamed else subject)
        return f"In this sample, {outcomes}, but no index is clearly better or worse"

    @property
    def _is_unnamed(self) -> bool:
        return self.names[:2] == RUNS

    @cached_property
    def _n_changed(self) -> int:
        """The number of records whose cluster changed."""
        profile = self._elements
        return int(profile.mass[(profile.n != profile.a) | (profile.n != profile.b)].sum())

    @property
    def _change(self) -> str:
        """One sentence: how many records are in a changed cluster, and whether for the better."""
        before, after = self._titles[:2]
        if not self._n_changed:
            return "No cluster changed" if self._is_unnamed else f"{after} has the clusters of {before}"
        number = f"{self._n_changed:,} of {counted(self.size, 'record')}"
        if self._elements is not self._profile:
            number = f"{percent(self.exact('affected'), 1, decimals=1)} of the weight"
        change = f"{after} changes the clusters of {number}"
        change = f"The clusters of {number} changed" if self._is_unnamed else change
        if gain := self.improvement if self.has_reference else 0.0:
            return f"{change}, on average {'towards' if gain > 0 else 'away from'} the reference"
        return change if self._is_unnamed else f"{change} against {before}"

    def _parts(self) -> Sequence[Result]:
        return [] if self._by is None else [self._given_slices]

    def _listings(self, limit: int | None = None) -> Sequence[Listing]:
        rows = [(name, _meaning(name), self[name]) for name in self._names_of(None)]
        metrics = Listing(rows[:limit], ["index", "meaning", Field("value", text=format_value)])
        if self._reference is None or self._chosen is not None:
            return [metrics]
        return [*self.summary()._listings(limit), *self.indices()._listings(limit), metrics]

    def _footnotes(self) -> list[str]:
        return [*self._reference_notes(), *self._change_notes()]

    def _reference_notes(self) -> Iterator[str]:
        """The meaning of right and wrong, and the scope of better and worse."""
        if self._reference is None or self._chosen is not None:
            return
        yield self.summary()._footnotes()[0]
        sample = self._reference.sample
        if sample is None:
            yield "better and worse: on these records, which may be a sample of others (interval)"
            return
        drawn = "records" if sample.is_by_record else "units"
        yield (
            f"better and worse: for other {drawn} of the same population; unclear: the interval contains "
            f"0, or p > {1 - sample.confidence:.3g}"
        )

    def _change_notes(self) -> list[str]:
        """The largest change, and limitations of the values."""
        change, closed, outside = "", "", ""
        if self._reference is not None:
            change, closed, outside = self._change, _CLOSED, self.summary()._footnotes()[1]
        titles = dict(zip(_SIDES, self._titles, strict=False))
        omission = ""
        if self.omitted and self._reference is not None:
            numbers = (self.omitted, self._reference.without_cluster)
            omitted, without = ([(titles[side], n) for side, n in each.items()] for each in numbers)
            omission = omission_words(omitted, without=without)
        conventions = f"conventions: {self.conventions}" if self.conventions else ""
        where = self._lists.where() if self._lists_are_at_hand else ""
        decided = self.comparison._counted.decided
        is_clean = decided is not None and not broken_decisions(self.comparison._counted.conventions)
        broken = self.decisions.headline if is_clean else ""  # others are in the headline
        notes = [change, where, self._new_in_words(), broken, closed, outside, omission, conventions]
        return list(filter(None, notes))

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


@input_options(
    meanings={
        "unmatched": "Records of only one side: raise an error, drop them, or make each a singleton on the "
        'other side. "keep" is refused.',
        "names": "Display names of the clusterings, for text and pages.",
    }
)
def diff(
    before: Any,
    after: Any = None,
    *,
    reference: Any = None,
    near: float = 0.8,
    majority: float = 0.5,
    interval: bool = False,
    unit: Any = "record",
    confidence: float = 0.95,
    by: Any = None,
    same: Any = None,
    different: Any = None,
    **options: Unpack[InputOptions],
) -> Diff:
    """Measure the change from one clustering of the same records to the next.

    The result shows how much was split off each record's cluster and merged into it. With a reference it
    also shows which splits and merges were right, which clusters and records were fixed and broken, and the
    indices of both clusterings. Then only the records that all three have are compared.

    Parameters
    ----------
    before : any input of compare
        The clustering before the change. Or one table, with `columns` in this order.
    after : any input of compare, optional
        The clustering after the change.
    reference : any input of compare, optional
        The true clustering of the same records; if `before` is a table with all three, its column.
    near : float, default=0.8
        Minimum F1 for a cluster to count as right, as in `Comparison.summary`. 1 requires exact clusters.
    majority : float, default=0.5
        Share above which a part counts as most of a cluster.
    interval : bool, default=False
        Whether the records are a random sample. If so, differences of indices have intervals.
    unit : str, mapping or sequence, default="record"
        The sampling unit of each record, as in `Comparison.interval`. Another unit than records implies
        `interval`.
    confidence : float, default=0.95
        Confidence level of the intervals.
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
    >>> judged = diff([0, 0, 1, 2, 3, 3], [0, 0, 1, 1, 3, 4], reference=list("aabbcc"))
    >>> judged.good_split_rate, judged.bad_split_rate, judged.good_merge_rate
    (0.0, 0.16666666666666666, 0.16666666666666666)
    >>> judged.summary().clusters
    {'fixed': 1, 'broken': 1, 'still_wrong': 0, 'still_right': 1}
    """
    given = Conventions.of(options)
    names = given.checked_names(RUNS if reference is None else _SIDES)
    conventions, thresholds = replace(given, names=None), thresholds_of(near, majority)
    sample = _sample_of(interval, unit, confidence)
    if reference is None:
        _refuse_without_reference(thresholds, sample)
        (before, after), conventions = opened_sides((before, after), RUNS, conventions)
        result = _of_two(before, after, conventions, names)
    else:
        (before, after, reference), conventions = _opened(before, after, reference, conventions)
        result = _of_three((reference, before, after), conventions, names, thresholds, sample)
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


def _sample_of(interval: bool, unit: Any, confidence: float) -> SampleOptions | None:
    """How the records were drawn; None if they are not a sample."""
    sample = SampleOptions(unit, confidence)
    if interval or not sample.is_by_record:
        return sample
    if confidence != SampleOptions().confidence:
        raise ParameterError("this is for intervals; pass interval=True", given={"confidence": confidence})
    return None


def _refuse_without_reference(thresholds: Thresholds, sample: SampleOptions | None) -> None:
    """Refuse options that have a meaning only with a reference."""
    near, majority = USUAL_THRESHOLDS.near, USUAL_THRESHOLDS.majority
    given: dict[str, Any] = {}
    if thresholds.near != near:
        given["near"] = float(thresholds.near)
    if thresholds.majority != majority:
        given["majority"] = float(thresholds.majority)
    if sample is not None:
        given |= {"interval": True} if sample.is_by_record else {"unit": ...}
    if given:
        raise ParameterError(
            "only a diff with true clusters has this",
            given=given,
            remedies=[Remedy("name them", reference=...)],
        )


def _opened(
    before: Any, after: Any, reference: Any, conventions: Conventions
) -> tuple[list[Any], Conventions]:
    """The three sides, of which some may be columns of tables, and what remains to be agreed on."""
    if after is not None:
        return opened_sides((before, after, reference), _SIDES, conventions)
    runs, agreed = opened_sides((before, None), RUNS, conventions)
    if isinstance(reference, str):
        columns = [*(conventions.columns or ()), reference]
        return opened_sides((before, None, None), _SIDES, replace(conventions, columns=columns))
    return opened_sides((*runs, reference), _SIDES, agreed)


def _of_two(before: Any, after: Any, conventions: Conventions, names: tuple[str, ...]) -> Diff:
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


def _of_three(
    given: Sequence[Any],
    conventions: Conventions,
    names: tuple[str, ...],
    thresholds: Thresholds,
    sample: SampleOptions | None,
) -> Diff:
    reference, *runs = given
    conventions = with_named_weights(conventions, [*runs, reference])
    if conventions.weights is not None and sample is not None:
        raise WeightsError(
            "the difference of weighted records has no interval: it depends on how they were drawn, and no "
            "method is known to be valid; leave out the weights, or interval and unit"
        )
    sides = count_three_sides(given, conventions, thresholds, sample)
    return Diff(sides.of_candidates, names, sides)
