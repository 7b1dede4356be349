"""The declaration of an index for whole trees: code, formula and claims."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Literal

from concordant.catalogue.parameters import Bound, bound_text, complaint
from concordant.catalogue.registry import parsed, plain_name, suggestion
from concordant.counts.conventions import Undefined
from concordant.errors import NotRationalError, ParameterError, UndefinedError, UnknownIndexError
from concordant.hierarchies.tree_pair import TreePair

# The value depends on the clusters, on the order in which levels join them, on their heights, or on the
# drawing.
TreeContent = Literal["clusters", "levels", "heights", "drawing"]


def _no_formula(*_: Any) -> float:
    raise TypeError("this index was not declared")


@dataclass(frozen=True, eq=False, kw_only=True)
class TreeIndex:
    """An index of two trees, or of a tree and a partition. As a decorator it declares the function below it.

    Every claim is tested on all rooted trees of up to five leaves.

    Attributes
    ----------
    title, formula, cite : str
        The name in words, the definition, and the papers.
    content : {"clusters", "levels", "heights", "drawing"}
        Trees that agree in this have the same value.
    range : (float or Bound, float or Bound)
        The smallest and largest value. Both occur if ``tight`` is true.
    perfect : float or None
        The value of identical trees; None if it depends on them.
    unique : bool
        Whether only trees with the same clusters have the perfect value.
    mirror : str
        The index that has the same value with the trees swapped.
    agreement : {"larger", "smaller"}
        The values that mean more agreement.
    adjusted : bool
        Whether the mean over all permutations of the elements is 0.
    metric : bool
        Whether the value, or its distance from the perfect value, obeys the triangle inequality.
    against : {"tree", "partition"}
        The other side. The formula reads a ``TreePair`` or ``TruthLevels``.
    worked : sequence
        Examples: reference, candidate and value. Trees are in Newick notation without the semicolon. Each
        character of a partition is the label of one leaf, in the order of the leaf names.
    known_as : dict
        Names in other libraries.
    """

    title: str
    formula: str
    cite: str
    content: TreeContent
    range: tuple[float | Bound, float | Bound] = (0, 1)
    perfect: float | None = 1
    unique: bool = False
    mirror: str = "itself"
    agreement: Literal["larger", "smaller"] = "larger"
    adjusted: bool = False
    metric: bool = False
    tight: bool = True
    against: Literal["tree", "partition"] = "tree"
    worked: Sequence[tuple[str, str, float]] = ()
    known_as: Mapping[str, str] = field(default_factory=dict)
    # Set when it is declared.
    name: str = ""
    compute: Callable[..., float | Fraction] = _no_formula
    arguments: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, function: Callable[..., float | Fraction]) -> TreeIndex:
        """Declare the index of this function."""
        mirror = function.__name__ if self.mirror == "itself" else self.mirror
        declared = replace(self, name=function.__name__, compute=function, mirror=mirror)
        (TREE_INDICES if self.against == "tree" else TREE_PARTITION_INDICES).add(declared)
        return declared

    @property
    def summary(self) -> str:
        """The first paragraph of the docstring: what the value is."""
        return inspect.getdoc(self.compute).split("\n\n")[0].replace("\n", " ")  # type: ignore[union-attr]  # an index has a docstring

    @property
    def advice(self) -> str:
        """The rest of the docstring: when to use it, and what to beware of."""
        return " ".join(inspect.getdoc(self.compute).split("\n\n")[1:]).replace("\n", " ")  # type: ignore[union-attr]  # as above

    @property
    def symmetric(self) -> bool:
        return self.mirror == self.name.partition("(")[0]

    @property
    def direction(self) -> str:
        return "similarity" if self.agreement == "larger" else "distance"

    @property
    def range_text(self) -> str:
        """The range as it is printed."""
        return f"[{bound_text(self.range[0])}, {bound_text(self.range[1])}]"

    @property
    def parameters(self) -> Mapping[str, inspect.Parameter]:
        """The arguments of the formula apart from the trees, by name."""
        signature = inspect.signature(self.compute, eval_str=True)
        return {
            name: each
            for name, each in signature.parameters.items()
            if each.kind is inspect.Parameter.KEYWORD_ONLY
        }

    def bind(self, **arguments: Any) -> TreeIndex:
        """The same index with parameters set."""
        for key, value in arguments.items():
            if key not in self.parameters:
                offered = ", ".join(self.parameters) or "no parameters"
                raise ParameterError(f"{self.name} does not take {key!r}: it takes {offered}")
            if wording := complaint(self.parameters[key].annotation, value):
                raise ParameterError(f"{self.name}({key}={value!r}): {key} must be {wording}")
        spelled = ", ".join(f"{key}={value!r}" for key, value in arguments.items())
        return replace(self, name=f"{self.name}({spelled})", arguments=arguments) if arguments else self

    def bounds(self, size: int) -> tuple[float, float]:
        """The range as numbers, for trees with this many leaves."""
        low, high = (float(end.at(size)) if isinstance(end, Bound) else end for end in self.range)
        return low, high

    def assess(self, trees: TreePair, undefined: Undefined = "convention") -> tuple[float, bool]:
        """The value, and whether the formula is 0/0 here; then identical trees are perfect, others NaN."""
        try:
            return float(self.compute(trees, **self.arguments)), False
        except ZeroDivisionError as error:
            if self.perfect is not None and trees.identical:
                return float(self.perfect), True
            if undefined == "raise":
                raise UndefinedError(
                    f"{self.name} is undefined: {self.formula} divides by zero for these trees"
                ) from error
            return math.nan, True

    def value(self, trees: TreePair, undefined: Undefined = "convention") -> float:
        """The index of the two trees; if it is rational, rounded from the exact value."""
        return self.assess(trees, undefined)[0]

    def exact(self, trees: TreePair) -> Fraction:
        """The rational value itself, without rounding."""
        try:
            value = self.compute(trees, **self.arguments)
        except ZeroDivisionError as error:
            if self.perfect is not None and trees.identical:
                return Fraction(self.perfect)
            raise UndefinedError(f"{self.name} has no value here: {self.formula} divides by zero") from error
        if isinstance(value, float):
            raise NotRationalError(
                f"{self.name} = {self.formula} has no rational value; use its float instead"
            )
        return Fraction(value)

    def __repr__(self) -> str:
        return f"<TreeIndex {self.name}: {self.formula}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled by name: the declaration itself stays where it is."""
        return _named, (self.name.partition("(")[0], dict(self.arguments))


