"""The commands for many partitions: a matrix of them, or their track over time."""

import gzip
import json
import re
from pathlib import Path

import pytest
from commands import table, write

import concordant as cc


@pytest.fixture
def runs(run):
    """Three runs over the same records; ``run`` has made the folder."""
    assert run
    labels = {"first": "11223", "second": "11222", "third": "12345"}
    return [table(f"{name}.csv", dict(zip("abcde", each, strict=True))) for name, each in labels.items()]


def test_matrix_of_files(run, runs):
    ran = run("matrix", *runs)
    assert ran.status == 0
    lines = ran.out.splitlines()
    assert lines[0].startswith("first and second are most similar to all others (mean Adjusted Rand index")
    assert lines[-3].split() == ["adjusted_rand", "first", "second"]
    assert [line.split()[0] for line in lines[-2:]] == ["second", "third"]


def test_matrix_with_a_reference_and_track(run, fails, runs):
    assert run("matrix", *runs, "--reference", "third").out.startswith(
        "All are at chance: the nearest to third has Adjusted Rand index"
    )
    assert "reference" in fails("matrix", *runs, "--reference", "fourth")
    ran = run("track", *runs, "--html", "t.html")
    assert ran.out.splitlines()[1].startswith("3 partitions in order")
    assert "first → second" in ran.out
    assert "3 partitions in order" in Path("t.html").read_text(encoding="utf-8")
    assert "this takes two partitions or more" in fails("track", runs[0])


def test_matrix_as_json_and_by_any_index(run, runs):
    data = json.loads(run("matrix", *runs, "--index", "f_measure(beta=2)", "--json").out)
    named = dict(zip(["first", "second", "third"], map(list, ["11223", "11222", "12345"]), strict=True))
    expected = cc.matrix(named, "f_measure(beta=2)")
    assert data["names"] == ["first", "second", "third"]
    assert data["data"]["indices"] == expected.to_dict()["indices"]
    assert data["data"]["indices"]["f_measure(beta=2)"]["symmetric"] is False


def test_matrix_to_files(run, runs):
    ran = run("matrix", *runs, "-i", "mirkin", "--json", "-o", "m.json", "--html", "m.html")
    assert (ran.status, ran.out) == (0, "")
    assert (
        json.loads(Path("m.json").read_text(encoding="utf-8"))["data"]["indices"]["mirkin"]["metric"] is True
    )
    assert "(multidimensional scaling)" in Path("m.html").read_text(encoding="utf-8")


def test_matrix_of_columns(run):
    write("all.csv", "id,truth,monday,tuesday\n1,a,x,x\n2,a,x,y\n3,b,y,y\n")
    data = json.loads(
        run("matrix", "all.csv", "--columns", "truth,monday,tuesday", "-i", "rand", "--json").out
    )
    assert data["names"] == ["truth", "monday", "tuesday"]
    assert next(iter(data["data"]["indices"].values()))["values"][0] == [1.0, 1.0, 1 / 3]


def test_matrix_by_several_indices(run):
    write("all.csv", "id,truth,monday,tuesday\n1,a,x,x\n2,a,x,y\n3,b,y,y\n")
    asked = ["matrix", "all.csv", "--columns", "truth,monday,tuesday", "-i", "rand", "-i", "joint_entropy"]
    said = run(*asked, "--html", "both.html").out
    assert (
        said.index("truth and monday are most similar to all others by")
        < said.index("\nrand ")
        < said.index("\njoint_")
    )
    assert "matrix-2" in Path("both.html").read_text(encoding="utf-8")
    assert list(json.loads(run(*asked, "--json").out)["data"]["indices"]) == ["rand", "joint_entropy"]


def test_matrix_of_clusters(run):
    write("p.txt", "a,b\nc\n")
    write("q.txt", "a\nb,c\n")
    data = json.loads(run("matrix", "p.txt", "q.txt", "--format", "clusters", "-i", "rand", "--json").out)
    assert next(iter(data["data"]["indices"].values()))["values"] == [[1.0, 1 / 3], [1 / 3, 1.0]]


def test_matrix_with_options_of_compare(run):
    write("a.tsv", "key\tgroup\textra\n1\tx\t\n2\tx\t\n3\t-1\t\n")
    write("b.tsv", "key\tgroup\textra\n1\tx\t\n2\ty\t\n4\tz\t\n")
    options = ["--record", "key", "--cluster", "group", "--unmatched", "drop", "--noise", "-1", "--noise-as"]
    data = json.loads(run("matrix", "a.tsv", "b.tsv", *options, "drop", "-i", "rand", "--json").out)
    assert next(iter(data["data"]["indices"].values()))["values"] == [[1.0, 0.0], [0.0, 1.0]]
    assert data["data"]["indices"]["rand"]["metric"] is False


