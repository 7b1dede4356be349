"""Live: a comparison that follows edits."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Self

from concordant.catalogue.index import DEFAULT_INDEX, INDICES, Index
from concordant.comparisons.comparison import Comparison
from concordant.counts.conventions import UNDEFINED, Undefined, check_choice
from concordant.counts.pairs import Pairs
from concordant.engines.live.counts import LiveCounts
from concordant.engines.lock import one_at_a_time
from concordant.errors import InputError, ParameterError
from concordant.indices.attributes import IndexAttributes


class Live(LiveCounts, IndexAttributes):
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

    def __init__(
        self,
        index: str = DEFAULT_INDEX,
        *,
        window: int | None = None,
        undefined: Undefined = "convention",
    ) -> None:
        check_choice("undefined", undefined, UNDEFINED)
        self._index, self._when_undefined = INDICES[index], undefined
        super().__init__(window=window)

    @one_at_a_time
    def value(self, declared: Index) -> float:
        """Compute an index of the current clusters.

        Parameters
        ----------
        declared : Index
            The declaration of the index, from `concordant.INDICES`.

        Returns
        -------
        float
            The value.

        Examples
        --------
        >>> import concordant as cc
        >>> Live().add("a", 1).add("a", 1).add("b", 1).value(cc.INDICES["rand"])
        0.3333333333333333
        """
        return declared.value(self.counts, self._when_undefined)

    @one_at_a_time
    def exact(self, spelling: str) -> Fraction:
        """Compute an index as a fraction, without rounding.

        Parameters
        ----------
        spelling : str
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
        return INDICES[spelling].exact(self.counts)

    @property
    @one_at_a_time
    def pairs(self) -> Pairs:
        """The current pair counts."""
        return self.counts.view(Pairs)

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
        return Comparison(self.counted(), undefined=self._when_undefined)

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

    # All values are read between the same two edits.
    values = one_at_a_time(IndexAttributes.values)
    items = one_at_a_time(IndexAttributes.items)
    to_dict = one_at_a_time(IndexAttributes.to_dict)

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
        return self.value(self._index) if index is None else super().get(index, default)


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
