"""The declaration of an index: code, formula, claims and names.

A formula is a function whose positional parameters are annotated with the views of the profile it
reads, and whose keyword-only parameters are its own. ``@index`` makes an ``Index`` of it and enters
it into ``INDICES``; everything else (functions, tables, command line, documentation, tests) is
derived from there.
"""

from __future__ import annotations

import inspect
import math
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, cached_property, wraps
from itertools import product, repeat
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Literal

from concordant.counts.base import VIEW_BUILDERS, Counts, CountsKind, Detail, SharedCount, View, WeightClass
from concordant.counts.pairs import EdgePairs, PairCounts
from concordant.counts.profile import Profile
from concordant.counts.weighted_counts import WeightedCounts
from concordant.errors import NotRationalError, ParameterError, TooLargeError, UndefinedError, nearest_first
from concordant.foundation import kinds
from concordant.foundation.conventions import Undefined
from concordant.foundation.lazy import load
from concordant.indices.catalogue import Catalogue, spelled_value
from concordant.indices.parameters import (
    Bound,
    Unless,
    bound_text,
    complaint,
    formula_parameters,
    formula_views,
    plain_number,
    samples,
    voided_claims,
)
from concordant.maths.arithmetic import Number, plain_weight

# A float that overshoots its range by no more than this does so by rounding, and is put back.
_ROUNDING = 1e-9

_QUICK_CELLS = attrgetter("quick_cells")

AgreementDirection = Literal["larger", "smaller"]
_AGREEMENT: dict[str, AgreementDirection] = {"similarity": "larger", "distance": "smaller"}

# The input of an index. Cover indices also accept partitions, which are covers.
IndexSides = str  # "partitions", "covers", "both", or those of a section of a registered kind
IndexKind = str  # "partition", "cover", or that of a section

# Trees that agree in this have the same value: the clusters, the order in which levels join them, their
# heights, or the drawing.
TreeContent = Literal["clusters", "levels", "heights", "drawing"]


def _no_formula(*_: Any) -> Number:
    raise TypeError("this index was not declared")


