"""concordant compare --by: the table of slices, its JSON and its page."""

import json
from pathlib import Path

import pytest
from commands import write

PERSON = [i // 3 for i in range(360)]
RUN = [p + 1000 if i % 3 == 2 and p % 6 == 2 else p for i, p in enumerate(PERSON)]
COUNTRY = [("DE", "FR", "PL")[p % 3] for p in PERSON]


@pytest.fixture
def files():
    for name, labels in {"truth": PERSON, "run": RUN}.items():
        write(f"{name}.csv", "id,cluster\n" + "".join(f"r{i},{x}\n" for i, x in enumerate(labels)))
    rows = zip(COUNTRY, PERSON, RUN, strict=True)
    lines = [f"r{i},{c},{2025 + i % 2},{p},{r}\n" for i, (c, p, r) in enumerate(rows)]
    write("records.csv", "id,country,year,truth,run\n" + "".join(lines))
    return ["truth.csv", "run.csv"]


def table(ran):
    assert ran.status == 0, ran.err
    return ran.out[ran.out.index("slices") :].splitlines()


@pytest.mark.parametrize("engine", [[], ["--engine", "auto"]])
def test_a_column_of_another_file(run, files, engine):
    lines = table(run("compare", *files, "--by", "country", "--details", "records.csv", *engine))
    assert lines[0] == "slices by country, PL is worse than the rest"
    assert [line.split()[0] for line in lines[2:7]] == ["slice", "PL", "DE", "FR", "all"]
    crossed = table(run("compare", *files, "--by", "country,year", "--details", "records.csv", *engine))
    assert crossed[0].startswith("slices by country and year")


def test_columns_of_one_file(run, files):
    apart = table(run("compare", *files, "--by", "country", "--details", "records.csv"))
    named = ["--record", "id", "--cluster", "reference=truth", "--cluster", "candidate=run"]
    own = table(run("compare", "records.csv", "records.csv", *named, "--by", "country"))
    assert own[0] == "slices by country, PL is worse than the rest"
    in_order = table(run("compare", "records.csv", "--columns", "truth,run", "--by", "country"))
    assert apart[2:7] == own[2:7] == in_order[2:7]


def test_json_and_page(run, files):
    asked = ["--by", "country", "--details", "records.csv", "--confidence", "0.9", "--limit", "2"]
    ran = run("compare", *files, *asked, "--json", "--html", "page.html")
    found = json.loads(ran.out)["parts"]["slices"]
    assert (found["confidence"], found["total"], found["index"]) == (0.9, 3, "bcubed_f")
    assert [each["country"] for each in found["slices"]] == ["DE", "FR"]
    page = Path("page.html").read_text("utf-8")
    assert 'data-chart="slices"' in page
    assert "the 2 largest of 3 slices by country" in page
    assert "slices-list" in page


def test_mistakes(run, files):
    for arguments, words in {
        ("--details", "records.csv"): "this needs --html or --by",
        ("--limit", "3"): "--limit has no effect without --by",
        ("--by", "contry", "--details", "records.csv"): "did you mean 'country'",
        ("--by", "country"): "no column 'country'",
        ("--by", "country", "--details", "none.csv"): "none.csv",
    }.items():
        ran = run("compare", *files, *arguments)
        assert ran.status == 2
        assert words in ran.err
