"""What separates the fields of a text: found, told, or asked for, and never guessed wrong in silence."""

import pytest
from commands import EXPECTED, GUESS, TRUTH, table, values, write


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
    assert "to use them as labels" in said
    told = [*(each for each in options if each == "--no-header"), "--separator", word]
    assert run("compare", u, v, *told, "--json", "-i", "rand").values == {"rand": 1 / 3}
    labels = ["--cluster", "1" if header is None else header.replace(",", separator)]
    assert run("compare", u, v, *options, *labels, "--json", "-i", "rand").values == {"rand": 1.0}


def test_a_separator_that_occurs_in_neither_file(run, fails):
    u, v = (
        table("u.csv", {"1": "a", "2": "a"}, "id,c", "~"),
        table("v.csv", {"1": "x", "2": "y"}, "id,c", "~"),
    )
    assert "pass --separator ... to separate the fields, or --cluster ... to use them" in fails(
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
    first = f"reference  p.{ending}, one cluster per line, separated by {word}\n"
    assert run(*arguments).out.startswith(first)


def test_members_cut_at_the_wrong_character_do_not_agree_perfectly(fails):
    p, q = write("p.csv", "a,b\nc\n"), write("q.csv", "a\nb,c\n")
    said = fails("compare", p, q, "--format", "clusters", "--separator", "space", "--unmatched", "singletons")
    assert "; pass --separator comma to separate" in said
    both = write("both.csv", "a;b\nc|d\n")
    said = fails("compare", both, both, "--format", "clusters")
    assert "both.csv contains semicolons and pipes; pass --separator semicolon to" in said


def test_elements_that_hold_other_separators(run, fails):
    write("p.csv", "Ann Lee\nBob Ray\n")
    write("q.csv", "Ann Lee,Bob Ray\n")
    arguments = ["compare", "p.csv", "q.csv", "--format", "clusters"]
    assert "p.csv: every line has one record, like 'Ann Lee', which looks like several" in (
        said := fails(*arguments)
    )
    assert "pass --separator space to separate them, or --separator comma to make each a singleton" in said
    assert run(*arguments, "--separator", "comma", "-i", "rand", "--json").values == {"rand": 0.0}


def test_a_column_at_another_place_is_not_taken_for_another(run, fails):
    table("truth.csv", TRUTH, "id,label")
    write("guess.csv", "cluster,id\n" + "".join(f"{label},{element}\n" for element, label in GUESS.items()))
    arguments = ["compare", "truth.csv", "guess.csv", "--unmatched", "drop"]
    for options in ([], ["--record", "reference=id"]):
        assert (
            "truth.csv and guess.csv both have a column 'id', but in different positions; specify the "
            "record column: --record id, or --record reference=id --record candidate=cluster"
        ) in fails(*arguments, *options)
    assert run(*arguments, "--record", "id", "--json").values == values(EXPECTED)
    write("guess.csv", "label,key\nx,a\n")
    assert "both have a column 'label', but" in fails(*arguments)
    write("guess.csv", "label,id\n" + "".join(f"{element},{label}\n" for element, label in GUESS.items()))
    told = ["--record", "reference=id", "--record", "candidate=label"]
    assert run(*arguments, *told, "--json").values == values(EXPECTED)


def test_a_separator_that_was_found_is_told_where_nothing_else_tells_it(run):
    p, q = write("p.txt", "a b\nc\n"), write("q.txt", "a\nb c\n")
    for shown in (["-i", "ARI"], ["--json"]):
        ran = run("compare", p, q, "--format", "clusters", *shown)
        assert ran.err.count("separated by spaces") == 2
        assert "separated" not in ran.out
    assert not run("compare", p, q, "--format", "clusters", "-i", "ARI", "--separator", "space").err
