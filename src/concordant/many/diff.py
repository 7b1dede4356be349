"""diff() and Diff: how much changed from one run to the next, where, and whether for the better."""

from __future__ import annotations

import os
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from math import inf
from pathlib import Path
from typing import Any

from concordant import engines
from concordant.comparisons import Comparison
from concordant.comparisons.entry import compare_partitions
from concordant.comparisons.weights import weights_in_parts
from concordant.counts.availability import Need
from concordant.counts.conventions import (
    TABLE_LIMIT,
    Conventions,
    NoiseAs,
    NoiseOfAll,
    Nulls,
    Unmatched,
    check_choice,
)
from concordant.counts.profile import Profile
from concordant.counts.remedies import FOR_UNMATCHED
from concordant.counts.spelling import counted, printable
from concordant.counts.weighted_counts import WeightedCounts, plain_weight
from concordant.differences.diff_lists import (
    ClusterChange,
    ComponentChange,
    DiffLists,
    RecordChange,
    RunName,
    RunsAndTruth,
    SliceChange,
    TwoRuns,
)
from concordant.differences.diff_metrics import (
    MEANINGS,
    METRICS,
    RATIOS,
    DiffCells,
    DiffSizes,
    MetricAttributes,
    ratio,
)
from concordant.differences.lazy_list import LazyList, RecordsOfCells
from concordant.errors import (
    CoverError,
    ParameterError,
    Remedy,
    UndefinedError,
    UnmatchedError,
    WeightsError,
    did_you_mean,
)
from concordant.many.diff_slices import slice_changes, slices_to_ask
from concordant.many.judgements import Judgements, QuestionNumber, pilot_spread, question_numbers
from concordant.many.question_draws import GOALS, Goal, run_cells
from concordant.many.questions import Questions, ask, find_design, fingerprint
from concordant.many.three_sides import ThreeSides, count_three_sides
from concordant.partitions.partition import SourcePartition
from concordant.report import format_value, write_page
from concordant.report.pages.contrast import omission_words
from concordant.report.pages.diff import DiffData, diff_page
from concordant.report.sentences import capitalized
from concordant.results import Result, TextRows
from concordant.text_layout import fitted_columns, shortened
from concordant.trust.difference import signed
from concordant.trust.options import check_level, check_share
from concordant.trust.pair_draws import precision_strata
from concordant.trust.sample_size import HALF_WIDTH

TwoTitles = tuple[str, str]  # of base and experiment
_RUNS: TwoTitles = ("base", "experiment")
_LONGEST_NAME = 40  # cells, in a sentence
_LISTED = 100  # rows of each list on a page
_CLOSED = (
    "closed: of the entity within the two clusters of a record; iq_closed can differ in sign from iq where "
    "entities reach beyond both runs"
)


def diff(
    base: Any,
    experiment: Any,
    *,
    truth: Any = None,
    weights: Any = None,
    by: Any = None,
    unmatched: Unmatched = "error",
    nulls: Nulls | None = None,
    noise: Any = None,
    noise_as: NoiseAs | None = None,
    table_limit: int = TABLE_LIMIT,
    threads: int = 0,
    names: tuple[str, str] = _RUNS,
) -> Diff:
    """Measure how much changed from one clustering of the same records to the next.

    Both are anything that ``compare`` takes. Without a truth, the result has the impact: how much was split
    off each record's cluster and merged into it. With a ``truth`` for the same records it also shows which
    splits and merges were right. Records that not all have are an error, or dropped (``unmatched="drop"``);
    without a truth they may also become singletons.

    ``weights`` is the weight of each record, in the order of the base or by name: its traffic or its revenue.
    ``by`` adds ``slices``: columns of the sources, or the value of each record, as ``d.by`` takes them.
    ``nulls``, ``noise``, ``noise_as``, ``table_limit`` and ``threads`` are those of ``compare``. Texts call
    the two runs by their ``names``.

    >>> d = diff([0, 0, 1, 1, 2, 2, 2], [0, 0, 0, 1, 1, 2, 2])
    >>> round(d.split_rate, 4), round(d.merge_rate, 4), d.affected
    (0.3333, 0.3333, 1.0)
    >>> judged = diff([0, 0, 1, 1], [0, 0, 0, 1], truth=["a", "a", "a", "b"])
    >>> judged.good_split_rate, judged.bad_split_rate, judged.good_merge_rate
    (0.25, 0.0, 0.3333333333333333)
    """
    if isinstance(names, str) or len(names) != 2 or not all(isinstance(x, str) and x.strip() for x in names):
        raise ParameterError("name both runs, as two strings", given={"names": names})
    conventions = Conventions(
        unmatched=unmatched,
        nulls=nulls,
        noise=noise,
        noise_as=noise_as,
        table_limit=table_limit,
        threads=threads,
    )
    if truth is None:
        result = _without_truth(base, experiment, conventions, weights, names)
    else:
        result = _with_truth((truth, base, experiment), conventions, weights, names)
    result.slices = None if by is None else result.by(by)
    return result


