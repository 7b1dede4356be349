"""What the command line makes of files: headers, outputs that are inputs, and what it says of mistakes."""

import gzip
import os
import pickle
from pathlib import Path

import pytest
from commands import write

TRUTH = "id,label\na,1\nb,1\nc,2\n"


@pytest.fixture
def two(run):  # noqa: ARG001  (it changes the folder)
    Path("u.csv").write_text(TRUTH)
    Path("v.csv").write_text("id,label\na,x\nb,y\nc,y\n")
    return ["compare", "u.csv", "v.csv"]


@pytest.mark.parametrize("engine", [[], ["--engine", "auto"]])
def test_a_first_line_that_could_be_a_row(run, fails, engine):
    Path("u.csv").write_text("a,1\nb,2\nc,2\n")
    Path("v.csv").write_text("id,label\na,x\nb,y\nc,y\n")
    said = fails("compare", "u.csv", "v.csv", *engine)
    assert "the first line ('a', '1') could be a row like the others; pass --no-header to" in said
    assert run("compare", "u.csv", "v.csv", *engine, "--header", "--unmatched", "drop").status == 0


@pytest.mark.parametrize("option", ["--output", "--html"])
@pytest.mark.parametrize("spelling", ["u.csv", "./u.csv", "soft.csv", "hard.csv"])
def test_what_is_read_is_not_written_over(two, fails, option, spelling):
    Path("soft.csv").symlink_to("u.csv")
    os.link("u.csv", "hard.csv")
    assert "an input; write to another file" in fails(*two, option, spelling)
    assert Path("u.csv").read_text() == TRUTH


def test_every_command_refuses_a_place_before_it_reads(two, fails):
    commands = [
        ["suggest", "u.csv", "v.csv"],
        ["coref", "u.csv", "v.csv"],
        ["sample-size", "u.csv", "--sampling", "records"],
        ["estimate", "u.csv", "v.csv", "--sampling", "clusters"],
        ["rank", "u.csv", "old=v.csv", "new=v.csv"],
        ["matrix", "u.csv", "v.csv"],
        ["track", "u.csv", "v.csv"],
        ["consensus", "u.csv", "v.csv"],
        ["diff", "v.csv", "v.csv", "--reference", "u.csv"],
        two,
    ]
    for command in commands:
        assert "an input; write to another file" in fails(*command, "-o", "u.csv"), command
        assert "cannot write none/x: there is no folder none" in fails(*command, "-o", "none/x"), command
    assert Path("u.csv").read_text() == TRUTH


def test_outputs_that_cannot_both_be_written(two, fails):
    assert "there is no folder none" in fails(*two, "--html", "page.html", "-o", "none/x")
    assert "--output writes to the same file; name another one" in fails(*two, "-o", "x", "--html", "./x")
    assert "File name too long" in fails(*two, "--html", "x" * 300 + ".html")
    assert not list(Path().glob("page.html")) + list(Path().glob("x"))


def test_a_hyphen_is_standard_output(two, run):
    assert run(*two, "-i", "rand", "-o", "-").out == run(*two, "-i", "rand").out
    assert not Path("-").exists()


def test_files_that_are_something_else(fails):
    Path("x.json").write_text('[{"id": 1, "label": 2}]')
    assert "x.json contains a JSON array; JSON lines have one object per line" in fails(
        "compare", "x.json", "x.json"
    )
    Path("x.pkl").write_bytes(pickle.dumps({"a": 1, "b": 2}))
    assert "x.pkl is a pickle, which this command does not read" in fails("compare", "x.pkl", "x.pkl")


def test_a_small_file_that_expands_to_a_long_line_is_refused(fails, run):
    """Without the limit, 400 kB take 900 MB. Many short lines, and a long cluster, are read."""
    write("usual.csv", "id,label\na,1\nb,2\n")
    write("bomb.csv.gz", gzip.compress(b"id,label\na," + b"x" * 20_000_000 + b"\n", 1))
    message = fails("compare", "usual.csv", "bomb.csv.gz")
    assert "bomb.csv.gz is compressed and has a line of more than 16 MiB" in message
    names = [f"{number:0100000}" for number in range(180)]
    rows = "".join(f"{name},{number % 7}\n" for number, name in enumerate(names)).encode()
    assert len(rows) > 2**24
    write("lines.csv.gz", gzip.compress(b"id,label\n" + rows, 1))
    assert run("sample-size", "lines.csv.gz", "--sampling", "records").status == 0
    write("cluster.csv.gz", gzip.compress(",".join(names).encode() + b"\nlast\n", 1))
    assert run("sample-size", "cluster.csv.gz", "--format", "clusters", "--sampling", "records").status == 0
