"""SoftComparison: every question that two compared soft partitions answer."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from concordant import inference, soft
from concordant.clusterings.missing import unusual_conventions
from concordant.comparisons.comparison import Comparison
from concordant.comparisons.partitions import PARTITIONS, compare_partitions
from concordant.differences.lazy_list import LazyList, check_limit, field_names, largest_of
from concordant.errors import InputError, ParameterError
from concordant.foundation.conventions import SIDES, TABLE_LIMIT, Conventions, SideName, check_choice
from concordant.foundation.results import Listing, rounded
from concordant.foundation.spelling import counted, percent
from concordant.indices.index import INDICES
from concordant.indices.values import IndexValues
from concordant.report import pages
from concordant.report.charts.chart import Chart, Display
from concordant.report.report_data import SideTitles
from concordant.soft.alignment import laid_out, read_sides
from concordant.soft.attributes import SoftIndices
from concordant.soft.chart import SOFT_TABLE, SoftTable, soft_picture
from concordant.soft.clustering import Soft
from concordant.soft.counts import SoftCounts
from concordant.soft.data import SoftData
from concordant.soft.indices import DEFAULT_SOFT_INDEX
from concordant.soft.records import (
    SoftMatch,
    SoftRecordScore,
    largest_cluster,
    moved_weights,
    record_sums,
    relabelled,
    soft_matches,
)

if TYPE_CHECKING:
    from concordant.clusterings.labels import MemoryLabels
    from concordant.inference.null_distributions import Tail
    from concordant.inference.significance import Significance, SignificanceMethod
    from concordant.report.labels import PageLabels
    from concordant.report.pages import Section

SoftRecordsOrder = Literal["moved", "pairs"]

_RECORDS = 100  # that a page lists
_HARD = ("adjusted_rand", "matching_accuracy")  # the partition indices of a page


def compare_soft(reference: Any, candidate: Any, conventions: Conventions) -> SoftComparison:
    """Compare two sides of which one is a Soft."""
    refused = {
        "weights": (conventions.weights is not None, "each record of a soft comparison counts the same"),
        "reference_noise": (bool(conventions.reference_noise), "treat labels in the partition first"),
        "candidate_noise": (bool(conventions.candidate_noise), "treat labels in the partition first"),
        "undefined": (conventions.undefined == "conll", "the official scorer has no soft indices"),
        "table_limit": (conventions.table_limit != TABLE_LIMIT, "a soft comparison lists no overlaps"),
    }
    for option, (is_given, why) in refused.items():
        if is_given:
            raise ParameterError(f"{option}= does not apply to soft partitions: {why}")
    u, v = read_sides(reference, candidate, conventions)
    for option in ("noise", "nulls"):
        if isinstance(u, SoftData) and isinstance(v, SoftData) and getattr(conventions, option) is not None:
            raise ParameterError(f"{option}= applies to labels, and both sides are soft")
    counts = SoftCounts(laid_out(u, v, conventions), conventions.threads)
    if conventions.progress is not None:
        conventions.progress(1, 1)
    return SoftComparison(counts, (u, v), conventions)


class SoftComparison(SoftIndices, IndexValues):
    """A comparison of two clusterings, at least one of them soft. `compare` returns it.

    It is read-only. As a mapping, it has the values of the soft indices that take one pass over the records.
    Every soft index is also an attribute.

    Examples
    --------
    >>> import concordant as cc
    >>> s = cc.compare(cc.Soft.from_matrix([[0.9, 0.1], [0.8, 0.2], [0.1, 0.9]]), ["a", "a", "b"])
    >>> round(s.soft_adjusted_rand, 4), round(s["soft_matching_accuracy"], 4)
    (0.8053, 0.8667)
    """

    _called = "a soft comparison"
    _example = "s.soft_adjusted_rand"

    @classmethod
    def _elsewhere(cls, name: str) -> str:
        return "; .hardened has it, for the largest weights" if hasattr(Comparison, name) else ""

    def __init__(
        self,
        counts: SoftCounts,
        sides: tuple[SoftData | MemoryLabels, SoftData | MemoryLabels],
        conventions: Conventions,
    ) -> None:
        super().__init__()
        self._soft, self._sides, self._conventions = counts, sides, conventions
        self._when_undefined = conventions.undefined

    @property
    def _counts(self) -> SoftCounts:
        return self._soft

    # -- values -----------------------------------------------------------------------------------------

    @property
    def names(self) -> SideTitles:
        """The display names of the two sides, from `compare(..., names=...)`."""
        reference, candidate = self._conventions.checked_names(SIDES)
        return reference, candidate

    @property
    def _audit(self) -> Mapping[str, int]:
        return self._soft.sides.audit

    @property
    def _tested(self) -> Sequence[str]:
        return (DEFAULT_SOFT_INDEX,)

    def _worst(self, limit: int) -> LazyList[SoftRecordScore]:
        return self.records(limit)

    @property
    def _unusual_conventions(self) -> str:
        words = {"unmatched": self._conventions.unmatched, "undefined": self._when_undefined}
        return unusual_conventions(words)

    # -- as data and text ---------------------------------------------------------------------------------

    def _listings(self, limit: int | None = None) -> Sequence[Listing]:
        rows = []
        for each in map(self._index, self._names_of(None)):
            convention = " (by convention)" if each.is_undefined(self._soft) else ""
            rows.append((each.name, each.title, rounded(self._value(each)) + convention))
        return [Listing(rows[:limit], ["index", "title", "value"])]

    def _footnotes(self) -> Sequence[str]:
        omitted = [name for name in self.on_request if name not in self._names_of(None)]
        return [f"computed on request, from all pairs: {', '.join(omitted)}"] if omitted else []

    @property
    def signature(self) -> str:
        """One line to publish with the values: version, sizes and conventions.

        Examples
        --------
        >>> import concordant as cc
        >>> soft = cc.Soft.from_matrix([[0.5, 0.5], [1.0, 0.0]])
        >>> print(cc.compare(soft, [0, 0]).signature)  # doctest: +ELLIPSIS
        concordant ... | n=2 K=2 L=1 | soft | unmatched=error | undefined=convention
        """
        return self._signature(self._widths(), "soft", f"unmatched={self._conventions.unmatched}")

    def _widths(self) -> str:
        k, length = map(len, self._soft.sides.clusters)
        return f"K={k} L={length}"

    @property
    def headline(self) -> str:
        """One sentence with the most important values."""
        if not self._soft.size:
            return "There are no records to compare"
        value = rounded(self.soft_adjusted_rand, 2)
        shared = percent(self.soft_matching_accuracy, 1)
        return f"{shared} of the weight is in matched clusters; the soft adjusted Rand index is {value}"

    def _scope(self) -> str:
        widths = [counted(len(names), "cluster") for names in self._soft.sides.clusters]
        return f"{counted(self._soft.size, 'record')}, {widths[0]} against {widths[1]}"

    def __repr__(self) -> str:
        return f"<SoftComparison of {counted(self._soft.size, 'record')}: {self._widths()}>"

    # -- the hard comparison ------------------------------------------------------------------------------

    @cached_property
    def hardened(self) -> Comparison:
        """The comparison of the clusters with the largest weights, with all partition indices.

        Examples
        --------
        >>> import concordant as cc
        >>> soft = cc.Soft.from_matrix([[0.9, 0.1], [0.8, 0.2], [0.1, 0.9]])
        >>> cc.compare(soft, ["a", "a", "b"]).hardened.rand
        1.0
        """
        u, v = (each.harden() if isinstance(each, SoftData) else each for each in self._sides)
        # Nulls and noise were treated when the labels were read.
        conventions = replace(self._conventions, nulls=None, noise=None, noise_as=None, progress=None)
        return compare_partitions(PARTITIONS, u, v, conventions)

    # -- where they differ --------------------------------------------------------------------------------

    def matching(self) -> LazyList[SoftMatch]:
        """Match clusters one to one with the largest total shared weight.

        Returns
        -------
        LazyList of SoftMatch
            The pairs with the weight they share.

        Examples
        --------
        >>> import concordant as cc
        >>> s = cc.compare(cc.Soft.from_matrix([[0.9, 0.1], [0.25, 0.75]]), ["a", "b"])
        >>> [(match.reference, match.candidate, match.overlap) for match in s.matching()]
        [(0, 'a', 0.9), (1, 'b', 0.75)]
        """
        found = soft_matches(self._soft)
        title = f"{counted(len(found), 'pair')} of clusters"
        return LazyList(found, columns=field_names(SoftMatch), total=len(found), title=title)

    def relabelled(self) -> Soft:
        """Reorder and rename the candidate's clusters to match those of the reference.

        Unmatched clusters follow as `new_1`, `new_2`, or as numbers if the reference has numbers.

        Returns
        -------
        Soft
            The renamed candidate.

        Examples
        --------
        >>> import concordant as cc
        >>> u, v = [[0.9, 0.1], [0.2, 0.8]], [[0.1, 0.9], [0.6, 0.4]]
        >>> s = cc.compare(cc.Soft.from_matrix(u), cc.Soft.from_matrix(v))
        >>> s.relabelled().memberships.toarray()[1].tolist()
        [0.4, 0.6]
        """
        return Soft(relabelled(self._soft))

    def records(
        self, limit: int | None = 20, *, order: SoftRecordsOrder = "moved"
    ) -> LazyList[SoftRecordScore]:
        """List the records on which the two sides differ most.

        Parameters
        ----------
        limit : int or None, default=20
            Number of records to list. None lists all.
        order : {"moved", "pairs"}, default="moved"
            "moved" is ½Σ|u − v| after matching the clusters; its mean is 1 − soft_matching_accuracy. "pairs"
            is Σ(p − q)² over the pairs of the record.

        Returns
        -------
        LazyList of SoftRecordScore
            One score for each record.

        Examples
        --------
        >>> import concordant as cc
        >>> s = cc.compare(cc.Soft.from_matrix([[0.9, 0.1], [0.25, 0.75]]), ["a", "b"])
        >>> s.records(limit=1)[0].record, s.records(limit=1)[0].moved
        (1, 0.25)
        """
        check_choice("order", order, get_args(SoftRecordsOrder))
        limit = check_limit(limit)
        sides, sums = self._soft.sides, self._record_sums

        def score(position: int) -> SoftRecordScore:
            rows = (side.piece(slice(position, position + 1)) for side in sides.memberships)
            own, other = map(largest_cluster, rows, sides.clusters)
            sums_of_record = float(sums["moved"][position]), float(sums["pairs"][position])
            return SoftRecordScore(sides.record(position), own, other, *sums_of_record)

        return LazyList(
            largest_of(sums[order], limit),
            score,
            columns=field_names(SoftRecordScore),
            total=sides.size,
            title=f"{sides.size:,} records",
        )

    @cached_property
    def _record_sums(self) -> dict[str, NDArray[np.float64]]:
        return record_sums(self._soft)

    # -- how sure each value is -----------------------------------------------------------------------------

    def significance(
        self,
        index: str = DEFAULT_SOFT_INDEX,
        *,
        tail: Tail = "upper",
        method: SignificanceMethod = "auto",
        n_resamples: int = 9999,
        seed: int = 0,
    ) -> Significance:
        """Test the agreement against random permutations of the records, which keep each row intact.

        Parameters
        ----------
        index : str, default="soft_adjusted_rand"
            Name of the soft index.
        tail : {"upper", "lower", "two-sided"}, default="upper"
            "upper" tests for at least as much agreement, "lower" for at most as much. "two-sided" doubles the
            smaller p-value.
        method : {"auto", "exact", "gamma", "permutations"}, default="auto"
            "exact" lists all tables of different rows, up to 500,000. "permutations" draws. "gamma" fits the
            exact mean, variance and skewness of Σpq. "auto" takes "exact" if it is affordable, otherwise it
            draws, and takes "gamma" if no permutation was as extreme. Labels on both sides are tested as
            partitions are.
        n_resamples : int, default=9999
            Maximum number of permutations. Drawing stops after 20 that are as extreme. "auto" draws fewer for
            many thousands of records.
        seed : int, default=0
            Seed of the permutations.

        Returns
        -------
        Significance
            The p-value, z-score, and mean and standard deviation by chance.

        Examples
        --------
        >>> import concordant as cc
        >>> s = cc.compare(cc.Soft.from_matrix([[0.9, 0.1]] * 6 + [[0.2, 0.8]] * 6), [0] * 6 + [1] * 6)
        >>> s.significance()
        soft_adjusted_rand 0.7826, by chance 0 ± 0.1065, z = 7.35, p = 0.00216 (exact, one-sided: as large \
or larger)
        """
        found = inference.permutation_test.significance(
            self._soft,
            self._index(index),
            inference.significance.TestOptions(tail, method, n_resamples, seed),
            self._when_undefined,
        )
        return replace(found, conventions=self._unusual_conventions)

    # -- pictures -------------------------------------------------------------------------------

    def plot(
        self,
        kind: Literal["table"] = "table",
        *,
        share: SideName | None = None,
        ax: Any = None,
        width: float | None = None,
    ) -> Display:
        """Draw a heat map of the shared weights, matched clusters on the diagonal (extra `plot`).

        Parameters
        ----------
        kind : {"table"}, default="table"
            The chart.
        share : {"reference", "candidate"}, optional
            Show shares of the reference row or of the candidate column instead of weights.
        ax : matplotlib Axes, optional
            Axes to draw on. By default, a new figure.
        width : float, optional
            Width of a new figure in mm. 85 is one column of most journals, 180 is two.

        Returns
        -------
        Display
            The chart, with the attributes `ax_` and `figure_`.

        Examples
        --------
        >>> import concordant as cc
        >>> weights = cc.Soft.from_matrix([[0.9, 0.1], [0.25, 0.75]])
        >>> s = cc.compare(weights, ["a", "b"], names=("mixture", "labels"))
        >>> s.plot().ax_.get_xlabel()
        'labels'
        """
        check_choice("kind", kind, ("table",))
        if share is not None:
            check_choice("share", share, SIDES)
        return SOFT_TABLE.plot(self._table(self.names), share=share, ax=ax, width=width)

    def _table(self, names: SideTitles) -> SoftTable:
        counts, (own, others) = self._soft, self._soft.sides.clusters
        if not counts.size:
            raise InputError("there are no records to draw")
        # A side without clusters has an empty column.
        weights = moved_weights(counts)[np.ix_([*range(len(own)), -1], [*range(len(others)), -1])]
        picture = soft_picture(weights, counts.matched_columns, (own, others))
        return SoftTable(picture, names, (len(own), len(others)), self.soft_matching_accuracy)

    def to_html(
        self,
        path: str | os.PathLike[str],
        *,
        indices: str | Sequence[str] | None = None,
        significance: bool = False,
    ) -> Path:
        """Write the report page: one HTML file that needs no network.

        Parameters
        ----------
        path : str or path-like
            The file to write.
        indices : str or sequence of str, optional
            Names of the indices under the headline. By default, those of `keys`.
        significance : bool, default=False
            Whether to add the p-value of `significance`.

        Returns
        -------
        Path
            The path of the file.

        Examples
        --------
        >>> import concordant as cc, tempfile
        >>> s = cc.compare(cc.Soft.from_matrix([[0.9, 0.1], [0.25, 0.75]]), ["a", "b"])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     print(s.to_html(folder + "/mixture.html").name)
        mixture.html
        """
        declared = map(self._index, self._names_of(indices))
        values = [(index, self._value(index)) for index in declared]
        numbers: list[tuple[float | str, str, str]] = [
            (value, index.title, "by convention: 0/0" if index.is_undefined(self._soft) else "")
            for index, value in values
        ]
        numbers += [(self.hardened[name], INDICES[name].title, "of the largest weights") for name in _HARD]
        sentences = [*self._facts(), *([f"{self.significance()}."] if significance else [])]
        labels = pages.PageLabels()
        omitted = [name for name in self.on_request if name not in self._names_of(indices)]
        page = pages.Page(
            title=pages.title_of_sides(self.names),
            headline=self.headline,
            head=pages.paragraphs(sentences) + pages.key_numbers(numbers),
            sections=[
                *self._weight_sections(self.names, labels),
                soft.page.soft_indices(values, omitted),
                pages.signature_section(self.signature),
            ],
            labels=labels,
        )
        return page.write(path)

    def _weight_sections(self, names: SideTitles, labels: PageLabels) -> Iterator[Section]:
        """The weight that clusters share, and the records that moved most."""
        if self._soft.size:
            yield soft.page.matched_clusters(self._table(names), self.matching(), labels)
            yield soft.page.moved_records(self.records(limit=_RECORDS), self._soft.size, names, labels)

    def _facts(self) -> list[str]:
        """The sizes, and the records that only one side has."""
        facts = [f"{self._scope()}."]
        for side, other in (SIDES, SIDES[::-1]):
            if number := self._audit.get(f"only_{side}", 0):
                verb = "is" if number == 1 else "are"
                is_dropped = self._conventions.unmatched == "drop"
                fate = "left out" if is_dropped else f"in no cluster of the {other}"
                facts.append(f"{counted(number, 'record')} of the {side} alone {verb} {fate}.")
        return facts

    def _charts(self) -> list[tuple[Chart[SoftTable], SoftTable]]:
        return [(SOFT_TABLE, self._table(self.names))] if self._soft.size else []