def _without_truth(
    base: Any, experiment: Any, conventions: Conventions, weights: Any, names: TwoTitles
) -> Diff:
    if conventions.unmatched == "keep":
        words = "a diff is about records that both runs have"
        raise ParameterError(words, given={"unmatched": "keep"}, remedies=FOR_UNMATCHED[:2])
    try:
        comparison = compare_partitions(base, experiment, conventions, weights)
    except UnmatchedError as error:
        error.withdraw(unmatched="keep")
        raise
    if comparison.counts.kind == "covers":
        raise CoverError("a diff needs partitions, and a side is a cover; compare() has indices for covers")
    if comparison.counts.divisible:
        _ = comparison.counts.partitions  # which refuses segments of time
    return Diff(comparison, names)


def _with_truth(given: Sequence[Any], conventions: Conventions, weights: Any, names: TwoTitles) -> Diff:
    if weights is not None and any(isinstance(each, SourcePartition) for each in given):
        raise WeightsError("these are for partitions in memory, not for files", given={"weights": ...})
    with NoiseOfAll():
        sides = count_three_sides(given, ("truth", *_RUNS), "compare", conventions)
        if weights is None:
            return Diff(sides.between(), names, sides, DiffCells.of_three(sides.cells, None))
        records = sides.to_reference[0]._counted.names.records  # noqa: SLF001  (its own kind)
        whole, parts = weights_in_parts(records.everyone, weights, sides.sizes[1])
        exact = (Fraction(each, parts) for each in whole.tolist())
        comparison = sides.between(dict(zip(records.everyone, exact, strict=True)))
        return Diff(comparison, names, sides, DiffCells.of_three(sides.cells, whole))


