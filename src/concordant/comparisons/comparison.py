"""Comparison: every question that two compared partitions answer."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias, get_args

from concordant import comparisons, differences, engines, inference, report
from concordant.clusterings.missing import unusual_conventions
from concordant.comparisons.live import Live
from concordant.counts.base import Counts, Detail
from concordant.counts.counted_sides import CountedSides, TableLabels, labels_of
from concordant.counts.pairs import BetweenCounts, PairCounts, Pairs, pairs_of
from concordant.counts.profile import Profile
from concordant.counts.weighted_counts import edited
from concordant.errors import ParameterError, Remedy, kind_of
from concordant.foundation import spelling
from concordant.foundation.conventions import SIDES, UNDEFINED, SideName, Undefined, check_choice, check_type
from concordant.foundation.results import TextRows, latex_table, markdown_table
from concordant.indices.attributes import PartitionIndices
from concordant.indices.index import DEFAULT_FOR_EDITS, DEFAULT_INDEX, INDICES, Index
from concordant.indices.values import IndexValues, named_indices
from concordant.report.report_data import SideTitles

if TYPE_CHECKING:
    from pathlib import Path

    from concordant.comparisons.between import WithinSource
    from concordant.comparisons.decisions import Decisions
    from concordant.differences.changes import Changes, ChangesOrder
    from concordant.differences.component_sums import ChangeKind
    from concordant.differences.lazy_list import LazyList
    from concordant.differences.matching import Matching, Relabelled
    from concordant.differences.scores import (
        ClusterScore,
        ClustersOrder,
        ObjectScores,
        RecordScore,
        RecordsOrder,
    )
    from concordant.differences.suggestions import Suggestions
    from concordant.differences.table import Table
    from concordant.differences.verdicts import Thresholds, VerdictSummary
    from concordant.inference.adjusted import Adjusted
    from concordant.inference.difference import Difference
    from concordant.inference.interval import Interval
    from concordant.inference.null_distributions import Tail
    from concordant.inference.options import SampleOptions
    from concordant.inference.significance import Significance, SignificanceMethod
    from concordant.inference.slice_cells import Reading
    from concordant.inference.slices import SliceCorrection, Slices

TextForm: TypeAlias = Literal["short", "all", "terminal"]


class Comparison(PartitionIndices, IndexValues):
    """A comparison of two clusterings: every index, the differences, and the uncertainty.

    `compare` returns it. It is read-only. Every index is an attribute and an item, and the comparison is a
    mapping from the available indices to their values.

    Examples
    --------
    >>> c = Comparison.from_contingency([[10**12, 0], [1, 10**12]])
    >>> c.keys()[:2], round(c.recall, 6), c.exact("rand")
    (('precision', 'recall'), 1.0, Fraction(1999999999999, 2000000000001))
    """

    __slots__ = ("__weakref__", "_counted", "_titles", "_when_undefined")

    _counted: CountedSides

    _when_undefined: Undefined
    _titles: SideTitles

    def __init__(
        self,
        counted: CountedSides | Profile,
        *,
        undefined: Undefined = "convention",
        names: SideTitles = SIDES,
    ) -> None:
        check_choice("undefined", undefined, UNDEFINED)
        if not isinstance(counted, (CountedSides, Profile)):
            raise ParameterError(
                f"Comparison() takes a Profile, not {kind_of(counted)}; use compare() for partitions"
            )
        if isinstance(counted, Profile):
            counted = CountedSides.of(counted)
        put = object.__setattr__  # our own __setattr__ checks each name
        put(self, "_counted", counted)
        put(self, "_when_undefined", undefined)
        put(self, "_titles", names)
        super().__init__()

    @property
    def _counts(self) -> Counts:
        """The counts from which all indices are computed."""
        return self._counted.counts

    @property
    def _tested(self) -> Sequence[str]:
        return [each.name for each in INDICES.headline if each.shares == "n11"]

    def _worst(self, limit: int) -> Changes | None:
        is_whole = not self._counts.divisible and self._counts.availability.can_ask(Detail.TABLE)
        return self.changes(limit) if is_whole else None  # otherwise whole clusters are not compared

    @property
    def names(self) -> SideTitles:
        """The display names of the two sides, from `compare(..., names=...)`.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare([0, 0, 1], [0, 1, 1], names=["truth", "new"]).names
        ('truth', 'new')
        """
        return self._titles

    @property
    def pairs(self) -> Pairs:
        """The four pair counts from which pair-counting indices are computed.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare([0, 0, 1, 1], [0, 1, 1, 1]).pairs
        <Pairs of 4 records: n11=1, n10=1, n01=2, n00=2>
        """
        own_size = self._counts.size if isinstance(self._counts, BetweenCounts) else None
        return pairs_of(self._counts.view(PairCounts), own_size)

    @classmethod
    def from_contingency(
        cls,
        table: Any,
        *,
        names: tuple[Sequence[Any], Sequence[Any]] | None = None,
        undefined: Undefined = "convention",
    ) -> Self:
        """Create a comparison from a contingency table.

        Parameters
        ----------
        table : array, sparse matrix or dataframe
            The table, without row and column totals. A sparse matrix needs SciPy's `tocoo`.
        names : (sequence of object, sequence of object), optional
            Labels of the rows and of the columns. A pandas table has its own.
        undefined : {"convention", "nan", "raise", "conll"}, default="convention"
            Value of an index whose formula is 0/0, as in `compare`.

        Returns
        -------
        Comparison
            The comparison of the clusters in the rows with those in the columns.

        Raises
        ------
        InputError
            If the last row or column contains totals, as `pandas.crosstab(margins=True)` adds.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.Comparison.from_contingency([[2, 0], [1, 3]]).rand
        0.6666666666666666
        """
        return cls(Profile.from_contingency(table, names=names), undefined=undefined)

    @property
    def table(self) -> Table:
        """The non-empty cells of the contingency table, with the labels of their clusters.

        Examples
        --------
        >>> import concordant as cc
        >>> print(cc.compare(list("aabb"), [0, 0, 0, 1]).table)
             0  1
        'a'  2  0
        'b'  1  1
        """
        self._counts.refuse_weights("the table has numbers of records")
        return differences.table.Table(self._counts.completed.table, labels_of(self._counted.names))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the comparison to a file: sizes, overlaps, labels and conventions.

        The file does not contain the clusters of individual records, or a table that stays in a database.

        Parameters
        ----------
        path : str or path-like
            The file to write.

        See Also
        --------
        load : read the file.

        Examples
        --------
        >>> import concordant as cc
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     cc.compare(["a", "a", "b"], [1, 1, 2]).save(folder + "/c.json")
        ...     cc.Comparison.load(folder + "/c.json").adjusted_rand
        1.0
        """
        comparisons.saved.write_comparison(path, self._counted, self._when_undefined, self._titles)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Load a comparison from a file that `save` wrote.

        Parameters
        ----------
        path : str or path-like
            The file to read.

        Returns
        -------
        Comparison
            The saved comparison.

        Raises
        ------
        FileError
            If the file is damaged or has an unknown format.

        Examples
        --------
        >>> import concordant as cc
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     cc.compare(["a", "a", "b"], [1, 1, 2]).save(folder + "/c.json")
        ...     cc.Comparison.load(folder + "/c.json").adjusted_rand
        1.0
        """
        counted, undefined, names = comparisons.saved.read_comparison(path)
        return cls(counted, undefined=undefined, names=names)

    @property
    def signature(self) -> str:
        """One line to publish with the values: version, sizes and conventions.

        Examples
        --------
        >>> import concordant as cc
        >>> print(cc.compare([0, 0, 1], [0, 1, 1]).signature)  # doctest: +ELLIPSIS
        concordant ... | n=3 K=2 L=2 | unmatched=error | noise=none | undefined=convention
        """
        reference, candidate = self._clusters
        agreed = (f"{key}={value}" for key, value in self._counted.conventions.items())
        return self._signature(f"K={reference} L={candidate}", *agreed)

    def __repr__(self) -> str:
        reference, candidate = self._clusters
        clusters = f"{reference:,} against {spelling.counted(candidate, 'cluster')}"
        return f"<Comparison of {spelling.counted(self._counts.size, 'record')}: {clusters}>"

    @property
    def _audit(self) -> Mapping[str, int]:
        return self._counted.audit

    @property
    def _unusual_conventions(self) -> str:
        words = {**self._counted.conventions, "undefined": self._when_undefined}
        return unusual_conventions(words)

    @property
    def _in_no_cluster(self) -> tuple[int, int]:
        """The elements of each side that count as singletons because they are in no cluster."""
        return differences.own_clusters.in_no_cluster(self._counts, self._counted.names)

    @property
    def _clusters(self) -> tuple[int, int]:
        """The clusters of each side."""
        unclustered = self._in_no_cluster
        return self._counts.rows - unclustered[0], self._counts.columns - unclustered[1]

    # -- where the two sides differ -----------------------------------------------------------------

    def summary(
        self,
        *,
        near: float = 0.8,
        majority: float = 0.5,
        indices: str | Sequence[str] | None = None,
        interval: bool = False,
        unit: Any = "record",
    ) -> VerdictSummary:
        """Count the verdicts on the clusters of both sides.

        The summary also has the headline, the components and four indices.

        Parameters
        ----------
        near : float, default=0.8
            Minimum F1 with its partner, 2n/(a + b), for a cluster to count as nearly right.
        majority : float, default=0.5
            Share above which a part counts as most of a cluster.
        indices : str or sequence of str, optional
            Names of the indices to show. By default, four that fit the data.
        interval : bool, default=False
            Whether the records are a random sample. If so, the indices have 95% intervals.
        unit : str, mapping or sequence, default="record"
            The sampling unit of each record, as in `interval`.

        Returns
        -------
        VerdictSummary
            The counts by verdict. Printing them shows the text.

        Examples
        --------
        >>> import concordant as cc
        >>> print(cc.compare(list("aaaaabbc"), [0, 0, 0, 0, 1, 2, 3, 4]).summary())
        Reference cluster a is split over 2 candidate clusters and holds 80% of the
          missed pairs
        3 reference clusters: 1 exact, 1 nearly, 1 split, 0 merged, 0 split and merged,
          0 scattered
        5 candidate clusters: 1 exact, 1 nearly, 3 split, 0 merged, 0 split and merged,
          0 scattered
        (nearly: F1 ≥ 0.8; majority: above 0.5)
        components: 1 × 1:1, 2 × 1:n, 0 × n:1, 0 × n:m; one 1:n component accounts for
          80% of the missed pairs
        precision 1.0000, recall 0.5455, bcubed_f 0.8060, cluster_recall 0.3333
        """
        thresholds = differences.verdicts.thresholds_of(near, majority)
        data = self._report_data(indices=indices, interval=interval, unit=unit, thresholds=thresholds)
        return replace(data.verdicts, headline=report.headline(data), indices=report.index_values(data))

    def changes(
        self,
        limit: int | None = 20,
        *,
        kind: ChangeKind | None = None,
        order: ChangesOrder = "pairs",
        n_overlaps: int = 50,
        n_examples: int = 3,
    ) -> Changes:
        """List the components in which clusters were split, merged or mixed, the costliest first.

        A component is a set of clusters that overlap directly or through other clusters. It is 1:1
        (unchanged), 1:n (split), n:1 (merged) or n:m, reference clusters to candidate clusters. If a side is
        a cover or has unmatched elements, there are also "1:1 changed", "1:0" and "0:1" components, and the
        costs are memberships instead of pairs.

        Parameters
        ----------
        limit : int or None, default=20
            Number of components to list. None lists all.
        kind : {"1:1", "1:1 changed", "1:n", "n:1", "n:m", "1:0", "0:1"}, optional
            List only components of this kind.
        order : {"pairs", "missed", "wrong", "size"}, default="pairs"
            The sort key: most missed and wrong pairs together, missed pairs, wrong pairs, or records.
        n_overlaps : int, default=50
            Number of clusters (the largest) and of overlaps (the costliest) to list in a component.
        n_examples : int, default=3
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
        >>> c.changes(kind="1:n")[0].overlaps[1].examples
        (3,)
        """
        counts, names = differences.own_clusters.own_clusters(self._counted)
        return differences.changes.changes_of(
            counts, names, kind=kind, limit=limit, order=order, overlaps=n_overlaps, examples=n_examples
        )

    def clusters(
        self,
        limit: int | None = 20,
        *,
        side: SideName = "reference",
        order: ClustersOrder = "pairs",
        near: float = 0.8,
        majority: float = 0.5,
    ) -> LazyList[ClusterScore]:
        """Score each cluster of one side: verdict, precision, recall, purity, partner and missed pairs.

        Parameters
        ----------
        limit : int or None, default=20
            Number of clusters to list. None lists all.
        side : {"reference", "candidate"}, default="reference"
            The side whose clusters are listed.
        order : str, default="pairs"
            The sort key: most "pairs" (missed and wrong), "missed" pairs, "wrong" pairs, "size",
            "n_pieces" or "entropy" first; or lowest "precision", "recall" or "purity" first.
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
        >>> worst = scores[0]
        >>> worst.cluster, worst.verdict, worst.recall, worst.partner, worst.missed
        ('a', 'nearly', 0.625, 0, 3)
        """
        thresholds = differences.verdicts.thresholds_of(near, majority)
        counts, names = differences.own_clusters.own_clusters(self._counted)
        return differences.scores.clusters_of(counts, names, side, limit, order, thresholds=thresholds)

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

        def edit(start: CountedSides) -> CountedSides:
            live = Live(undefined=self._when_undefined)._begin(start)
            return live.edit(merge=merge, split=split, move=move)._table.counted()

        return self._edited(edited(self._counted, edit))

    def suggest(
        self,
        index: str = DEFAULT_FOR_EDITS,
        *,
        kinds: Sequence[str] = ("merge", "split", "move"),
        limit: int | None = 20,
        same: Any = None,
        different: Any = None,
    ) -> Suggestions:
        """List the single edits of the candidate that improve an index, the best first.

        A merge joins two clusters that share a reference cluster. A split removes the records of one
        reference cluster from a cluster. A move takes one record to another cluster; with weights, the
        heaviest of its overlap. Noise and records in no cluster are not edited. Edits that each gain less
        than 1% of the possible improvement are grouped by kind in `groups`; with weights, there are no
        groups.

        Parameters
        ----------
        index : str, default="bcubed_f"
            The index to improve. It needs a perfect value.
        kinds : sequence of str, default=('merge', 'split', 'move')
            The kinds of edits to try.
        limit : int or None, default=20
            Number of edits to list. None lists all that help.
        same, different : list of pairs, dataframe or path, optional
            Decisions that no edit may break, as in `compare`. By default, those of `compare`. With decisions,
            there are no groups.

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
          merge candidate cluster 1 (1 record) into candidate cluster 0: 0.7778 (gain
            0.3333)
          move record 3 of reference cluster 'a' from candidate cluster 1 to candidate
            cluster 0: 0.7778 (gain 0.3333)
          split candidate cluster 2: take out 1 record of reference cluster 'c': 0.5714
            (gain 0.127)
        >>> print(edits.apply())
        jaccard 0.7778
          split candidate cluster 2: take out 1 record of reference cluster 'c': 1.0000
            (gain 0.2222)
        """
        origin = self
        if same is not None or different is not None:
            origin = self._edited(comparisons.decisions.with_decisions(self._counted, same, different))
        return differences.suggestions.suggestions_of(
            origin._counted,
            index,
            kinds,
            limit,
            compared=self._edited,
            undefined=self._when_undefined,
            origin=origin,
        )

    def matching(self) -> Matching:
        """Match clusters one to one with the largest total overlap.

        Ties are broken by cluster sizes and labels.

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
        return differences.matching.matching_of(self._counted.counts.by_weight, self._counted.names)

    @property
    def decisions(self) -> Decisions:
        """The decisions of `compare(same=, different=)` that the candidate breaks, and how many it keeps.

        Examples
        --------
        >>> import concordant as cc
        >>> c = cc.compare([0, 0, 1], [5, 6, 6], same=[(0, 1)], different=[(1, 2), (0, 2)])
        >>> c.decisions.same_broken, c.decisions.different_broken_share
        (1, 0.5)
        >>> c.decisions[0]
        BrokenDecision(decision='same', record_a=0, record_b=1, cluster=5, other=6)
        """
        return comparisons.decisions.decisions_of(self._counted)

    def within_sources(
        self, limit: int | None = 20, *, between: Any = None, side: SideName = "candidate"
    ) -> LazyList[WithinSource]:
        """List the clusters that have two records of one source, those with most such pairs first.

        If no source has an entity twice, each of these clusters has an error.

        Parameters
        ----------
        limit : int or None, default=20
            Number of clusters to list. None lists all.
        between : str, mapping or sequence, optional
            The source of each record, as in `compare`. By default, that of `compare(between=)`.
        side : {"reference", "candidate"}, default="candidate"
            The side whose clusters are listed.

        Returns
        -------
        LazyList of WithinSource
            One row for each cluster.

        Examples
        --------
        >>> import concordant as cc
        >>> c = cc.compare([0, 0, 1, 1], [0, 0, 0, 1], between=["crm", "web", "crm", "web"])
        >>> c.precision, c.within_sources()
        (0.5, [WithinSource(cluster=0, source='crm', overlap=2, size=3, n_pairs=1)])
        """
        return comparisons.between.clusters_within_sources(self._counted, side, between, limit)

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
        return differences.matching.relabelled_of(self._counted.counts.by_weight, self._counted.names)

    def objects(self, *, iou: float = 0.5) -> ObjectScores:
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
        >>> [(each.cluster, each.verdict) for each in c.objects(iou=0.6)]
        [(1, 'split'), (2, 'missed'), (1, 'split'), (2, 'split')]
        """
        counted = self._counted
        return differences.scores.objects_of(counted.counts, counted.names, iou)

    def records(self, limit: int | None = 20, *, order: RecordsOrder = "similarity") -> LazyList[RecordScore]:
        """List the records with the lowest agreement, the worst first.

        Let n be the size of the overlap of the record's two clusters, a the size of its reference cluster and
        b that of its candidate cluster. Its precision is n/b, its recall n/a and its similarity n/max(a, b).
        The means over all records are `bcubed_precision`, `bcubed_recall` and `element_centric`.

        Parameters
        ----------
        limit : int or None, default=20
            Number of records to list. None lists all.
        order : {"similarity", "precision", "recall"}, default="similarity"
            The sort key.

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
        return differences.scores.worst(
            self._counted.names.records, self._counted.counts.by_weight.table, limit, order
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
        self._counts.refuse_weights("each edge counts as one pair")
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
        self._counts.refuse_weights(
            "records that are added to a live comparison count as one; what_if() and suggest() take weights"
        )
        return Live(index, undefined=self._when_undefined)._begin(self._counted)

    # -- uncertainty --------------------------------------------------------------------------------

    def slices(
        self,
        by: Any,
        *,
        index: str = "bcubed_f",
        details: Any = None,
        record: str | None = None,
        reading: Reading = "ends",
        confidence: float = 0.95,
        correction: SliceCorrection = "holm",
        limit: int | None = 20,
    ) -> Slices:
        """Compute the measures of each slice of the records and test each slice against the rest.

        Parameters
        ----------
        by : str, list of str, mapping, sequence or dataframe
            Columns of the compared sources, of the `obs` of AnnData, or of `details`; several columns are
            crossed. Or the value of each record, as a mapping or in the order of the reference.
        index : str, default="bcubed_f"
            The index to test.
        details : dataframe or path, optional
            A source with one row for each record.
        record : str, optional
            The column of `details` that has the record ids.
        reading : {"ends", "any", "both"}, default="ends"
            The pairs of a slice. "ends" counts half a pair for each end in the slice, which adds up to the
            whole. "any" and "both" count the pairs with any end or both ends in the slice.
        confidence : float, default=0.95
            Confidence level of the intervals.
        correction : {"holm", "benjamini_hochberg", "none"}, default="holm"
            Correction of the p-values for multiple tests.
        limit : int or None, default=20
            Number of slices to list, the largest first. None lists all, up to 1,000.

        Returns
        -------
        Slices
            One row for each slice, also by name.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare([0, 0, 1, 1, 1], [0, 0, 0, 1, 1]).slices(list("xxxyy"))["x"].recall
        0.5
        """
        how: dict[str, Any] = {"records": details, "record": record, "reading": reading, "index": index}
        how |= {
            "confidence": confidence,
            "correction": correction,
            "limit": limit,
            "undefined": self._when_undefined,
        }
        return inference.slices.slices_of(self._counted, by, compared=self._edited, **how)

    def _edited(self, counted: CountedSides) -> Self:
        """A comparison of other counts, with the same conventions."""
        if (
            counted.decided is None
            and self._counted.decided is not None
            and not isinstance(counted.names, TableLabels)
        ):
            counted = comparisons.decisions.decided_as(counted, self._counted.decided)
        return type(self)(counted, undefined=self._when_undefined, names=self._titles)

    def significance(
        self,
        index: str,
        *,
        tail: Tail = "upper",
        method: SignificanceMethod = "auto",
        n_resamples: int = 9999,
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
        n_resamples : int, default=9999
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
        self._counts.refuse_weights("permutations change the weights of clusters, and p-values count records")
        found = inference.permutation_test.significance(
            self._counted.counts,
            INDICES[index],
            inference.significance.TestOptions(tail, method, n_resamples, seed),
            self._when_undefined,
        )
        return replace(found, conventions=self._unusual_conventions)

    def interval(
        self,
        index: str,
        *,
        confidence: float = 0.95,
        unit: Any = "record",
        unit_sizes: Any = None,
        seed: int = 0,
    ) -> Interval:
        """Estimate a confidence interval for the value in the population.

        The records or units must be a random sample of the population; a complete population has no sampling
        error. The interval also covers disagreements that a sample of this size may have missed, so it has a
        width even if both sides agree perfectly. If the sample does not determine the index, the interval is
        the whole range and `estimable` is False.

        Parameters
        ----------
        index : str
            Name of the index.
        confidence : float, default=0.95
            Confidence level.
        unit : str, mapping or sequence, default="record"
            The sampling unit. "record" if each record was drawn independently. Otherwise the unit of each
            record, such as its document: a mapping, a sequence in the order of the reference, or a column of
            the reference source. "component" uses the connected components, which is an approximation.
        unit_sizes : sequence or mapping of int, optional
            The numbers of records of all units of the population. By default, no unit is assumed to be larger
            than the largest drawn.
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
        f_measure 0.6486, 95% interval 0.1507 to 0.9914 (se 0.2138; jackknife of 12 records; widened for \
unseen disagreements and agreements)
        """
        sample = inference.options.SampleOptions(unit, confidence, seed=seed, unit_sizes=unit_sizes)
        return self._interval(INDICES[index], sample)

    def _interval(self, declared: Index, sample: SampleOptions) -> Interval:
        known, drawn, unit = self._counted, None, sample.unit
        if known.sources is not None and isinstance(unit, str) and unit not in ("record", "component"):
            drawn = inference.paired.PairedCounts.units_of_source(known, unit)  # a column of a source
        found = inference.interval.interval(known, declared, sample, self._when_undefined, drawn)
        return replace(found, conventions=self._unusual_conventions)

    def _intervals(
        self, indices: Iterable[Index], interval: bool | Iterable[Interval], unit: Any
    ) -> list[Interval]:
        """The intervals that the caller passed, or those of the indices for which a method is valid."""
        if not isinstance(interval, bool):
            if unit is not None:
                raise ParameterError(
                    "unit= needs interval=True; intervals that you computed already have their units",
                    given={"unit": unit},
                )
            found = inference.interval.intervals_of(interval)
            if len({each.confidence for each in found}) > 1:
                raise ParameterError(
                    "intervals of a report must have the same confidence; compute all with one confidence="
                )
            return found
        if not interval and unit is None:
            return []
        is_known = (
            inference.record_intervals.has_interval
            if unit is None
            else inference.clustered_intervals.has_unit_interval
        )
        known_to_hold = [index for index in indices if is_known(index)]
        if not known_to_hold:
            raise ParameterError(
                "no valid interval is known for any of these indices",
                given={"interval": interval} if unit is None else {"unit": unit},
                remedies=[Remedy("choose others", indices=...)],
            )
        sample = inference.options.SampleOptions("record" if unit is None else unit)
        return [self._interval(index, sample) for index in known_to_hold]

    def versus(
        self,
        other: Self,
        index: str,
        *,
        unit: Any = "record",
        unit_sizes: Any = None,
        confidence: float = 0.95,
        margin: float | None = None,
        n_resamples: int = 9999,
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
            The sampling unit, as in `interval`. B-cubed indices use the components of the reference and both
            candidates if records were drawn.
        unit_sizes : sequence or mapping of int, optional
            The numbers of records of all units of the population. By default, no unit is assumed to be larger
            than the largest drawn.
        confidence : float, default=0.95
            Confidence level.
        margin : float, optional
            Also test with this margin whether this candidate is noninferior and whether the two are
            equivalent. These p-values are one-sided.
        n_resamples : int, default=9999
            Number of flips of the signs of units to draw. With at most 14 units, all flips are made.
        seed : int, default=0
            Seed of these.

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
        if not isinstance(other, Comparison):
            raise ParameterError(
                f"versus takes the other comparison, cc.compare(truth, other), not {kind_of(other)}"
            )
        self._counts.refuse_weights("a difference is tested on records that count the same")
        found = inference.paired_comparison.versus(
            inference.paired.PairedCounts.of(self._counted, other._counted, unit),
            INDICES[index],
            inference.options.SampleOptions(unit, confidence, margin, n_resamples, seed, unit_sizes),
            self._when_undefined,
        )
        return replace(found, conventions=self._unusual_conventions)

    def adjusted(
        self,
        index: str,
        *,
        tolerance: float = 0.0005,
        seed: int = 0,
    ) -> Adjusted:
        """Adjust any index for chance: 0 on average by chance, 1 for identical partitions.

        Chance is a random permutation of the records, which keeps the cluster sizes.

        Parameters
        ----------
        index : str
            Name of the index.
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
        self._counts.refuse_weights("permutations change the weights of clusters, so the mean is not known")
        found = inference.adjusted.adjusted(
            self._counted.counts.partitions,
            INDICES[index],
            undefined=self._when_undefined,
            tolerance=tolerance,
            seed=seed,
        )
        return replace(found, conventions=self._unusual_conventions)

    # -- reports ------------------------------------------------------------------------------------

    @property
    def headline(self) -> str:
        """One sentence that names the most important difference.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare(list("aaabbbccc"), [0, 0, 0, 1, 1, 1, 1, 1, 1]).headline
        'Candidate cluster 1 merges reference clusters b and c and holds all wrong pairs'
        """
        return report.headline(self._report_data())

    @property
    def headline_indices(self) -> tuple[str, ...]:
        """The names of the indices that reports show first because they fit the data.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare([0, 0, 1, 1], [0, 0, 1, 2]).headline_indices
        ('precision', 'recall', 'bcubed_f', 'cluster_recall')
        """
        return tuple(line.index.name for line in self._report_data().headline)

    def cite(self, indices: str | Sequence[str] | None = None) -> str:
        """Return BibTeX entries for the papers of indices, and for concordant.

        Parameters
        ----------
        indices : str or sequence of str, optional
            Names of indices. By default, those that reports show first, `headline_indices`.

        Returns
        -------
        str
            One entry for each paper, then the entry for concordant with its version.

        Examples
        --------
        >>> import concordant as cc
        >>> c = cc.compare([0, 0, 1, 1], [0, 0, 1, 2])
        >>> [line for line in c.cite("bcubed_f").splitlines() if line.startswith("@")]
        ['@inproceedings{bagga1998,', '@article{amigo2009,', '@misc{concordant,']
        """
        return report.cite(self.headline_indices if indices is None else indices)

    def to_text(
        self,
        *,
        form: TextForm = "short",
        indices: str | Sequence[str] | None = None,
        interval: bool | Iterable[Interval] = False,
        unit: Any = "record",
    ) -> str:
        r"""Return the text that `print` shows.

        Parameters
        ----------
        form : {"short", "all", "terminal"}, default="short"
            "short" has at most 25 lines, "all" has every index by family. "terminal" is the short form of the
            command line.
        indices : str or sequence of str, optional
            Names of the indices. By default, four that fit the data.
        interval : bool or iterable of Interval, default=False
            Whether the records are a random sample. If so, the indices have 95% intervals. Or the results of
            `interval` to show.
        unit : str, mapping or sequence, default="record"
            The sampling unit of each record, as in `interval`.

        Returns
        -------
        str
            The text.

        Examples
        --------
        >>> import concordant as cc
        >>> c = cc.compare(list("aaaabbbbcccc"), [0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2])
        >>> text = c.to_text(indices=["f_measure"], interval=True)
        >>> print("\n".join(text.splitlines()[8:10]))
          f_measure     0.8108  ████████████████▎···  chance 0.2801
            95% interval 0.2415 to 1.0000
        """
        check_choice("form", form, get_args(TextForm))
        data = self._report_data(indices=indices, interval=interval, unit=unit)
        if form == "all":
            return report.as_full_text(data)
        if form == "terminal":  # the command itself prints three of the lines
            return report.as_text(data, "--all shows every index and the signature", lines=22)
        return report.as_text(data, "every index and the signature: print(f'{c:all}')")

    def to_markdown(
        self,
        *,
        indices: str | Sequence[str] | None = None,
        interval: bool | Iterable[Interval] = False,
        unit: Any = "record",
    ) -> str:
        """Return a table of indices in Markdown.

        Parameters
        ----------
        indices : str or sequence of str, optional
            Names of the indices. By default, four that fit the data.
        interval : bool or iterable of Interval, default=False
            Whether the records are a random sample. If so, the indices have 95% intervals. Or the results of
            `interval` to show.
        unit : str, mapping or sequence, default="record"
            The sampling unit of each record, as in `interval`.

        Returns
        -------
        str
            The table.

        Examples
        --------
        >>> import concordant as cc
        >>> print(cc.compare([0, 0, 1], [0, 1, 1]).to_markdown(indices=["rand", "adjusted_rand"]))
        |                     |   value |
        |---------------------|--------:|
        | Rand index          |  0.3333 |
        | Adjusted Rand index | -0.5000 |
        """
        return markdown_table(self._index_rows(indices, interval=interval, unit=unit))

    def to_latex(
        self,
        *,
        indices: str | Sequence[str] | None = None,
        interval: bool | Iterable[Interval] = False,
        unit: Any = "record",
        caption: str = "",
        label: str = "",
    ) -> str:
        r"""Return a table of indices in LaTeX, for the booktabs package.

        Parameters
        ----------
        indices : str or sequence of str, optional
            Names of the indices. By default, four that fit the data.
        interval : bool or iterable of Interval, default=False
            Whether the records are a random sample. If so, the indices have 95% intervals. Or the results of
            `interval` to show.
        unit : str, mapping or sequence, default="record"
            The sampling unit of each record, as in `interval`.
        caption : str, default=""
            Caption, which may contain LaTeX. With a caption or a label, the table floats.
        label : str, default=""
            Label for references.

        Returns
        -------
        str
            The table.

        Examples
        --------
        >>> import concordant as cc
        >>> print(cc.compare([0, 0, 1], [0, 1, 1]).to_latex(indices=["adjusted_rand"]))
        \begin{tabular}{lr}
        \toprule
         & value \\
        \midrule
        Adjusted Rand index & $-$0.5000 \\
        \bottomrule
        \end{tabular}
        """
        return latex_table([self._index_rows(indices, interval=interval, unit=unit)], caption, label)

    def _index_rows(
        self, indices: str | Sequence[str] | None, *, interval: bool | Iterable[Interval], unit: Any
    ) -> TextRows:
        return report.index_rows(self._report_data(indices=indices, interval=interval, unit=unit))

    def to_html(
        self,
        path: str | os.PathLike[str],
        *,
        details: Any = None,
        record: str | None = None,
        show: Sequence[str] | None = None,
        images: str | None = None,
        raw: Any = None,
        budget: str | int = "2MB",
        indices: str | Sequence[str] | None = None,
        interval: bool | Iterable[Interval] = False,
        unit: Any = "record",
        slices: Slices | None = None,
    ) -> Path:
        """Write the report page: one HTML file that needs no network.

        It shows the most important errors, the flow, the table, the cluster sizes, the changes and the
        indices. It works without JavaScript.

        Parameters
        ----------
        path : str or path-like
            The file to write.
        details : dataframe or path, optional
            A source with one row for each record, to show the records of the clusters.
        record : str, optional
            The column of `details` that has the record ids. Not needed if the ids are positions or the
            pandas index.
        show : sequence of str, optional
            The columns of `details` to show. By default, all.
        images : str, optional
            A column of images: bytes, two-dimensional arrays, or data URLs.
        raw : array, optional
            The segmented image, shown beside crops of the label images.
        budget : str or int, default="2MB"
            Maximum size of the record data, and of the crops.
        indices : str or sequence of str, optional
            Names of the indices under the headline. By default, four that fit the data.
        interval : bool or iterable of Interval, default=False
            Whether the records are a random sample. If so, these indices have 95% intervals. Or the results
            of `interval` to show.
        unit : str, mapping or sequence, default="record"
            The sampling unit of each record, as in `interval`.
        slices : Slices, optional
            The result of `slices`, shown as a chart and a table.

        Returns
        -------
        Path
            The path of the file.

        Examples
        --------
        >>> import concordant as cc
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     print(cc.compare(list("aabb"), [0, 0, 0, 1]).to_html(folder + "/diff.html").name)
        diff.html
        """
        if details is not None:
            self._counts.refuse_weights("the page of a weighted comparison lists no records")
            _ = self._counts.completed  # refuses covers, whose page has no records
        counted = self._counted
        data = self._report_data(indices=indices, interval=interval, unit=unit)
        shown = engines.record_attributes(
            details, record, show, images, are_named=counted.names.has_record_names
        )
        if slices is not None:
            check_type("slices", slices, inference.slices.Slices, "the result of slices()")
        page = report.comparison_page(data, shown, report.bytes_of(budget), (counted.images, raw), slices)
        return page.write(path)

    def plot(
        self,
        kind: report.ChartKind | None = None,
        *,
        share: SideName | None = None,
        ax: Any = None,
        width: float | None = None,
    ) -> report.Display:
        """Draw a chart with Matplotlib (extra `plot`).

        Parameters
        ----------
        kind : {"verdicts", "worst", "flow", "table", "sizes", "indices"}, optional
            The chart. By default, "verdicts" for entities and "flow" for others.
        share : {"reference", "candidate"}, optional
            In the table, show shares of the reference row or of the candidate column instead of records.
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
        >>> display = cc.compare(list("aabb"), [0, 0, 0, 1]).plot("sizes")
        >>> display.ax_.get_xlabel()
        'records in a cluster'
        """
        if kind in (None, "flow", "table") and self._counts.kind == "weights":
            self._counts.refuse_weights("this chart counts records")
            _ = self._counts.completed  # refuses durations
        return report.plot_chart(self._report_data(), kind, share, ax, width)

    def _report_data(
        self,
        *,
        indices: str | Sequence[str] | None = None,
        interval: bool | Iterable[Interval] = False,
        unit: Any = "record",
        thresholds: Thresholds | None = None,
    ) -> report.ReportData:
        data = report.ReportData(
            names=self._titles,
            counts=self._counts,
            labels=self._counted.names,
            is_available=self._is_available,
            undefined=self._when_undefined,
            audit=self._audit,
            make_signature=lambda: self.signature,
            noise=self._counted.noise,
            conventions=self._counted.conventions,
            decided=self._counted.decided,
            are_pixels=self._counted.are_pixels,
            is_coreference=self._counted.is_coreference,
            thresholds=thresholds or differences.verdicts.USUAL_THRESHOLDS,
            chosen=None if indices is None else [INDICES[name] for name in named_indices(indices)],
        )
        own_unit = None if isinstance(unit, str) and unit == "record" else unit
        shown = [line.index for line in data.headline] if interval or own_unit is not None else []
        found = self._intervals(shown, interval, own_unit)
        return replace(data, intervals={each.index: each for each in found})

    def __str__(self) -> str:
        """A summary in 25 lines of a terminal."""
        return format(self, "")

    def __format__(self, spec: str) -> str:
        """``f"{c:all}"`` is the table of every index, by family.

        >>> import concordant as cc
        >>> c = cc.compare([0, 0, 1], [0, 1, 1])
        >>> "fowlkes_mallows" in f"{c:all}", "fowlkes_mallows" in f"{c}"
        (True, False)
        """
        if spec not in ("", "all"):
            self._not_a_number()
        return self.to_text(form="all" if spec else "short")

    def _repr_html_(self) -> str:
        return report.as_html(self._report_data())


# A Live makes comparisons, and a Comparison makes a Live. Only one of their modules can import the other.
Live._compared = Comparison
