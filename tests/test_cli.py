# ruff: noqa: S603, S607  (the processes started here are our own)
"""The command line: what it reads, what it shows, and what it says of every mistake."""

import fcntl
import gzip
import io
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest
from commands import COMMAND, EXPECTED, GUESS, TRUTH, on_a_terminal, process
from pyarrow import csv
from pyarrow import parquet as pq
from rich.console import Console

import concordant as cc
from concordant.catalogue.registry import Catalogue
from concordant.cli import progress

ROOT = Path(__file__).parent.parent
DIGITS = ROOT / "examples" / "digits"
SECONDS = 300  # a limit for what hangs; a busy machine is slow


def write(name, text):
    path = Path(name)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def table(name, mapping, header="id,label", separator=","):
    rows = [header.replace(",", separator)] if header else []
    rows += [f"{element}{separator}{label}" for element, label in mapping.items()]
    return write(name, "\n".join(rows) + "\n")


@pytest.fixture
def two_files(run):  # noqa: ARG001  (its folder is where they lie)
    return table("truth.csv", TRUTH), table("guess.csv", GUESS, "id,group")


def values(comparison):
    """All indices as JSON gives them."""
    return json.loads(comparison.to_json())["indices"]


# -- three shapes -----------------------------------------------------------------------------------


def test_two_files_are_joined_by_record_whatever_their_order(run, two_files):
    ran = run("compare", *two_files)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith(
        "reference  truth.csv, column label, by id\ncandidate  guess.csv, column group, by id\n"
    )
    assert f"{EXPECTED:terminal}" in ran.out


@pytest.mark.parametrize(
    "options",
    [
        ["--record", "id", "--cluster", "reference=label", "--cluster", "candidate=group"],
        ["--record", "reference=id", "--record", "candidate=id"],
        ["--cluster", "reference=label"],
        ["--record", "id"],
        ["--cluster", "label", "--cluster", "candidate=group"],
    ],
)
def test_columns_may_be_named_for_both_sides_or_one(run, two_files, options):
    assert run("compare", *two_files, *options, "--json").values == values(EXPECTED)


def test_more_columns_and_any_order_of_columns(run):
    rows = "".join(f"x,{label},{element}\n" for element, label in TRUTH.items())
    write("wide.csv", "note,label,id\n" + rows)
    table("guess.csv", GUESS, "id,label")
    ran = run("compare", "wide.csv", "guess.csv", "--record", "id", "--cluster", "label", "--json")
    assert ran.values == values(EXPECTED)


def test_one_file_with_two_columns_of_labels(run):
    rows = [f"{element},{TRUTH[element]},{GUESS[element]}\n" for element in TRUTH]
    write("both.csv", "id,truth,guess\n" + "".join(rows))
    ran = run("compare", "both.csv", "--columns", "truth,guess")
    assert ran.status == 0
    assert "both.csv, column guess" in ran.out
    swapped = run("compare", "both.csv", "--columns", "guess,truth", "--json").values
    assert swapped["precision"] == EXPECTED.recall


def test_standard_input_with_two_columns(run):
    text = "".join(f"{TRUTH[element]}\t{GUESS[element]}\n" for element in TRUTH).encode()
    ran = run("compare", "-", "--columns", "1,2", "--separator", "tab", "--no-header", "--json", stdin=text)
    assert ran.values == values(EXPECTED)


def test_one_side_may_come_from_standard_input(run, two_files):
    ran = run("compare", "truth.csv", "-", "--json", stdin=two_files[1].read_bytes())
    assert ran.values == values(EXPECTED)


def test_columns_have_numbers_without_a_header(run):
    write("both.csv", "x,1,a\nx,1,b\nx,2,b\n")
    ran = run("compare", "both.csv", "--no-header", "--columns", "2,3", "--json")
    assert ran.values == values(cc.compare([1, 1, 2], [0, 1, 1]))


def test_single_columns_are_compared_row_by_row(run):
    write("truth.csv", "label\n1\n1\n2\n")
    write("guess.csv", "label\na\nb\nb\n")
    assert run("compare", "truth.csv", "guess.csv", "--json").values == values(
        cc.compare([1, 1, 2], [0, 1, 1])
    )


def test_a_single_row_is_a_partition(run):
    assert run("compare", "-", "--columns", "u,v", "-i", "ARI", stdin=b"u,v\n1,2").out.split() == [
        "ARI",
        "1.0000",
        "[-1/2,",
        "1]",
    ]


def test_one_cluster_a_line(run):
    write("p.csv", "a,b\n\nc,d\ne\n")
    write("q.tsv", "e\nd\tc\ta\nb\t\t\n")
    ran = run("compare", "p.csv", "q.tsv", "--format", "clusters", "--json")
    assert ran.values == values(EXPECTED)


def test_elements_of_one_file_stand_alone_in_the_other_as_in_the_perl_script(run):
    write("p.csv", "1,2\n3\n")
    write("q.csv", "1\n2,3\n4\n")
    ran = run("compare", "p.csv", "q.csv", "--format", "clusters", "--unmatched", "singletons", "--json")
    assert ran.values["rand"] == 2 / 3
    assert ran.values["jaccard"] == 0


# -- text as it is written --------------------------------------------------------------------------


def test_labels_are_text_as_written(run):
    ran = run("compare", "-", "--columns", "u,v", "--json", stdin=b'u,v\n1,a\n01,a\n1.0,"a"\n" 1",a\n')
    assert json.loads(ran.out)["clusters"] == {"reference": 4, "candidate": 1}


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_line_endings_byte_order_mark_and_quotes(run, ending):
    lines = ["u,v", '"x, y",1', "", '"x, y",2', '"say ""hi""",2', ""]
    ran = run(
        "compare", "-", "--columns", "u,v", "--json", stdin=b"\xef\xbb\xbf" + ending.join(lines).encode()
    )
    assert json.loads(ran.out)["clusters"] == {"reference": 2, "candidate": 2}


def test_long_fields(run):
    long = b"x" * 200_000
    ran = run("compare", "-", "--columns", "u,v", "--json", stdin=b"u,v\n" + long + b",1\n" + long + b"y,2\n")
    assert json.loads(ran.out)["clusters"] == {"reference": 2, "candidate": 2}


