"""SoftComparison: every question that two compared soft partitions answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NoReturn, get_args

import numpy as np
from numpy.typing import NDArray

from concordant import comparisons
from concordant.catalogue.index import INDICES
from concordant.comparisons.soft_significance import soft_significance
from concordant.counts.conventions import TABLE_LIMIT, Conventions, Undefined, check_choice
from concordant.counts.pairs import Pairs
from concordant.counts.spelling import counted
from concordant.differences.lazy_list import LazyList, check_limit, field_names, largest_of
from concordant.errors import NotANumberError, ParameterError, ReadOnlyError, UnknownIndexError, did_you_mean
from concordant.partitions.missing import unusual_conventions
from concordant.results import Result, as_frame, as_json, rounded
from concordant.soft import expectation
from concordant.soft.counts import SoftCounts
from concordant.soft.expectation import Expected
from concordant.soft.indices import DEFAULT_SOFT_INDEX, SOFT_INDICES, SoftIndex, soft_index
from concordant.soft.pairs import SampledIndex, sampled_index
from concordant.soft.partition import DrawnSoft, Soft
from concordant.soft.records import (
    SoftMatch,
    SoftRecordScore,
    largest_weights,
    record_scores,
    relabelled,
    soft_matches,
)
from concordant.soft.sides import laid_out, soft_or_partition
from concordant.soft.sources import SourceSoft
from concordant.soft.streamed import StreamedSides
from concordant.text_layout import text_columns
from concordant.trust.options import check_count, check_seed

if TYPE_CHECKING:
    from concordant.comparisons.comparison import Comparison
    from concordant.partitions.partition import LabelPartition
    from concordant.trust.null_distributions import Tail
    from concordant.trust.significance import Significance, SignificanceMethod

SoftRecordsBy = Literal["moved", "pairs"]

_COLUMNS = ("name", "value", "lowest", "highest", "undefined")


def compare_soft(reference: Any, candidate: Any, conventions: Conventions, weights: Any) -> SoftComparison:
    """Compare two sides of which one is a Soft."""
    refused = {
        "weights": (weights is not None, "each record of a soft comparison counts the same"),
        "reference_noise": (bool(conventions.reference_noise), "treat labels before, in the partition"),
        "candidate_noise": (bool(conventions.candidate_noise), "treat labels before, in the partition"),
        "undefined": (conventions.undefined == "conll", "the official scorer has no soft indices"),
        "table_limit": (conventions.table_limit != TABLE_LIMIT, "a soft comparison lists no overlaps"),
    }
    for option, (is_given, why) in refused.items():
        if is_given:
            raise ParameterError(f"{option}= is not for soft partitions: {why}")
    u = soft_or_partition(reference, conventions, "the reference")
    v = soft_or_partition(candidate, conventions, "the candidate")
    for option in ("noise", "nulls"):
        if isinstance(u, Soft) and isinstance(v, Soft) and getattr(conventions, option) is not None:
            raise ParameterError(f"{option}= is about labels, and both sides are soft")
    in_files = isinstance(u, SourceSoft) or isinstance(v, SourceSoft)
    sides = (StreamedSides if in_files else laid_out)(u, v, conventions)
    counts = SoftCounts(sides, conventions.threads)
    if conventions.progress is not None:
        conventions.progress(1, 1)
    return SoftComparison(counts, (u, v), conventions)


class SoftComparison(Result):
    """Two partitions of which one is soft, compared: soft indices by name, and where the sides differ.

    It behaves as a mapping over the indices that take one pass, and does not change. ``compare`` makes it.

    >>> import concordant as cc
    >>> s = cc.compare(cc.Soft.from_matrix([[0.9, 0.1], [0.8, 0.2], [0.1, 0.9]]), ["a", "a", "b"])
    >>> round(s.soft_adjusted_rand, 4), round(s["soft_matching_accuracy"], 4)
    (0.8053, 0.8667)
    """

    def __init__(
        self,
        counts: SoftCounts,
        sides: tuple[Soft | LabelPartition, Soft | LabelPartition],
        conventions: Conventions,
    ) -> None:
        self._counts, self._sides, self._conventions = counts, sides, conventions
        self._values: dict[str, float] = {}

    # -- values -----------------------------------------------------------------------------------------

    @property
    def counts(self) -> SoftCounts:
        """What all indices are computed from."""
        return self._counts

    def value(self, declared: SoftIndex) -> float:
        """The value of a soft index, computed once."""
        if declared.name not in self._values:
            self._values[declared.name] = declared.value(self._counts, self._when_undefined)
        return self._values[declared.name]

    def __getitem__(self, name: str) -> float:
        return self.value(soft_index(name))

    def __getattr__(self, name: str) -> float:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self.value(soft_index(name))
        except UnknownIndexError as error:
            methods = [each for each in dir(type(self)) if not each.startswith("_")]
            if near := did_you_mean(name, methods, likeness=0.8):
                raise UnknownIndexError(f"a soft comparison has no {name!r}{near}") from error
            raise

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("_") and name not in type(self).__dict__:
            raise ReadOnlyError(f"{name!r} cannot be set: a SoftComparison is read-only")
        super().__setattr__(name, value)

    def exact(self, name: str) -> Fraction:
        """The value as a fraction, if the weights are fractions, decimals, labels or draws.

        >>> import concordant as cc
        >>> from decimal import Decimal
        >>> rows = [[Decimal("0.5"), Decimal("0.5")], [Decimal(1), Decimal(0)], [Decimal(0), Decimal(1)]]
        >>> cc.compare(cc.Soft.from_matrix(rows), ["a", "a", "b"]).exact("soft_rand_squared")
        Fraction(5, 6)
        """
        return soft_index(name).exact(self._counts)

    def keys(self) -> tuple[str, ...]:
        """The indices that take one pass and are defined for both sides; ``omitted`` lists the others."""
        are_draws = self._counts.sides.are_draws
        return tuple(x.name for x in SOFT_INDICES.values() if x.one_pass and (x.draws or not are_draws))

    @property
    def omitted(self) -> tuple[str, ...]:
        """The indices that look at all pairs of records; they are computed when you ask for them by name.

        >>> import concordant as cc
        >>> cc.compare(cc.Soft.from_matrix([[0.5, 0.5], [1.0, 0.0]]), [0, 0]).omitted
        ('soft_rand', 'degree_of_concordance', 'adjusted_concordance')
        """
        are_draws = self._counts.sides.are_draws
        return tuple(x.name for x in SOFT_INDICES.values() if not x.one_pass and (x.draws or not are_draws))

    def values(self) -> tuple[float, ...]:
        """The values of ``keys()``."""
        return tuple(self[name] for name in self.keys())

    def items(self) -> tuple[tuple[str, float], ...]:
        """The names and values of ``keys()``."""
        return tuple((name, self[name]) for name in self.keys())

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __len__(self) -> int:
        return len(self.keys())

    def __bool__(self) -> bool:
        return True

    def __contains__(self, name: object) -> bool:
        return name in self.keys()

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *SOFT_INDICES]

    def _not_a_number(self, *_: object) -> NoReturn:
        raise NotANumberError(
            "a SoftComparison is not a number: it holds several indices; take one of them, such as "
            "s.soft_adjusted_rand"
        )

    __float__ = __int__ = __round__ = _not_a_number
    __lt__ = __le__ = __gt__ = __ge__ = _not_a_number

    @property
    def undefined(self) -> tuple[str, ...]:
        """The indices whose formula is 0/0 here though the sides differ, so their value is a convention.

        >>> import concordant as cc
        >>> u, v = ([[1.0, 0.0], [0.5, 0.5]], [[0.5, 0.5], [1.0, 0.0]])
        >>> cc.compare(cc.Soft.from_matrix(u), cc.Soft.from_matrix(v)).undefined
        ('soft_adjusted_rand',)
        """
        return tuple(name for name in self.keys() if SOFT_INDICES[name].is_undefined(self._counts))

    # -- the hard comparison ------------------------------------------------------------------------------

    @cached_property
    def hardened(self) -> Comparison:
        """The comparison of the largest weights, with all indices of partitions.

        >>> import concordant as cc
        >>> soft = cc.Soft.from_matrix([[0.9, 0.1], [0.8, 0.2], [0.1, 0.9]])
        >>> cc.compare(soft, ["a", "a", "b"]).hardened.rand
        1.0
        """
        u, v = (each.harden() if isinstance(each, Soft) else each for each in self._sides)
        given = self._conventions
        found = comparisons.compare(
            u,
            v,
            unmatched=given.unmatched,
            undefined=given.undefined,
            threads=given.threads,
            where=given.where,
        )
        assert not isinstance(found, SoftComparison)  # both sides have labels
        return found

    # -- draws of both sides ------------------------------------------------------------------------------

    @property
    def expected_pairs(self) -> Pairs:
        """The mean pair counts of two partitions drawn independently, one from each side, as fractions."""
        return expectation.expected_pairs(self._counts)

    def expected(self, index: str = "rand", *, draws: int | None = None, seed: int = 0) -> Expected:
        """The mean of an index of partitions over independent draws of each record's cluster by its weights.

        For a soft partition against itself it is below 1, as two draws of it differ. Indices that are linear
        in pair counts, such as rand, have exact means. For others pass ``draws``; the mean then has a
        standard error.

        >>> import concordant as cc
        >>> soft = cc.Soft.from_matrix([[0.5, 0.5], [1.0, 0.0], [0.0, 1.0]])
        >>> cc.compare(soft, soft).expected("rand")
        rand 0.6667 on average over independent draws (exact)
        """
        check_seed(seed)
        if draws is not None:
            draws = check_count("draws", draws)
        return expectation.expected(self._counts, INDICES[index], self._hard_value(index), draws, seed)

    def energy_distance(self, index: str = "rand") -> float:
        """The energy distance of both sides, as distributions of partitions, by the distance of an index.

        It is 0 if both are the same distribution as far as the index can tell. For rand it equals
        2·(1 − soft_rand_squared). Other indices, such as variation_of_information, need draws on both sides.

        >>> import concordant as cc
        >>> u, v = cc.Soft.from_draws([[0, 0], [0, 1], [1, 1]]), cc.Soft.from_draws([[0], [0], [1]])
        >>> round(cc.compare(u, v).energy_distance("variation_of_information"), 4)
        0.4621
        """
        return expectation.energy_distance(self._counts, INDICES[index], self._hard_value(index))

    def _hard_value(self, index: str) -> expectation.HardValue:
        declared = [INDICES[index]]
        return lambda u, v: comparisons.values(declared, u, v)[0]

    def sampled(self, index: str, *, pairs: int = 1_000_000, seed: int = 0) -> SampledIndex:
        """An index that looks at all pairs, estimated from pairs drawn at random, with a standard error.

        >>> import concordant as cc
        >>> s = cc.compare(cc.Soft.from_matrix([[0.5, 0.5], [1.0, 0.0], [0.0, 1.0]]), [0, 0, 1])
        >>> found = s.sampled("soft_rand", pairs=1000)
        >>> abs(found.value - s.soft_rand) < 4 * found.se
        True
        """
        check_seed(seed)
        return sampled_index(self._counts.sides, soft_index(index).name, check_count("pairs", pairs), seed)

    # -- where they differ --------------------------------------------------------------------------------

    def matching(self, limit: int | None = None) -> LazyList[SoftMatch]:
        """Clusters matched one to one so that they share the most weight, largest overlaps first.

        >>> import concordant as cc
        >>> s = cc.compare(cc.Soft.from_matrix([[0.9, 0.1], [0.25, 0.75]]), ["a", "b"])
        >>> [(match.reference, match.candidate, match.overlap) for match in s.matching()]
        [(0, 'a', 0.9), (1, 'b', 0.75)]
        """
        found = soft_matches(self._counts)
        limit = check_limit(limit)
        title = f"{counted(len(found), 'pair')} of clusters"
        return LazyList(found[:limit], columns=field_names(SoftMatch), total=len(found), title=title)

    def relabelled(self) -> Soft:
        """The candidate with its columns in the order of the reference and under its names.

        Columns without a partner follow, as ``new_1``, ``new_2``, or under numbers if the reference has such.

        >>> import concordant as cc
        >>> u, v = [[0.9, 0.1], [0.2, 0.8]], [[0.1, 0.9], [0.6, 0.4]]
        >>> s = cc.compare(cc.Soft.from_matrix(u), cc.Soft.from_matrix(v))
        >>> s.relabelled().memberships.weights()[1].tolist()
        [0.4, 0.6]
        """
        return relabelled(self._counts)

    def records(self, limit: int | None = 20, by: SoftRecordsBy = "moved") -> LazyList[SoftRecordScore]:
        """The records on which both sides differ most, first; ``limit=None`` gives all.

        by    "moved": ½Σ|u − v| after the columns were matched, whose mean is 1 − soft_matching_accuracy;
              "pairs": Σ(p − q)² over the pairs of the record

        >>> import concordant as cc
        >>> s = cc.compare(cc.Soft.from_matrix([[0.9, 0.1], [0.25, 0.75]]), ["a", "b"])
        >>> s.records(limit=1)[0].record, s.records(limit=1)[0].moved
        (1, 0.25)
        """
        check_choice("by", by, get_args(SoftRecordsBy))
        limit = check_limit(limit)
        sides = self._counts.sides
        scores = dict(zip(get_args(SoftRecordsBy), self._record_scores, strict=True))

        def score(position: int) -> SoftRecordScore:
            names = (
                largest_weights(*each, position)
                for each in zip(sides.memberships, sides.clusters, strict=True)
            )
            own = {key: float(values[position]) for key, values in scores.items()}
            return SoftRecordScore(sides.record(position), *names, **own)

        return LazyList(
            largest_of(scores[by], limit),
            score,
            columns=field_names(SoftRecordScore),
            total=sides.size,
            title=f"{sides.size:,} records",
        )

    @cached_property
    def _record_scores(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return record_scores(self._counts)

    # -- how sure each value is -----------------------------------------------------------------------------

    def significance(
        self,
        index: str = DEFAULT_SOFT_INDEX,
        *,
        tail: Tail = "upper",
        method: SignificanceMethod = "auto",
        permutations: int = 9999,
        seed: int = 0,
    ) -> Significance:
        """How often permuted records agree as much, if the rows of both sides are kept.

        tail      "upper": at least as much agreement; "lower": at most as much; "two-sided": twice the
                  smaller of both
        method    "exact" makes all permutations of up to seven records; "gamma" takes the exact mean,
                  variance and skewness of Σpq, in O(n K³); "permutations" draws; "auto" takes the first of
                  these that is affordable
        permutations
                  how many to draw at most; drawing stops after 20 that are as extreme
        seed      of the permutations

        >>> import concordant as cc
        >>> s = cc.compare(cc.Soft.from_matrix([[0.9, 0.1]] * 6 + [[0.2, 0.8]] * 6), [0] * 6 + [1] * 6)
        >>> s.significance()
        soft_adjusted_rand 0.7826, by chance 0 ± 0.1065, z = 7.35, p ≈ 0.00052 (gamma approximation, \
one-sided: as large or larger)
        """
        found = soft_significance(
            self._counts,
            soft_index(index),
            self._when_undefined,
            tail=tail,
            method=method,
            permutations=permutations,
            seed=seed,
        )
        return replace(found, conventions=self._unusual_conventions)

    @property
    def _unusual_conventions(self) -> str:
        words = {"unmatched": self._conventions.unmatched, "undefined": self._when_undefined}
        return unusual_conventions(words)

    # -- as data and text ---------------------------------------------------------------------------------

    def to_dict(self, *names: str) -> dict[str, float]:
        """The named indices, or all that take one pass.

        >>> import concordant as cc
        >>> s = cc.compare(cc.Soft.from_matrix([[0.5, 0.5], [1.0, 0.0], [0.0, 1.0]]), [0, 0, 1])
        >>> s.to_dict("soft_rand")
        {'soft_rand': 0.6666666666666667}
        """
        return {name: self[name] for name in names or self.keys()}

    def to_frame(self, backend: Any = None) -> Any:
        """One row for each index: name, value, its range, and whether the value is a convention."""
        rows = self._rows()
        return as_frame({name: [row[name] for row in rows] for name in _COLUMNS}, backend)

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        rows = []
        for name in self.keys()[:limit]:
            index = SOFT_INDICES[name]
            row = (name, self[name], *index.range, index.is_undefined(self._counts))
            rows.append(dict(zip(_COLUMNS, row, strict=True)))
        return rows

    def to_json(self, *names: str, indent: int | None = 2) -> str:
        """The comparison as JSON. Values that are not finite become null."""
        document = {
            "signature": self.signature,
            "headline": self.headline,
            "records": self._counts.size,
            "clusters": dict(
                zip(("reference", "candidate"), map(len, self._counts.sides.clusters), strict=True)
            ),
            "indices": self.to_dict(*names),
            "undefined": list(self.undefined),
            "omitted": [] if names else list(self.omitted),
        }
        return as_json(document, indent)

    @property
    def signature(self) -> str:
        """One line that makes two published numbers comparable: version, sizes, conventions.

        >>> import concordant as cc
        >>> soft = cc.Soft.from_matrix([[0.5, 0.5], [1.0, 0.0]])
        >>> print(cc.compare(soft, [0, 0]).signature)  # doctest: +ELLIPSIS
        concordant ... | n=2 K=2 L=1 | soft | unmatched=error | undefined=convention
        """
        from importlib.metadata import version  # slow to import, rarely needed

        parts = [f"concordant {version('concordant')}", f"n={self._counts.size} {self._widths()}"]
        parts += ["soft", f"unmatched={self._conventions.unmatched}"]
        parts += [f"undefined={self._when_undefined}"]
        parts += [f"{key}={value}" for key, value in self._counts.sides.audit.items() if value]
        return " | ".join(parts)

    def _widths(self) -> str:
        texts = []
        for letter, side, names in zip("KL", self._sides, self._counts.sides.clusters, strict=True):
            texts.append(
                f"draws={len(side.shares)}" if isinstance(side, DrawnSoft) else f"{letter}={len(names)}"
            )
        return " ".join(texts)

    @property
    def _when_undefined(self) -> Undefined:
        return self._conventions.undefined

    @property
    def headline(self) -> str:
        """One sentence with the values that matter most."""
        value = rounded(self.soft_adjusted_rand, 2)
        if self._counts.sides.are_draws:
            return f"Pairs agree with a soft adjusted Rand index of {value}"
        shared = rounded(100 * self.soft_matching_accuracy, 0, perfect=100)
        return (
            f"{shared}% of the weight is in matched clusters; pairs agree with a soft adjusted Rand index of "
            f"{value}"
        )

    def __str__(self) -> str:
        sides = self._counts.sides
        widths = [
            f"{len(side.shares):,} draws" if isinstance(side, DrawnSoft) else counted(len(names), "cluster")
            for side, names in zip(self._sides, sides.clusters, strict=True)
        ]
        lines = [f"{counted(sides.size, 'record')}, {widths[0]} against {widths[1]}", self.headline, ""]
        lines += text_columns(
            [[name, rounded(value), SOFT_INDICES[name].title] for name, value in self.items()]
        )
        if self.undefined:
            lines.append(f"0/0, so the value is a convention: {', '.join(self.undefined)}")
        lines += ["", f"by name, from all pairs: {', '.join(self.omitted)}"] if self.omitted else []
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<SoftComparison of {counted(self._counts.size, 'record')}: {self._widths()}>"
