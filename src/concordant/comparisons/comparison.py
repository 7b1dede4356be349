"""Comparison: every question that two compared partitions answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from concordant import comparisons, differences, report
from concordant.catalogue.index import DEFAULT_FOR_EDITS, DEFAULT_INDEX, INDICES
from concordant.comparisons.uncertainty import ComparisonUncertainty
from concordant.counts.sides import SideName

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


class Comparison(ComparisonUncertainty):
    """A comparison of two clusterings: every index, the differences, and the uncertainty.

    `compare` returns it. It is read-only. Every index is an attribute and an item, and the comparison is a
    mapping from the available indices to their values.

    Examples
    --------
    >>> c = Comparison.from_contingency([[10**12, 0], [1, 10**12]])
    >>> c.keys()[:2], round(c.recall, 6), c.exact("rand")
    (('precision', 'recall'), 1.0, Fraction(1999999999999, 2000000000001))
    """

    __slots__ = ()

    def summary(
        self,
        *,
        near: float = 0.8,
        majority: float = 0.5,
        indices: Sequence[str] | None = None,
        interval: bool = False,
        unit: Any = None,
    ) -> VerdictSummary:
        """Count the verdicts on the clusters of both sides.

        The summary also has the headline, the components and four indices.

        Parameters
        ----------
        near : float, default=0.8
            Minimum F1 with its partner, 2n/(a + b), for a cluster to count as nearly right.
        majority : float, default=0.5
            Share above which a part counts as most of a cluster.
        indices : sequence of str, optional
            Names of the indices to show. By default, four that fit the data.
        interval : bool, default=False
            Whether the records are a random sample. If so, the indices have 95% intervals.
        unit : str, mapping or sequence, optional
            The sampling unit of each record, as in `interval`.

        Returns
        -------
        VerdictSummary
            The counts by verdict. Printing them shows the text.

        Examples
        --------
        >>> import concordant as cc
        >>> print(cc.compare(list("aaaaabbc"), [0, 0, 0, 0, 1, 2, 3, 4]).summary())
        2 of 3 reference clusters are found, 1 of them exactly; reference cluster b is split; 25% of the \