def test_compressed_and_other_encodings(run, two_files):
    write("truth.csv.gz", gzip.compress(two_files[0].read_bytes()))
    write("guess.tsv.gz", gzip.compress(two_files[1].read_bytes().replace(b",", b"\t")))
    assert run("compare", "truth.csv.gz", "guess.tsv.gz", "--json").values == values(EXPECTED)
    text = "u,v\né,1\nè,2\n"
    ran = run(
        "compare", "-", "--columns", "u,v", "--encoding", "utf-16", "--json", stdin=text.encode("utf-16")
    )
    assert json.loads(ran.out)["clusters"] == {"reference": 2, "candidate": 2}


# -- options ----------------------------------------------------------------------------------------


def test_chosen_indices_under_the_names_asked_for(run, two_files):
    ran = run("compare", *two_files, "-i", "ARI", "--index", "f_measure(beta=2)")
    lines = [line.split(maxsplit=2) for line in ran.out.splitlines()]
    assert lines == [
        ["ARI", f"{EXPECTED.adjusted_rand:.4f}", "[-1/2, 1]"],
        ["f_measure(beta=2)", f"{EXPECTED['f_measure(beta=2)']:.4f}", "[0, 1]"],
    ]
    ran = run("compare", *two_files, "-i", "ARI", "--json")
    assert ran.values == {"ARI": EXPECTED.adjusted_rand}


def test_undefined_values_are_told(run):
    stdin = b"u,v\n1,1\n1,2\n1,3\n"
    assert "0/0" in run("compare", "-", "--columns", "u,v", "-i", "precision", stdin=stdin).out
    ran = run(
        "compare", "-", "--columns", "u,v", "-i", "precision", "--undefined", "nan", "--json", stdin=stdin
    )
    assert ran.values == {"precision": None}
    ran = run("compare", "-", "--columns", "u,v", "-i", "precision", "--undefined", "raise", stdin=stdin)
    assert (ran.status, ran.out) == (2, "")
    assert "precision is undefined" in ran.err


@pytest.mark.parametrize(
    ("how", "clusters", "size"), [("cluster", 2, 4), ("singletons", 3, 4), ("drop", 1, 2)]
)
def test_noise(run, how, clusters, size):
    stdin = b"u,v\n-1,1\n-1,1\n0,1\n0,1\n"
    said = json.loads(
        run("compare", "-", "--columns", "u,v", "--noise", "-1", "--noise-as", how, "--json", stdin=stdin).out
    )
    assert (said["clusters"]["reference"], said["elements"]) == (clusters, size)
    assert f"noise='-1' as {how}" in said["signature"]


def test_empty_cells_may_be_declared_noise(run):
    stdin = b"u,v\n,1\n,1\n0,1\n"
    ran = run(
        "compare", "-", "--columns", "u,v", "--noise", "", "--noise-as", "singletons", "--json", stdin=stdin
    )
    assert json.loads(ran.out)["clusters"]["reference"] == 3


@pytest.mark.parametrize(("how", "size"), [("drop", 4), ("singletons", 6)])
def test_unmatched(run, two_files, how, size):
    table("guess.csv", {**{k: v for k, v in GUESS.items() if k != "a"}, "new": "z"})
    ran = run("compare", *two_files, "--unmatched", how, "--json")
    assert json.loads(ran.out)["elements"] == size
    assert "only_reference=1 | only_candidate=1" in ran.out


def test_output_goes_to_a_file_whole(run, two_files):
    for options in ([], ["-i", "ARI"], ["--json"]):
        printed = run("compare", *two_files, *options).out
        ran = run("compare", *two_files, *options, "--output", "result")
        assert (ran.status, ran.out, ran.err) == (0, "", "")
        assert Path("result").read_text(encoding="utf-8") == printed
    assert sorted(path.name for path in Path().iterdir()) == ["guess.csv", "result", "truth.csv"]


def test_output_follows_links_and_leaves_devices_alone(run, two_files):
    write("result", "old")
    Path("link").symlink_to("result")
    run("compare", *two_files, "--json", "-o", "link")
    assert Path("link").is_symlink()
    assert Path("result").read_text(encoding="utf-8").startswith("{")
    assert run("compare", *two_files, "-o", "/dev/null").status == 0
    assert not Path("/dev/null").is_file()


def test_limits_make_a_gate(run, two_files):
    held = [
        "--fail-under",
        "adjusted_rand=-0.5",
        "--fail-under",
        "f_measure(beta=2)=0",
        "--fail-over",
        "VI=9",
    ]
    assert run("compare", *two_files, *held).status == 0
    ran = run("compare", *two_files, *held, "--fail-under", "ARI=0.95", "--fail-over", "VI=0.5")
    assert ran.status == 1
    assert ran.err == (
        f"concordant: adjusted_rand is {EXPECTED['ARI']!r}; it should be at least 0.95\n"
        f"concordant: variation_of_information is {EXPECTED['VI']!r}; it should be at most 0.5\n"
    )
    assert f"{EXPECTED:terminal}" in ran.out


def test_a_value_that_is_not_there_holds_no_limit(run):
    stdin = b"u,v\n1,1\n1,2\n1,3\n"
    assert run("compare", "-", "--columns", "u,v", "--fail-under", "precision=1", stdin=stdin).status == 0
    assert (
        run(
            "compare",
            "-",
            "--columns",
            "u,v",
            "--undefined",
            "nan",
            "--fail-under",
            "precision=0",
            stdin=stdin,
        ).status
        == 1
    )


# -- the catalogue ----------------------------------------------------------------------------------


def test_indices_lists_all_by_family(run):
    ran = run("indices")
    assert ran.status == 0
    names = [line.split()[0] for line in ran.out.splitlines() if line.startswith("  ")]
    assert names == list(cc.INDICES)
    for family in cc.INDICES.families:
        assert f"\n{family}\n" in ran.out
    assert not re.search(r" $", ran.out, re.MULTILINE)


def test_indices_of_a_family(run):
    for spelling in ("information", "Information-Theory", "information_theory"):
        out = run("indices", "--family", spelling).out
        assert "mutual_information" in out
        assert "jaccard" not in out


