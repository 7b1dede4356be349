"""matrix(): many partitions of one set, all against all, by one index or several.

Each partition is read and encoded once, as the narrowest integers that hold its clusters; each pair
is counted once where the indices allow it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, overload

from concordant.catalogue.index import INDICES, Index
from concordant.counts.arithmetic import read_only
from concordant.counts.conventions import Conventions, NoiseAs, Progress, Undefined, Unmatched, check_progress
from concordant.errors import ParameterError, UnknownIndexError, few
from concordant.many.all_pairs import AllPairs, ColumnPairs, CoverPairs
from concordant.many.columns import are_on_device, columns_of, named_covers, read_partitions
from concordant.many.matrix import Matrix, grid_of, medoid_if_any
from concordant.partitions.input_types import observed_many
from concordant.report.matrix_text import matrix_html
from concordant.report.pages.matrix import matrices_page
from concordant.report.pages.page import write_page
from concordant.results import as_frame


@overload
def matrix(
    partitions: Mapping[Any, Any] | Sequence[Any] | Any,
    index: str = "adjusted_rand",
    *,
    columns: Sequence[str] | None = None,
    reference: Any = None,
    unmatched: Unmatched = "error",
    noise: Any = None,
    noise_as: NoiseAs | None = None,
    undefined: Undefined = "convention",
    threads: int = 0,
    progress: Progress | None = None,
) -> Matrix: ...


@overload
def matrix(
    partitions: Mapping[Any, Any] | Sequence[Any] | Any,
    index: list[str] | tuple[str, ...],
    *,
    columns: Sequence[str] | None = None,
    reference: Any = None,
    unmatched: Unmatched = "error",
    noise: Any = None,
    noise_as: NoiseAs | None = None,
    undefined: Undefined = "convention",
    threads: int = 0,
    progress: Progress | None = None,
) -> Matrices: ...


def matrix(
    partitions: Mapping[Any, Any] | Sequence[Any] | Any,
    index: str | list[str] | tuple[str, ...] = "adjusted_rand",
    *,
    columns: Sequence[str] | None = None,
    reference: Any = None,
    unmatched: Unmatched = "error",
    noise: Any = None,
    noise_as: NoiseAs | None = None,
    undefined: Undefined = "convention",
    threads: int = 0,
    progress: Progress | None = None,
) -> Matrix | Matrices:
    """Compare many partitions of the same set, all against all, by one index or several.

    Partitions come as a mapping from name to partition, or as a list, where their names are "0",
    "1" and so on; each is anything that ``compare`` takes. Of a dataframe in memory, or of an array of
    two dimensions, each column is a partition of the rows. In the matrix, rows are references and
    columns candidates. ``reference`` names the partition that all others are judged by, for ``ranking`` and
    the page. Other options are those of ``compare``; ``progress`` is called with the number of pairs
    done and to do. Where one is a Cover, all are compared as covers, by an index such as ``omega``.
    Of a list of indices each pair is counted once for all, and each index has its matrix.

    Of AnnData, ``columns`` names those of its ``obs`` that hold clusters.

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
    declared = _declared([index] if isinstance(index, str) else index)
    check_progress(progress)
    conventions = Conventions(
        unmatched=unmatched, noise=noise, noise_as=noise_as, undefined=undefined, threads=threads
    )
    partitions = observed_many(partitions, columns)
    work, one_set = _work(partitions, declared, conventions, progress)
    named = work.names
    if reference is not None and str(reference) not in named:
        raise ParameterError(f"there are {few(named)}", given={"reference": reference})
    judge = None if reference is None else str(reference)
    found = [
        Matrix(named, each, read_only(values), one_set, judge)
        for each, values in zip(declared, work.values(), strict=True)
    ]
    return found[0] if isinstance(index, str) else Matrices(found)


def _work(
    partitions: Any, indices: tuple[Index, ...], conventions: Conventions, progress: Progress | None
) -> tuple[AllPairs, bool]:
    """What has to be compared, and whether all pairs are compared on the same elements."""
    covers = named_covers(partitions, "matrix", conventions)
    if covers is not None:
        elements = [set(each.elements) for each in covers.values()]
        pairs = CoverPairs(indices, tuple(covers), tuple(covers.values()), conventions, progress)
        return pairs, all(each == elements[0] for each in elements)
    read = read_partitions(partitions, "matrix", conventions)
    if are_on_device(read):
        on_device = AllPairs(indices, tuple(read), tuple(read.values()), conventions, progress)
        return on_device, conventions.noise_as != "drop"
    named = {name: each.in_memory(repr(name), "matrix") for name, each in read.items()}
    laid_out = columns_of(named, conventions.unmatched)
    work = ColumnPairs(indices, tuple(named), laid_out, conventions, progress)
    return work, all(column.absent is None and column.dropped is None for column in laid_out)


