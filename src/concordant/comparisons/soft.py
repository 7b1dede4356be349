"""SoftComparison: every question that two compared soft partitions answer."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from concordant import comparisons
from concordant.catalogue.index import INDICES
from concordant.comparisons import soft_pictures
from concordant.comparisons.soft_interval import has_soft_interval, soft_interval
from concordant.comparisons.soft_significance import soft_significance
from concordant.comparisons.soft_values import SoftValues
from concordant.counts.conventions import TABLE_LIMIT, Conventions, check_choice
from concordant.counts.pairs import Pairs
from concordant.counts.sides import SideName
from concordant.counts.spelling import counted
from concordant.differences.lazy_list import LazyList, check_limit, field_names, largest_of
from concordant.errors import ParameterError
from concordant.report.charts.chart import Display
from concordant.report.pages.page import write_page
from concordant.soft import expectation
from concordant.soft.counts import SoftCounts
from concordant.soft.device import DeviceSoft, device_sides
from concordant.soft.expectation import Expected
from concordant.soft.indices import DEFAULT_SOFT_INDEX, soft_index
from concordant.soft.pairs import SampledIndex, sampled_index
from concordant.soft.partition import Soft
from concordant.soft.records import (
    RecordSums,
    SoftMatch,
    SoftRecordScore,
    largest_cluster,
    record_sums,
    relabelled,
    soft_matches,
)
from concordant.soft.sides import SoftSides, laid_out, soft_or_partition
from concordant.soft.sources import SourceSoft
from concordant.soft.streamed import StreamedSides
from concordant.trust.options import check_count, check_seed

if TYPE_CHECKING:
    from concordant.comparisons.comparison import Comparison
    from concordant.trust.interval import Interval
    from concordant.trust.null_distributions import Tail
    from concordant.trust.significance import Significance, SignificanceMethod

SoftRecordsBy = Literal["moved", "pairs"]


def compare_soft(reference: Any, candidate: Any, conventions: Conventions, weights: Any) -> SoftComparison:
    """Compare two sides of which one is a Soft."""
    refused = {
        "weights": (weights is not None, "each record of a soft comparison counts the same"),
        "reference_noise": (bool(conventions.reference_noise), "treat labels before, in the partition"),
        "candidate_noise": (bool(conventions.candidate_noise), "treat labels before, in the partition"),
        "undefined": (conventions.undefined == "conll", "the official scorer has no soft indices"),
        "table_limit": (conventions.table_limit != TABLE_LIMIT, "a soft comparison lists no overlaps"),
    }
    for option, (is_given, why) in refused.items():
        if is_given:
            raise ParameterError(f"{option}= is not for soft partitions: {why}")
    u = soft_or_partition(reference, conventions, "the reference")
    v = soft_or_partition(candidate, conventions, "the candidate")
    for option in ("noise", "nulls"):
        if isinstance(u, Soft) and isinstance(v, Soft) and getattr(conventions, option) is not None:
            raise ParameterError(f"{option}= is about labels, and both sides are soft")
    if isinstance(u, DeviceSoft) or isinstance(v, DeviceSoft):
        sides: SoftSides = device_sides(u, v, conventions)
    elif isinstance(u, SourceSoft) or isinstance(v, SourceSoft):
        sides = StreamedSides(u, v, conventions)
    else:
        sides = laid_out(u, v, conventions)
    counts = SoftCounts(sides, conventions.threads)
    if conventions.progress is not None:
        conventions.progress(1, 1)
    return SoftComparison(counts, (u, v), conventions)


class SoftComparison(SoftValues):
    """Two partitions of which one is soft, compared: soft indices by name, and where the sides differ.

    It behaves as a mapping over the indices that take one pass, and does not change. ``compare`` makes it.

    >>> import concordant as cc
    >>> s = cc.compare(cc.Soft.from_matrix([[0.9, 0.1], [0.8, 0.2], [0.1, 0.9]]), ["a", "a", "b"])
    >>> round(s.soft_adjusted_rand, 4), round(s["soft_matching_accuracy"], 4)
    (0.8053, 0.8667)
    """

    # -- the hard comparison ------------------------------------------------------------------------------

    @cached_property
    def hardened(self) -> Comparison:
        """The comparison of the largest weights, with all indices of partitions.

        >>> import concordant as cc
        >>> soft = cc.Soft.from_matrix([[0.9, 0.1], [0.8, 0.2], [0.1, 0.9]])
        >>> cc.compare(soft, ["a", "a", "b"]).hardened.rand
        1.0
        """
        u, v = (each.harden() if isinstance(each, Soft) else each for each in self._sides)
        given = self._conventions
        found = comparisons.compare(
            u,
            v,
            unmatched=given.unmatched,
            undefined=given.undefined,
            threads=given.threads,
            where=given.where,
        )
        assert not isinstance(found, SoftComparison)  # both sides have labels
        return found

    # -- draws of both sides ------------------------------------------------------------------------------

    @property
    def expected_pairs(self) -> Pairs:
        """The mean pair counts of two partitions drawn independently, one from each side, as fractions."""
        return expectation.expected_pairs(self._counts)

    def expected(self, index: str = "rand", *, draws: int | None = None, seed: int = 0) -> Expected:
        """The mean of an index of partitions over independent draws of each record's cluster by its weights.

        For a soft partition against itself it is below 1, as two draws of it differ. Indices that are linear
        in pair counts, such as rand, have exact means. For others pass ``draws``; the mean then has a
        standard error.

        >>> import concordant as cc
        >>> soft = cc.Soft.from_matrix([[0.5, 0.5], [1.0, 0.0], [0.0, 1.0]])
        >>> cc.compare(soft, soft).expected("rand")
        rand 0.6667 on average over independent draws (exact)
        """
        check_seed(seed)
        if draws is not None:
            draws = check_count("draws", draws)
        return expectation.expected(self._counts, INDICES[index], self._hard_value(index), draws, seed)

    def energy_distance(self, index: str = "rand") -> float:
        """The energy distance of both sides, as distributions of partitions, by the distance of an index.

        It is 0 if both are the same distribution as far as the index can tell. For rand it equals
        2·(1 − soft_rand_squared). Other indices, such as variation_of_information, need draws on both sides.

        >>> import concordant as cc
        >>> u, v = cc.Soft.from_draws([[0, 0], [0, 1], [1, 1]]), cc.Soft.from_draws([[0], [0], [1]])
        >>> round(cc.compare(u, v).energy_distance("variation_of_information"), 4)
        0.4621
        """
        return expectation.energy_distance(self._counts, INDICES[index], self._hard_value(index))

    def _hard_value(self, index: str) -> expectation.HardValue:
        declared = [INDICES[index]]
        return lambda u, v: comparisons.values(declared, u, v)[0]

    def sampled(self, index: str, *, pairs: int = 1_000_000, seed: int = 0) -> SampledIndex:
        """An index that looks at all pairs, estimated from pairs drawn at random, with a standard error.

        >>> import concordant as cc
        >>> s = cc.compare(cc.Soft.from_matrix([[0.5, 0.5], [1.0, 0.0], [0.0, 1.0]]), [0, 0, 1])
        >>> found = s.sampled("soft_rand", pairs=1000)
        >>> abs(found.value - s.soft_rand) < 4 * found.se
        True
        """
        check_seed(seed)
        return sampled_index(self._counts.sides, soft_index(index).name, check_count("pairs", pairs), seed)

    # -- where they differ --------------------------------------------------------------------------------

    def matching(self, limit: int | None = None) -> LazyList[SoftMatch]:
        """Clusters matched one to one so that they share the most weight, largest overlaps first.

        >>> import concordant as cc
        >>> s = cc.compare(cc.Soft.from_matrix([[0.9, 0.1], [0.25, 0.75]]), ["a", "b"])
        >>> [(match.reference, match.candidate, match.overlap) for match in s.matching()]
        [(0, 'a', 0.9), (1, 'b', 0.75)]
        """
        found = soft_matches(self._counts)
        limit = check_limit(limit)
        title = f"{counted(len(found), 'pair')} of clusters"
        return LazyList(found[:limit], columns=field_names(SoftMatch), total=len(found), title=title)

    def relabelled(self) -> Soft:
        """The candidate with its columns in the order of the reference and under its names.

        Columns without a partner follow, as ``new_1``, ``new_2``, or under numbers if the reference has such.

        >>> import concordant as cc
        >>> u, v = [[0.9, 0.1], [0.2, 0.8]], [[0.1, 0.9], [0.6, 0.4]]
        >>> s = cc.compare(cc.Soft.from_matrix(u), cc.Soft.from_matrix(v))
        >>> s.relabelled().memberships.weights()[1].tolist()
        [0.4, 0.6]
        """
        return relabelled(self._counts)

    def records(self, limit: int | None = 20, by: SoftRecordsBy = "moved") -> LazyList[SoftRecordScore]:
        """The records on which both sides differ most, first; ``limit=None`` gives all.

        by    "moved": ½Σ|u − v| after the columns were matched, whose mean is 1 − soft_matching_accuracy;
              "pairs": Σ(p − q)² over the pairs of the record

        >>> import concordant as cc
        >>> s = cc.compare(cc.Soft.from_matrix([[0.9, 0.1], [0.25, 0.75]]), ["a", "b"])
        >>> s.records(limit=1)[0].record, s.records(limit=1)[0].moved
        (1, 0.25)
        """
        check_choice("by", by, get_args(SoftRecordsBy))
        limit = check_limit(limit)
        sides = self._counts.sides
        scores = {name: getattr(self._record_sums, name) for name in get_args(SoftRecordsBy)}

        positions = largest_of(scores[by], limit)
        sides.prepare(positions)

        def score(position: int) -> SoftRecordScore:
            record, *rows = sides.row(position)
            names = map(largest_cluster, rows, sides.clusters)
            own = {key: float(values[position]) for key, values in scores.items()}
            return SoftRecordScore(record, *names, **own)

        return LazyList(
            positions,
            score,
            columns=field_names(SoftRecordScore),
            total=sides.size,
            title=f"{sides.size:,} records",
        )

    @cached_property
    def _record_sums(self) -> RecordSums:
        return record_sums(self._counts)

    # -- how sure each value is -----------------------------------------------------------------------------

    def significance(
        self,
        index: str = DEFAULT_SOFT_INDEX,
        *,
        tail: Tail = "upper",
        method: SignificanceMethod = "auto",
        permutations: int = 9999,
        seed: int = 0,
    ) -> Significance:
        """How often permuted records agree as much, if the rows of both sides are kept.

        tail      "upper": at least as much agreement; "lower": at most as much; "two-sided": twice the
                  smaller of both
        method    "exact" makes all permutations of up to seven records; "gamma" takes the exact mean,
                  variance and skewness of Σpq, in O(n K³); "permutations" draws; "auto" takes the first of
                  these that is affordable
        permutations
                  how many to draw at most; drawing stops after 20 that are as extreme
        seed      of the permutations

        >>> import concordant as cc
        >>> s = cc.compare(cc.Soft.from_matrix([[0.9, 0.1]] * 6 + [[0.2, 0.8]] * 6), [0] * 6 + [1] * 6)
        >>> s.significance()
        soft_adjusted_rand 0.7826, by chance 0 ± 0.1065, z = 7.35, p ≈ 0.00052 (gamma approximation, \
one-sided: as large or larger)
        """
        found = soft_significance(
            self._counts,
            soft_index(index),
            self._when_undefined,
            tail=tail,
            method=method,
            permutations=permutations,
            seed=seed,
        )
        return replace(found, conventions=self._unusual_conventions)

    def interval(self, index: str = DEFAULT_SOFT_INDEX, *, level: float = 0.95, seed: int = 0) -> Interval:
        """Where the value of the population is, if these records were drawn from it one by one.

        soft_adjusted_rand, soft_rand_squared and soft_matching_accuracy have intervals. The interval includes
        disagreements that a sample of this size may have missed. It is about records, not about fitting: for
        how much two fits differ, compare several fits.

        level  how often such an interval contains the value of the population
        seed   of the random halves of soft_matching_accuracy

        >>> import concordant as cc
        >>> s = cc.compare(cc.Soft.from_matrix([[0.9, 0.1], [0.7, 0.3], [0.2, 0.8]] * 20), [0, 0, 1] * 20)
        >>> s.interval()
        soft_adjusted_rand 0.6238, 95% interval 0.5542 to 0.6914 (se 0.0338; jackknife of 60 records)
        """
        found = soft_interval(self._counts, soft_index(index), self._when_undefined, level, seed)
        return replace(found, conventions=self._unusual_conventions)

    # -- pictures -------------------------------------------------------------------------------

    def plot(
        self,
        *,
        share: SideName | None = None,
        names: tuple[str, str] = ("reference", "candidate"),
        ax: Any = None,
        width: float | None = None,
    ) -> Display:
        """The weight that clusters share, as a heat map with matched clusters on the diagonal.

        Matplotlib (extra ``plot``) draws it. Returns a display with ``ax_`` and ``figure_``.

        share    shares of the "reference" row or of the "candidate" column, not weights
        names    what the chart calls the two sides
        ax       Matplotlib's axes to draw on; a new figure if not given
        width    of a new figure, in mm: 85 is one column of most journals, 180 are two

        >>> import concordant as cc
        >>> s = cc.compare(cc.Soft.from_matrix([[0.9, 0.1], [0.25, 0.75]]), ["a", "b"])
        >>> s.plot(names=("mixture", "labels")).ax_.get_xlabel()
        'labels'
        """
        return soft_pictures.plot(self, share, names, ax=ax, width=width)

    def to_html(
        self,
        path: str | os.PathLike[str],
        *,
        names: tuple[str, str] = ("reference", "candidate"),
        indices: Sequence[str] | None = None,
        significance: bool = False,
        interval: bool | Iterable[Interval] = False,
    ) -> Path:
        """Write a page to look at: one file that needs no network. Returns its path.

        names         what the page calls the two sides
        indices       the indices under the headline; if not given, those that take one pass
        significance  whether to add the p-value of ``significance()``
        interval      whether the records are a random sample: then indices have their 95% intervals; or what
                      ``interval()`` returned for some of them

        >>> import concordant as cc, tempfile
        >>> s = cc.compare(cc.Soft.from_matrix([[0.9, 0.1], [0.25, 0.75]]), ["a", "b"])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     print(s.to_html(folder + "/mixture.html").name)
        mixture.html
        """
        if isinstance(interval, bool):
            shown = self.keys() if indices is None else [soft_index(name).name for name in indices]
            interval = [self.interval(name) for name in shown if interval and has_soft_interval(name)]
        page = soft_pictures.page(
            self,
            names,
            indices,
            significance=significance,
            intervals={each.index: each for each in interval},
        )
        return write_page(path, page)

    def _repr_html_(self) -> str:
        return soft_pictures.picture(self) + super()._repr_html_()
