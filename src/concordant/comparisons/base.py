"""The values of a comparison, as data, text, pages and charts."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias, get_args

from concordant import comparisons, differences, engines, report
from concordant.catalogue.index import INDICES, Index
from concordant.counts import spelling
from concordant.counts.base import Counts
from concordant.counts.conventions import UNDEFINED, Undefined, check_choice
from concordant.counts.counted import Counted, labels_of
from concordant.counts.pairs import Pairs
from concordant.counts.profile import Profile
from concordant.counts.sides import SIDES, SideName
from concordant.counts.table import Table
from concordant.counts.weighted_counts import plain_weight
from concordant.errors import ParameterError, TooLargeError, kind_of
from concordant.indices.attributes import IndexAttributes
from concordant.partitions.missing import unusual_conventions
from concordant.results import TextRows, as_frame, as_json, latex_table, markdown_table

if TYPE_CHECKING:
    from pathlib import Path

    from concordant.differences.verdicts import Thresholds
    from concordant.trust.interval import Interval
    from concordant.trust.slices import Slices

TextForm: TypeAlias = Literal["short", "all", "terminal"]

_SLOTS = ("_counted", "_when_undefined", "_offered", "_values")
_TITLES = ("reference", "candidate")  # what pages and charts call the two sides
_COLUMNS = ("name", "value", "family", "lowest", "highest", "undefined")  # of a dataframe of indices


class ComparisonValues(IndexAttributes):
    """The values of a comparison: a mapping over the available indices, and how they are shown."""

    __slots__ = ("__weakref__", *_SLOTS)

    _counted: Counted
    _when_undefined: Undefined
    _offered: list[Index] | None
    _values: dict[tuple[Any, ...], float]

    def __init__(self, counted: Counted | Profile, *, undefined: Undefined = "convention") -> None:
        check_choice("undefined", undefined, UNDEFINED)
        if not isinstance(counted, (Counted, Profile)):
            raise ParameterError(f"a Comparison is made of a Profile, not {kind_of(counted)}; see compare()")
        if isinstance(counted, Profile):
            counted = Counted.of(counted)
        initial: tuple[Any, ...] = counted, undefined, None, {}
        for slot, value in zip(_SLOTS, initial, strict=True):
            object.__setattr__(self, slot, value)  # our own looks at each name

    @property
    def counts(self) -> Counts:
        """What all indices are computed from: a profile, or counts of different elements, weights, covers."""
        return self._counted.counts

    def value(self, declared: Index) -> float:
        """The value of an index, computed once."""
        if not isinstance(declared, Index):
            raise ParameterError(f"value() takes an Index; by name a value is asked for as c[{declared!r}]")
        key = (declared.name, *declared.arguments.values())  # two prices may spell alike
        value = self._values.get(key)
        if value is None:
            value = self._values[key] = declared.value(self._counted.counts, self._when_undefined)
        return value

    def exact(self, spelling: str) -> Fraction:
        """The value as a fraction, without rounding; for indices without roots and logarithms.

        >>> import concordant as cc
        >>> cc.compare([0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 1, 2]).exact("jaccard")
        Fraction(2, 5)
        """
        return INDICES[spelling].exact(self.counts)

    def keys(self) -> tuple[str, ...]:
        """The names of the available indices: all but the slow ones, which ``omitted`` lists."""
        return tuple(declared.name for declared in self._available())

    @property
    def pairs(self) -> Pairs:
        """The four counts of pairs that pair-counting indices are made of.

        >>> import concordant as cc
        >>> cc.compare([0, 0, 1, 1], [0, 1, 1, 1]).pairs
        Pairs(n11=1, n10=1, n01=2, n00=2, size=4)
        """
        return self.counts.view(Pairs)

    @classmethod
    def from_contingency(
        cls,
        table: Any,
        *,
        names: tuple[Sequence[Any], Sequence[Any]] | None = None,
        undefined: Undefined = "convention",
    ) -> Self:
        """The comparison of a contingency table: a dense array, or anything with SciPy's ``tocoo``.

        ``names`` are those of the rows and of the columns; a pandas table has its own. A last row or column
        of totals, as ``pandas.crosstab(margins=True)`` adds, is refused.

        >>> import concordant as cc
        >>> cc.Comparison.from_contingency([[2, 0], [1, 3]]).rand
        0.6666666666666666
        """
        return cls(Profile.from_contingency(table, names=names), undefined=undefined)

    @property
    def table(self) -> Table:
        """The non-empty cells of the contingency table, under the labels of their clusters.

        >>> import concordant as cc
        >>> print(cc.compare(list("aabb"), [0, 0, 0, 1]).table)
             0  1
        'a'  2  0
        'b'  1  1
        """
        return self.counts.completed.table.labelled(labels_of(self._counted.names))

    @property
    def undefined(self) -> tuple[str, ...]:
        """The indices whose formula is 0/0 here, so that their value is a convention.

        >>> import concordant as cc
        >>> cc.compare([0, 0, 0], [0, 1, 2]).undefined[:2]
        ('precision', 'specificity')
        """
        return tuple(d.name for d in self._available() if d.is_undefined(self.counts))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write what was counted to a file that ``load`` reads: sizes, overlaps, labels, conventions.

        Which records lie where is not in it, nor is a table that an engine keeps to itself.
        """
        comparisons.saved.write_comparison(path, self._counted, self._when_undefined)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """The comparison that ``save`` wrote; damaged or in a format that is not known, it is refused.

        >>> import concordant as cc
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     cc.compare(["a", "a", "b"], [1, 1, 2]).save(folder + "/c.json")
        ...     cc.Comparison.load(folder + "/c.json").adjusted_rand
        1.0
        """
        counted, undefined = comparisons.saved.read_comparison(path)
        return cls(counted, undefined=undefined)

    def to_frame(self, backend: Any = None, *, indices: Sequence[str] | None = None) -> Any:
        """One row per index: name, value, family, its range, and whether the value is a convention.

        ``indices`` names some; without it, all that ``to_dict`` has. ``backend`` is "pandas", "polars",
        "pyarrow", or the module; without it, the library that you have imported.

        >>> import concordant as cc
        >>> cc.compare([0, 0, 1], [0, 1, 1]).to_frame("polars", indices=["rand"]).rows()
        [('rand', 0.3333333333333333, 'Pair counting', 0.0, 1.0, False)]
        """
        counts, rows = self.counts, []
        for name in self.keys() if indices is None else check_names(indices):
            index = INDICES[name]
            bounds = map(float, index.bounds(counts))
            rows.append((name, self.value(index), index.family, *bounds, index.is_undefined(counts)))
        columns = zip(*rows, strict=True) if rows else [()] * len(_COLUMNS)
        return as_frame(dict(zip(_COLUMNS, map(list, columns), strict=True)), backend)

    @property
    def omitted(self) -> tuple[str, ...]:
        """The indices that tables leave out, because they are slow, too large, or need more than sizes.

        >>> import concordant as cc
        >>> cc.compare([0, 0, 1], [0, 1, 1]).omitted[:1]
        ('adjusted_rand_models',)
        """
        shown = {d.name for d in self._available()}
        others = (declared for declared in INDICES.values() if declared.name not in shown)
        return tuple(declared.name for declared in others if declared.is_shown_for(self.counts))

    def to_json(self, *spellings: str, indent: int | None = 2) -> str:
        """The comparison as JSON. Values that are not finite become null and are listed by name."""
        values, counts = self.to_dict(*spellings), self.counts
        document = {
            "signature": self.signature,
            "headline": self.headline,
            "elements": counts.size,
            "clusters": dict(zip(SIDES, self._clusters, strict=True)),
            "in_no_cluster": dict(zip(SIDES, self._in_no_cluster, strict=True)),
            "pairs": {name: plain_weight(getattr(self.pairs, name)) for name in ("n11", "n10", "n01", "n00")},
            "indices": values,
            "not_finite": {k: str(v) for k, v in values.items() if not math.isfinite(v)},
            "undefined": [k for k in values if INDICES[k].is_undefined(counts)],
            "omitted": [] if spellings else list(self.omitted),
        }
        return as_json(document, indent)

    def to_markdown(
        self,
        *,
        indices: Sequence[str] | None = None,
        interval: bool | Iterable[Interval] = False,
        unit: Any = None,
    ) -> str:
        """A table of indices in Markdown; the options are those of ``to_latex``.

        >>> import concordant as cc
        >>> print(cc.compare([0, 0, 1], [0, 1, 1]).to_markdown(indices=["rand", "adjusted_rand"]))
        |                     |   value |
        |---------------------|--------:|
        | Rand index          |  0.3333 |
        | Adjusted Rand index | -0.5000 |
        """
        return markdown_table(self._index_rows(indices, interval=interval, unit=unit))

    def to_latex(
        self,
        *,
        indices: Sequence[str] | None = None,
        interval: bool | Iterable[Interval] = False,
        unit: Any = None,
        caption: str = "",
        label: str = "",
    ) -> str:
        r"""A table of indices in LaTeX, for the package booktabs.

        indices  some by name; if not given, four that fit the data
        interval whether the records are a random sample: then indices have their 95% intervals; or what
                 ``interval()`` returned for some of them
        unit     the units that were drawn, if they were not single records, as in ``interval()``
        caption  may contain LaTeX; with it or a label, the table floats

        >>> import concordant as cc
        >>> print(cc.compare([0, 0, 1], [0, 1, 1]).to_latex(indices=["adjusted_rand"]))
        \begin{tabular}{lr}
        \toprule
         & value \\
        \midrule
        Adjusted Rand index & $-$0.5000 \\
        \bottomrule
        \end{tabular}
        """
        return latex_table([self._index_rows(indices, interval=interval, unit=unit)], caption, label)

    def _index_rows(
        self, indices: Sequence[str] | None, *, interval: bool | Iterable[Interval], unit: Any
    ) -> TextRows:
        return report.index_rows(self._report_data(indices=indices, interval=interval, unit=unit))

    # -- pictures -------------------------------------------------------------------------------

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
        indices: Sequence[str] | None = None,
        interval: bool | Iterable[Interval] = False,
        unit: Any = None,
        by: Slices | None = None,
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
        indices  the indices under the headline; if not given, four that fit the data
        interval whether the records are a random sample: then these indices have their 95% intervals; or
                 what ``interval()`` returned for some of them
        unit     the units that were drawn, if they were not single records, as in ``interval()``
        by       what ``by()`` returned: a chart and a table of these slices

        >>> import concordant as cc
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     print(cc.compare(list("aabb"), [0, 0, 0, 1]).to_html(folder + "/diff.html").name)
        diff.html
        """
        if records is not None:
            _ = self.counts.completed  # refuses covers and weights, whose page has no records
        counted = self._counted
        data = self._report_data(names, indices=indices, interval=interval, unit=unit)
        shown = engines.record_attributes(
            records, record, columns, images, are_named=counted.names.has_record_names
        )
        page = report.comparison_page(data, shown, report.bytes_of(budget), (counted.images, raw), by)
        return report.write_page(path, page)

    def plot(
        self,
        kind: report.ChartKind = "flow",
        *,
        share: SideName | None = None,
        names: tuple[str, str] = ("reference", "candidate"),
        ax: Any = None,
        width: float | None = None,
    ) -> report.Display:
        """A chart: "flow", "table", "sizes" or "indices", and for entities "verdicts" or "worst".

        Matplotlib (extra ``plot``) draws it. Returns a display with ``ax_`` and ``figure_``.

        share    in the table, shares of the "reference" row or of the "candidate" column, not records
        names    what the chart calls the two sides
        ax       Matplotlib's axes to draw on; a new figure if not given
        width    of a new figure, in mm: 85 is one column of most journals, 180 are two

        >>> import concordant as cc
        >>> display = cc.compare(list("aabb"), [0, 0, 0, 1]).plot("sizes")
        >>> display.ax_.get_xlabel()
        'records in a cluster'
        """
        if kind in ("flow", "table") and self.counts.kind == "weights":
            _ = self.counts.completed  # refuses weights
        return report.plot_chart(self._report_data(names), kind, share, ax, width)

    @property
    def headline(self) -> str:
        """One sentence that names what dominates, as pages, notebooks and ``print`` show it.

        >>> import concordant as cc
        >>> cc.compare(list("aaabbbccc"), [0, 0, 0, 1, 1, 1, 1, 1, 1]).headline
        'Candidate cluster 1 merges reference clusters b and c (6 records, 67%); 1 of 3 reference clusters \
is exactly right'
        """
        return report.headline(self._report_data())

    @property
    def headline_indices(self) -> tuple[str, ...]:
        """The names of the indices that reports show first, because they fit the data.

        >>> import concordant as cc
        >>> cc.compare([0, 0, 1, 1], [0, 0, 1, 2]).headline_indices
        ('precision', 'recall', 'bcubed_f', 'cluster_recall')
        """
        return tuple(line.index.name for line in self._report_data().headline)

    def _report_data(
        self,
        names: tuple[str, str] = _TITLES,
        *,
        indices: Sequence[str] | None = None,
        interval: bool | Iterable[Interval] = False,
        unit: Any = None,
        thresholds: Thresholds | None = None,
    ) -> report.ReportData:
        data = report.ReportData(
            names=names,
            counts=self.counts,
            labels=self._counted.names,
            indices=self._available(),
            undefined=self._when_undefined,
            audit=self._counted.audit,
            make_signature=lambda: self.signature,
            noise=self._counted.noise,
            conventions=self._counted.conventions,
            are_pixels=self._counted.are_pixels,
            is_coreference=self._counted.is_coreference,
            thresholds=thresholds or differences.verdicts.USUAL_THRESHOLDS,
            chosen=None if indices is None else [INDICES[name] for name in check_names(indices)],
        )
        shown = [line.index for line in data.headline] if interval or unit is not None else []
        found = comparisons.intervals.headline_intervals(
            self._counted, shown, self._when_undefined, interval=interval, unit=unit
        )
        return replace(data, intervals={each.index: each for each in found})

    @property
    def signature(self) -> str:
        """One line that makes two published numbers comparable: version, sizes, conventions.

        >>> import concordant as cc
        >>> print(cc.compare([0, 0, 1], [0, 1, 1]).signature)  # doctest: +ELLIPSIS
        concordant ... | n=3 K=2 L=2 | unmatched=error | noise=none | undefined=convention
        """
        from importlib.metadata import version  # slow to import, rarely needed

        reference, candidate = self._clusters
        parts = [f"concordant {version('concordant')}", f"n={self.counts.size} K={reference} L={candidate}"]
        parts += [f"{key}={value}" for key, value in self._counted.conventions.items()]
        parts.append(f"undefined={self._when_undefined}")
        parts += [f"{key}={value}" for key, value in self._counted.audit.items() if value]
        return " | ".join(parts)

    def __str__(self) -> str:
        """What matters, in 25 lines of a terminal."""
        return format(self, "")

    def __format__(self, spec: str) -> str:
        """``f"{c:all}"`` is the table of every index, by family.

        >>> import concordant as cc
        >>> c = cc.compare([0, 0, 1], [0, 1, 1])
        >>> "fowlkes_mallows" in f"{c:all}", "fowlkes_mallows" in f"{c}"
        (True, False)
        """
        if spec not in ("", "all"):
            self._not_a_number()
        return self.to_text("all" if spec else "short")

    def to_text(
        self,
        form: TextForm = "short",
        *,
        indices: Sequence[str] | None = None,
        interval: bool | Iterable[Interval] = False,
        unit: Any = None,
    ) -> str:
        """The text that ``print`` shows, also with intervals; the options are those of ``to_latex``.

        The "short" form has 25 lines, "all" has every index by family. The form "terminal" is the short one
        as the command line shows it.

        >>> import concordant as cc
        >>> c = cc.compare(list("aaaabbbbcccc"), [0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2])
        >>> text = c.to_text(indices=["f_measure"], interval=True)
        >>> print("\\n".join(text.splitlines()[8:10]))
          f_measure     0.8108  ████████████████▎···  chance 0.2801
            95% interval 0.2414 to 1.0000
        """
        check_choice("form", form, get_args(TextForm))
        data = self._report_data(indices=indices, interval=interval, unit=unit)
        if form == "all":
            return report.as_full_text(data)
        if form == "terminal":  # of whose lines three are the command's
            return report.as_text(data, "--all shows every index and the signature", lines=22)
        return report.as_text(data, "every index and the signature: print(f'{c:all}')")

    def _repr_html_(self) -> str:
        return report.as_html(self._report_data())

    def __repr__(self) -> str:
        reference, candidate = self._clusters
        clusters = f"{reference:,} against {spelling.counted(candidate, 'cluster')}"
        return f"<Comparison of {spelling.counted(self.counts.size, 'element')}: {clusters}>"

    @property
    def _unusual_conventions(self) -> str:
        words = {**self._counted.conventions, "undefined": self._when_undefined}
        return unusual_conventions(words)

    @property
    def _in_no_cluster(self) -> tuple[int, int]:
        """The elements of each side that count as singletons because they are in no cluster."""
        return differences.own_clusters.in_no_cluster(self.counts, self._counted.names)

    @property
    def _clusters(self) -> tuple[int, int]:
        """The clusters of each side."""
        unclustered = self._in_no_cluster
        return self.counts.rows - unclustered[0], self.counts.columns - unclustered[1]

    def _available(self) -> list[Index]:
        """All indices but the slow ones, and those that need more than was counted."""
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


def check_names(indices: Sequence[str]) -> Sequence[str]:
    """Refuse a single name, whose letters would be taken for names."""
    if isinstance(indices, str):
        raise ParameterError(f"indices is a list of names; pass indices=[{indices!r}]")
    return indices
