"""Comparison: every question that two compared partitions answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from concordant import comparisons, differences, report, trust
from concordant.catalogue.index import DEFAULT_FOR_EDITS, DEFAULT_INDEX, INDICES
from concordant.comparisons.base import ComparisonValues
from concordant.counts.counted import Counted
from concordant.counts.sides import SideName
from concordant.errors import ParameterError, kind_of

if TYPE_CHECKING:
    from concordant.comparisons.live import Live
    from concordant.differences.changes import Changes, ChangesBy
    from concordant.differences.clusters import ClustersBy, ClusterScore
    from concordant.differences.component_sums import ChangeKind
    from concordant.differences.components import Components
    from concordant.differences.edits import EditScript, Fewest
    from concordant.differences.lazy_list import LazyList
    from concordant.differences.matching import Matching, Relabelled
    from concordant.differences.objects import ObjectScores
    from concordant.differences.records import RecordsBy, RecordScore
    from concordant.differences.suggestions import Suggestions
    from concordant.differences.verdicts import VerdictSummary
    from concordant.trust.adjusted import Adjusted, ChanceModel
    from concordant.trust.difference import Difference
    from concordant.trust.interval import Interval
    from concordant.trust.null_distributions import Tail
    from concordant.trust.significance import Significance, SignificanceMethod
    from concordant.trust.slice_cells import Reading
    from concordant.trust.slices import SliceCorrection, Slices
    from concordant.trust.versus import VersusMethod
    from concordant.views.random_models import RandomSides


class Comparison(ComparisonValues):
    """Two partitions, compared: every index as an attribute or an item, differences, and uncertainty.

    It behaves as a mapping over the available indices and does not change. ``compare`` makes it.

    >>> c = Comparison.from_contingency([[10**12, 0], [1, 10**12]])
    >>> c.keys()[:2], round(c.recall, 6), c.exact("rand")
    (('precision', 'recall'), 1.0, Fraction(1999999999999, 2000000000001))
    """

    __slots__ = ()

    # -- where they differ ------------------------------------------------------------------------

    def summary(
        self,
        *,
        near: float = 0.8,
        majority: float = 0.5,
        indices: Sequence[str] | None = None,
        interval: bool = False,
        unit: Any = None,
    ) -> VerdictSummary:
        """The headline, the verdict on every cluster of both sides, counted, and four indices.

        near      the F1 with its partner, 2n/(a + b), from which on a cluster is nearly right
        majority  the share above which a part is most of a cluster
        indices   the indices to show; if not given, four that fit the data
        interval  whether the records are a random sample: then the indices have their 95% intervals
        unit      the units that were drawn, if they were not single records, as in ``interval()``

        >>> import concordant as cc
        >>> print(cc.compare(list("aaaaabbc"), [0, 0, 0, 0, 1, 2, 3, 4]).summary())
        2 of 3 reference clusters are found, 1 of them exactly; reference cluster b is split; \
