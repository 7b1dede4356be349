"""Ranking: the candidates by value, best first, and how each differs from a baseline."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import isinf, isnan
from typing import Any, Unpack

from concordant import engines
from concordant.clusterings.alignment import refuse_unmatched
from concordant.clusterings.clustering import clustering_kind, data_of, no_labels
from concordant.clusterings.coerce import columns_of_clusterings, opened_sides, partition_of
from concordant.clusterings.detect import is_table
from concordant.clusterings.labels import MemoryLabels
from concordant.clusterings.missing import conventions_in_words
from concordant.clusterings.partition_data import SourcePartition
from concordant.comparisons import Comparison
from concordant.comparisons.entry import compare_sides
from concordant.comparisons.partitions import with_named_weights
from concordant.counts.base import Counts
from concordant.counts.profile import Profile
from concordant.counts.three_way import ThreeWayCounts
from concordant.differences.lazy_list import all_largest
from concordant.errors import (
    InputError,
    ParameterError,
    UndefinedError,
    UnknownKeyError,
    UnmatchedError,
    WeightsError,
    did_you_mean,
    few,
    kind_of,
    noted,
)
from concordant.foundation import kinds
from concordant.foundation.conventions import (
    Conventions,
    Progress,
    Undefined,
    noise_of_all,
    report_unused_noise,
)
from concordant.foundation.input_options import InputOptions, input_options
from concordant.foundation.remedies import FOR_UNMATCHED
from concordant.foundation.results import (
    DotPlot,
    Field,
    Listing,
    Report,
    interval_fields,
    read_only_class,
    rounded,
)
from concordant.foundation.spelling import counted, printable
from concordant.foundation.text_layout import shortened
from concordant.indices.index import DEFAULTS_FOR_SYSTEMS, INDICES, Index
from concordant.indices.values import named_indices
from concordant.inference.difference import Correction, Difference, correct, difference_of, signed
from concordant.inference.options import SampleOptions
from concordant.inference.paired import PairedCounts, column_of_units
from concordant.inference.paired_comparison import PIXELS, versus
from concordant.inference.statistic import shown_p
from concordant.many.aligned_runs import (
    align_all,
    frames_of,
    in_memory_by_name,
    note_frames,
    omission_words,
    omitted_records,
    weights_in_sources,
)
from concordant.report.sentences import named_ties
from concordant.sources.execution import report

Differences = dict[str, dict[str, Difference]]  # by candidate and index

_LONGEST = 40  # cells of a name in a sentence
_NOT_TESTED = (
    "the weights do not show how the records were drawn, and no test of weighted records is known to be valid"
)


def _title(candidate: str) -> str:
    """The name of a candidate in a sentence."""
    return shortened(printable(candidate), _LONGEST)


def _cells(d: Difference) -> dict[str, Any]:
    """A difference in a table: without p where nothing was tested, or the sample does not determine it."""
    row: dict[str, Any] = {"difference": d.difference}
    if d.method == "none" and not d.estimable:
        return row
    row["outcome"] = d.outcome
    if d.has_interval:
        row |= {"low": d.low, "high": d.high}
    if d.estimable:
        margins = {"noninferior": d.p_noninferior, "equivalent": d.p_equivalent}
        words = {"p": d.p_text} | {
            name: shown_p(p, exact=False) for name, p in margins.items() if p is not None
        }
        row |= {name: text.removeprefix("p ").removeprefix("= ") for name, text in words.items()}
    return row


@read_only_class
@dataclass(frozen=True, eq=False, repr=False)
class Ranking(Report, Mapping[tuple[str, str], Difference]):
    """The candidates by value, the best first, and their differences from the baseline. `rank` returns it.

    It is a mapping from candidate and index to difference: `ranking["new", "f_measure"]`.

    Attributes
    ----------
    indices : tuple of Index
        The indices.
    candidates : mapping from str to Comparison
        The comparison of each candidate with the reference.
    baseline : str
        Name of the baseline.
    differences : mapping from str to mapping from str to Difference
        The differences from the baseline, by candidate and index.
    confidence : float
        Confidence level.
    correction : str, optional
        Correction of the p-values.
    conventions : str
        Unusual conventions.
    omitted : mapping from str to int
        Number of records of each side that were not compared because another lacks them.
    """

    indices: tuple[Index, ...]
    candidates: Mapping[str, Comparison]
    baseline: str
    differences: Mapping[str, Mapping[str, Difference]]
    confidence: float
    correction: Correction | None
    conventions: str = ""
    omitted: Mapping[str, int] = field(default_factory=dict)
    _without_cluster: Mapping[str, int] = field(default_factory=dict)  # records that a side lacks or drops
    _lead: Difference | None = None  # of the best over the runner-up, if neither is the baseline

    def __getitem__(self, pair: tuple[str, str]) -> Difference:
        """The difference of a candidate to the baseline: ``ranking["new", "f_measure"]``."""
        if not isinstance(pair, tuple) or len(pair) != 2:
            words = "a candidate and an index, as in ranking['new', 'f_measure']"
            raise UnknownKeyError(f"look up a difference by {words}, not by {pair!r}")
        candidate, index = pair
        if candidate not in self.differences:
            raise UnknownKeyError(
                f"there is no difference of {candidate!r} from the baseline {self.baseline!r}; use one of "
                f"{', '.join(map(repr, self.differences))}"
            )
        name = INDICES[index].name
        if name not in self.differences[candidate]:
            raise UnknownKeyError(f"{name} was not requested; this has {few(self.differences[candidate])}")
        return self.differences[candidate][name]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return ((name, index.name) for name in self.differences for index in self.indices)

    def __len__(self) -> int:
        return len(self.differences) * len(self.indices)

    @property
    def size(self) -> int:
        """The number of records."""
        return self.candidates[self.baseline].size

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the candidates."""
        return tuple(self.candidates)

    def order(self, index: str) -> tuple[str, ...]:
        """Return the candidates by an index, the best first.

        Parameters
        ----------
        index : str
            Name of the index.

        Returns
        -------
        tuple of str
            The names of the candidates. Equal ones keep their order, and those without a value are last.

        Examples
        --------
        >>> from concordant import rank
        >>> ranking = rank([0, 0, 1, 1], {"a": [0, 1, 2, 3], "b": [0, 0, 1, 1], "c": [0, 0, 0, 1]}, "rand")
        >>> ranking.order("rand")
        ('b', 'a', 'c')
        """
        return _best_first(self.candidates, INDICES[index])

    # -- as text --------------------------------------------------------------------------------

    def _listings(self, limit: int | None = None) -> Sequence[Listing]:  # noqa: ARG002  (all are few)
        """One for each index, whose name is in the corner."""
        return [self._listing(index) for index in self.indices]

    def _listing(self, index: Index) -> Listing:
        columns = [
            Field("candidate", index.name, printable),
            Field("value", text=partial(rounded, perfect=index.perfect)),
            Field("difference", text=signed),
            *interval_fields(self.confidence, signed),
            *("p", "outcome", "noninferior", "equivalent"),
        ]
        words = f"A {'lower' if index.direction == 'distance' else 'higher'} value is better."
        interval = ""
        if self._has_tests:
            interval = f"{self.confidence * 100:g}% interval"
            words += " If the bar crosses the line at 0, the difference is unclear."
        title = f"{index.title}: difference from {_title(self.baseline)}"
        rows: list[dict[str, Any]] = []
        for name in self.order(index.name):
            row = {"candidate": name, "value": self.candidates[name]._value(index)}
            rows.append(row if name == self.baseline else row | _cells(self.differences[name][index.name]))
        dots = DotPlot(index.name, title, "difference", interval, words, mark=0.0)
        return Listing(rows, columns, dots=dots)

    def _footnotes(self) -> Sequence[str]:
        one, every = self._any, [d for each in self.differences.values() for d in each.values()]
        if not self._has_tests:
            return [one.note, self._omission, self.signature]
        drawn = "drawn one by one" if one.unit == "record" else "each drawn as a whole"
        method = f"sign flips of {one.unit}s" if one.method == "flips" else "the paired jackknife"
        corrected = "not corrected for the number of candidates"
        if self.correction:
            corrected = f"corrected for {counted(one.n_candidates, 'candidate')} by Holm's method"
        notes = [
            f"sample: {counted(one.n_units, one.unit)}, {drawn}; the reference and the candidates are fixed",
            f"p: two-sided, against {_title(self.baseline)}, by {method}; {corrected}",
        ]
        if self._lead is not None:
            first, second = map(_title, self.order(self.indices[0].name)[:2])
            notes.append(f"headline: p of {first} against {second}, not corrected")
        if one.n_candidates > 1:
            notes.append("intervals: for each candidate alone")
        if any(d.outcome == "unclear" and d.estimable for d in every):
            notes.append(f"unclear: the interval contains 0, or p > {1 - self.confidence:.3g}")
        if one.margin is not None:
            notes.append(f"noninferior and equivalent: one-sided p for a margin of {one.margin:g}")
        notes += [PIXELS] if any(PIXELS in each.note for each in every) else []
        refusals = {
            f"{_title(name)}, {index}: {d.note}"
            for name, each in self.differences.items()
            for index, d in each.items()
            if not d.estimable
        }
        return [*notes, self._omission, *sorted(refusals), self.signature]

    @property
    def _omission(self) -> str:
        """How many records were left out, and by which candidates."""
        if not self.omitted:
            return ""
        named = [
            [(_title(name), number) for name, number in each.items()]
            for each in (self.omitted, self._without_cluster)
        ]
        return omission_words(named[0], "all", named[1])

    @property
    def headline(self) -> str:
        """The best candidate by the first index, and whether it is better than the runner-up.

        If one of both is the baseline, p is that of the table. Otherwise it is not corrected, because the
        runner-up is hardest to distinguish from the best (Hung & Fithian 2019, Biometrika 106:609).
        `ranking["new", "f_measure"].headline` is the sentence for a paper about one difference.

        Examples
        --------
        >>> from concordant import rank
        >>> rank([0, 0, 1, 1], {"a": [0, 1, 2, 3], "b": [0, 0, 1, 1]}, "rand", baseline="a").headline
        'b has the best Rand index of 2 candidates: 1.0000, not clearly better than a (p = 0.747)'
        """
        index, scope = self.indices[0], ""
        if "reference" in self.omitted:
            total = self.size + self.omitted["reference"]
            scope = f", on {self.size:,} of the {total:,} records of the reference"
        many = counted(len(self.candidates), "candidate")
        first, second = self.order(index.name)[:2]
        best = self.candidates[first]._value(index)
        if isnan(best):
            return f"{index.title} is not defined for any of {many}{scope}"
        words = f"the best {index.title} of {many}: {rounded(best, perfect=index.perfect)}"
        sign = -1 if index.direction == "distance" else 1
        names = self.names
        equal = all_largest([sign * each._value(index) for each in self.candidates.values()])
        if len(equal) > 1:
            return f"{named_ties([_title(names[place]) for place in equal])} share {words}{scope}"
        words = f"{_title(first)} has {words}"
        if isnan(self.candidates[second]._value(index)):
            return f"{words}, the only one that is defined{scope}"
        lead, is_reversed = self._lead, first == self.baseline
        if lead is None:
            lead = self[second if is_reversed else first, index.name]
        is_clear = lead.outcome == ("worse" if is_reversed else "better")
        why = f" ({lead.p_text})" if lead.estimable else ""
        return f"{words}, {'' if is_clear else 'not clearly '}better than {_title(second)}{why}{scope}"

    @property
    def _has_tests(self) -> bool:
        """Whether differences are tested; those of weighted records are not."""
        return self._any.method != "none"

    @property
    def _any(self) -> Difference:
        """Any of the differences: all have the same sampling unit."""
        return next(iter(next(iter(self.differences.values())).values()))

    def _facts(self) -> Sequence[str]:
        one = self._any
        parts = {
            "K": self.candidates[self.baseline]._clusters[0],
            "baseline": _title(self.baseline),
            "unit": one.unit if one.unit == "record" else f"{counted(one.n_units, 'unit')}",
            "method": one.method,
            "correction": self.correction or "none",
        }
        if one.n_resamples:
            parts["n_resamples"] = one.n_resamples
        parts |= {} if one.margin is None else {"margin": one.margin}
        seeds = {d.seed for each in self.differences.values() for d in each.values()} - {None}
        parts |= {"seed": seeds.pop()} if seeds else {}
        parts["confidence"] = self.confidence
        return [f"{name}={value}" for name, value in parts.items()]

    def __repr__(self) -> str:
        others = ", ".join(map(repr, self.differences))
        return f"<Ranking of {others} against {self.baseline!r} by {', '.join(i.name for i in self.indices)}>"

    # -- as data --------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Return every value and every field of the differences.

        Returns
        -------
        dict
            The content by name.

        Examples
        --------
        >>> import concordant as cc
        >>> r = cc.rank([0, 0, 1, 1], {"a": [0, 0, 1, 1], "b": [0, 1, 1, 1]}, "rand")
        >>> r.to_dict()["baseline"]
        'a'
        """
        return {
            "signature": self.signature,
            "headline": self.headline,
            "baseline": self.baseline,
            "omitted": self.omitted,
            "correction": self.correction,
            "values": {
                name: {index.name: c._value(index) for index in self.indices}
                for name, c in self.candidates.items()
            },
            "differences": {
                name: {index: d.to_dict() for index, d in each.items()}
                for name, each in self.differences.items()
            },
        }

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        """One row for each index and candidate; the baseline has no difference."""
        rows = []
        for index in self.indices:
            for name in self.order(index.name):
                d = self.differences[name][index.name] if name != self.baseline else None
                fields = ("difference", "low", "high", "p", "p_uncorrected", "outcome")
                rows.append(
                    {"index": index.name, "candidate": name, "value": self.candidates[name]._value(index)}
                    | {field: None if d is None else getattr(d, field) for field in fields}
                )
        return rows[:limit]


@input_options(
    refused={
        "where": "the units of a sample are not masked; filter the records before",
    },
    meanings={
        "columns": "The columns that contain clusters, if the input is one table: the reference first. By "
        "default, all but `record`; AnnData must name them.",
        "progress": "Called with the number of candidates done and the total.",
        "names": "Display names of the candidates, in their order.",
    },
)
def rank(
    reference: Any,
    candidates: Any = None,
    indices: str | Sequence[str] = DEFAULTS_FOR_SYSTEMS,
    *,
    baseline: str | None = None,
    unit: Any = "record",
    confidence: float = 0.95,
    margin: float | None = None,
    correction: Correction | None = "holm",
    n_resamples: int = 9999,
    seed: int = 0,
    **options: Unpack[InputOptions],
) -> Ranking:
    """Compare several candidates with one reference, and test each against a baseline.

    Parameters
    ----------
    reference : any input of compare, or table
        The reference. Or one table with the reference in its first column and a candidate in each other.
    candidates : mapping, sequence or table, optional
        The candidates by name, a list of them, with the names "0", "1" and so on, or a table with a column
        for each. Each is any input of `compare`. If all sides are dataframes or files, their own engine joins
        them.
    indices : str or sequence of str, default=("f_measure", "bcubed_f", "adjusted_rand")
        Names of the indices.
    baseline : str, optional
        Name of the candidate that the others are tested against. By default, the first.
    unit : str, mapping or sequence, default="record"
        The sampling unit, as in `Comparison.versus`. For dataframes and files, a column of the reference.
    confidence : float, default=0.95
        Confidence level.
    margin : float, optional
        Also test for noninferiority and equivalence with this margin, as in `Comparison.versus`.
    correction : {"holm"} or None, default="holm"
        Correction of the p-values of an index for the number of candidates. None does not correct.
    n_resamples : int, default=9999
        Number of sign flips to draw.
    seed : int, default=0
        Seed of the sign flips.
    **options
        The input options. A record that is dropped from one side is dropped from all. With weights,
        differences have no p-values and no intervals.

    Returns
    -------
    Ranking
        The candidates by value with their differences from the baseline.

    Raises
    ------
    ParameterError
        If the baseline is not one of the candidates.

    Examples
    --------
    >>> truth = list("aaaabbbbcccc")
    >>> candidates = {"old": list("abababccccca"), "new": list("aaabbbbccccc")}
    >>> print(rank(truth, candidates, "f_measure"))  # doctest: +ELLIPSIS +NORMALIZE_WHITESPACE
    new has the best Pairwise F-measure of 2 candidates: 0.6486, not clearly better
    than old (p = 0.292)
    <BLANKLINE>
    f_measure   value  difference  95% low  95% high      p  outcome
    new        0.6486     +0.3243  -0.3209   +0.9696  0.292  unclear
    old        0.3243
    <BLANKLINE>
    sample: 12 records, drawn one by one; the reference and the candidates are
    fixed
    p: two-sided, against old, by the paired jackknife; corrected for 1 candidate
    by Holm's method
    unclear: the interval contains 0, or p > 0.05
    concordant ... | n=12 | K=3 | baseline=old | unit=record | method=jackknife |
    correction=holm | confidence=0.95
    """
    reference, candidates, conventions = _opened(reference, candidates, Conventions.of(options))
    _check_baseline(candidates, baseline)
    declared = [INDICES[name] for name in named_indices(indices)]
    if not declared:
        raise ParameterError("name at least one index")
    if correction not in ("holm", None):
        raise ParameterError("use 'holm' or None", given={"correction": correction})
    first = next(iter(candidates)) if baseline is None else baseline
    reference, *others = _checked_kinds([reference, *candidates.values()])
    candidates = dict(zip(candidates, others, strict=True))
    sample = SampleOptions(unit, confidence, margin, n_resamples, seed)
    progress, conventions = conventions.progress, replace(conventions, progress=None)
    frames = frames_of((reference, *others), are_weighted=conventions.weights is not None)
    conventions = with_named_weights(conventions, (reference, *others))
    test: Callable[[Any, Index], Difference] = partial(
        _versus, sample=sample, undefined=conventions.undefined
    )
    if conventions.weights is not None:
        if frames is None:
            raise weights_in_sources()
        _refuse_tests(sample)
        test = partial(_untested, confidence=confidence, undefined=conventions.undefined)
        correction = None
    tested = partial(
        _tested, n=len(others) - 1, declared=declared, test=test, correction=correction, progress=progress
    )
    without: dict[str, int] = {}
    pair: Callable[[str, str], Any]
    if frames is None:
        compared, omitted, differences, pair = _rank_sources(
            reference, candidates, first, conventions, unit, tested
        )
    else:
        with noise_of_all() as noise:
            compared, omitted, without = _compare_in_memory(reference, candidates, conventions, frames)
        report_unused_noise(noise)
        pair = partial(_pair_in_memory, compared, conventions, unit)
        differences = tested((name, pair(name, first)) for name in compared if name != first)
    compared = {name: compared[name] for name in candidates}
    top = _best_first(compared, declared[0])[:2]
    lead = None if first in top else test(pair(*top), declared[0])
    words = _words(conventions, (reference, *others), compared[first])
    return Ranking(
        indices=tuple(declared),
        candidates=compared,
        baseline=first,
        differences={
            name: {index: replace(each, conventions=words) for index, each in own.items()}
            for name, own in differences.items()
        },
        confidence=confidence,
        correction=correction,
        conventions=words,
        omitted=omitted,
        _without_cluster=without,
        _lead=lead,
    )


def _best_first(candidates: Mapping[str, Comparison], index: Index) -> tuple[str, ...]:
    """The names of the candidates by this index; those without a value are last."""
    sign = 1 if index.direction == "distance" else -1
    values = {name: sign * each._value(index) for name, each in candidates.items()}
    return tuple(sorted(values, key=lambda name: (isnan(values[name]), values[name])))


def _checked_kinds(sides: Sequence[Any]) -> list[Any]:
    """The data of the sides, which are partitions or covers."""
    for each in sides:
        if (kind := clustering_kind(each)) in kinds.KINDS:
            raise no_labels(kind)
    return [data_of(each) for each in sides]


def _words(conventions: Conventions, sides: Sequence[Any], compared: Comparison) -> str:
    """The unusual conventions, with the total of the weights."""
    read = [each for each in sides if isinstance(each, MemoryLabels | SourcePartition)]
    total = compared._counted.conventions.get("weights")
    weights = "" if total is None else f"weights={total}"
    return " | ".join(filter(None, [conventions_in_words(conventions, read), weights]))


def _opened(
    reference: Any, candidates: Any, conventions: Conventions
) -> tuple[Any, dict[str, Any], Conventions]:
    """The reference, the candidates by name, and what remains to be agreed on."""
    if candidates is None and not is_table(reference):
        raise ParameterError(
            "there are no candidates; pass them as in rank(truth, {'old': a, 'new': b}), or pass one table, "
            "whose first column is the reference"
        )
    if candidates is None:
        columns = columns_of_clusterings(reference, conventions)
        roles, given = list(columns), [reference, *[None] * (len(columns) - 1)]
        conventions = replace(conventions, columns=columns)
    elif is_table(candidates):
        columns = columns_of_clusterings(candidates, conventions)
        own: list[Any] = [None]
        if is_table(reference):
            own, columns = columns[:1], columns[1:]
        roles, given = ["reference", *columns], [reference, *[candidates] * len(columns)]
        conventions = replace(conventions, columns=[*own, *columns])
    elif isinstance(candidates, Mapping | list | tuple):
        listed = candidates if isinstance(candidates, Mapping) else dict(enumerate(candidates))
        roles, given = ["reference", *map(str, listed)], [reference, *listed.values()]
    else:
        raise ParameterError(
            "rank takes a mapping from name to candidate, such as {'old': a, 'new': b}, a list, or a table, "
            f"not {kind_of(candidates)}"
        )
    _, *names = roles
    if len(names) < 2:
        raise ParameterError(f"rank compares two candidates or more, not {len(names)}")
    if len(set(names)) < len(names):
        raise ParameterError("two candidates have the same name, as a string; rename one")
    names = list(conventions.checked_names(names))
    (reference, *sides), conventions = opened_sides(given, roles, replace(conventions, names=None))
    return reference, dict(zip(names, sides, strict=True)), conventions


def _check_baseline(candidates: Mapping[str, Any], baseline: str | None) -> None:
    if baseline is not None and (not isinstance(baseline, str) or baseline not in candidates):
        near = did_you_mean(str(baseline), candidates) or f"; use one of {', '.join(map(repr, candidates))}"
        raise ParameterError(f"there is no candidate of that name{near}", given={"baseline": baseline})


def _compare_in_memory(
    reference: Any, candidates: Mapping[str, Any], conventions: Conventions, frames: Sequence[Any]
) -> tuple[dict[str, Comparison], dict[str, int], dict[str, int]]:
    """Each candidate with the reference, and how many records of each partition were left out.

    Records that any of them drops or lacks are removed from all. The last numbers are those of the records
    that each has in no cluster.
    """
    omitted: dict[str, int] = {}
    without: dict[str, int] = {}
    given = {"reference": reference} | {f"candidate {name}": each for name, each in candidates.items()}
    if any(isinstance(each, SourcePartition) for each in given.values()):
        made = {name: partition_of(each, conventions, name) for name, each in given.items()}
        given = dict(in_memory_by_name(made, "rank", conventions))
        reference, *others = given.values()
        candidates = dict(zip(candidates, others, strict=True))
        conventions = replace(conventions, nulls=None, noise=None, noise_as=None)
    drops = "drop" in (conventions.unmatched, conventions.nulls, conventions.noise_as)
    drops |= any(isinstance(each, MemoryLabels) and each.dropped is not None for each in given.values())
    read = {name: partition_of(each, conventions, name) for name, each in given.items()} if drops else {}
    labels = {name: each for name, each in read.items() if isinstance(each, MemoryLabels)}
    if drops and len(labels) == len(read):
        refuse_unmatched(conventions.unmatched, *labels.values())
        aligned = align_all(labels, conventions.unmatched, FOR_UNMATCHED[:1])
        (reference, *kept), _ = aligned.in_common(conventions, "rank")
        sizes = [len(each) for each in labels.values()]
        omitted = omitted_records(_sides(candidates), sizes, len(reference))
        without = aligned.without_cluster(_sides(candidates))
        candidates = dict(zip(candidates, kept, strict=True))
        conventions = replace(conventions, nulls=None, noise=None, noise_as=None)
    compared = {}
    for (name, candidate), frame in zip(candidates.items(), frames[1:], strict=True):
        # A difference needs records that all candidates have, so "keep" is not offered as a remedy.
        with noted(f"the candidate {name!r}"):
            try:
                compared[name] = compare_sides(reference, candidate, conventions)
            except UnmatchedError as error:
                error.withdraw(unmatched="keep")
                raise
        note_frames(compared[name]._counted, (frames[0], frame))
    return compared, omitted, without


def _sides(candidates: Iterable[str]) -> list[str]:
    """The names of the reference and the candidates."""
    names = list(candidates)
    return ["reference" + "_" * ("reference" in names), *names]


def _refuse_tests(sample: SampleOptions) -> None:
    """Refuse options of tests, which weighted records do not have."""
    if not sample.is_by_record or sample.margin is not None:
        raise WeightsError(f"{_NOT_TESTED}; leave out the weights, or unit and margin")


def _versus(paired: PairedCounts, index: Index, *, sample: SampleOptions, undefined: Undefined) -> Difference:
    """The difference of two candidates; NaN if one has no value."""
    values = _values(paired.profiles, index, undefined)
    if not any(map(isnan, values)):
        return versus(paired, index, sample, undefined)
    refusal, method = f"{index.name} is 0/0", "jackknife" if sample.is_by_record else "flips"
    return _without_test(
        index, values, paired.profiles[0], refusal=refusal, method=method, confidence=sample.confidence
    )


def _values(counts: Sequence[Counts], index: Index, undefined: Undefined) -> tuple[float, float]:
    return index.value(counts[0], undefined), index.value(counts[1], undefined)


def _untested(
    pair: tuple[Comparison, Comparison], index: Index, *, confidence: float, undefined: Undefined
) -> Difference:
    """The difference of two weighted comparisons on these records."""
    values = _values([each._counts for each in pair], index, undefined)
    if any(map(isinf, values)):
        raise UndefinedError(f"{index.name} is not defined for these partitions: there is no difference")
    return _without_test(
        index, values, pair[0]._counts, refusal=_NOT_TESTED, method="none", confidence=confidence
    )


def _without_test(index: Index, values: tuple[float, float], counts: Counts, **fields: Any) -> Difference:
    """The difference of two values on these records alone."""
    low, high = index.bounds(counts)
    return difference_of(index, values, None, span=high - low, unit="record", n_units=counts.size, **fields)


def _tested(
    pairs: Iterable[tuple[str, Any]],
    *,
    n: int,
    declared: Sequence[Index],
    test: Callable[[Any, Index], Difference],
    correction: Correction | None,
    progress: Progress | None,
) -> Differences:
    """The difference of each of ``n`` candidates to the baseline by each index, with corrected p-values."""
    differences: Differences = {}
    for name, paired in pairs:
        differences[name] = {index.name: test(paired, index) for index in declared}
        report(100 * len(differences) / n)
        if progress is not None:
            progress(len(differences), n)
    if correction is None:
        return differences
    for index in declared:
        by_candidate = {name: each[index.name] for name, each in differences.items()}
        for name, each in correct(by_candidate, correction).items():
            differences[name][index.name] = each
    return differences


def _pair_in_memory(
    compared: Mapping[str, Comparison], conventions: Conventions, unit: Any, name: str, other: str
) -> Any:
    """Two candidates on the same records; weighted ones are not paired by record."""
    pair = compared[name], compared[other]
    if conventions.weights is not None:
        return pair
    return PairedCounts.of(pair[0]._counted, pair[1]._counted, unit)


def _rank_sources(  # noqa: PLR0917  (the plan of the ranking)
    reference: Any,
    candidates: Mapping[str, Any],
    first: str,
    conventions: Conventions,
    unit: Any,
    tested: Callable[[Iterable[tuple[str, PairedCounts]]], Differences],
) -> tuple[dict[str, Comparison], dict[str, int], Differences, Callable[[str, str], PairedCounts]]:
    """The comparisons, the numbers of omitted records and the differences, by the engine of the sources.

    The function that is last counts any two candidates.
    """
    reference = partition_of(reference, conventions, "the reference")
    read = {
        name: partition_of(each, conventions, f"the candidate {name}") for name, each in candidates.items()
    }
    if not all(isinstance(each, SourcePartition) for each in (reference, *read.values())):
        raise InputError(
            "some sides are dataframes or files, and others are in memory; pass all by "
            "Partition.from_frame or Partition.scan, or all as labels"
        )
    compared: dict[str, Comparison] = {}
    sizes: dict[str | None, int] = {}  # None is the reference
    column = column_of_units(unit)

    def three(name: str, other: str) -> ThreeWayCounts:
        return engines.count_three(reference, read[name], read[other], conventions, column)

    def pair(name: str, other: str) -> PairedCounts:
        found = three(name, other)
        return PairedCounts(found.cells, pieces=found.pieces)

    def pairs() -> Iterator[tuple[str, PairedCounts]]:
        """Each candidate with the baseline, counted when it is tested."""
        known = None
        for name in [each for each in read if each != first]:
            with noted(f"the candidate {name!r}, and the baseline {first!r} as the second candidate"):
                found = three(name, first)
            overlaps = _overlaps_with_baseline(found) if len(read) > 2 else {}
            if known is not None and overlaps != known:
                raise UnmatchedError(
                    f"all candidates must be compared on the same records, but {name!r} does not have the "
                    "same records as the candidates before it; leave out records that some candidates lack"
                )
            known = overlaps
            for each, table in ((name, found.cells.first_table), (first, found.cells.second_table)):
                compared[each] = Comparison(Profile.of_table(table), undefined=conventions.undefined)
            sizes[None], sizes[name], sizes[first] = found.sizes
            yield name, PairedCounts(found.cells, pieces=found.pieces)

    differences = tested(pairs())
    counts = [sizes[None], *(sizes[name] for name in candidates)]
    omitted = omitted_records(_sides(candidates), counts, compared[first].size)
    return compared, omitted, differences, pair


def _overlaps_with_baseline(found: ThreeWayCounts) -> dict[tuple[Any, Any], int]:
    """The size of each overlap of the reference and the baseline by labels, the same for the same records."""
    table, (of_reference, _, own) = found.cells.second_table, found.labels
    cells = zip(table.row.tolist(), table.column.tolist(), table.n.tolist(), strict=True)
    return {(of_reference[row], own[column]): n for row, column, n in cells}
