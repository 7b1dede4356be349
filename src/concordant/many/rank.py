"""rank() and Ranking: several systems against one truth, each tested against a baseline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib.metadata import version
from typing import Any

from concordant import engines
from concordant.catalogue.index import DEFAULTS_FOR_SYSTEMS, INDICES, Index
from concordant.comparisons import Comparison, compare
from concordant.counts.conventions import TABLE_LIMIT, Conventions, NoiseAs, NoiseOfAll, Nulls, Unmatched
from concordant.counts.profile import Profile
from concordant.counts.spelling import counted, printable
from concordant.counts.three_way import ThreeWayCounts
from concordant.errors import InputError, ParameterError, UnmatchedError, did_you_mean, kind_of, noted
from concordant.many.columns import in_common
from concordant.partitions.alignment import refuse_unmatched
from concordant.partitions.input_types import partition_of
from concordant.partitions.missing import conventions_in_words
from concordant.partitions.partition import LabelPartition, SourcePartition
from concordant.report.pages.contrast import omission_words
from concordant.results import Result, html_table, rounded
from concordant.trust.finding import shown_p
from concordant.trust.paired import PairedCounts, column_of_units
from concordant.trust.versus import Difference, VersusMethod, signed, versus

Omitted = dict[str, Any]  # the number of records of the truth, and of each of the systems; empty for none
_COLUMNS = ("system", "value", "difference", "interval", "p", "outcome")


def rank(
    truth: Any,
    systems: Mapping[str, Any],
    indices: str | Sequence[str] = DEFAULTS_FOR_SYSTEMS,
    *,
    baseline: str | None = None,
    unit: Any = "record",
    level: float = 0.95,
    method: VersusMethod = "jackknife",
    swaps: int = 9999,
    seed: int = 0,
    unmatched: Unmatched = "error",
    nulls: Nulls | None = None,
    noise: Any = None,
    noise_as: NoiseAs | None = None,
    table_limit: int = TABLE_LIMIT,
) -> Ranking:
    """Compare several systems with one truth, and each with a baseline, record by record.

    systems   by name; each is anything that ``compare`` takes. Where the truth and all systems are
              dataframes or files, three at a time are joined by their records where they lie
    baseline  the name of the system that the others are tested against; the first, if none is named
    unit, level, method, swaps, seed
              as ``Comparison.versus`` takes them: what was drawn, and where p-values come from. Of dataframes
              and files, ``unit`` is the name of a column of the truth
    unmatched, nulls, noise, noise_as
              as ``compare`` takes them. A record that is dropped from one side is dropped from all, and
              reported: all systems are compared on the same records
    table_limit
              how many three-way overlaps may be brought out of the engine of dataframes and files

    >>> truth = list("aaaabbbbcccc")
    >>> systems = {"old": list("abababccccca"), "new": list("aaabbbbccccc")}
    >>> print(rank(truth, systems, "f_measure"))  # doctest: +ELLIPSIS
    f_measure
      new  0.6486  +0.3243     95%: -0.1367 to +0.7854  p = 0.168  unclear
      old  0.3243  (baseline)
    <BLANKLINE>
    random: which records were drawn, 12 of them one by one; kept: the truth and what each system does
    p: of no difference to old, by the paired jackknife, two-sided, each system by itself
    unclear: the interval contains 0, or p > 0.05
    concordant ... | n=12 | K=3 | baseline=old | unit=record | method=jackknife | level=0.95
    """
    if not isinstance(systems, Mapping):
        raise ParameterError(
            f"rank takes a mapping from name to system, as in rank(truth, {{'old': a, 'new': b}}), not "
            f"{kind_of(systems)}"
        )
    if len(systems) < 2:
        raise ParameterError(f"rank compares two systems or more, and was given {len(systems)}")
    if any(not isinstance(name, str) for name in systems):
        raise ParameterError("systems are named by text")
    if baseline is not None and baseline not in systems:
        near = did_you_mean(str(baseline), systems)
        raise ParameterError(f"there is no system of that name{near}", given={"baseline": baseline})
    declared = [INDICES[name] for name in ([indices] if isinstance(indices, str) else indices)]
    if not declared:
        raise ParameterError("name at least one index")
    first = next(iter(systems)) if baseline is None else baseline
    conventions = Conventions(
        unmatched=unmatched, nulls=nulls, noise=noise, noise_as=noise_as, table_limit=table_limit
    )
    how: dict[str, Any] = {"unit": unit, "level": level, "method": method, "swaps": swaps, "seed": seed}
    if any(isinstance(each, SourcePartition) for each in (truth, *systems.values())):
        compared, differences, omitted = _count_sources(
            truth, systems, first, declared, conventions=conventions, how=how
        )
    else:
        with NoiseOfAll():
            compared, omitted = _compare_in_memory(truth, systems, conventions)
        differences = {
            name: {index.name: each.versus(compared[first], index.name, **how) for index in declared}
            for name, each in compared.items()
            if name != first
        }
    sources = [
        each for each in (truth, *systems.values()) if isinstance(each, LabelPartition | SourcePartition)
    ]
    agreed = conventions_in_words(conventions, sources)
    return Ranking(tuple(declared), compared, first, differences, level, method, agreed, omitted)


def _compare_in_memory(
    truth: Any, systems: Mapping[str, Any], conventions: Conventions
) -> tuple[dict[str, Comparison], Omitted]:
    """Each system with the truth, and the number of records that were dropped from each partition.

    All lose the records that one of them drops or lacks.
    """
    options: dict[str, Any] = {"table_limit": conventions.table_limit, "unmatched": conventions.unmatched}
    omitted: Omitted = {}
    given = {"truth": truth} | {f"system {name}": each for name, each in systems.items()}
    drops = "drop" in (conventions.unmatched, conventions.nulls, conventions.noise_as)
    drops |= any(isinstance(each, LabelPartition) and each.dropped is not None for each in given.values())
    read = {name: partition_of(each, conventions, name) for name, each in given.items()} if drops else {}
    labels = {name: each for name, each in read.items() if isinstance(each, LabelPartition)}
    if drops and len(labels) == len(read):
        refuse_unmatched(conventions.unmatched, *labels.values())
        (truth, *kept), _ = in_common(labels, conventions, "rank")
        omitted = _omitted(systems, map(len, labels.values()), len(truth))
        systems = dict(zip(systems, kept, strict=True))
    else:
        options |= {name: getattr(conventions, name) for name in ("nulls", "noise", "noise_as")}
    compared = {}
    for name, system in systems.items():
        with noted(f"the system {name!r}"):
            compared[name] = compare(truth, system, **options)
    return compared, omitted


def _omitted(systems: Iterable[str], sizes: Iterable[int], common: int) -> Omitted:
    """The number of records of the truth, and of each system, that not all have in a cluster."""
    of_truth, *others = (size - common for size in sizes)
    lacking = {name: number for name, number in zip(systems, others, strict=True) if number}
    return {"truth": of_truth, "systems": lacking} if of_truth or lacking else {}


def _count_sources(
    truth: Any,
    systems: Mapping[str, Any],
    first: str,
    declared: Sequence[Index],
    *,
    conventions: Conventions,
    how: Mapping[str, Any],
) -> tuple[dict[str, Comparison], dict[str, dict[str, Difference]], Omitted]:
    """Each system with the baseline and the truth, counted by the engine of the dataframes or files."""
    truth = partition_of(truth, conventions, "the truth")
    read = {name: partition_of(each, conventions, f"the system {name}") for name, each in systems.items()}
    if not all(isinstance(each, SourcePartition) for each in (truth, *read.values())):
        raise InputError(
            "the truth and some systems are dataframes or files, and others are in memory; pass all by "
            "Partition.from_frame or Partition.scan, or all as labels"
        )
    unit = column_of_units(how["unit"])
    compared: dict[str, Comparison] = {}
    differences: dict[str, dict[str, Difference]] = {}
    sizes: dict[str, int] = {}
    known = None
    for name in [each for each in read if each != first]:
        with noted(f"the system {name!r}, and the baseline {first!r} as the second candidate"):
            found = engines.count_three(truth, read[name], read[first], conventions, unit)
        tables = found.cells.first_table, found.cells.second_table
        own, baseline = (Comparison(Profile.of_table(table)) for table in tables)
        overlaps = _overlaps_with_baseline(found)
        if known is not None and overlaps != known:
            raise UnmatchedError(
                "all systems are compared on the same records, and the records that the truth and "
                f"{first!r} have in common with {name!r} are not those of the systems before it"
            )
        known = overlaps
        compared |= {name: own, first: baseline}
        of_truth, sizes[name], sizes[first] = found.sizes
        paired = PairedCounts(found.cells, pieces=found.pieces)
        differences[name] = {index.name: versus(paired, index, **how) for index in declared}
    size = compared[first].counts.size
    omitted = _omitted(systems, [of_truth, *(sizes[name] for name in systems)], size)
    return {name: compared[name] for name in systems}, differences, omitted


def _overlaps_with_baseline(found: ThreeWayCounts) -> dict[tuple[Any, Any], int]:
    """The size of each overlap of the truth and the baseline by labels, the same for the same records."""
    table, (of_truth, _, own) = found.cells.second_table, found.labels
    cells = zip(table.row.tolist(), table.column.tolist(), table.n.tolist(), strict=True)
    return {(of_truth[row], own[column]): n for row, column, n in cells}


@dataclass(frozen=True, eq=False, repr=False)
class Ranking(Result):
    """The systems by value, best first, and how each differs from the baseline."""

    indices: tuple[Index, ...]
    systems: Mapping[str, Comparison]
    baseline: str
    differences: Mapping[str, Mapping[str, Difference]]  # by system, then by index
    level: float
    method: VersusMethod
    conventions: str = ""  # those that are not the usual ones
    omitted: Omitted = field(default_factory=dict)  # records that were not compared, as not all have them

    def __getitem__(self, pair: tuple[str, str]) -> Difference:
        """The difference of a system to the baseline: ``ranking["new", "f_measure"]``."""
        system, index = pair
        if system not in self.differences:
            raise ParameterError(f"there is no difference of {system!r} to the baseline {self.baseline!r}")
        return self.differences[system][INDICES[index].name]

    def order(self, index: str) -> list[str]:
        """The systems, best first.

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
        widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
        return ["  " + "  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]

    def _lines_of(self, index: Index) -> list[tuple[str, ...]]:
        rows: list[tuple[str, ...]] = []
        for name in self.order(index.name):
            value = rounded(self.systems[name].value(index), perfect=index.perfect)
            if name == self.baseline:
                rows.append((printable(name), value, "(baseline)", "", "", ""))
                continue
            d = self.differences[name][index.name]
            interval = f"{self.level * 100:g}%: {signed(d.low)} to {signed(d.high)}"
            rows.append((printable(name), value, signed(d.difference), interval, shown_p(d.p), d.outcome))
        return rows

    def _notes(self) -> list[str]:
        one = self._any
        drawn = f"{one.units:,} of them" + (" one by one" if one.unit == "record" else ", each as a whole")
        how = (
            "by the paired jackknife"
            if self.method == "jackknife"
            else f"by {one.swaps:,} swaps of whole units between the systems"
        )
        against = printable(self.baseline)
        notes = [
            f"random: which {one.unit}s were drawn, {drawn}; kept: the truth and what each system does",
            f"p: of no difference to {against}, {how}, two-sided, each system by itself",
        ]
        if any(d.outcome == "unclear" for each in self.differences.values() for d in each.values()):
            notes.append(f"unclear: the interval contains 0, or p > {1 - self.level:g}")
        if self.omitted:
            lacking = [("the truth", self.omitted["truth"]), *self.omitted["systems"].items()]
            notes.append(omission_words([(printable(name), n) for name, n in lacking if n], "all"))
        return [*notes, self.signature]

    @property
    def _any(self) -> Difference:
        """One of the differences: what was drawn is the same for all."""
        return next(iter(next(iter(self.differences.values())).values()))

    @property
    def signature(self) -> str:
        """What must be said for two rankings to be comparable, on one line."""
        one, profile = self._any, self.systems[self.baseline].counts
        parts = {
            "n": profile.size,
            "K": profile.rows,
            "baseline": printable(self.baseline),
            "unit": one.unit if one.unit == "record" else f"{counted(one.units, 'unit')}",
            "method": self.method,
        }
        if self.method == "swaps":
            parts["swaps"] = one.swaps
        seeds = {d.seed for each in self.differences.values() for d in each.values()} - {None}
        parts |= {"seed": seeds.pop()} if seeds else {}
        parts["level"] = self.level
        words = [f"concordant {version('concordant')}", *(f"{k}={v}" for k, v in parts.items())]
        return " | ".join(filter(None, [*words, self.conventions]))

    def __repr__(self) -> str:
        others = ", ".join(map(repr, self.differences))
        return f"Ranking of {others} against {self.baseline!r} by {', '.join(i.name for i in self.indices)}"

    def _repr_html_(self) -> str:
        blocks = (
            f"<p><b>{escape(each.name)}</b></p>{html_table([_COLUMNS, *self._lines_of(each)])}"
            for each in self.indices
        )
        return f"{''.join(blocks)}<p>{'<br>'.join(map(escape, self._notes()))}</p>"

    # -- as data --------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Every value and every field of the differences, ready for JSON."""
        return {
            "signature": self.signature,
            "baseline": self.baseline,
            "omitted": self.omitted,
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
                values = (None,) * 4 if d is None else (d.difference, d.low, d.high, d.p)
                rows.append(
                    {"index": index.name, "system": name, "value": self.systems[name].value(index)}
                    | dict(zip(("difference", "low", "high", "p"), values, strict=True))
                )
        return rows[:limit]
