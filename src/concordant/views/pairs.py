"""Pairs of elements, by whether each partition holds them together."""

from __future__ import annotations

from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, ClassVar, Self

from concordant.counts.offers import Need
from concordant.counts.profile import Profile, View, ViewT


class _Counts(View):
    """A view that is a dataclass of integers."""

    __slots__ = ()

    def exactly(self) -> Self:
        """The same counts as Fractions."""
        values = (Fraction(getattr(self, f.name)) for f in fields(self))  # type: ignore[arg-type]  # subclasses are dataclasses
        return type(self)(*values)


@dataclass(frozen=True, slots=True)
class Pairs(_Counts):
    """Pairs of elements, counted by whether each partition holds them together (1) or apart (0)."""

    needs: ClassVar[Need] = Need.PAIRS

    n11: int
    n10: int
    n01: int
    n00: int
    size: int

    @classmethod
    def of(cls, profile: Profile, exact: bool) -> Self:
        squares = (profile.total(sizes) for sizes in (profile.n, profile.a, profile.b))
        pairs = cls.from_squares(profile.size, *squares)
        return pairs.exactly() if exact else pairs

    @classmethod
    def by_chance(cls, profile: Profile) -> Self:
        pairs = cls.of(profile, exact=True)
        return pairs.with_n11(pairs.in_u * pairs.in_v / pairs.all if pairs.all else Fraction(0))

    def with_n11(self, n11: Any) -> Self:
        """As many pairs together in each partition, and so many in both."""
        in_u, in_v = self.in_u, self.in_v
        return type(self)(n11, in_u - n11, in_v - n11, self.all - in_u - in_v + n11, self.size)

    @classmethod
    def from_squares(cls, size: int, nn: int, aa: int, bb: int) -> Self:
        """From the sums of the squares of the overlaps and of the cluster sizes of both sides."""
        n11 = (nn - size) // 2
        n10 = (aa - nn) // 2
        n01 = (bb - nn) // 2
        return cls(n11, n10, n01, size * (size - 1) // 2 - n11 - n10 - n01, size)

    @property
    def all(self) -> int:
        """All pairs, n(n-1)/2."""
        return self.n11 + self.n10 + self.n01 + self.n00

    @property
    def in_u(self) -> int:
        """Pairs together in the reference."""
        return self.n11 + self.n10

    @property
    def in_v(self) -> int:
        """Pairs together in the candidate."""
        return self.n11 + self.n01


class PairProfile:
    """The part of a profile that indices of pairs read; it is counted faster than the triples."""

    __slots__ = ("_pairs", "size")

    def __init__(self, pairs: Pairs) -> None:
        self._pairs, self.size = pairs, pairs.size

    @property
    def identical(self) -> bool:
        """Partitions differ where one of them holds a pair together that the other does not."""
        return not (self._pairs.n10 or self._pairs.n01)

    def view(self, kind: type[ViewT], exact: bool = False) -> ViewT:
        if kind is not Pairs:
            raise TypeError(f"only pairs were counted, and {kind.__name__} needs the profile")
        pairs: Any = self._pairs.exactly() if exact else self._pairs
        view: ViewT = pairs
        return view
