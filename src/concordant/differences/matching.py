"""The best one-to-one matching of clusters, and the candidate's labels renamed by it.

The pairs contain as many records as any matching can, counted in integers. Ties are resolved by cluster
size, then by the text of the labels, so the result does not depend on the order of the records or on the
engine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.clusterings.labels import is_missing
from concordant.counts.assignment import one_to_one
from concordant.counts.contingency import label_places
from concordant.counts.counted_sides import Names
from concordant.counts.overlaps import Overlaps
from concordant.counts.profile import Profile
from concordant.differences.lazy_list import LazyList, field_names, largest_of
from concordant.errors import InputError, kind_of
from concordant.foundation.results import ReadOnlyDict, Result, of_one_type
from concordant.foundation.spelling import counted, number_text, quoted
from concordant.maths.arithmetic import Integers, read_only


@dataclass(frozen=True, slots=True)
class ClusterMatch:
    """A reference cluster and the candidate cluster that it is paired with.

    Attributes
    ----------
    reference, candidate : object
        Labels of the two clusters. None for a record in no cluster of the side.
    overlap : float
        Number of records that both have, or their weight.
    precision : float
        Share of the candidate cluster that is in the reference cluster.
    recall : float
        Share of the reference cluster that is in the candidate cluster.
    jaccard : float
        Jaccard index of the two clusters.
    """

    # None for a record in no cluster of the side; in a source, also for a cluster that both sides share.
    reference: Any
    candidate: Any
    overlap: float  # records that both hold
    precision: float  # share of the candidate cluster that is in the reference cluster
    recall: float  # share of the reference cluster that is in the candidate cluster
    jaccard: float


class Matching(LazyList[ClusterMatch]):
    """Clusters matched one to one with the largest total overlap. `Comparison.matching` returns it.

    Attributes
    ----------
    overlap : float
        Number of records in all matched overlaps, or their weight.
    """

    overlap: float

    def __init__(self, profile: Profile, cells: NDArray[np.int64], names: Names) -> None:
        overlaps = profile.view(Overlaps)

        def ties(places: NDArray[np.int64]) -> list[Integers]:
            tied = cells[places]
            is_same = overlaps.union[tied] == overlaps.n[tied]  # a source does not name these
            ends = enumerate((overlaps.row[tied], overlaps.column[tied]))
            return [is_same, *(label_places(end, partial(names.cluster, side)) for side, end in ends)]

        shown = cells[largest_of(overlaps.n[cells], None, ties)]
        super().__init__(shown, self._match, total=len(cells))
        self._profile, self._overlaps, self._names_of = profile, overlaps, names
        vars(self).update(overlap=profile.amount(overlaps.n[cells].sum()))
        self._labels_are_complete = names.known_labels == "all"
        # Pairs with a record in no cluster hold this one record, and are not pairs of clusters.
        is_outside = np.isin(overlaps.row[cells], names.unclustered(0))
        is_outside |= np.isin(overlaps.column[cells], names.unclustered(1))
        self._unclustered = int(is_outside.sum())
        self._in_clusters = profile.amount(overlaps.n[cells[~is_outside]].sum())

    def _match(self, cell: int) -> ClusterMatch:
        o, names = self._overlaps, self._names_of
        n, a, b = int(o.n[cell]), int(o.a[cell]), int(o.b[cell])
        pair = names.cluster(0, int(o.row[cell])), names.cluster(1, int(o.column[cell]))
        return ClusterMatch(*pair, self._profile.amount(n), n / b, n / a, n / (a + b - n))

    _columns = field_names(ClusterMatch)

    def _title(self) -> str:
        pairs, records = self.total - self._unclustered, f"records of weight {number_text(self._in_clusters)}"
        if self._profile.parts is None:
            records = counted(int(self._in_clusters), "record")
        verb = "shares" if pairs == 1 else "share"
        title = f"{counted(pairs, 'pair')} of clusters {verb} {records}"
        return (
            f"{title}; {counted(self._unclustered, 'pair')} with a record in no cluster"
            if self._unclustered
            else title
        )


class Relabelled(Result):
    """The candidate with the names of the reference's clusters, as labels and as a mapping."""

    mapping: Mapping[Any, Any]  # from each label of the candidate to its new name

    def __init__(self, names_by_column: list[Any], mapping: dict[Any, Any], names: Names) -> None:
        vars(self).update(mapping=ReadOnlyDict(mapping))
        self._by_column, self._names_of = names_by_column, names

    @cached_property
    def labels(self) -> NDArray[Any]:
        """The new name of each record's cluster, in the order of the comparison."""
        columns = self._names_of.records.column
        return read_only(_array(self._by_column)[columns])

    def apply(self, labels: Any) -> Any:
        """Rename labels and keep their container type.

        Parameters
        ----------
        labels : list, array, Series or mapping
            Labels of the candidate.

        Returns
        -------
        list, array, Series or mapping
            The new names, in the same container.

        Raises
        ------
        InputError
            If a label is not one of the candidate's labels.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare(list("aab"), [7, 7, 9]).relabelled().apply([9, 7])
        ['b', 'a']
        """
        if isinstance(labels, Mapping):
            return {record: self._renamed(label) for record, label in labels.items()}
        if isinstance(labels, list | tuple):
            return type(labels)(self._renamed(label) for label in labels)
        if isinstance(labels, np.ndarray):
            return _array([self._renamed(label) for label in labels.ravel().tolist()]).reshape(labels.shape)
        if not hasattr(labels, "to_list"):
            raise InputError(
                "pass the labels as a list, a tuple, an array, a mapping or a Series, not as "
                f"{kind_of(labels)}; .mapping has the new name of each label"
            )
        values = of_one_type([self._renamed(label) for label in labels.to_list()])
        from narwhals.stable import v2 as narwhals  # here, so importing concordant stays fast

        try:
            old = narwhals.from_native(labels, series_only=True)
        except TypeError as error:
            raise InputError(f"{kind_of(labels)} is not a Series that can be renamed; pass a list") from error
        new = narwhals.new_series(old.name, values, backend=old.implementation)
        index = narwhals.maybe_get_index(old)
        return (new if index is None else narwhals.maybe_set_index(new, index=index)).to_native()

    def _renamed(self, label: Any) -> Any:
        try:
            return self.mapping[label]
        except (KeyError, TypeError):
            if label is None:
                return None
            raise InputError(
                f"{quoted(label)} is not a label of the candidate that was compared; new names are known for "
                f"its {counted(len(self.mapping), 'label')} only"
            ) from None

    def to_dict(self) -> dict[str, Any]:
        """Return the number of labels, and one row for each label with its new name.

        Returns
        -------
        dict
            The content by name.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare(list("aab"), [7, 7, 9]).relabelled().to_dict()["rows"][1]
        {'candidate': 9, 'reference': 'b'}
        """
        return {"total": self._total(), "rows": self._rows()}

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        return [{"candidate": label, "reference": name} for label, name in self.mapping.items()][:limit]

    def _names(self) -> tuple[str, ...]:
        return "candidate", "reference"

    def _total(self) -> int:
        return len(self.mapping)

    def __repr__(self) -> str:
        return f"<Relabelled: {counted(len(self.mapping), 'label')}>"


