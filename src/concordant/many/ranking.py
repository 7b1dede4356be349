"""Ranking: the systems by value, best first, and how each differs from a baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any

from concordant.catalogue.index import INDICES, Index
from concordant.comparisons import Comparison
from concordant.counts.spelling import counted, printable
from concordant.errors import ParameterError
from concordant.many.three_sides import omission_words
from concordant.results import Result, TextRows, rounded
from concordant.text_layout import fitted_columns, line_width, shortened
from concordant.trust.corrections import UNEVEN
from concordant.trust.difference import Correction, Difference, signed
from concordant.trust.finding import shown_p, software
from concordant.trust.versus import PIXELS

Omitted = dict[str, Any]  # the number of records of the truth, and of each of the systems; empty for none
_LONGEST = 40  # cells of a name in a sentence
_CORRECTION_NAMES: dict[Correction, str] = {"holm": "Holm's method", "max_t": "the max-T method"}


def _title(system: str) -> str:
    """The name of a system in a sentence."""
    return shortened(printable(system), _LONGEST)


@dataclass(frozen=True, eq=False, repr=False)
class Ranking(Result):
    """The systems by value, the best first, and their differences from the baseline. `rank` returns it.

    `ranking["new", "f_measure"]` is one difference.

    Attributes
    ----------
    indices : tuple of Index
        The indices.
    systems : mapping from str to Comparison
        The comparison of each system with the truth.
    baseline : str
        Name of the baseline.
    differences : mapping from str to mapping from str to Difference
        The differences from the baseline, by system and index.
    level : float
        Confidence level.
    correction : str, optional
        Correction of the p-values.
    conventions : str
        Unusual conventions.
    omitted : mapping
        Number of records that were not compared because some sides lack them.
    """

    indices: tuple[Index, ...]
    systems: Mapping[str, Comparison]
    baseline: str
    differences: Mapping[str, Mapping[str, Difference]]
    level: float
    correction: Correction | None
    conventions: str = ""
    omitted: Omitted = field(default_factory=dict)

    def __getitem__(self, pair: tuple[str, str]) -> Difference:
        """The difference of a system to the baseline: ``ranking["new", "f_measure"]``."""
        system, index = pair
        if system not in self.differences:
            raise ParameterError(
                f"there is no difference between {system!r} and the baseline {self.baseline!r}; use one of "
                f"{', '.join(map(repr, self.differences))}"
            )
        return self.differences[system][INDICES[index].name]

    def order(self, index: str) -> list[str]:
        """Return the systems by an index, the best first.

        Parameters
        ----------
        index : str
            Name of the index.

        Returns
        -------
        list of str
            The names of the systems.

        Examples
        --------
        >>> from concordant import rank
        >>> ranking = rank([0, 0, 1, 1], {"a": [0, 1, 2, 3], "b": [0, 0, 1, 1], "c": [0, 0, 0, 1]}, "rand")
        >>> ranking.order("rand")
        ['b', 'a', 'c']
        """
        declared = INDICES[index]
        sign = 1 if declared.direction == "distance" else -1
        return sorted(self.systems, key=lambda name: sign * self.systems[name].value(declared))

    # -- as text --------------------------------------------------------------------------------

    def __str__(self) -> str:
        blocks = ["\n".join([index.name, *self._lines(index)]) for index in self.indices]
        return "\n\n".join([*blocks, "\n".join(self._notes())])

    def _lines(self, index: Index) -> list[str]:
        rows = self._lines_of(index)
        lines = fitted_columns(rows, left=len(rows[0]), has_head=False, width=line_width() - 2)
        return [f"  {line}".rstrip() for line in lines]

    def _lines_of(self, index: Index) -> list[tuple[str, ...]]:
        rows: list[tuple[str, ...]] = []
        for name in self.order(index.name):
            value = rounded(self.systems[name].value(index), perfect=index.perfect)
            if name == self.baseline:
                rows.append((printable(name), value, "(baseline)", "", "", ""))
                continue
            d = self.differences[name][index.name]
            interval = f"{self.level * 100:g}%: {signed(d.low)} to {signed(d.high)}"
            if not d.has_interval:
                interval = "no interval" if d.estimable else "not estimable"
            row = (printable(name), value, signed(d.difference), interval, d.p_text, d.outcome)
            rows.append((*row, *self._margin_cells(d)))
        width = max(map(len, rows))
        return [row + ("",) * (width - len(row)) for row in rows]

    def _margin_cells(self, d: Difference) -> tuple[str, ...]:
        if d.p_noninferior is None or d.p_equivalent is None:
            return ()
        p = (shown_p(each, exact=False) for each in (d.p_noninferior, d.p_equivalent))
        return tuple(map("{}: {}".format, ("noninferior", "equivalent"), p))

    def _notes(self) -> list[str]:
        one, every = self._any, [d for each in self.differences.values() for d in each.values()]
        drawn = "drawn one by one" if one.unit == "record" else "each drawn as a whole"
        p = f"p: two-sided, against {_title(self.baseline)}, {self._p_words}"
        notes = [
            f"sample: {counted(one.units, one.unit)}, {drawn}; the truth and the systems are fixed",
            p if self.correction else f"{p}, not corrected for the number of systems",
        ]
        if one.systems > 1:
            notes.append("intervals: for each system alone")
        if any(d.outcome == "unclear" and d.estimable for d in every):
            notes.append(f"unclear: the interval contains 0, or p > {1 - self.level:.3g}")
        if one.margin is not None:
            notes.append(
                f"noninferior: worse by less than {one.margin:g}; equivalent: a difference of less than "
                f"{one.margin:g}; shown if the one-sided p <= {1 - self.level:.3g}"
            )
        notes += self._warnings
        refusals = {
            f"{_title(name)}, {index}: {d.note}"
            for name, each in self.differences.items()
            for index, d in each.items()
            if not d.estimable
        }
        return [*notes, *filter(None, [self._omission]), *sorted(refusals), self.signature]

    @property
    def _omission(self) -> str:
        """How many records were left out, in words."""
        if not self.omitted:
            return ""
        lacking = [("the truth", self.omitted["truth"]), *self.omitted["systems"].items()]
        return omission_words([(_title(name), n) for name, n in lacking if n], "all")

    @property
    def _p_words(self) -> str:
        """The method of the p-values, and their correction."""
        one = self._any
        methods = sorted({d.method for each in self.differences.values() for d in each.values()})
        words = {"jackknife": "the paired jackknife", "swaps": "swaps of whole units between the systems"}
        by = f"by {' and '.join(words[method] for method in methods)}"
        if self.correction is None:
            return by
        return f"{by}; corrected for {counted(one.systems, 'system')} by {_CORRECTION_NAMES[self.correction]}"

    @property
    def _warnings(self) -> list[str]:
        """Notes of differences that concern the whole ranking."""
        every = [d.note for each in self.differences.values() for d in each.values()]
        return [warning for warning in (PIXELS, UNEVEN) if any(warning in note for note in every)]

    @property
    def sentence(self) -> str:
        """The ranking in words for a paper: sampling unit, method and correction."""
        one, level = self._any, f"{self.level * 100:g}% interval"
        parts = []
        for index in self.indices:
            own = self.systems[self.baseline].value(index)
            found = [f"{index.name} ({_title(self.baseline)} {rounded(own, perfect=index.perfect)})"]
            for name, each in self.differences.items():
                d = each[index.name]
                interval = f"{level} {signed(d.low)} to {signed(d.high)}, " if d.has_interval else ""
                why = f"{interval}{d.p_text}" if d.estimable else "not estimable from this sample"
                found.append(f"{_title(name)} {signed(d.estimate)} ({why})")
            parts.append(f"{found[0]}: {', '.join(found[1:])}")
        p = (
            f"p-values are two-sided, {self._p_words}"
            if self.correction
            else (f"p-values are two-sided, {self._p_words}, and not corrected for the number of systems")
        )
        omission = f" {self._omission}." if self.omitted else ""
        origin = "; ".join(filter(None, [*self._warnings, self.conventions, software()]))
        return (
            f"On the same {counted(one.units, one.unit)}, taken as a random sample, these systems differ "
            f"from {_title(self.baseline)} as follows. {'; '.join(parts)}. {p} ({origin}).{omission}"
        )

    @property
    def _any(self) -> Difference:
        """Any of the differences: all have the same sampling unit."""
        return next(iter(next(iter(self.differences.values())).values()))

    @property
    def signature(self) -> str:
        """One line to publish with the values: version, sizes, methods and conventions."""
        one, compared = self._any, self.systems[self.baseline]
        parts = {
            "n": compared.counts.size,
            "K": compared._clusters[0],  # noqa: SLF001  (same package)
            "baseline": _title(self.baseline),
            "unit": one.unit if one.unit == "record" else f"{counted(one.units, 'unit')}",
            "method": one.method,
            "correction": self.correction or "none",
        }
        if one.method == "swaps":
            parts["swaps"] = one.swaps
        parts |= {} if one.margin is None else {"margin": one.margin}
        seeds = {d.seed for each in self.differences.values() for d in each.values()} - {None}
        parts |= {"seed": seeds.pop()} if seeds else {}
        parts["level"] = self.level
        words = [f"concordant {version('concordant')}", *(f"{k}={v}" for k, v in parts.items())]
        return " | ".join(filter(None, [*words, self.conventions]))

    def __repr__(self) -> str:
        others = ", ".join(map(repr, self.differences))
        return f"Ranking of {others} against {self.baseline!r} by {', '.join(i.name for i in self.indices)}"

    def _own_tables(self) -> Sequence[TextRows]:
        """One for each index, whose name is in the corner."""
        tables = []
        level = f"{self.level * 100:g}%"
        for index in self.indices:
            rows = [
                (
                    *row[:3],
                    row[3].removeprefix(f"{level}: "),
                    row[4].removeprefix("p ").lstrip("= "),
                    *row[5:],
                )
                for row in self._lines_of(index)
            ]
            head = (index.name, "value", "difference", f"{level} interval", "p", "outcome")
            tables.append([(*head, "noninferior", "equivalent")[: len(rows[0])], *rows])
        return tables

    def _footnotes(self) -> Sequence[str]:
        return self._notes()

    # -- as data --------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Return every value and every field of the differences.

        Returns
        -------
        dict
            The content by name.

        Examples
        --------
        >>> import concordant as cc
        >>> r = cc.rank([0, 0, 1, 1], {"a": [0, 0, 1, 1], "b": [0, 1, 1, 1]}, "rand")
        >>> r.to_dict()["baseline"]
        'a'
        """
        return {
            "signature": self.signature,
            "sentence": self.sentence,
            "baseline": self.baseline,
            "omitted": self.omitted,
            "correction": self.correction,
            "values": {
                name: {index.name: c.value(index) for index in self.indices}
                for name, c in self.systems.items()
            },
            "differences": {
                name: {index: d.to_dict() for index, d in each.items()}
                for name, each in self.differences.items()
            },
        }

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        """One row for each index and system; the baseline has no difference."""
        rows = []
        for index in self.indices:
            for name in self.order(index.name):
                d = self.differences[name][index.name] if name != self.baseline else None
                fields = ("difference", "low", "high", "p", "p_uncorrected", "outcome")
                rows.append(
                    {"index": index.name, "system": name, "value": self.systems[name].value(index)}
                    | {field: None if d is None else getattr(d, field) for field in fields}
                )
        return rows[:limit]
