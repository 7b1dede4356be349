"""What a stranger gets: metadata, licences, the bill of materials, and workflows that call what is there."""

import importlib.util
import json
import re
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest

import concordant as cc

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
README = (ROOT / "README.md").read_text(encoding="utf-8")
RELATIVE = re.compile(r"\]\((?!https?:|#)[^)]*\)")


def load(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_version_is_the_same_everywhere():
    """It is set in pyproject.toml; a citation repeats it."""
    yaml = pytest.importorskip("yaml")
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cc.__version__ == citation["version"] == PROJECT["project"]["version"]
    assert citation["license"] == PROJECT["project"]["license"]
    (author,) = (each["name"] for each in citation["authors"])
    for field in (f"author = {{{{{author}}}}}", f"title = {{{citation['title']}}}"):
        assert field in cc.cite()


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


def test_build_requirements_have_both_bounds():
    for requirement in PROJECT["build-system"]["requires"]:
        assert ">=" in requirement, requirement
        assert "<" in requirement.replace(">=", ""), requirement


def test_a_checkout_is_built_with_the_tools_of_a_release():
    """The Makefile builds with this group; the other two are programs that a system may have."""
    group = PROJECT["dependency-groups"]["build"]
    assert group[:-2] == PROJECT["build-system"]["requires"]
    assert [requirement.split(">=")[0] for requirement in group[-2:]] == ["cmake", "ninja"]


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


def test_a_repository_without_address_is_the_only_problem_of_this_one():
    check = load("check_release")
    files = set(check.of_files(ROOT))  # which `make wheels` builds
    assert [each for each in check.problems() if each not in files] == [
        "pyproject.toml: repository is empty; set the address, from which all links follow"
    ]


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


WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
MAKE = re.compile(r"\bmake(?:\s+\w+=\S+)*\s+([a-z][a-z-]*)")
TARGETS = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def steps_of(workflow):
    yaml = pytest.importorskip("yaml")
    jobs = yaml.safe_load(workflow.read_text(encoding="utf-8"))["jobs"]
    return [step for job in jobs.values() for step in job["steps"]]


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_call_targets_that_exist(workflow):
    """A workflow does nothing that a person cannot do: it sets up a system, and calls make."""
    for step in steps_of(workflow):
        if "run" in step:
            called = MAKE.findall(step["run"])
            assert called, step["run"]
            assert set(called) <= TARGETS


def test_the_weekly_run_calls_targets_that_exist():
    assert set(load("weekly").TARGETS) <= TARGETS


def test_the_weekly_workflow_shares_all_targets_among_its_jobs():
    yaml = pytest.importorskip("yaml")
    (workflow,) = (path for path in WORKFLOWS if path.name == "weekly.yml")
    weekly = yaml.safe_load(workflow.read_text(encoding="utf-8"))["jobs"]["weekly"]
    shared = [target for job in weekly["strategy"]["matrix"]["include"] for target in job["targets"].split()]
    assert sorted(shared) == sorted(load("weekly").TARGETS)


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_fail_without_a_browser(workflow):
    """Where a step runs the browser tests, or looks at the site."""
    yaml = pytest.importorskip("yaml")
    called = {name for step in steps_of(workflow) for name in MAKE.findall(step.get("run", ""))}
    if called & {"test", "test-all", "unit", "site", "weekly"}:
        settings = yaml.safe_load(workflow.read_text(encoding="utf-8"))["env"]
        assert settings["CONCORDANT_REQUIRE_BROWSER"] == 1


def test_architectures_have_a_job():
    yaml = pytest.importorskip("yaml")
    (workflow,) = (path for path in WORKFLOWS if path.name == "test.yml")
    jobs = yaml.safe_load(workflow.read_text(encoding="utf-8"))["jobs"].values()
    systems = {
        job["runs-on"]
        for job in jobs
        if any(step.get("run", "").startswith("make test") for step in job["steps"])
    }
    assert {"ubuntu-latest", "ubuntu-24.04-arm"} <= systems


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_may_do_little(workflow):
    yaml = pytest.importorskip("yaml")
    assert yaml.safe_load(workflow.read_text(encoding="utf-8"))["permissions"] == {"contents": "read"}


def test_workflows_name_their_steps_by_commit():
    """A tag can be moved to other code. The version is for people; a step has one in all workflows."""
    written = [
        line
        for path in (*WORKFLOWS, ROOT / "action.yml")
        for line in path.read_text(encoding="utf-8").split("\n")
        if "uses:" in line
    ]
    commits = [
        re.search(r"uses: ([\w-]+/[\w-]+)(@[0-9a-f]{40} # v\d+\.\d+\.\d+)(?:;|$)", line) for line in written
    ]
    assert commits
    assert all(commits), written
    assert len({commit.groups() for commit in commits}) == len({commit[1] for commit in commits})
