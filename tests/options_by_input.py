"""What each option of compare() does for each type of input: the table of docs/api.md, which is tested."""

CHANGES, REFUSED, NO_EFFECT = "works", "refused", "no effect"

LABELS = ["list", "NumPy array", "pandas Series", "Polars Series", "Arrow array"]
FRAMES = ["pandas DataFrame", "Polars DataFrame", "PyArrow table"]
LAZY = ["DuckDB relation", "CSV", "Parquet", "JSON lines"]
ARRAYS = ["label image", "chunked array"]
INPUTS = [*LABELS, "mapping", "list of sets", *FRAMES, *LAZY, "Cover", *ARRAYS]

_SOURCES = [*FRAMES, *LAZY]
_NAMED = ["mapping", "list of sets", *_SOURCES, "Cover"]
_SERIES = ["pandas Series"]  # which have an index


def _cells(works=(), refused=(), otherwise=None):
    """The effect for each input; one that is in neither list has the effect ``otherwise``."""
    return {each: CHANGES if each in works else REFUSED if each in refused else otherwise for each in INPUTS}


TABLE = {
    "unmatched": _cells(works=[*_NAMED, *_SERIES], otherwise=NO_EFFECT),
    "nulls": _cells(works=[*LABELS, "mapping", *_SOURCES, "label image"], otherwise=REFUSED),
    "noise": _cells(works=[*LABELS, "mapping", *_SOURCES, *ARRAYS], otherwise=REFUSED),
    "reference_noise": _cells(works=[*LABELS, "mapping", *ARRAYS, "list of sets"], otherwise=REFUSED),
    "candidate_noise": _cells(works=[*LABELS, "mapping", *ARRAYS, "list of sets"], otherwise=REFUSED),
    "where": _cells(works=[*LABELS, *ARRAYS, "mapping", "list of sets"], otherwise=REFUSED),
    "weights": _cells(works=[*LABELS, "mapping", "list of sets", "label image"], otherwise=REFUSED),
    "undefined": _cells(works=INPUTS),
    "table_limit": _cells(works=LAZY, otherwise=NO_EFFECT),
    "threads": _cells(otherwise=NO_EFFECT),
    "progress": _cells(works=INPUTS),
}

# Why an option has no effect, or what it needs.
NOTES = {
    "unmatched": "Labels without names align by position; different lengths are refused.",
    "nulls": "Clusters and chunked arrays have no null labels. Masked voxels of an image are null.",
    "noise": "With `noise_as`. A `Partition` takes both where it is made. Clusters have no labels.",
    "reference_noise": "In dataframes and files, use `noise`.",
    "candidate_noise": "In dataframes and files, use `noise`.",
    "where": "A mask by position. Filter dataframes and files first.",
    "weights": "In order, or by name for elements with names.",
    "undefined": "For indices that are 0/0.",
    "table_limit": "In memory, all overlaps are at hand.",
    "threads": "Changes the time, never a value.",
    "progress": "Called for each block of a chunked array, and once for other input.",
}
