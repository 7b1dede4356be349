"""compare() and Comparison: the only place where engines meet indices."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from concordant.catalogue.index import INDICES, Index, Undefined
from concordant.counts.names import Names
from concordant.counts.profile import Profile
from concordant.counts.sides import SideName
from concordant.counts.table import Table
from concordant.engines import memory
from concordant.errors import InputError, ParameterError, TableNeededError, TooLargeError
from concordant.indices.attributes import IndexAttributes
from concordant.partitions.alignment import Aligned, align
from concordant.partitions.partition import NoiseAs, Partition, Unmatched
from concordant.partitions.sources import TABLE_LIMIT, Nulls, TablePartition
from concordant.views.pairs import Pairs

if TYPE_CHECKING:  # imported where they are used: with all of them, importing takes twice as long
    from pathlib import Path

    from concordant.differences.changes import ChangeKind, Changes, ChangesBy, ChangeSummary
    from concordant.differences.clusters import ClustersBy, ClusterScores
    from concordant.differences.edits import EditScript, Fewest
    from concordant.differences.records import RecordsBy, RecordScores
    from concordant.report import FigureBackend, FigureKind, Story


def compare(
    reference: Any,
    candidate: Any,
    *,
    unmatched: Unmatched = "error",
    nulls: Nulls | None = None,
    noise: Any = None,
    noise_as: NoiseAs | None = None,
    undefined: Undefined = "convention",
    table_limit: int = TABLE_LIMIT,
    threads: int = 0,
) -> Comparison:
    """Compare two partitions of the same set; the reference comes first.

    Both may be lists, arrays, Series or Arrow arrays of labels, mappings from element to cluster,
    lists of sets, or Partitions, also of tables (``Partition.from_frame``, ``Partition.scan``).

    unmatched   elements on one side only: "error", "drop" them, or let them be "singletons"
    nulls       labels of tables that are null: "error", "drop" or "singletons"; None: as each table says
    noise       the label that means "in no cluster"; noise_as: "cluster", "singletons" or "drop"
    undefined   where a formula is 0/0: the index's "convention", "nan", or "raise"
    table_limit how many overlaps may be brought out of a table's engine, where an index needs them
    threads     how many to count with; 0 means as many as the process may use

    >>> c = compare(["a", "a", "b", "b"], [1, 1, 2, 3])
    >>> c.precision, c.recall, c["f_measure(beta=2)"]
    (1.0, 0.5, 0.5555555555555556)
    """
    memory.check_threads(threads)
    if isinstance(reference, TablePartition) or isinstance(candidate, TablePartition):
        if noise is not None or noise_as is not None:
            raise ParameterError("noise= belongs to Partition.from_frame or Partition.scan, for each table")
        options = {"unmatched": unmatched, "nulls": nulls, "table_limit": table_limit, "threads": threads}
        return _compare_tables(reference, candidate, undefined, options)
    if nulls is not None:
        raise ParameterError("nulls= speaks of tables, as Partition.from_frame makes them; drop such labels")
    u, v = _read(reference, candidate, noise, noise_as, threads)
    aligned = align(u, v, unmatched)
    profile = memory.profile(aligned.reference, aligned.candidate, threads)
    conventions = {"unmatched": unmatched, "noise": _noise_text(u, v)}
    return Comparison(
        profile, undefined=undefined, aligned=aligned, partitions=(u, v), conventions=conventions
    )


def values(
    indices: Sequence[Index],
    reference: Any,
    candidate: Any,
    *,
    unmatched: Unmatched = "error",
    noise: Any = None,
    noise_as: NoiseAs | None = None,
    nulls: Nulls | None = None,
    undefined: Undefined = "convention",
    table_limit: int = TABLE_LIMIT,
    threads: int = 0,
) -> list[float]:
    """The values of these indices and no others; pairs alone are counted where they read nothing else.

    >>> values([INDICES["rand"], INDICES["jaccard"]], [0, 0, 1, 1], [0, 0, 1, 2])
    [0.8333333333333334, 0.5]
    """
    if nulls is not None or isinstance(reference, TablePartition) or isinstance(candidate, TablePartition):
        comparison = compare(
            reference,
            candidate,
            unmatched=unmatched,
            noise=noise,
            noise_as=noise_as,
            nulls=nulls,
            undefined=undefined,
            table_limit=table_limit,
            threads=threads,
        )
        return [comparison.value(each) for each in indices]
    _check_undefined(undefined)
    u, v = _read(reference, candidate, noise, noise_as, threads)
    aligned = align(u, v, unmatched)
    count = memory.pairs if all(each.views == (Pairs,) for each in indices) else memory.profile
    counted = count(aligned.reference, aligned.candidate, threads)
    return [each.value(counted, undefined) for each in indices]


def _read(
    reference: Any, candidate: Any, noise: Any, noise_as: NoiseAs | None, threads: int
) -> tuple[Partition, Partition]:
    memory.check_threads(threads)
    return (
        Partition.of(reference, noise=noise, noise_as=noise_as, what="the reference", threads=threads),
        Partition.of(candidate, noise=noise, noise_as=noise_as, what="the candidate", threads=threads),
    )


def _check_undefined(undefined: Undefined) -> None:
    if undefined not in ("convention", "nan", "raise"):
        raise ParameterError("use 'convention', 'nan' or 'raise'", given={"undefined": undefined})


def compare_columns(
    frame: Any,
    reference: str,
    candidate: str,
    *,
    record: str | None = None,
    nulls: Nulls = "error",
    noise: Any = None,
    noise_as: NoiseAs | None = None,
    undefined: Undefined = "convention",
    table_limit: int = TABLE_LIMIT,
    threads: int = 0,
) -> Comparison:
    """Compare two label columns of one table, of any dataframe library or SQL engine; nothing is joined.

    >>> import polars
    >>> frame = polars.DataFrame({"truth": [1, 1, 2], "guess": [1, 2, 2]})
    >>> compare_columns(frame, "truth", "guess").rand
    0.3333333333333333
    """
    u, v = (
        Partition.from_frame(
            frame, cluster=column, record=record, nulls=nulls, noise=noise, noise_as=noise_as
        )
        for column in (reference, candidate)
    )
    return compare(u, v, undefined=undefined, table_limit=table_limit, threads=threads)


def _compare_tables(reference: Any, candidate: Any, undefined: Undefined, options: Any) -> Comparison:
    if not (isinstance(reference, TablePartition) and isinstance(candidate, TablePartition)):
        role, other = ("reference", "candidate")[:: 1 if isinstance(reference, TablePartition) else -1]
        raise InputError(
            f"the {role} lies in a table and the {other} does not; hand over both by Partition.from_frame or "
            "Partition.scan, or pick the columns and hand over both as labels"
        )
    from concordant.engines.tables import (
        count as tables,  # it imports narwhals, which labels in memory do without
    )

    counted = tables.count(reference, candidate, **options)
    return Comparison(
        counted.profile,
        undefined=undefined,
        aligned=counted.aligned,
        partitions=counted.partitions,
        conventions=counted.conventions,
        found=counted.found,
        names=counted.names,
    )


class Comparison(IndexAttributes):
    """What can be said of two partitions: every index as an attribute, an item, or in a table.

    >>> c = Comparison(Profile.from_rows([(10**12, 10**12, 2 * 10**12, 2)]))
    >>> c.recall, c.exact("precision")
    (1.0, Fraction(999999999999, 1999999999999))
    """

    def __init__(
        self,
        profile: Profile,
        *,
        undefined: Undefined = "convention",
        aligned: Aligned | None = None,
        partitions: tuple[Partition, Partition] | None = None,
        conventions: dict[str, str] | None = None,
        found: dict[str, int] | None = None,
        names: Names | None = None,
    ) -> None:
        _check_undefined(undefined)
        if not isinstance(profile, Profile):
            raise ParameterError(f"a Comparison is made of a Profile, not of a {type(profile).__name__}")
        self.profile = profile
        self._when_undefined: Undefined = undefined
        self._aligned = aligned
        self._partitions = partitions
        self._conventions = conventions or {}
        self._found = found or {}  # what the audit of two tables counted
        self._offered: list[Index] | None = None
        self._values: dict[tuple[Any, ...], float] = {}
        self._named = names  # of the clusters and records, where they are kept; made when asked for

    # -- one index ------------------------------------------------------------------------------

    def __getitem__(self, spelling: str) -> float:
        return self.value(INDICES[spelling])

    def value(self, declared: Index) -> float:
        """The value of an index, computed once."""
        key = (declared.name, *declared.arguments.values())  # two prices may spell alike
        if key not in self._values:
            self._values[key] = declared.value(self.profile, self._when_undefined)
        return self._values[key]

    def exact(self, spelling: str) -> Fraction:
        """The value as a fraction, without rounding; for indices without roots and logarithms.

        >>> compare([0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 1, 2]).exact("jaccard")
        Fraction(2, 5)
        """
        return INDICES[spelling].exact(self.profile)

    # -- many -----------------------------------------------------------------------------------

    @property
    def pairs(self) -> Pairs:
        """The four counts of pairs that pair-counting indices are made of.

        >>> compare([0, 0, 1, 1], [0, 1, 1, 1]).pairs
        Pairs(n11=1, n10=1, n01=2, n00=2, size=4)
        """
        return self.profile.view(Pairs)

    @property
    def table(self) -> Table:
        """The non-empty cells of the contingency table."""
        return self.profile.table

    # -- where they differ ----------------------------------------------------------------------

    def summary(self) -> ChangeSummary:
        """How many clusters were kept, split, merged and tangled, and whether one of them is to blame.

        >>> print(compare(list("aaaabbc"), [0, 0, 0, 1, 2, 3, 4]).summary())
        1 kept, 2 split, 0 merged, 0 tangled; 1 split accounts for 75% of the missed pairs
        """
        from concordant.differences.changes import change_summary

        return change_summary(self.profile)

    def changes(
        self,
        kind: ChangeKind | None = None,
        largest: int | None = 20,
        by: ChangesBy = "pairs",
        *,
        overlaps: int = 50,
        examples: int = 3,
    ) -> Changes:
        """What became of the clusters: blocks that were kept, split, merged or tangled, costliest first.

        kind      only "kept", "split", "merged" or "tangled" blocks
        largest   how many to list; None lists all
        by        what comes first: most "pairs" missed and wrong, "missed", "wrong", or "size"
        overlaps  how many overlaps and clusters of a block to list, largest first
        examples  how many records of each overlap to name

        >>> c = compare(list("aaaabbc"), [0, 0, 0, 1, 2, 2, 2])
        >>> print(c.changes())
        0 kept, 1 split, 1 merged, 0 tangled
          split 'a' (4) into 0 (3), 1 (1); 3 pairs missed
          merged 'b' (2), 'c' (1) into 2 (3); 2 pairs wrong
        >>> c.changes("split")[0].overlaps[1].examples
        (3,)
        """
        from concordant.differences.changes import changes_of

        return changes_of(
            self.profile,
            self._names(),
            kind=kind,
            largest=largest,
            by=by,
            overlaps=overlaps,
            examples=examples,
        )

    def clusters(
        self,
        side: SideName = "reference",
        largest: int | None = 20,
        by: ClustersBy = "pairs",
    ) -> ClusterScores:
        """Each cluster's own precision, recall, purity, partner and share of the disagreement.

        by   what comes first: most "pairs" missed and wrong, "missed", "wrong", "size", "pieces" or
             "entropy", or the lowest "precision", "recall" or "purity"

        >>> scores = compare(list("aaaabbc"), [0, 0, 0, 1, 2, 2, 2]).clusters()
        >>> scores[0].label, scores[0].recall, scores[0].partner, scores[0].missed
        ('a', 0.625, 0, 3)
        """
        from concordant.differences.clusters import clusters_of

        return clusters_of(self.profile, self._names(), side, largest, by)

    def edits(self, fewest: Fewest = "steps") -> EditScript:
        """A shortest sequence of splits and merges that turns the candidate into the reference.

        fewest   "steps", or "records": more steps where overlaps run in cycles, but no way moves fewer
                 records, and the cost is the split-join distance

        >>> script = compare(list("aaaabbc"), [0, 0, 0, 1, 2, 2, 2]).edits()
        >>> print(script)
        1 split and 1 merge, 2 records moved
          merge 1, 1 record, into 0
          split 2: 1 record of reference 'c' becomes #3
        >>> script.apply().tolist()
        [0, 0, 0, 0, 2, 2, 3]
        """
        from concordant.differences.edits import edits_of
        from concordant.differences.records import RecordNames

        names = self._names()
        known = (lambda: (names.cell, names.codes[1])) if isinstance(names, RecordNames) else None
        return edits_of(self.profile, names, known, fewest)

    def records(self, largest: int | None = 20, by: RecordsBy = "similarity") -> RecordScores:
        """The records that are worst off, worst first; ``largest=None`` gives all.

        Each has its own precision n/b, recall n/a and similarity n/max(a, b); their means over all
        records are bcubed_precision, bcubed_recall and element_centric.

        >>> compare({"x": 0, "y": 0, "z": 1}, {"x": 5, "y": 6, "z": 6}).records(largest=1)
        [RecordScore(record='x', reference=0, candidate=5, precision=1.0, recall=0.5, similarity=0.5)]
        """
        from concordant.differences.records import RecordNames, worst

        names = self._names()
        if not isinstance(names, RecordNames):
            raise TableNeededError(self._why_no_records())
        return worst(names, self.table, largest, by)

    def _why_no_records(self) -> str:
        if "nulls" not in self._conventions:
            return (
                "this comparison was made from counts, which do not name the records; to score each record, "
                "compare the labels themselves or mappings from record to cluster"
            )
        return (
            "the records stay in their tables, and only counts were brought out of them; c.changes() names a "
            "few records of each overlap, and to score them all, read both columns of labels into memory and "
            "compare these"
        )

    def _names(self) -> Names:
        """Who the clusters and records are; by number where the comparison was made from counts."""
        from concordant.differences.changes import Numbers
        from concordant.differences.records import RecordNames

        if self._named is None:
            if self._aligned is None or self._partitions is None:
                self._named = Numbers()
            else:
                self._named = RecordNames(self._aligned, self._partitions, self.table)
        return self._named

    @property
    def undefined(self) -> tuple[str, ...]:
        """The indices whose formula is 0/0 here, so that their value is a convention.

        >>> compare([0, 0, 0], [0, 1, 2]).undefined[:2]
        ('precision', 'specificity')
        """
        return tuple(d.name for d in self._available() if d.is_undefined(self.profile))

    def to_dict(self, *spellings: str) -> dict[str, float]:
        """The named indices, or all but the slow ones, which ``left_out`` lists.

        >>> compare([0, 0, 1], [0, 1, 1]).to_dict("rand", "ARI")
        {'rand': 0.3333333333333333, 'ARI': -0.5}
        """
        names = spellings or tuple(d.name for d in self._available())
        return {name: self[name] for name in names}

    @property
    def left_out(self) -> tuple[str, ...]:
        """The indices that tables leave out, because they are slow, too large, or need more than sizes.

        >>> compare([0, 0, 1], [0, 1, 1]).left_out[:1]
        ('adjusted_rand_models',)
        """
        shown = {d.name for d in self._available()}
        return tuple(name for name in INDICES if name not in shown)

    def to_json(self, *spellings: str, indent: int | None = 2) -> str:
        """The comparison as JSON. Values that are not finite become null and are listed by name."""
        values = self.to_dict(*spellings)
        document = {
            "signature": self.signature,
            "elements": self.profile.size,
            "clusters": {"reference": self.profile.rows, "candidate": self.profile.columns},
            "pairs": {name: getattr(self.pairs, name) for name in ("n11", "n10", "n01", "n00")},
            "indices": {k: v if math.isfinite(v) else None for k, v in values.items()},
            "not_finite": {k: str(v) for k, v in values.items() if not math.isfinite(v)},
            "undefined": [k for k in values if INDICES[k].is_undefined(self.profile)],
            "left_out": [] if spellings else list(self.left_out),
        }
        import json  # seldom needed

        return json.dumps(document, indent=indent, ensure_ascii=False)

    # -- pictures -------------------------------------------------------------------------------

    def to_html(
        self, path: str | os.PathLike[str], *, names: tuple[str, str] = ("reference", "candidate")
    ) -> Path:
        """Write a page to look at: one file that needs no network. Returns its path.

        It says what went wrong most, draws the flow, the table and the sizes, and lists changes and
        indices. A file of that name is replaced. ``names`` are what the page calls the two sides.
        Needs the extra ``report``.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     page = compare(list("aabb"), [0, 0, 0, 1]).to_html(folder + "/diff.html")
        ...     print(page.name, page.stat().st_size < 8_000_000)
        diff.html True
        """
        from concordant.report import comparison_page, write_page

        return write_page(path, comparison_page(self._story(names)))

    def plot(
        self,
        kind: FigureKind = "flow",
        *,
        backend: FigureBackend = "plotly",
        share: SideName | None = None,
        names: tuple[str, str] = ("reference", "candidate"),
        ax: Any = None,
    ) -> Any:
        """A figure: the "flow" of records, the contingency "table", the "sizes" or the "indices".

        backend  "plotly" gives a Plotly figure (extra ``report``); "matplotlib" draws for papers on
                 ``ax``, or on new axes, and gives a display with ``ax_`` and ``figure_`` (extra ``papers``)
        share    in the table, shares of the "reference" row or of the "candidate" column, not records
        names    what the figure calls the two sides

        >>> figure = compare(list("aabb"), [0, 0, 0, 1]).plot("flow")
        >>> figure.data[0].link.value
        (2.0, 1.0, 1.0)
        """
        from concordant.report import draw_figure

        return draw_figure(self._story(names), kind, backend, share, ax)

    def _story(self, names: tuple[str, str] = ("reference", "candidate")) -> Story:
        from concordant.report import Story

        return Story(
            names=names,
            profile=self.profile,
            labels=self._names(),
            indices=self._available(),
            undefined=self._when_undefined,
            audit=self._found,
            signature=self.signature,
        )

    @property
    def signature(self) -> str:
        """One line that makes two published numbers comparable: version, sizes, conventions.

        >>> print(compare([0, 0, 1], [0, 1, 1]).signature)  # doctest: +ELLIPSIS
        concordant ... | n=3 K=2 L=2 | unmatched=error | noise=none | undefined=convention
        """
        from importlib.metadata import version  # slow to import, and seldom asked for

        p = self.profile
        parts = [f"concordant {version('concordant')}", f"n={p.size} K={p.rows} L={p.columns}"]
        parts += [f"{key}={value}" for key, value in self._conventions.items()]
        parts.append(f"undefined={self._when_undefined}")
        return " | ".join(parts + self._left_out())

    def __str__(self) -> str:
        from concordant.report import as_text

        return as_text(self._story())

    def _repr_html_(self) -> str:
        from concordant.report import as_html

        return as_html(self._story())

    def __repr__(self) -> str:
        p = self.profile
        return f"<Comparison of {p.size:,} elements: {p.rows:,} against {p.columns:,} clusters>"

    def _available(self) -> list[Index]:
        """All indices but the slow ones; without a table, those that sizes alone decide."""
        if self._offered is None:
            possible = [d for d in INDICES.values() if _is_at_hand(d, self.profile)]
            self._offered = [d for d in possible if d.is_quick(self.profile) and self._fits(d)]
        return self._offered

    def _fits(self, declared: Index) -> bool:
        """Whether floating point can hold the value; only absurdly many elements are too many."""
        if self.profile.size < 2**62:
            return True
        try:
            declared.value(self.profile)
        except TooLargeError:
            return False
        return True

    def _left_out(self) -> list[str]:
        aligned = self._aligned
        found = [f"{key}={value}" for key, value in self._found.items() if value]
        if aligned is None:
            return found
        counted = {
            "only_reference": aligned.only_reference,
            "only_candidate": aligned.only_candidate,
            "noise_dropped": aligned.noise_dropped,
        }
        return found + [f"{key}={value}" for key, value in counted.items() if value]


def _is_at_hand(declared: Index, profile: Profile) -> bool:
    """Whether what the index reads is there, so that a table of all indices may show it."""
    if profile.table_at_hand:
        return True
    reads_best = any(getattr(view, "needs_best", False) for view in declared.views)
    return not declared.needs_table and (profile.best is not None or not reads_best)


def _noise_text(u: Partition, v: Partition) -> str:
    """What counted as noise on each side, and how often it was found."""
    if u.noise is None and v.noise is None:
        return "none"
    sides = [("reference", u.noise), ("candidate", v.noise)]
    said = [f"{noise.label!r} as {noise.treatment} ({role}: {noise.found})" for role, noise in sides if noise]
    return ", ".join(said)
