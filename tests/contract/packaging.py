"""Metadata agree with each other, and workflows call targets that exist and may do little."""

import re
import tomllib

import yaml

import concordant as cc
from contract.checks import ROOT, at, check, script

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
MAKE = re.compile(r"\bmake(?:\s+\w+=\S+)*\s+([a-z][a-z-]*)")
TARGETS = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
NO_ADDRESS = "pyproject.toml: repository is empty; set the address, from which all links follow"


def content_of(path):
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def steps_of(workflow):
    return [step for job in content_of(workflow)["jobs"].values() for step in job["steps"]]


@check
def metadata():
    """The version is set in pyproject.toml; a citation repeats it."""
    path = ROOT / "CITATION.cff"
    citation, project = content_of(path), PROJECT["project"]
    versions = {cc.__version__, citation["version"], project["version"]}
    if len(versions) != 1:
        yield at(path, 1, f"different versions: {', '.join(sorted(versions))}")
    if citation["license"] != project["license"]:
        yield at(path, 1, f"the licence is not {project['license']}")
    (author,) = (each["name"] for each in citation["authors"])
    for field in (f"author = {{{{{author}}}}}", f"title = {{{citation['title']}}}"):
        if field not in cc.cite():
            yield at(path, 1, f"cite() lacks {field}")


@check
def requirements_of_builds():
    """They have both bounds, and a checkout is built with the tools of a release.

    The Makefile builds with the group; its last two are programs that a system may have.
    """
    path, required = ROOT / "pyproject.toml", PROJECT["build-system"]["requires"]
    for each in required:
        if ">=" not in each or "<" not in each.replace(">=", ""):
            yield at(path, 1, f"{each} has not both bounds")
    group = PROJECT["dependency-groups"]["build"]
    programs = [requirement.split(">=")[0] for requirement in group[-2:]]
    if group[:-2] != required or programs != ["cmake", "ninja"]:
        yield at(path, 1, f"the group `build` is not {required}, cmake and ninja")


@check
def release():
    """A repository without an address is the only thing that keeps this version from its release."""
    problems = script("check_release")
    files = set(problems.of_files(ROOT))  # which `make wheels` builds
    found = [each for each in problems.problems() if each not in files]
    for each in found:
        if each != NO_ADDRESS:
            yield each.replace(": ", ":1: ", 1)
    if NO_ADDRESS not in found:
        yield at(ROOT / "pyproject.toml", 1, "it has an address: this check can ask for no problems")


@check
def targets_of_workflows():
    """A workflow does nothing that a person cannot do: it sets up a system, and calls make."""
    for workflow in WORKFLOWS:
        for step in steps_of(workflow):
            called = MAKE.findall(step.get("run", "make test"))
            if not called or not set(called) <= TARGETS:
                yield at(workflow, 1, f"{step['run']!r} calls no target of the Makefile")


@check
def weekly_targets():
    """The weekly run calls targets that exist, and the weekly workflow shares all of them among its jobs."""
    weekly = [*script("weekly").TARGETS]
    if unknown := set(weekly) - TARGETS:
        yield f"scripts/weekly.py:1: {', '.join(sorted(unknown))} is not a target of the Makefile"
    (workflow,) = (path for path in WORKFLOWS if path.name == "weekly.yml")
    jobs = content_of(workflow)["jobs"]["weekly"]["strategy"]["matrix"]["include"]
    shared = sorted(target for job in jobs for target in job["targets"].split())
    if shared != sorted(weekly):
        yield at(workflow, 1, f"its jobs run {', '.join(shared)}, not {', '.join(sorted(weekly))}")


@check
def text_is_checked_once():
    """One job of the tests checks the text; jobs for several systems or versions leave that out."""
    (workflow,) = (path for path in WORKFLOWS if path.name == "test.yml")
    calling = [
        job
        for job in content_of(workflow)["jobs"].values()
        for step in job["steps"]
        if {"lint", "test", "test-all"} & set(MAKE.findall(step.get("run", "")))
    ]
    if len(calling) != 1 or "strategy" in calling[0]:
        yield at(workflow, 1, f"{len(calling)} jobs check the text, or one for several versions")


@check
def browsers_of_workflows():
    """A workflow that runs the browser tests, or looks at the site, fails without a browser."""
    for workflow in WORKFLOWS:
        called = {name for step in steps_of(workflow) for name in MAKE.findall(step.get("run", ""))}
        has_browser = called & {"test", "test-all", "test-product", "unit", "site", "weekly"}
        if has_browser and content_of(workflow)["env"]["CONCORDANT_REQUIRE_BROWSER"] != 1:
            yield at(workflow, 1, "CONCORDANT_REQUIRE_BROWSER is not 1")


@check
def architectures():
    (workflow,) = (path for path in WORKFLOWS if path.name == "test.yml")
    systems = {
        job["runs-on"]
        for job in content_of(workflow)["jobs"].values()
        if any(step.get("run", "").startswith("make test") for step in job["steps"])
    }
    if missing := {"ubuntu-latest", "ubuntu-24.04-arm"} - systems:
        yield at(workflow, 1, f"no job runs make test on {', '.join(missing)}")


@check
def permissions():
    for workflow in WORKFLOWS:
        if content_of(workflow)["permissions"] != {"contents": "read"}:
            yield at(workflow, 1, "it may do more than read the contents")


@check
def steps():
    """A tag can be moved to other code, so a step has a commit. Its version is for people."""
    versions = {}
    for path in (*WORKFLOWS, ROOT / "action.yml"):
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            if "uses:" in line:
                named = re.search(r"uses: ([\w-]+/[\w-]+)(@[0-9a-f]{40} # v\d+\.\d+\.\d+)(?:;|$)", line)
                if not named:
                    yield at(path, number, f"a step without a commit and its version: {line.strip()}")
                elif versions.setdefault(named[1], named[2]) != named[2]:
                    yield at(path, number, f"another version of {named[1]} than elsewhere")
    if not versions:
        yield ".github/workflows:1: no steps are found"
