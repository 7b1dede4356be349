"""Information theory: what it costs to describe one partition by the other.

H entropy, in nats unless a base is given; b the sizes of the candidate's clusters, K the number of the
reference's.
"""

from __future__ import annotations

import math

from concordant.catalogue.index import index
from concordant.catalogue.parameters import LogBase
from concordant.counts.arithmetic import Number
from concordant.counts.information import Information
from concordant.views.sizes import Sizes
from concordant.views.table_counts import log_binomial


def _cost_of_counts(sizes: dict[int, int], k: int, n: int) -> float:
    """(1/n) Σ log C(size+K−1, K−1): telling how each cluster's elements fall into K clusters."""
    return math.fsum([count * log_binomial(size, k - 1) for size, count in sizes.items()]) / max(n, 1)


@index(
    title="Dom's Q0",
    formula="H(U|V) + (1/n) Σ log C(b+K−1, K−1)",
    range=(0, math.inf),
    mirror=None,
    aliases=("dom",),
    linear=True,
    shares="information",
    cite="Dom 2001, IBM Research Report RJ 10219",
    known_as={"river-extra": "Q0"},
    worked=(
        ("0000", "0123", 0),
        ("0011", "0000", math.log(2) + math.log(5) / 4),
        ("0011", "0011", math.log(3) / 2),
    ),
)
def dom_q0(i: Information, s: Sizes, *, base: LogBase = math.e) -> Number:
    """How long a message about the reference must be, per element, to a receiver who knows the candidate.

    The conditional entropy plus the cost of sending the counts, so that many small clusters are
    not free. Identical partitions do not score zero; dom_q2 puts it on a scale.
    """
    known = _cost_of_counts(s.columns, sum(s.rows.values()), s.size)
    return (i.h_u_given_v + known) / math.log(base)


@index(
    title="Dom's Q2",
    formula="(1/n) Σ log C(a+K−1, K−1) / Q₀",
    range=(0, 1),
    perfect=1,
    undefined=1,
    mirror=None,
    tight=False,
    shares="information",
    cite="Dom 2001, IBM Research Report RJ 10219",
    known_as={"river-extra": "Q2"},
    worked=(("0011", "0000", math.log(3) / 2 / (math.log(2) + math.log(5) / 4)),),
)
def dom_q2(i: Information, s: Sizes) -> Number:
    """The shortest message, sent when the candidate is the reference, relative to the message needed.

    1 for identical partitions; never 0. Undefined, and taken as 1, for a reference of one cluster,
    which needs no message.
    """
    k = sum(s.rows.values())
    return _cost_of_counts(s.rows, k, s.size) / (i.h_u_given_v + _cost_of_counts(s.columns, k, s.size))
