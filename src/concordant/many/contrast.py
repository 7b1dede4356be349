"""contrast(): the errors that the second of two candidates fixed and made."""

from __future__ import annotations

from typing import Any

from concordant.counts.conventions import (
    TABLE_LIMIT,
    Conventions,
    NoiseAs,
    Nulls,
    Undefined,
    Unmatched,
)
from concordant.differences.verdicts import Thresholds
from concordant.many.contrast_result import ROLES, Contrast, checked_names
from concordant.many.three_sides import count_three_sides
from concordant.trust.options import SampleOptions, check_level


def contrast(
    reference: Any,
    before: Any,
    after: Any,
    *,
    unmatched: Unmatched = "error",
    nulls: Nulls | None = None,
    noise: Any = None,
    noise_as: NoiseAs | None = None,
    undefined: Undefined = "convention",
    near: float = 0.8,
    majority: float = 0.5,
    interval: bool = False,
    unit: Any = None,
    level: float = 0.95,
    table_limit: int = TABLE_LIMIT,
    threads: int = 0,
    names: tuple[str, str, str] = ROLES,
) -> Contrast:
    """Compare two candidates with one reference: which errors did the second fix, and which are new?

    Only elements that all three have are compared. "better" and "worse" describe these records; for the
    population they were drawn from, use `interval`.

    Parameters
    ----------
    reference, before, after : any input of compare
        The reference, the first candidate and the second. Three dataframes or files are joined by their own
        engine.
    unmatched : {"error", "drop"}, default="error"
        Elements that at least one of the three lacks.
    nulls, noise, noise_as : str or label, optional
        Null labels and noise, as in `compare`.
    undefined : {"convention", "nan", "raise", "conll"}, default="convention"
        Value of an index whose formula is 0/0, as in `compare`.
    near : float, default=0.8
        Minimum F1 for a cluster to count as right, as in `Comparison.summary`. 1 requires exact clusters.
    majority : float, default=0.5
        Share above which a part counts as most of a cluster.
    interval : bool, default=False
        Whether the records are a random sample. If so, differences have intervals.
    unit : str, mapping or sequence, optional
        The sampling unit of each record, as in `Comparison.interval`.
    level : float, default=0.95
        Confidence level.
    table_limit : int, default=10_000_000
        Maximum number of overlaps to list for sources that are not in memory.
    threads : int, default=0
        Number of threads. 0 uses all available cores.
    names : (str, str, str), default=("reference", "before", "after")
        Names of the three clusterings in text and on pages.

    Returns
    -------
    Contrast
        The fixed and broken clusters, records, pairs and indices.

    Raises
    ------
    UnmatchedError
        If the three have different elements and `unmatched` is "error".

    Examples
    --------
    >>> c = contrast(list("aabbcc"), [0, 0, 1, 2, 3, 3], [0, 0, 1, 1, 3, 4])
    >>> c.summary.clusters
    {'fixed': 1, 'broken': 1, 'still wrong': 0, 'still right': 1}
    >>> [(each.label, each.outcome) for each in c.clusters()]
    [('b', 'fixed'), ('c', 'broken'), ('a', 'still right')]
    """
    conventions = Conventions(
        unmatched=unmatched,
        nulls=nulls,
        noise=noise,
        noise_as=noise_as,
        undefined=undefined,
        table_limit=table_limit,
        threads=threads,
    )
    thresholds = Thresholds.of(near, majority)
    titles = checked_names(names)
    check_level(level)
    sample = (
        SampleOptions("record" if unit is None else unit, level) if interval or unit is not None else None
    )
    drawn = None if sample is None else sample.unit
    sides = count_three_sides((reference, before, after), ROLES, "contrast", conventions, drawn)
    return Contrast(sides, thresholds, sample=sample, titles=titles)
