"""Every command on terminals of 80 and of 60 columns: no line is wider, no word is cut, no column is lost."""

import random
import re
from pathlib import Path

import pytest
from commands import write
from not_run import few
from rich.cells import cell_len

LONG = "a_file_whose_name_has_all_the_parameters_of_a_run_k_12_seed_7_distance_cosine_linkage_average_v2"
CHINESE = "数据集的聚类结果和参数说明"
PLAIN_LABEL, LONG_LABEL, CHINESE_LABEL = (
    "c{}",
    "a cluster with a long name, number {}",
    "名字很长的一个聚类，编号是{}",
)
KEY = """#begin document (one); part 000
x 0 0 a (0)
x 0 1 b (0)
x 0 2 c (1)

#end document
"""
FILES = {
    "plain": ("truth", "old", "new", [PLAIN_LABEL]),
    "long": ("truth", "old", LONG, [LONG_LABEL, PLAIN_LABEL]),
    "Chinese": ("truth", CHINESE, "new", [CHINESE_LABEL, LONG_LABEL]),
}
COLUMNS = ["--record", "id", "--cluster", "label"]
PAIRS = [
    ["compare"],
    ["compare", "--all"],
    ["compare", "-i", "adjusted_rand", "-i", "adjusted_mutual_information", "-i", "f_measure(beta=2)"],
    ["compare", "-i", "precision", "--significance", "--interval", "--unit", "document"],
    ["compare", "--significance", "--interval"],
    ["compare", "--weights", "weight"],
    ["compare", "--by", "document,weight", "--limit", "5"],
    ["diff", "--weights", "weight", "--list", "records", "--list", "clusters", "--list", "components"],
    ["ask", "--questions", "questions.csv"],
    ["suggest"],
    ["suggest", "--steps", "3"],
    ["estimate", "--sampling", "records"],
    ["estimate", "--sampling", "clusters", "-i", "f_measure"],
]
THREE = [
    ["matrix"],
    ["matrix", "-i", "ARI", "-i", "precision", "--reference", "truth"],
    ["track"],
    ["track", "--relabel"],
    ["consensus"],
    ["stability", "--list", "records", "--limit", "3"],
]
JUDGED = [[], ["--interval", "--list", "clusters", "--outcome", "broken"]]  # options of diff
OTHERS = [
    ["indices"],
    ["explain", "--choose"],
    *(["explain", name] for name in ("ARI", "conll", "omega", "binder_loss", "getPrecision")),
    ["coref", "key.conll", "key.conll", "--documents"],
    ["thresholds", "entities.csv", "pairs.csv", "--score", "p"],
    ["audit", "entities.csv"],
    ["trees", "u.nwk", "v.nwk", "--significance", "--curve", "fowlkes_mallows"],
    ["--version"],
    ["--help"],
]


@pytest.fixture
def at(run, monkeypatch):
    """Runs a command on a terminal of so many columns, none of which its output may exceed."""

    def at(columns, *arguments):
        monkeypatch.setenv("COLUMNS", str(columns))
        ran = run(*arguments)
        assert ran.status == 0, ran.err
        wide = [line for line in ran.out.splitlines() if cell_len(line) > columns]
        assert not wide
        return ran.out

    return at


def runs(kind):
    """Three files of records with clusters, one the reference, and their paths."""
    *names, labels = FILES[kind]
    drawn = random.Random(2)
    for share, name in zip((0, 0.3, 0.15), names, strict=True):
        rows = ["id,label,document,weight"]
        for record in range(40):
            number = record // 6 if drawn.random() >= share else drawn.randrange(9)
            label = labels[number % len(labels)].format(number)
            rows.append(f'r{record},"{label}",d{record // 5},{1 + record % 3}')
        write(f"{name}.csv", "\n".join(rows) + "\n")
    return [f"{name}.csv" for name in names]


def words(text):
    """The words of an output; bars, shortened names, and how many follow, depend on the width."""
    text = re.sub(r"[█▏▎▍▌▋▊▉·│◂]+|\S*…\S*(?: \S+…)?|[\u2068\u2069]", " ", text)
    return {word for word in re.split(r"[\s\\]+", text) if word and not set(word) <= set("|'\"(),:;")}


@pytest.fixture
def commands(run):
    """The names of all commands."""
    names = re.findall(r"(?m)^  ([a-z-]+)  ", run("--help").out.partition("Commands:")[2])
    assert "compare" in names
    return names


def test_every_command_is_tried(commands):
    tried = {command[0] for command in [*PAIRS, *THREE, *OTHERS]} | {"rank", "sample-size"}
    assert set(commands) - {"cite"} <= tried  # which prints BibTeX


@pytest.mark.parametrize("kind", few(2, ["plain", "Chinese", "long"]))
def test_every_command_fits(at, kind):
    truth, old, new = runs(kind)
    candidates = [f"{path.removesuffix('.csv')}={path}" for path in (old, new)]
    commands = [[name, truth, new, *COLUMNS, *options] for name, *options in PAIRS]
    commands += [[name, truth, old, new, *COLUMNS, *options] for name, *options in THREE]
    commands += [["diff", old, new, "--reference", truth, *COLUMNS, *options] for options in JUDGED]
    commands += [["rank", truth, *candidates, *COLUMNS]]
    commands += [["rank", truth, *candidates, *COLUMNS, "--unit", "document", "--margin", "0.05"]]
    commands += [["sample-size", truth, *COLUMNS, "--sampling", "records"]]
    for command in commands:
        narrow = at(60, *command)
        if kind == "plain":  # no name is shortened, so all words and numbers are there
            assert words(narrow) == words(at(80, *command)), command


def test_what_reads_no_partitions_fits(at, commands):
    write("key.conll", KEY)
    write("u.nwk", "((a:1,b:1):2,((c:1,d:1):1,e:2):1);")
    write("v.nwk", "((a:1,c:1):2,((b:1,d:1):1,e:2):1);")
    write("entities.csv", "id,entity\n1,x\n2,x\n3,y\n4,y\n")
    write("pairs.csv", "id_l,id_r,p\n1,2,0.9\n3,4,0.8\n2,3,0.1\n")
    for command in [*OTHERS, *([name, "--help-all"] for name in commands)]:
        wide, narrow = at(80, *command), at(60, *command)
        assert words(narrow) == words(wide), command


def test_many_partitions_with_long_names_fit(at):
    rows = [",".join(f"{LONG}_{number}" for number in range(30))]
    rows += [",".join(str((row * number) % 5) for number in range(30)) for row in range(1, 20)]
    write("all.csv", "\n".join(rows) + "\n")
    for name in ("matrix", "track", "consensus"):
        for columns in (80, 60):
            at(columns, name, "all.csv", "--columns", rows[0])
            at(columns, name, "all.csv", "--columns", ",".join(rows[0].split(",")[:5]))


def test_tables_for_programs_are_not_folded(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    truth, old, _ = runs("long")
    ran = run("suggest", truth, old, *COLUMNS, "-o", "edits.csv")
    assert (ran.status, ran.out) == (0, "")
    assert max(map(len, Path("edits.csv").read_text(encoding="utf-8").splitlines())) > 60


def test_a_folded_example_is_one_command_of_the_shell(at):
    shown = at(60, "estimate", "--help-all")
    joined = re.sub(r" \\\n +", " ", shown)
    files = "concordant estimate sample.csv run.parquet"
    assert f"{files} --record id --cluster entity --sampling records --n-draws 400\n" in joined
