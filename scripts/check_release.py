"""Check what a release needs: `make release-check`, which builds the source and wheels of this machine first.

    python scripts/check_release.py

Every problem is listed, and the exit status is 1 if there is one. The address of the repository is a setting
of pyproject.toml; without it the index shows the README without its pictures and links.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
SYSTEMS = ("ubuntu-latest", "ubuntu-24.04-arm", "macos-latest", "windows-latest")
# Final releases and candidates of PEP 440, the only ones that are published.
VERSION = re.compile(r"\d+\.\d+\.\d+(rc\d+)?")


def read(root: Path, name: str) -> str:
    return (root / name).read_text(encoding="utf-8")


def settings(root: Path) -> dict[str, Any]:
    return tomllib.loads(read(root, "pyproject.toml"))


def of_version(root: Path) -> Iterator[str]:
    """The version is one of a release, and the same in pyproject.toml, CITATION.cff and CHANGELOG.md."""
    version = settings(root)["project"]["version"]
    if not VERSION.fullmatch(version):
        yield f"pyproject.toml: the version {version} is neither like 1.2.3 nor like 1.2.3rc1"
    cited = re.search(r"^version: (.*)$", read(root, "CITATION.cff"), re.MULTILINE)
    if cited is None or cited[1] != version:
        yield f"CITATION.cff: the version is {cited and cited[1]}, and {version} in pyproject.toml"
    newest = re.search(r"^## (.*)$", read(root, "CHANGELOG.md"), re.MULTILINE)
    dated = re.compile(rf"{re.escape(version)} \(\d{{4}}-\d\d-\d\d\)")
    if newest is None or not dated.fullmatch(newest[1]):
        yield f"CHANGELOG.md: the newest section is {newest and newest[1]!r}, not '{version} (DATE)'"


def of_workflow(root: Path) -> Iterator[str]:
    """The workflow makes wheels for each system."""
    workflow = read(root, ".github/workflows/release.yml")
    for system in SYSTEMS:
        if not re.search(rf"system: \[.*\b{re.escape(system)}\b.*\]", workflow):
            yield f".github/workflows/release.yml: no wheels for {system}"


def of_files(root: Path) -> Iterator[str]:
    """The source and wheels of this version are in dist/, where `make wheels` puts and checks them."""
    version = settings(root)["project"]["version"]
    built = sorted((root / "dist").glob(f"concordant-{version}*"))
    if not any(path.name == f"concordant-{version}.tar.gz" for path in built):
        yield f"dist: no source of {version}"
    for python in ("cp311-cp311", "cp312-abi3"):
        if not any(f"-{python}-" in path.name for path in built):
            yield f"dist: no wheel {python} of {version}"


def of_repository(root: Path) -> Iterator[str]:
    """The address of the repository, from which links of the package index follow."""
    address = settings(root)["tool"]["dynamic-metadata"][0].get("repository", "")
    if not address:
        yield "pyproject.toml: repository is empty; set the address, from which all links follow"
    elif not re.fullmatch(r"https://[\w.-]+/\S+", address):
        yield f"pyproject.toml: repository is {address!r}, not an https address"


def problems(root: Path = ROOT) -> list[str]:
    """Everything that keeps this version from its release."""
    checks = (of_version, of_workflow, of_files, of_repository)
    return [problem for check in checks for problem in check(root)]


def main() -> None:
    found = problems()
    print("\n".join(found) if found else "Nothing is missing: push a tag of this version.")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
