# ruff: noqa: S603  (the processes started here are our own)
"""The command line on files that an engine reads: the same answers, and one clear error for each mistake."""

import gzip
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from commands import COMMAND, EXPECTED, GUESS, TRUTH, on_a_terminal
from inner import formats

import concordant as cc
from concordant.cli import files, output

ROOT = Path(__file__).parents[2]
SECONDS = 300  # a limit for what hangs; a busy machine is slow

# -- files ------------------------------------------------------------------------------------------


def lines(mapping, names, separator):
    rows = [separator.join(names), *(separator.join(pair) for pair in mapping.items())]
    return ("\n".join(rows) + "\n").encode()


def json_lines(mapping, names):
    return "".join(
        json.dumps(dict(zip(names, pair, strict=True))) + "\n" for pair in mapping.items()
    ).encode()


def parquet(path, mapping, names=("id", "label")):
    pq.write_table(
        pa.table(dict(zip(names, map(list, zip(*mapping.items(), strict=True)), strict=True))), path
    )
    return Path(path)


def written(path, mapping, names=("id", "label")):
    """A file of that name, in the format that the name says."""
    if ".parquet" in path:
        return parquet(path, mapping, names)
    content = (
        json_lines(mapping, names)
        if ".jsonl" in path
        else lines(mapping, names, "\t" if ".tsv" in path else ",")
    )
    Path(path).write_bytes(gzip.compress(content) if path.endswith(".gz") else content)
    return Path(path)


def shared(comparison, values):
    """The values in memory of the indices that the engine gave, which are most."""
    whole = json.loads(comparison.to_json())["data"]
    assert len(values) > len(whole) - 30
    return {name: whole[name] for name in values}


FORMATS = ["parquet", "csv", "csv.gz", "tsv", "tsv.gz", "jsonl", "jsonl.gz"]


@pytest.mark.parametrize("ending", FORMATS)
def test_every_format_gives_the_same(run, ending):
    u, v = written(f"truth.{ending}", TRUTH), written(f"guess.{ending}", GUESS, ("id", "group"))
    ran = run("compare", u, v, "--engine", "auto", "--json")
    assert (ran.status, ran.err) == (0, "")
    assert ran.values == shared(EXPECTED, ran.values)


def test_the_table_says_where_the_columns_stood(run):
    u, v = parquet("truth.parquet", TRUTH), parquet("guess.parquet", GUESS, ("id", "group"))
    ran = run("compare", u, v, "--all")
    assert ran.out.startswith(
        "reference  truth.parquet, column label, by id\ncandidate  guess.parquet, column group, by id\n"
    )
    assert "1 of 5 records is" in ran.out
    assert "nulls=error" in ran.out


def test_more_columns_and_other_types(run):
    pq.write_table(pa.table({"note": [1.5] * 3, "key": [7, 8, 9], "entity": ["a", "a", "b"]}), "u.parquet")
    pq.write_table(pa.table({"key": pa.array([9, 8, 7], pa.int32()), "group": [1, 1, 2]}), "v.parquet")
    ran = run(
        "compare", "u.parquet", "v.parquet", "--record", "key", "--cluster", "reference=entity", "--json"
    )
    assert ran.values["rand"] == cc.compare(["a", "a", "b"], [2, 1, 1]).rand


def test_several_files_are_one_table(run):
    items = list(GUESS.items())
    Path("run").mkdir()
    parquet("run/1.parquet", dict(items[:2]))
    parquet("run/2.parquet", dict(items[2:]))
    u = parquet("truth.parquet", TRUTH)
    assert run("compare", u, "run/*.parquet", "-i", "ARI", "--json").values == {"ARI": EXPECTED.adjusted_rand}
    for number, part in enumerate((items[:2], items[2:])):
        written(f"run/{number}.csv", dict(part))
    written("truth.csv", TRUTH)
    assert run("compare", "truth.csv", "run/*.csv", "-i", "ARI", "--json").values == {
        "ARI": EXPECTED.adjusted_rand
    }


def test_one_file_with_two_columns_of_labels(run, fails):
    both = pa.table({"id": list(TRUTH), "truth": list(TRUTH.values()), "guess": [GUESS[x] for x in TRUTH]})
    pq.write_table(both, "both.parquet")
    ran = run("compare", "both.parquet", "--columns", "truth,guess", "--json")
    assert ran.values == shared(EXPECTED, ran.values)
    swapped = run("compare", "both.parquet", "--columns", "guess,truth", "-i", "precision", "--json").values
    assert swapped == {"precision": EXPECTED.recall}
    pq.write_table(both.select(["truth", "guess"]), "two.parquet")
    said = fails("compare", "two.parquet")  # the second file was forgotten
    assert (
        "has 2 columns ('truth' VARCHAR like '1', 'guess' VARCHAR like 'y'), and there is no second" in said
    )


