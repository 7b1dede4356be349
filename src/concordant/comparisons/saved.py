"""A comparison in a file of its own: counts, labels and conventions."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, cast, get_args

from concordant.counts.base import Detail
from concordant.counts.contingency import Contingency
from concordant.counts.counted_sides import CountedSides, TableLabels, cells_outside_clusters, labels_of
from concordant.counts.profile import Profile
from concordant.counts.serialisation import as_text, content_of, integers
from concordant.errors import CoverError, FileError, InputError, ParameterError, WeightsError
from concordant.foundation.conventions import SIDES, Undefined
from concordant.sources.writing import write_whole

_KIND = "comparison"
_COLUMNS = ("n", "a", "b", "count")
_WHY_NO_RECORDS = (
    "this comparison was loaded from a file, which does not name the records; to score each record, compare "
    "the labels themselves"
)


def write_comparison(
    path: str | os.PathLike[str], counted: CountedSides, undefined: Undefined, titles: tuple[str, str]
) -> None:
    """Write the file completely or not at all."""
    counts, names = counted.counts, counted.names
    if counts.kind == "partial_overlap":
        raise ParameterError(
            "a comparison with unmatched='keep' cannot be saved; compare with unmatched='singletons' or "
            "'drop'"
        )
    if counts.kind == "weights":
        raise WeightsError(
            "a comparison with weights cannot be saved; save the labels and weights, and compare them again"
        )
    if counts.kind == "between":
        raise ParameterError(
            "a comparison between sources cannot be saved; save the labels and sources, and compare again",
            given={"between": ...},
        )
    if not counts.availability.adds_up:
        raise CoverError(
            "a comparison of covers cannot be saved; save the memberships of both, and compare them again"
        )
    profile = counts.partitions
    table, both = None, 0
    in_no_cluster = names.unclustered_count(0), names.unclustered_count(1)
    if profile.availability.has(Detail.TABLE):
        table = profile.table.saved(labels_of(names))
        if all(in_no_cluster):
            outside = cells_outside_clusters(names, profile.table.row, profile.table.column)
            both = int((outside[0] & outside[1]).sum())
    content = {
        "profile": {name: getattr(profile, name).tolist() for name in _COLUMNS},
        "table": table,
        "conventions": dict(counted.conventions),
        "audit": dict(counted.audit),
        "in_no_cluster": [*in_no_cluster, both],
        "undefined": undefined,
        "names": titles,
    }
    write_whole(path, as_text(_KIND, content))


def read_comparison(path: str | os.PathLike[str]) -> tuple[CountedSides, Undefined, tuple[str, str]]:
    """The counts, the convention for 0/0, and the display names of both sides."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:  # bytes that are not text, or an invalid name
        raise FileError(f"cannot read {os.fspath(path)}: {error}") from None
    try:
        return _restored(content_of(text, _KIND))
    except InputError as error:
        raise FileError(f"{os.fspath(path)}: {error}") from None


def _restored(saved: dict[str, Any]) -> tuple[CountedSides, Undefined, tuple[str, str]]:
    profile, undefined = Profile.restored(saved.get("profile")), saved.get("undefined")
    if saved.get("table") is not None:
        counted = Profile.of_table(Contingency.restored(saved["table"]), profile.size)
        if any(getattr(counted, name).tolist() != getattr(profile, name).tolist() for name in _COLUMNS):
            raise InputError("the saved table and the saved profile do not match; save the comparison again")
        profile = counted
    # Files of earlier versions do not have the number of elements in no cluster.
    (unclustered,) = integers({"in_no_cluster": [0, 0, 0], **saved}, "in_no_cluster")
    alone = [sizes.get(1, 0) for sizes in (profile.row_sizes, profile.column_sizes)]
    if (
        len(unclustered) != 3
        or unclustered[2] > min(unclustered)
        or unclustered[0] > alone[0]
        or unclustered[1] > alone[1]
    ):
        raise InputError(
            f"the saved comparison has {unclustered} records in no cluster and {alone} singletons; save it "
            "again"
        )
    conventions: Any = saved.get("conventions")
    audit: Any = saved.get("audit")
    is_described = isinstance(conventions, dict) and all(
        isinstance(each, str) for each in conventions.values()
    )
    is_audited = isinstance(audit, dict) and all(type(each) is int and each >= 0 for each in audit.values())
    if not is_described or not is_audited or undefined not in get_args(Undefined):
        raise InputError("the saved conventions are not those of a comparison; save the comparison again")
    names = TableLabels(
        profile,
        why_no_records=_WHY_NO_RECORDS,
        unclustered_counts=(unclustered[0], unclustered[1], unclustered[2]),
    )
    titles: Any = saved.get("names", SIDES)  # files of earlier versions have none
    if not isinstance(titles, list | tuple) or [type(each) for each in titles] != [str, str]:
        raise InputError("the saved names are not those of two sides; save the comparison again")
    return (
        CountedSides(profile, names, conventions, audit),
        cast(Undefined, undefined),
        (titles[0], titles[1]),
    )
