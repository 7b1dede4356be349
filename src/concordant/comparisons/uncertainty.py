"""Intervals, tests and slices of a comparison."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from concordant import comparisons, report, trust
from concordant.catalogue.index import INDICES
from concordant.comparisons.reports import ComparisonReports
from concordant.counts.counted import Counted
from concordant.errors import ParameterError, kind_of

if TYPE_CHECKING:
    from concordant.trust.adjusted import Adjusted, ChanceModel
    from concordant.trust.difference import Difference
    from concordant.trust.interval import Interval
    from concordant.trust.null_distributions import Tail
    from concordant.trust.significance import Significance, SignificanceMethod
    from concordant.trust.slice_cells import Reading
    from concordant.trust.slices import SliceCorrection, Slices
    from concordant.trust.versus import VersusMethod
    from concordant.views.random_models import RandomSides


class ComparisonUncertainty(ComparisonReports):
    """The uncertainty of a comparison."""

    __slots__ = ()

    def by(
        self,
        by: Any,
        *,
        records: Any = None,
        record: str | None = None,
        reading: Reading = "ends",
        measure: str = "bcubed_f",
        level: float = 0.95,
        correction: SliceCorrection = "holm",
        limit: int | None = None,
    ) -> Slices:
        """Compute the measures of each slice of the records and test each slice against the rest.

        Parameters
        ----------
        by : str, list of str, mapping, sequence or dataframe
            Columns of the compared sources or of `records`; several columns are crossed. Or the value of each
            record, as a mapping or in the order of the reference.
        records : dataframe or path, optional
            A source with one row for each record.
        record : str, optional
            The column of `records` that has the record ids.
        reading : {"ends", "any", "both"}, default="ends"
            The pairs of a slice. "ends" counts half a pair for each end in the slice, which adds up to the
            whole. "any" and "both" count the pairs with any end or both ends in the slice.
        measure : str, default="bcubed_f"
            The measure to test.
        level : float, default=0.95
            Confidence level of the intervals.
        correction : {"holm", "benjamini_hochberg", "none"}, default="holm"
            Correction of the p-values for multiple tests.
        limit : int, optional
            Number of slices to list, the largest first. Required for more than 1,000 slices.

        Returns
        -------
        Slices
            One row for each slice, also by name.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare([0, 0, 1, 1, 1], [0, 0, 0, 1, 1]).by(list("xxxyy"))["x"].recall
        0.5
        """
        how: dict[str, Any] = {"records": records, "record": record, "reading": reading, "measure": measure}
        how |= {"level": level, "correction": correction, "limit": limit, "undefined": self._when_undefined}
        return trust.slices.slices_of(self._counted, by, report.plot_slices, compared=self._edited, **how)

    def _edited(self, counted: Counted) -> Self:
        """A comparison of other counts, with the same conventions."""
        return type(self)(counted, undefined=self._when_undefined)

    def significance(
        self,
        index: str,
        *,
        tail: Tail = "upper",
        method: SignificanceMethod = "auto",
        permutations: int = 9999,
        seed: int = 0,
    ) -> Significance:
        """Test the agreement against random permutations of the elements.

        Permutations keep the cluster sizes of both sides.

        Parameters
        ----------
        index : str
            Name of the index.
        tail : {"upper", "lower", "two-sided"}, default="upper"
            "upper" tests for at least as much agreement, "lower" for at most as much. "two-sided" doubles the
            smaller p-value. For a distance, more agreement means a smaller value.
        method : {"auto", "exact", "gamma", "permutations"}, default="auto"
            "exact" enumerates all contingency tables with these cluster sizes. "gamma" fits the exact mean,
            variance and skewness of the number of joint pairs. "permutations" draws. "auto" takes the first
            of these that is affordable.
        permutations : int, default=9999
            Maximum number of permutations. Drawing stops after 20 that are as extreme.
        seed : int, default=0
            Seed of the permutations.

        Returns
        -------
        Significance
            The p-value, z-score, and mean and standard deviation by chance.

        Raises
        ------
        ParameterError
            If the method is not available for the index.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare(list("aaaabbbbcccc"), list("aaabbbbccccc")).significance("ARI")
        adjusted_rand 0.5119, by chance 0 ± 0.1321, z = 3.88, p = 0.00433 (exact, one-sided: as large or \
larger)
        """
        found = trust.significance.significance(
            self._counted.counts,
            INDICES[index],
            undefined=self._when_undefined,
            tail=tail,
            method=method,
            permutations=permutations,
            seed=seed,
        )
        return replace(found, conventions=self._unusual_conventions)

    def interval(self, index: str, *, level: float = 0.95, unit: Any = "record", seed: int = 0) -> Interval:
        """Estimate a confidence interval for the value in the population.

        The records or units must be a random sample of the population; a complete population has no sampling
        error. The interval also covers disagreements that a sample of this size may have missed, so it has a
        width even if both sides agree perfectly. If the sample does not determine the index, the interval is
        the whole range and `estimable` is False.

        Parameters
        ----------
        index : str
            Name of the index.
        level : float, default=0.95
            Confidence level.
        unit : str, mapping or sequence, default="record"
            The sampling unit. "record" if each record was drawn independently. Otherwise the unit of each
            record, such as its document: a mapping, a sequence in the order of the reference, or a column of
            the reference source. "component" uses the connected components, which is an approximation.
        seed : int, default=0
            Seed of the methods that draw.

        Returns
        -------
        Interval
            The value, the ends `low` and `high`, the standard error and the method.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare(list("aaaabbbbcccc"), list("aaabbbbccccc")).interval("f_measure")
        f_measure 0.6486, 95% interval 0.1544 to 0.9914 (se 0.2138; jackknife of 12 records; widened for \
unseen disagreements and agreements)
        """
        return comparisons.intervals.interval_of(
            self._counted, INDICES[index], self._when_undefined, level=level, unit=unit, seed=seed
        )

    def versus(
        self,
        other: Self,
        index: str,
        *,
        unit: Any = "record",
        level: float = 0.95,
        margin: float | None = None,
        method: VersusMethod | None = None,
        swaps: int = 9999,
        seed: int = 0,
    ) -> Difference:
        """Test whether this candidate is better than another one for the same reference.

        The test is paired: it uses the differences within the same records. Do not compare two separate
        intervals instead.

        Parameters
        ----------
        other : Comparison
            The comparison of the other candidate with the same reference, on the same records.
        index : str
            Name of the index.
        unit : str, mapping or sequence, default="record"
            The sampling unit, as in `interval`.
        level : float, default=0.95
            Confidence level.
        margin : float, optional
            Also test with this margin whether this candidate is noninferior and whether the two are
            equivalent. These p-values are one-sided.
        method : {"jackknife", "swaps"}, optional
            Method of the p-value: a paired jackknife, or random swaps of whole units between the two
            candidates. By default, swaps if the units contain whole clusters.
        swaps : int, default=9999
            Number of swaps to draw. If at most 16 units differ, all swaps are made.
        seed : int, default=0
            Seed of the swaps.

        Returns
        -------
        Difference
            The difference, its interval and p-value.

        Raises
        ------
        UnmatchedError
            If `other` has a different reference or different records.

        Examples
        --------
        >>> import concordant as cc
        >>> truth = list("aaaabbbbcccc")
        >>> new, old = cc.compare(truth, list("aaabbbbccccc")), cc.compare(truth, list("abababccccca"))
        >>> new.versus(old, "f_measure")
        f_measure 0.6486 against 0.3243: +0.3243 (unclear), 95% interval -0.3209 to +0.9696, p = 0.292 \