def test_indices_as_json_says_all_that_is_declared(run):
    listed = json.loads(run("indices", "--json").out)
    assert [each["name"] for each in listed] == list(cc.INDICES)
    by_name = {each["name"]: each for each in listed}
    assert by_name["adjusted_rand"]["range"] == [-0.5, 1]
    assert by_name["variation_of_information"]["range"] == [0, "log n"]
    assert by_name["precision"]["mirror"] == "recall"
    assert by_name["f_measure"]["parameters"] == {"beta": 1.0}


@pytest.mark.parametrize("name", list(cc.INDICES))
def test_every_index_explains_itself(run, name):
    ran = run("explain", name)
    index = cc.INDICES[name]
    said = " ".join(ran.out.split())
    assert ran.status == 0
    assert said.startswith(f"{name}: {index.title}")
    for text in (index.formula, index.summary, index.advice, index.cite, index.range_text):
        assert " ".join(text.split()) in said
    for library in (*index.known_as, *index.remarks):
        assert library in said
    for u, v, _ in index.worked:
        assert f"U = {u} V = {v}" in said
    assert max(map(len, ran.out.splitlines())) <= 100


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("ARI", "adjusted_rand"),
        ("RTS", "rogers_tanimoto"),
        ("adjusted_rand_score", "adjusted_rand"),
        ("getPrecision", "jaccard"),
        ("compare_communities(method='rand')", "rand"),
        ("f_measure(beta=2)", "f_measure"),
        ("Adjusted Rand", "adjusted_rand"),
    ],
)
def test_explain_knows_aliases_and_names_elsewhere(run, name, meant):
    assert run("explain", name).out.startswith(f"{meant}: ")


def test_explain_warns_of_a_name_that_means_something_else_elsewhere(run):
    out = run("explain", "NMI").out
    assert out.startswith("nmi_arithmetic: ")
    assert "in aricode  it is nmi_max" in out


def test_explain_shows_all_meanings_of_a_name_that_has_several(run, monkeypatch):
    both = [("one", cc.INDICES["rand"]), ("another", cc.INDICES["jaccard"])]
    monkeypatch.setattr(Catalogue, "known_elsewhere", lambda _self, _name: both)
    out = run("explain", "agreement").out
    assert re.search(r"in one +rand ", out)
    assert re.search(r"in another +jaccard ", out)


# -- mistakes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("", "both.csv is empty"),
        ("\n \n", "both.csv is empty"),
        (b"\xef\xbb\xbf", "both.csv is empty"),
        ("u,v\n", "both.csv has a header ('u', 'v') but no rows"),
        ("u,v\n1,2\n1\n", "both.csv, line 3: 1 field where there should be 2 ('u', 'v')"),
        ("u,v\n\n1,2\n1,2,3\n", "both.csv, line 4: 3 fields where there should be 2"),
        (
            "u,v\n1,2\n1,\n",
            "both.csv, line 3: the label in column 'v' is empty; pass --noise '' and --noise-as ... to",
        ),
        ('u,v\n"1\n2",2\n,1\n', "both.csv, line 4: the label in column 'u' is empty"),
        ('u,v\n1,"2\n3,4\n', "both.csv, line 2: a quoted field begins here and is not closed"),
        (b"u,v\n1,2\n1,\xe9\n", "both.csv, line 3: not UTF-8 text; pass --encoding latin-1"),
        ("u,v\n1,2\n".encode("utf-16"), "--encoding utf-16"),
        (b"\x1f\x8b\x08junk", "both.csv is compressed, but damaged"),
        (b"PAR1\x15\x04\x00PAR1", "both.csv cannot be read: a file is damaged"),
        (b"ARROW1\0\0", "both.csv is an Arrow file"),
        (b"PK\x03\x04\x14\0", "both.csv is a spreadsheet or a zip archive"),
        ("PAR1,v\n", "has 2 columns ('PAR1', 'v'), and there is no second file"),
        (
            "u\n1\n",
            "both.csv has 1 column ('u'), and there is no second file; pass --columns",
        ),
        ("u;v\n1;2\n", "try --separator semicolon"),
        ("u\tv\n1\t2\n", "try --separator tab"),
    ],
)
def test_bad_files(fails, content, complaint):
    write("both.csv", content)
    named = ["--columns", "u,v"] if content[:3] in ("u,v", b"u,v") else []
    assert complaint in fails("compare", "both.csv", *named)


def test_text_in_another_encoding(fails):
    write("both.csv", "u,v\n1,é\n")
    assert "both.csv, line 2: not utf-16 text" in fails("compare", "both.csv", "--encoding", "utf-16")
    write("both.csv", "u,v\n1,é\n".encode("latin-1"))
    for spelling in ("utf-8", "UTF_8"):
        said = fails("compare", "both.csv", "--encoding", spelling)
        assert "; pass --encoding latin-1 to read it as latin-1, or --encoding utf-16 to" in said


def test_a_quote_that_is_not_closed_is_told_where_it_opens(fails):
    write("both.csv", 'u,v\n1,"2\n' + "3,4\n" * 100_000)
    assert "both.csv, line 2: a quoted field begins here and is not closed" in fails("compare", "both.csv")


def test_columns_that_are_not_there(fails):
    write("both.csv", "id,truth,guess\n1,1,1\n")
    said = fails("compare", "both.csv", "--columns", "truth,gues")
    assert (
        "both.csv has no column 'gues': it has 3 columns ('id', 'truth', 'guess'); did you mean 'guess'?"
        in said
    )
    write("many.csv", ",".join(f"column{number}" for number in range(30)) + "\n")
    assert "and 18 more)" in fails("compare", "many.csv", "--columns", "a,b")
    write("twice.csv", "a,a,b\n1,2,3\n")
    assert "2 columns called 'a'" in fails("compare", "twice.csv", "--columns", "a,b")


def test_files_that_cannot_be_read(fails, tmp_path):
    assert "there is no file missing.csv" in fails("compare", "missing.csv")
    write("kmeans.csv", "a,b\n")
    assert "there is no file kmean.csv; did you mean 'kmeans.csv'?" in fails("compare", "kmean.csv")
    assert "is a directory" in fails("compare", tmp_path)
    assert "cannot read" in fails("compare", "x" * 300)


def test_a_closed_standard_input(fails):
    assert "standard input is closed" in fails("compare", "-", stdin=None)


