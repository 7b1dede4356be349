"""How often intervals hold the true value, and how often tests reject equal systems: `make coverage`.

Every regime draws samples from a population whose true value is known. Seeds are fixed, so every run on any
number of cores gives the same numbers. The command fails if an interval covers too rarely, or a test rejects
too often, without refusing. Set OMP_NUM_THREADS=1: there is one process for each core.

    python bench/coverage --jobs 16 --runs 400 --output results.jsonl
    python bench/coverage --only "Planned numbers,Versus by units" --output some.jsonl
    python bench/coverage --read results.jsonl some.jsonl --page docs/internals/coverage.md
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import os
import sys
import time
import traceback
import zlib
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import designs
import numpy as np
import records
import sums
from parts import FEW, LEAST_COVERAGE, LEVELS, MOST_REJECTIONS, Regime, Result, Share, at
from scipy.stats import binom

from concordant.errors import ConcordantError

PAGE = Path(__file__).parents[2] / "docs" / "internals" / "coverage.md"
TAIL = 0.025  # at which a share is judged worse than the limits: about two standard errors
Row = tuple[str, str, str, Result]  # table, row, case and what was found


def regimes() -> list[Regime]:
    return [*records.regimes(), *sums.regimes(), *designs.regimes()]


def run(task: tuple[int, int]) -> Row:
    place, runs = task
    regime = regimes()[place]
    seed = zlib.crc32(f"{regime.table}: {regime.title}".encode())
    found = regime.simulate(np.random.default_rng(seed), max(round(runs / regime.cost), 1))
    return regime.table, regime.row, regime.case, found


def simulate(places: list[int], runs: int, jobs: int, minutes: float) -> Iterator[Row]:
    """The regimes as they end; those that have not ended in time are left out."""
    deadline = time.monotonic() + 60 * minutes
    with multiprocessing.Pool(jobs, maxtasksperchild=20) as pool:
        waiting = pool.imap_unordered(run, [(place, runs) for place in places])
        for done in range(len(places)):
            try:
                yield waiting.next(max(deadline - time.monotonic(), 0.01))
            except multiprocessing.TimeoutError:
                print(f"{len(places) - done} regimes were not simulated in time", file=sys.stderr)
                return
            except (ConcordantError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
                traceback.print_exc()  # the others go on


def written(row: Row) -> str:
    """One line of a file of results: hits, answers, refusals and the sum of widths."""
    table, title, case, found = row
    counts = {name: [each.hits, each.answers, each.refused, each.width] for name, each in found.items()}
    return json.dumps([table, title, case, counts], ensure_ascii=False)


def read(paths: Iterable[Path]) -> list[Row]:
    """The rows of files; a later result replaces an earlier one of the same regime."""
    found: dict[tuple[str, str, str], Result] = {}
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            table, title, case, counts = json.loads(line)
            own = {name: Share(*each) for name, each in counts.items()}
            found.setdefault((table, title, case), {}).update(own)
    return [(*key, result) for key, result in found.items()]


LIMITS = {
    **{f" {at(level)}": (least, True) for level, least in LEAST_COVERAGE.items()},
    "p ≤ .05": (MOST_REJECTIONS, False),
    "p ≤ .01": (0.012, False),
    "agrees": (1.0, True),
    "power": None,
    "found": None,
}


def limit_of(table: str, name: str) -> tuple[float, bool] | None:
    """The limit of a share and whether it is the least one; None for a share without one."""
    if "assurance" in name:
        return float(name.rpartition(" ")[2].rstrip("%")) / 100, True
    usual = (MOST_REJECTIONS, False) if table in records.TESTS else (LEAST_COVERAGE[0.95], True)
    return next((limit for end, limit in LIMITS.items() if name.endswith(end)), usual)


def failures(rows: list[Row]) -> list[str]:
    """Intervals that cover too rarely and tests that reject too often, by exact binomial tests."""
    found = []
    for table, title, case, result in rows:
        for name, share in result.items():
            limit = limit_of(table, name)
            if limit is None or share.answers < FEW:
                continue
            value, is_least = limit
            cdf = binom.cdf(share.hits, share.answers, value)
            tail = cdf if is_least else binom.sf(share.hits - 1, share.answers, value)
            if tail < TAIL and (share.share < value) == is_least:
                found.append(f"{table}: {title}, {case}: {name} {share}")
    return found


def worst(limit: tuple[float, bool] | None, shares: list[Share]) -> str:
    """The lowest coverage or the highest rejection rate, among those with enough answers."""
    answered = [share for share in shares if share.answers >= FEW]
    if not answered:
        return "few" if any(share.answers for share in shares) else "refused"
    is_least = limit is None or limit[1]
    shown = (min if is_least else max)(answered, key=lambda share: share.share)
    refused = max(share.refused / (share.refused + share.answers) for share in shares)
    return f"{shown.share:.3f}" + (f" ({refused:.0%})" if refused >= 0.005 else "")


def column_of(name: str) -> str:
    """The column of a result: for indices at several levels or tests, what all indices share.

    >>> column_of("f_measure 95%"), column_of("approximate reached, assurance 80%"), column_of("f_measure")
    ('95%', 'approximate, 80%', 'f_measure')
    """
    kinds = (*map(at, LEVELS), "p ≤ .05", "p ≤ .01", "power", "agrees", "found")
    for end in (f" {kind}" for kind in kinds):
        if name.endswith(end):
            head = name.partition(" ")[0] + ", " if "assurance" in name else ""
            head = "Holm, " if "family" in name else "noninferior, " if name.startswith("non") else head
            return head + end.strip()
    if "assurance" in name:
        return f"{name.partition(' ')[0]}, {name.rpartition(' ')[2]}"
    return name


def page(rows: list[Row], machine: str) -> str:
    order = [table for table in EXPLAINED if any(each[0] == table for each in rows)]
    runs = sorted(max(share.answers + share.refused for share in result.values()) for *_, result in rows)
    usual = runs[len(runs) // 2]
    error = math.sqrt(0.95 * 0.05 / usual)
    found = failures(rows)
    lines = f"""# Simulated coverage