def test_files_of_the_same_name_are_called_by_their_path(run):
    for folder in ("one", "two"):
        Path(folder).mkdir()
        write(f"{folder}/run.csv.gz", gzip.compress(b"id,label\n1,a\n2,a\n"))
    table("other.csv", {"1": "a", "2": "b"})
    data = json.loads(run("matrix", "one/run.csv.gz", "two/run.csv.gz", "other.csv", "--json").out)
    assert data["names"] == ["one/run.csv.gz", "two/run.csv.gz", "other"]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["first.csv"], "this takes two partitions or more: give several files, or name the columns"),
        (["first.csv", "--columns", "label"], "name 2 or more columns, in the order of the sides"),
        (["first.csv", "--columns", "label,label"], "'label' is named twice"),
        (["first.csv", "--columns", "id,lable"], "did you mean 'label'?"),
        (
            ["first.csv", "--columns", "id,label", "--record", "id"],
            "--record and --cluster join several files",
        ),
        (["first.csv", "second.csv", "--columns", "id,label"], "--columns picks columns of one file"),
        (["first.csv", "first.csv"], "first.csv is given twice; give each file once"),
        (["-", "-", "second.csv"], "is given twice; give each file once"),
        (["first.csv", "second.csv", "-i", "ARI", "-i", "adjusted_rand"], "adjusted_rand is named twice"),
        (["first.csv", "second.csv", "-i", "ran"], "did you mean"),
        (
            ["first.csv", "second.csv", "--cluster", "id", "--cluster", "label"],
            "name one column for all files",
        ),
        (["first.csv", "--format", "clusters"], "this takes two files or more"),
        (["first.csv", "second.csv", "--format", "clusters", "--record", "id"], "clusters have no columns"),
        (["first.csv", "nowhere.csv"], "there is no file nowhere.csv"),
        (["first.csv", "second.csv", "--noise", "1"], "--noise 1: the treatment of noise is not specified"),
    ],
)
@pytest.mark.usefixtures("runs")
def test_matrices_that_make_no_sense(fails, arguments, complaint):
    assert complaint in fails("matrix", *arguments)


def test_files_that_do_not_fit_together(fails, runs):
    table("fewer.csv", {"a": "1", "b": "1"})
    assert "'fewer' lacks 3 records that others have ('c', 'd', 'e')" in fails("matrix", *runs, "fewer.csv")
    write("bare.csv", "label\n1\n1\n")
    assert "'first' names its records and 'bare' does not" in fails("matrix", *runs, "bare.csv")
    write("long.csv", "label\n1\n1\n2\n")
    assert "'bare' has 2 labels and 'long' has 3" in fails("matrix", "bare.csv", "long.csv")
    table("swapped.csv", {"x": "a", "y": "b"}, header="label,id")
    error = fails("matrix", *runs, "swapped.csv")
    assert "in different positions" in error
    assert "reference=" not in error


def test_matrix_files_cut_at_the_wrong_character(fails):
    for name in ("p.txt", "q.txt"):
        write(name, "a b\nc d\n")
    assert "pass --separator" in fails("matrix", "p.txt", "q.txt", "--format", "clusters")


def test_a_diff_calls_runs_by_their_files(run):
    labels = {"truth": "aabbcc", "old": "xxyzzz", "new": "xxyyzz"}
    for name, clusters in labels.items():
        table(f"{name}.csv", dict(enumerate(clusters)))
    ran = run("diff", "old.csv", "new.csv", "--reference", "truth.csv", "--html", "new.html")
    assert ran.out.startswith("new fixes 1 cluster and breaks none\n")
    assert re.search(r"^ +old +new +difference +outcome$", ran.out, re.MULTILINE)
    page = Path("new.html").read_text(encoding="utf-8")
    assert "new fixes 1 cluster" in page
    assert "Wrong before, right after." in page
    names = json.loads(run("diff", "old.csv", "new.csv", "--reference", "truth.csv", "--json").out)["names"]
    assert names == ["old", "new", "truth"]


def test_files_of_one_name_are_told_apart(run):
    for folder in ("old", "new"):
        Path(folder).mkdir()
        table(f"{folder}/run.csv", {"a": 1, "b": 1, "c": 2 if folder == "new" else 1})
    table("truth.csv", {"a": 1, "b": 1, "c": 2})
    out = run("diff", "old/run.csv", "new/run.csv", "--reference", "truth.csv").out
    assert out.startswith("new/run.csv fixes")
