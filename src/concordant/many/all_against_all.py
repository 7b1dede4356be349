"""matrix(): many partitions of one set, all against all, by one index or several.

Each partition is read and encoded once, as the narrowest integers that hold its clusters; each pair
is counted once if the indices allow it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import permutations
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from concordant.clusterings.alignment import none_common, nothing_left, refuse_unmatched
from concordant.clusterings.clustering import clustering_kind
from concordant.clusterings.inputs import observed_many
from concordant.clusterings.labels import Codes
from concordant.clusterings.missing import conventions_in_words, set_apart
from concordant.comparisons import values
from concordant.comparisons.entry import compare_sides
from concordant.counts.arithmetic import read_only
from concordant.counts.conventions import (
    Conventions,
    NoiseAs,
    Nulls,
    Progress,
    Undefined,
    Unmatched,
    check_progress,
)
from concordant.errors import ParameterError, few
from concordant.indices.index import DEFAULT_INDEX, INDICES, Index
from concordant.many.columns import Column, are_on_device, columns_of, named_covers, read_partitions
from concordant.many.matrix import Matrices, Matrix
from concordant.trust.interval import Interval


@overload
def matrix(
    clusterings: Mapping[Any, Any] | Sequence[Any] | Any,
    index: str = DEFAULT_INDEX,
    *,
    columns: Sequence[str] | None = None,
    reference: Any = None,
    interval: bool = False,
    unmatched: Unmatched = "error",
    nulls: Nulls | None = None,
    noise: Any = None,
    noise_as: NoiseAs | None = None,
    undefined: Undefined = "convention",
    threads: int = 0,
    progress: Progress | None = None,
) -> Matrix: ...


@overload
def matrix(
    clusterings: Mapping[Any, Any] | Sequence[Any] | Any,
    index: list[str] | tuple[str, ...],
    *,
    columns: Sequence[str] | None = None,
    reference: Any = None,
    interval: bool = False,
    unmatched: Unmatched = "error",
    nulls: Nulls | None = None,
    noise: Any = None,
    noise_as: NoiseAs | None = None,
    undefined: Undefined = "convention",
    threads: int = 0,
    progress: Progress | None = None,
) -> Matrices: ...


def matrix(
    clusterings: Mapping[Any, Any] | Sequence[Any] | Any,
    index: str | list[str] | tuple[str, ...] = DEFAULT_INDEX,
    *,
    columns: Sequence[str] | None = None,
    reference: Any = None,
    interval: bool = False,
    unmatched: Unmatched = "error",
    nulls: Nulls | None = None,
    noise: Any = None,
    noise_as: NoiseAs | None = None,
    undefined: Undefined = "convention",
    threads: int = 0,
    progress: Progress | None = None,
) -> Matrix | Matrices:
    """Compare many clusterings of the same set, all against all.

    Each pair is counted once for all indices. If a clustering is a Cover, all are compared as covers, by an
    index such as `omega`. If one is a Soft, all are compared by a soft index such as `soft_adjusted_rand`.

    Parameters
    ----------
    clusterings : mapping, sequence, dataframe, array or AnnData
        The clusterings by name, or a list of them, with the names "0", "1" and so on. Each is any input of
        `compare`. Each column of a dataframe or of a two-dimensional array is a clustering.
    index : str or list of str, default="adjusted_rand"
        Name of the index, or of several.
    columns : sequence of str, optional
        The columns of a dataframe, or of `obs` of AnnData, that contain clusters.
    reference : label, optional
        Name of the clustering that the others are compared with in `ranking` and on the page.
    interval : bool, default=False
        Whether the records are a random sample. If so, each value has a 95% interval.
    unmatched : {"error", "drop", "singletons", "keep"}, default="error"
        Elements that some clusterings lack, as in `compare`.
    nulls, noise, noise_as : str or label, optional
        Null labels and noise, as in `compare`.
    undefined : {"convention", "nan", "raise", "conll"}, default="convention"
        Value of an index whose formula is 0/0, as in `compare`.
    threads : int, default=0
        Number of threads. 0 uses all available cores.
    progress : callable, optional
        Called with the number of pairs done and the total.

    Returns
    -------
    Matrix or Matrices
        The matrix of the index, with references in rows and candidates in columns; for a list of indices, the
        matrix of each.

    Raises
    ------
    UnmatchedError
        If the clusterings have different elements and `unmatched` is "error".

    Examples
    --------
    >>> m = matrix({"k=2": [0, 0, 0, 1, 1, 1], "k=3": [0, 0, 1, 1, 2, 2], "same": "x x x y y y".split()})
    >>> m["k=2", "same"], m.nearest("k=3"), m.medoid()
    (1.0, 'k=2', 'k=2')
    >>> import numpy as np
    >>> matrix(np.array([[0, 0, 5], [0, 0, 6], [1, 2, 7]]), "rand").names
    ('0', '1', '2')
    >>> both = matrix([[0, 0, 1, 1], [0, 0, 1, 2]], ["ARI", "AMI"])
    >>> list(both), both["ARI"][0, 1]
    (['adjusted_rand', 'adjusted_mutual_information'], 0.5714285714285714)
    """
    spellings = [index] if isinstance(index, str) else index
    if not isinstance(spellings, list | tuple) or not spellings:
        raise ParameterError("give the name of an index, or a list of names", given={"index": spellings})
    if has_soft(clusterings):
        from concordant.many.soft_runs import soft_matrix  # rarely needed

        if len(spellings) > 1 or not isinstance(index, str):
            raise ParameterError(
                "soft runs are compared by one soft index; name only one", given={"index": spellings}
            )
        if interval:
            raise ParameterError("a matrix of soft runs has no intervals", given={"interval": interval})
        check_progress(progress)
        agreed_on = Conventions(
            unmatched=unmatched,
            nulls=nulls,
            noise=noise,
            noise_as=noise_as,
            undefined=undefined,
            threads=threads,
        )
        return soft_matrix(clusterings, index, agreed_on, reference, progress)
    declared = tuple(INDICES[each] for each in spellings)
    keys = [(each.name, each.arguments) for each in declared]  # two prices may have the same spelling
    twice = next((name for i, (name, _) in enumerate(keys) if keys[i] in keys[:i]), None)
    if twice is not None:
        raise ParameterError(f"{twice} is named twice", given={"index": spellings})
    check_progress(progress)
    conventions = Conventions(
        unmatched=unmatched, nulls=nulls, noise=noise, noise_as=noise_as, undefined=undefined, threads=threads
    )
    clusterings = observed_many(clusterings, columns)
    work, one_set, agreed = _work(clusterings, declared, conventions, progress)
    named = work.names
    if reference is not None and str(reference) not in named:
        raise ParameterError(f"use the name of a partition: {few(named)}", given={"reference": reference})
    judge = None if reference is None else str(reference)
    found = [
        Matrix(
            named, each, read_only(values), one_set, judge, agreed, work.intervals(each) if interval else {}
        )
        for each, values in zip(declared, work.values(), strict=True)
    ]
    return found[0] if isinstance(index, str) else Matrices(found)


def has_soft(partitions: Any) -> bool:
    """Whether one of many partitions is soft."""
    given = partitions.values() if isinstance(partitions, Mapping) else partitions
    return isinstance(partitions, Mapping | list | tuple) and "soft" in map(clustering_kind, given)


def _work(
    partitions: Any, indices: tuple[Index, ...], conventions: Conventions, progress: Progress | None
) -> tuple[AllPairs, bool, str]:
    """The pairs to compare, whether they share the same elements, and the conventions."""
    covers = named_covers(partitions, "matrix", conventions)
    if covers is not None:
        elements = [set(each.elements) for each in covers.values()]
        pair = partial(_pair, list(covers.values()))
        pairs = AllPairs(indices, tuple(covers), pair, conventions, progress)
        same = all(each == elements[0] for each in elements)
        return pairs, same, conventions_in_words(conventions)
    agreed = Conventions(undefined=conventions.undefined, threads=conventions.threads)
    read = read_partitions(partitions, "matrix", conventions)
    refuse_unmatched(conventions.unmatched, *read.values())
    words = conventions_in_words(conventions, read.values())
    if are_on_device(read):
        on_device = AllPairs(indices, tuple(read), partial(_pair, list(read.values())), agreed, progress)
        return on_device, conventions.noise_as != "drop", words
    named = {name: each.in_memory(repr(name), "matrix") for name, each in read.items()}
    laid_out = dict(zip(named, columns_of(named, conventions.unmatched), strict=True))
    pair = partial(_pair_of_columns, list(laid_out.items()), conventions)
    one_set = all(column.absent is None and column.dropped is None for column in laid_out.values())
    return AllPairs(indices, tuple(named), pair, agreed, progress), one_set, words


@dataclass(frozen=True, slots=True)
class AllPairs:
    """Named partitions to compare, all against all, by some indices."""

    indices: tuple[Index, ...]
    names: tuple[str, ...]
    pair: Callable[[int, int], tuple[Any, Any]]  # two of the partitions, side by side as an engine takes them
    conventions: Conventions  # those that are not applied to the pairs yet
    progress: Progress | None

    def values(self) -> NDArray[np.float64]:
        """For each index its matrix: rows are references, columns candidates."""
        size = len(self.names)
        values = np.empty((len(self.indices), size, size))
        for place, index in enumerate(self.indices):
            perfect = index.perfect
            alone = [perfect if perfect is not None else self._values(i, i, [index])[0] for i in range(size)]
            np.fill_diagonal(values[place], alone)
        pairs = [(i, j) for i in range(size) for j in range(i + 1, size)]
        for done, (i, j) in enumerate(pairs, start=1):
            values[:, i, j], values[:, j, i] = self._both_ways(i, j)
            if self.progress is not None:
                self.progress(done, len(pairs))
        return values

    def _both_ways(self, i: int, j: int) -> tuple[list[float], list[float]]:
        """The values of a pair and of the pair swapped, from one count where the indices allow it."""
        # The index with the value of the swapped pair; None if there is none, or if it is the index itself.
        mirrors = [
            None if each.mirror is None or each.symmetric else INDICES[each.mirror].bind(**each.arguments)
            for each in self.indices
        ]
        count = len(self.indices)
        found = self._values(i, j, [*self.indices, *filter(None, mirrors)])
        there, mirrored = found[:count], iter(found[count:])
        alone = [each for each in self.indices if each.mirror is None]
        swapped = iter(self._values(j, i, alone) if alone else ())
        back = [
            next(swapped) if index.mirror is None else value if mirror is None else next(mirrored)
            for index, mirror, value in zip(self.indices, mirrors, there, strict=True)
        ]
        return there, back

    def intervals(self, index: Index) -> dict[tuple[str, str], Interval]:
        """The interval of every pair of names, in both directions, if the records are a sample."""
        found: dict[tuple[str, str], Interval] = {}
        for (i, one), (j, other) in permutations(enumerate(self.names), 2):
            if index.symmetric and (other, one) in found:
                found[one, other] = found[other, one]
                continue
            sides: Any = compare_sides(*self.pair(i, j), Conventions(undefined=self.conventions.undefined))
            found[one, other] = sides.interval(index.name, **index.arguments)
        return found

    def _values(self, i: int, j: int, indices: Sequence[Index]) -> list[float]:
        return values(indices, *self.pair(i, j), self.conventions)


def _pair(partitions: Sequence[Any], i: int, j: int) -> tuple[Any, Any]:
    return partitions[i], partitions[j]


def _pair_of_columns(
    columns: Sequence[tuple[str, Column]], conventions: Conventions, i: int, j: int
) -> tuple[Codes, Codes]:
    """The codes of two columns in memory, of which some may lack elements that others have."""
    u, v = columns[i][1], columns[j][1]
    outside = [mask for mask in (u.dropped, v.dropped) if mask is not None]
    if conventions.unmatched == "drop":
        outside += [mask for mask in (u.absent, v.absent) if mask is not None]
    if u.absent is not None and v.absent is not None:
        outside.append(u.absent & v.absent)
    keep: Any = ~np.logical_or.reduce(outside) if outside else slice(None)
    codes = set_apart(u.codes, u.absent)[keep], set_apart(v.codes, v.absent)[keep]
    if not len(codes[0]) and i != j:
        _refuse_nothing_left(columns[i], columns[j], conventions)
    return codes


def _refuse_nothing_left(
    one: tuple[str, Column], other: tuple[str, Column], conventions: Conventions
) -> None:
    pair = one[1], other[1]
    sizes = [len(x.codes) - (0 if x.absent is None else int(x.absent.sum())) for x in pair]
    if not any(sizes):
        return
    policies = {"unmatched": "drop"} if conventions.unmatched == "drop" else {}
    if any(column.dropped is not None for column in pair):
        options = [name for name in ("nulls", "noise_as") if getattr(conventions, name) == "drop"]
        policies |= dict.fromkeys(options or ["noise_as"], "drop")
    u, v = (column.elements for column in pair)
    apart = u is not None and v is not None and set(u).isdisjoint(v)
    raise nothing_left(
        policies,
        (sizes[0], sizes[1]),
        none_common(u, v) if apart else "no element is left that both have",
        sides=(repr(one[0]), repr(other[0])),
    )