95% intervals should contain the true value in 95% of runs, and 5% tests should reject equal systems in at
most 5%. `make coverage` simulated {len(rows):,} regimes ({datetime.now(UTC):%-d %B %Y}, {machine}).
Half of them have at least {usual:,} runs; one standard error of a share of .95 is then {error:.3f}.

A row combines several cases, such as sample sizes and indices. It shows the worst result: the lowest coverage
of an interval, or the highest rejection rate of a test. A run is refused if the method gives no answer, or
warns that it does not apply. Refused runs are not counted; brackets show their largest share. "few" means
fewer than {FEW} answers.

## The worst of every procedure

{overview(rows, order)}

Outside the limits are results more than two standard errors below .78, .88, .93 or .975, or above .055. Of so
many results, some are outside by chance. The others are named as limits where their procedure is described:
[differences](../trust.md#is-one-system-better-than-another),
[estimates](../trust.md#how-good-is-the-whole-clustering),
[slices](../slices.md#is-a-slice-worse-than-the-rest) and [changes](../diff.md).
""".splitlines()
    if found:
        lines += ["", *(f"- {each}" for each in found)]
    for name in order:
        lines += [
            "",
            f"## {name}",
            "",
            EXPLAINED[name],
            "",
            *table([each for each in rows if each[0] == name]),
        ]
    return "\n".join([*lines, ""])


def overview(rows: list[Row], order: list[str]) -> str:
    """The worst result of each procedure, as a table."""
    shown = (*map(at, LEVELS), "p ≤ .05", "p ≤ .01")
    lines = [
        f"| procedure | regimes | results | {' | '.join(shown)} | outside the limits |",
        "|---" * (4 + len(shown)) + "|",
    ]
    for name in order:
        own = [each for each in rows if each[0] == name]
        columns: dict[str, list[Share]] = {}
        for *_, result in own:
            for each, share in result.items():
                column = column_of(each)
                if column not in shown:
                    is_test = limit_of(name, each) == (MOST_REJECTIONS, False)
                    column = "p ≤ .05" if is_test else "95%" if column == each else ""
                columns.setdefault(column, []).append(share)
        cells = (
            worst((0, not each.startswith("p")), columns[each]).partition(" ")[0] if each in columns else ""
            for each in shown
        )
        number = sum(map(len, columns.values()))
        lines.append(f"| {name} | {len(own)} | {number:,} | {' | '.join(cells)} | {len(failures(own))} |")
    return "\n".join(lines)


def table(rows: list[Row]) -> list[str]:
    """The worst result of each row of a procedure, and the cases that it combines."""
    found: dict[str, dict[str, list[Share]]] = {}
    limits, cases = {}, {}
    for name, row, case, result in rows:
        cases.setdefault(row, []).append(case)
        for each, share in result.items():
            if not each.endswith("power"):
                column = column_of(each)
                limits[column] = limit_of(name, each)
                found.setdefault(row, {}).setdefault(column, []).append(share)
    columns = sorted(limits, key=lambda each: (*map(at, LEVELS), each).index(each))
    of_row = {row: "; ".join(each) for row, each in cases.items()}
    has_own, same = len(set(of_row.values())) > 1, of_row[rows[0][1]]
    lines = [f"Cases of each row: {same}.", ""] if same and not has_own else []
    lines += ["| | " + " | ".join([*columns, *["cases"] * has_own]) + " |"]
    lines += ["|---" * (len(columns) + 1 + has_own) + "|"]
    for row, held in found.items():
        cells = [worst(limits[name], held[name]) if name in held else "" for name in columns]
        lines.append("| " + " | ".join([row, *cells, *[of_row[row]] * has_own]) + " |")
    return lines


EXPLAINED = {**records.EXPLAINED, **sums.EXPLAINED, **designs.EXPLAINED}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runs", type=int, default=400, help="samples of each regime")
    parser.add_argument("--only", default="", help="only tables or titles with one of these words, by comma")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes")
    parser.add_argument("--minutes", type=float, default=math.inf, help="stop after so many")
    parser.add_argument("--output", type=Path, help="write the counts of every regime to this file")
    parser.add_argument("--read", type=Path, nargs="+", help="files of counts, instead of simulating")
    parser.add_argument("--machine", default=f"{os.cpu_count()} cores", help="how the page names the machine")
    parser.add_argument("--page", type=Path, help="write the page to this file")
    options = parser.parse_args()
    if options.read:
        rows = read(options.read)
    else:
        every, words = regimes(), options.only.split(",")
        titles = [f"{each.table}: {each.title}" for each in every]
        places = [k for k, title in enumerate(titles) if any(word in title for word in words)]
        limit = min(options.minutes, 10_000)
        rows = []
        if options.output:
            options.output.write_text("", encoding="utf-8")
        for row in simulate(places, options.runs, options.jobs, limit):
            rows.append(row)
            table, title, case, found = row
            shares = ", ".join(f"{name} {share}" for name, share in found.items())
            print(f"{table}: {title}, {case}: {shares}", flush=True)
            if options.output:
                with options.output.open("a", encoding="utf-8") as file:
                    file.write(written(row) + "\n")
    order = {f"{each.table}: {each.title}": k for k, each in enumerate(regimes())}
    rows.sort(key=lambda row: order.get(f"{row[0]}: {', '.join(filter(None, row[1:3]))}", len(order)))
    if options.page:
        options.page.write_text(page(rows, options.machine), encoding="utf-8")
    if found := failures(rows):
        sys.exit("\n".join(["outside the limits:", *found]))


if __name__ == "__main__":
    main()
