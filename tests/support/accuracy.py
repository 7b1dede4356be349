"""How many digits of an index are right: tables of the hard kinds, and a reference of eighty digits for each.

Used by scripts/accuracy.py, which writes docs/internals/accuracy.md, and by tests/indices/test_accuracy.py.
"""

from __future__ import annotations

import json
import math
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
from inner import INDICES
from mpmath import mpf
from oracle_tables import TableOracle, number

import concordant as cc
from concordant.errors import TooLargeError

SIZES = tuple(10**digits for digits in (3, 6, 9, 12, 15))

# Relative error that every index keeps to, but for those named below.
RULE = 1e-12

# Powers below one are steep at zero, and no line is close to them both at the mean and far above it.
LOOSER = {"ami_q(q=0.5)": 1e-9}


@cache
def formulas():
    """A formula, over the quantities of TableOracle, for every index and some of its parameters."""
    found = {}
    for path in sorted((Path(__file__).parents[1] / "golden").glob("formulas*.json")):
        found |= {name: (e["formula"], e["undefined"]) for name, e in json.loads(path.read_text()).items()}
    # Partitions drawn at random are counted one by one: a matter of few elements, see test_indices.py.
    found = {name: entry for name, entry in found.items() if "_models" not in name}
    found |= {f"ami_q(q={q})": (f"ami_order({q}) if proper else 0", 0) for q in (0.5, 2, 3)}
    found["ami_q"] = ("ami_order(1.5) if proper else 0", 0)
    found["generalised_merge_distance(split='information')"] = ("HUV-HU+m-L", None)
    found["mutual_information(base=2)"] = ("MI/log(2)", None)
    found["f_measure(beta=0.001)"] = ("(1+B)*yy/((1+B)*yy+B*yn+ny)".replace("B", "F(0.001)**2"), None)
    return found


def tables(sizes=SIZES):
    """(kind, number of elements, table): few clusters, and as many elements as one likes."""
    for n in sizes:
        s = math.isqrt(n)
        for kind, table in (
            ("near identity", [[n // 2 - 1, 1], [0, n - n // 2]]),
            ("near identity", [[n // 2 - 3, 1], [2, n - n // 2]]),
            ("near identity", [[n // 2, 0, 1], [0, n // 4, 0], [0, 2, n // 4]]),
            ("near independence", [[n // 4, n // 4], [n // 4, n // 4 + 1]]),
            ("near independence", [[n // 4 + s, n // 4 - s], [n // 4 - s // 2, n // 4 + s]]),
            ("near independence", [[n // 6 + 1, n // 3], [n // 6, n // 3]]),
            ("near independence", [[n // 10 + s, n // 10, n // 5 - s], [n // 10, n // 10, 2 * n // 5]]),
            (
                "near independence",
                [[n // 9 + s, n // 9, n // 9 - s], [n // 9, n // 9 + 2, n // 9], [n // 9] * 3],
            ),
            ("one cluster dominates", [[n - 5, 2], [3, 0]]),
            ("one cluster dominates", [[n - 4, 1], [2, 1]]),
            ("one cluster dominates", [[n - 9, 1, 2], [2, 0, 1], [2, 1, 0]]),
            ("one cluster dominates", [[n - 4, 1, 1], [1, 0, 0], [1, 0, 0]]),
            ("one cluster dominates", [[n - 4 * s, s], [s, 2 * s]]),
            ("something of each", [[n // 2, n // 5, 3], [7, n // 10, 1], [s, 2 * s, 0]]),
        ):
            yield kind, n, table


def many_sizes(clusters=401, scale=10**9):
    """Nearly identical partitions of so many cluster sizes that sums of fractions are sums of floats."""
    sizes = [scale + 7 * i * i for i in range(clusters)]
    # One element of each cluster has gone to the next, that of the last is alone.
    table = np.zeros((clusters, clusters + 1), dtype=np.int64)
    places = np.arange(clusters)
    table[places, places] = np.array(sizes) - 1
    table[places, places + 1] = 1
    return cc.Comparison.from_contingency(table)._counts


def exact_value(name, oracle):
    """The value in eighty digits; None where the index is not defined and says so."""
    formula, undefined = formulas()[name]
    try:
        return number(oracle.evaluate(formula))
    except ZeroDivisionError:
        return None if undefined is None or math.isnan(float(undefined)) else mpf(undefined)


def relative_error(value, wanted):
    """Of a value that is nothing, the value itself counts, and any but the smallest is all wrong."""
    if wanted is None or math.isnan(value):
        return 0.0 if wanted is None and math.isnan(value) else math.inf
    if isinstance(wanted, Fraction):
        return float(abs((Fraction(value) - wanted) / wanted)) if wanted else float(abs(value))
    # Eighty digits of the summands: what is this small beside them is nothing.
    if wanted == 0 or (abs(wanted) < mpf(10) ** -75 and abs(value) < 1e-300):
        return 0.0 if abs(value) < 1e-300 else math.inf
    return float(abs((mpf(value) - wanted) / wanted))


def errors(table, names=None):
    """(name, relative error) of every index, or of those, on a table."""
    oracle, profile = TableOracle(table), cc.Comparison.from_contingency(table)._counts
    for name in names or formulas():
        try:
            wanted, value = exact_value(name, oracle), INDICES[name].value(profile)
        except NotImplementedError:
            continue  # what the oracle cannot count for so many clusters or elements
        except TooLargeError:
            continue  # what the library refuses to list
        yield name, relative_error(value, wanted)