@dataclass(frozen=True, eq=False, kw_only=True)
class Index:
    """An index: its formula, its tested properties, and its names in other libraries.

    As a decorator it declares the function below it. Every claim is tested on all partitions of up to five
    elements, on all soft partitions of a few records, or on all rooted trees of up to five leaves.

    Attributes
    ----------
    title, formula, cite : str
        The name in words, the definition, and the papers.
    range : (float or Bound, float or Bound)
        The smallest and largest value. Both occur if ``tight`` is true.
    perfect : float or None
        The value of identical partitions; None if it depends on them.
    agreement : {"larger", "smaller"} or None
        The values that mean more agreement for given cluster sizes; None if there is no p-value.
    undefined : float or None
        The value of different partitions if the formula is 0/0. If it is None, the formula is never 0/0, or
        the value of such trees is NaN.
    mirror : str or None
        The index that has the same value with the partitions swapped. ``mirrored`` declares both.
    metric : bool
        Whether the distance of the value from ``perfect`` is a metric.
    adjusted : bool
        Whether the mean over all permutations of the elements is 0.
    linear : bool
        Whether that mean is the formula of the mean counts: it is linear in them for given cluster sizes.
    shares : {"n11", "information"} or None
        The count with which it always rises, or always falls, for given cluster sizes. Indices that share it
        have the same p-value.
    partial_overlap : bool
        Whether it is also defined if each side has elements of its own.
    weighted : WeightClass or None
        How weights enter; None if its only view determines it.
    no_weights, no_limit : str
        Why it has no meaning for weights, or for divisible time, although its view does.
    weighted_low : float or None
        The low end of the range for weights, if it is lower.
    conll : callable or True, optional
        The formula of the official coreference scorer, or True if it is the same.
    mean_of : tuple of Index
        The indices whose mean it is. If one of them is 0/0, its convention applies.
    rescales : tuple of (Index, number, number) or None
        An index x, a scale and a shift: the value is always scale·x + shift. ``rescaled`` declares it.
    sides : str
        Its input: "partitions", "covers", "both", or that of a section of a registered kind. It determines
        the section of the catalogue. The clusters of a cover may overlap.
    generalises : str or None
        The partition index that it equals on partitions.
    blind : str
        Differences between soft partitions that it does not detect.
    content : {"clusters", "levels", "heights", "drawing"} or None
        Trees that agree in this have the same value; None for other inputs.
    unique : bool
        Whether only trees with the same clusters have the perfect value.
    unless : dict
        The parameters for which a claim does not hold, by the name of the claim.
    headline : int or None
        Its place among the first lines of a printed comparison.
    on_request : bool
        Whether tables omit it because it is too slow for large data. Such a soft index visits all pairs.
    aliases, known_as, remarks : tuple of str, dict, dict
        Other names; names in other libraries; how their versions differ.
    worked : tuple
        Examples: reference labels, candidate labels, one character each, and the value. Trees are in Newick
        notation without the semicolon, and labels are those of the leaves in the order of their names.
    """

    title: str
    formula: str
    cite: str
    range: tuple[float | Bound, float | Bound] = (0, 1)
    perfect: float | None = 1
    agreement: AgreementDirection | None = None
    undefined: float | None = None
    mirror: str | None = "itself"
    metric: bool = False
    adjusted: bool = False
    linear: bool | None = None  # the default is that of its only view
    shares: SharedCount | Literal["by view"] | None = "by view"
    tight: bool = True
    partial_overlap: bool = False
    weighted: WeightClass | None = None
    no_weights: str = ""
    no_limit: str = ""
    weighted_low: float | None = None
    conll: Any = None
    mean_of: tuple[Index, ...] = ()
    rescales: tuple[Index, Number, Number] | None = None
    sides: IndexSides = "partitions"
    generalises: str | None = None
    blind: str = ""
    content: TreeContent | None = None
    unique: bool = False
    unless: Mapping[str, Unless] = field(default_factory=dict)
    headline: int | None = None
    on_request: bool = False
    aliases: tuple[str, ...] = ()
    known_as: Mapping[str, str] = field(default_factory=dict)
    remarks: Mapping[str, str] = field(default_factory=dict)
    worked: tuple[tuple[str, str, float], ...] = ()
    # Set when it is declared.
    name: str = ""
    family: str = ""
    compute: Callable[..., Number] = _no_formula
    arguments: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    declared: Index | None = None  # where parameters are set: the index as it was declared

    def __call__(self, function: Callable[..., Number]) -> Index:
        """Declare the index of this function; its family is the module's docstring up to the colon."""
        if not function.__doc__:
            raise TypeError(f"the index {function.__name__} needs a docstring")
        family = (sys.modules[function.__module__].__doc__ or "").partition(":")[0].strip()
        settled: dict[str, Any] = {"name": function.__name__, "family": family, "compute": function}
        if self.mirror == "itself":
            settled["mirror"] = function.__name__
        if self.conll is True:
            settled["conll"] = function
        if self.rescales is not None and not function.__code__.co_argcount:
            settled["compute"] = function = _rescaling(*self.rescales, function)
        settled["agreement"] = _AGREEMENT.get(self.direction, self.agreement)
        views = formula_views(function)
        if self.linear is None:
            settled["linear"] = len(views) == 1 and views[0].linear
        if self.shares == "by view":
            counts = {view.shares for view in views} - {"cluster sizes"}
            settled["shares"] = counts.pop() if len(counts) == 1 and settled["agreement"] else None
        for claim in ("unless", "known_as", "remarks"):
            settled[claim] = MappingProxyType(dict(getattr(self, claim)))
        vars(self).update(settled)
        if self.sides not in _OF_SIDES:
            known = ", ".join(_OF_SIDES)
            raise TypeError(f"the index {self.name} has sides={self.sides!r}; use one of {known}")
        indices_of(self.sides).add(self)
        return self

    def mirrored(self, **own: Any) -> Callable[[Callable[..., Number]], Index]:
        """Declare the index with the value for swapped sides: claims that are not given are the same."""

        def declare(function: Callable[..., Number]) -> Index:
            vars(self)["mirror"] = function.__name__
            conll = True if self.conll is self.compute else self.conll
            return replace(self, **_NAMES_OF_ONE_SIDE | {"conll": conll} | own, mirror=self.name)(function)

        return declare

    def rescaled(
        self, *, scale: Number = 1, shift: Number = 0, **own: Any
    ) -> Callable[[Callable[..., Number] | Callable[[], None]], Index]:
        """Declare the index with the value scale·x + shift, x the value of this one.

        Claims that follow from those of this index need not be given, and neither do worked examples. The
        function below it is empty, or a formula if scale·x + shift would lose digits.
        """

        def moved(value: Any) -> Any:
            number = None if value is None else scale * value + shift
            return plain_weight(number) if isinstance(number, Fraction) else number

        claims: dict[str, Any] = {
            "perfect": moved(self.perfect),
            "undefined": moved(self.undefined),
            "mirror": "itself" if self.symmetric else None,
            "adjusted": self.adjusted and not shift,
            "worked": tuple((u, v, moved(value)) for u, v, value in self.worked),
        }
        if "range" not in own and (scale, shift) != (1, 0):
            claims["range"] = tuple(sorted(map(moved, self.range)))
        return replace(self, **_NAMES_OF_ONE_SIDE | claims | own, rescales=(self, scale, shift))  # type: ignore[return-value]

    # -- description ----------------------------------------------------------------------------

    @property
    def summary(self) -> str:
        """The first paragraph of the docstring: what the value is."""
        return inspect.getdoc(self.compute).split("\n\n")[0].replace("\n", " ")  # type: ignore[union-attr]  # an index has a docstring

    @property
    def advice(self) -> str:
        """The rest of the docstring: when to use it, and what to beware of."""
        return " ".join(inspect.getdoc(self.compute).split("\n\n")[1:]).replace("\n", " ")  # type: ignore[union-attr]  # as above

    @property
    def direction(self) -> Literal["similarity", "distance", "statistic"]:
        """Derived from the position of the perfect value in the range."""
        if self.perfect is not None and self.perfect == self.range[1]:
            return "similarity"
        if self.perfect is not None and self.perfect == self.range[0]:
            return "distance"
        return "statistic"

    @cached_property
    def views(self) -> tuple[type[View], ...]:
        """The views of the profile that the formula reads."""
        return formula_views(self.compute)

    @cached_property
    def parameters(self) -> Mapping[str, inspect.Parameter]:
        """The arguments of the formula apart from the views, by name."""
        return formula_parameters(self.compute)

    @property
    def declared_name(self) -> str:
        """The name without parameters."""
        return (self.declared or self).name

    @property
    def symmetric(self) -> bool:
        return self.mirror == self.declared_name

    def exception(self, claim: str) -> str:
        """The exception to a claim, to be appended: `` unless beta ≠ 1``, or nothing."""
        return f" unless {self.unless[claim].text}" if claim in self.unless else ""

    @property
    def range_text(self) -> str:
        """The range as it is printed: [0, 1], [0, log n], (-∞, 1]."""
        low, high = (bound_text(end) for end in self.range)
        left, right = "[("["∞" in low], "])"["∞" in high]
        return f"{left}{low}, {high}{right}"

    @cached_property
    def needs(self) -> Detail:
        """The knowledge about two partitions that its value needs."""
        return max((view.needs for view in self.views), default=Detail.SIZES)

    @property
    def is_of_partitions(self) -> bool:
        """Whether it compares partitions or covers."""
        return indices_of(self.sides) is INDICES

    @property
    def kind(self) -> IndexKind:
        """What it compares: partitions, covers, soft partitions, trees or the versions of a diff."""
        return _OF_SIDES[self.sides][1]

    @property
    def inputs(self) -> str:
        """The two sides that it compares, in words."""
        return _OF_SIDES[self.sides][2]

    @cached_property
    def kinds(self) -> frozenset[CountsKind]:
        """The kinds of counts that it is defined for.

        All its views have a builder for them. A formula may have no meaning for counts that its views have a
        meaning for, so four kinds are also declared.
        """
        is_declared: dict[CountsKind, bool] = {
            "between": self.counts_pairs_alone and not self.adjusted,
            "partial_overlap": self.partial_overlap,
            "weights": self.weight_class is not None,
            "covers": self.sides != "partitions",
        }
        return frozenset(
            kind
            for kind, builder in VIEW_BUILDERS.items()
            if is_declared.get(kind, True) and all(hasattr(view, builder) for view in self.views)
        )

    def forms_for(self, counts: Counts) -> list[str]:
        """The indices that equal it on partitions and are defined for these counts, but for `blind` ones."""
        name = self.declared_name
        every = (each for section in all_sections() for each in section.values() if each.generalises == name)
        return [each.name for each in every if not each.blind and counts.kind in each.kinds]

    def others_for(self, counts: Counts) -> list[str]:
        """All indices that are defined for these counts."""
        every = (each for section in all_sections() for each in section.values())
        return [each.name for each in every if counts.kind in each.kinds]

    def is_shown_for(self, counts: Counts) -> bool:
        """Whether a table of such counts has it; indices for covers only are shown for covers only."""
        return self.is_defined_for(counts) and (self.sides != "covers" or counts.kind == "covers")

    def is_defined_for(self, counts: Counts) -> bool:
        """Whether it has a value for such counts."""
        return counts.kind in self.kinds and not (self.no_limit and counts.divisible)

    @property
    def weight_class(self) -> WeightClass | None:
        """How elements with different weights count; None if the index has no meaning for weights."""
        if self.no_weights or self.weighted:
            return self.weighted
        return self.views[0].weight_class if len(self.views) == 1 else None

    @cached_property
    def counts_pairs_alone(self) -> bool:
        """Whether it is a function of the four pair counts, so any set of pairs has a value."""
        if self.views != (PairCounts,):
            return False
        try:
            self.compute(EdgePairs(5, 3, 2, 18, 0), **self.arguments)
        except ParameterError:
            return False
        return True

    @property
    def degree(self) -> float:
        """The power of c by which the value is multiplied if all weights are multiplied by c."""
        return self.range[1].degree if isinstance(self.range[1], Bound) else 0

    def is_quick(self, cells: int) -> bool:
        """Whether it is fast for this many overlaps, so a list of all indices can show it."""
        return not self.on_request and cells <= min(map(_QUICK_CELLS, self.views))

    def bounds(self, sides: int | Counts) -> tuple[float, float]:
        """The range as numbers, for this many elements or for these counts.

        With weights, an end in elements is one in weight: that of (Σw)²/Σw² elements that weigh Σw²/Σw each.
        """
        size: Any = sides.size if isinstance(sides, Counts) else sides
        unit: Any = 1
        if isinstance(sides, WeightedCounts) and (self.degree or sides.divisible):
            size, weight = sides.effective_size, sides.total
            # Exact for whole degrees: a rounded limit would exclude a value equal to it.
            degree = int(self.degree) if self.degree == int(self.degree) else self.degree
            unit = Fraction(weight, size or 1) ** degree
        try:
            low, high = (
                float(end.at(size, **self.arguments) * unit) if isinstance(end, Bound) else end
                for end in self.range
            )
        except OverflowError:  # weights beyond floating-point numbers
            low, high = 0.0, math.inf
        if isinstance(sides, WeightedCounts) and self.weighted_low is not None:
            low = self.weighted_low
        return low, high

    # -- what it computes -----------------------------------------------------------------------

    def value(self, counts: Counts, undefined: Undefined = "convention") -> float:
        """The index of the two partitions; if it is rational, rounded from the exact value.

        Fractions of over 200 denominators are first cut off at 124 binary places, too late to change it.
        """
        return self.assess(counts, undefined)[0]

    def assess(self, counts: Counts, undefined: Undefined = "convention") -> tuple[float, bool]:
        """The value, and whether it is a convention: the formula is 0/0 here, or nothing was compared."""
        self._refuse(counts)
        if undefined == "conll" and self.conll is not None:
            return self._official(counts), self.is_undefined(counts)
        if counts.cheap_identity and self.perfect is not None and counts.identical:
            return float(self.perfect), not counts.size
        try:
            value = float(self.compute(*map(counts.view, self.views), **self.arguments))
            ends = self._fixed_range
            if ends is None or not ends[0] <= value <= ends[1]:
                value = self._inside(value, counts)
        except ZeroDivisionError as error:
            if not counts.cheap_identity and self.perfect is not None and counts.identical:
                return float(self.perfect), not counts.size
            return float(self._when_undefined(undefined, error, counts)), True
        except OverflowError as error:
            raise self._too_large(counts, error) from error
        return value, False

    @cached_property
    def _fixed_range(self) -> tuple[float, float] | None:
        """The range, if it is the same for every number of elements."""
        low, high = self.range
        return None if isinstance(low, Bound) or isinstance(high, Bound) else (low, high)

    def exact(self, counts: Counts) -> Fraction:
        """The rational value itself, without rounding."""
        self._refuse(counts)
        if counts.rounded:
            raise NotRationalError(f"{self.name}: {counts.rounded}")
        if counts.cheap_identity and self._is_perfect(counts):
            return Fraction(self.perfect or 0)
        try:
            raw = self.evaluate(counts, exact=True)
        except ZeroDivisionError as error:
            if not counts.cheap_identity and self._is_perfect(counts):
                return Fraction(self.perfect or 0)
            raw = self._when_undefined("convention", error, counts)
            if math.isfinite(raw):
                return Fraction(raw)
            why = self._why(counts)
            raise UndefinedError(f"{self.name} has no finite exact value here: {why}") from error
        except OverflowError as error:
            raise self._too_large(counts, error) from error
        if isinstance(raw, float):
            raise NotRationalError(
                f"{self.name} = {self.formula} has no rational value; use its float instead"
            )
        return Fraction(raw)

    def _is_perfect(self, counts: Counts) -> bool:
        """Whether the sides are identical, and all identical sides have the same finite value."""
        return self.perfect is not None and math.isfinite(self.perfect) and counts.identical

    def is_undefined(self, counts: Counts) -> bool:
        """Whether the value is a convention: the formula is 0/0 here, or nothing was compared."""
        return self.assess(counts, "nan")[1]

    def bind(self, **arguments: Any) -> Index:
        """The same index with parameters set: ``f_measure.bind(beta=2)``."""
        for key, value in arguments.items():
            self._check_argument(key, value)
        merged = {**self.arguments, **{key: plain_number(value) for key, value in arguments.items()}}
        if not merged:
            return self
        declared = self.declared or self
        given = {key: parameter.default for key, parameter in self.parameters.items()} | merged
        spelled = ", ".join(f"{key}={spelled_value(value)}" for key, value in merged.items())
        return replace(
            declared,
            **voided_claims(declared.unless, given),
            name=f"{declared.name}({spelled})",
            unless=MappingProxyType({}),
            worked=(),  # they are worked with the defaults
            arguments=MappingProxyType(merged),
            declared=declared,
        )

    @property
    def samples(self) -> list[Index]:
        """The index with every combination of its parameters' samples; its claims are tested on each."""
        if not self.parameters:
            return []
        values = [samples(parameter.annotation) for parameter in self.parameters.values()]
        return [self.bind(**dict(zip(self.parameters, each, strict=True))) for each in product(*values)]

    def evaluate(self, counts: Counts, exact: bool = False) -> Number:
        """The bare formula: no convention for identical partitions, ZeroDivisionError if it is 0/0."""
        self._refuse(counts)
        return self.compute(*map(counts.view, self.views, repeat(exact)), **self.arguments)

    def _refuse(self, counts: Counts) -> None:
        """Raise an error that names the way out, if it is not defined for such counts."""
        if not self.is_defined_for(counts):
            raise counts.refusal(self)

    def by_chance(self, profile: Profile) -> float | None:
        """Its mean over permutations of the elements with fixed cluster sizes; None without a closed form.

        >>> from concordant import INDICES
        >>> INDICES["rand"].by_chance(Profile.from_contingency([[1, 1], [1, 1]]))
        0.5555555555555556
        """
        try:
            if self.adjusted:
                self.evaluate(profile)  # 0/0 for one permutation is 0/0 for all, as the sizes decide
                return 0.0
            if not self.linear:
                return None
            views = [view.by_chance(profile) for view in self.views]
            return float(self.compute(*views, **self.arguments))
        except ZeroDivisionError as error:
            return self._undefined_by_chance(profile, error) if self.adjusted else None
        except OverflowError as error:
            raise self._too_large(profile, error) from error

    def _undefined_by_chance(self, profile: Profile, error: ZeroDivisionError) -> float | None:
        """The mean of the conventions over all permutations, of which some may make the sides identical."""
        values = {float(self._when_undefined("convention", error, profile))}
        if self.perfect is not None and profile.row_sizes == profile.column_sizes:
            only_identical = profile.rows in {1, profile.size}
            values = {float(self.perfect)} | (set() if only_identical else values)
        value = values.pop()
        return None if values or math.isnan(value) else value

    def _official(self, counts: Counts) -> float:
        """As the official coreference scorer has it: 0 where the formula is 0/0, identical or not."""
        try:
            return float(self.conll(*[counts.view(v) for v in self.views], **self.arguments))
        except ZeroDivisionError:
            return 0.0

    def _too_large(self, counts: Counts, error: OverflowError) -> TooLargeError:
        if isinstance(error, TooLargeError):
            return error
        size = int(counts.total) if isinstance(counts, WeightedCounts) else counts.size
        # Not by str(), which refuses integers of thousands of digits.
        much = f"about 10^{int(size.bit_length() * math.log10(2))}"
        what = f"elements that weigh {much}" if counts.kind == "weights" else f"{much} elements"
        return TooLargeError(
            f"{self.name} is too large for a floating-point number: there are {what}",
            calls="where the formula is rational, exact() still gives its value",
        )

    def _when_undefined(self, undefined: Undefined, cause: Exception, counts: Counts) -> float | Fraction:
        if undefined == "raise":
            raise UndefinedError(f"{self.name} is undefined: {self._why(counts)}") from cause
        if undefined != "nan" and self.mean_of:
            return sum((part.exact(counts) for part in self.mean_of), Fraction(0)) / len(self.mean_of)
        if undefined != "nan" and counts.disjoint:  # no common elements: no agreement
            return self.worst(counts)
        return math.nan if undefined == "nan" or self.undefined is None else float(self.undefined)

    def worst(self, sides: int | Counts) -> float:
        """The end of the range that is further from perfect."""
        low, high = self.bounds(sides)
        return float(low if self.perfect is None or self.perfect >= high else high)

    def _why(self, counts: Counts) -> str:
        return f"{self.formula} {counts.zero_by_zero}"

    def _inside(self, value: float, counts: Counts) -> float:
        low, high = self._fixed_range or self.bounds(counts)
        if low <= value <= high:
            return value
        nearest = min(max(value, low), high)
        return nearest if math.isclose(value, nearest, rel_tol=_ROUNDING, abs_tol=_ROUNDING) else value

    def _check_argument(self, key: str, value: Any) -> None:
        if key not in self.parameters:
            offered = f"it takes {', '.join(self.parameters) or 'no parameters'}"
            near = nearest_first(key, self.parameters, offered)
            raise ParameterError(f"{self.name} does not take {key!r}{near}")
        if wording := complaint(self.parameters[key].annotation, value):
            raise ParameterError(f"{self.name}({key}={value!r}): {key} must be {wording}")

    def __repr__(self) -> str:
        return f"<Index {self.name}: {self.formula}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled by name: the declaration itself stays where it is."""
        return _named, (self.declared_name, dict(self.arguments))