def test_standard_input(run):
    u = parquet("truth.parquet", TRUTH)
    content = parquet("guess.parquet", GUESS).read_bytes()
    ran = run("compare", u, "-", "-i", "rand", "--json", stdin=content)
    assert ran.values == {"rand": EXPECTED.rand}
    ran = run("compare", u, "-", "-i", "rand", "--json", stdin=json_lines(GUESS, ("id", "label")))
    assert ran.values == {"rand": EXPECTED.rand}
    text = lines(GUESS, ("id", "label"), ",")
    assert run("compare", u, "-", "-i", "rand", "--json", stdin=text).values == {"rand": EXPECTED.rand}
    assert run("compare", "-", u, "--memory", "500MB", stdin=text).out.startswith(
        "reference  standard input, "
    )


def test_large_text_goes_to_the_engine(run, monkeypatch):
    u, v = written("truth.csv", TRUTH), written("guess.csv", GUESS)
    assert "nulls=error" not in run("compare", u, v, "--all").out
    monkeypatch.setattr(files, "_LARGE", 10)
    ran = run("compare", u, v, "--all")
    assert "nulls=error" in ran.out  # which only engines speak of
    assert run("compare", u, v, "--separator", "comma").status == 0  # read as before: the user knows better


def test_parquet_by_any_name(run):
    u, v = parquet("truth", TRUTH), parquet("guess.data", GUESS)
    assert run("compare", u, v, "-i", "rand", "--json").values == {"rand": EXPECTED.rand}


def test_indices_that_need_the_whole_table(run, fails):
    u = parquet("u.parquet", dict(zip("abcd", "1122", strict=True)))
    v = parquet("v.parquet", dict(zip("abcd", "1212", strict=True)))
    arguments = ["compare", u, v, "-i", "matching_accuracy", "--json"]
    assert (
        run(*arguments).values == run(*arguments, "--table-limit", "4").values == {"matching_accuracy": 0.5}
    )
    said = fails(*arguments, "--table-limit", "3")
    assert "the limit is 3; " in said
    assert "; pass --table-limit 4 to allow it\n" in said
    assert "--table-limit -1: use a number of overlaps" in fails(*arguments, "--table-limit", "-1")


def test_the_page_of_formats_names_every_ending():
    page = (ROOT / "docs" / "formats.md").read_text()
    for each in formats.FORMATS:
        assert all(f"`{ending}`" in page for ending in each.endings), f"docs/formats.md: add {each.endings}"
    (refused,) = re.findall(r"((?:`[.\w]+`(?:, | and )?)+) are not supported", page)
    for ending, beginning in formats.COMPRESSIONS.items():
        assert f"`{ending}`" in page
        assert (f"`{ending}`" in refused) == (beginning is None)


# -- what is missing ----------------------------------------------------------------------------------


def test_records_on_one_side_only(run, fails):
    u, v = parquet("truth.parquet", TRUTH), parquet("guess.parquet", {**GUESS, "f": "q"})
    said = fails("compare", u, v)
    assert "1 only in the candidate (among them 'f'); pass --unmatched drop to leave them out, " in said
    assert "--unmatched singletons" in said
    for unmatched in ("drop", "singletons"):
        ran = run("compare", u, v, "--unmatched", unmatched, "--json")
        whole = cc.compare(TRUTH, {**GUESS, "f": "q"}, unmatched=unmatched)
        assert ran.values == shared(whole, ran.values)


def test_labels_that_are_null(run, fails):
    pq.write_table(pa.table({"id": list("abcde"), "label": ["1", "1", "2", None, None]}), "truth.parquet")
    v = parquet("guess.parquet", GUESS)
    assert "pass --nulls drop to leave them out, or --nulls singletons" in fails(
        "compare", "truth.parquet", v
    )
    ran = run("compare", "truth.parquet", v, "--nulls", "drop", "--json")
    whole = cc.compare({"a": 1, "b": 1, "c": 2}, GUESS, unmatched="drop")
    assert ran.values == shared(whole, ran.values)
    ran = run("compare", "truth.parquet", v, "--nulls", "singletons", "--json")
    whole = cc.compare({"a": 1, "b": 1, "c": 2, "d": 3, "e": 4}, GUESS)
    assert ran.values == shared(whole, ran.values)


def test_noise_has_the_type_of_the_column(run, fails):
    pq.write_table(pa.table({"truth": [1, 1, 2, 2], "guess": [5, 5, -1, -1]}), "both.parquet")
    arguments = ["compare", "both.parquet", "--columns", "truth,guess", "--noise-as", "singletons"]
    arguments += ["-i", "recall", "--json"]
    assert run(*arguments, "--noise", "-1").values == {"recall": 0.5}
    said = fails(*arguments, "--noise", "none")
    assert "--noise 'none': the labels 'truth' of both.parquet are of type BIGINT" in said
    u, v = parquet("t.parquet", TRUTH), parquet("g.parquet", GUESS)
    ran = run("compare", u, v, "--noise", "z", "--noise-as", "drop", "-i", "rand", "--json")
    assert ran.values == cc.compare(TRUTH, GUESS, noise="z", noise_as="drop").to_dict(indices="rand")


# -- mistakes -----------------------------------------------------------------------------------------