def _declared(spellings: Sequence[str]) -> tuple[Index, ...]:
    """The indices that were asked for, each once."""
    if not isinstance(spellings, list | tuple) or not spellings:
        raise ParameterError("give the name of an index, or a list of names", given={"index": spellings})
    declared = tuple(INDICES[each] for each in spellings)
    twice = next((each.name for i, each in enumerate(declared) if _among(each, declared[:i])), None)
    if twice is not None:
        raise ParameterError(f"{twice} is asked for twice", given={"index": spellings})
    return declared


def _among(index: Index, others: Sequence[Index]) -> bool:
    return any(_same(index, other) for other in others)


def _same(one: Index, other: Index) -> bool:
    return (one.name, one.arguments) == (other.name, other.arguments)  # two prices may spell alike


class Matrices(Mapping[str, Matrix]):
    """The matrices of several indices over the same partitions, by the name of the index.

    >>> runs = {"a": [0, 0, 1, 1], "b": [0, 0, 1, 2], "c": [0, 1, 0, 1]}
    >>> m = matrix(runs, ["rand", "precision"])
    >>> m["rand"]["a", "b"], m["precision"].medoid()
    (0.8333333333333334, 'a')
    >>> m.to_frame()[2]
    {'reference': 'b', 'candidate': 'a', 'rand': 0.8333333333333334, 'precision': 0.5}
    """

    __slots__ = ("_matrices",)

    def __init__(self, matrices: Sequence[Matrix]) -> None:
        self._matrices = tuple(matrices)

    def __getitem__(self, spelling: str) -> Matrix:
        declared = INDICES[spelling]
        for each in self._matrices:
            if _same(each.index, declared):
                return each
        raise UnknownIndexError(f"{declared.name} was not asked for; there are {few(self)}")

    def __iter__(self) -> Iterator[str]:
        return (each.index.name for each in self._matrices)

    def __len__(self) -> int:
        return len(self._matrices)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the partitions."""
        return self._matrices[0].names

    def medoid(self) -> dict[str, str | None]:
        """The partition most like all the others by each index; None by an index without direction.

        >>> matrix([[0, 0, 1, 1], [0, 0, 1, 2], [0, 1, 2, 3]], ["rand", "joint_entropy"]).medoid()
        {'rand': '1', 'joint_entropy': None}
        """
        return {each.index.name: medoid_if_any(each) for each in self._matrices}

    def to_frame(self, backend: Any = None) -> Any:
        """One row for each two different partitions, with a column for each index.

        A symmetric index has the same value in both rows of a pair. ``backend`` as for one matrix.
        """
        places = [(i, j) for i in range(len(self.names)) for j in range(len(self.names)) if i != j]
        columns: dict[str, list[Any]] = {
            "reference": [self.names[i] for i, _ in places],
            "candidate": [self.names[j] for _, j in places],
        }
        for each in self._matrices:
            columns[each.index.name] = [float(each.values[place]) for place in places]
        if backend is not None:
            return as_frame(columns, backend)
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    def to_json(self, indent: int | None = 2) -> str:
        """All matrices as JSON: a list of what ``to_json`` gives of each.

        >>> matrix([[0, 0, 1], [0, 1, 1]], ["rand", "mirkin"]).to_json(indent=None)[:40]
        '[{"index": "rand", "names": ["0", "1"], '
        """
        documents = [json.loads(each.to_json(indent=None)) for each in self._matrices]
        return json.dumps(documents, indent=indent, ensure_ascii=False)

    def to_html(self, path: str | os.PathLike[str]) -> Path:
        """Write one page with the charts of all, index by index. Returns the path."""
        return write_page(path, matrices_page([grid_of(each) for each in self._matrices]))

    def __str__(self) -> str:
        return "\n\n".join(map(str, self._matrices))

    def _repr_html_(self) -> str:
        return "".join(matrix_html(each.names, each.index, each.values) for each in self._matrices)

    def __repr__(self) -> str:
        return f"<Matrices of {len(self.names)} partitions by {', '.join(self)}>"