def test_records_that_do_not_fit(fails, two_files):
    write("guess.csv", "id,group\na,1\nb,1\na,2\n")
    said = fails("compare", *two_files)
    assert "guess.csv: the record 'a' stands on line 2 and again on line 4; each record" in said
    write("guess.csv", "id,group\na,1\nb,1\na,2\nb,2\n")
    assert "(2 rows repeat a record)" in fails("compare", *two_files)
    write("guess.csv", "id,group\na,1\n,1\n")
    assert "guess.csv, line 3: the record id is empty" in fails("compare", *two_files)
    write("guess.csv", "id,x,y\na,1,2\n")
    assert (
        "guess.csv has 3 columns ('id', 'x', 'y'); pass --record ... and --cluster ... to say which"
        in fails("compare", *two_files)
    )
    assert "; pass --cluster ... to say which holds what" in fails("compare", *two_files, "--record", "id")
    table("guess.csv", {"p": 1, "q": 1, "r": 1, "s": 1, "a": 2})
    assert (
        "different elements: 4 only in the reference ('b', 'c', 'd', ...) and 4 only in the candidate "
        "('p', 'q', 'r', ...); pass --unmatched drop"
    ) in fails("compare", *two_files)


def test_labels_that_do_not_fit(fails):
    write("truth.csv", "label\n1\n1\n2\n")
    write("guess.csv", "label\na\nb\n")
    assert (
        "the reference has 3 labels and the candidate 2; labels align by position, so both need one for each "
        "element; name the elements on both sides to align by name "
        "(reference truth.csv, column label; candidate guess.csv, column label)\n"
    ) in fails("compare", "truth.csv", "guess.csv")
    table("guess.csv", GUESS)
    assert "the candidate names its elements and the reference does not; name them on both" in fails(
        "compare", "truth.csv", "guess.csv"
    )
    write("guess.csv", "label\na\n\nb\n")
    assert "guess.csv, line 3: the label in column 'label' is empty" in fails(
        "compare", "truth.csv", "guess.csv"
    )


@pytest.mark.parametrize(
    ("case", "options", "word"),
    [
        ((";", "csv"), [], "semicolon"),
        ((";", "csv"), ["--no-header"], "semicolon"),
        (("|", "csv"), [], "pipe"),
        (("\t", "txt"), [], "tab"),
        ((",", "tsv"), [], "comma"),
        ((" ", "txt"), [], "space"),
        ((":", "txt"), ["--no-header"], ":"),
        ((",", "csv"), ["--separator", "space"], "comma"),
        ((",", "csv"), ["--separator", "space", "--no-header"], "comma"),
        ((" ", "txt"), ["--separator", "tab"], "space"),
    ],
)
def test_files_cut_at_the_wrong_character_do_not_agree_perfectly(run, fails, case, options, word):
    separator, ending = case
    header = None if "--no-header" in options else "id,c"
    u = table(f"u.{ending}", {"1": "a", "2": "a", "3": "b"}, header, separator)
    v = table(f"v.{ending}", {"1": "x", "2": "y", "3": "y"}, header, separator)
    said = fails("compare", u, v, *options)
    assert f"; pass --separator {word} to separate" in said
    assert "to take them as labels" in said
    told = [*(each for each in options if each == "--no-header"), "--separator", word]
    assert run("compare", u, v, *told, "--json", "-i", "rand").values == {"rand": 1 / 3}
    labels = ["--cluster", "1" if header is None else header.replace(",", separator)]
    assert run("compare", u, v, *options, *labels, "--json", "-i", "rand").values == {"rand": 1.0}


def test_a_separator_that_occurs_in_neither_file(run, fails):
    u, v = (
        table("u.csv", {"1": "a", "2": "a"}, "id,c", "~"),
        table("v.csv", {"1": "x", "2": "y"}, "id,c", "~"),
    )
    assert "pass --separator ... to separate the fields, or --cluster ... to take them" in fails(
        "compare", u, v, "--separator", "tab"
    )
    assert run("compare", u, v, "--separator", "~", "-i", "rand", "--json").values == {"rand": 0.0}


def test_one_file_cut_at_the_wrong_character(fails, two_files):
    write("guess.csv", "id;group\na;1\n")
    assert "guess.csv has 1 column ('id;group') of labels like 'a;1', which" in fails("compare", *two_files)
    write("guess.csv", "id;share\na;0,5\n")
    assert "line 2: 2 fields where there should be 1" in (said := fails("compare", *two_files))
    assert "try --separator semicolon" in said


@pytest.mark.parametrize(
    ("truth", "guess", "options"),
    [
        ("label\n1\n2\n3\n", "label\na\nb\nc\n", []),
        ("true label\n1\n2\n", "label\na b\nc\n", []),
        ('label\n"Smith, Ann"\n"Jones, Bob"\n', "label\na\na\n", []),
        ("label\nx;y\nz\nz\n", "label\na\nb\nb\n", []),
        ("a;b\nx;y\nx;z\nx;z\n", "label\na\nb\nb\n", ["--separator", "comma", "--header"]),
        ("taxon\nx;y\nx;z\nx;z\n", "taxon\na;b\na;c\na;c\n", ["--cluster", "taxon"]),
        ("label\n1\n", "label\n2\n", ["--separator", "tab"]),
    ],
)
def test_single_columns_that_are_meant(run, truth, guess, options):
    write("truth.csv", truth)
    write("guess.csv", guess)
    assert run("compare", "truth.csv", "guess.csv", *options).status == 0


@pytest.mark.parametrize(
    ("separator", "ending", "word"),
    [
        ("\t", "txt", "tabs"),
        (";", "csv", "semicolons"),
        (",", "tsv", "commas"),
        (" ", "txt", "spaces"),
        ("  ", "csv", "spaces"),
    ],
)
def test_what_separates_members_is_found_and_told(run, separator, ending, word):
    p = write(f"p.{ending}", "a,b\nc\n".replace(",", separator))
    q = write(f"q.{ending}", "a\nb,c\n".replace(",", separator))
    arguments = ["compare", p, q, "--format", "clusters"]
    assert run(*arguments, "-i", "rand", "--json").values == {"rand": 1 / 3}
    assert run(*arguments).out.startswith(f"reference  p.{ending}, one cluster a line, separated by {word}\n")


