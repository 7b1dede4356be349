"""Estimates for a whole population, of which some true clusters were labelled and the candidate is complete.

Numerator and denominator are estimated from the same labelled clusters, since they err together: to put in
what is known of the whole candidate would make the estimate far worse.
"""

from __future__ import annotations

import html
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from concordant import engines
from concordant.catalogue.index import DEFAULT_FOR_SAMPLES, INDICES
from concordant.counts.arithmetic import Floats
from concordant.counts.conventions import Conventions
from concordant.counts.sampled import SampledCells
from concordant.counts.spelling import counted, percent
from concordant.errors import CoverError, ParameterError, UndefinedError, UnmatchedError, kind_of
from concordant.partitions.cover import Cover
from concordant.partitions.input_types import partition_of
from concordant.partitions.missing import conventions_in_words
from concordant.results import Result, html_table, rounded, text_columns
from concordant.trust.design import Design, Sampling, design
from concordant.trust.difference import Difference, PairedSpread, difference_of
from concordant.trust.finding import Finding, shown, software
from concordant.trust.measures import ADJUSTED_RAND, NAMES, Contributions, Measure, measure
from concordant.trust.options import check_level, check_share
from concordant.trust.swaps import least_p
from concordant.trust.tails import logit_ends, normal_quantile, student_quantile

# One cluster with more than this of a denominator makes its estimate and its interval doubtful.
_LARGE_SHARE = 0.2
HALF_WIDTH = "a half-width between 0 and 1, such as 0.02"


@dataclass(frozen=True, slots=True, repr=False)
class Estimated(Finding):
    """A measure of the whole population, as a sample of its true clusters tells it."""

    index: str
    value: float  # the ratio less its bias
    se: float
    low: float
    high: float
    ratio: float  # of the weighted sums, as they are
    level: float
    clusters: int  # how many were labelled
    draws: int  # how many were drawn; more than clusters where some were met again
    largest_share: float  # of the denominator, that one cluster has
    drawn: str  # in words
    note: str
    conventions: str = ""

    @property
    def sentence(self) -> str:
        """The estimate for all records, and how the labelled clusters were drawn."""
        return (
            f"From {counted(self.clusters, 'labelled cluster')} ({self.drawn}), {self.index} of all records "
            f"is estimated at {shown(self.value)} ({self.level * 100:g}% interval {shown(self.low)} to "
            f"{shown(self.high)}; {software()})."
        )

    def _summary(self) -> str:
        note = f"; {self.note}" if self.note else ""
        return (
            f"{self.index} {shown(self.value)} for the whole population, {self.level * 100:g}% interval "
            f"{shown(self.low)} to {shown(self.high)} (se {shown(self.se)}; "
            f"{counted(self.clusters, 'labelled cluster')}, {self.drawn}{note})"
        )


