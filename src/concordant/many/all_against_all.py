"""matrix(): many partitions of one set, all against all, by one index or several.

Each partition is read and encoded once, as the narrowest integers that hold its clusters; each pair
is counted once if the indices allow it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import permutations
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from concordant.clusterings.alignment import none_common, nothing_left, refuse_unmatched, values_by_record
from concordant.clusterings.clustering import clustering_kind
from concordant.clusterings.labels import Codes, set_apart
from concordant.clusterings.missing import conventions_in_words
from concordant.clusterings.partition_data import SourcePartition
from concordant.comparisons import values
from concordant.comparisons.entry import compare_sides
from concordant.comparisons.partitions import weights_in_parts, with_named_weights
from concordant.counts.weighted_counts import weight_text
from concordant.errors import ParameterError, few
from concordant.foundation import kinds
from concordant.foundation.conventions import Conventions, Progress
from concordant.foundation.input_options import InputOptions, input_options
from concordant.indices.index import DEFAULT_INDEX, INDICES, Index
from concordant.indices.values import named_indices
from concordant.inference.interval import Interval
from concordant.many.aligned_runs import (
    ABSENT,
    DROPPED,
    AlignedCodes,
    align_all,
    are_on_device,
    frames_of,
    held_of,
    in_memory_by_name,
    named_covers,
    opened_many,
    read_partitions,
    words_of,
)
from concordant.many.matrix import Matrix, OneIndex
from concordant.maths.arithmetic import read_only


@input_options(
    meanings={
        "columns": "The columns that contain clusters, if the input is one table. By default, all but "
        "`record`; AnnData must name them. One name applies to each clustering that is a table.",
        "unmatched": "Records that some clusterings lack: raise an error, drop them, or make each a "
        'singleton where it is absent. "keep" is refused.',
        "progress": "Called with the number of pairs done and the total.",
        "names": "Display names of the clusterings, in their order.",
    }
)
def matrix(
    clusterings: Any,
    indices: str | Sequence[str] = DEFAULT_INDEX,
    *,
    reference: Any = None,
    interval: bool = False,
    **options: Unpack[InputOptions],
) -> Matrix:
    """Compare many clusterings of the same set, all against all.

    Each pair is counted once for all indices. If a clustering is a Cover, all are compared as covers, by an
    index such as `omega`. If one is a Soft, all are compared by a soft index such as `soft_adjusted_rand`.

    Parameters
    ----------
    clusterings : mapping, sequence, table or array
        The clusterings by name, or a list of them, with the names "0", "1" and so on. Each is any input of
        `compare`. Or one table (a dataframe, a relation or AnnData) or two-dimensional array, whose columns
        are the clusterings.
    indices : str or sequence of str, default="adjusted_rand"
        Name of the index, or of several.
    reference : label, optional
        Name of the clustering that the others are compared with in `ranking` and on the page.
    interval : bool, default=False
        Whether the records are a random sample. If so, each value has a 95% interval.
    **options
        The input options.

    Returns
    -------
    Matrix
        The value of each index by reference and candidate.

    Raises
    ------
    UnmatchedError
        If the clusterings have different records and `unmatched` is "error".

    Examples
    --------
    >>> m = matrix({"k=2": [0, 0, 0, 1, 1, 1], "k=3": [0, 0, 1, 1, 2, 2], "same": "x x x y y y".split()})
    >>> m["k=2", "same"], m.medoid().clustering
    (1.0, 'k=2')
    >>> import numpy as np
    >>> matrix(np.array([[0, 0, 5], [0, 0, 6], [1, 2, 7]]), "rand").names
    ('0', '1', '2')
    >>> both = matrix([[0, 0, 1, 1], [0, 0, 1, 2]], ["ARI", "AMI"])
    >>> both[0, 1, "ARI"], len(both.indices)
    (0.5714285714285714, 2)
    """
    conventions = Conventions.of(options)
    spellings = named_indices(indices)
    if not spellings:
        raise ParameterError("give the name of an index, or a list of names", given={"indices": spellings})
    named, conventions = opened_many(clusterings, "matrix", conventions)
    if reference is not None and str(reference) not in named:
        raise ParameterError(f"use the name of a clustering: {few(named)}", given={"reference": reference})
    judge = None if reference is None else str(reference)
    progress, conventions = conventions.progress, replace(conventions, progress=None)
    for kind in kinds.among(map(clustering_kind, named.values())):
        if kind.matrix:
            compared = kinds.use(kind.matrix)
            found: Matrix = compared(named, spellings, conventions, judge, progress, interval=interval)
            return found
    declared = tuple(INDICES[each] for each in spellings)
    refuse_twice([each.name for each in declared], spellings)
    pairs = _pairs(named, declared, conventions, progress)
    parts = [
        OneIndex(
            pairs.names, each, read_only(values), pairs.one_set, pairs.intervals(each) if interval else {}
        )
        for each, values in zip(declared, pairs.values(), strict=True)
    ]
    return Matrix(parts, size=pairs.size, reference=judge, conventions=pairs.conventions)


def refuse_twice(names: Sequence[str], spellings: Sequence[str]) -> None:
    """Refuse an index that is named twice."""
    twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if twice is not None:
        raise ParameterError(f"{twice} is named twice", given={"indices": spellings})


def _pairs(
    named: Mapping[str, Any], indices: tuple[Index, ...], conventions: Conventions, progress: Progress | None
) -> AllPairs:
    """The pairs to compare: covers, or partitions on a device, in sources or in memory."""
    covers = named_covers(named, conventions)
    if covers is not None:
        elements = [set(each.elements) for each in covers.values()]
        pair = partial(_pair, list(covers.values()), conventions)
        same = all(each == elements[0] for each in elements)
        words = conventions_in_words(conventions)
        return AllPairs(indices, tuple(covers), len(set().union(*elements)), same, words, pair, progress)
    agreed = Conventions(
        undefined=conventions.undefined, threads=conventions.threads, table_limit=conventions.table_limit
    )
    read = read_partitions(named, "matrix", conventions)
    refuse_unmatched(conventions.unmatched, *read.values())
    words = words_of(conventions, read.values())
    if are_on_device(read):
        if conventions.weights is not None:
            raise ParameterError("weights need labels in memory, not on a GPU", given={"weights": ...})
        listed: list[Any] = list(read.values())
        pair = partial(_pair, listed, agreed)
        same = conventions.noise_as != "drop"
        return AllPairs(indices, tuple(read), len(listed[0]), same, words, pair, progress)
    sources = [each for each in read.values() if isinstance(each, SourcePartition)]
    is_counted = conventions.weights is None and conventions.unmatched == "error"
    if is_counted and len(sources) == len(read) and frames_of(sources) is None:  # by their engine
        pair = partial(_pair, sources, replace(agreed, nulls=conventions.nulls))
        drops = any("drop" in (each.nulls, each.noise_as, conventions.nulls) for each in sources)
        size = compare_sides(*pair(0, 1)).size
        return AllPairs(indices, tuple(read), size, not drops, words, pair, progress)
    aligned = align_all(in_memory_by_name(read, "matrix", conventions), conventions.unmatched)
    weights = None
    if conventions.weights is not None:
        given = with_named_weights(conventions, read.values()).weights
        order = None if any(each.named for each in aligned.partitions.values()) else aligned.records
        each = values_by_record(aligned.records, given, "weights", "weight", order=order)
        weights = each if isinstance(each, np.ndarray) else np.array(each, dtype=object)
        whole, parts = weights_in_parts(each)
        total = weight_text(Fraction(int(whole.sum()), parts))
        words = " | ".join(filter(None, [words, f"weights=total {total}"]))
    pair = partial(_pair_of_codes, aligned, conventions, agreed, weights)
    return AllPairs(indices, tuple(read), len(aligned.records), aligned.are_whole, words, pair, progress)


@dataclass(frozen=True, slots=True)
class AllPairs:
    """Named partitions to compare, all against all, by some indices."""

    indices: tuple[Index, ...]
    names: tuple[str, ...]
    size: int  # the number of records
    one_set: bool  # whether all pairs have the same records
    conventions: str
    # Two of the partitions, side by side as an engine takes them, and what is not applied to them yet.
    pair: Callable[[int, int], tuple[Any, Any, Conventions]]
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
            found[one, other] = compare_sides(*self.pair(i, j)).interval(index.name, **index.arguments)
        return found

    def _values(self, i: int, j: int, indices: Sequence[Index]) -> list[float]:
        return values(indices, *self.pair(i, j))


def _pair(
    partitions: Sequence[Any], conventions: Conventions, i: int, j: int
) -> tuple[Any, Any, Conventions]:
    return partitions[i], partitions[j], conventions


def _pair_of_codes(  # noqa: PLR0917  (all but the pair are bound)
    aligned: AlignedCodes,
    conventions: Conventions,
    agreed: Conventions,
    weights: NDArray[Any] | None,
    i: int,
    j: int,
) -> tuple[Codes, Codes, Conventions]:
    """The codes of two partitions in memory, on the records of both or, as singletons, of either."""
    u, v = aligned.codes[i], aligned.codes[j]
    keep: Any = slice(None)
    if held_of(u) is not None or held_of(v) is not None:
        least = 0 if conventions.unmatched == "drop" else ABSENT
        keep = (u >= least) & (v >= least) & ((u >= 0) | (v >= 0))
        u, v = u[keep], v[keep]
        if not len(u) and i != j:
            _refuse_nothing_left(aligned, i, j, conventions)
        u, v = set_apart(u, u == ABSENT), set_apart(v, v == ABSENT)
    if weights is not None:
        agreed = replace(agreed, weights=weights[keep].tolist())
    return u, v, agreed


def _refuse_nothing_left(aligned: AlignedCodes, i: int, j: int, conventions: Conventions) -> None:
    names, partitions = list(aligned.partitions), list(aligned.partitions.values())
    one, other = partitions[i], partitions[j]
    if not len(one) and not len(other):
        return
    policies = {"unmatched": "drop"} if conventions.unmatched == "drop" else {}
    if any((aligned.codes[place] == DROPPED).any() for place in (i, j)):
        options = [name for name in ("nulls", "noise_as") if getattr(conventions, name) == "drop"]
        policies |= dict.fromkeys(options or ["noise_as"], "drop")
    are_named = aligned.places[i] is not None
    apart = are_named and set(one.elements).isdisjoint(other.elements)
    raise nothing_left(
        policies,
        (len(one), len(other)),
        none_common(one.elements, other.elements) if apart else "no record is left that both have",
        sides=(repr(names[i]), repr(names[j])),
    )
