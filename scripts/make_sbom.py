"""The bill of materials of a wheel, in the form of CycloneDX 1.6.

    python scripts/make_sbom.py OUTPUT [--compiler ID] [--compiler-version VERSION] [--static-runtime]

A build with CONCORDANT_SBOM=1 calls it with the Python that has nanobind, and puts the file into the wheel
(`*.dist-info/sboms`), so the versions are those that were compiled in. `make sbom` writes build/sbom.json.
"""

import argparse
import os
import re
import tomllib
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import nanobind
from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import Property
from cyclonedx.model.bom import Bom, BomMetaData
from cyclonedx.model.component import Component, ComponentScope
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

ROOT = Path(__file__).parents[1]
NO_DATE = "315532800"  # 1980, the first day of a zip file


def component(address: str, version: str | None, licence: str = "", **more: Any) -> Component:
    """A part, under the package address by which vulnerability databases know it."""
    purl = PackageURL.from_string(f"{address}@{version}" if version else address)
    licences = [LicenseFactory().make_from_string(licence)] if licence else []
    reference = purl.to_string()
    return Component(name=purl.name, version=version, purl=purl, bom_ref=reference, licenses=licences, **more)


def bill(
    project: Mapping[str, Any], compiler: str, compiler_version: str, *, has_runtime: bool = False
) -> str:
    """The whole document. The same source and compiler give the same document."""
    robin_map = Path(nanobind.__file__).parent / "ext/robin_map/include/tsl/robin_growth_policy.h"
    numbers = re.findall(r"TSL_RH_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", robin_map.read_text(encoding="utf-8"))
    parts = [
        component("pkg:pypi/nanobind", nanobind.__version__, "BSD-3-Clause"),
        component("pkg:github/tessil/robin-map", ".".join(numbers), "MIT"),
    ]
    if has_runtime:
        licence = "GPL-3.0-or-later WITH GCC-exception-3.1"
        parts.append(component("pkg:generic/gcc-libstdcxx", compiler_version, licence))
    for text in project["dependencies"]:  # installed beside ours: any version in the range
        name = re.match(r"[A-Za-z0-9_.-]+", text)[0]
        ranged = [Property(name="concordant:requirement", value=text)]
        parts.append(component(f"pkg:pypi/{name}", None, scope=ComponentScope.REQUIRED, properties=ranged))
    whole = component(f"pkg:pypi/{project['name']}", project["version"], project["license"])
    built_with = f"{compiler} {compiler_version}".strip()
    content = "\n".join([built_with, *(str(each.bom_ref.value) for each in [whole, *parts])])
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH", NO_DATE))
    document = Bom(
        components=parts,
        serial_number=uuid.uuid5(uuid.NAMESPACE_URL, content),
        metadata=BomMetaData(
            component=whole,
            properties=[Property(name="concordant:compiler", value=built_with)],
            timestamp=datetime.fromtimestamp(seconds, UTC),
        ),
    )
    document.register_dependency(whole, parts)
    return JsonV1Dot6(document).output_as_string(indent=1) + "\n"


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
    text = bill(project, given.compiler, given.compiler_version, has_runtime=given.static_runtime)
    given.output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
