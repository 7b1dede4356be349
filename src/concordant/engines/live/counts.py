"""Live counts: edits of records and clusters by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any, Final, Self

from concordant.counts.sides import SideName
from concordant.counts.spelling import quoted
from concordant.engines.live.labels import checked
from concordant.engines.live.records import Place
from concordant.engines.live.table import LiveTable
from concordant.engines.lock import one_at_a_time
from concordant.errors import InputError, LengthError, ParameterError

_LEFT_OUT: Final[Any] = object()  # a name or a label that was not given, since None may be a mistake
_NUMBERS: dict[SideName, int] = {"reference": 0, "candidate": 1}


class LiveCounts(LiveTable):
    """A live table whose records and clusters are edited by name.

    Examples
    --------
    >>> live = LiveCounts().add("a", 1).add("a", 1).add("b", 2)
    >>> live.size, live.counts.columns
    (3, 2)
    """

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
        row, column = self._records.place(record)
        return self._labels[0].label(row), self._labels[1].label(column)

    # -- records --------------------------------------------------------------------------------

    @one_at_a_time
    def add(self, reference: Any, candidate: Any, *, record: Any = _LEFT_OUT, count: int = 1) -> Self:
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
        _check_count(count, named=record is not _LEFT_OUT)
        if record is not _LEFT_OUT:
            self._check_new(record)
        u, v = checked(reference, "reference"), checked(candidate, "candidate")
        row, column = self._named(0, u), self._named(1, v)
        if record is _LEFT_OUT and self._window is not None:
            for _ in range(count):
                self._add_named(self._running, (row, column))
                self._running += 1
        elif record is _LEFT_OUT:
            self._cells.change(row, column, count)
        else:
            self._add_named(record, (row, column))
        return self

    def _check_new(self, record: Any) -> None:
        try:
            hash(record)
        except TypeError:
            raise InputError(f"a record name must be hashable, unlike {record!r}") from None
        if record is None:
            raise InputError("a record cannot be named None; leave out record= if it has no name")
        if self._records.find(record) is not None:
            raise InputError(f"there is a record {quoted(record)} already; move it, or remove it first")

    def _add_named(self, record: Any, place: Place) -> None:
        self._cells.change(*place, 1)
        self._records.put(record, place)
        if self._window is not None:
            self._recent.append(record)
            while len(self._recent) > self._window:
                self._forget(self._recent.popleft())

    def _forget(self, record: Any) -> None:
        """Take a record out of the window, unless it was removed before."""
        if self._records.find(record) is not None:
            self.remove(record)

    def _add_batch(self, reference: Any, candidate: Any, records: Any) -> Self:
        if records is _LEFT_OUT and self._window is None:
            from concordant.engines.accumulator import CellAccumulator  # rarely needed

            batch = CellAccumulator().add(reference, candidate)
            if not self.size and not self._cells.edits and batch.elements:
                self.begin(batch.counted())
                return self
            for u, v, n in batch:
                self.add(u, v, count=n)
            return self
        u, v = list(reference), list(candidate)
        names = [_LEFT_OUT] * len(u) if records is _LEFT_OUT else list(records)
        if not len(u) == len(v) == len(names):
            raise LengthError(
                f"{len(u):,} labels of the reference, {len(v):,} of the candidate and {len(names):,} names: "
                "a batch has one of each for every record"
            )
        for each, other, name in zip(u, v, names, strict=True):
            self.add(each, other, record=name)
        return self

    @one_at_a_time
    def remove(
        self,
        record: Any = _LEFT_OUT,
        *,
        reference: Any = _LEFT_OUT,
        candidate: Any = _LEFT_OUT,
        count: int = 1,
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
        _check_count(count, named=record is not _LEFT_OUT)
        if record is not _LEFT_OUT:
            place = self._records.place(record)
            self._records.put(record, None)
        else:
            place = self._cell(reference, candidate)
            self._take_unnamed(place, count, None)
        self._cells.change(*place, -count)
        self._tidy(place)
        return self

    @one_at_a_time
    def move(
        self,
        record: Any = _LEFT_OUT,
        to: Any = _LEFT_OUT,
        *,
        reference: Any = _LEFT_OUT,
        candidate: Any = _LEFT_OUT,
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
        _check_count(count, named=record is not _LEFT_OUT)
        if to is _LEFT_OUT:
            raise ParameterError("move() needs the cluster to move to, as to=")
        place = self._cell(reference, candidate) if record is _LEFT_OUT else self._records.place(record)
        target = self._labels[edited].number(to)
        if place[edited] == target:
            raise InputError(f"the record is in cluster {quoted(to)} already, so there is nothing to move")
        new = (place[0], target) if edited else (target, place[1])
        if record is not _LEFT_OUT:
            self._records.put(record, new)
        self.shift(place, new, count, named=record is not _LEFT_OUT)
        return self

    # -- clusters -------------------------------------------------------------------------------

    @one_at_a_time
    def merge(self, *clusters: Any, into: Any = _LEFT_OUT, side: SideName = "candidate") -> Any:
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
        >>> live.merge(1, 2), live.counts.columns
        (1, 2)
        """
        edited = _side(side)
        if len(clusters) == 1 and isinstance(clusters[0], list | set | frozenset):
            clusters = tuple(clusters[0])
        numbers = [self._labels[edited].number(label) for label in clusters]
        if len(numbers) < 2:
            raise InputError(f"a merge needs two clusters or more, not {len(numbers)}")
        if len(set(numbers)) < len(numbers):
            raise InputError("a cluster is named twice in this merge; name each once")
        label = clusters[0] if into is _LEFT_OUT else into
        other = self._labels[edited].find(label)
        if other is not None and other not in numbers:
            raise InputError(
                f"into={quoted(label)} is another cluster of the {side}; name it among those to be merged"
            )
        return self.merge_numbers(edited, numbers, label)

    @one_at_a_time
    def split(
        self,
        records: Collection[Any] | None = None,
        *,
        cluster: Any = _LEFT_OUT,
        of: Any = _LEFT_OUT,
        to: Any = _LEFT_OUT,
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
        >>> live.split(cluster=1, of="b"), live.counts.columns
        (2, 2)
        """
        edited = _side(side)
        new_label = self._new_label(edited, to)
        if records is None:
            shares = self._cell_to_split(edited, cluster, of)
            named: list[Any] = []
        elif cluster is not _LEFT_OUT or of is not _LEFT_OUT:
            raise ParameterError("split() takes records, or cluster= and of=, not both")
        else:
            if isinstance(records, str | bytes):
                raise ParameterError(
                    f"split() takes a collection of records, such as [{records!r}], not a single string"
                )
            named = list(records)
            if len(set(named)) < len(named):
                raise InputError("a record is named twice in this split; name each once")
            shares = self._shares_of(edited, named)
        numbers = {place[edited] for place in shares}
        if len(numbers) == 1 and shares.total() == self._cells.rows_columns[edited].size(*numbers):
            label = quoted(self._labels[edited].label(*numbers))
            raise InputError(f"these are all records of cluster {label}, so there is nothing to split off")
        new = self._cells.rows_columns[edited].new()
        self._labels[edited].name(new, new_label)
        for record in named:
            place = self._records.place(record)
            self._records.put(record, (place[0], new) if edited else (new, place[1]))
        for here, n in shares.items():
            self.shift(here, (here[0], new) if edited else (new, here[1]), n, named=bool(named))
        return new_label

    def _new_label(self, side: int, label: Any) -> Any:
        if label is _LEFT_OUT:
            return self._labels[side].fresh()
        if self._labels[side].find(label) is not None:
            raise InputError(f"there is a cluster {quoted(label)} already; a split makes a new one")
        return label

    def _cell_to_split(self, side: int, cluster: Any, of: Any) -> Counter[Place]:
        if cluster is _LEFT_OUT or of is _LEFT_OUT:
            raise ParameterError("split() needs the records to split off, or cluster= and of=")
        number, across = self._labels[side].number(cluster), self._labels[1 - side].number(of)
        held = self._cells.rows_columns[side].seen(number).get(across, 0)
        if not held:
            raise InputError(f"{quoted(cluster)} and {quoted(of)} have no record in common")
        return Counter({(across, number) if side else (number, across): held})

    def _shares_of(self, side: int, records: list[Any]) -> Counter[Place]:
        """How many of these records are in each overlap; they are in one cluster or in none."""
        if not records:
            raise InputError("no records were named to be split off")
        shares = Counter(self._records.place(record) for record in records)
        found = {self._labels[side].label(number) for number in {place[side] for place in shares}} - {None}
        if len(found) > 1:
            labels = sorted(map(quoted, found))
            raise InputError(
                f"the records to split off are in {len(labels)} clusters ({', '.join(labels[:3])}"
                f"{', ...' if len(labels) > 3 else ''}); a split takes records of one"
            )
        return shares

    # -- helpers --------------------------------------------------------------------------------

    def _named(self, side: int, label: Any) -> int:
        """The cluster of that label; a new one if there is none yet."""
        number = self._labels[side].find(label)
        if number is None:
            number = self._cells.rows_columns[side].new()
            self._labels[side].name(number, label)
        return number

    def _cell(self, reference: Any, candidate: Any) -> Place:
        if reference is _LEFT_OUT or candidate is _LEFT_OUT:
            raise ParameterError("name the record, or give both of its labels, as reference= and candidate=")
        return self._labels[0].number(reference), self._labels[1].number(candidate)


_ONE_LABEL = (int, str, bytes, tuple, Mapping, frozenset)


def _is_batch(labels: Any) -> bool:
    """Whether these are the labels of many records: only strings and tuples are labels with a length."""
    if isinstance(labels, _ONE_LABEL):
        return False
    return hasattr(labels, "__len__") and getattr(labels, "ndim", 1) != 0


def _check_count(count: int, *, named: bool) -> None:
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise ParameterError(f"count={count!r}: give a number of records, 1 or more")
    if named and count != 1:
        raise ParameterError(f"count={count!r}: a named record counts once; leave count out")


def _side(side: str) -> int:
    if not isinstance(side, str) or side not in _NUMBERS:
        raise ParameterError(f"side={side!r}: use 'reference' or 'candidate'")
    return _NUMBERS[side]