records are in the wrong cluster
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
        """List the components in which clusters were split, merged or mixed, the costliest first.

        A component is a set of clusters that overlap directly or through other clusters. It is 1:1
        (unchanged), 1:n (split), n:1 (merged) or n:m, reference clusters to candidate clusters. If a side is
        a cover or has unmatched elements, there are also "1:1 changed", "1:0" and "0:1" components, and the
        costs are memberships instead of pairs.

        Parameters
        ----------
        kind : {"1:1", "1:1 changed", "1:n", "n:1", "n:m", "1:0", "0:1"}, optional
            List only components of this kind.
        limit : int or None, default=20
            Number of components to list. None lists all.
        by : {"pairs", "missed", "wrong", "size"}, default="pairs"
            The order: most missed and wrong pairs together, missed pairs, wrong pairs, or records.
        overlaps : int, default=50
            Number of clusters (the largest) and of overlaps (the costliest) to list in a component.
        examples : int, default=3
            Number of records to name in each overlap.

        Returns
        -------
        Changes
            A list of components. Printing it shows one line for each.

        Examples
        --------
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
        """List the n:m components with their minimum cuts.

        The cut is the smallest number of records whose removal splits a component into two. It is exact. If
        no cut is smaller than the largest overlap of the component, or than ten records, `note` reports that.

        Parameters
        ----------
        limit : int or None, default=20
            Number of components to list. None lists all.

        Returns
        -------
        Components
            A list of components. Printing it shows one line for each.

        Examples
        --------
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
        """Score each cluster of one side: verdict, precision, recall, purity, partner and missed pairs.

        Parameters
        ----------
        side : {"reference", "candidate"}, default="reference"
            The side whose clusters are listed.
        limit : int or None, default=20
            Number of clusters to list. None lists all.
        by : str, default="pairs"
            The order: most "pairs" (missed and wrong), "missed" pairs, "wrong" pairs, "size", "pieces" or
            "entropy" first; or lowest "precision", "recall" or "purity" first.
        near : float, default=0.8
            Threshold of the verdict "nearly", as in `summary`.
        majority : float, default=0.5
            Threshold of the verdicts "split" and "merged", as in `summary`.

        Returns
        -------
        LazyList of ClusterScore
            One score for each cluster.

        Examples
        --------
        >>> import concordant as cc
        >>> scores = cc.compare(list("aaaabbc"), [0, 0, 0, 1, 2, 2, 2]).clusters()
        >>> scores[0].label, scores[0].verdict, scores[0].recall, scores[0].partner, scores[0].missed
        ('a', 'nearly', 0.625, 0, 3)
        """
        thresholds = differences.verdicts.Thresholds.of(near, majority)
        counts, names = differences.own_clusters.own_clusters(self._counted)
        return differences.clusters.clusters_of(counts, names, side, limit, by, thresholds=thresholds)

    def edits(self, fewest: Fewest = "steps") -> EditScript:
        """Find a shortest sequence of splits and merges that turns the candidate into the reference.

        Parameters
        ----------
        fewest : {"steps", "records"}, default="steps"
            The quantity to minimise. "records" may take more steps if overlaps form cycles, but moves as few
            records as possible: the split-join distance.

        Returns
        -------
        EditScript
            The edits in order. `apply` returns the edited labels.

        Examples
        --------
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
        """Compare again after editing the candidate.

        This comparison does not change. Merges are applied first, then splits, then moves.

        Parameters
        ----------
        merge : list of labels, or list of lists, optional
            Clusters to merge.
        split : list of records, list of lists, or mapping, optional
            Records of one cluster, or of no cluster, that become a new cluster. A mapping from a cluster to a
            reference cluster splits off the records of that reference cluster.
        move : mapping, optional
            The new cluster of each record to move.

        Returns
        -------
        Comparison
            The comparison of the edited candidate with the reference.

        Raises
        ------
        InputError
            If a cluster or a record does not exist, or if the records of a split are in several clusters.

        See Also
        --------
        suggest : the edits that improve an index most.

        Examples
        --------
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
        """List the single edits of the candidate that improve an index, the best first.

        A merge joins two clusters that share a reference cluster. A split removes the records of one
        reference cluster from a cluster. A move takes one record to another cluster. Noise and records in no
        cluster are not edited. Edits that each gain less than 1% of the possible improvement are grouped by
        kind in `groups`.

        Parameters
        ----------
        index : str, default="bcubed_f"
            The index to improve. It needs a perfect value.
        kinds : sequence of str, default=('merge', 'split', 'move')
            The kinds of edits to try.
        limit : int or None, default=20
            Number of edits to list. None lists all that help.

        Returns
        -------
        Suggestions
            The edits, each with the value of the index after it and the gain. `apply` makes an edit and
            returns the next suggestions.

        Raises
        ------
        ParameterError
            If the index has no perfect value.

        Examples
        --------
        >>> import concordant as cc
        >>> edits = cc.compare(list("aaaabbc"), [0, 0, 0, 1, 2, 2, 2]).suggest("jaccard")
        >>> print(edits)
        jaccard 0.4444
          merge candidate cluster 1 (1 record) into candidate cluster 0: 0.7778 (gain 0.3333)
          move record 3 of reference cluster 'a' from candidate cluster 1 to candidate cluster 0: 0.7778 \
(gain 0.3333)
          split candidate cluster 2: take out 1 record of reference cluster 'c': 0.5714 (gain 0.127)
        >>> print(edits.apply())
        jaccard 0.7778
          split candidate cluster 2: take out 1 record of reference cluster 'c': 1.0000 (gain 0.2222)
        """
        return differences.suggestions.suggestions_of(
            self._counted, index, kinds, limit, compared=self._edited, undefined=self._when_undefined
        )

    def matching(self, limit: int | None = None) -> Matching:
        """Match clusters one to one with the largest total overlap.

        Ties are broken by cluster sizes and labels.

        Parameters
        ----------
        limit : int, optional
            Number of pairs to list, the largest first. By default, all.

        Returns
        -------
        Matching
            The pairs, each with overlap, precision, recall and Jaccard index. `overlap` is the total, n times
            `matching_accuracy`.

        Examples
        --------
        >>> import concordant as cc
        >>> pairs = cc.compare(list("aaaabbc"), [0, 0, 0, 1, 2, 2, 2]).matching()
        >>> [(pair.reference, pair.candidate, pair.overlap) for pair in pairs], pairs.overlap
        ([('a', 0, 3), ('b', 2, 2)], 5)
        """
        return differences.matching.matching_of(self._counted.counts.completed, self._counted.names, limit)

    def relabelled(self) -> Relabelled:
        """Rename the candidate's labels to those of the matched reference clusters.

        Unmatched clusters get new names, the largest first: numbers if the reference has numbers, otherwise
        `new_1`, `new_2`. Noise that counts as singletons keeps its label.

        Returns
        -------
        Relabelled
            `labels` has the new label of each record, `mapping` the new name of each old label. `apply`
            renames labels and keeps their container type.

        Examples
        --------
        >>> import concordant as cc
        >>> new = cc.compare(list("aaaabbc"), [0, 0, 0, 1, 2, 2, 2]).relabelled()
        >>> new.mapping
        {0: 'a', 1: 'new_1', 2: 'b'}
        >>> new.labels.tolist()
        ['a', 'a', 'a', 'new_1', 'b', 'b', 'b']
        """
        return differences.matching.relabelled_of(self._counted.counts.completed, self._counted.names)

    def objects(self, iou: float = 0.5) -> ObjectScores:
        """Classify every object of both sides: matched, missed, invented, split or merged.

        An unmatched reference object is split if at least two candidate objects are mostly inside it. It is
        merged if it is mostly inside a candidate object that also contains most of another reference object.

        Parameters
        ----------
        iou : float, default=0.5
            Minimum intersection over union for two objects to match. If several matchings are possible, the
            largest is used.

        Returns
        -------
        ObjectScores
            One verdict for each object of both sides.

        Examples
        --------
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
        """List the records with the lowest agreement, the worst first.

        Let n be the size of the overlap of the record's two clusters, a the size of its reference cluster and
        b that of its candidate cluster. Its precision is n/b, its recall n/a and its similarity n/max(a, b).
        The means over all records are `bcubed_precision`, `bcubed_recall` and `element_centric`.

        Parameters
        ----------
        limit : int or None, default=20
            Number of records to list. None lists all.
        by : {"similarity", "precision", "recall"}, default="similarity"
            The score to sort by.

        Returns
        -------
        LazyList of RecordScore
            One score for each record.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare({"x": 0, "y": 0, "z": 1}, {"x": 5, "y": 6, "z": 6}).records(limit=1)
        [RecordScore(record='x', reference=0, candidate=5, precision=1.0, recall=0.5, similarity=0.5)]
        """
        return differences.records.worst(
            self._counted.names.records, self._counted.counts.completed.table, limit, by
        )

    def over_edges(self, edges: Any, index: str = DEFAULT_INDEX) -> float:
        """Compute a pair-counting index over the edges of a graph instead of all pairs.

        With "adjusted_rand" it is the adjusted graph-aware Rand index.

        Parameters
        ----------
        edges : list of pairs, array, dataframe or graph
            Pairs of records: a list, two columns of an array or dataframe, or a networkx or igraph graph.
        index : str, default="adjusted_rand"
            An index that is a function of the four pair counts.

        Returns
        -------
        float
            The value of the index.

        Raises
        ------
        ParameterError
            If the index needs more than the four pair counts.

        Examples
        --------
        >>> import concordant as cc
        >>> c = cc.compare([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1])
        >>> edges = [(0, 1), (1, 2), (0, 2), (2, 3), (3, 4), (4, 5), (3, 5)]
        >>> round(c.adjusted_rand, 4), round(c.over_edges(edges), 4)
        (0.3243, -0.2353)
        """
        return comparisons.edges.value_over_edges(self._counted, edges, INDICES[index], self._when_undefined)

    def live(self, index: str = DEFAULT_INDEX) -> Live:
        """Start a live comparison that follows edits of the clusters.

        This comparison does not change.

        Parameters
        ----------
        index : str, default="adjusted_rand"
            The index that `Live` shows by default.

        Returns
        -------
        Live
            The live comparison with the same clusters.

        Examples
        --------
        >>> import concordant as cc
        >>> live = cc.compare(["a", "a", "b"], [1, 2, 2]).live()
        >>> live.jaccard, live.move(1, to=1).jaccard
        (0.0, 1.0)
        """
        return comparisons.live.Live(index, undefined=self._when_undefined).begin(self._counted)
