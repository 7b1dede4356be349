"""Accumulator: the counts of two partitions, gathered in batches, in files, or on many machines.

Profiles do not add up, but the cells of the contingency table do. So a nightly job or ten workers
count a part each, keep it as a small file, and the merged cells equal a count of all records.
Labels are known by their value, from batch to batch: 1 and "1" are two labels, and a moment is one label
whatever its unit. Labels that are equal but of different types in different batches (True, 1 and 1.0)
are refused: only the user knows whether they are one label.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from glob import glob
from pathlib import Path
from typing import Any, Self

import numpy as np

from concordant import core
from concordant.clusterings.chunked import BlockGrid
from concordant.clusterings.recognition import is_chunked
from concordant.comparisons import Comparison
from concordant.counts.conventions import (
    Progress,
    SideName,
    Undefined,
    check_choice,
    check_progress,
    check_threads,
)
from concordant.counts.counted import Counted
from concordant.counts.input_options import input_options
from concordant.counts.spelling import counted
from concordant.engines import accumulator_files
from concordant.engines.accumulator_files import CountedPart
from concordant.engines.batch_cells import (
    BatchCells,
    CellSum,
    compact_labels,
    count_cells,
    identified,
    label_list,
    sum_cells,
    writable_labels,
)
from concordant.engines.lock import Guarded, one_at_a_time
from concordant.errors import FileError, LabelError, NothingLeftError, ParameterError, kind_of


class Accumulator(Guarded):
    """Counts of records by pair of clusters, for labels that arrive in batches or on several machines.

    Parameters
    ----------
    name : str, default=""
        A name for the data, to distinguish volumes of the same shape.

    Examples
    --------
    >>> cells = Accumulator()
    >>> cells.add(["a", "a", "b"], [1, 1, 2]).add(["b", "a"], [2, 3])
    <Accumulator of 5 records: 2 against 3 clusters, 3 overlaps>
    >>> list(cells)
    [('a', 1, 2), ('a', 3, 1), ('b', 2, 2)]
    >>> cells.compare().rand
    0.8
    """

    @input_options({}, refused={"weights": "an accumulator counts each record as one; compare() has weights"})
    def __init__(self, name: str = "") -> None:
        if not isinstance(name, str):
            raise ParameterError(f"name the counted data with a string, not {kind_of(name)}")
        self._own = CountedPart._beginning(name)  # counted here, not merged in
        self._merged_in: dict[str, CountedPart] = {}
        self._sum = CellSum()
        self._given = False  # whether a batch was added, even an empty one

    @input_options(
        {}, refused={"weights": "an accumulator adds up numbers of records; compare() has weights"}
    )
    def add(self, reference: Any, candidate: Any, *, threads: int = 0) -> Self:
        """Count a batch of records.

        Parameters
        ----------
        reference : labels
            The reference label of each record.
        candidate : labels
            The candidate label of each record.
        threads : int, default=0
            Number of threads. 0 uses all available cores.

        Returns
        -------
        Accumulator
            This object.

        Raises
        ------
        LengthError
            If the two lists differ in length.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.Accumulator().add([1, 1, 2], ["x", "x", "x"])
        <Accumulator of 3 records: 2 against 1 cluster, 2 overlaps>
        """
        if is_chunked(reference) or is_chunked(candidate):
            return self.add_array(reference, candidate, threads=threads)
        return self._add(count_cells(reference, candidate, threads))

    def add_array(
        self,
        reference: Any,
        candidate: Any,
        *,
        part: int = 0,
        of: int = 1,
        where: Any = None,
        threads: int = 0,
        progress: Progress | None = None,
        again: bool = False,
    ) -> Self:
        """Count two arrays of the same shape block by block: Zarr, h5py, Dask, xarray, TensorStore or NumPy.

        If an error or Ctrl-C stops the call, no part of these arrays is counted.

        Parameters
        ----------
        reference, candidate : array
            The label images.
        part : int, default=0
            The part to count, from 0, so the jobs of a job array can share a volume. All jobs with the same
            arrays agree on the blocks.
        of : int, default=1
            Number of parts.
        where : array of bool, optional
            Mask of the voxels to count.
        threads : int, default=0
            Number of threads. 0 uses all available cores.
        progress : callable, optional
            Called with the number of blocks done and the total.
        again : bool, default=False
            Whether a part that was counted before may be counted again.

        Returns
        -------
        Accumulator
            This object.

        Raises
        ------
        InputError
            If a part was counted before. Pass a name to `Accumulator("...")` to distinguish volumes of the
            same shape.

        Examples
        --------
        >>> truth, seg = np.zeros((4, 4), int), np.eye(4, dtype=int)
        >>> halves = [Accumulator("slice 7").add_array(truth, seg, part=part, of=2) for part in range(2)]
        >>> sum(half.size for half in halves)
        16
        """
        check_threads(threads)
        check_progress(progress)
        grid = BlockGrid(reference, candidate, where)
        counts = CellSum().add_blocks(grid, part, of, threads=threads, progress=progress)
        known = replace(CountedPart._beginning(self._own.name), size=counts.elements)
        if of > 1:
            name = f"{self._own.name or 'an array'}, part {part} of {of}"
            known = known._known_by(name, grid.u.shape, len(grid.blocks))
        return self._add_all((known,) if known.size else (), counts.parts, given=True, again=again)

    @one_at_a_time
    def _add(self, part: BatchCells) -> Self:
        before = self._sum.elements
        self._sum.add(part)
        self._given = True
        self._own = replace(self._own, size=self._own.size + self._sum.elements - before)
        return self

    @property
    def size(self) -> int:
        """Number of counted records."""
        return self._sum.elements

    @property
    @one_at_a_time
    def parts(self) -> tuple[CountedPart, ...]:
        """The counted parts with host and time, including those of merged and loaded counts.

        Examples
        --------
        >>> [(part.name, part.size) for part in Accumulator("monday").add([1, 1], [1, 2]).parts]
        [('monday', 2)]
        """
        own = (self._own,) if self._own.size else ()
        return (*self._merged_in.values(), *own)

    def add_batch(self, batch: Any, *, reference: str, candidate: str, threads: int = 0) -> Self:
        """Count an Arrow record batch or table, or a dataframe.

        Parameters
        ----------
        batch : record batch, table or dataframe
            The batch.
        reference, candidate : str
            The columns of labels.
        threads : int, default=0
            Number of threads. 0 uses all available cores.

        Returns
        -------
        Accumulator
            This object.

        Examples
        --------
        >>> import pyarrow
        >>> batch = pyarrow.record_batch({"truth": [1, 1, 2], "guess": ["x", "y", "y"]})
        >>> list(Accumulator().add_batch(batch, reference="truth", candidate="guess"))
        [(1, 'x', 1), (1, 'y', 1), (2, 'y', 1)]
        """
        columns = getattr(batch, "column_names", None) or getattr(batch, "columns", None)
        if columns is None or not hasattr(batch, "__getitem__") or hasattr(batch, "collect"):
            raise LabelError(
                "a batch is an Arrow record batch, a table or a dataframe in memory, not "
                f"{kind_of(batch)}; add plain labels with Accumulator.add"
            )
        for name in (reference, candidate):
            if name not in list(columns):
                raise LabelError(f"the batch has no column {name!r}: it has {', '.join(map(repr, columns))}")
        return self.add(batch[reference], batch[candidate], threads=threads)

    def merge(self, other: Accumulator, *, again: bool = False) -> Self:
        """Add the counts of another accumulator, which does not change.

        Parameters
        ----------
        other : Accumulator
            The other accumulator.
        again : bool, default=False
            Whether parts that both have counted may count twice.

        Returns
        -------
        Accumulator
            This object.

        Raises
        ------
        InputError
            If both have counted the same part.

        Examples
        --------
        >>> monday, tuesday = Accumulator().add([1, 2], [1, 1]), Accumulator().add([2, 2], [1, 3])
        >>> list(monday.merge(tuesday))
        [(1, 1, 1), (2, 1, 2), (2, 3, 1)]
        """
        if not isinstance(other, Accumulator):
            raise ParameterError(f"an Accumulator merges with another one, not with {kind_of(other)}")
        known, cells, given = other._held()  # one lock after the other, so none waits for both
        return self._add_all(known, cells, given=given, again=again)

    @one_at_a_time
    def _held(self) -> tuple[tuple[CountedPart, ...], tuple[BatchCells, ...], bool]:
        return self.parts, self._sum.parts, self._given

    @one_at_a_time
    def _add_all(
        self, known: Sequence[CountedPart], cells: Sequence[BatchCells], *, given: bool, again: bool
    ) -> Self:
        self._sum.check_room(sum(int(part.n.sum()) for part in cells))
        self._given = self._given or given
        self._note(known, again, "what is merged")
        for part in cells:
            self._sum.add(part)
        return self

    def _note(self, parts: Sequence[CountedPart], again: bool, where: str) -> None:
        known = {part.id for part in self.parts}
        twice = [part for part in parts if part.id in known]
        if twice and not again:
            raise ParameterError(
                f"{where} was counted here already: {twice[0]}; leave it out, or pass again=True to count it "
                "twice"
            )
        self._merged_in |= {part.id: part for part in parts if part.id not in known}

    def __add__(self, other: Accumulator) -> Self:
        return type(self)().merge(self).merge(other) if isinstance(other, Accumulator) else NotImplemented

    @one_at_a_time
    def _whole(self) -> BatchCells:
        return self._sum.whole()

    @one_at_a_time
    def _counted(self) -> Counted:
        """All records that were counted, as if they were one batch."""
        if not self._given:
            raise NothingLeftError("nothing was added to this Accumulator, so there is nothing to compare")
        return self._sum.counted()

    def compare(self, *, undefined: Undefined = "convention") -> Comparison:
        """Compare all counted records, as if they were one batch.

        Parameters
        ----------
        undefined : {"convention", "nan", "raise", "conll"}, default="convention"
            Value of an index whose formula is 0/0, as in `compare`.

        Returns
        -------
        Comparison
            The comparison.

        Examples
        --------
        >>> Accumulator().add([0, 0, 1], [0, 1, 1]).compare().exact("rand")
        Fraction(1, 3)
        """
        return Comparison(self._counted(), undefined=undefined)

    def labels(self, side: SideName) -> tuple[Any, ...]:
        """Return the labels of one side, in the order of the rows or columns of the table.

        Parameters
        ----------
        side : {"reference", "candidate"}
            The side.

        Returns
        -------
        tuple of labels
            The labels.

        Examples
        --------
        >>> Accumulator().add(["b", "a"], [1, 1]).labels("reference")
        ('b', 'a')
        """
        check_choice("side", side, ("reference", "candidate"))
        return tuple(label_list(getattr(self._whole(), side)))

    def __iter__(self) -> Iterator[tuple[Any, Any, int]]:
        """Each cell as (label of the reference, label of the candidate, number of records)."""
        yield from self._whole().named()

    def __len__(self) -> int:
        return len(self._whole().n)

    @one_at_a_time
    def __repr__(self) -> str:
        whole = self._whole()
        clusters = f"{len(whole.reference):,} against {counted(len(whole.candidate), 'cluster')}"
        overlaps = counted(len(whole.n), "overlap")
        return f"<{type(self).__name__} of {counted(self.size, 'record')}: {clusters}, {overlaps}>"

    @one_at_a_time
    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the counts to a Parquet file with the columns reference, candidate and n.

        The file has a checksum and lists the counted parts.

        Parameters
        ----------
        path : str or path-like
            The file to write.

        Raises
        ------
        LabelError
            If the labels of a side are neither all 64-bit integers nor all strings.

        Examples
        --------
        >>> import concordant as cc
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     cc.Accumulator().add([1, 2], [1, 1]).save(folder + "/cells.parquet")
        ...     list(cc.Accumulator.load(folder + "/cells.parquet"))
        [(1, 1, 1), (2, 1, 1)]
        """
        whole = self._whole()
        reference = writable_labels(whole.reference, "reference")[whole.row]
        candidate = writable_labels(whole.candidate, "candidate")[whole.column]
        accumulator_files.write(path, (reference, candidate, whole.n), self.parts)

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, again: bool = False) -> Self:
        """Load counts from files that `save` wrote.

        Parameters
        ----------
        path : str or path-like
            A file, or a pattern such as "night-*.parquet".
        again : bool, default=False
            Whether parts that several files contain may count twice.

        Returns
        -------
        Accumulator
            The sum of the counts.

        Raises
        ------
        InputError
            If two files contain the same part.

        Examples
        --------
        >>> import concordant as cc
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     cc.Accumulator().add([1, 2], [1, 1]).save(folder + "/cells.parquet")
        ...     cc.Accumulator.load(folder + "/*.parquet").compare().rand
        0.0
        """
        if not isinstance(path, (str, os.PathLike)):
            raise ParameterError(f"cells are loaded from a path or a pattern, not from {path!r}")
        cells, pattern = cls(), os.fspath(path)
        paths = [pattern] if Path(pattern).exists() else sorted(glob(pattern))  # noqa: PTH207  (may be absolute)
        if not paths:
            raise FileError(f"there is no file {pattern}")
        if Path(pattern).is_dir():
            raise FileError(
                f"{pattern} is a folder; name its files with a pattern such as '{pattern}/*.parquet'"
            )
        for each in paths:
            (reference, candidate, n), parts = accumulator_files.read(each)
            cells._note(parts, again, f"a part of {each}")
            labels, codes = [], []
            for column in (reference, candidate):
                code, first = core.factorize(identified(column))
                labels.append(compact_labels(column[first].tolist()))
                codes.append(code)
            part = sum_cells([BatchCells(codes[0], codes[1], n.astype(np.int64), labels[0], labels[1])])
            cells._sum.add(part)
            cells._given = True
        return cells
