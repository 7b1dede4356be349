"""Mistakes of every command: the advice names options that the command has, never Python calls.

The fixture ``fails`` checks this for every message that tests provoke.
"""

import re

import pytest
from commands import GUESS, TRUTH, check_advice, table, write

PAIRS = ("compare", "suggest")
CANDIDATES = ("a=guess.csv", "b=other.csv")
COMMANDS = {
    **{name: (name, "truth.csv", "guess.csv") for name in PAIRS},
    "diff with a reference": ("diff", "guess.csv", "other.csv", "--reference", "truth.csv"),
    "diff": ("diff", "truth.csv", "guess.csv"),
    "ask": ("ask", "truth.csv", "guess.csv", "--questions", "questions.csv"),
    "rank": ("rank", "truth.csv", *CANDIDATES),
    **{name: (name, "truth.csv", "guess.csv") for name in ("matrix", "track", "consensus")},
    "estimate": ("estimate", "truth.csv", "guess.csv", "--sampling", "clusters"),
    "sample-size": ("sample-size", "guess.csv", "--sampling", "records"),
}
# What is wrong with the file guess.csv, whichever command reads it.
BAD_FILES = {
    "empty": "",
    "an empty label": "id,label\na,1\nb,\nc,2\nd,2\ne,3\n",
    "an empty record": "id,label\na,1\n,1\n",
    "a record twice": "id,label\na,1\nb,1\na,2\n",
    "too few fields": "id,label\na,1\nb\n",
    "three columns": "id,x,y\na,1,2\n",
    "another separator": "id;label\na;1\nb;1\n",
    "another encoding": b"id,label\na,1\nb,\xe9\n",
    "compressed and damaged": b"\x1f\x8b\x08junk",
    "Parquet and damaged": b"PAR1\x15\x04\x00PAR1",
    "Arrow and damaged": b"ARROW1\0\0",
    "a spreadsheet": b"PK\x03\x04\x14\0",
}
MISTAKES = {
    "compare": [
        ["--noise", "1"],
        ["--noise-as", "drop"],
        ["--noise", "1", "--noise-as", "drop", "--reference-noise", "1=drop"],
        ["--reference-noise", "1=nothing"],
        ["--reference-noise", "1"],
        ["--engine", "auto", "--reference-noise", "1=drop"],
        ["--engine", "polars"],
        ["--memory", "much"],
        ["--memory", "1GB", "--separator", "tab"],
        ["--weights", "size"],
        ["--engine", "spark", "--weights", "label"],
        ["--weights", "label", "--significance"],
        ["--weights", "label", "--interval"],
        ["--weights", "label", "-i", "adjusted_mutual_information"],
        ["--confidence", "2", "--interval"],
        ["--confidence", "0.9"],
        ["--interval", "-i", "mari"],
        ["--interval", "--unit", "document"],
        ["--significance", "-i", "nonsense"],
        ["--table-limit", "-1"],
        ["--engine", "auto", "--table-limit", "0", "-i", "matching_accuracy"],
        ["--fail-under", "ARI"],
        ["--details", "people.csv"],
        ["--html", "page.html", "--details", "truth.csv", "--show", "name"],
        ["--html", "page.html", "--show", "name"],
        ["--html", "page.html", "--details", "truth.csv", "--images", "picture"],
        ["-i", "nonsense"],
        ["-i", "f_measure(2)"],
        ["-i", "adjusted_mutual_information(mean=max)"],
    ],
    "suggest": [
        ["--kind", "join"],
        ["--kind", "merge", "--kind", "join"],
        ["--index", "joint_entropy"],
        ["--index", "nonsense"],
        ["--noise", "1"],
    ],
    "diff with a reference": [
        ["--near", "2"],
        ["--majority", "-1"],
        ["--confidence", "2", "--interval"],
        ["--unit", "document"],
        ["--record", "id", "--record", "name"],
        ["--table-limit", "0"],
    ],
    "diff": [
        ["--reference", "nowhere.csv"],
        ["--reference", "other.csv", "--unmatched", "singletons"],
        ["--unmatched", "keep"],
        ["--weights", "nothing"],
        ["--weights", "name", "--engine", "auto"],
        ["--table-limit", "0", "--list", "components"],
        ["--answers", "nowhere.csv"],
        ["--questions", "other.csv"],
        ["--confidence", "0.9"],
    ],
    "ask": [
        ["--questions", "none/questions.csv"],
        ["--gold", "nowhere.csv"],
        ["--known", "other.csv"],
        ["--show", "name"],
        ["--details", "other.csv", "--record", "id", "--cluster", "label", "--show", "name"],
    ],
    "rank": [
        ["--baseline", "c"],
        ["--confidence", "2"],
        ["--margin", "-1"],
        ["--confidence", "0"],
        ["--unit", "document"],
        ["-i", "nonsense"],
        ["a=other.csv"],
        ["c=nowhere.csv"],
    ],
    "matrix": [
        ["--reference", "friday"],
        ["-i", "nonsense"],
        ["--columns", "a,b"],
        ["--noise", "1"],
        ["--record", "name", "--cluster", "group"],
    ],
    "track": [["--share", "2"], ["--noise-as", "drop"], ["--format", "clusters", "--nulls", "drop"]],
    "consensus": [
        ["--vi-weight", "3"],
        ["--vi-weight", "0.5", "--loss", "omari"],
        ["--clustering-weights", "1,x"],
        ["--clustering-weights", "1"],
        ["--clustering-weights", "1,-1"],
        ["--nulls", "drop", "--noise", "1", "--noise-as", "drop"],
        ["-o", "labels.parquet"],
        ["--labels", "labels.arrow"],
    ],
    "estimate": [
        ["--memory", "1GB", "--no-header"],
        ["--engine", "auto", "--encoding", "latin-1"],
        ["--n-draws", "9"],
        ["--population", "1"],
        ["--sampling", "records", "--population", "9"],
        ["--n-draws", "0"],
        ["--times", "often"],
        ["--times", "id"],
        ["--confidence", "2"],
        ["-i", "nonsense"],
        ["-i", "matching_accuracy"],
    ],
    "sample-size": [["--value", "2"], ["--within", "0"], ["-i", "nonsense"], ["-i", "matching_accuracy"]],
}


