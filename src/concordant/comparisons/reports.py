"""A comparison as text, tables, pages and charts."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from concordant import comparisons, differences, engines, report
from concordant.catalogue.index import INDICES
from concordant.comparisons.base import ComparisonValues, check_names
from concordant.counts.conventions import check_choice
from concordant.counts.sides import SIDES, SideName
from concordant.counts.weighted_counts import plain_weight
from concordant.results import TextRows, as_json, latex_table, markdown_table

if TYPE_CHECKING:
    from pathlib import Path

    from concordant.differences.verdicts import Thresholds
    from concordant.trust.interval import Interval
    from concordant.trust.slices import Slices

TextForm: TypeAlias = Literal["short", "all", "terminal"]

_TITLES = ("reference", "candidate")  # the names of the two sides on pages and charts


class ComparisonReports(ComparisonValues):
    """The reports of a comparison."""

    __slots__ = ()

    @property
    def headline(self) -> str:
        """One sentence that names the most important difference.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare(list("aaabbbccc"), [0, 0, 0, 1, 1, 1, 1, 1, 1]).headline
        'Candidate cluster 1 merges reference clusters b and c (6 records, 67%); 1 of 3 reference clusters \
is exactly right'
        """
        return report.headline(self._report_data())

    @property
    def headline_indices(self) -> tuple[str, ...]:
        """The names of the indices that reports show first because they fit the data.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare([0, 0, 1, 1], [0, 0, 1, 2]).headline_indices
        ('precision', 'recall', 'bcubed_f', 'cluster_recall')
        """
        return tuple(line.index.name for line in self._report_data().headline)

    def cite(self, *indices: str) -> str:
        """Return BibTeX entries for the papers of indices, and for concordant.

        Parameters
        ----------
        *indices : str
            Names of indices. By default, those that reports show first, `headline_indices`.

        Returns
        -------
        str
            One entry for each paper, then the entry for concordant with its version.

        Examples
        --------
        >>> import concordant as cc
        >>> c = cc.compare([0, 0, 1, 1], [0, 0, 1, 2])
        >>> [line for line in c.cite("bcubed_f").splitlines() if line.startswith("@")]
        ['@inproceedings{bagga1998,', '@article{amigo2009,', '@misc{concordant,']
        """
        return report.cite(*indices or self.headline_indices)

    def to_text(
        self,
        form: TextForm = "short",
        *,
        indices: Sequence[str] | None = None,
        interval: bool | Iterable[Interval] = False,
        unit: Any = None,
    ) -> str:
        r"""Return the text that `print` shows.

        Parameters
        ----------
        form : {"short", "all", "terminal"}, default="short"
            "short" has at most 25 lines, "all" has every index by family. "terminal" is the short form of the
            command line.
        indices : sequence of str, optional
            Names of the indices. By default, four that fit the data.
        interval : bool or iterable of Interval, default=False
            Whether the records are a random sample. If so, the indices have 95% intervals. Or the results of
            `interval` to show.
        unit : str, mapping or sequence, optional
            The sampling unit of each record, as in `interval`.

        Returns
        -------
        str
            The text.

        Examples
        --------
        >>> import concordant as cc
        >>> c = cc.compare(list("aaaabbbbcccc"), [0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2])
        >>> text = c.to_text(indices=["f_measure"], interval=True)
        >>> print("\n".join(text.splitlines()[8:10]))
          f_measure     0.8108  ████████████████▎···  chance 0.2801
            95% interval 0.2414 to 1.0000
        """
        check_choice("form", form, get_args(TextForm))
        data = self._report_data(indices=indices, interval=interval, unit=unit)
        if form == "all":
            return report.as_full_text(data)
        if form == "terminal":  # the command itself prints three of the lines
            return report.as_text(data, "--all shows every index and the signature", lines=22)
        return report.as_text(data, "every index and the signature: print(f'{c:all}')")

    def to_markdown(
        self,
        *,
        indices: Sequence[str] | None = None,
        interval: bool | Iterable[Interval] = False,
        unit: Any = None,
    ) -> str:
        """Return a table of indices in Markdown.

        Parameters
        ----------
        indices : sequence of str, optional
            Names of the indices. By default, four that fit the data.
        interval : bool or iterable of Interval, default=False
            Whether the records are a random sample. If so, the indices have 95% intervals. Or the results of
            `interval` to show.
        unit : str, mapping or sequence, optional
            The sampling unit of each record, as in `interval`.

        Returns
        -------
        str
            The table.

        Examples
        --------
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
        r"""Return a table of indices in LaTeX, for the booktabs package.

        Parameters
        ----------
        indices : sequence of str, optional
            Names of the indices. By default, four that fit the data.
        interval : bool or iterable of Interval, default=False
            Whether the records are a random sample. If so, the indices have 95% intervals. Or the results of
            `interval` to show.
        unit : str, mapping or sequence, optional
            The sampling unit of each record, as in `interval`.
        caption : str, default=""
            Caption, which may contain LaTeX. With a caption or a label, the table floats.
        label : str, default=""
            Label for references.

        Returns
        -------
        str
            The table.

        Examples
        --------
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
        """Write the report page: one HTML file that needs no network.

        It shows the most important errors, the flow, the table, the cluster sizes, the changes and the
        indices. It works without JavaScript.

        Parameters
        ----------
        path : str or path-like
            The file to write.
        names : (str, str), default=('reference', 'candidate')
            Names of the two sides.
        records : dataframe or path, optional
            A source with one row for each record, to show the records of the clusters.
        record : str, optional
            The column of `records` that has the record ids. Not needed if the ids are positions or the
            pandas index.
        columns : sequence of str, optional
            The columns of `records` to show. By default, all.
        images : str, optional
            A column of images: bytes, two-dimensional arrays, or data URLs.
        raw : array, optional
            The segmented image, shown beside crops of the label images.
        budget : str or int, default="2MB"
            Maximum size of the record data, and of the crops.
        indices : sequence of str, optional
            Names of the indices under the headline. By default, four that fit the data.
        interval : bool or iterable of Interval, default=False
            Whether the records are a random sample. If so, these indices have 95% intervals. Or the results
            of `interval` to show.
        unit : str, mapping or sequence, optional
            The sampling unit of each record, as in `interval`.
        by : Slices, optional
            The result of `by`, shown as a chart and a table.

        Returns
        -------
        Path
            The path of the file.

        Examples
        --------
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
        """Draw a chart with Matplotlib (extra `plot`).

        Parameters
        ----------
        kind : {"verdicts", "worst", "flow", "table", "sizes", "indices"}, default="flow"
            The chart. "verdicts" and "worst" are for entities.
        share : {"reference", "candidate"}, optional
            In the table, show shares of the reference row or of the candidate column instead of records.
        names : (str, str), default=('reference', 'candidate')
            Names of the two sides.
        ax : matplotlib Axes, optional
            Axes to draw on. By default, a new figure.
        width : float, optional
            Width of a new figure in mm. 85 is one column of most journals, 180 is two.

        Returns
        -------
        Display
            The chart, with the attributes `ax_` and `figure_`.

        Examples
        --------
        >>> import concordant as cc
        >>> display = cc.compare(list("aabb"), [0, 0, 0, 1]).plot("sizes")
        >>> display.ax_.get_xlabel()
        'records in a cluster'
        """
        if kind in ("flow", "table") and self.counts.kind == "weights":
            _ = self.counts.completed  # refuses weights
        return report.plot_chart(self._report_data(names), kind, share, ax, width)

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

    def __str__(self) -> str:
        """A summary in 25 lines of a terminal."""
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

    def _repr_html_(self) -> str:
        return report.as_html(self._report_data())

    def to_json(self, *spellings: str, indent: int | None = 2) -> str:
        """Return the comparison as JSON.

        Parameters
        ----------
        *spellings : str
            Names of the indices. By default, all that are available.
        indent : int or None, default=2
            Indentation. None writes one line.

        Returns
        -------
        str
            The JSON document. Values that are not finite are null and listed by name.

        Examples
        --------
        >>> import concordant as cc
        >>> text = cc.compare([0, 0, 1], [0, 1, 1]).to_json("rand", indent=None)
        >>> '"rand": 0.3333333333333333' in text
        True
        """
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