class TreeCatalogue(Mapping[str, TreeIndex]):
    """Indices of whole trees, by name. It also accepts names with parameters.

    >>> from concordant.hierarchies.tree_indices import TREE_INDICES
    >>> TREE_INDICES["entanglement(L=2)"].arguments
    {'L': 2}
    """

    def __init__(self) -> None:
        self._by_name: dict[str, TreeIndex] = {}

    def add(self, declared: TreeIndex) -> None:
        self._by_name[declared.name] = declared

    def __getitem__(self, spelling: str) -> TreeIndex:
        name, arguments = parsed(spelling, self._bound)
        return self._bound(name, arguments)

    def _bound(self, name: str, arguments: Mapping[str, Any]) -> TreeIndex:
        declared = self._by_name.get(plain_name(name))
        if declared is None:
            names = {each: each for each in self._by_name}
            elsewhere = [
                (library, each.name)
                for each in self._by_name.values()
                for library, known in each.known_as.items()
                if plain_name(name) in map(plain_name, known.split(", "))
            ]
            near = suggestion(name, names, elsewhere) or f"; there are {', '.join(names)}"
            raise UnknownIndexError(f"there is no index {name!r} of whole trees{near}")
        return declared.bind(**arguments)

    def __contains__(self, spelling: object) -> bool:
        return isinstance(spelling, str) and self.get(spelling) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)


TREE_INDICES = TreeCatalogue()  # of two trees
TREE_PARTITION_INDICES = TreeCatalogue()  # of a tree and a partition


def _named(name: str, arguments: dict[str, Any]) -> TreeIndex:
    declared = TREE_PARTITION_INDICES if name in TREE_PARTITION_INDICES else TREE_INDICES
    return declared[name].bind(**arguments)