def test_names_of_columns_that_are_none(fails):
    u, v = parquet("truth.parquet", TRUTH), parquet("guess.parquet", GUESS)
    said = fails("compare", u, v, "--cluster", "lable")
    assert (
        "truth.parquet has no column 'lable'; did you mean 'label'? It has 2 columns ('id' VARCHAR like 'a', "
        in said
    )
    pq.write_table(pa.table({"a": [1], "b": ["x" * 99], "c": [None]}), "wide.parquet")
    said = fails("compare", "wide.parquet", v)
    assert "wide.parquet has 3 columns ('a' BIGINT like 1, 'b' VARCHAR like 'xxxxxxxxxxxxxxxx..., 'c'" in said
    assert "pass --record ... and --cluster ... to specify the columns" in said
    assert "pass --columns REFERENCE,CANDIDATE to specify the two to compare" in fails(
        "compare", "wide.parquet"
    )
    pq.write_table(pa.table({"a": [1]}), "single.parquet")
    assert "has a single column, 'a'; an engine reads rows in any order" in fails(
        "compare", "single.parquet", v
    )
    parquet("swapped.parquet", {"1": "a"}, ("label", "id"))
    assert "both have a column 'id', but in different positions" in fails("compare", u, "swapped.parquet")


def test_a_limit_of_memory_that_is_too_small(fails, large):
    said = fails("compare", *large, "--memory", "2MB")
    assert "the memory limit is too small for" in said
    assert re.search(r"; pass --memory \d+MB to give enough", said)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            ["--separator", "tab"],
            "truth.parquet is not delimited text but Parquet: an engine reads the files",
        ),
        (["--no-header"], "engines do not support --no-header"),
        (["--noise", "", "--noise-as", "drop"], "--nulls is for empty labels"),
        (
            ["--format", "clusters", "--memory", "1GB"],
            "--memory 1GB cannot be combined with --format clusters",
        ),
        (["--memory", "much"], "--memory much: write a size like 800MB"),
        (["--columns", "a,b"], "--columns picks columns of one file"),
    ],
)
def test_options_that_make_no_sense(fails, options, said):
    u, v = parquet("truth.parquet", TRUTH), parquet("guess.parquet", GUESS)
    assert said in fails("compare", u, v, *options)


def test_engines_that_are_not_there(fails, monkeypatch):
    u, v = parquet("truth.parquet", TRUTH), parquet("guess.parquet", GUESS)
    for module, options in (("duckdb", []), ("pyspark", ["--engine", "spark"])):
        with monkeypatch.context() as patch:
            for name in [name for name in sys.modules if name.partition(".")[0] == module]:
                patch.setitem(sys.modules, name, None)
            patch.setitem(sys.modules, module, None)
            assert "which is not installed; run: pip install" in fails("compare", u, v, *options)


# -- as a process -------------------------------------------------------------------------------------


def random_tables(folder, size):
    rng = np.random.default_rng(3)
    for name in ("truth", "guess"):
        table = {"record": rng.permutation(size), "cluster": rng.integers(0, size // 3, size)}
        pq.write_table(pa.table(table), folder / f"{name}.parquet")
    return folder / "truth.parquet", folder / "guess.parquet"


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """Two files that take a while."""
    return random_tables(tmp_path_factory.mktemp("large"), 3_000_000)


@pytest.mark.usefixtures("interruptible")
def test_interrupted_with_nothing_left(large, tmp_path):
    """While the core is at work: it has begun to write what does not fit into memory."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    status = interrupted_status(large, temporary, tmp_path / "out")
    for size in (12_000_000, 48_000_000):
        if status == 0:  # a fast machine may be done before the signal arrives
            (tmp_path / "out").unlink()
            status = interrupted_status(random_tables(tmp_path, size), temporary, tmp_path / "out")
    assert status == 130
    assert list(temporary.iterdir()) == []
    assert not (tmp_path / "out").exists()


def interrupted_status(files, temporary, out):
    """The exit status of a comparison that is interrupted once it has written a temporary file."""
    command = [*COMMAND, "compare", *files, "--memory", "300MB", "--output", out]
    variables = {**os.environ, "TMPDIR": str(temporary)}
    pipes = dict.fromkeys(("stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(command, env=variables, **pipes) as busy:
        while not list(temporary.glob("*/*/0")) and busy.poll() is None:
            time.sleep(0.01)
        busy.send_signal(signal.SIGINT)
        status = busy.wait(timeout=SECONDS)
        assert busy.stderr.read() == b""
    return status


def test_progress_on_a_terminal_only(run, tmp_path, monkeypatch):
    at_once = "from concordant.cli import main, output; output.PATIENCE = 0; main()"
    arguments = ["compare", *map(str, random_tables(tmp_path, 600_000)), "--memory", "400MB", "-i", "rand"]
    command = [sys.executable, "-c", at_once, *arguments]
    variables = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"}
    shown, printed = on_a_terminal(command, stream="stderr", stdout=subprocess.PIPE, env=variables)
    assert "comparing" in shown
    assert "%" in shown
    assert printed.startswith("rand")
    assert "comparing" not in printed
    monkeypatch.setattr(output, "PATIENCE", 0)
    piped = run(*arguments)
    assert (piped.out, piped.err) == (printed, "")