class Estimates(Result, Mapping[str, Estimated]):
    """What a sample of true clusters tells of the whole population: each measure by name.

    >>> guess = {1: 1, 2: 1, 3: 2, 4: 3, 5: 2, 6: 4, 7: 4, 8: 4}
    >>> e = estimate({1: "x", 2: "x", 3: "x", 4: "y", 5: "y", 8: "z"}, guess, sampling="clusters")
    >>> e.f_measure.value, round(e["f_measure(beta=2)"].se, 6)
    (0.3556851311953353, 0.121734)
    """

    def __init__(self, cells: SampledCells, drawn: Design, level: float, conventions: str = "") -> None:
        self._sample, self._design, self._level, self._conventions = cells, drawn, level, conventions
        self._contributions = Contributions.of(cells)

    # -- one measure ----------------------------------------------------------------------------

    def __getitem__(self, spelling: str) -> Estimated:
        return self._estimated(measure(spelling))

    def __getattr__(self, name: str) -> Estimated:
        if name.startswith("_"):
            raise AttributeError(name)
        return self[name]

    def __iter__(self) -> Iterator[str]:
        return iter(NAMES)

    def __len__(self) -> int:
        return len(NAMES)

    def __dir__(self) -> list[str]:
        return sorted([*super().__dir__(), *NAMES])

    def _linear(self, wanted: Measure) -> tuple[float, float, Floats, Floats]:
        """The ratio, the ratio less its bias, and how much each labelled cluster moves them.

        The last two are the moves e_i, whose spread is that of the estimate, and the shares y_i/ȳ.
        """
        if wanted.kind == ADJUSTED_RAND:
            return self._adjusted_rand()
        d = self._design
        x, y = (d.weights * side for side in wanted.sides(self._contributions))
        mean_y = d.mean(y)
        if not mean_y:
            raise UndefinedError(f"{wanted.name}: no labelled cluster has a pair to judge by")
        ratio = d.mean(x) / mean_y
        moves, shares = (x - ratio * y) / mean_y, y / mean_y
        # A ratio of two means is biased by how they vary together.
        return ratio, ratio + d.covariance(shares, moves), moves, shares

    def _adjusted_rand(self) -> tuple[float, float, Floats, Floats]:
        """From the three totals, each as the labelled records have it for each record."""
        c, d = self._contributions, self._design
        wa = d.weights * c.a
        mean_a, every = d.mean(wa), c.size * (c.size - 1) / 2
        weighted = [d.weights * terms for terms in (c.tp, c.u, c.v)]
        n11, in_u, in_v = (c.size * d.mean(terms) / mean_a for terms in weighted)
        chance = in_u * in_v / every if every else 0.0
        top, below = n11 - chance, (in_u + in_v) / 2 - chance
        if not below:
            raise UndefinedError("adjusted_rand: no labelled cluster has a pair to judge by")
        value = top / below
        slopes = (
            1 / below,
            (-in_v / every - value * (0.5 - in_v / every)) / below,
            (-in_u / every - value * (0.5 - in_u / every)) / below,
        )
        totals = (n11, in_u, in_v)
        moves = np.zeros(len(wa))
        for slope, terms, total in zip(slopes, weighted, totals, strict=True):
            moves += slope * (c.size * terms - total * wa) / mean_a
        shares = weighted[1] + weighted[2]
        return value, value, moves, shares / max(d.mean(shares), 1e-300)

    def _estimated(self, wanted: Measure) -> Estimated:
        d = self._design
        ratio, value, moves, shares = self._linear(wanted)
        se = math.sqrt(max(d.covariance(moves, moves), 0.0))
        largest = float((shares * d.times).max() / d.draws)
        low, high, note = self._ends(wanted, ratio, value, se)
        if largest > _LARGE_SHARE and d.open.any():
            note = f"{note}; {_heavy(percent(largest, 1))}" if note else _heavy(percent(largest, 1))
        return Estimated(
            index=wanted.name,
            value=value,
            se=se,
            low=low,
            high=high,
            ratio=ratio,
            level=self._level,
            clusters=len(self._sample.clusters),
            draws=d.reported_draws,
            largest_share=largest,
            drawn=d.description,
            note=note,
            conventions=self._conventions,
        )

    def _ends(self, wanted: Measure, ratio: float, value: float, se: float) -> tuple[float, float, str]:
        d = self._design
        if not d.open.any():
            return value, value, ""
        half = student_quantile(self._level, d.draws - 1) * se
        if wanted.kind == ADJUSTED_RAND:
            return max(ratio - half, -0.5), min(ratio + half, 1.0), ""
        if se == 0:  # as m draws that all agree bound the share of those that do not
            end = (1 - self._level) ** (1 / d.draws)
            if ratio in (0, 1):
                ends = (end, 1.0) if ratio == 1 else (0.0, 1 - end)
                return *ends, f"no {'dis' if ratio == 1 else ''}agreement seen in the sample"
            return value, value, "all labelled clusters tell the same"
        if 0 < ratio < 1:
            return *logit_ends(ratio, half / (ratio * (1 - ratio))), ""
        return max(ratio - half, 0.0), ratio + half, ""  # a cluster precision may come out above 1

    # -- how many, and which is better -----------------------------------------------------------

    def needed(self, index: str = DEFAULT_FOR_SAMPLES, *, within: float, level: float | None = None) -> int:
        """How many draws would give an interval of that half-width, if they vary as these do.

        >>> guess = {1: 1, 2: 1, 3: 2, 4: 3, 5: 2, 6: 4, 7: 4, 8: 4}
        >>> e = estimate({1: "x", 2: "x", 3: "x", 4: "y", 5: "y", 8: "z"}, guess, sampling="clusters")
        >>> e.needed(within=0.1)
        19
        """
        check_share("within", within, HALF_WIDTH)
        wanted = self._level if level is None else level
        check_level(wanted)
        _, _, moves, _ = self._linear(measure(index))
        spread = self._design.mean(moves**2)
        return draws_needed(spread, within, wanted, self._design.population)

    def versus(
        self, other: Estimates, index: str, *, level: float | None = None, margin: float | None = None
    ) -> Difference:
        """Which of two candidates is better, as the same labelled clusters tell it.

        >>> sample = {1: "x", 2: "x", 3: "x", 4: "y", 5: "y", 8: "z"}
        >>> one = estimate(sample, {1: 1, 2: 1, 3: 2, 4: 3, 5: 2, 6: 4, 7: 4, 8: 4}, sampling="clusters")
        >>> two = estimate(sample, {1: 1, 2: 1, 3: 1, 4: 3, 5: 2, 6: 4, 7: 4, 8: 4}, sampling="clusters")
        >>> round(two.versus(one, "recall").difference, 4)
        0.5938
        """
        if not isinstance(other, Estimates):
            raise ParameterError(f"two Estimates of one sample are compared, not {kind_of(other)}")
        d, wanted = self._design, measure(index)
        same = self._sample.clusters == other._sample.clusters and (
            (d.weights == other._design.weights).all() and (d.times == other._design.times).all()
        )
        if not same or (self._sample.sizes != other._sample.sizes).any():
            raise UnmatchedError(
                "the two were estimated from different samples or designs; a difference needs the same "
                "labelled clusters, drawn once, for both"
            )
        _, value, moves, _ = self._linear(wanted)
        _, other_value, other_moves, _ = other._linear(wanted)
        apart = moves - other_moves
        se = math.sqrt(max(d.covariance(apart, apart), 0.0))
        check_level(self._level if level is None else level)
        spread = PairedSpread(value - other_value, se, worst=0.0, loss=1.0, degrees=d.draws - 1)
        return difference_of(
            INDICES[wanted.name],
            (value, other_value),
            spread if d.open.any() else None,
            span=1.5 if wanted.kind == ADJUSTED_RAND else 1.0,
            least_p=least_p(int((apart != 0).sum())),
            level=self._level if level is None else level,
            margin=margin,
            unit="labelled cluster",
            units=len(self._sample.clusters),
            effective_units=float(d.draws),
            largest_share=math.nan,
            method="linearization",
            conventions=self._conventions,
        )

    # -- as data --------------------------------------------------------------------------------

    def contributions(self) -> list[dict[str, Any]]:
        """What each labelled cluster adds: one row each, for a dataframe.

        tp, u and v are its pairs together in both, in truth and in the candidate (a wrong pair counts half
        at each end); ``kept`` says whether the candidate has exactly this cluster.

        >>> e = estimate({1: "x", 2: "x", 3: "y"}, {1: 1, 2: 1, 3: 2, 4: 2}, sampling="clusters")
        >>> [(row["cluster"], row["records"], row["kept"]) for row in e.contributions()]
        [('x', 2, True), ('y', 1, False)]
        """
        c, d = self._contributions, self._design
        return [
            {
                "cluster": name,
                "records": int(c.a[i]),
                "pieces": int(c.pieces[i]),
                "kept": bool(c.kept[i]),
                "tp": float(c.tp[i]),
                "u": float(c.u[i]),
                "v": float(c.v[i]),
                "bcubed_precision": float(c.p[i] / c.a[i]),
                "bcubed_recall": float(c.r[i] / c.a[i]),
                "weight": float(d.weights[i]),
                "times": int(d.times[i]),
            }
            for i, name in enumerate(self._sample.clusters)
        ]

    def _found(self) -> dict[str, Estimated]:
        """All that are defined here."""
        found = {}
        for name in NAMES:
            try:
                found[name] = self[name]
            except UndefinedError:  # no pair among the labelled clusters
                continue
        return found

    def to_dict(self) -> dict[str, Any]:
        """Every field of every measure, ready for JSON."""
        return {
            "records": self._sample.size,
            "labelled_records": self._sample.labelled,
            "labelled_clusters": len(self._sample.clusters),
            "candidate_clusters": self._sample.columns,
            "drawn": self._design.description,
            "draws": self._design.reported_draws,
            "population": self._design.population,
            "level": self._level,
            "estimates": {name: each.to_dict() for name, each in self._found().items()},
        }

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        return [each.to_dict() for each in self._found().values()][:limit]

    def __repr__(self) -> str:
        cells = self._sample
        labelled = counted(len(cells.clusters), "labelled cluster")
        return (
            f"Estimates for {counted(cells.size, 'record')} from {labelled} "
            f"of {counted(cells.labelled, 'record')}; {self._design.description}"
            + (f" [{self._conventions}]" if self._conventions else "")
        )

    def __str__(self) -> str:
        rows = self._text_rows()
        heavy = ["", f"! {_heavy(f'more than {percent(_LARGE_SHARE, 1)}')}"] if "!" in str(rows) else []
        lines = [f"  {line}" for line in text_columns(rows)]
        return "\n".join([f"{self!r}; {self._level * 100:g}% intervals", "", *lines, *heavy])

    def _text_rows(self) -> list[tuple[str, ...]]:
        rows: list[tuple[str, ...]] = [("", "estimate", "se", "low", "high", "largest share")]
        for each in self._found().values():
            numbers = (rounded(number) for number in (each.value, each.se, each.low, each.high))
            mark = "!" if each.largest_share > _LARGE_SHARE and self._design.open.any() else ""
            rows.append((each.index, *numbers, percent(each.largest_share, 1) + mark))
        return rows

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(repr(self))}</p>{html_table(self._text_rows())}"


