"""Run every target that is not run regularly: `make weekly`.

    python scripts/weekly.py [TARGET ...]        # all, or some of them

A target that fails does not stop the others. The output of each is in build/weekly/TARGET.log. A table at the
end shows the outcome of each, and the exit status is 1 if one failed. `make weekly SECONDS=3600` passes the
variable on.

Targets that change files of the repository (locks, gallery, the full benchmarks) or need a GPU or a quiet
machine are left out. So is release-check: its builds and checks are those of wheels, and until the address of
the repository is set, it fails.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
LOGS = ROOT / "build" / "weekly"
TARGETS = {  # with the variables of each
    "test-all": (),
    "recipes": (),
    "peers": (),
    "coverage-of-tests": (),
    "mutate": ("CHECK=1",),
    "messages": (),
    "verifytypes": (),
    "sanitize": (),
    "fuzz": (),
    "coverage": ("PAGE=build/weekly/coverage.md",),
    "site": (),
    "portable": (),
    "reproducible": (),
    "wheels": (),
    "bench-quick": (),
    "bench-tables-quick": (),
}


def last_line(log: Path) -> str:
    """The last line of a target's own output; lines of make only repeat that it failed."""
    lines = log.read_text(encoding="utf-8", errors="replace").split("\n")
    lines = [line.strip() for line in lines if line.strip()]
    own = [line for line in lines if not line.startswith("make")]
    return (own or lines or [""])[-1]


def main() -> None:
    LOGS.mkdir(parents=True, exist_ok=True)
    rows, failed = [("target", "outcome", "minutes", "last line of the log")], []
    for target in sys.argv[1:] or TARGETS:
        log = LOGS / f"{target}.log"
        print(f"make {target} > {log.relative_to(ROOT)}", flush=True)
        start = time.monotonic()
        with log.open("w") as output:
            command = ["make", target, *TARGETS.get(target, ())]
            ran = subprocess.run(command, cwd=ROOT, stdout=output, stderr=output, check=False)  # noqa: S603  (our own targets)
        minutes = f"{(time.monotonic() - start) / 60:.1f}"
        rows.append((target, "failed" if ran.returncode else "passed", minutes, last_line(log)))
        failed += [target] if ran.returncode else []
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    print()
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