def test_members_cut_at_the_wrong_character_do_not_agree_perfectly(fails):
    p, q = write("p.csv", "a,b\nc\n"), write("q.csv", "a\nb,c\n")
    said = fails("compare", p, q, "--format", "clusters", "--separator", "space", "--unmatched", "singletons")
    assert "; pass --separator comma to separate" in said
    both = write("both.csv", "a;b\nc|d\n")
    said = fails("compare", both, both, "--format", "clusters")
    assert "both.csv holds semicolons and pipes; pass --separator semicolon to" in said


def test_elements_that_hold_other_separators(run, fails):
    write("p.csv", "Ann Lee\nBob Ray\n")
    write("q.csv", "Ann Lee,Bob Ray\n")
    arguments = ["compare", "p.csv", "q.csv", "--format", "clusters"]
    assert "p.csv: every line holds one element, like 'Ann Lee', which seems to be several" in (
        said := fails(*arguments)
    )
    assert "pass --separator space to separate them, or --separator comma to let each stand alone" in said
    assert run(*arguments, "--separator", "comma", "-i", "rand", "--json").values == {"rand": 0.0}


def test_a_column_at_another_place_is_not_taken_for_another(run, fails):
    table("truth.csv", TRUTH, "id,label")
    write("guess.csv", "cluster,id\n" + "".join(f"{label},{element}\n" for element, label in GUESS.items()))
    arguments = ["compare", "truth.csv", "guess.csv", "--unmatched", "drop"]
    for options in ([], ["--record", "reference=id"]):
        assert (
            "truth.csv and guess.csv both have a column 'id', but at different places; say what names the "
            "record: --record id, or --record reference=id --record candidate=cluster"
        ) in fails(*arguments, *options)
    assert run(*arguments, "--record", "id", "--json").values == values(EXPECTED)
    write("guess.csv", "label,key\nx,a\n")
    assert "both have a column 'label', but" in fails(*arguments)
    write("guess.csv", "label,id\n" + "".join(f"{element},{label}\n" for element, label in GUESS.items()))
    told = ["--record", "reference=id", "--record", "candidate=label"]
    assert run(*arguments, *told, "--json").values == values(EXPECTED)


def test_clusters_that_do_not_fit(fails):
    write("p.csv", "a,b\nc\n")
    write("q.csv", "a\n\nb,a\n")
    said = fails("compare", "p.csv", "q.csv", "--format", "clusters")
    assert "q.csv: the element 'a' stands in two clusters, on line 1 and on line 3" in said
    write("q.csv", "a,,b\n")
    assert "q.csv, line 1: an element is empty" in fails("compare", "p.csv", "q.csv", "--format", "clusters")
    write("q.csv", ",,\n")
    assert "q.csv holds no clusters" in fails("compare", "p.csv", "q.csv", "--format", "clusters")
    write("q.csv", "a,b\nd\n")
    assert "1 only in the reference ('c') and 1 only in the candidate ('d')" in fails(
        "compare", "p.csv", "q.csv", "--format", "clusters"
    )


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["-i", "adjusted_rnd"], "did you mean adjusted_rand"),
        (["-i", "f_measure(gamma=2)"], "does not take 'gamma': it takes beta"),
        (["-i", "f_measure(beta=-1)"], "beta must be a positive finite number"),
        (["-i", "f_measure(beta=2"], "cannot read 'f_measure(beta=2'; write it like"),
        (["--fail-under", "0.95"], "write it like --fail-under NAME=0.95"),
        (["--fail-under", "ARI=high"], "write it like --fail-under NAME=0.95"),
        (["--fail-over", "ARI=nan"], "write it like --fail-over NAME=0.95"),
        (["--fail-under", "f_measure(gamma=2)=1"], "does not take 'gamma'"),
        (["--fail-under", "nonsense=1"], "there is no index 'nonsense'"),
        (["--fail-under", "VI=1"], "VI is a distance, smaller is better; use --fail-over"),
        (["--fail-over", "ARI=1"], "ARI is a similarity, larger is better; use --fail-under"),
        (["--noise", "-1"], "--noise -1: what to make of noise is not said; pass --noise-as cluster to keep"),
        (
            ["--noise-as", "drop"],
            "--noise-as drop: which label means noise is not said; pass --noise ... to name it",
        ),
        (["--columns", "a,b"], "--columns picks two columns of one file"),
        (["--separator", "ab"], "--separator 'ab': give a single ASCII character, or one of tab"),
        (["--encoding", "klingon"], "--encoding klingon: Python knows no such encoding"),
        (["--record", "a", "--record", "b"], "--record 'b': name one column for both files, or one for each"),
        (["--cluster", "reference="], "--cluster 'reference=': name one column"),
        (["--format", "clusters", "--cluster", "x"], "do not go with it"),
        (["--format", "clusters", "--noise", "x"], "--format clusters has none"),
    ],
)
def test_options_that_make_no_sense(fails, two_files, options, complaint):
    assert complaint in fails("compare", *two_files, *options)


@pytest.mark.usefixtures("two_files")
def test_shapes_that_make_no_sense(fails):
    assert "only once" in fails("compare", "-", "-")
    assert "join two files" in fails("compare", "truth.csv", "--record", "id")
    assert "reads two files" in fails("compare", "truth.csv", "--format", "clusters")
    for columns in ("id", "", "a,b,c", "a\n,b"):
        assert "name two columns" in fails("compare", "truth.csv", "--columns", columns)
    assert "did you mean" in fails("explain", "ajusted_rand")
    assert "does not take" in fails("explain", "jaccard(beta=2)")
    assert "there is no family 'x'; there are 'Pair counting'" in fails("indices", "--family", "x")


def test_output_that_cannot_be_written(fails, two_files, tmp_path):
    assert "cannot write nowhere/result: there is no folder nowhere" in fails(
        "compare", *two_files, "-o", "nowhere/result"
    )
    assert "it is a folder" in fails("compare", *two_files, "-o", tmp_path)
    assert "there is no folder truth.csv" in fails("compare", *two_files, "-o", "truth.csv/result")


@pytest.mark.parametrize(
    "arguments",
    [
        ["compare"],
        ["compare", "a", "b", "c"],
        ["compare", "a", "--unmatched", "no"],
        ["nothing"],
        ["--nothing"],
    ],
)
def test_bad_use_is_told_by_the_parser(run, arguments):
    ran = run(*arguments)
    assert (ran.status, ran.out) == (2, "")
    assert "Usage: concordant" in ran.err
    assert "Traceback" not in ran.err


