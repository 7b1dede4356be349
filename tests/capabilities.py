"""What works on data in each place: the table of docs/scale.md, which is tested."""

YES, MEMORY, REFUSED = "yes", "read into memory", "refused"

PLACES = ["arrays", "frames in memory", "files"]
_EVERYWHERE = dict.fromkeys(PLACES, YES)
_READ = {**_EVERYWHERE, "files": MEMORY}
TABLE = {
    "compare": _EVERYWHERE,
    "significance": _EVERYWHERE,
    "interval": _EVERYWHERE,
    "interval(unit=)": _EVERYWHERE,
    "slices": _EVERYWHERE,
    "changes, clusters": _EVERYWHERE,
    "records": {**_EVERYWHERE, "files": REFUSED},
    "diff": _EVERYWHERE,
    "diff(reference=)": _EVERYWHERE,
    "diff(reference=, by=)": {**_EVERYWHERE, "files": REFUSED},
    "contrast": _EVERYWHERE,
    "rank": _EVERYWHERE,
    "estimate": _EVERYWHERE,
    "weights=": _READ,
    "matrix": _EVERYWHERE,
    "stability": _READ,
    "consensus": _READ,
    "track": _READ,
    "beside a cover": _READ,
    "Hierarchy.from_levels": _READ,
}
