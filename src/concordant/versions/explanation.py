"""Manual pages of the metrics of a diff: the introduction and properties."""

from __future__ import annotations

from concordant.indices.index import Index
from concordant.report.explanation import number

INTRODUCTION = """\
Measure the change with [diff](../diff.md) and read an index as an attribute, such as `d.split_rate`, or by
name. An index that needs the true clusters is available with `reference=`. These indices are not functions of
`concordant`."""


def facts(index: Index) -> dict[str, str]:
    """The properties of an index of a diff, in words; those that it does not have are left out."""
    swapped = f"gives {index.mirror}" if index.mirror else "gives a different value"
    found = {
        "range": index.range_text,
        "identical": f"score {number(index.perfect or 0)}",
        "0/0": f"{index.undefined:g} if the formula is 0/0" if index.undefined is not None else "",
        "swapped": "the same value" if index.symmetric else swapped,
        "metric": "yes: obeys the triangle inequality" if index.metric else "no",
        "truth": "not needed" if "diff" in index.kinds else "needed",
        "reference": index.cite,
    }
    return {name: text for name, text in found.items() if text}