25% of the records are in the wrong cluster
        3 reference clusters: 1 exact, 1 nearly, 1 split, 0 merged, 0 split and merged, 0 scattered
        5 candidate clusters: 1 exact, 1 nearly, 3 split, 0 merged, 0 split and merged, 0 scattered
        (nearly: F1 ≥ 0.8; majority: above 0.5)
        components: 1 × 1:1, 2 × 1:n, 0 × n:1, 0 × n:m; one 1:n component accounts for 80% of the missed pairs
        precision 1.0000, recall 0.5455, bcubed_f 0.8060, cluster_recall 0.3333
        """
        thresholds = differences.verdicts.Thresholds.of(near, majority)
        data = self._report_data(indices=indices, interval=interval, unit=unit, thresholds=thresholds)
        return replace(data.verdicts, headline=report.headline(data), indices=report.index_values(data))

    def changes(
        self,
        kind: ChangeKind | None = None,
        limit: int | None = 20,
        by: ChangesBy = "pairs",
        *,
        overlaps: int = 50,
        examples: int = 3,
    ) -> Changes:
        """What became of the clusters: components 1:1, 1:n (split), n:1 (merged) and n:m, costliest first.

        kind      only "1:1", "1:n", "n:1" or "n:m" components: reference clusters to candidate clusters
        limit     how many to list; None lists all
        by        what comes first: most "pairs" missed and wrong, "missed", "wrong", or "size"
        overlaps  how many clusters of a component to list, the largest, and overlaps, the costliest
        examples  how many records of each overlap to name

        Components of covers, and of sides that keep elements of their own, may also be "1:1 changed", "1:0"
        or "0:1", and cost memberships, not pairs.

        >>> import concordant as cc
        >>> c = cc.compare(list("aaaabbc"), [0, 0, 0, 1, 2, 2, 2])
        >>> print(c.changes())
        0 × 1:1, 1 × 1:n, 1 × n:1, 0 × n:m
          1:n reference 'a' (4) into candidate 0 (3), 1 (1); 3 pairs missed
          n:1 reference 'b' (2), 'c' (1) into candidate 2 (3); 2 pairs wrong
        >>> c.changes("1:n")[0].overlaps[1].examples
        (3,)
        """
        counts, names = differences.own_clusters.own_clusters(self._counted)
        return differences.changes.changes_of(
            counts, names, kind=kind, limit=limit, by=by, overlaps=overlaps, examples=examples
        )

    def components(self, limit: int | None = 20) -> Components:
        """The n:m components, and the fewest records whose removal splits each into two.

        The cut is exact: the lightest that leaves records on both sides, for any number of overlaps. If no
        cut is lighter than the largest overlap of the component (or than ten records), ``note`` reports that.

        >>> import concordant as cc
        >>> truth, guess = list("aaaabbbbccccdddd"), [0, 0, 1, 1, 1, 1, 0, 0, 2, 2, 3, 3, 3, 3, 2, 1]
        >>> print(cc.compare(truth, guess).components())
        1 n:m component
          4 reference clusters with 4 of the candidate: without 1 record ('d' in 1) it falls into two \
