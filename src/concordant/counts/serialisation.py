"""Counts as text that another process can read later, with this version or a newer one.

JSON with the number of its format and a checksum. Integers are exact at any size. Labels are kept if JSON
can represent them: text, numbers, bools, dates, and tuples of these.
"""

from __future__ import annotations

import math
from datetime import date, datetime
from typing import Any

import numpy as np

from concordant.errors import InputError, LabelError

FORMAT = 1  # raised by every change that an older version would read wrongly; older formats stay readable


def as_text(kind: str, content: dict[str, Any]) -> str:
    """The content as a document of that kind."""
    import json  # imported here, like other modules below, because it is rarely needed

    document = {
        "concordant": kind,
        "format": FORMAT,
        "content": content,
        "checksum": _checksum(kind, content),
    }
    return json.dumps(document, allow_nan=False)


def content_of(text: str, kind: str) -> dict[str, Any]:
    """The content of a document of that kind; a damaged document or one of another kind is refused."""
    import json

    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"this is not a saved {kind}, since it is not JSON: {error}") from None
    if not isinstance(document, dict) or "concordant" not in document:
        raise InputError(f"this is not a saved {kind}: concordant did not write it")
    if document["concordant"] != kind:
        raise InputError(f"this is a saved {document['concordant']}, not a saved {kind}")
    if document.get("format") != FORMAT:
        raise InputError(
            f"this {kind} was saved in format {document.get('format')!r}, which this version does not read: "
            f"it reads format {FORMAT}"
        )
    content = document.get("content")
    if not isinstance(content, dict) or document.get("checksum") != _checksum(kind, content):
        raise InputError(f"this saved {kind} is damaged: its checksum does not match; save it again")
    return content


def _checksum(kind: str, content: dict[str, Any]) -> str:
    import hashlib
    import json

    plain = json.dumps([kind, content], sort_keys=True)
    return hashlib.blake2b(plain.encode(), digest_size=16).hexdigest()


def integers(saved: Any, *names: str, least: int = 0) -> list[list[int]]:
    """Columns of equal length in the saved data; a checksum does not prove who wrote them."""
    columns: list[Any] = [saved.get(name) if isinstance(saved, dict) else None for name in names]
    for name, column in zip(names, columns, strict=True):
        if not isinstance(column, list) or not all(type(each) is int and each >= least for each in column):
            raise InputError(f"{name!r} in the saved data is not a list of integers of at least {least}")
        if len(column) != len(columns[0] or ()):
            raise InputError(f"{name!r} and {names[0]!r} in the saved data differ in length")
    return columns


def saved_labels(labels: Any, count: int) -> list[Any] | None:
    """The labels of this many clusters; None if they have no labels."""
    return None if labels is None else [_saved(labels[number]) for number in range(count)]


def restored_labels(labels: Any, count: int) -> list[Any] | None:
    """Restore the labels of ``saved_labels``."""
    if labels is None:
        return None
    if not isinstance(labels, list) or len(labels) != count:
        raise InputError(f"the saved labels are not a list of {count:,}, one for each cluster")
    return [_restored(label) for label in labels]


def _saved(label: Any) -> Any:
    label = label.item() if isinstance(label, np.generic) and label.dtype.kind in "biufUS" else label
    if label is None or isinstance(label, bool | str) or type(label) is int:
        return label
    if isinstance(label, float):
        return label if math.isfinite(label) else {"float": str(label)}
    if isinstance(label, tuple):
        return {"tuple": [_saved(each) for each in label]}
    if isinstance(label, np.datetime64):
        return {"moment": [str(label), np.datetime_data(label.dtype)[0]]}
    if isinstance(label, date):
        return {"time" if isinstance(label, datetime) else "date": label.isoformat()}
    raise LabelError(
        f"the label {label!r} is of type {type(label).__name__}, which cannot be saved by its value; use "
        "labels that are text, numbers or dates, or save the profile, which has no labels"
    )


def _restored(label: Any) -> Any:
    if label is None or isinstance(label, bool | str | int | float):
        return label
    kind, value = next(iter(label.items())) if isinstance(label, dict) and len(label) == 1 else ("", label)
    try:
        if kind == "tuple" and isinstance(value, list):
            return tuple(_restored(each) for each in value)
        if kind == "float":
            return float(value)
        if kind == "moment":
            return np.datetime64(*value)
        if kind in ("time", "date"):
            return (datetime if kind == "time" else date).fromisoformat(value)
    except (TypeError, ValueError):
        pass
    raise InputError(f"{label!r} in the saved data is not a label")
