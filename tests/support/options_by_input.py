"""What each option of compare() does for each type of input: the table of docs/api.md, which is tested."""

WORKS, REFUSED = "works", "refused"

LABELS = ["list", "NumPy array", "pandas Series", "Polars Series", "Arrow array"]
FRAMES = ["pandas DataFrame", "Polars DataFrame", "PyArrow table"]
LAZY = ["DuckDB relation", "CSV", "Parquet", "JSON lines"]
ARRAYS = ["label image", "chunked array"]
COLUMNS = ["two columns of a DataFrame"]
OBSERVATIONS = ["AnnData"]
COUNTS = ["contingency table"]
INPUTS = [
    *LABELS,
    *OBSERVATIONS,
    "mapping",
    "list of sets",
    *COLUMNS,
    *FRAMES,
    *LAZY,
    "Cover",
    *ARRAYS,
    *COUNTS,
    "segments of time",
]

_SOURCES = [*FRAMES, *LAZY]
_SERIES = [*LABELS, *OBSERVATIONS]


def _cells(works):
    """For each input: whether the option works or is refused."""
    return {each: WORKS if each in works else REFUSED for each in INPUTS}


def _all_but(*refused):
    return _cells([each for each in INPUTS if each not in refused])


TABLE = {
    "unmatched": _cells(["pandas Series", "mapping", "list of sets", *_SOURCES, "Cover", "segments of time"]),
    "nulls": _cells([*_SERIES, "mapping", *COLUMNS, *_SOURCES, "label image"]),
    "noise": _cells([*_SERIES, "mapping", *COLUMNS, *_SOURCES, *ARRAYS]),
    "reference_noise": _cells([*_SERIES, "mapping", *ARRAYS, "list of sets"]),
    "candidate_noise": _cells([*_SERIES, "mapping", *ARRAYS, "list of sets"]),
    "where": _cells([*_SERIES, *ARRAYS, "mapping", "list of sets"]),
    "weights": _cells([*_SERIES, "mapping", "list of sets", *COLUMNS, *_SOURCES, "label image"]),
    "between": _cells([*_SERIES, "mapping", "list of sets", *COLUMNS, *FRAMES, "label image"]),
    "undefined": _all_but(),
    "table_limit": _all_but("Cover", *COUNTS, "segments of time"),
    "threads": _all_but("contingency table"),
    "progress": _all_but("contingency table"),
}

# Why an option is refused, or what it needs.
NOTES = {
    "unmatched": "Labels without record ids are aligned by position, and columns of one source by row. Time "
    "that only one segmentation covers is dropped.",
    "nulls": "Sets, counts and chunked arrays have no null labels. Masked voxels of an image are null.",
    "noise": "With `noise_as`. Pass both to the `Partition` if you make one. Sets have no labels.",
    "reference_noise": "In dataframes and files, use `noise`.",
    "candidate_noise": "In dataframes and files, use `noise`.",
    "where": "A mask by position. Filter dataframes and files first.",
    "weights": "By position, or by record id if records have ids, or a column of the first frame or file. "
    "Files are read into memory; Spark adds up the weights of each overlap. "
    "Segments are weighted by duration.",
    "between": "By position, or by record id if records have ids. In files and relations, name a column.",
    "undefined": "For indices that are 0/0.",
    "table_limit": "Tables with more overlaps are refused. In memory, there is no limit unless you give one.",
    "threads": "Changes the time, never a value. Spark and GPUs have their own settings.",
    "progress": "Called for each block of a chunked array, and once for other input.",
}