index = Index  # as a decorator


def _rescaling(
    of: Index, scale: Number, shift: Number, function: Callable[..., Any]
) -> Callable[..., Number]:
    """The formula scale·x + shift, with the description of this function."""

    @wraps(of.compute)
    def compute(*views: View, **arguments: Any) -> Number:
        return scale * of.compute(*views, **arguments) + shift

    compute.__name__, compute.__doc__ = function.__name__, function.__doc__
    return compute


# Fields that an index and its mirror do not share.
_NAMES_OF_ONE_SIDE: dict[str, Any] = {
    "headline": None,
    "aliases": (),
    "known_as": {},
    "remarks": {},
    "worked": (),
}

# The sections of the catalogue. The modules of other kinds are imported on first use.
INDICES = Catalogue("index {!r}", listing="`concordant indices` lists all names")
SAMPLE_INDICES = Catalogue("index {!r} of a sample")  # those of INDICES that a sample of clusters determines
# Of each input: the section of its indices, their kind, and the two sides in words.
_OF_SIDES: dict[IndexSides, tuple[Catalogue, IndexKind, str]] = {
    "partitions": (INDICES, "partition", "two partitions"),
    "covers": (INDICES, "cover", "two covers"),
    "both": (INDICES, "partition", "two partitions"),
    **{each.sides: (Catalogue(each.unknown), each.kind, each.inputs) for each in kinds.sections()},
}
SECTIONS = (INDICES, *(_OF_SIDES[each.sides][0] for each in kinds.sections()))

