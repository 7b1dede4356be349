"""compare() and Comparison: the only place where engines meet indices."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Self

from concordant import engines
from concordant.catalogue.index import INDICES, Index
from concordant.counts import spelling
from concordant.counts.availability import Need
from concordant.counts.base import Counts
from concordant.counts.conventions import (
    TABLE_LIMIT,
    UNDEFINED,
    USUAL,
    Conventions,
    LabelTreatment,
    NoiseAs,
    Nulls,
    Progress,
    Undefined,
    Unmatched,
    check_choice,
    check_threads,
)
from concordant.counts.counted import Counted
from concordant.counts.interruption import catchable
from concordant.counts.pairs import Pairs
from concordant.counts.profile import Profile
from concordant.counts.sides import SideName
from concordant.counts.table import Table
from concordant.counts.weighted_counts import plain_weight
from concordant.differences.answers import DifferenceAnswers
from concordant.differences.live import LiveIndices
from concordant.errors import ParameterError, TooLargeError, kind_of
from concordant.indices.attributes import IndexAttributes
from concordant.partitions.both_sides import both_sides
from concordant.partitions.input_types import observed
from concordant.results import as_frame
from concordant.trust.answers import TrustAnswers

if TYPE_CHECKING:  # imported where they are used: with all of them, importing takes twice as long
    from pathlib import Path

    from concordant.report import ChartKind, Display, ReportData
    from concordant.trust.interval import Interval

_TITLES = ("reference", "candidate")  # what pages and figures call the two sides
_COLUMNS = ("name", "value", "family", "lowest", "highest", "undefined")  # of a dataframe of indices


@catchable
def compare(
    reference: Any,
    candidate: Any,
    column: str | None = None,
    *,
    unmatched: Unmatched = "error",
    nulls: Nulls | None = None,
    noise: Any = None,
    noise_as: NoiseAs | None = None,
    undefined: Undefined = "convention",
    table_limit: int = TABLE_LIMIT,
    threads: int = 0,
    where: Any = None,
    weights: Any = None,
    reference_noise: Mapping[Any, LabelTreatment] | None = None,
    candidate_noise: Mapping[Any, LabelTreatment] | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Compare two partitions of the same set; the reference comes first.

    Both may be lists, arrays, Series or Arrow arrays of labels, mappings from element to cluster,
    lists of sets, or Partitions, also of dataframes and files (``Partition.from_frame``,
    ``Partition.scan``). Arrays of several dimensions are label images, compared voxel by voxel; AnnData goes
    with two columns of its ``obs``: ``compare(adata, "cell_type", "leiden")``.

    Labels and dataframes in memory may be changed as soon as ``compare`` returns: the comparison keeps what
    it needs. A file is read again for what was not brought out of it, and one that changed is then an error;
    a lazy frame (Spark, Dask, DuckDB, Polars) is asked again too, and must not change meanwhile.

    unmatched   elements on one side only: "error", "drop" them, add them as "singletons", "keep" them apart
    nulls       null labels of dataframes and files: "error", "drop" or "singletons"; None: as the source says
    noise       the label that means "in no cluster"; noise_as: "cluster", "singletons" or "drop"
    undefined   where a formula is 0/0 and the partitions differ: the index's "convention", "nan", or "raise";
                identical partitions are perfect; "conll" scores coreference as the official scorer does
    table_limit how many overlaps may be brought out of an engine, where an index needs them
    threads     how many to count with; 0 means as many as the process may use
    where       a mask, True for the elements to compare, of the shape of the labels
    weights     how much each element weighs, in the order of the reference or by its name; a pair then weighs
                the product of both. Indices of pairs, B-cubed, best matches and entropies have a meaning then
    reference_noise, candidate_noise: what becomes of labels of one side, as in {0: "drop"}: "cluster",
                "drop", "singletons", or "background", no cluster but counted in unions of objects
    progress    of arrays in chunks: called with how many blocks are counted, and of how many

    >>> c = compare(["a", "a", "b", "b"], [1, 1, 2, 3])
    >>> c.precision, c.recall, c["f_measure(beta=2)"]
    (1.0, 0.5, 0.5555555555555556)
    """
    reference, candidate = observed(reference, candidate, column)
    of_both = (unmatched, nulls, noise, noise_as, undefined, table_limit, threads)
    conventions = Conventions.agreed(*of_both, where, reference_noise, candidate_noise, progress)
    sides = both_sides(reference, candidate, conventions)
    if weights is not None:
        from concordant.engines.weights import count_weighted  # seldom needed

        weighted: Any = count_weighted(*sides, conventions, weights)
        return Comparison(weighted, undefined=undefined)
    return Comparison(engines.count(*sides, conventions, Need.RECORDS), undefined=undefined)