def matching_of(profile: Profile, names: Names) -> Matching:
    """The pairs of the best one-to-one matching; those of most records first."""
    return Matching(profile, _matched(profile.view(Overlaps), names), names)


def relabelled_of(profile: Profile, names: Names) -> Relabelled:
    """Every candidate cluster with the name of its match; those left over with new names."""
    o = profile.view(Overlaps)
    references, candidates = (
        [names.cluster(side, i) for i in range(len(sizes))]
        for side, sizes in enumerate((o.row_sizes, o.column_sizes))
    )
    # A source does not name the clusters that both sides share, and explains this if records are requested.
    noise = {}
    if None in candidates:
        records = names.records
        first = np.zeros(len(candidates), dtype=np.int64)
        first[records.column[::-1]] = np.arange(len(records.column))[::-1]
        unnamed = (column for column, label in enumerate(candidates) if label is None)
        given = {column: records.given(int(first[column]))[1] for column in unnamed}
        noise = {column: label for column, label in given.items() if not is_missing(label)}
    of_nobody, shared = _of_no_single_cluster(references), _of_no_single_cluster(candidates)
    chosen = dict(noise)
    for cell in _matched(o, names).tolist():
        row, column = int(o.row[cell]), int(o.column[cell])
        if references[row] not in of_nobody and candidates[column] not in shared:
            chosen[column] = references[row]
    left = np.array([column for column in range(len(candidates)) if column not in chosen], dtype=np.int64)
    fresh = new_names([*references, *noise.values()], candidates)
    for column in left[np.argsort(_in_order(left, o.column_sizes, candidates.__getitem__))].tolist():
        stays = candidates[column] in shared
        chosen[column] = candidates[column] if stays else next(fresh)
    by_column = [chosen[column] for column in range(len(candidates))]
    mapping = {label: name for label, name in zip(candidates, by_column, strict=True) if label is not None}
    return Relabelled(by_column, mapping | {label: label for label in noise.values()}, names)