class Diff(MetricAttributes, Result):
    """The change from one run to the next.

    ``comparison`` compares the base with the experiment by every index. ``d["split_rate"]`` and
    ``d.split_rate`` are the same; ``exact`` has it as a fraction.
    """

    comparison: Comparison
    names: TwoTitles
    omitted: dict[str, int]
    conventions: str
    slices: LazyList[SliceChange] | None = None  # if ``by`` was given

    def __init__(
        self,
        comparison: Comparison,
        names: TwoTitles = _RUNS,
        sides: ThreeSides | None = None,
        cells: DiffCells | None = None,
    ) -> None:
        """``sides`` and ``cells`` are those of both runs and the truth, if there is one."""
        self.comparison, self.names = comparison, names
        self._sides, self._cells = sides, cells
        self.omitted = {} if sides is None else sides.omitted
        self.conventions = comparison._unusual_conventions  # noqa: SLF001  (its own kind)
        if sides is not None:
            total = comparison._counted.conventions.get("weights")  # noqa: SLF001  (its own kind)
            weights = "" if total is None else f"weights={total}"
            self.conventions = " | ".join(filter(None, [sides.conventions, weights]))
        self._values: dict[str, float] = {}

    @property
    def has_truth(self) -> bool:
        """Whether a truth was given."""
        return self._sides is not None

    def keys(self) -> tuple[str, ...]:
        """The metrics there are."""
        if self.has_truth:
            return (*METRICS, *RATIOS)
        return tuple(name for name, metric in METRICS.items() if not metric.needs_truth)

    def __getitem__(self, metric: str) -> float:
        if metric not in self._values:
            try:
                self._values[metric] = float(self._fraction(metric, exact=False))
            except UndefinedError:  # nothing changed, or the base has no true pair
                self._values[metric] = self._limit(metric)
        return self._values[metric]

    def _limit(self, metric: str) -> float:
        """The value of a ratio that is divided by 0: without any change, a change of nothing."""
        if metric != "recall_ratio":
            return 0.0
        has_pairs = int(self._sizes.mass.astype(object).dot(self._sizes.bt)) > self._sizes.squares
        return inf if has_pairs else 1.0

    def exact(self, metric: str) -> Fraction:
        """The value as a fraction, without rounding; an UndefinedError where it is 0/0.

        >>> diff([0, 0, 1, 1, 2, 2, 2], [0, 0, 0, 1, 1, 2, 2]).exact("jaccard_distance")
        Fraction(1, 2)
        """
        return self._fraction(metric, exact=True)

    def _fraction(self, metric: str, *, exact: bool) -> Fraction:
        if metric not in MEANINGS:
            near = did_you_mean(metric, MEANINGS)
            raise ParameterError(f"a diff has no metric {metric!r}{near}; it has {', '.join(self.keys())}")
        if metric not in self.keys():
            raise ParameterError(
                f"{metric} is about the quality of the change",
                remedies=[Remedy("pass the true clusters", truth=...)],
            )
        if metric in RATIOS:
            return ratio(metric, self._sizes, exact=exact)
        return METRICS[metric].value(self._sizes, exact=exact)

    @cached_property
    def _profile(self) -> Profile:
        """The profile of the weights, or else of the records."""
        counts = self.comparison.counts
        return counts.weights if isinstance(counts, WeightedCounts) else counts.partitions

    @property
    def _squares(self) -> int:
        counts = self.comparison.counts
        return counts.squares if isinstance(counts, WeightedCounts) else counts.size

    @cached_property
    def _sizes(self) -> DiffSizes:
        if self._cells is not None:
            return self._cells.sizes
        return DiffSizes.of_profile(self._profile, self._squares)

    @cached_property
    def _lists(self) -> DiffLists:
        if self._cells is not None and self._sides is not None:
            return DiffLists(self._cells, RunsAndTruth(self._sides.names), has_truth=True)
        counts, names = self.comparison.counts, self.comparison._counted.names  # noqa: SLF001  (its own kind)
        cells = DiffCells.of_table(self._profile.table, counts.table.n, self._squares)
        return DiffLists(cells, TwoRuns(names, cells), has_truth=False)

    def records(self, limit: int | None = 20, by: str = "jaccard_distance") -> RecordsOfCells[RecordChange]:
        """The records whose cluster changed, those with the most change first; ``limit=None`` gives all.

        ``by`` is a metric of the list. The changes of precision, recall and improvement begin with the worst.

        >>> d = diff({"x": 0, "y": 0, "z": 1}, {"x": 5, "y": 6, "z": 6})
        >>> [(each.record, each.split_rate) for each in d.records(limit=2)]
        [('y', 0.5), ('x', 0.5)]
        """
        return self._lists.records(limit, by)

    def clusters(
        self, side: RunName = "base", limit: int | None = 20, by: str = "share"
    ) -> LazyList[ClusterChange]:
        """The clusters of one run that changed; each metric is the mean over the records of the cluster.

        ``share`` is its part of the whole jaccard_distance.

        >>> [(each.label, each.share) for each in diff([0, 0, 1, 2], [0, 0, 1, 1]).clusters("experiment")]
        [(1, 1.0)]
        """
        return self._lists.clusters(side, limit, by)

    def components(self, limit: int | None = 20, by: str = "share") -> LazyList[ComponentChange]:
        """The connected components that changed: clusters of both runs, linked by the records they share.

        >>> d = diff(["a", "a", "b", "b", "c"], [1, 2, 3, 3, 3])
        >>> [(each.base, each.experiment_clusters, round(each.share, 3)) for each in d.components()]
        [('b', 1, 0.571), ('a', 2, 0.429)]
        """
        return self._lists.components(limit, by)

    def by(
        self,
        by: Any,
        *,
        records: Any = None,
        record: str | None = None,
        order: str = "share",
        limit: int | None = 20,
    ) -> LazyList[SliceChange]:
        """The metrics of each slice of the records, such as a country; clusters stay whole.

        ``by``, ``records`` and ``record`` are those of ``Comparison.by``. ``order`` is the metric that puts
        slices in order. Weighted by their records, the slices add up to the whole.

        >>> d = diff([0, 0, 1, 1, 1], [0, 0, 1, 1, 2])
        >>> [(each.slice, each.records, round(each.share, 2)) for each in d.by(list("xxxyy"))]
        [('y', 2, 0.75), ('x', 3, 0.25)]
        """
        truth = (self._sides.cells, self._cells) if self._sides and self._cells else None
        how: dict[str, Any] = {"records": records, "record": record, "order": order, "limit": limit}
        return slice_changes(self.comparison._counted, self._lists.names, truth, by, **how)  # noqa: SLF001  (its own kind)

    @property
    def _fingerprint(self) -> str:
        return fingerprint(self._profile, self._squares)

    def ask(
        self,
        number: int = 200,
        *,
        goal: Goal = "precision",
        seed: int = 0,
        gold: Any = None,
        known: Any = None,
        pilot: Any = None,
        by: Any = None,
        records: Any = None,
        record: str | None = None,
        columns: Sequence[str] | None = None,
    ) -> Questions:
        """Draw pairs of records for people to judge: the same entity or not?

        number   how many questions; with the goal "iq", how many records, each with members of its clusters
        goal     "precision" for the good and bad rates and delta_precision, "recall" for recall_ratio, "iq"
                 for iq_closed and delta_recall_closed
        seed     of the draws
        gold     pairs with known answers to mix in, which show how often judges err: a file or a table with
                 the columns record_a, record_b and same
        known    answers of earlier questions, which are not asked again
        pilot    answers of fewer questions, or their ``judged``: asks more where these differed more
        by       draws as many questions for each slice of the records, as ``d.by`` takes them; the judged
                 rates of each slice then have their own intervals
        records  a dataframe or file whose ``columns`` are shown to judges; ``record`` names its records;
                 columns that ``by`` names are its columns

        Pairs are drawn by how much they count. Fix the number before you look at answers.

        >>> q = diff({"x": 0, "y": 0, "z": 1}, {"x": 5, "y": 6, "z": 6}).ask(10)
        >>> len(q), sorted(q.questions[0].question)
        (2, ['1', 'q'])
        """
        if self._sides is not None and not self._sides.names.are_at_hand:
            words = "the records stay in their sources, and the truth has all answers"
            raise ParameterError(f"{words}; draw questions from a diff without truth=")
        runs = self.comparison._counted  # noqa: SLF001  (its own kind)
        are_named = runs.names.has_record_names
        attributes = engines.record_attributes(records, record, columns, None, are_named=are_named)
        shown = None if attributes is None else (attributes.columns, attributes.of)
        check_choice("goal", goal, GOALS)
        slices = None if by is None else slices_to_ask(runs, goal, by, records, record)
        how: dict[str, Any] = {"goal": goal, "seed": seed, "gold": gold, "known": known, "slices": slices}
        if pilot is not None:
            answered = pilot if isinstance(pilot, Judgements) else self.judged(pilot)
            how["spread"] = pilot_spread(answered, goal, by_slice=by is not None)
        return ask(runs, self._fingerprint, number, shown=shown, **how)

    def judged(self, answers: Any, *, questions: Any = None, level: float = 0.95) -> Judgements:
        """The metrics that the answers estimate, each with an interval that holds at this ``level``.

        answers    the file that ``ask(...).save`` wrote, with the column same filled in; or a dataframe, or a
                   list of mappings with question and same
        questions  the questions, or the name of their file, if their design is not beside the answers

        >>> d = diff({"x": 0, "y": 0, "z": 1}, {"x": 5, "y": 6, "z": 6})
        >>> q = d.ask(10)
        >>> j = d.judged([{"question": each.question, "same": "yes"} for each in q.questions], questions=q)
        >>> j.delta_precision.value == diff([0, 0, 1], [5, 6, 6], truth=[0, 0, 0]).delta_precision
        True
        """
        check_level(level)
        return Judgements(find_design(answers, self._fingerprint, questions), answers, level)

    def sample_size(self, within: float = 0.05, level: float = 0.95) -> LazyList[QuestionNumber]:
        """How many questions are enough for intervals of this half-width, whatever the answers are.

        >>> d = diff([0, 0, 1, 1, 2, 2, 2], [0, 0, 0, 1, 1, 2, 2])
        >>> [(each.metric, each.questions) for each in d.sample_size(within=0.1)]
        [('bad_split_rate', 11), ('good_merge_rate', 11), ('delta_precision', 56)]
        """
        check_share("within", within, HALF_WIDTH)
        check_level(level)
        cells = run_cells(self.comparison._counted, "precision")  # noqa: SLF001  (its own kind)
        totals = {each.name: each.total for each in precision_strata(cells)[0]}
        return question_numbers(lambda name: totals[name] / 2, within, level)

    def to_dict(self) -> dict[str, Any]:
        """The metrics, and how many records, of what weight, they are about."""
        counts = self.comparison.counts
        known: dict[str, Any] = {"elements": counts.size, "names": dict(zip(_RUNS, self.names, strict=True))}
        known |= {"weight": plain_weight(counts.total)} if isinstance(counts, WeightedCounts) else {}
        metrics = {metric: self[metric] for metric in self.keys()}
        sliced = {} if self.slices is None else {"slices": self.slices.to_dict()["rows"]}
        return known | {"omitted": self.omitted, "conventions": self.conventions, "metrics": metrics} | sliced

    def to_html(
        self,
        path: str | os.PathLike[str],
        *,
        by: LazyList[SliceChange] | None = None,
        judged: Judgements | None = None,
    ) -> Path:
        """Write a page, one file without network: metrics, those that people ``judged``, and changes."""
        first = ("good_split_rate", "bad_split_rate", "good_merge_rate", "bad_merge_rate", "delta_precision")
        chosen = ("affected", *first) if self.has_truth else self.keys()[:4]
        asked = (self.components, self.clusters, self.records) if self._lists_are_at_hand else ()
        data = DiffData(
            " against ".join(self._titles[::-1]),
            self.headline(),
            {name: MEANINGS[name] for name in chosen},
            [(name, MEANINGS[name], self[name]) for name in self.keys()],
            [f"{note[0].upper()}{note[1:]}." for note in self._footnotes()],
            " | ".join(filter(None, [self.comparison.signature, self.conventions])),
            [each(limit=_LISTED) for each in asked],
            self.slices if by is None else by,
            None if judged is None else judged.for_page(),
        )
        return write_page(path, diff_page(data))

    @property
    def _titles(self) -> list[str]:
        return [shortened(printable(name), _LONGEST_NAME) for name in self.names]

    @property
    def _lists_are_at_hand(self) -> bool:
        return self._cells is not None or self.comparison.counts.availability.at_hand >= Need.TABLE

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        return [{"metric": metric, "value": self[metric]} for metric in self.keys()][:limit]

    def headline(self) -> str:
        """One sentence: how many records are in a cluster that changed."""
        base, experiment = (f"the {name}" if name in _RUNS else name for name in self._titles)
        profile, size = self._elements, self.comparison.counts.size
        changed = int(profile.mass[(profile.n != profile.a) | (profile.n != profile.b)].sum())
        if not changed:
            return capitalized(f"{experiment} has the clusters of {base}")
        weighed = f" ({self.affected:.1%} of the weight)" if profile is not self._profile else ""
        number = f"{changed:,} of {counted(size, 'record')}{weighed}"
        change = capitalized(f"{experiment} changes the clusters of {number} against {base}")
        gain = self.improvement if self.has_truth else 0.0
        average = f"on average they are {'nearer to' if gain > 0 else 'farther from'} the truth"
        return f"{change}; {average} (improvement {signed(gain)})" if gain else change

    @property
    def _elements(self) -> Profile:
        """The profile of the records, whatever they weigh."""
        counts = self.comparison.counts
        return counts.elements if isinstance(counts, WeightedCounts) else counts.partitions

    def _title(self) -> str:
        return self.headline()

    def __str__(self) -> str:
        table = fitted_columns(self._metric_rows(), left=2)
        sliced = ["", str(self.slices)] if self.slices is not None else []
        return "\n".join([self.headline(), "", *table, "", *self._footnotes(), *sliced]).rstrip()

    def _metric_rows(self) -> list[list[str]]:
        rows = [[name, MEANINGS[name], format_value(self[name])] for name in self.keys()]
        return [["metric", "meaning", "value"], *rows]

    def _footnotes(self) -> list[str]:
        """Where the change is, and what limits the values."""
        omission = omission_words(self.omitted.items()) if self.omitted else ""
        closed = _CLOSED if self.has_truth else ""
        conventions = f"conventions: {self.conventions}" if self.conventions else ""
        where = self._lists.where() if self._lists_are_at_hand else ""
        return list(filter(None, [where, closed, omission, conventions]))

    def _own_tables(self) -> Sequence[TextRows]:
        return [self._metric_rows()]

    def __repr__(self) -> str:
        return f"<Diff of {counted(self.comparison.counts.size, 'element')}: {self.headline()}>"
