"""What a stranger gets: licences, links, the bill of materials; and what keeps a version from its release."""

import importlib.util
import json
import re
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
README = (ROOT / "README.md").read_text(encoding="utf-8")
RELATIVE = re.compile(r"\]\((?!https?:|#)[^)]*\)")


def load(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_licences_of_what_is_compiled_in_are_installed():
    shipped = {file.name: file for file in distribution("concordant").files if "licenses" in file.parts}
    assert {"LICENSE", "nanobind.txt", "robin-map.txt", "libstdcxx.txt"} <= set(shipped)
    assert "Wenzel Jakob" in shipped["nanobind.txt"].read_text()
    assert "Thibaut" in shipped["robin-map.txt"].read_text()


def test_the_index_gets_a_readme_without_broken_links():
    convert = load("package_metadata").readme_for_an_index
    assert RELATIVE.search(README)
    assert not RELATIVE.search(convert(README, ""))
    assert not RELATIVE.search(convert(README, "https://example.org/us/concordant"))


def test_links_and_pictures_lead_to_the_repository():
    script = load("package_metadata")
    text = "![A picture](docs/p.svg)\n\n[Words](docs/w.md), [there](https://example.org)\n"
    assert script.readme_for_an_index(text, "") == "Words, [there](https://example.org)\n"
    there = script.readme_for_an_index(text, "https://host/c")
    assert "![A picture](https://host/c/raw/main/docs/p.svg)" in there
    assert "[Words](https://host/c/blob/main/docs/w.md)" in there


def test_addresses_follow_from_the_repository_and_are_not_made_up():
    fields = load("package_metadata").dynamic_metadata
    assert fields({"repository": ""}, {})["urls"] == {}
    assert fields({"repository": "https://host/c/"}, {})["urls"]["Repository"] == "https://host/c"


def test_the_bill_of_materials_names_what_is_inside_and_beside():
    nanobind = pytest.importorskip("nanobind", reason="a tool of the build")
    pytest.importorskip("cyclonedx", reason="a tool of published builds")
    script = load("make_sbom")
    text = script.bill(PROJECT["project"], "GNU", "12.2", has_runtime=True)
    parts = {each["name"]: each for each in json.loads(text)["components"]}
    assert parts["nanobind"]["version"] == nanobind.__version__
    assert re.fullmatch(r"\d+\.\d+\.\d+", parts["robin-map"]["version"])
    assert parts["gcc-libstdcxx"]["version"] == "12.2"
    assert {"numpy", "narwhals"} <= set(parts)
    without = json.loads(script.bill(PROJECT["project"], "GNU", "12.2"))
    assert {each["name"] for each in without["components"]} == set(parts) - {"gcc-libstdcxx"}
    assert text == script.bill(PROJECT["project"], "GNU", "12.2", has_runtime=True)


@pytest.fixture
def release(tmp_path):
    """A copy of what a release needs, of a version that may be released."""
    for name in ("pyproject.toml", "CITATION.cff", "CHANGELOG.md", ".github/workflows/release.yml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text((ROOT / name).read_text(encoding="utf-8"), encoding="utf-8")
    replace(tmp_path / "pyproject.toml", 'repository = ""', 'repository = "https://host/us/concordant"')
    (tmp_path / "dist").mkdir()
    version = PROJECT["project"]["version"]
    for ending in (
        ".tar.gz",
        "-cp311-cp311-manylinux_2_28_x86_64.whl",
        "-cp312-abi3-manylinux_2_28_x86_64.whl",
    ):
        (tmp_path / "dist" / f"concordant-{version}{ending}").touch()
    return tmp_path


def replace(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_this_version_may_be_released(release):
    assert load("check_release").problems(release) == []


@pytest.mark.parametrize(
    ("name", "old", "new", "problem"),
    [
        ("pyproject.toml", 'version = "', 'version = "9.dev', "neither like 1.2.3"),
        ("CITATION.cff", "\nversion: ", "\nversion: 9.", "CITATION.cff: the version is 9."),
        ("CHANGELOG.md", "\n## ", "\n## Next\n\n## ", "the newest section is 'Next'"),
        (".github/workflows/release.yml", "windows-latest", "windows", "no wheels for windows-latest"),
        ("pyproject.toml", "https://host", "host", "not an https address"),
    ],
)
def test_what_keeps_a_version_from_its_release(release, name, old, new, problem):
    replace(release / name, old, new)
    assert problem in "\n".join(load("check_release").problems(release))


def test_files_of_another_version_are_no_release(release):
    for path in (release / "dist").iterdir():
        path.unlink()
    assert len(list(load("check_release").of_files(release))) == 3