components, n:m (8 records) and n:m (7 records)
        """
        return differences.components.components_of(
            self._counted.counts.completed, self._counted.names, limit
        )

    def clusters(
        self,
        side: SideName = "reference",
        limit: int | None = 20,
        by: ClustersBy = "pairs",
        *,
        near: float = 0.8,
        majority: float = 0.5,
    ) -> LazyList[ClusterScore]:
        """Each cluster's verdict, precision, recall, purity, partner and share of the disagreement.

        by            what comes first: most "pairs" missed and wrong, "missed", "wrong", "size", "pieces"
                      or "entropy", or the lowest "precision", "recall" or "purity"
        near, majority  what the verdicts mean, as in ``summary``

        >>> import concordant as cc
        >>> scores = cc.compare(list("aaaabbc"), [0, 0, 0, 1, 2, 2, 2]).clusters()
        >>> scores[0].label, scores[0].verdict, scores[0].recall, scores[0].partner, scores[0].missed
        ('a', 'nearly', 0.625, 0, 3)
        """
        thresholds = differences.verdicts.Thresholds.of(near, majority)
        counts, names = differences.own_clusters.own_clusters(self._counted)
        return differences.clusters.clusters_of(counts, names, side, limit, by, thresholds=thresholds)

    def edits(self, fewest: Fewest = "steps") -> EditScript:
        """A shortest sequence of splits and merges that turns the candidate into the reference.

        fewest   "steps", or "records": more steps where overlaps run in cycles, but no way moves fewer
                 records, and the cost is the split-join distance

        >>> import concordant as cc
        >>> script = cc.compare(list("aaaabbc"), [0, 0, 0, 1, 2, 2, 2]).edits()
        >>> print(script)
        1 split and 1 merge, 2 records moved
          merge 1, 1 record, into 0
          split 2: 1 record of reference 'c' becomes #3
        >>> script.apply().tolist()
        [0, 0, 0, 0, 2, 2, 3]
        """
        return differences.edits.edits_of(self._counted.counts.completed, self._counted.names, fewest)

    def what_if(self, *, merge: Any = None, split: Any = None, move: Any = None) -> Self:
        """The comparison as it would be after edits of the candidate; this one stays as it is.

        merge  clusters to merge, by their labels; or several lists of them
        split  records of one cluster, or in no cluster, that become a cluster of their own; or several lists
               of them; or a mapping from cluster to the reference cluster whose records are split off
        move   a mapping from record to the cluster it moves to

        Edits are made in this order, each as ``cc.Live`` makes it.

        >>> import concordant as cc
        >>> c = cc.compare(["a", "a", "a", "b"], [1, 1, 2, 2])
        >>> c.jaccard, c.what_if(move={2: 1}).jaccard, c.what_if(merge=[1, 2]).jaccard
        (0.25, 1.0, 0.5)
        """
        edited = self.live().edit(merge=merge, split=split, move=move)
        return self._edited(edited.counted())

    def suggest(
        self,
        index: str = DEFAULT_FOR_EDITS,
        kinds: Sequence[str] = ("merge", "split", "move"),
        limit: int | None = 20,
    ) -> Suggestions:
        """The single edits of the candidate that make an index better, best first.

        A merge joins two clusters that share a reference cluster, a split takes the records of one reference
        cluster out of a cluster, a move takes one record to another cluster. Each has the value of the index
        after it and the gain. ``apply()`` makes the edit, and gives the suggestions that follow. Edits that
        each gain less than 1% of what is missing are shown together by their kind, with the gain of all of
        them made; ``groups`` has these. Noise, and records in no cluster of a side, are not edited.

        index    what to make better: any index with a perfect value; see docs/live.md for large data
        kinds    which edits to look for
        limit    how many to list; None lists all that help

        >>> import concordant as cc
        >>> edits = cc.compare(list("aaaabbc"), [0, 0, 0, 1, 2, 2, 2]).suggest("jaccard")
        >>> print(edits)
        jaccard 0.4444
          merge candidate cluster 1 (1 record) into candidate cluster 0: 0.7778 (gain 0.3333)
          move record 3 of reference cluster 'a' from candidate cluster 1 \
