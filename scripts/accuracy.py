"""Measure relative errors, and write docs/internals/accuracy.md: `python scripts/accuracy.py`."""

from __future__ import annotations

import math
import platform
import random
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [
    str(ROOT / "tests"),
    str(ROOT / "tests" / "support"),
]  # where the reference is written from the definitions

import accuracy  # noqa: E402  (found by the line above)

from concordant import INDICES  # noqa: E402  (after the reference, which must not need it)
from concordant.counts import number_of_tables as table_counts  # noqa: E402  (after the reference, which must not need it)

PAGE = """\
# Numerical accuracy

In tests on {tables} contingency tables of {smallest:,} to {largest:,} elements, the relative error
of every index was below {rule:.0e}, except for `ami_q` with q below 1 (below 1e-9). Rational indices
are rounded once, from their exact value.

The table shows the largest error in each index family, for each kind of contingency table.
`scripts/accuracy.py` prints the error of every index. The reference is an independent implementation with
eighty digits. If an index is a small difference, the error is relative to that difference.
Measured by `scripts/accuracy.py` on {date} (Python {python}, {machine}).

{rows}

**Adjusted mutual information near 0.** MI and E[MI] were each accurate to 5e-15. If their difference is
two hundred times smaller, it is still accurate to 1e-12; smaller differences lose digits.

**`adjusted_jaccard`** enumerates all tables with the given cluster sizes, and raises an error if there
are too many. With two clusters on each side, it works for several thousand elements. Beyond the limit,
`c.adjusted("jaccard")` returns an estimate with its standard error.

**`ami_models` and `adjusted_rand_models`** are tested against an enumeration of all partitions of small sets.
`ami_models` was within 4e-15 of the reference for 12 to 100 elements.

## Number of contingency tables

`reduced_mutual_information` needs log Ω, where Ω is the number of tables with the given margins. Ω is
counted exactly if one side has two clusters, or if counting takes fewer than a million steps. Otherwise,
log Ω is the mean of two estimates (Jerdee, Kirkley and Newman). The table shows the error of this mean
against exact counts; the index divides it by n.

{estimates}
"""


def main() -> None:
    cases = list(accuracy.tables())
    kinds = list(dict.fromkeys(kind for kind, _, _ in cases))
    worst: dict[tuple[str, str], float] = {}
    for kind, size, table in cases:
        print(kind, f"{size:.0e}", table, flush=True)
        for name, error in accuracy.errors(table):
            worst[name, kind] = max(error, worst.get((name, kind), 0.0))
    for (name, kind), error in worst.items():
        print(f"{name}, {kind}: {error:.0e}")
    page = PAGE.format(
        date=datetime.now(UTC).date(),
        python=platform.python_version(),
        machine=platform.machine(),
        tables=len(cases),
        smallest=min(size for _, size, _ in cases),
        largest=max(size for _, size, _ in cases),
        rule=accuracy.RULE,
        rows=_table(("index family", *kinds), list(_rows(worst, kinds))),
        estimates=_table(("margins", "counts", "mean error", "largest error"), list(_estimates())),
    )
    (ROOT / "docs" / "internals" / "accuracy.md").write_text(page, encoding="utf-8")
    loose = [(key, e) for key, e in worst.items() if e > accuracy.LOOSER.get(key[0], accuracy.RULE)]
    print(
        "wrote docs/internals/accuracy.md;",
        f"errors above the limit: {loose}" if loose else "all errors are below the limit",
    )


def _rows(worst: dict[tuple[str, str], float], kinds: list[str]) -> Iterator[tuple[str, ...]]:
    """Each family, and each index with a looser rule on its own."""
    of_row: dict[str, dict[str, float]] = {}
    for (name, kind), error in worst.items():
        row = f"`{name}`" if name in accuracy.LOOSER else INDICES[name.partition("(")[0]].family
        errors = of_row.setdefault(row, dict.fromkeys(kinds, 0.0))
        errors[kind] = max(error, errors[kind])
    for row, errors in of_row.items():
        yield row, *map(_shown, errors.values())


def _shown(error: float) -> str:
    return "0" if error < 1e-17 else f"{error:.0e}"


def _table(header: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [header, tuple("---" for _ in header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


# -- estimates of log Ω -----------------------------------------------------------------------------------


def _estimates() -> Iterator[tuple[str, ...]]:
    for n in (13, 14):
        shapes = [shape for shape in _shapes(n, n) if 1 < len(shape) < n]
        pairs = [(a, b) for i, a in enumerate(shapes) for b in shapes[i:]]
        yield _measured(f"all pairs of shapes of {n} elements", pairs)
    rng = random.Random(20)  # noqa: S311  (margins, not secrets)
    drawn = [tuple(_drawn(rng, n) for _ in range(2)) for n in (20, 24, 28) for _ in range(100)]
    yield _measured("random margins of 20 to 28 elements, 3 to 7 clusters", drawn)


def _measured(label: str, pairs: list[tuple[tuple[int, ...], ...]]) -> tuple[str, ...]:
    found = [
        abs(table_counts.estimated_log_tables(Counter(a), Counter(b)) - math.log(_tables(a, b)))
        for a, b in pairs
    ]
    print(label, flush=True)
    return label, f"{len(found):,}", f"{math.fsum(found) / len(found):.3f}", f"{max(found):.2f}"


def _drawn(rng: random.Random, n: int) -> tuple[int, ...]:
    clusters = rng.randint(3, 7)
    cuts = sorted(rng.sample(range(1, n), clusters - 1))
    return tuple(sorted(y - x for x, y in zip([0, *cuts], [*cuts, n], strict=True)))


def _shapes(n: int, largest: int) -> list[tuple[int, ...]]:
    if n == 0:
        return [()]
    return [(*rest, x) for x in range(min(n, largest), 0, -1) for rest in _shapes(n - x, x)]


@cache
def _tables(rows: tuple[int, ...], columns: tuple[int, ...]) -> int:
    """Row by row; what is left of the columns matters only up to their order."""
    if not rows:
        return 1
    return sum(ways * _tables(rows[1:], left) for left, ways in _fillings(rows[0], columns).items())


@cache
def _fillings(units: int, columns: tuple[int, ...]) -> dict[tuple[int, ...], int]:
    if not columns:
        return {(): 1} if units == 0 else {}
    found: Counter[tuple[int, ...]] = Counter()
    for taken in range(min(units, columns[0]) + 1):
        for rest, ways in _fillings(units - taken, columns[1:]).items():
            left = columns[0] - taken
            found[tuple(sorted((*rest, left))) if left else rest] += ways
    return dict(found)


if __name__ == "__main__":
    main()
