"""What a comparison answers when it is asked how sure its values are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from concordant.catalogue.index import INDICES
from concordant.counts.conventions import Undefined
from concordant.counts.counted import Counted
from concordant.counts.interruption import catchable
from concordant.errors import ParameterError, kind_of

if TYPE_CHECKING:  # imported where they are used, since most comparisons are not asked
    from concordant.trust.adjusted import Adjusted, ChanceModel
    from concordant.trust.interval import Interval
    from concordant.trust.significance import Significance, SignificanceMethod
    from concordant.trust.versus import Difference, VersusMethod
    from concordant.views.random_models import RandomSides


class TrustAnswers:
    """How sure each value is: significance, intervals, and adjustment for chance."""

    __slots__ = ()

    _counted: Counted
    _when_undefined: Undefined

    @catchable
    def significance(
        self, index: str, *, method: SignificanceMethod = "auto", permutations: int = 9999, seed: int = 0
    ) -> Significance:
        """Whether the agreement is more than chance brings, cluster sizes kept and elements shuffled.

        method    "exact" counts every contingency table with these margins; "gamma" takes a law with the
                  exact mean, variance and skewness of N₁₁; "permutations" draws; "auto" takes the first of
                  them that can be had
        permutations  how many to draw at most; fewer do where chance often brings as much
        seed      of the permutations

        >>> import concordant as cc
        >>> cc.compare(list("aaaabbbbcccc"), list("aaabbbbccccc")).significance("ARI")
        adjusted_rand 0.5119, by chance 0 ± 0.1321, z = 3.88, p = 0.00433 (exact; at most 0.02)
        """
        from concordant.trust.significance import significance

        return significance(
            self._counted.counts.partitions,
            INDICES[index],
            undefined=self._when_undefined,
            method=method,
            permutations=permutations,
            seed=seed,
        )

    @catchable
    def interval(self, index: str, *, level: float = 0.95, unit: Any = "record", seed: int = 0) -> Interval:
        """Where the value would lie for all data, of which these were drawn at random; by the jackknife.

        A census has no interval: where nothing was drawn there is no sampling error.

        level  how often such an interval holds the value of the population
        unit   what was drawn: each "record" by itself; or the unit (a document, a household) of each
               record, as a mapping, or as a sequence in the order of the reference; of dataframes and
               files that are counted where they lie, the name of a column of the reference. "block"
               takes clusters that overlaps connect for units, which is a makeshift
        seed   of the random groups, for an index that has no closed form

        >>> import concordant as cc
        >>> cc.compare(list("aaaabbbbcccc"), list("aaabbbbccccc")).interval("f_measure")
        f_measure 0.6486, 95% interval 0.2270 to 0.9207 (se 0.2138; jackknife of 12 records)
        """
        from concordant.trust.interval import interval
        from concordant.trust.paired import PairedCounts

        known, drawn = self._counted, None
        if known.sources is not None and isinstance(unit, str) and unit not in ("record", "block"):
            drawn = PairedCounts.units_of_source(known, unit)
        return interval(
            known,
            INDICES[index],
            undefined=self._when_undefined,
            level=level,
            unit=unit,
            seed=seed,
            drawn=drawn,
        )

    @catchable
    def versus(
        self,
        other: Self,
        index: str,
        *,
        unit: Any = "record",
        level: float = 0.95,
        method: VersusMethod = "jackknife",
        swaps: int = 9999,
        seed: int = 0,
    ) -> Difference:
        """Whether this system is better than another that was compared with the same reference.

        Both are left without the same record in turn, so that what moves both alike does not count. Two
        intervals of their own that overlap say nothing about a difference.

        other   the comparison of the same records of the same reference with the other system
        level   how often such an interval holds the difference in the population
        unit    what was drawn: each "record" by itself; or the unit (a document) of each record, as a
                mapping, or as a sequence in the order of the reference; of dataframes and files that are
                counted where they lie, the name of a column of the reference
        method  where the p-value is from: the "jackknife", or "swaps" of whole units between the systems
        swaps   how many to draw
        seed    of the swaps, and of random groups for an index that has no closed form

        >>> import concordant as cc
        >>> truth = list("aaaabbbbcccc")
        >>> new, old = cc.compare(truth, list("aaabbbbccccc")), cc.compare(truth, list("abababccccca"))
        >>> new.versus(old, "f_measure")
        f_measure 0.6486 against 0.3243: +0.3243, 95% interval -0.1367 to +0.7854, p = 0.168 (paired \
jackknife of 12 records)
        """
        from concordant.trust.paired import PairedCounts
        from concordant.trust.versus import versus

        if not isinstance(other, TrustAnswers):
            raise ParameterError(
                f"versus takes the other comparison, cc.compare(truth, other), not {kind_of(other)}"
            )
        return versus(
            PairedCounts.of(self._counted, other._counted, unit),
            INDICES[index],
            undefined=self._when_undefined,
            unit=unit,
            level=level,
            method=method,
            swaps=swaps,
            seed=seed,
        )

    @catchable
    def adjusted(
        self,
        index: str,
        *,
        model: ChanceModel = "shuffle",
        sides: RandomSides = "both",
        tolerance: float = 0.0005,
        seed: int = 0,
    ) -> Adjusted:
        """Any index on a scale where chance has 0 on average and identical partitions have 1.

        model      what chance is: "shuffle" keeps the cluster sizes, "num" the numbers of clusters, and
                   "all" draws among all partitions
        sides      "one" keeps the reference as it is; for permutations that is the same
        tolerance  the standard error to reach, where the mean by chance has to be drawn
        seed       of the draws

        >>> import concordant as cc
        >>> found = cc.compare(list("aaaabbbbcccc"), list("aaabbbbccccc")).adjusted("rand")
        >>> round(found.value, 4), round(found.expected, 4)
        (0.5119, 0.5964)
        """
        from concordant.trust.adjusted import adjusted

        return adjusted(
            self._counted.counts.partitions,
            INDICES[index],
            undefined=self._when_undefined,
            model=model,
            sides=sides,
            tolerance=tolerance,
            seed=seed,
        )