# -- as a process -----------------------------------------------------------------------------------


def test_examples_in_the_help_keep_their_lines(run):
    for command in ("compare", "matrix"):
        lines = run(command, "--help").out.splitlines()
        examples = [
            line for line in lines if f"concordant {command} " in line and not re.search("Usage|`", line)
        ]
        assert len(examples) >= 5
        assert all(re.match(r"    (cut .*\| )?concordant ", line) for line in examples)


def test_version_and_help(run):
    assert process("--version").stdout == f"concordant {cc.__version__}\n"
    assert process("--help").stdout == run("--help").out == run().err
    for command in ("compare", "matrix", "indices", "explain"):
        ran = run(command, "-h")
        assert ran.status == 0
        assert f"concordant {command} " in ran.out


def test_errors_of_a_process():
    ran = process("compare", "missing.csv")
    assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", "concordant: there is no file missing.csv\n")


def test_digits():
    ran = process("compare", str(DIGITS / "truth.csv"), str(DIGITS / "kmeans.csv"), "--json")
    said = json.loads(ran.stdout)
    assert said["elements"] == 1797
    assert said["clusters"] == {"reference": 10, "candidate": 10}
    assert 0.6 < said["indices"]["adjusted_rand"] < 0.7


def test_a_reader_that_leaves_early_is_no_mistake():
    command = f"{sys.executable} -m concordant indices | head -1; echo ${{PIPESTATUS[0]}}"
    ran = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[1:] == ["0"]
    assert ran.stderr == ""