# For calls that name no index; docs/decisions/0029-default-indices.md has the reasons.
DEFAULT_INDEX = "adjusted_rand"  # how similar two partitions are, as one value
DEFAULT_FOR_EDITS = "bcubed_f"  # which edit helps most
DEFAULT_FOR_SAMPLES = "f_measure"  # how many records or clusters to label
DEFAULTS_FOR_SYSTEMS = ("f_measure", "bcubed_f", "adjusted_rand")  # which system is better


def indices_of(sides: IndexSides) -> Catalogue:
    """The section with the indices of this input."""
    return _OF_SIDES[sides][0]


def all_sections() -> tuple[Catalogue, ...]:
    """The sections with the indices of every input."""
    for section in kinds.sections():
        load(f"concordant.{section.declared_in}")
    return SECTIONS


@cache
def all_indices() -> Catalogue:
    """The indices of every section."""
    return _joined(all_sections())


@cache
def public_indices() -> Catalogue:
    """The indices that are functions of two clusterings; those of a diff are only attributes."""
    own = (each.sides for kind in kinds.KINDS.values() if not kind.functions for each in kind.sections)
    attributes_alone = list(map(indices_of, own))
    return _joined(each for each in all_sections() if not any(each is one for one in attributes_alone))


def _joined(sections: Iterable[Catalogue]) -> Catalogue:
    everything = Catalogue("index {!r}", listing="`concordant indices` lists all names")
    for section in sections:
        for declared in section.values():
            everything.add(declared)
    return everything


def any_index(spelling: str, *sections: Catalogue) -> Index:
    """The index of that name in these sections or, if it has another input, in any other.

    An error about an unknown name suggests names of these sections, or else of all.
    """
    for section in sections or (INDICES,):
        if section.names(spelling):
            return section[spelling]
    for section in all_sections():
        if section.names(spelling):
            return section[spelling]
    if not sections:
        return all_indices()[spelling]  # raises the error
    near = next((section for section in sections if section.suggests(spelling)), sections[0])
    return near[spelling]  # raises the error


def index_for(counts: Counts, spelling: str, *sections: Catalogue) -> Index:
    """The same index, if it is defined for these counts; otherwise an error that names the way out."""
    found = any_index(spelling, *sections)
    if not found.is_defined_for(counts):
        raise counts.refusal(found)
    return found


def _named(name: str, arguments: dict[str, Any]) -> Index:
    declared = any_index(name)
    return declared.bind(**arguments) if arguments else declared
