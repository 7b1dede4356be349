"""The types of index parameters, and the claims about an index that depend on them."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from numbers import Integral, Real
from types import MappingProxyType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints


@dataclass(frozen=True, slots=True)
class Bound:
    """An end of a range that depends on the number of elements, and maybe on the index's parameters."""

    text: str
    at: Callable[..., float]  # of the number of elements, and of the parameters by name
    degree: float = 0  # the power of the weights by which the values of weighted elements grow


SIZE_LESS_ONE = Bound("n−1", lambda n: max(n - 1, 0), degree=1)


CLUSTERS_LESS_ONE = Bound("n−1", lambda n: max(n - 1, 0))  # at most one cluster for each element


ALL_PAIRS = Bound("n(n−1)/2", lambda n: n * (n - 1) / 2, degree=2)


ROOT_OF_TWICE_SIZE = Bound("√(2n)", lambda n: math.sqrt(2 * n), degree=1 / 2)


ORDERED_PAIRS = Bound("n(n−1)", lambda n: n * (n - 1), degree=2)


LOG_SIZE = Bound("log n", lambda n, base=math.e: math.log(n) / math.log(base) if n else 0.0)


ROOT_OF_LOG_SIZE = Bound(
    "√log n, base 2", lambda n, base=2: math.sqrt(math.log(n) / math.log(base)) if n else 0.0
)


# Why an index has no meaning for elements that weigh different amounts.
CHANCE_OF_EQUALS = "chance is computed for elements of equal weight"
WHOLE_ELEMENTS = "it counts tables or code lengths of whole elements"
CLUSTERS_OR_STEPS = "it counts clusters or steps, in which weights play no part: it is the same without them"
CLUSTERS_FROM_ELEMENTS = "it subtracts numbers of clusters from numbers of elements"
TEST_STATISTIC = "it is a test statistic, which grows with the number of elements"


@dataclass(frozen=True, slots=True)
class Unless:
    """The parameters for which a claim about an index does not hold, in words and as a test."""

    text: str
    fails: Callable[[Mapping[str, Any]], bool]  # of the parameters by name, defaults included


# Replaces a claim about an index that does not hold for the given parameters.
_VOID: dict[str, Any] = {
    "mirror": None,
    "metric": False,
    "adjusted": False,
    "linear": False,
    "tight": False,
    "perfect": None,
}


def voided_claims(unless: Mapping[str, Unless], given: Mapping[str, Any]) -> dict[str, Any]:
    """The claims that do not hold for the given parameters, with their replacements."""
    return {claim: _VOID[claim] for claim, each in unless.items() if each.fails(given)}


UNLESS_BETA_IS_ONE = Unless("beta ≠ 1", lambda given: given["beta"] != 1)


UNLESS_A_IS_ONE = Unless("a ≠ 1", lambda given: given["a"] != 1)


UNLESS_ALPHA_IS_A_HALF = Unless("alpha ≠ 1/2", lambda given: given["alpha"] != 0.5)


UNLESS_ALIKE = Unless("alpha ≠ beta", lambda given: given["alpha"] != given["beta"])


UNLESS_ALIKE_AND_AT_LEAST_ONE = Unless(
    "alpha ≠ beta or alpha < 1", lambda given: given["alpha"] != given["beta"] or given["alpha"] < 1
)


UNLESS_ONE_SIDED = Unless("sides='one'", lambda given: given["sides"] == "one")


@dataclass(frozen=True, slots=True)
class Check:
    """The condition on a parameter, in words and as a test, and sample values for testing all claims."""

    wording: str
    holds: Callable[[Any], bool]
    samples: tuple[Any, ...]


def _is_real(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


Positive = Annotated[
    float, Check("a positive finite number", lambda x: _is_real(x) and 0 < x < math.inf, (0.5, 1, 2, 3.25))
]


RecallWeight = Annotated[Positive, "Weight of recall."]


PairWeight = Annotated[
    float, Check("a positive finite number", lambda x: _is_real(x) and 0 < x < math.inf, (0.25, 1, 2))
]


SplitWeight = Annotated[
    float,
    Check("a number from 0 to 2", lambda x: _is_real(x) and 0 <= x <= 2, (0, 0.5, 1, 2)),
    "Cost of a split; a merge costs 2 − a.",
]


Share = Annotated[
    float, Check("a number between 0 and 1", lambda x: _is_real(x) and 0 < x < 1, (0.5, 0.9, Fraction(1, 3)))
]


IoU = Annotated[
    float,
    Check("a number between 0 and 1", lambda x: _is_real(x) and 0 < x < 1, (Fraction(1, 3),)),
    "Intersection over union (IoU) that two objects need to match.",
]


LogBase = Annotated[
    float,
    Check("a finite number above 1", lambda x: _is_real(x) and 1 < x < math.inf, (1.5, 2, 10)),
    "Base of the logarithm.",
]


def plain_number(value: Any) -> Any:
    """NumPy numbers as Python numbers, which have the same spelling and division."""
    if isinstance(value, Real) and not isinstance(value, int | float | Fraction):
        return int(value) if isinstance(value, Integral) else float(value)
    return value


def bound_text(end: float | Bound) -> str:
    if isinstance(end, Bound):
        return end.text
    if math.isinf(end):
        return "∞" if end > 0 else "-∞"
    return str(Fraction(end).limit_denominator(1000))


def wording(annotation: Any) -> str:
    """The condition on a parameter, in words; empty without a condition."""
    if choices := _choices(annotation):
        return "one of " + ", ".join(map(repr, choices))
    return ", ".join(check.wording for check in _checks(annotation))


def samples(annotation: Any) -> tuple[Any, ...]:
    """Values on which the claims of an index with such a parameter are tested: all, where there are few."""
    if choices := _choices(annotation):
        return choices
    return tuple(value for check in _checks(annotation) for value in check.samples)


def plain_type(annotation: Any) -> Any:
    """The type that people and type checkers read: without the check and the meaning."""
    return get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation


def complaint(annotation: Any, value: Any) -> str | None:
    """The condition that the parameter violates, or None."""
    if choices := _choices(annotation):
        return None if value in choices else wording(annotation)
    return next((check.wording for check in _checks(annotation) if not check.holds(value)), None)


def meaning_of(annotation: Any) -> str:
    """The meaning of the parameter, a text in its annotation."""
    return next((each for each in getattr(annotation, "__metadata__", ()) if isinstance(each, str)), "")


def _choices(annotation: Any) -> tuple[Any, ...]:
    """The values of a parameter that has a few named ones."""
    plain = plain_type(annotation)
    return get_args(plain) if get_origin(plain) is Literal else ()


def _checks(annotation: Any) -> list[Check]:
    return [each for each in getattr(annotation, "__metadata__", ()) if isinstance(each, Check)]


def formula_views(function: Callable[..., Any]) -> tuple[type[Any], ...]:
    """The types of the positional parameters, which are views."""
    formula = inspect.unwrap(function)
    names = formula.__code__.co_varnames[: formula.__code__.co_argcount]
    return tuple(formula.__globals__[formula.__annotations__[name]] for name in names)


@cache  # read when first asked for: to read all would double the time that importing takes
def formula_parameters(function: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    """The keyword-only parameters by name."""
    hints = get_type_hints(function, include_extras=True)
    own = inspect.signature(function).parameters.items()
    kind = inspect.Parameter.KEYWORD_ONLY
    return MappingProxyType({x: each.replace(annotation=hints[x]) for x, each in own if each.kind is kind})