def test_a_full_disk_is_told():
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        ran = subprocess.run(
            [*COMMAND, "indices"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert ran.returncode == 2
    assert ran.stderr == "concordant: cannot write to standard output: No space left on device\n"


@pytest.mark.parametrize(
    "arguments", ["indices", "--version", f"compare {DIGITS}/truth.csv {DIGITS}/truth.csv"]
)
def test_a_closed_standard_output_is_told(arguments):
    command = f"{sys.executable} -m concordant {arguments} >&-"
    ran = subprocess.run(["bash", "-c", command], stderr=subprocess.PIPE, text=True, check=False)
    assert ran.returncode == 2
    assert ran.stderr == (
        "concordant: cannot write to standard output: it is closed; --output writes to a file\n"
    )


def test_output_to_a_file_needs_no_standard_output(tmp_path):
    files = f"{DIGITS}/truth.csv {DIGITS}/truth.csv --output {tmp_path}/result"
    command = f"{sys.executable} -m concordant compare {files} >&- 2>&-"
    assert subprocess.run(["bash", "-c", command], check=False).returncode == 0
    assert "1,797 elements" in (tmp_path / "result").read_text(encoding="utf-8")


def test_a_closed_standard_error_keeps_the_status():
    command = f"{sys.executable} -m concordant explain nothing 2>&-"
    assert subprocess.run(["bash", "-c", command], check=False).returncode == 2


@pytest.mark.usefixtures("interruptible")
def test_interrupted():
    """While it waits for more: what was written has been taken from the pipe."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen([*COMMAND, "compare", "-"], **pipes) as waiting:
        waiting.stdin.write(b"u,v\n")
        waiting.stdin.flush()
        while unread(waiting.stdin):
            assert waiting.poll() is None
            time.sleep(0.01)
        waiting.send_signal(signal.SIGINT)
        assert waiting.wait(timeout=SECONDS) == 130
        assert waiting.stderr.read() == b""


def unread(pipe):
    """How many bytes of a pipe nobody has read yet."""
    return int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder)


def test_an_encoding_without_our_letters():
    ran = process("explain", "jaccard", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert ran.returncode == 0
    assert "N?? / (N?? + N?? + N??)" in ran.stdout


def printed_on_a_terminal(*arguments, **environment):
    """What a command prints on a terminal of 120 columns."""
    variables = {"PATH": os.environ["PATH"], "TERM": "xterm-256color", "COLUMNS": "120", **environment}
    return on_a_terminal([*COMMAND, *arguments], env=variables)[0]


def test_colours_on_a_terminal_only():
    arguments = ("compare", str(DIGITS / "truth.csv"), str(DIGITS / "kmeans.csv"))
    assert "\x1b[" in printed_on_a_terminal(*arguments)
    assert "\x1b[" not in printed_on_a_terminal(*arguments, NO_COLOR="1")
    assert "\x1b[" not in process(*arguments).stdout
    assert "\x1b[" in printed_on_a_terminal("explain", "jaccard")


def test_indices_fit_a_narrow_terminal():
    wide, narrow = (
        printed_on_a_terminal("indices", COLUMNS=columns, NO_COLOR="1").splitlines()
        for columns in ("200", "80")
    )
    assert wide[0].split()[-1] == "title"
    assert len(narrow) == len(wide)
    assert max(map(len, narrow)) <= 80


@pytest.mark.parametrize("module", ["typer", "rich"])
def test_without_the_extra(module):
    code = f"import sys; sys.modules[{module!r}] = None; from concordant.__main__ import main; main()"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert ran.stderr == (
        f"concordant: the command line needs {module}, which is not installed; "
        "run: pip install 'concordant[cli]'\n"
    )


def test_the_library_itself_does_not_need_the_extra():
    heavy = {"duckdb", "narwhals", "pandas", "plotly", "polars", "pyarrow", "rich", "typer"}
    ours = {"concordant.cli", "concordant.engines.tables.job", "concordant.many", "concordant.report"}
    code = f"import sys, concordant; print({heavy | ours!r} & set(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "set()\n"


# -- pages, and many files ----------------------------------------------------------------------------


def test_a_page_besides_the_table(run, two_files):
    ran = run("compare", *two_files, "-i", "rand", "--html", "diff.html")
    assert ran.status == 0
    assert ran.out.startswith("rand")
    page = Path("diff.html").read_text(encoding="utf-8")
    first, second = (Path(file).stem for file in two_files)
    assert f"<title>{second} against {first}</title>" in page


def test_a_page_names_the_columns_of_one_file(run):
    write("both.csv", "old,new\na,1\na,2\n")
    assert run("compare", "both.csv", "--columns", "old,new", "--html", "d.html", "-i", "rand").status == 0
    assert "<title>new against old</title>" in Path("d.html").read_text(encoding="utf-8")


def test_a_page_shows_what_is_known_of_records(run, fails):
    write("u.csv", "id,label\np,a\nq,a\nr,b\n")
    write("v.csv", "id,label\np,1\nq,2\nr,2\n")
    write("people.csv", "id,name,born\np,Ann,1812\nq,Anne,1812\nr,Bob,1980\n")
    page = ("compare", "u.csv", "v.csv", "--html", "d.html")
    assert run(*page, "--records", "people.csv", "--show", "name").status == 0
    html = Path("d.html").read_text(encoding="utf-8")
    assert "<bdi>Anne</bdi>" in html
    assert "1812" not in html
    assert "--records names the file" in fails(*page, "--show", "name")
    assert "--html names the page" in fails("compare", "u.csv", "v.csv", "--records", "people.csv")
    assert "no column 'nam'" in fails(*page, "--records", "people.csv", "--show", "nam")


def test_a_page_that_cannot_be_written(fails, two_files):
    assert "File name too long" in fails("compare", *two_files, "--html", "x" * 300 + ".html")
    assert "there is no folder nowhere" in fails("compare", *two_files, "--html", "nowhere/diff.html")


def test_the_costliest_clusters_are_told(run, two_files):
    out = run("compare", *two_files).out
    assert "2 of 3 reference clusters are found, 1 of them exactly; 1 is scattered" in out
    assert re.search(r"candidate y mixes reference 2 and 1\s+2 wrong pairs, +100% of all", _narrow(out))


def test_a_terminal_of_25_lines_and_80_columns_is_enough(run, two_files):
    lines = run("compare", *two_files).out.splitlines()
    assert len(lines) <= 25
    assert max(map(len, lines)) <= 80
    everything = run("compare", *two_files, "--all").out
    assert f"{EXPECTED:all}" in everything
    assert "fowlkes_mallows" in everything
    assert EXPECTED.signature in everything


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
    assert lines[0].startswith("adjusted_rand, ")
    assert lines[2].split() == ["first", "second"]
    assert [line.split()[0] for line in lines[3:5]] == ["second", "third"]
    assert lines[-1] == "most like all the others: first"


def test_matrix_with_a_reference_and_track(run, fails, runs):
    assert (
        run("matrix", *runs, "--reference", "third").out.splitlines()[-1] == "nearest to third: first, second"
    )
    assert "reference" in fails("matrix", *runs, "--reference", "fourth")
    ran = run("track", *runs, "--html", "t.html")
    assert ran.out.startswith("3 partitions in order")
    assert "first → second" in ran.out
    assert "3 partitions in order, first to third</title>" in Path("t.html").read_text(encoding="utf-8")
    assert "a track takes two partitions or more" in fails("track", runs[0])


def test_matrix_as_json_and_by_any_index(run, runs):
    data = json.loads(run("matrix", *runs, "--index", "f_measure(beta=2)", "--json").out)
    expected = cc.matrix([list("11223"), list("11222"), list("12345")], "f_measure(beta=2)")
    assert data["names"] == ["first", "second", "third"]
    assert data["values"] == [list(row.values()) for row in expected.to_dict().values()]
    assert data["symmetric"] is False


def test_matrix_to_files(run, runs):
    ran = run("matrix", *runs, "-i", "mirkin", "--json", "-o", "m.json", "--html", "m.html")
    assert (ran.status, ran.out) == (0, "")
    assert json.loads(Path("m.json").read_text(encoding="utf-8"))["metric"] is True
    assert "fit for multidimensional scaling" in Path("m.html").read_text(encoding="utf-8")


def test_matrix_of_columns(run):
    write("all.csv", "id,truth,monday,tuesday\n1,a,x,x\n2,a,x,y\n3,b,y,y\n")
    data = json.loads(
        run("matrix", "all.csv", "--columns", "truth,monday,tuesday", "-i", "rand", "--json").out
    )
    assert data["names"] == ["truth", "monday", "tuesday"]
    assert data["values"][0] == [1.0, 1.0, 1 / 3]


def test_matrix_by_several_indices(run):
    write("all.csv", "id,truth,monday,tuesday\n1,a,x,x\n2,a,x,y\n3,b,y,y\n")
    asked = ["matrix", "all.csv", "--columns", "truth,monday,tuesday", "-i", "rand", "-i", "joint_entropy"]
    said = run(*asked, "--html", "both.html").out
    assert said.index("rand, ") < said.index("most like all the others: truth\n\njoint_entropy, ")
    assert "matrix-2" in Path("both.html").read_text(encoding="utf-8")
    assert [each["index"] for each in json.loads(run(*asked, "--json").out)] == ["rand", "joint_entropy"]


def test_matrix_of_clusters(run):
    write("p.txt", "a,b\nc\n")
    write("q.txt", "a\nb,c\n")
    data = json.loads(run("matrix", "p.txt", "q.txt", "--format", "clusters", "-i", "rand", "--json").out)
    assert data["values"] == [[1.0, 1 / 3], [1 / 3, 1.0]]


def test_matrix_with_options_of_compare(run):
    write("a.tsv", "key\tgroup\textra\n1\tx\t\n2\tx\t\n3\t-1\t\n")
    write("b.tsv", "key\tgroup\textra\n1\tx\t\n2\ty\t\n4\tz\t\n")
    options = ["--record", "key", "--cluster", "group", "--unmatched", "drop", "--noise", "-1", "--noise-as"]
    data = json.loads(run("matrix", "a.tsv", "b.tsv", *options, "drop", "-i", "rand", "--json").out)
    assert data["values"] == [[1.0, 0.0], [0.0, 1.0]]
    assert data["metric"] is False


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
        (["first.csv"], "a matrix takes two partitions or more: give several files, or name the columns"),
        (["first.csv", "--columns", "label"], "a matrix takes two partitions or more"),
        (["first.csv", "--columns", "label,label"], "'label' is named twice"),
        (["first.csv", "--columns", "id,lable"], "did you mean 'label'?"),
        (
            ["first.csv", "--columns", "id,label", "--record", "id"],
            "--record and --cluster join several files",
        ),
        (["first.csv", "second.csv", "--columns", "id,label"], "--columns picks columns of one file"),
        (["first.csv", "first.csv"], "the file first.csv is given twice"),
        (["-", "-"], "standard input (-) can be read only once"),
        (["first.csv", "second.csv", "-i", "ARI", "-i", "adjusted_rand"], "adjusted_rand is asked for twice"),
        (["first.csv", "second.csv", "-i", "ran"], "did you mean"),
        (
            ["first.csv", "second.csv", "--cluster", "id", "--cluster", "label"],
            "name one column for all files",
        ),
        (["first.csv", "--format", "clusters"], "a matrix takes two files or more"),
        (["first.csv", "second.csv", "--format", "clusters", "--record", "id"], "clusters have no columns"),
        (["first.csv", "nowhere.csv"], "there is no file nowhere.csv"),
        (["first.csv", "second.csv", "--noise", "1"], "--noise 1: what to make of noise"),
    ],
)
@pytest.mark.usefixtures("runs")
def test_matrices_that_make_no_sense(fails, arguments, complaint):
    assert complaint in fails("matrix", *arguments)


def test_files_that_do_not_fit_together(fails, runs):
    table("fewer.csv", {"a": "1", "b": "1"})
    assert "'fewer' lacks 3 elements that others have ('c', 'd', 'e')" in fails("matrix", *runs, "fewer.csv")
    write("bare.csv", "label\n1\n1\n")
    assert "'first' names its elements and 'bare' does not" in fails("matrix", *runs, "bare.csv")
    write("long.csv", "label\n1\n1\n2\n")
    assert "'bare' has 2 labels and 'long' has 3" in fails("matrix", "bare.csv", "long.csv")
    table("swapped.csv", {"x": "a", "y": "b"}, header="label,id")
    error = fails("matrix", *runs, "swapped.csv")
    assert "at different places" in error
    assert "reference=" not in error


def test_matrix_files_cut_at_the_wrong_character(fails):
    for name in ("p.txt", "q.txt"):
        write(name, "a b\nc d\n")
    assert "pass --separator" in fails("matrix", "p.txt", "q.txt", "--format", "clusters")


# -- what is said while one waits, and what is not ------------------------------------------------------


@pytest.fixture
def terminal(monkeypatch):
    """What is written to a standard error that is a terminal."""
    written = io.StringIO()
    monkeypatch.setattr(progress, "Console", lambda **_: Console(file=written, force_terminal=True, width=80))
    return written


def test_progress_is_shown_when_it_takes_long(terminal, monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", 0.01)
    with progress.shown("counting sheep") as done:
        done(1, 3)
        time.sleep(0.5)
    assert "counting sheep" in terminal.getvalue()
    assert "1/3" in terminal.getvalue()


def test_what_is_quick_says_nothing(terminal):
    with progress.shown("counting sheep") as done:
        done(3, 3)
    assert terminal.getvalue() == ""


def test_progress_is_for_terminals(capsys, monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", 0.01)
    with progress.shown("counting sheep") as done:
        done(1, 3)
        time.sleep(0.1)
    assert capsys.readouterr() == ("", "")


def test_progress_ends_when_something_fails(terminal, monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", 0.01)

    @progress.shown("counting sheep")
    def count():
        time.sleep(0.2)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        count()
    written = terminal.getvalue()
    assert written.endswith("\x1b[2K")  # its line is wiped
    time.sleep(0.3)
    assert terminal.getvalue() == written


def test_hostile_labels_do_not_reach_the_terminal():
    labels = ["\x1b[31mred", "\x07bell", "\u202egnirts", "x" * 10_000]
    rows = "".join(f'"{label}","{i % 2}\x1b[2J"\n' for i, label in enumerate(labels * 2))
    ran = process("compare", "-", "--columns", "u\x1b[2J,v", input='"u\x1b[2J",v\n' + rows)
    assert ran.returncode == 0
    assert "\x1b" not in ran.stdout
    assert "\x07" not in ran.stdout
    assert "\u202e" not in ran.stdout
    told = [line for line in ran.stdout.splitlines() if "pairs, " in line]
    assert told
    assert max(map(len, told)) <= 80


# -- the documentation ------------------------------------------------------------------------------


def examples(page):
    """(command, expected output) for each ``$ command`` of the page's console blocks."""
    for block in re.findall(
        r"^```console\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    ):
        for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, printed = example.partition("\n")
            yield command, printed


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    """A folder as a reader of the page has it: the examples, also as Parquet, and the command on the path."""
    folder = tmp_path_factory.mktemp("reader")
    shutil.copytree(ROOT / "examples", folder / "examples")
    for name in ("truth", "kmeans"):
        pq.write_table(csv.read_csv(DIGITS / f"{name}.csv"), folder / f"{name}.parquet")
    (folder / "bin").mkdir()
    script = folder / "bin" / "concordant"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m concordant "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    return folder


def test_the_page_says_what_the_commands_print(reader, run, monkeypatch):
    """In order, because later commands read what earlier ones wrote. ``...`` stands for any lines.

    A command alone runs in this process, what only a shell understands in one of its own.
    """
    monkeypatch.chdir(reader)
    monkeypatch.setenv("PATH", f"{reader / 'bin'}:{os.environ['PATH']}")
    shown = list(examples(ROOT / "docs" / "command-line.md"))
    assert shown
    for command, expected in shown:
        program, *arguments = shlex.split(command)
        if program == "concordant" and not re.search(r"[|>;$]", command):
            ran = run(*arguments)
            printed = ran.out + ran.err
        else:
            printed = in_a_shell(command)
        pattern = re.escape(_narrow(expected)).replace(re.escape("...\n"), "(?:.*\n)*")
        assert re.fullmatch(pattern, _narrow(printed)), f"$ {command}\n{printed}"


def in_a_shell(command):
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "encoding": "utf-8"}
    return subprocess.run(["bash", "-c", command], **options, check=False).stdout


def _narrow(text):
    """Columns may grow when an index is added; the page need not follow."""
    return re.sub(r" +", " ", text)


def test_a_separator_that_was_found_is_told_where_nothing_else_tells_it(run):
    p, q = write("p.txt", "a b\nc\n"), write("q.txt", "a\nb c\n")
    for shown in (["-i", "ARI"], ["--json"]):
        ran = run("compare", p, q, "--format", "clusters", *shown)
        assert ran.err.count("separated by spaces") == 2
        assert "separated" not in ran.out
    assert not run("compare", p, q, "--format", "clusters", "-i", "ARI", "--separator", "space").err