def values(
    indices: Sequence[Index], reference: Any, candidate: Any, conventions: Conventions = USUAL
) -> list[float]:
    """The values of these indices and no others; no more is counted than they need.

    >>> values([INDICES["rand"], INDICES["jaccard"]], [0, 0, 1, 1], [0, 0, 1, 2])
    [0.8333333333333334, 0.5]
    """
    if conventions is USUAL:
        check_threads(0)  # the environment may have changed since
    need = indices[0].needs if len(indices) == 1 else max(each.needs for each in indices)
    counts = engines.count(*both_sides(reference, candidate, conventions), conventions, need).counts
    return [each.value(counts, conventions.undefined) for each in indices]


class Comparison(IndexAttributes, DifferenceAnswers, TrustAnswers):
    """What can be said of two partitions: every index as an attribute, an item, or in a table.

    It is made of what an engine counted, or of a profile alone, and does not change.

    >>> c = Comparison(Profile.from_rows([(10**12, 10**12, 2 * 10**12, 2)]))
    >>> c.recall, c.exact("precision")
    (1.0, Fraction(999999999999, 1999999999999))
    """

    __slots__ = ("__weakref__", "_counted", "_offered", "_values", "_when_undefined")

    _counted: Counted
    _when_undefined: Undefined
    _offered: list[Index] | None
    _values: dict[tuple[Any, ...], float]

    @catchable
    def __init__(self, counted: Counted | Profile, *, undefined: Undefined = "convention") -> None:
        check_choice("undefined", undefined, UNDEFINED)
        if not isinstance(counted, (Counted, Profile)):
            raise ParameterError(f"a Comparison is made of a Profile, not {kind_of(counted)}; see compare()")
        if isinstance(counted, Profile):
            counted = Counted.of(counted)
        keep = object.__setattr__  # a comparison refuses to be changed
        keep(self, "_counted", counted)
        keep(self, "_when_undefined", undefined)
        keep(self, "_offered", None)
        keep(self, "_values", {})

    @property
    def counts(self) -> Counts:
        """What all indices are computed from: a profile, or counts of different elements, weights, covers."""
        return self._counted.counts

    # -- one index ------------------------------------------------------------------------------

    def value(self, declared: Index) -> float:
        """The value of an index, computed once."""
        if not isinstance(declared, Index):
            raise ParameterError(f"value() takes an Index; by name a value is asked for as c[{declared!r}]")
        key = (declared.name, *declared.arguments.values())  # two prices may spell alike
        if key not in self._values:
            self._values[key] = declared.value(self.counts, self._when_undefined)
        return self._values[key]

    @catchable
    def exact(self, spelling: str) -> Fraction:
        """The value as a fraction, without rounding; for indices without roots and logarithms.

        >>> compare([0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 1, 2]).exact("jaccard")
        Fraction(2, 5)
        """
        return INDICES[spelling].exact(self.counts)

    # -- many -----------------------------------------------------------------------------------

    def keys(self) -> tuple[str, ...]:
        """The names of the indices that ``to_dict`` has, so that ``dict(c)`` is ``c.to_dict()``."""
        return tuple(declared.name for declared in self._available())

    @property
    def pairs(self) -> Pairs:
        """The four counts of pairs that pair-counting indices are made of.

        >>> compare([0, 0, 1, 1], [0, 1, 1, 1]).pairs
        Pairs(n11=1, n10=1, n01=2, n00=2, size=4)
        """
        return self.counts.view(Pairs)

    @property
    def table(self) -> Table:
        """The non-empty cells of the contingency table."""
        return self._counted.counts.completed.table

    # -- as data ---------------------------------------------------------------------------------

    @property
    def undefined(self) -> tuple[str, ...]:
        """The indices whose formula is 0/0 here, so that their value is a convention.

        >>> compare([0, 0, 0], [0, 1, 2]).undefined[:2]
        ('precision', 'specificity')
        """
        return tuple(d.name for d in self._available() if d.is_undefined(self.counts))

    @catchable
    def save(self, path: str | os.PathLike[str]) -> None:
        """Write what was counted to a file that ``load`` reads: sizes, overlaps, labels, conventions.

        Which records lie where is not in it, nor is a table that an engine keeps to itself.
        """
        from concordant.partitions.saved_comparison import write_comparison

        write_comparison(path, self._counted, self._when_undefined)

    @classmethod
    @catchable
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """The comparison that ``save`` wrote; damaged or in a format that is not known, it is refused.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     compare(["a", "a", "b"], [1, 1, 2]).save(folder + "/c.json")
        ...     Comparison.load(folder + "/c.json").adjusted_rand
        1.0
        """
        from concordant.partitions.saved_comparison import read_comparison

        counted, undefined = read_comparison(path)
        return cls(counted, undefined=undefined)

    @catchable
    def to_dict(self, *spellings: str) -> dict[str, float]:
        """The named indices, or all but the slow ones, which ``omitted`` lists.

        >>> compare([0, 0, 1], [0, 1, 1]).to_dict("rand", "ARI")
        {'rand': 0.3333333333333333, 'ARI': -0.5}
        """
        names = spellings or self.keys()
        return {name: self[name] for name in names}

    @catchable
    def to_frame(self, backend: Any = None, *, indices: Sequence[str] | None = None) -> Any:
        """One row per index: name, value, family, its range, and whether the value is a convention.

        A list of dicts, or a dataframe of your own kind: ``backend`` is "pandas", "polars", "pyarrow", or the
        module. ``indices`` names some; without it, all that ``to_dict`` has.

        >>> compare([0, 0, 1], [0, 1, 1]).to_frame(indices=["rand"])
        [{'name': 'rand', 'value': 0.3333333333333333, 'family': 'Pair counting', 'lowest': 0.0, \
'highest': 1.0, 'undefined': False}]
        """
        if isinstance(indices, str):  # whose letters would be taken for names
            raise ParameterError(f"indices is a list of names; pass indices=[{indices!r}]")
        rows = [self._row(name) for name in (self.keys() if indices is None else indices)]
        if backend is None:
            return rows
        return as_frame({key: [row[key] for row in rows] for key in _COLUMNS}, backend)

    def _row(self, spelling: str) -> dict[str, Any]:
        declared, counts = INDICES[spelling], self.counts
        undefined = declared.is_undefined(counts)
        row = (
            spelling,
            self.value(declared),
            declared.family,
            *map(float, declared.bounds(counts.size)),
            undefined,
        )
        return dict(zip(_COLUMNS, row, strict=True))

    @property
    def omitted(self) -> tuple[str, ...]:
        """The indices that tables leave out, because they are slow, too large, or need more than sizes.

        >>> compare([0, 0, 1], [0, 1, 1]).omitted[:1]
        ('adjusted_rand_models',)
        """
        shown = {d.name for d in self._available()}
        others = (declared for declared in INDICES.values() if declared.name not in shown)
        return tuple(declared.name for declared in others if declared.is_shown_for(self._counted.counts))

    @catchable
    def to_json(self, *spellings: str, indent: int | None = 2) -> str:
        """The comparison as JSON. Values that are not finite become null and are listed by name."""
        values, counts = self.to_dict(*spellings), self.counts
        document = {
            "signature": self.signature,
            "elements": counts.size,
            "clusters": {"reference": counts.rows, "candidate": counts.columns},
            "pairs": {name: plain_weight(getattr(self.pairs, name)) for name in ("n11", "n10", "n01", "n00")},
            "indices": {k: v if math.isfinite(v) else None for k, v in values.items()},
            "not_finite": {k: str(v) for k, v in values.items() if not math.isfinite(v)},
            "undefined": [k for k in values if INDICES[k].is_undefined(counts)],
            "omitted": [] if spellings else list(self.omitted),
        }
        import json  # seldom needed

        return json.dumps(document, indent=indent, ensure_ascii=False)

    @catchable
    def live(self, index: str = "adjusted_rand") -> Live:
        """The same as a comparison that follows edits; this one stays as it is.

        >>> live = compare(["a", "a", "b"], [1, 2, 2]).live()
        >>> live.jaccard, live.move(1, to=1).jaccard
        (0.0, 1.0)
        """
        return Live(index, undefined=self._when_undefined).begin(self._counted)

    def _edited(self, counted: Counted) -> Self:
        return type(self)(counted, undefined=self._when_undefined)

    # -- pictures -------------------------------------------------------------------------------

    @catchable
    def to_html(
        self,
        path: str | os.PathLike[str],
        *,
        names: tuple[str, str] = ("reference", "candidate"),
        records: Any = None,
        record: str | None = None,
        columns: Sequence[str] | None = None,
        images: str | None = None,
        raw: Any = None,
        budget: str | int = "2MB",
        intervals: Iterable[Interval] = (),
    ) -> Path:
        """Write a page to look at: one file that needs no network. Returns its path.

        It says what went wrong most, draws the flow, the table and the sizes, lists changes and indices, and
        opens each cluster that it shows; label images are cropped to the worst. It works without JavaScript.

        names    what the page calls the two sides
        records  a dataframe of any library, or a file, with a row for each record
        record   its column that names the record; not needed for positions, nor for the index of pandas
        columns  what to show of records, where they differ marked; all columns if not given
        images   a column of pictures: bytes, arrays of two dimensions, or text like data:image/png;base64,...
        raw      the image that was segmented, to be shown beside crops of label images
        budget   how large all that the page says of records may be; crops likewise
        intervals what ``interval()`` gave for some indices, to be drawn on their bars

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     print(compare(list("aabb"), [0, 0, 0, 1]).to_html(folder + "/diff.html").name)
        diff.html
        """
        from concordant.report import bytes_of, comparison_page, write_page

        if records is not None or self.counts.kind != "covers":
            _ = self.counts.completed  # refuses what has no page
        counted, data = self._counted, self._report_data(names, intervals)
        shown = engines.record_attributes(
            records, record, columns, images, are_named=counted.names.has_record_names
        )
        return write_page(path, comparison_page(data, shown, bytes_of(budget), (counted.images, raw)))

    @catchable
    def plot(
        self,
        kind: ChartKind = "flow",
        *,
        share: SideName | None = None,
        names: tuple[str, str] = ("reference", "candidate"),
        ax: Any = None,
    ) -> Display:
        """A chart: the "flow" of records, the contingency "table", the "sizes" or the "indices".

        Matplotlib (extra ``plot``) draws it. Returns a display with ``ax_`` and ``figure_``.

        share    in the table, shares of the "reference" row or of the "candidate" column, not records
        names    what the chart calls the two sides
        ax       Matplotlib's axes to draw on; new ones if not given

        >>> display = compare(list("aabb"), [0, 0, 0, 1]).plot("sizes")
        >>> display.ax_.get_xlabel()
        'records in a cluster'
        """
        from concordant.report import plot_chart

        if kind in ("flow", "table") and self.counts.kind == "weights":
            _ = self.counts.completed  # refuses weights
        return plot_chart(self._report_data(names), kind, share, ax)

    def _report_data(
        self, names: tuple[str, str] = _TITLES, intervals: Iterable[Interval] = ()
    ) -> ReportData:
        from concordant.report import ReportData

        return ReportData(
            names=names,
            counts=self.counts,
            labels=self._counted.names,
            indices=self._available(),
            undefined=self._when_undefined,
            audit=self._counted.audit,
            make_signature=lambda: self.signature,
            noise=self._counted.noise,
            intervals={each.index: (each.low, each.high) for each in intervals},
        )

    @property
    def signature(self) -> str:
        """One line that makes two published numbers comparable: version, sizes, conventions.

        >>> print(compare([0, 0, 1], [0, 1, 1]).signature)  # doctest: +ELLIPSIS
        concordant ... | n=3 K=2 L=2 | unmatched=error | noise=none | undefined=convention
        """
        from importlib.metadata import version  # slow to import, and seldom asked for

        p = self.counts
        parts = [f"concordant {version('concordant')}", f"n={p.size} K={p.rows} L={p.columns}"]
        parts += [f"{key}={value}" for key, value in self._counted.conventions.items()]
        parts.append(f"undefined={self._when_undefined}")
        parts += [f"{key}={value}" for key, value in self._counted.audit.items() if value]
        return " | ".join(parts)

    def __str__(self) -> str:
        """What matters, in 25 lines of a terminal."""
        return format(self, "")

    @catchable
    def __format__(self, spec: str) -> str:
        """``f"{c:all}"`` is the table of every index, by family.

        >>> c = compare([0, 0, 1], [0, 1, 1])
        >>> "fowlkes_mallows" in f"{c:all}", "fowlkes_mallows" in f"{c}"
        (True, False)
        """
        if spec not in ("", "all", "terminal"):
            self._not_a_number()
        from concordant.report import as_full_text, as_text

        if spec == "all":
            return as_full_text(self._report_data())
        if spec == "terminal":  # of whose lines three are the command's
            return as_text(self._report_data(), "--all shows every index and the signature", lines=22)
        return as_text(self._report_data(), "every index and the signature: print(f'{c:all}')")

    @catchable
    def _repr_html_(self) -> str:
        from concordant.report import as_html

        return as_html(self._report_data())

    def __repr__(self) -> str:
        p = self.counts
        clusters = f"{p.rows:,} against {spelling.counted(p.columns, 'cluster')}"
        return f"<Comparison of {spelling.counted(p.size, 'element')}: {clusters}>"

    def _available(self) -> list[Index]:
        """All indices but the slow ones, and those that what is at hand cannot answer."""
        if self._offered is None:
            counts = self.counts
            available, cells = counts.availability, counts.cells
            known = [d for d in INDICES.values() if d.is_shown_for(counts)]
            quick = [d for d in known if d.needs <= available.at_hand and d.is_quick(cells)]
            # Only a huge number of elements or of memberships can be too large for some indices.
            are_safe = counts.size < 2**62 and available.adds_up
            self._offered = quick if are_safe else [d for d in quick if self._fits(d)]
        return self._offered

    def _fits(self, declared: Index) -> bool:
        try:
            return declared.value(self.counts) is not None
        except TooLargeError:
            return False


class Live(LiveIndices):
    """A comparison that follows edits: records and clusters come, go, move, merge and split.

    >>> live = Live().add("a", 1, record="r1").add("a", 2, record="r2").add("b", 2, record="r3")
    >>> live.jaccard, live.move("r2", to=1).jaccard
    (0.0, 1.0)
    """

    @catchable
    def compare(self) -> Comparison:
        """The comparison as it is now; later edits do not change it."""
        return Comparison(self.counted(), undefined=self._when_undefined)

    def keys(self) -> tuple[str, ...]:
        return self.compare().keys()