to candidate cluster 0: 0.7778 (gain 0.3333)
          split candidate cluster 2: take out 1 record of reference cluster 'c': 0.5714 (gain 0.127)
        >>> print(edits.apply())
        jaccard 0.7778
          split candidate cluster 2: take out 1 record of reference cluster 'c': 1.0000 (gain 0.2222)
        """
        return differences.suggestions.suggestions_of(
            self._counted, index, kinds, limit, compared=self._edited, undefined=self._when_undefined
        )

    def matching(self, limit: int | None = None) -> Matching:
        """Clusters paired one to one so that the pairs hold as many records as possible, largest first.

        Each pair has its overlap, precision, recall and Jaccard index; ``overlap`` of the whole is
        n times ``matching_accuracy``. Of equally good matchings, sizes and labels decide.

        >>> import concordant as cc
        >>> pairs = cc.compare(list("aaaabbc"), [0, 0, 0, 1, 2, 2, 2]).matching()
        >>> [(pair.reference, pair.candidate, pair.overlap) for pair in pairs], pairs.overlap
        ([('a', 0, 3), ('b', 2, 2)], 5)
        """
        return differences.matching.matching_of(self._counted.counts.completed, self._counted.names, limit)

    def relabelled(self) -> Relabelled:
        """The candidate's labels, renamed to the reference clusters they match best, one to one.

        Clusters left over get new names, the largest first, that no cluster of either side has: numbers
        where the reference has numbers, else ``new_1``, ``new_2``. The label of noise that is counted
        as singletons stays. ``labels`` has a name for each record,
        ``mapping`` one for each label, and ``apply`` renames labels in the container they came in.

        >>> import concordant as cc
        >>> new = cc.compare(list("aaaabbc"), [0, 0, 0, 1, 2, 2, 2]).relabelled()
        >>> new.mapping
        {0: 'a', 1: 'new_1', 2: 'b'}
        >>> new.labels.tolist()
        ['a', 'a', 'a', 'new_1', 'b', 'b', 'b']
        """
        return differences.matching.relabelled_of(self._counted.counts.completed, self._counted.names)

    def objects(self, iou: float = 0.5) -> ObjectScores:
        """Every object of both sides, as in images: matched, missed, invented, split or merged.

        iou     overlap over union from which on two objects match; of several matchings the largest

        An object of the reference that has no match is split where two or more of the candidate lie mostly
        in it, and merged where it lies mostly in one that holds most of another, too.

        >>> import numpy as np, concordant as cc
        >>> truth, seg = np.array([[1, 1, 1, 1, 0, 2]]), np.array([[1, 1, 2, 2, 0, 0]])
        >>> zero = {0: "background"}
        >>> c = cc.compare(truth, seg, reference_noise=zero, candidate_noise=zero)
        >>> [(each.label, each.verdict) for each in c.objects(iou=0.6)]
        [(1, 'split'), (2, 'missed'), (1, 'split'), (2, 'split')]
        """
        counted = self._counted
        return differences.objects.objects_of(counted.counts, counted.names, iou)

    def records(self, limit: int | None = 20, by: RecordsBy = "similarity") -> LazyList[RecordScore]:
        """The records that are worst off, worst first; ``limit=None`` gives all.

        Each has its own precision n/b, recall n/a and similarity n/max(a, b); their means over all
        records are bcubed_precision, bcubed_recall and element_centric.

        >>> import concordant as cc
        >>> cc.compare({"x": 0, "y": 0, "z": 1}, {"x": 5, "y": 6, "z": 6}).records(limit=1)
        [RecordScore(record='x', reference=0, candidate=5, precision=1.0, recall=0.5, similarity=0.5)]
        """
        return differences.records.worst(
            self._counted.names.records, self._counted.counts.completed.table, limit, by
        )

    def over_edges(self, edges: Any, index: str = DEFAULT_INDEX) -> float:
        """A pair-counting index over the pairs of records that the edges of a graph join.

        With "adjusted_rand" it is the adjusted graph-aware Rand index.

        edges  pairs of records as a list, two columns of an array or dataframe, or a networkx or igraph graph
        index  any index that is computed from the four pair counts alone

        >>> import concordant as cc
        >>> c = cc.compare([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1])
        >>> edges = [(0, 1), (1, 2), (0, 2), (2, 3), (3, 4), (4, 5), (3, 5)]
        >>> round(c.adjusted_rand, 4), round(c.over_edges(edges), 4)
        (0.3243, -0.2353)
        """
        return comparisons.edges.value_over_edges(self._counted, edges, INDICES[index], self._when_undefined)

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
        """The measures of each slice of the records, such as a country, and which are worse than the rest.

        by       columns of the sources that were compared, or of ``records``; several cross. Or the value of
                 each record: a mapping, or a sequence or dataframe in the order of the reference
        records  a dataframe or a file with a row for each record; ``record`` is its column that names them
        reading  the pairs of a slice: half a pair for each of its "ends" in the slice, which adds up to the
                 whole; pairs with "any" end in it; or with "both" ends in it
        measure  what is compared with the rest; ``correction`` of its p-values: "holm",
                 "benjamini_hochberg" or "none"
        limit    how many to list, the largest first; needed if there are more than 1,000

        >>> import concordant as cc
        >>> cc.compare([0, 0, 1, 1, 1], [0, 0, 0, 1, 1]).by(list("xxxyy"))["x"].recall
        0.5
        """
        how: dict[str, Any] = {"records": records, "record": record, "reading": reading, "measure": measure}
        how |= {"level": level, "correction": correction, "limit": limit, "undefined": self._when_undefined}
        return trust.slices.slices_of(self._counted, by, report.plot_slices, compared=self._edited, **how)

    def live(self, index: str = DEFAULT_INDEX) -> Live:
        """The same as a comparison that follows edits; this one stays as it is.

        >>> import concordant as cc
        >>> live = cc.compare(["a", "a", "b"], [1, 2, 2]).live()
        >>> live.jaccard, live.move(1, to=1).jaccard
        (0.0, 1.0)
        """
        return comparisons.live.Live(index, undefined=self._when_undefined).begin(self._counted)

    def _edited(self, counted: Counted) -> Self:
        """A comparison of other counts, with the same conventions."""
        return type(self)(counted, undefined=self._when_undefined)

    # -- how sure each value is -------------------------------------------------------------------

    def significance(
        self,
        index: str,
        *,
        tail: Tail = "upper",
        method: SignificanceMethod = "auto",
        permutations: int = 9999,
        seed: int = 0,
    ) -> Significance:
        """How often chance gives as much agreement, if cluster sizes are kept and elements are permuted.

        tail      "upper": at least as much agreement; "lower": at most as much; "two-sided": twice the
                  smaller of both. A distance has less agreement where it is larger; ``direction`` of the
                  result is "larger" or "smaller"
        method    "exact" counts all contingency tables with these margins; "gamma" approximates the
                  distribution of N₁₁ by its exact mean, variance and skewness; "permutations" draws;
                  "auto" takes the first of these that is affordable
        permutations
                  how many to draw at most; drawing stops after 20 permutations that are as extreme
        seed      of the permutations

        >>> import concordant as cc
        >>> cc.compare(list("aaaabbbbcccc"), list("aaabbbbccccc")).significance("ARI")
        adjusted_rand 0.5119, by chance 0 ± 0.1321, z = 3.88, p = 0.00433 (exact, one-sided: \
as large or larger)
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
        """Where the value of the population is, if these records or units were drawn from it at random.

        A census has no sampling error, and so no interval. The interval includes disagreements that a sample
        of this size may have missed: it has width even if the sample has none. If the sample does not
        determine the index, the interval is the whole range, and ``estimable`` is False.

        level  how often such an interval contains the value of the population
        unit   what was drawn: each "record" by itself; or the unit (a document, a household) of each
               record, as a mapping, or as a sequence in the order of the reference; for dataframes and
               files that their own engine counts, the name of a column of the reference. "component"
               takes the connected components for units, which is an approximation
        seed   of the random numbers that some methods draw

        >>> import concordant as cc
        >>> cc.compare(list("aaaabbbbcccc"), list("aaabbbbccccc")).interval("f_measure")
        f_measure 0.6486, 95% interval 0.1544 to 0.9914 (se 0.2138; jackknife of 12 records; \
widened for unseen disagreements and agreements)
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
        """Whether this system is better than another that was compared with the same reference.

        Both are left without the same record in turn, so a change that both share does not count. Whether
        their two intervals overlap does not answer this question.

        other   the comparison of the same records of the same reference with the other system
        level   how often such an interval contains the difference in the population
        unit    what was drawn: each "record" by itself; or the unit (a document) of each record, as a
                mapping, or as a sequence in the order of the reference; for dataframes and files that their
                own engine counts, the name of a column of the reference
        margin  also test whether this system is worse by less than this (noninferior), and whether both
                differ by less than this (equivalent); these p-values are one-sided
        method  where the p-value is from: the "jackknife", or "swaps" of whole units between the systems.
                The default is swaps if units are given and hold whole clusters
        swaps   how many to draw, if more than 16 units differ; else all are made
        seed    of the swaps

        >>> import concordant as cc
        >>> truth = list("aaaabbbbcccc")
        >>> new, old = cc.compare(truth, list("aaabbbbccccc")), cc.compare(truth, list("abababccccca"))
        >>> new.versus(old, "f_measure")
        f_measure 0.6486 against 0.3243: +0.3243 (unclear), 95% interval -0.3209 to +0.9696, p = 0.292 (\
paired jackknife of 12 records)
        """
        if not isinstance(other, Comparison):
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
