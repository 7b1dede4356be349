"""Empty labels in text on the command line, for more than two files, and warnings."""

import json
from pathlib import Path

import pytest

import concordant as cc

TRUTH, OLD, NEW = ["a", "a", "b", "b", "c"], ["x", "x", "x", "y", "z"], ["x", "x", "y", "y", ""]
COMMANDS = {
    "matrix": ["truth.csv", "old.csv", "new.csv"],
    "track": ["truth.csv", "old.csv", "new.csv"],
    "consensus": ["truth.csv", "old.csv", "new.csv"],
    "diff": ["old.csv", "new.csv", "--reference", "truth.csv"],
    "rank": ["truth.csv", "old=old.csv", "new=new.csv"],
}


@pytest.fixture
def files(run):  # noqa: ARG001  (runs in a folder of its own)
    for name, labels in (("truth", TRUTH), ("old", OLD), ("new", NEW), ("alone", [*NEW[:4], "alone"])):
        rows = [f"r{number},{label}" for number, label in enumerate(labels)]
        Path(f"{name}.csv").write_text("\n".join(["id,label", *rows, ""]))


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.usefixtures("files")
def test_empty_labels_are_an_error_that_names_the_remedies(name, fails):
    text = fails(name, *COMMANDS[name])
    assert "--nulls drop" in text
    assert "--nulls singletons" in text


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "track"])  # a null has no event
@pytest.mark.usefixtures("files")
def test_empty_labels_become_singletons(name, run):
    found = run(name, *COMMANDS[name], "--nulls", "singletons", "--json")
    alone = [each.replace("new.csv", "alone.csv") for each in COMMANDS[name]]
    expected = run(name, *alone, "--json")
    assert (found.status, expected.status) == (0, 0)
    documents = [json.loads(each.out) for each in (found, expected)]
    if name == "diff":  # which counts clusters, and a null label is in none
        documents = [each["data"]["reference"]["indices"] for each in documents]
    assert numbers(documents[0]) == numbers(documents[1])


def numbers(content):
    """The numbers of a document, in order."""
    if isinstance(content, dict):
        content = list(content.values())
    if isinstance(content, list):
        return [found for each in content for found in numbers(each)]
    return [content] if isinstance(content, int | float) else []


@pytest.mark.usefixtures("files")
def test_empty_labels_are_dropped_pair_by_pair(run):
    found = json.loads(run("matrix", *COMMANDS["matrix"], "--nulls", "drop", "-i", "rand", "--json").out)
    expected = cc.matrix([TRUTH, OLD, [*NEW[:4], None]], "rand", nulls="drop")
    assert numbers(found["data"]["indices"]["rand"]["values"]) == [
        expected[u, v] for u in range(3) for v in range(3)
    ]


@pytest.mark.usefixtures("files")
def test_clusters_have_no_null_labels(fails):
    assert "--nulls applies to labels" in fails(
        "matrix", "a.txt", "b.txt", "--format", "clusters", "--nulls", "drop"
    )


@pytest.mark.filterwarnings("default")
@pytest.mark.usefixtures("files")
def test_a_warning_is_one_line(run):
    ran = run("compare", "truth.csv", "old.csv", "--noise", "none", "--noise-as", "drop")
    assert ran.status == 0
    assert ran.err == (
        "concordant: warning: no label equals 'none', which was named as noise, so no record is noise\n"
    )