def _matched(o: Overlaps, names: Names) -> NDArray[np.int64]:
    """The cells of the matching, found with the clusters in an order that only sizes and labels decide."""
    differing = np.flatnonzero((o.n < o.a) | (o.n < o.b))
    same = np.flatnonzero((o.n == o.a) & (o.n == o.b))
    rows = _in_order(o.row[differing], o.row_sizes, partial(names.cluster, 0))
    columns = _in_order(o.column[differing], o.column_sizes, partial(names.cluster, 1))
    order = np.lexsort((columns, rows))
    return np.concatenate(
        [same, differing[order][one_to_one(rows[order], columns[order], o.n[differing][order])]]
    )


def _in_order(clusters: Integers, sizes: Integers, label: Callable[[int], Any]) -> NDArray[np.int64]:
    """The clusters numbered from 0: the largest first, ties by the text of their labels."""
    distinct, which = np.unique(clusters, return_inverse=True)
    keys = [(-int(sizes[cluster]), str(label(cluster))) for cluster in distinct.tolist()]
    place = np.empty(len(distinct), dtype=np.int64)
    place[sorted(range(len(keys)), key=keys.__getitem__)] = np.arange(len(keys))
    return place[which]


def _of_no_single_cluster(labels: list[Any]) -> set[Any]:
    """None, and labels that several clusters share."""
    return {None} | {label for label, times in Counter(labels).items() if times > 1}


def new_names(references: list[Any], candidates: list[Any]) -> Iterator[Any]:
    """Names that no cluster has: numbers above all labels if the reference has numbers, else strings."""
    known = [label for label in references if label is not None]
    if known and all(_is_whole(label) for label in known):
        whole = [int(label) for label in (*known, *candidates) if _is_whole(label)]
        yield from count(max(whole) + 1)
    taken = {str(label) for label in (*references, *candidates)}
    yield from (name for number in count(1) if (name := f"new_{number}") not in taken)


def _is_whole(label: Any) -> bool:
    return isinstance(label, int | np.integer) and not isinstance(label, bool)


def _array(names: list[Any]) -> NDArray[Any]:
    """An array of numbers or strings if all names are numbers or strings, else of objects."""
    for kind in (int, str):
        if names and all(type(name) is kind for name in names):
            array = np.array(names)
            if array.dtype.kind in "iU":
                return array
    array = np.empty(len(names), dtype=object)
    array[:] = names
    return array
