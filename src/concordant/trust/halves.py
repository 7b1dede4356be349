"""Intervals for indices that choose a partner for each cluster: purity and matching accuracy.

The partners fit the sample that they are chosen on, so the value is too high. Partners that are chosen on one
random half of the records and counted on the other half give a value that is too low. The interval reaches
from the lower limit of the one to the upper limit of the other.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from concordant.catalogue.index import Index
from concordant.counts.arithmetic import Integers
from concordant.counts.overlaps import largest_in
from concordant.counts.profile import Profile
from concordant.counts.table import Table
from concordant.errors import TooLargeError
from concordant.trust.ends import Ends
from concordant.trust.tails import clopper_pearson
from concordant.views.assignment import one_to_one

_MOST_RECORDS = 2**53

Partners = Callable[[Table, Integers], Integers]


def _best_of_columns(table: Table, n: Integers) -> Integers:
    return largest_in(table.column, n)


def _best_of_rows(table: Table, n: Integers) -> Integers:
    return largest_in(table.row, n)


def _one_to_one(table: Table, n: Integers) -> Integers:
    some = np.flatnonzero(n)
    return some[one_to_one(table.row[some], table.column[some], n[some])]


# The cells of the partners, where cells have these numbers of records.
PARTNERS: dict[str, Partners] = {
    "purity": _best_of_columns,
    "inverse_purity": _best_of_rows,
    "matching_accuracy": _one_to_one,
    "classification_error": _one_to_one,
}


def halves_interval(profile: Profile, index: Index, *, level: float, seed: int) -> Ends:
    """Interval of an index of ``PARTNERS``, for records that are a random sample.

    The limits are those of Clopper & Pearson (1934), Biometrika 26:404.

    >>> from concordant import INDICES
    >>> profile = Profile.from_contingency([[40, 3], [2, 35]])
    >>> found = halves_interval(profile, INDICES["purity"], level=0.95, seed=0)
    >>> found.estimate, round(found.low, 4), round(found.high, 4)
    (0.9375, 0.8132, 0.9794)
    """
    table, size = profile.table, profile.size
    if size > _MOST_RECORDS:
        raise TooLargeError(f"{size:,} records are too many to split at random")
    partners = PARTNERS[index.name]
    n = table.n.astype(np.int64)
    half = np.random.default_rng(seed).binomial(n, 0.5)
    right = 0
    for chosen_on, counted_on in ((half, n - half), (n - half, half)):
        cells = partners(table, chosen_on)
        right += int(counted_on[cells][chosen_on[cells] > 0].sum())
    best = int(n[partners(table, n)].sum())
    low, high = clopper_pearson(right / 2, size / 2, level)[0], clopper_pearson(best, size, level)[1]
    value = best / size
    se = math.sqrt(value * (1 - value) / size)
    if index.perfect == 0:
        low, high, value = 1 - high, 1 - low, 1 - value
    return Ends(low, high, se, value, "two random halves", seed=seed)
