"""The objects that a user may pass to be compared, and how each becomes a partition.

``partition_of`` takes an object by the first kind that ``recognition`` finds; ambiguous objects are refused.
AnnData keeps many partitions, in the columns of its ``obs``: ``observed_columns`` picks them by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from concordant.clusterings.alignment import none_unmatched
from concordant.clusterings.clustering import ClusteringData, clustering_kind, data_of, no_labels
from concordant.clusterings.detect import (
    form_of_labels,
    has_observations,
    is_on_device,
    is_table,
)
from concordant.clusterings.encoding import partition_of_labels
from concordant.clusterings.labels import MemoryLabels, PartitionData
from concordant.clusterings.missing import no_nulls
from concordant.clusterings.partition_data import (
    ChunkedPartition,
    DevicePartition,
    SegmentPartition,
    SourcePartition,
    partition_of_clusters,
)
from concordant.errors import (
    CoverError,
    InputError,
    LabelError,
    OverlapError,
    ParameterError,
    did_you_mean,
    few,
    kind_of,
)
from concordant.foundation.conventions import SIDES, USUAL, Conventions
from concordant.sources.descriptions import Frame, without_index

_PIECE = 2**16  # values that are read in one step
_ROUNDING = 1e-3  # of probabilities in half precision

_EITHER = "specify which, with Partition.from_clusters(...) or Partition.{}(...)"


def partition_of(values: Any, conventions: Conventions, what: str) -> PartitionData:
    """The partition of anything that a user may pass to ``compare``; ``what`` names it in errors.

    A mapping goes from element to cluster; a list, tuple or set of sets holds clusters; all else is labels.
    ``refuse_possible_clusters`` describes the treatment of tuples.

    >>> partition_of([{"tom", "kitty"}, {"jerry"}], Conventions(), "the reference")
    <Partition of 3 records, 2 clusters>
    """
    if type(values) is np.ndarray:
        dtype = values.dtype
        if dtype.kind in "iu" and values.ndim == 1 and dtype.isnative and conventions is USUAL:
            return MemoryLabels(values, values)  # integers are their own codes
    if isinstance(data := data_of(values), ClusteringData):
        if not isinstance(data, PartitionData):
            raise no_labels(data.kind)
        _refuse_options_of_labels(data, conventions)
        return data
    form = form_of_labels(values)
    if form == "clusters":
        for option in ("noise", "nulls"):
            if getattr(conventions, option) is not None:
                raise ParameterError(f"{option}= applies to labels, and these are clusters; leave it out")
        return partition_of_clusters(values, what)
    if form == "mapping":
        either = _EITHER.format("from_mapping")
        return partition_of_labels(list(values.values()), conventions, what, list(values), either)
    if form in ("on device", "in chunks"):
        where = "on a GPU" if form == "on device" else "in chunked arrays"
        if conventions.nulls is not None:
            raise no_nulls(f"labels {where}", conventions.nulls)
        noise = conventions.noise, conventions.noise_as
        return DevicePartition(values, what, *noise) if form == "on device" else ChunkedPartition(values)
    return partition_of_labels(values, conventions, what, alternatives=_EITHER.format("from_labels"))


def _refuse_options_of_labels(partition: PartitionData, conventions: Conventions) -> None:
    """Refuse ``nulls=`` and ``noise=`` for a partition, whose labels were treated when it was made."""
    has_no_nulls = isinstance(partition, MemoryLabels | SegmentPartition)
    if conventions.noise is not None or (conventions.nulls is not None and has_no_nulls):
        option = "nulls" if conventions.noise is None else "noise"
        raise ParameterError(
            f"{option}= must be passed when you create the Partition: Partition.from_labels, from_frame "
            "or scan"
        )


def refuse_memberships(*sides: tuple[str, Any], is_stored: bool = False) -> None:
    """Refuse one-hot and probability matrices, which would be compared as label images.

    Those are arrays of two dimensions whose rows sum to 1. One such array beside a label image is treated as
    an image, too. ``Partition.from_labels`` takes an image whatever it holds. Engines that store arrays
    elsewhere look at them when they read them (``is_stored``).

    >>> refuse_memberships(("the reference", np.array([[1, 0], [1, 1]])), ("the candidate", np.eye(2)))
    """
    arrays = [
        (what, value)
        for what, value in sides
        if not isinstance(value, list | tuple)
        and (is_stored or form_of_labels(value) == "labels")
        and getattr(value, "ndim", 0) == 2
    ]
    if not arrays or not all(_is_membership(array) for _, array in arrays):
        return
    what, array = arrays[0]
    rows, columns = array.shape
    raise LabelError(
        f"{what} is an array of shape ({rows}, {columns}) whose rows sum to 1: one-hot labels or "
        f"probabilities, not a label image; pass Soft.from_matrix(array) to compare the weights, or one "
        "label per record, as in argmax(axis=1) of the array. "
        "If it is a label image, pass Partition.from_labels(image)"
    )


def _is_membership(array: Any) -> bool:
    """Whether all rows sum to 1. Rows are read in pieces: those of an image rarely do."""
    if np.ma.isMaskedArray(array) or not re.search("bool|int|float", str(getattr(array, "dtype", ""))):
        return False
    rows, columns = array.shape
    if rows < 2 or columns < 2:
        return False
    step = max(1, _PIECE // columns)
    for start in range(0, rows, step):
        part = array[start : start + step]
        part = part if is_on_device(part) else np.asarray(part)
        if not bool((part >= 0).all()) or not bool((abs(part.sum(axis=1) - 1.0) < _ROUNDING).all()):
            return False
    return True


def both_sides(reference: Any, candidate: Any, conventions: Conventions) -> tuple[Any, Any, Conventions]:
    """The two sides, with columns of tables opened, and what remains to be agreed on."""
    if candidate is not None and conventions.columns is None and conventions.record is None:
        return reference, candidate, conventions
    (reference, candidate), agreed = opened_sides([reference, candidate], SIDES, conventions)
    return reference, candidate, agreed


def opened_sides(
    given: Sequence[Any], roles: Sequence[str], conventions: Conventions
) -> tuple[list[Any], Conventions]:
    """The sides of a comparison, of which some may be columns of tables; and what remains to be agreed on.

    Without columns, a record or a missing side, there is nothing to open. One table may have all sides: then
    only the first is given, and the others are None. If labels of a table are read by its own engine, nulls
    and noise are treated there, and on all sides.

    >>> import polars
    >>> frame = polars.DataFrame({"truth": [1, 1, 2], "found": [1, 2, 2]})
    >>> opened_sides([frame, None], ["reference", "candidate"], Conventions(columns=["truth", "found"]))[0]
    [<Partition of 'truth' in a polars DataFrame>, <Partition of 'found' in a polars DataFrame>]
    """
    first, *others = given
    columns, is_one_table = conventions.columns, all(each is None for each in others)
    if columns is None and conventions.record is None and not any(each is None for each in given):
        return list(given), conventions
    if is_one_table:
        if not is_table(first):
            alone = "" if columns is None else f", not {kind_of(first)}"
            before, after = map(repr, roles[:2])
            if roles[0] == "reference":  # a noun
                before, after = f"the {roles[0]}", roles[1]
            raise ParameterError(
                f"there is no {after}; pass it after {before}, or pass one table with "
                f"{_columns_of(roles)}{alone}"
            )
        if columns is None or isinstance(columns, str) or len(columns) != len(roles):
            raise ParameterError(
                f"name a column of the table for each side: {_columns_of(roles)}",
                given={} if columns is None else {"columns": columns},
            )
        if has_observations(first) and conventions.unmatched != "error":
            raise none_unmatched(conventions.unmatched)
        opened = clusterings_of_table(first, columns, conventions)
    else:
        names = column_of_each(given, roles, conventions)
        # Tables are joined by their record. Beside labels, or without a record, columns are labels in memory.
        are_joined = conventions.record is not None and None not in names
        opened = list(given)
        for place, (table, name) in enumerate(zip(given, names, strict=True)):
            if name is not None:
                side = None
                if not are_joined and not has_observations(table):
                    side = _in_memory(table, name, conventions.record)
                opened[place] = (
                    side if side is not None else clusterings_of_table(table, [name], conventions)[0]
                )
    observed = next((each.obs for each in given if has_observations(each)), None)
    agreed = replace(conventions, columns=None, record=None, observed=observed)
    opened = list(map(data_of, opened))
    if not any(isinstance(each, SourcePartition) for each in opened):
        return opened, agreed
    if agreed.nulls is not None or agreed.noise is not None:
        are_made = [isinstance(each, ClusteringData) for each in opened]
        sides = zip(opened, roles, are_made, strict=True)
        opened = [side if made else partition_of(side, agreed, f"the {role}") for side, role, made in sides]
    return opened, replace(agreed, nulls=None, noise=None, noise_as=None)


def opened_alone(given: Any, role: str, conventions: Conventions) -> tuple[PartitionData, Conventions]:
    """The partition of one side, which may be a column of a table, and what remains to be agreed on.

    >>> import polars
    >>> frame = polars.DataFrame({"id": list("xyz"), "run": [1, 1, 2]})
    >>> opened_alone(frame, "candidate", Conventions(record="id", columns="run"))[0]
    <Partition of 'run' by 'id' in a polars DataFrame>
    """
    columns, record = conventions.columns, conventions.record
    if columns is not None or record is not None:
        if not is_table(given):
            option = {"record": record} if columns is None else {"columns": columns}
            raise ParameterError(f"the {role} is not a table: it is {kind_of(given)}", given=option)
        named = [columns] if isinstance(columns, str) else list(columns or ())
        if len(named) != 1:
            raise ParameterError("name one column, that of the clusters", given={"columns": columns})
        given = data_of(clusterings_of_table(given, named, conventions)[0])
        if isinstance(given, SourcePartition):
            conventions = replace(conventions, nulls=None, noise=None, noise_as=None)
        conventions = replace(conventions, columns=None, record=None)
    if clustering_kind(given) == "cover":
        raise CoverError(f"the {role} is a cover, whose clusters overlap; give each record one cluster")
    data = partition_of(given, conventions, f"the {role}")
    return data, replace(conventions, nulls=None, noise=None, noise_as=None)


def _columns_of(roles: Sequence[str]) -> str:
    return f"columns=[{', '.join(map(repr, roles))}]"


def column_of_each(given: Sequence[Any], roles: Sequence[str], conventions: Conventions) -> list[str | None]:
    """The column of each side that is a table; None for a side that is a clustering already."""
    columns, tables = conventions.columns, list(map(is_table, given))
    missing = next((role for role, each in zip(roles, given, strict=True) if each is None), None)
    if missing is not None:
        raise ParameterError(f"the {missing} is None; pass a clustering")
    if not any(tables):
        option = "record" if columns is None else "columns"
        raise ParameterError(
            f"no side is a table: {roles[0]!r} is {kind_of(given[0])}",
            given={option: getattr(conventions, option)},
        )
    if isinstance(columns, str):
        return [columns if table else None for table in tables]
    if columns is not None and len(columns) != len(given):
        raise ParameterError(
            f"name one column for all sides, or a column for each, as in {_columns_of(roles)}, with None for "
            "a side that is not a table",
            given={"columns": columns},
        )
    names: list[str | None] = [None] * len(given) if columns is None else list(columns)
    for role, table, name in zip(roles, tables, names, strict=True):
        if table != (name is not None):
            text = "is a table; name its column" if table else "is not a table; give None for it"
            raise ParameterError(
                f"{role!r} {text}; the order is {_columns_of(roles)}", given={"columns": columns}
            )
    return names


def _in_memory(table: Any, column: str, record: str | None) -> Any:
    """A column of a dataframe in memory, by record if its column is named; None for other tables."""
    from narwhals.stable import v2 as narwhals  # imported here to keep `import concordant` fast

    frame = narwhals.from_native(table, eager_only=True, pass_through=True)
    if not isinstance(frame, narwhals.DataFrame):
        return None
    refuse_unknown_columns(frame.columns, filter(None, (column, record)))
    return labels_by_record(frame, [column], record)[0]


def refuse_unknown_columns(known: Sequence[str], wanted: Iterable[str]) -> None:
    """Refuse columns that a table does not have."""
    for name in wanted:
        if name not in known:
            near = did_you_mean(name, known) or f"; it has {few(known)}"
            raise InputError(f"the table has no column {name!r}{near}")


def labels_by_record(frame: Any, columns: Sequence[str], record: str | None) -> list[Any]:
    """Columns of a dataframe of Narwhals as labels in memory, by record if its column is named."""
    if record is None:
        return [frame[name].to_native() for name in columns]
    ids = frame[record].to_list()
    if len(set(ids)) < len(ids):
        raise OverlapError(f"the column {record!r} contains a record twice; give each row its own")
    return [dict(zip(ids, frame[name].to_list(), strict=True)) for name in columns]


def columns_of_clusterings(table: Any, conventions: Conventions) -> list[str]:
    """The columns of a table that contain clusters: those that were named, or all but the record.

    AnnData has many columns that are not clusterings, so there they must be named.
    """
    named = conventions.columns
    if named is not None:
        return [named] if isinstance(named, str) else list(named)
    if has_observations(table):
        raise ParameterError("name the columns of obs that contain clusters, as in columns=['a', 'b']")
    if hasattr(table, "collect_schema"):  # a lazy dataframe, whose columns are not known before
        names = table.collect_schema().names()
    else:
        names = table.column_names if hasattr(table, "column_names") else table.columns
    return [name for name in without_index(names) if name != conventions.record]


def clusterings_of_table(table: Any, columns: Sequence[str], conventions: Conventions) -> list[Any]:
    """A clustering for each of these columns of a dataframe, a relation, or AnnData."""
    if has_observations(table):
        if conventions.record is not None:
            raise ParameterError(
                "the records of AnnData are its obs_names", given={"record": conventions.record}
            )
        return list(observed_columns(table, columns).values())
    options: Any = conventions.nulls or "error", conventions.noise, conventions.noise_as
    return [SourcePartition(Frame(table), conventions.record, name, *options) for name in columns]


def observed_columns(holder: Any, columns: Sequence[str]) -> dict[str, Any]:
    """These columns of the ``obs``, each a Series over the cells."""
    if not columns:
        raise ParameterError("name the columns of obs that contain clusters")
    return dict(named_columns(holder.obs, columns).items())


def named_columns(obs: Any, columns: Sequence[str]) -> Any:
    """The dataframe of these columns of the ``obs``."""
    known = [str(name) for name in obs.columns]
    for name in columns:
        if name not in known:
            near = did_you_mean(str(name), known) or f"; it has {few(known) or 'none'}"
            raise InputError(f"obs has no column {name!r}{near}")
    return obs[list(columns)]
