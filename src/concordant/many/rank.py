"""rank(): several systems against one truth, each tested against a baseline."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from concordant import engines
from concordant.catalogue.index import DEFAULTS_FOR_SYSTEMS, INDICES, Index
from concordant.comparisons import Comparison
from concordant.comparisons.entry import compare_sides
from concordant.counts.arithmetic import Floats
from concordant.counts.conventions import (
    TABLE_LIMIT,
    Conventions,
    NoiseAs,
    NoiseOfAll,
    Nulls,
    Unmatched,
    check_choice,
)
from concordant.counts.profile import Profile
from concordant.counts.three_way import ThreeWayCounts
from concordant.engines.execution import report
from concordant.errors import InputError, ParameterError, Remedy, UnmatchedError, did_you_mean, kind_of, noted
from concordant.many.columns import in_common
from concordant.many.ranking import Omitted, Ranking
from concordant.partitions.alignment import refuse_unmatched
from concordant.partitions.clustering import clustering_kind
from concordant.partitions.inputs import partition_of
from concordant.partitions.missing import conventions_in_words
from concordant.partitions.partition import LabelPartition, SourcePartition
from concordant.trust.corrections import CORRECTIONS, correct
from concordant.trust.difference import Correction, Difference
from concordant.trust.options import SampleOptions, VersusMethod
from concordant.trust.paired import PairedCounts, column_of_units
from concordant.trust.swaps import max_t
from concordant.trust.versus import pseudo_values, versus


def rank(
    truth: Any,
    systems: Mapping[str, Any],
    indices: str | Sequence[str] = DEFAULTS_FOR_SYSTEMS,
    *,
    baseline: str | None = None,
    unit: Any = "record",
    level: float = 0.95,
    margin: float | None = None,
    correction: Correction | None = "holm",
    method: VersusMethod | None = None,
    swaps: int = 9999,
    seed: int = 0,
    unmatched: Unmatched = "error",
    nulls: Nulls | None = None,
    noise: Any = None,
    noise_as: NoiseAs | None = None,
    table_limit: int = TABLE_LIMIT,
) -> Ranking:
    """Compare several systems with one truth, and test each against a baseline.

    Parameters
    ----------
    truth : any input of compare
        The truth.
    systems : mapping
        The candidates by name. Each is any input of `compare`. If the truth and all systems are dataframes or
        files, their own engine joins them.
    indices : str or sequence of str, default=("f_measure", "bcubed_f", "adjusted_rand")
        Names of the indices.
    baseline : str, optional
        Name of the system that the others are tested against. By default, the first.
    unit : str, mapping or sequence, default="record"
        The sampling unit, as in `Comparison.versus`. For dataframes and files, a column of the truth.
    level : float, default=0.95
        Confidence level.
    margin : float, optional
        Also test for noninferiority and equivalence with this margin, as in `Comparison.versus`.
    correction : {"holm", "max_t"} or None, default="holm"
        Correction of the p-values of an index for the number of systems. "max_t" needs units and uses the
        correlation of the systems. None does not correct.
    method : {"jackknife", "swaps"}, optional
        Method of the p-values, as in `Comparison.versus`.
    swaps : int, default=9999
        Number of swaps to draw.
    seed : int, default=0
        Seed of the swaps.
    unmatched : {"error", "drop", "singletons", "keep"}, default="error"
        Records that some sides lack, as in `compare`. A record that is dropped from one side is dropped from
        all.
    nulls, noise, noise_as : str or label, optional
        Null labels and noise, as in `compare`.
    table_limit : int, default=10_000_000
        Maximum number of three-way overlaps for sources that are not in memory.

    Returns
    -------
    Ranking
        The systems by value with their differences from the baseline.

    Raises
    ------
    ParameterError
        If the baseline is not one of the systems.

    Examples
    --------
    >>> truth = list("aaaabbbbcccc")
    >>> systems = {"old": list("abababccccca"), "new": list("aaabbbbccccc")}
    >>> print(rank(truth, systems, "f_measure"))  # doctest: +ELLIPSIS
    f_measure
      new  0.6486  +0.3243     95%: -0.3209 to +0.9696  p = 0.292  unclear
      old  0.3243  (baseline)
    <BLANKLINE>
    sample: 12 records, drawn one by one; the truth and the systems are fixed
    p: two-sided, against old, by the paired jackknife; corrected for 1 system by Holm's method
    unclear: the interval contains 0, or p > 0.05
    concordant ... | n=12 | K=3 | baseline=old | unit=record | method=jackknife | correction=holm | level=0.95
    """
    _check_systems(systems, baseline)
    declared = [INDICES[name] for name in ([indices] if isinstance(indices, str) else indices)]
    if not declared:
        raise ParameterError("name at least one index")
    first = next(iter(systems)) if baseline is None else baseline
    conventions = Conventions(
        unmatched=unmatched, nulls=nulls, noise=noise, noise_as=noise_as, table_limit=table_limit
    )
    _check_correction(correction, unit)
    for each in (truth, *systems.values()):
        if clustering_kind(each) == "soft":
            _ = each.membership  # raises: a ranking needs labels
    sample = SampleOptions(unit, level, margin, method, swaps, seed)
    compared: dict[str, Comparison] = {}
    if any(isinstance(each, SourcePartition) for each in (truth, *systems.values())):
        sizes: dict[str | None, int] = {}
        pairs = _pairs_of_sources(
            truth, systems, first, compared, conventions=conventions, sizes=sizes, unit=unit
        )
        differences = _tested(pairs, len(systems) - 1, declared, sample, correction)
        counts = [sizes[None], *(sizes[name] for name in systems)]
        omitted = _omitted(systems, counts, compared[first].counts.size)
    else:
        with NoiseOfAll():
            compared, omitted = _compare_in_memory(truth, systems, conventions)
        paired = _pairs_in_memory(compared, first, unit)
        differences = _tested(paired, len(systems) - 1, declared, sample, correction)
    sources = [
        each for each in (truth, *systems.values()) if isinstance(each, LabelPartition | SourcePartition)
    ]
    return Ranking(
        indices=tuple(declared),
        systems={name: compared[name] for name in systems},
        baseline=first,
        differences=differences,
        level=level,
        correction=correction,
        conventions=conventions_in_words(conventions, sources),
        omitted=omitted,
    )


def _check_systems(systems: Any, baseline: str | None) -> None:
    if not isinstance(systems, Mapping):
        raise ParameterError(
            f"rank takes a mapping from name to system, as in rank(truth, {{'old': a, 'new': b}}), not "
            f"{kind_of(systems)}"
        )
    if len(systems) < 2:
        raise ParameterError(f"rank compares two systems or more, not {len(systems)}")
    if any(not isinstance(name, str) for name in systems):
        raise ParameterError("the name of each system must be a string")
    if baseline is not None and baseline not in systems:
        near = did_you_mean(str(baseline), systems) or f"; use one of {', '.join(map(repr, systems))}"
        raise ParameterError(f"there is no system of that name{near}", given={"baseline": baseline})


def _compare_in_memory(
    truth: Any, systems: Mapping[str, Any], conventions: Conventions
) -> tuple[dict[str, Comparison], Omitted]:
    """Each system with the truth, and the number of records that were dropped from each partition.

    Records that any of them drops or lacks are removed from all.
    """
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
        conventions = replace(conventions, nulls=None, noise=None, noise_as=None)
    compared = {}
    for name, system in systems.items():
        # A difference needs records that all systems have, so "keep" is not offered as a remedy.
        with noted(f"the system {name!r}"):
            try:
                compared[name] = compare_sides(truth, system, conventions)
            except UnmatchedError as error:
                error.withdraw(unmatched="keep")
                raise
    return compared, omitted


def _omitted(systems: Iterable[str], sizes: Iterable[int], common: int) -> Omitted:
    """The number of records of the truth, and of each system, that not all of them put in a cluster."""
    of_truth, *others = (size - common for size in sizes)
    lacking = {name: number for name, number in zip(systems, others, strict=True) if number}
    return {"truth": of_truth, "systems": lacking} if of_truth or lacking else {}


def _check_correction(correction: Any, unit: Any) -> None:
    if correction is not None:
        check_choice("correction", correction, CORRECTIONS)
    if correction == "max_t" and isinstance(unit, str) and unit == "record":
        raise ParameterError(
            "max-T changes the sign of whole units, such as documents",
            given={"correction": correction},
            remedies=[
                Remedy("name the unit of each record", unit=...),
                Remedy("correct by Holm's method", correction="holm"),
            ],
        )


def _tested(
    pairs: Iterable[tuple[str, PairedCounts]],
    others: int,
    declared: Sequence[Index],
    sample: SampleOptions,
    correction: Correction | None,
) -> dict[str, dict[str, Difference]]:
    """The difference of each of the ``others`` to the baseline by each index, with corrected p-values."""
    differences: dict[str, dict[str, Difference]] = {}
    pseudo: dict[str, list[Floats]] = {index.name: [] for index in declared}
    for name, paired in pairs:
        differences[name] = {index.name: versus(paired, index, sample) for index in declared}
        report(100 * len(differences) / others)
        if correction == "max_t":
            for index in declared:
                pseudo[index.name].append(pseudo_values(paired, index, sample.unit))
    if correction is None:
        return differences
    for index in declared:
        by_system = {name: each[index.name] for name, each in differences.items()}
        familywise = None
        if correction == "max_t":
            familywise = max_t(np.array(pseudo[index.name]), sample.swaps, sample.seed)
        for name, each in correct(by_system, correction, familywise).items():
            differences[name][index.name] = each
    return differences


def _pairs_in_memory(
    compared: Mapping[str, Comparison], first: str, unit: Any
) -> Iterator[tuple[str, PairedCounts]]:
    """Each system with the baseline, on the same records."""
    for name, each in compared.items():
        if name != first:
            yield name, PairedCounts.of(each._counted, compared[first]._counted, unit)  # noqa: SLF001  (same package)


def _pairs_of_sources(
    truth: Any,
    systems: Mapping[str, Any],
    first: str,
    compared: dict[str, Comparison],
    *,
    conventions: Conventions,
    sizes: dict[str | None, int],
    unit: Any,
) -> Iterator[tuple[str, PairedCounts]]:
    """Each system with the baseline, counted by the engine of the dataframes or files.

    The comparisons are added to ``compared``, and the numbers of records to ``sizes``; None is the truth.
    """
    truth = partition_of(truth, conventions, "the truth")
    read = {name: partition_of(each, conventions, f"the system {name}") for name, each in systems.items()}
    if not all(isinstance(each, SourcePartition) for each in (truth, *read.values())):
        raise InputError(
            "the truth and some systems are dataframes or files, and others are in memory; pass all by "
            "Partition.from_frame or Partition.scan, or all as labels"
        )
    known = None
    column = column_of_units(unit)
    for name in [each for each in read if each != first]:
        with noted(f"the system {name!r}, and the baseline {first!r} as the second candidate"):
            found = engines.count_three(truth, read[name], read[first], conventions, column)
        tables = found.cells.first_table, found.cells.second_table
        own, baseline = (Comparison(Profile.of_table(table)) for table in tables)
        overlaps = _overlaps_with_baseline(found)
        if known is not None and overlaps != known:
            raise UnmatchedError(
                f"all systems must be compared on the same records, but {name!r} does not have the same "
                "records as the systems before it; leave out records that some systems lack"
            )
        known = overlaps
        compared |= {name: own, first: baseline}
        sizes[None], sizes[name], sizes[first] = found.sizes
        yield name, PairedCounts(found.cells, pieces=found.pieces)


def _overlaps_with_baseline(found: ThreeWayCounts) -> dict[tuple[Any, Any], int]:
    """The size of each overlap of the truth and the baseline by labels, the same for the same records."""
    table, (of_truth, _, own) = found.cells.second_table, found.labels
    cells = zip(table.row.tolist(), table.column.tolist(), table.n.tolist(), strict=True)
    return {(of_truth[row], own[column]): n for row, column, n in cells}
