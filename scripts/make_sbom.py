"""What a wheel is made of, as a bill of materials in the form of CycloneDX 1.6.

    python scripts/make_sbom.py OUTPUT [--compiler ID] [--compiler-version VERSION] [--static-runtime]

The build calls it with the Python that has nanobind, so that the versions are those that were compiled in,
and puts the file into the wheel (`*.dist-info/sboms`). `make sbom` writes build/sbom.json.
"""

import argparse
import json
import re
import tomllib
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import nanobind

ROOT = Path(__file__).parents[1]
CYCLONE_DX = "1.6"


def robin_map_version() -> str:
    """The version that the header of the copy in nanobind states."""
    header = (
        Path(nanobind.__file__).parent / "ext" / "robin_map" / "include" / "tsl" / "robin_growth_policy.h"
    )
    numbers = re.findall(r"TSL_RH_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header.read_text(encoding="utf-8"))
    return ".".join(numbers)


def component(
    name: str, version: str | None, licence: str | None, address: str, **more: Any
) -> dict[str, Any]:
    """One part, under the name and package address by which databases of weaknesses know it."""
    reference = f"{address}@{version}" if version else address
    return {
        "type": "library",
        "bom-ref": reference,
        "name": name,
        **({"version": version} if version else {}),
        **({"licenses": [{"license": {"id": licence}}]} if licence else {}),
        "purl": reference,
        **more,
    }


def compiled_in() -> list[dict[str, Any]]:
    """The code of others that lies inside the compiled core."""
    return [
        component("nanobind", nanobind.__version__, "BSD-3-Clause", "pkg:pypi/nanobind"),
        component("robin-map", robin_map_version(), "MIT", "pkg:github/tessil/robin-map"),
    ]


def static_runtime(version: str) -> dict[str, Any]:
    """GCC's C++ library, where it lies inside the compiled core; else the system's is used."""
    expression = {"licenses": [{"expression": "GPL-3.0-or-later WITH GCC-exception-3.1"}]}
    return component("libstdc++", version, None, "pkg:generic/gcc-libstdcxx", **expression)


def requirement(text: str) -> dict[str, Any]:
    """A package that is installed beside ours and not contained in it: any version in the range given."""
    name, bounds = re.fullmatch(r"([A-Za-z0-9_.-]+)(.*)", text).groups()
    ranged = {"properties": [{"name": "concordant:requirement", "value": name + bounds}]}
    return component(name, None, None, f"pkg:pypi/{name}", scope="required", **ranged)


def bill(
    project: Mapping[str, Any], compiler: str, compiler_version: str, *, has_runtime: bool = False
) -> dict[str, Any]:
    """The whole document. It has no date, so that the same source gives the same wheel."""
    inside = [*compiled_in(), *([static_runtime(compiler_version)] if has_runtime else [])]
    beside = [requirement(text) for text in project["dependencies"]]
    whole = component(project["name"], project["version"], project["license"], f"pkg:pypi/{project['name']}")
    parts = [each["bom-ref"] for each in [*inside, *beside]]
    content = json.dumps([whole, inside, beside, compiler, compiler_version])
    built_with = {"name": "concordant:compiler", "value": f"{compiler} {compiler_version}".strip()}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": CYCLONE_DX,
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, content)}",
        "version": 1,
        "metadata": {"component": whole, "properties": [built_with]},
        "components": [*inside, *beside],
        "dependencies": [{"ref": whole["bom-ref"], "dependsOn": parts}],
    }


def main() -> None:
    """Write the bill of materials for the version in pyproject.toml."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("output", type=Path)
    parser.add_argument("--compiler", default="unknown")
    parser.add_argument("--compiler-version", default="")
    parser.add_argument("--static-runtime", action="store_true")
    given = parser.parse_args()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    given.output.parent.mkdir(parents=True, exist_ok=True)
    whole = bill(project, given.compiler, given.compiler_version, has_runtime=given.static_runtime)
    text = json.dumps(whole, indent=1)
    given.output.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
