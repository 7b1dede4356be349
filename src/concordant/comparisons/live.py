"""Live: a comparison that follows edits."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Self

from concordant.clusterings.detect import is_chunked, is_on_device
from concordant.counts.counted_sides import CountedSides
from concordant.counts.pairs import PairCounts, Pairs, pairs_of
from concordant.errors import InputError, LabelError, LengthError, ParameterError
from concordant.foundation.conventions import UNDEFINED, SideName, Undefined, check_choice, check_type
from concordant.foundation.input_options import input_options
from concordant.foundation.lock import Guarded, one_at_a_time
from concordant.foundation.results import MISSING
from concordant.foundation.spelling import counted, quoted
from concordant.indices.attributes import PartitionIndices
from concordant.indices.index import DEFAULT_INDEX, INDICES, Index
from concordant.indices.values import IndexAttributes

if TYPE_CHECKING:
    from concordant.comparisons.comparison import Comparison
    from concordant.counts.base import Counts
    from concordant.engines.batch_cells import BatchCells, CellSum
    from concordant.engines.live.records import Place
    from concordant.engines.live.table import LiveTable

_NUMBERS: dict[SideName, int] = {"reference": 0, "candidate": 1}


class Live(PartitionIndices, Guarded, IndexAttributes[float]):
    """A comparison that follows edits: records and clusters are added, removed, moved, merged and split.

    Most indices are read from exact integer sums that follow the edits: pair-counting and information
    indices, MUC, merge distances, B-cubed, purity and exact clusters. Other indices are computed again after
    an edit. Several threads may edit and read it.

    Parameters
    ----------
    index : str, default="adjusted_rand"
        The index that `get` returns.
    window : int, optional
        Number of records to keep. Each further record removes the oldest.
    undefined : {"convention", "nan", "raise", "conll"}, default="convention"
        Value of an index whose formula is 0/0, as in `compare`.

    Examples
    --------
    >>> live = Live().add("a", 1, record="r1").add("a", 2, record="r2").add("b", 2, record="r3")
    >>> live.jaccard, live.move("r2", to=1).jaccard
    (0.0, 1.0)
    >>> live = Live("rand", window=2).update("a", 1).update("b", 1).update("b", 1)
    >>> live.size, live.get(), live["jaccard"]
    (2, 1.0, 1.0)
    """

    _compared: ClassVar[Callable[..., Comparison]]  # Comparison; its module, which imports this one, sets it

    @input_options(
        {}, refused={"weights": "records that are added one at a time count as one; compare() has weights"}
    )
    def __init__(
        self, index: str = DEFAULT_INDEX, *, window: int | None = None, undefined: Undefined = "convention"
    ) -> None:
        check_choice("undefined", undefined, UNDEFINED)
        self._index, self._when_undefined = INDICES[index], undefined
        if window is not None and (isinstance(window, bool) or not isinstance(window, int) or window < 1):
            raise ParameterError(f"window={window!r}: give the number of records to keep, 1 or more")
        self._window = window
        self._recent: deque[Any] = deque()  # the records in the window, oldest first
        self._running = 0  # the next name of a record that has none, where the window needs names
        self._batches: CellSum | None  # all records, as long as they were only added in batches
        self._sum: CountedSides | None  # the sum of these batches, if it was read
        self._begin()

    @one_at_a_time
    def _begin(self, start: CountedSides | None = None) -> Self:
        """Start from these counts, instead of the current content."""
        from concordant.engines.live.table import LiveTable  # few comparisons are edited

        self._edited, self._batches, self._sum = LiveTable(start), None, None
        return self

    @property
    def _table(self) -> LiveTable:
        """The table that edits change, to which all batches so far belong."""
        if self._batches is not None:
            self._begin(self._batches.counted())
        return self._edited

    def _counted(self) -> CountedSides:
        """The current clusters; later edits do not change them."""
        if self._batches is None:
            return self._edited.counted()
        if self._sum is None:
            self._sum = self._batches.counted()
        return self._sum

    @property
    def _counts(self) -> Counts:
        """The current counts, from which indices are computed."""
        return self._edited.counts if self._batches is None else self._counted().counts

    @property
    def size(self) -> int:
        """The number of records."""
        return self._edited.size if self._batches is None else self._batches.elements

    @one_at_a_time
    def _value(self, declared: Index) -> float:
        """Compute an index of the current clusters."""
        return declared.value(self._counts, self._when_undefined)

    @one_at_a_time
    def exact(self, index: str) -> Fraction:
        """Compute an index as a fraction, without rounding.

        Parameters
        ----------
        index : str
            Name of the index, also with parameters, as in "f_measure(beta=2)".

        Returns
        -------
        Fraction
            The exact value.

        Raises
        ------
        NotRationalError
            If the formula has roots or logarithms.
        UndefinedError
            If the value is not finite.

        Examples
        --------
        >>> Live().add("a", 1).add("a", 1).add("b", 1).exact("jaccard")
        Fraction(1, 3)
        """
        declared: Index = self._declared(index)
        return declared.exact(self._counts)

    @property
    @one_at_a_time
    def pairs(self) -> Pairs:
        """The current pair counts."""
        return pairs_of(self._counts.view(PairCounts))

    @one_at_a_time
    def compare(self) -> Comparison:
        """Return the comparison of the current clusters. Later edits do not change it.

        Returns
        -------
        Comparison
            The comparison.

        Examples
        --------
        >>> Live().add("a", 1).add("a", 1).compare().rand
        1.0
        """
        return self._compared(self._counted(), undefined=self._when_undefined)

    def keys(self) -> tuple[str, ...]:
        """List the available indices.

        Returns
        -------
        tuple of str
            The names of the indices, as in `Comparison.keys`.

        Examples
        --------
        >>> Live().add("a", 1).keys()[:2]
        ('precision', 'recall')
        """
        return self.compare().keys()

    # All values are read between the same two edits.
    values = one_at_a_time(IndexAttributes.values)
    items = one_at_a_time(IndexAttributes.items)
    to_dict = one_at_a_time(IndexAttributes.to_dict)

    # -- what is there --------------------------------------------------------------------------

    @one_at_a_time
    def where(self, record: Any) -> tuple[Any, Any]:
        """Return the labels of a record.

        Parameters
        ----------
        record : label
            The record's name.

        Returns
        -------
        (label, label)
            The reference label and the candidate label.

        Raises
        ------
        InputError
            If there is no such record.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.Live().add("a", 1, record="r1").where("r1")
        ('a', 1)
        """
        row, column = self._table.records.place(record)
        return self._table.labels[0].label(row), self._table.labels[1].label(column)

    # -- records --------------------------------------------------------------------------------

    @one_at_a_time
    def add(self, reference: Any, candidate: Any, *, record: Any = MISSING, count: int = 1) -> Self:
        """Add a record, or a batch of records, by their labels.

        Parameters
        ----------
        reference : label or sequence of labels
            The reference label, or that of each record of a batch.
        candidate : label or sequence of labels
            The candidate label, or that of each record of a batch.
        record : label or sequence of labels, optional
            The record's name, by which you can move and remove it.
        count : int, default=1
            Number of unnamed records to add.

        Returns
        -------
        Live
            This object.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.Live().add("a", 1, count=3).add(["a", "b"], [1, 2]).size
        5
        """
        if _is_batch(reference) or _is_batch(candidate):
            return self._add_batch(reference, candidate, record)
        _check_count(count, record)
        if record is not MISSING:
            self._table.records.check_new(record)
        place = self._table.place_for(reference, candidate)
        if record is MISSING and self._window is not None:
            for _ in range(count):
                self._add_named(self._running, place)
                self._running += 1
        elif record is MISSING:
            self._table.cells.change(*place, count)
        else:
            self._add_named(record, place)
        return self

    def _add_named(self, record: Any, place: Place) -> None:
        self._table.cells.change(*place, 1)
        self._table.records.put(record, place)
        if self._window is not None:
            self._recent.append(record)
            while len(self._recent) > self._window:
                self._forget(self._recent.popleft())

    def _forget(self, record: Any) -> None:
        """Take a record out of the window, unless it was removed before."""
        if self._table.records.find(record) is not None:
            self.remove(record)

    def _add_batch(self, reference: Any, candidate: Any, records: Any) -> Self:
        if records is MISSING and self._window is None:
            from concordant.engines.batch_cells import CellSum  # rarely needed

            return self._add_cells(CellSum().add_labels(reference, candidate))
        u, v = list(reference), list(candidate)
        names = [MISSING] * len(u) if records is MISSING else list(records)
        if not len(u) == len(v) == len(names):
            raise LengthError(
                f"this batch has {counted(len(u), 'reference label')}, {counted(len(v), 'candidate label')} "
                f"and {counted(len(names), 'name')}; give one of each for every record"
            )
        for each, other, name in zip(u, v, names, strict=True):
            self.add(each, other, record=name)
        return self

    def extend(self, other: Live) -> Self:
        """Add all records of another live comparison, which does not change.

        Parameters
        ----------
        other : Live
            The other comparison. The names of its records are not added.

        Returns
        -------
        Live
            This object.

        Raises
        ------
        InputError
            If records of the other are in no cluster.

        Examples
        --------
        >>> monday, tuesday = Live().add(["a", "a"], [1, 2]), Live().add(["a", "b"], [1, 2])
        >>> monday.extend(tuesday).size, tuesday.size
        (4, 2)
        """
        from concordant.engines.batch_cells import CellSum

        check_type("other", other, Live, "another Live")
        return self._add_cells(CellSum().add_all(other._cells()))  # one lock after the other

    @one_at_a_time
    def _cells(self) -> Sequence[BatchCells]:
        """Cells that add up to this comparison."""
        from concordant.engines.batch_cells import cells_of

        return [cells_of(self._edited.counted())] if self._batches is None else self._batches.parts

    @one_at_a_time
    def _add_cells(self, cells: CellSum) -> Self:
        if self._batches is not None:
            self._batches.add_all(cells.parts)
            self._sum = None
        elif self._window is None and not self.size and not self._edited.cells.edits and cells.elements:
            self._batches = cells
        else:
            for u, v, n in cells.whole().named():
                self.add(u, v, count=n)
        return self

    @one_at_a_time
    def remove(
        self, record: Any = MISSING, *, reference: Any = MISSING, candidate: Any = MISSING, count: int = 1
    ) -> Self:
        """Remove a record by its name, or unnamed records by their labels.

        Parameters
        ----------
        record : label, optional
            The record's name.
        reference, candidate : label, optional
            Instead of a name: the two clusters of the record.
        count : int, default=1
            Number of unnamed records to remove.

        Returns
        -------
        Live
            This object.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.Live().add("a", 1, record="r1").add("a", 2, count=3).remove("r1").size
        3
        """
        _check_count(count, record, reference, candidate)
        if record is not MISSING:
            place = self._table.records.place(record)
            self._table.records.put(record, None)
        else:
            place = self._cell(reference, candidate)
            self._table.take_unnamed(place, count, None)
        self._table.cells.change(*place, -count)
        self._table.tidy(place)
        return self

    @one_at_a_time
    def move(
        self,
        record: Any = MISSING,
        to: Any = MISSING,
        *,
        reference: Any = MISSING,
        candidate: Any = MISSING,
        count: int = 1,
        side: SideName = "candidate",
    ) -> Self:
        """Move a record to another cluster.

        Parameters
        ----------
        record : label, optional
            The record's name.
        to : label, optional
            The new cluster.
        reference, candidate : label, optional
            Instead of a name: the two clusters of the record.
        count : int, default=1
            Number of unnamed records to move.
        side : {"reference", "candidate"}, default="candidate"
            The side whose cluster changes.

        Returns
        -------
        Live
            This object.

        Examples
        --------
        >>> import concordant as cc
        >>> live = cc.Live().add("a", 1, record="r1").add("a", 2, record="r2")
        >>> live.move("r1", 2).where("r1")
        ('a', 2)
        """
        edited = _side(side)
        _check_count(count, record, reference, candidate)
        if to is MISSING:
            raise ParameterError("move() needs the cluster to move to, as to=")
        place = self._cell(reference, candidate) if record is MISSING else self._table.records.place(record)
        target = self._table.labels[edited].number(to)
        if place[edited] == target:
            raise InputError(f"the record is in cluster {quoted(to)} already, so there is nothing to move")
        new = (place[0], target) if edited else (target, place[1])
        if record is not MISSING:
            self._table.records.put(record, new)
        self._table.shift(place, new, count, named=record is not MISSING)
        return self

    # -- clusters -------------------------------------------------------------------------------

    @one_at_a_time
    def merge(self, *clusters: Any, into: Any = MISSING, side: SideName = "candidate") -> Any:
        """Merge clusters of one side.

        Parameters
        ----------
        *clusters : label
            The clusters to merge.
        into : label, optional
            Label of the merged cluster. By default, that of the first cluster.
        side : {"reference", "candidate"}, default="candidate"
            The side of the clusters.

        Returns
        -------
        label
            The label of the merged cluster.

        Examples
        --------
        >>> import concordant as cc
        >>> live = cc.Live().add("a", 1).add("a", 2).add("b", 3)
        >>> live.merge(1, 2)
        1
        """
        edited = _side(side)
        if len(clusters) == 1 and isinstance(clusters[0], list | set | frozenset):
            clusters = tuple(clusters[0])
        numbers = [self._table.labels[edited].number(label) for label in clusters]
        if len(numbers) < 2:
            raise InputError(f"a merge needs two clusters or more, not {len(numbers)}")
        if len(set(numbers)) < len(numbers):
            raise InputError("a cluster is named twice in this merge; name each once")
        label = clusters[0] if into is MISSING else into
        other = self._table.labels[edited].find(label)
        if other is not None and other not in numbers:
            raise InputError(
                f"into={quoted(label)} is another cluster of the {side}; name it among those to be merged"
            )
        return self._table.merge(edited, numbers, label)

    @one_at_a_time
    def split(
        self,
        records: Collection[Any] | None = None,
        *,
        cluster: Any = MISSING,
        of: Any = MISSING,
        to: Any = MISSING,
        side: SideName = "candidate",
    ) -> Any:
        """Split records off their cluster to form a new cluster.

        Parameters
        ----------
        records : collection of object, optional
            Names of records of one cluster. Records in no cluster, such as noise, may be among them.
        cluster : label, optional
            Instead of records: the cluster to split.
        of : label, optional
            The cluster of the other side whose records are split off `cluster`.
        to : label, optional
            Label of the new cluster. By default, an unused number or string.
        side : {"reference", "candidate"}, default="candidate"
            The side of the cluster to split.

        Returns
        -------
        label
            The label of the new cluster.

        Examples
        --------
        >>> import concordant as cc
        >>> live = cc.Live().add(["a", "a", "b"], [1, 1, 1])
        >>> live.split(cluster=1, of="b")
        2
        """
        edited = _side(side)
        if to is not MISSING:
            self._table.check_unused(edited, to)
        new_label = self._table.labels[edited].fresh() if to is MISSING else to
        if records is None:
            if cluster is MISSING or of is MISSING:
                raise ParameterError("split() needs the records to split off, or cluster= and of=")
            shares = self._table.overlap(edited, cluster, of)
            named: list[Any] = []
        elif cluster is not MISSING or of is not MISSING:
            raise ParameterError("split() takes records, or cluster= and of=, not both")
        else:
            if isinstance(records, str | bytes):
                raise ParameterError(
                    f"split() takes a collection of records, such as [{records!r}], not a single string"
                )
            check_type("records", records, Iterable, "a collection of records")
            named = list(records)
            if len(set(named)) < len(named):
                raise InputError("a record is named twice in this split; name each once")
            shares = self._table.places(edited, named)
        numbers = {place[edited] for place in shares}
        if len(numbers) == 1 and shares.total() == self._table.cells.rows_columns[edited].size(*numbers):
            label = quoted(self._table.labels[edited].label(*numbers))
            raise InputError(f"these are all records of cluster {label}, so there is nothing to split off")
        new = self._table.cells.rows_columns[edited].new()
        self._table.labels[edited].name(new, new_label)
        for record in named:
            place = self._table.records.place(record)
            self._table.records.put(record, (place[0], new) if edited else (new, place[1]))
        for here, n in shares.items():
            self._table.shift(here, (here[0], new) if edited else (new, here[1]), n, named=bool(named))
        return new_label

    @one_at_a_time
    def edit(self, *, merge: Any = None, split: Any = None, move: Any = None) -> Self:
        """Make several edits of the candidate: merges first, then splits, then moves.

        Parameters
        ----------
        merge : list of labels, or list of lists, optional
            Clusters to merge.
        split : list of records, list of lists, or mapping, optional
            Records that become a new cluster, as in `Comparison.what_if`.
        move : mapping, optional
            The new cluster of each record to move.

        Returns
        -------
        Live
            This object.

        Examples
        --------
        >>> live = Live().add(["a", "a", "b"], [1, 2, 2], record=["r1", "r2", "r3"])
        >>> live.edit(move={"r2": 1}).jaccard
        1.0
        """
        edits = {"merge": merge, "split": split, "move": move}
        given = {name: each for name, each in edits.items() if each is not None}
        if not given:
            raise InputError("no edit was named: pass merge=, split= or move=")
        for name, each in given.items():
            if not hasattr(each, "__len__") or isinstance(each, str | bytes):
                raise ParameterError(f"{name}={each!r}: {_WHAT[name]}")
            if not len(each):
                raise InputError(f"{name}={each!r} is empty; leave it out, or specify what to {name}")
        for clusters in _several(merge):
            self.merge(*clusters)
        if isinstance(split, Mapping):
            for cluster, of in split.items():
                if isinstance(of, list | set | frozenset | Mapping):
                    raise ParameterError(f"split={split!r}: {_WHAT['split']}, not to records")
                self.split(cluster=cluster, of=of)
        else:
            for records in _several(split):
                self.split(records)
        if move is not None and not isinstance(move, Mapping):
            raise ParameterError(f"move={move!r}: {_WHAT['move']}")
        for record, to in (move or {}).items():
            self.move(record, to)
        return self

    # -- as stream metrics are called -------------------------------------------------------------

    def update(self, y_true: Any, y_pred: Any) -> Self:
        """Add a record by its true and its predicted label, as stream metrics do.

        Parameters
        ----------
        y_true : label
            The reference label.
        y_pred : label
            The candidate label.

        Returns
        -------
        Live
            This object.

        Examples
        --------
        >>> Live("rand").update("a", 1).update("b", 1).get()
        0.0
        """
        return self.add(y_true, y_pred)

    def revert(self, y_true: Any, y_pred: Any) -> Self:
        """Undo an `update`.

        Parameters
        ----------
        y_true : label
            The reference label.
        y_pred : label
            The candidate label.

        Returns
        -------
        Live
            This object.

        Examples
        --------
        >>> Live("rand").update("a", 1).update("b", 1).revert("b", 1).get()
        1.0
        """
        return self.remove(reference=y_true, candidate=y_pred)

    def get(self, index: str | None = None, default: Any = None) -> Any:
        """Return the current value of an index.

        Parameters
        ----------
        index : str, optional
            Name of the index. By default, the one named in `Live(index)`.
        default : object, optional
            The result if the index is not available.

        Returns
        -------
        float
            The value, or the default.

        Examples
        --------
        >>> Live("rand").update("a", 1).update("b", 1).revert("b", 1).get()
        1.0
        """
        return self._value(self._index) if index is None else super().get(index, default)

    def _cell(self, reference: Any, candidate: Any) -> Place:
        if reference is MISSING or candidate is MISSING:
            raise ParameterError("name the record, or give both of its labels, as reference= and candidate=")
        return self._table.labels[0].number(reference), self._table.labels[1].number(candidate)

    @one_at_a_time
    def __repr__(self) -> str:
        counts = self._counts
        is_edited = self._batches is None
        rows, columns = self._edited.numbers_of_clusters() if is_edited else (counts.rows, counts.columns)
        clusters = f"{rows:,} against {counted(columns, 'cluster')}"
        return f"<{type(self).__name__} of {counted(self.size, 'record')}: {clusters}>"


_WHAT = {
    "merge": "pass a list of clusters",
    "split": "pass a set of records, or a mapping from cluster to reference cluster",
    "move": "pass a mapping from record to cluster",
}


def _several(edits: Any) -> list[Any]:
    """One edit as a list of one."""
    if edits is None:
        return []
    listed = list(edits)
    nested = [isinstance(each, list | set | frozenset) for each in listed]
    return listed if all(nested) else [listed]


_ONE_LABEL = (int, str, bytes, tuple, Mapping, frozenset)


def _is_batch(labels: Any) -> bool:
    """Whether these are the labels of many records: only strings and tuples are labels with a length."""
    if isinstance(labels, Iterator):
        raise LabelError("a label is an iterator, which can be read only once; pass list(...) of it")
    if isinstance(labels, _ONE_LABEL):
        return False
    return (
        (hasattr(labels, "__len__") and getattr(labels, "ndim", 1) != 0)
        or is_chunked(labels)
        or is_on_device(labels)
    )


def _check_count(count: int, record: Any, *labels: Any) -> None:
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise ParameterError(f"count={count!r}: give a number of records, 1 or more")
    if record is MISSING:
        return
    if count != 1:
        raise ParameterError(f"count={count!r}: a named record counts once; leave count out")
    if any(label is not MISSING for label in labels):
        raise ParameterError("a named record is in known clusters; leave out reference= and candidate=")


def _side(side: Any) -> int:
    check_choice("side", side, ("reference", "candidate"))
    return _NUMBERS[side]
