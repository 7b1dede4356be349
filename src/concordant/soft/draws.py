"""Draws of a posterior: many partitions of the same records, and the share of each."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.arithmetic import Integers
from concordant.soft.gram import SoftPairSums, gram_of
from concordant.soft.memberships import Memberships


@dataclass(frozen=True, slots=True, eq=False)
class PosteriorDraws:
    """Many partitions of the records, and the share of each."""

    codes: Integers  # a row for each record, a column for each draw
    shares: list[Fraction]

    def __len__(self) -> int:
        return len(self.codes)

    def taken(self, positions: NDArray[np.signedinteger[Any]]) -> PosteriorDraws:
        """The records at these positions; position -1 is a singleton of every draw."""
        absent = positions < 0
        codes = self.codes[positions]
        codes[absent] = (len(self.codes) + np.arange(int(absent.sum())))[:, None]
        return PosteriorDraws(codes, self.shares)


def squared_overlaps(u: PosteriorDraws, v: PosteriorDraws, threads: int) -> NDArray[np.float64]:
    """Σn² over the overlaps of each two draws of both; whole numbers."""
    codes = np.concatenate([u.codes, v.codes], axis=1)
    columns = [core.factorize(np.ascontiguousarray(codes[:, b]))[0] for b in range(codes.shape[1])]
    flat = np.stack(columns, axis=1).reshape(-1)
    ones: Any = np.ones(len(codes), dtype=np.int64)
    sums = core.draw_overlaps(flat, ones, [1.0] * codes.shape[1], "binder", threads)
    return np.array(sums).reshape(codes.shape[1], codes.shape[1])


def sums_of_draws(u: PosteriorDraws, v: PosteriorDraws, threads: int) -> SoftPairSums:
    """p is the share of draws that hold a pair together, so products are means over pairs of draws."""
    squares = squared_overlaps(u, v, threads)
    size, own = len(u), len(u.shares)

    def mean(rows: slice, columns: slice, one: list[Fraction], other: list[Fraction]) -> Fraction:
        """The mean number of pairs together in both of two draws."""
        (weights, total), (other_weights, other_total) = whole_shares(one), whole_shares(other)
        table = (squares[rows, columns].astype(np.int64) - size).astype(object)  # twice the pairs
        return Fraction(int(weights @ table @ other_weights), 2 * total * other_total)

    first, second = slice(0, own), slice(own, None)
    clusters = [Fraction(int(each) - size, 2) for each in np.diag(squares)]
    return SoftPairSums(
        size,
        p=sum((share * pairs for share, pairs in zip(u.shares, clusters[:own], strict=True)), Fraction(0)),
        q=sum((share * pairs for share, pairs in zip(v.shares, clusters[own:], strict=True)), Fraction(0)),
        pp=mean(first, first, u.shares, u.shares),
        qq=mean(second, second, v.shares, v.shares),
        pq=mean(first, second, u.shares, v.shares),
    )


def whole_shares(shares: list[Fraction]) -> tuple[NDArray[Any], int]:
    """Shares as integers, and their common denominator."""
    total = math.lcm(*(share.denominator for share in shares))
    return np.array([int(share * total) for share in shares], dtype=object), total


def sums_of_mixed(draws: PosteriorDraws, rows: Memberships, threads: int) -> SoftPairSums:
    """Draws against weights: a Gram matrix for each draw."""
    own = sums_of_draws(draws, draws, threads)
    pq, last = Fraction(0), own
    for share, codes in zip(draws.shares, draws.codes.T, strict=True):
        column, first = core.factorize(np.ascontiguousarray(codes))
        hard = Memberships.of_codes(column, len(first), rows.scale)
        pieces = ((hard.piece(some), rows.piece(some)) for some in rows.chunks())
        last = gram_of(pieces, (len(first), rows.columns), rows.scale, threads).pair_sums
        pq += share * last.pq
    return SoftPairSums(own.size, p=own.p, q=last.q, pp=own.pp, qq=last.qq, pq=pq)
