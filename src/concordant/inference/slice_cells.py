"""The records of each overlap by slice: one pass over (reference, candidate, slice) for all measures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from concordant import core, engines
from concordant.clusterings.coerce import named_columns
from concordant.clusterings.detect import has_observations
from concordant.clusterings.encoding import encode
from concordant.clusterings.labels import Codes, is_missing, labels_at
from concordant.clusterings.missing import null_labels, without
from concordant.clusterings.record_names import RecordNames
from concordant.counts.contingency import Contingency
from concordant.counts.counted_sides import CountedSides, TableLabels
from concordant.counts.profile import Profile
from concordant.counts.weighted_counts import WeightedCounts
from concordant.errors import InputError, LabelError, ParameterError, Remedy, few
from concordant.foundation.spelling import counted, printable, verb
from concordant.inference.interval import record_values
from concordant.maths.arithmetic import Integers, as_integers, sums_by

# Which pairs belong to a slice: half of a pair for each end in it, those with an end in it, or with both.
Reading = Literal["ends", "any", "both"]
UNNAMED = "slice"  # the column of values without a name
Label = tuple[Any, ...]  # the value of a slice in each column

# Numbers of pairs, each doubled: together in both partitions, in each of them, and all.
DoubledPairs = tuple[Integers, Integers, Integers, Integers]


@dataclass(frozen=True)
class SliceKinds:
    """Pieces whose records weigh the same, in cells of equal sizes."""

    number: Integers  # of each cell, or of each piece
    sizes: tuple[Integers, Integers, Integers]  # of each kind: the weights of its cells, rows and columns
    records: Integers  # of a piece of each kind
    weight: Integers
    squares: Integers


def ends_of_pairs(
    group: Integers,
    groups: int,
    sizes: tuple[Integers, Integers, Integers],
    weight: Integers,
    squares: Integers,
    *,
    total: int,
) -> DoubledPairs:
    """The pairs of each group, half of a pair for each end, from its weights in cells of these sizes."""
    own = sums_by(group, squares, groups)
    n11, u, v = (sums_by(group, weight * each, groups) - own for each in sizes)
    return n11, u, v, sums_by(group, weight, groups) * total - own


@dataclass(frozen=True)
class SliceCells:
    """The pieces that slices make of the cells of a table, and the weights of all of them.

    Without weights, a record weighs one part.
    """

    columns: tuple[str, ...]  # the columns whose values define the slices
    labels: list[Label]  # of each slice; None represents a missing value
    table: Contingency  # in parts of weight
    slice: Integers  # of each piece
    cell: Integers  # in ascending order
    records: Integers  # how many
    weight: Integers  # in parts
    squares: Integers  # Σw²
    parts: Fraction = Fraction(1)  # how many parts make a weight of one
    of_record: Integers | None = None  # the slice of each record, if records are in memory

    @cached_property
    def sizes(self) -> Integers:
        """The number of records of each slice."""
        return sums_by(self.slice, self.records, len(self.labels))

    @cached_property
    def weights(self) -> Integers:
        if self.weight is self.records:
            return self.sizes
        return sums_by(self.slice, self.weight, len(self.labels))

    @cached_property
    def total(self) -> int:
        """The weight of all records."""
        return int(self.weights.sum())

    def overlaps(self, piece: Any = ...) -> tuple[Integers, Integers, Integers]:
        """The weights of the cell, the row and the column of these pieces."""
        table, cell = self.table, self.cell[piece]
        return table.n[cell], table.row_sizes[table.row[cell]], table.column_sizes[table.column[cell]]

    @cached_property
    def components(self) -> Integers:
        """The connected component of each cell: clusters that share records are linked."""
        of_row, _ = core.blocks(*(np.ascontiguousarray(x) for x in (self.table.row, self.table.column)))
        return of_row[self.table.row]

    @cached_property
    def kinds(self) -> SliceKinds:
        """Without weights, pieces of cells of equal sizes are of one kind; with weights, each has its own."""
        if self.weight is not self.records:
            every = np.arange(len(self.cell))
            return SliceKinds(every, self.overlaps(), self.records, self.weight, self.squares)
        table = (np.ascontiguousarray(x) for x in (self.table.row, self.table.column, self.table.n))
        of_cell, *sizes = core.cell_kinds(*table)
        ones = np.ones_like(sizes[0])
        return SliceKinds(of_cell, (sizes[0], sizes[1], sizes[2]), ones, ones, ones)

    def sums_of_kinds(self) -> tuple[Integers, Integers, Integers, Integers]:
        """Slices in ascending order, their kinds, and of each the weight and Σw²."""
        kind = self.kinds.number
        if self.weight is not self.records:
            order = core.grouped(self.slice)[0]
            return self.slice[order], kind[order], self.weight[order], self.squares[order]
        of_slice, own, records = core.kind_sums(kind, self.cell, self.slice, self.records)
        return of_slice, own, records, records

    def pairs(self, reading: Reading, group: Integers, groups: int) -> DoubledPairs:
        """The pairs of the pieces of each group, which holds pieces of one slice.

        Groups are slices, or the components of slices. No cluster is in several components.
        """
        ends = ends_of_pairs(group, groups, self.overlaps(), self.weight, self.squares, total=self.total)
        if reading == "ends":
            return ends
        squares, weights = (sums_by(group, each, groups) for each in (self.squares, self.weight))
        table = self.table
        both = [sums_by(group, self.weight * self.weight, groups) - squares]
        for cluster in (table.row[self.cell], table.column[self.cell]):
            part, which = np.unique(group * len(table) + cluster, return_inverse=True)
            size = sums_by(which.reshape(-1), self.weight, len(part))
            both.append(sums_by(part // len(table), size * size, groups) - squares)
        both.append(weights * weights - squares)
        if reading == "both":
            return both[0], both[1], both[2], both[3]
        n11, u, v, every = (2 * x - y for x, y in zip(ends, both, strict=True))
        return n11, u, v, every

    def cut(self, number: int, known: CountedSides) -> CountedSides:
        """The records of one slice alone, counted."""
        chosen = np.flatnonzero(self.slice == number)
        cells = self.cell[chosen]
        clusters, places = zip(
            *(np.unique(x[cells], return_inverse=True) for x in (self.table.row, self.table.column)),
            strict=True,
        )
        row, column = (each.reshape(-1).astype(np.int64) for each in places)
        labels = None
        if known.names.known_labels != "none" and known.sources is None:
            own = [
                [known.names.cluster(side, i) for i in numbers.tolist()]
                for side, numbers in enumerate(clusters)
            ]
            labels = own[0], own[1]
        profile = Profile.of_table(Contingency(row, column, self.records[chosen], labels=labels))
        if not isinstance(known.counts, WeightedCounts) or self.of_record is None:
            return CountedSides(profile, TableLabels(profile), known.conventions)
        inside = self.of_record == number
        own_weights = known.counts.own[inside]
        heavy = Profile.of_table(Contingency(row, column, self.weight[chosen]), int(own_weights.sum()))
        cell = np.searchsorted(cells, known.counts.cell[inside])
        counts = WeightedCounts(profile, heavy, self.parts, own_weights, cell)
        return CountedSides(counts, TableLabels(profile), {**known.conventions, **counts.conventions})


def slice_text(label: Label) -> str:
    """The values of a slice as one line of text."""
    return ", ".join("(none)" if each is None else printable(each) for each in label)


def slice_cells(
    known: CountedSides,
    by: Any,
    records: Any = None,
    record: str | None = None,
    *,
    option: str = "by",
    noun: str = "slice",
) -> SliceCells:
    """The slices of a comparison, by columns of what was compared or of ``records``, or by given values.

    Errors call ``by`` the option, and a value the noun.
    """
    counts = known.counts
    if counts.divisible:
        _ = counts.partitions  # refuses time segments
    weighted = counts if isinstance(counts, WeightedCounts) else None
    profile = counts.partitions if weighted is None else weighted.elements
    observed = records.obs if has_observations(records) else known.observed if records is None else None
    columns = _column_names(by, option, has_columns=records is not None or _has_columns(known))
    if records is None and record is not None:
        raise ParameterError("this names a column of details=; pass details= too", given={"record": record})
    if records is not None and columns is None:
        raise ParameterError("name columns of details= here", given={"by": ...})
    if observed is not None and columns is not None:
        by, columns = named_columns(observed, columns), None
    if known.sources is not None:
        if columns is None:
            also = "" if option == "between" else ", of the sources or of details="
            raise ParameterError(
                f"the records are in dataframes or files that an engine reads: name a column{also}",
                given={option: ...},
            )
        return _of_sources(*engines.slice_rows(known, columns, records, record), columns, profile.size)
    own = known.names.records
    if columns is None:
        columns, values = _given_values(known, by, option, noun)
    else:
        values = list(engines.slice_values(known, columns, records, record))
    codes, labels = _encoded(values, option, noun)
    if weighted is None and isinstance(own, RecordNames):
        table, cell, code, number = own.cut(codes)
        return SliceCells(columns, labels, table, code, cell, number, number, number, of_record=codes)
    table = profile.table
    keys = np.asarray(own.cell) * len(labels) + codes
    found, number = np.unique(keys, return_counts=True)
    weight = squares = number.astype(np.int64)
    parts = Fraction(1)
    if weighted is not None:
        parts, places = weighted.parts, np.searchsorted(found, keys)
        weight = sums_by(places, weighted.own, len(found))
        squares = sums_by(places, weighted.own_squares, len(found))
        weight = as_integers(weight, weighted.weights.size**2)
        table = weighted.weights.table
    cells, slices = np.divmod(found, max(len(labels), 1))
    return SliceCells(columns, labels, table, slices, cells, number, weight, squares, parts, codes)


def _has_columns(known: CountedSides) -> bool:
    return any(each is not None for each in (known.sources, known.frames, known.observed))


def _column_names(by: Any, option: str, *, has_columns: bool) -> tuple[str, ...] | None:
    """The columns that are named, or None if these are the values themselves."""
    names = (by,) if isinstance(by, str) else by
    are_names = isinstance(names, list | tuple) and bool(names) and all(isinstance(x, str) for x in names)
    if has_columns and are_names:
        if len(set(names)) < len(names):
            raise ParameterError("a column is named twice; name each once", given={option: by})
        return tuple(names)
    if isinstance(by, str):
        raise ParameterError(
            "this names a column, but labels have no columns; give the value of each record, as a mapping or "
            "in the order of the reference",
            given={option: by},
            remedies=[Remedy("name the dataframe or file with the column", details=...)],
        )
    return None


def _given_values(
    known: CountedSides, by: Any, option: str, noun: str
) -> tuple[tuple[str, ...], list[list[Any] | NDArray[Any]]]:
    """The names of the columns, and the values of each record in every column."""
    if hasattr(by, "columns") and hasattr(by, "shape"):
        frame = {str(name): by[name] for name in by.columns}
        if not frame:
            raise ParameterError(
                f"the dataframe has no columns; give it one with the {noun} of each record",
                given={option: ...},
            )
        columns = frame
    else:
        name = getattr(by, "name", None)
        columns = {name if isinstance(name, str) and name else noun: by}
    records = known.names.records
    return tuple(columns), [record_values(records, each, option, noun) for each in columns.values()]


def _encoded(
    values: Sequence[list[Any] | NDArray[Any]], option: str, noun: str
) -> tuple[Integers, list[Label]]:
    """The slice of each record as a number, and the values of each slice."""
    codes, first = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    for place, column in enumerate(values):
        try:
            found = _column_codes(column)
        except TypeError as error:
            raise LabelError(
                f"a {noun} is a single value, such as a number or a string, not a list or a mapping",
                given={option: ...},
            ) from error
        own, first_own = core.factorize(np.ascontiguousarray(found))
        joined = codes * len(first_own) + own if place else own
        codes, first = core.factorize(joined) if place else (own, first_own)
    columns = [[None if is_missing(x) else x for x in labels_at(column, first)] for column in values]
    return codes, list(zip(*columns, strict=True))


def _column_codes(column: list[Any] | NDArray[Any]) -> Codes:
    """Equal codes for equal values; all missing values have one."""
    null = null_labels(column)
    if null is None:
        return encode(column).codes
    codes = np.full(len(column), -1)
    codes[~null] = core.factorize(np.asarray(encode(without(column, null)).codes))[0]
    return codes


def _of_sources(
    found: Sequence[tuple[Integers, Sequence[Any]]], n: Integers, columns: tuple[str, ...], size: int
) -> SliceCells:
    """From the columns (reference, candidate, slices) that an engine has grouped, and their records."""
    (u, of_u), (v, of_v), *own = found
    held = (u >= 0) & (v >= 0)
    u, v, n = u[held], v[held], n[held]
    if (given := int(n.sum())) != size:
        raise InputError(
            f"{counted(size, 'record', 'were')} compared, and {given:,} of them "
            f"{verb(given, 'have')} a row with {few(columns)}; give each record one row"
        )
    slices, first = np.zeros(len(n), dtype=np.int64), np.zeros(0, dtype=np.int64)
    for codes, values in own:
        key = slices * (len(values) + 1) + codes[held] + 1
        _, first, slices = np.unique(key, return_index=True, return_inverse=True)
        slices = slices.reshape(-1)
    known = [([*values, None], codes[held][first]) for codes, values in own]  # the last is that of -1
    labels = [
        tuple(label)
        for label in zip(*([values[k] for k in of.tolist()] for values, of in known), strict=True)
    ]
    (rows, row), (columns_of, column) = (np.unique(side, return_inverse=True) for side in (u, v))
    width = int(column.max(initial=-1)) + 1
    cells, cell = np.unique(row.reshape(-1) * width + column.reshape(-1), return_inverse=True)
    cell = cell.reshape(-1)
    names = [of_u[k] for k in rows.tolist()], [of_v[k] for k in columns_of.tolist()]
    table = Contingency(*np.divmod(cells, max(width, 1)), sums_by(cell, n, len(cells)), labels=names)
    # Missing values of a column are of several kinds, so a slice may have several rows for a cell.
    pieces, which = np.unique(cell * len(labels) + slices, return_inverse=True)
    n = sums_by(which.reshape(-1), n, len(pieces))
    cell, slices = np.divmod(pieces, max(len(labels), 1))
    return SliceCells(columns, labels, table, slices, cell, n, n, n)
