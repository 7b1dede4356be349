"""Build the wheel twice, in two folders, and compare the two bit by bit.

    python scripts/check_reproducible.py        (make reproducible)

The wheel is named by its SHA-256, so others can compare a build of the same source with the same compiler.
"""

import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]


def told(*command: str) -> str:
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout  # noqa: S603


def copy(folder: Path) -> None:
    """The files of the repository, without other files next to them."""
    folder.mkdir()
    files = told("git", "ls-files", "-z").split("\0")
    for name in filter(None, files):
        source, target = ROOT / name, folder / name
        if source.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.read_bytes())


def wheel(folder: Path, date: str) -> Path:
    """Build the source in a folder; the date of the last commit replaces the time of the build."""
    command = [sys.executable, "-m", "build", "--wheel", "--outdir", str(folder / "dist"), str(folder)]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": date, "CONCORDANT_SBOM": "1"}
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)  # noqa: S603
    return next((folder / "dist").glob("*.whl"))


def main() -> None:
    date = told("git", "log", "-1", "--format=%ct").strip()
    with tempfile.TemporaryDirectory() as scratch:
        folders = [Path(scratch) / name for name in ("first", "the second, with a longer name")]
        for folder in folders:
            copy(folder)
        wheels = [wheel(folder, date) for folder in folders]
        first, second = (hashlib.sha256(each.read_bytes()).hexdigest() for each in wheels)
        if first != second:
            sys.exit(f"two builds differ: {wheels[0].name} has {first} and {second}")
        print(f"{wheels[0].name}: two builds are the same, sha256 {first}")


if __name__ == "__main__":
    main()
