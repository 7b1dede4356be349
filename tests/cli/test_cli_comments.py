"""--markdown: comments on pull requests, for every command."""

import re

import pytest
from cases import every_case
from commands import table, write
from inner import pull_request_comments

import concordant as cc

TRUTH = {"a": "@ann", "b": "@ann", "c": "#12", "d": "#12", "e": "!3", "f": "x`y```z", "g": "x`y```z"}
GUESS = {"a": "p", "b": "q", "c": "q", "d": "q", "e": "r", "f": "s", "g": "t"}
MENTION = re.compile(r"@\w|[#!]\d")


@pytest.fixture
def files(run):
    assert run  # which moves to the folder of the test
    table("truth.csv", TRUTH)
    table("guess.csv", GUESS)
    return ["truth.csv", "guess.csv"]


def without_code(text):
    return re.sub(r"^(`{3,})text\n.*?\n\1$", "", text, flags=re.DOTALL | re.MULTILINE)


def test_a_comment_has_headline_gates_table_and_worst_changes(run, files):
    ran = run("compare", *files, "--markdown", "--fail-under", "rand=0.1", "--fail-over", "mirkin=99")
    c = cc.compare(TRUTH, GUESS, names=["truth", "guess"])
    lines = ran.out.splitlines()
    assert lines[0].replace("\\", "").replace("\u200b", "") == f"### {c.headline}"
    assert lines[2:4] == ["- ✅ --fail-under rand=0.1", "- ✅ --fail-over mirkin=99"]
    assert c.to_markdown() in ran.out
    assert str(c.changes(limit=3)) in ran.out
    assert lines[-1].startswith("<sub>concordant ")
    assert (ran.status, ran.err) == (0, "")


def test_missed_gates_are_in_the_comment_and_in_the_status(run, files):
    ran = run("compare", *files, "--markdown", "--fail-under", "rand=1", "--fail-under", "jaccard=0")
    value = cc.rand(TRUTH, GUESS)
    missed = f"- ❌ rand is {value!r}; it should be at least 1.0"
    assert f"{missed}\n- ✅ --fail-under jaccard=0\n" in ran.out
    assert ran.status == 1


def test_labels_are_neither_people_nor_issues(run, files):
    ran = run("diff", *files, "--reference", "truth.csv", "--markdown", "--list", "records")
    assert not MENTION.search(without_code(ran.out))
    ran = run("matrix", "@ann=truth.csv", "#12=guess.csv", "--markdown")
    assert "@\u200bann" in ran.out
    assert not MENTION.search(without_code(ran.out))


def test_a_label_cannot_end_the_block_of_changes(run, files):
    out = run("compare", *files, "--markdown").out
    assert "````text" in out
    assert "x`y```z" not in without_code(out)


def test_other_results_are_folded(run, files):
    out = run("compare", *files, "--markdown", "--significance", "--list", "clusters", "-i", "rand").out
    assert re.findall(r"<summary>(\w+)</summary>", out) == ["significance", "clusters"]
    assert out.count("<details>") == out.count("</details>") == 2
    assert "Rand index" in out
    assert "B-cubed" not in out


@every_case(
    "command", {"diff": "components", "diff --reference before.csv": "clusters", "compare": "changes"}
)
def test_the_three_worst_changes(run, command):
    many = {str(i): str(i // 4) for i in range(80)}
    table("before.csv", many)
    table("after.csv", {i: f"{group}{int(i) % 4 < 2}" for i, group in many.items()})
    sides = ["before.csv", "after.csv"]
    name, *options = command.split()
    out = run(name, *sides, *options, "--markdown").out
    code = re.search(r"^(`{3,})text\n(.*?)\n\1$", out, flags=re.DOTALL | re.MULTILINE)[2]
    assert "17 more" in code


def test_the_worst_records_of_soft_partitions(run):
    write("soft.csv", "record,cluster,weight\na,x,1\na,y,1\nb,x,2\nc,y,2\n")
    table("labels.csv", {"a": "p", "b": "p", "c": "q"}, header="record,cluster")
    arguments = ["--membership", "candidate=weight", "--normalise", "--markdown"]
    ran = run("compare", "labels.csv", "soft.csv", "--record", "record", "--cluster", "cluster", *arguments)
    assert re.search(r"^ *a +p +x +0\.5000", ran.out, re.MULTILINE)


def test_without_a_change_there_is_no_list_of_them(run, files):
    assert "```" not in run("diff", files[1], files[1], "--reference", files[0], "--markdown").out
    assert "```" not in run("diff", files[0], files[0], "--markdown").out


def test_long_comments_leave_parts_out(run, monkeypatch, files):
    monkeypatch.setattr(pull_request_comments, "LONGEST", 900)
    out = run("compare", *files, "--markdown", "--list", "records", "--fail-under", "rand=1").out
    assert len(out) <= 900
    assert "❌" in out
    assert re.search(r"\d parts? would be too long for a comment", out)


def test_tables_are_cut(run):
    for i in range(30):
        table(f"{i}.csv", {"a": "1", "b": str(i % 2)})
    out = run("matrix", *(f"{i}.csv" for i in range(30)), "-i", "rand", "--markdown").out
    assert "and 9 more" in out or "and 10 more" in out


def test_a_comment_is_text(run, fails, files):
    for option in (["--json"], ["--output", "x.csv"], ["--output", "x.json"], ["--output", "x.tex"]):
        assert "--markdown" in fails("compare", *files, "--markdown", *option)
    printed = run("compare", *files, "--markdown").out
    assert run("compare", *files, "--markdown", "--output", "x.md").status == 0
    with open("x.md", encoding="utf-8") as file:  # noqa: PTH123
        assert file.read() == printed