(paired jackknife of 12 records)
        """
        if not isinstance(other, ComparisonUncertainty):
            raise ParameterError(
                f"versus takes the other comparison, cc.compare(truth, other), not {kind_of(other)}"
            )
        found = trust.versus.versus(
            trust.paired.PairedCounts.of(self._counted, other._counted, unit),
            INDICES[index],
            undefined=self._when_undefined,
            unit=unit,
            level=level,
            margin=margin,
            method=method,
            swaps=swaps,
            seed=seed,
        )
        return replace(found, conventions=self._unusual_conventions)

    def adjusted(
        self,
        index: str,
        *,
        model: ChanceModel = "permutation",
        sides: RandomSides = "both",
        tolerance: float = 0.0005,
        seed: int = 0,
    ) -> Adjusted:
        """Adjust any index for chance: 0 on average by chance, 1 for identical partitions.

        Parameters
        ----------
        index : str
            Name of the index.
        model : {"permutation", "num", "all"}, default="permutation"
            The random partitions: "permutation" keeps the cluster sizes, "num" keeps the number of clusters,
            and "all" draws from all partitions.
        sides : {"both", "one"}, default="both"
            Whether both sides are random, or only the candidate. Under "permutation" this is the same.
        tolerance : float, default=0.0005
            Standard error to reach if the mean by chance must be simulated.
        seed : int, default=0
            Seed of the simulation.

        Returns
        -------
        Adjusted
            The adjusted value, the raw value and the mean by chance.

        Examples
        --------
        >>> import concordant as cc
        >>> found = cc.compare(list("aaaabbbbcccc"), list("aaabbbbccccc")).adjusted("rand")
        >>> round(found.value, 4), round(found.expected, 4)
        (0.5119, 0.5964)
        """
        found = trust.adjusted.adjusted(
            self._counted.counts.partitions,
            INDICES[index],
            undefined=self._when_undefined,
            model=model,
            sides=sides,
            tolerance=tolerance,
            seed=seed,
        )
        return replace(found, conventions=self._unusual_conventions)