@pytest.mark.parametrize(
    "text", ["pass unmatched='drop'", "c.changes() has them", "see concordant.rank", "pass --nonsense 1"]
)
def test_what_is_no_advice(text):
    with pytest.raises(AssertionError):
        check_advice(text, [], {"--unmatched"})
    check_advice("pass --unmatched drop, not NAME=1 as typed", ["NAME=1"], {"--unmatched"})


@pytest.fixture
def three_files(run):  # noqa: ARG001  (its folder is where they are)
    table("truth.csv", TRUTH)
    table("guess.csv", GUESS)
    table("other.csv", dict(zip(TRUTH, "xxyyy", strict=True)))


@pytest.mark.usefixtures("three_files")
@pytest.mark.parametrize("command", COMMANDS)
def test_files_that_no_command_reads(fails, command):
    for content in BAD_FILES.values():
        write("guess.csv", content)
        fails(*COMMANDS[command])
    table("guess.csv", {**GUESS, "f": "z"})
    if command not in ("track", "estimate", "sample-size"):  # records may come and go there
        fails(*COMMANDS[command])
    fails(*(word.replace("guess.csv", "gues.csv") for word in COMMANDS[command]))


@pytest.mark.usefixtures("three_files")
@pytest.mark.parametrize("command", MISTAKES)
def test_options_that_do_not_fit(fails, command):
    for options in MISTAKES[command]:
        fails(*COMMANDS[command], *options)


def test_a_sample_without_names(fails):
    write("sample.csv", "label\n1\n1\n2\n")
    table("guess.csv", GUESS)
    assert "does not name its records" in fails(
        "estimate", "sample.csv", "guess.csv", "--sampling", "clusters", "--cluster", "label"
    )


def test_other_commands(fails):
    fails("explain", "nonsense")
    fails("explain")
    fails("explain", "rand", "--choose")
    fails("indices", "--family", "nonsense")
    fails("coref", "none.conll", "none.conll")
    for text in ("nonsense\n", '{"clusters": 1}\n', "#begin document d\na b c (0\n"):
        write("key.conll", text)
        fails("coref", "key.conll", "key.conll")
    write("key.jsonl", '{"clusters": [[[0, 1], [2, 3]], [[2, 3], [4, 5]]]}\n')
    assert "; pass --repeated first to" in fails("coref", "key.jsonl", "key.jsonl")


def test_options_have_the_names_of_the_command_line(three_files, fails):
    del three_files
    assert "--kind join: use one or more of" in fails(*COMMANDS["suggest"], "--kind", "join")
    said = fails("compare", "truth.csv", "guess.csv", "--memory", "1GB", "--separator", "tab")
    assert "--memory 1GB: an engine reads the files, and engines do not support --separator" in said
    assert "--noise" not in said


@pytest.mark.usefixtures("three_files")
@pytest.mark.parametrize("command", ["compare", "estimate"])
def test_labels_that_are_empty_can_be_noise(fails, command):
    write("guess.csv", "id,label\na,1\nb,\n")
    assert "or --noise '' and --noise-as" in fails(*COMMANDS[command])


@pytest.mark.parametrize("arguments", [["--choose"], ["adapted_rand_error"], ["symmetric_best_dice"]])
def test_explanations_name_no_options_of_python(run, arguments):
    assert not re.search(r"noise(_as)?=|unmatched=|\bcc\.", run("explain", *arguments).out)


def test_an_estimate_names_no_options_of_python(three_files, run):
    del three_files
    said = run("estimate", "truth.csv", "guess.csv", "--sampling", "records").out
    assert "the number of draws would" in " ".join(said.split())
    assert "draws=" not in said