def _heavy(share: str) -> str:
    return f"one cluster has {share} of the denominator: do not trust the interval"


def draws_needed(spread: float, within: float, level: float, population: int | None) -> int:
    """How many draws bring the half-width down, where one draw has this variance."""
    wanted = Fraction(spread) * (Fraction(normal_quantile(level)) / Fraction(within)) ** 2
    if population is not None:
        wanted = wanted / (1 + wanted / population)
    return max(math.ceil(wanted), 2)


def estimate(
    sample: Any,
    candidate: Any,
    *,
    sampling: Sampling,
    draws: int | None = None,
    times: Mapping[Any, int] | None = None,
    sampling_weights: Mapping[Any, float] | None = None,
    population: int | None = None,
    level: float = 0.95,
) -> Estimates:
    """What a measure is for all records, where only some true clusters were labelled.

    The candidate must be complete: it holds all records, and is never restricted to the labelled ones. It may
    be whatever ``compare`` takes, files and Spark included. Every record of a labelled cluster must be known.

    sample      from labelled record to true cluster: a mapping, a Series, or a Partition, also of a
                dataframe or a file. Where the candidate has labels without names, records go by position
    sampling       "clusters": true clusters were drawn, all alike; "records": records were drawn, and each
                brought its whole cluster, so that large ones are met more often
    draws       how many records were drawn, for sampling="records": a cluster may have been met twice
    times       or how often each cluster was drawn, by its name
    sampling_weights  or what each cluster stands for, by its name: one over its chance to be drawn
    population  how many true clusters there are, where that is known, for sampling="clusters"
    level       how often such an interval holds the true value

    >>> guess = {1: 1, 2: 1, 3: 2, 4: 3, 5: 2, 6: 4, 7: 4, 8: 4}
    >>> estimate({1: "x", 2: "x", 3: "x", 4: "y", 5: "y", 8: "z"}, guess, sampling="clusters").bcubed_recall
    bcubed_recall 0.5880 for the whole population, 95% interval 0.2118 to 0.9019 (se 0.0976; 3 labelled \
clusters, clusters drawn uniformly; one cluster has 50% of the denominator: do not trust the interval)
    """
    check_level(level)
    usual = Conventions(takes_nulls=False)
    if isinstance(sample, Cover) or isinstance(candidate, Cover):
        raise CoverError("clusters of covers overlap, and estimates are for partitions")
    sides = partition_of(sample, usual, "the sample"), partition_of(candidate, usual, "the candidate")
    cells = engines.count_sample(*sides)
    how = design(
        cells, sampling=sampling, draws=draws, times=times, weights=sampling_weights, population=population
    )
    return Estimates(cells, how, level, conventions_in_words(usual, sides))
