"""Edits that are handed over as data: clusters to merge, records to split off, records to move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from concordant.engines.live.counts import LiveCounts
from concordant.errors import InputError, ParameterError


def make_edits(live: LiveCounts, merge: Any = None, split: Any = None, move: Any = None) -> None:
    """Merge clusters, split records off, and move records, in this order."""
    edits = {"merge": merge, "split": split, "move": move}
    given = {name: each for name, each in edits.items() if each is not None}
    if not given:
        raise InputError("no edit was named: pass merge=, split= or move=")
    for name, each in given.items():
        if not hasattr(each, "__len__") or isinstance(each, str | bytes):
            raise ParameterError(f"{name}={each!r}: {_WHAT[name]}")
        if not len(each):
            raise InputError(f"{name}={each!r} is empty; leave it out, or say what to {name}")
    for clusters in _several(merge):
        live.merge(*clusters)
    if isinstance(split, Mapping):
        for cluster, of in split.items():
            if isinstance(of, list | set | frozenset | Mapping):
                raise ParameterError(
                    f"split={split!r}: {_WHAT['split']}; records to split off are passed alone"
                )
            live.split(cluster=cluster, of=of)
    else:
        for records in _several(split):
            live.split(records)
    if move is not None and not isinstance(move, Mapping):
        raise ParameterError(f"move={move!r}: {_WHAT['move']}")
    for record, to in (move or {}).items():
        live.move(record, to)


_WHAT = {
    "merge": "it is a list of clusters",
    "split": "it is a set of records, or a mapping from cluster to reference cluster",
    "move": "it is a mapping from record to cluster",
}


def _several(edits: Any) -> list[Any]:
    """One edit as a list of one."""
    if edits is None:
        return []
    listed = list(edits)
    nested = [isinstance(each, list | set | frozenset) for each in listed]
    return listed if all(nested) else [listed]
