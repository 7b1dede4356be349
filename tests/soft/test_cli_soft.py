"""`concordant compare --membership`: soft partitions in files, against each other and against labels."""

import json

import polars as pl
import pytest

import concordant as cc

WEIGHTS = pl.DataFrame(
    {
        "id": ["a", "a", "b", "b", "c", "d", "d"],
        "topic": ["x", "y", "x", "y", "y", "y", "x"],
        "weight": [0.9, 0.1, 0.8, 0.2, 1.0, 0.7, 0.3],
    }
)
FILES = ("weights", "labels", "short")
LABELS = pl.DataFrame({"id": ["d", "c", "b", "a"], "label": ["q", "q", "p", "p"]})


@pytest.fixture
def folder(tmp_path):
    for name, frame in (("weights", WEIGHTS), ("labels", LABELS)):
        frame.write_csv(tmp_path / f"{name}.csv")
        frame.write_parquet(tmp_path / f"{name}.parquet")
    short = WEIGHTS.with_columns(weight=pl.when(pl.col("weight") == 0.3).then(0.2).otherwise("weight"))
    short.write_csv(tmp_path / "short.csv")
    return tmp_path


@pytest.fixture
def found():
    soft = cc.Soft.from_frame(WEIGHTS, record="id", cluster="topic", weight="weight")
    return cc.compare(soft, dict(LABELS.iter_rows()))


@pytest.mark.parametrize(
    ("kinds", "membership"),
    [(("csv", "parquet"), "weight"), (("parquet", "csv"), "reference=weight")],
)
def test_weights_against_labels_are_those_of_python(run, folder, found, kinds, membership):
    paths = [folder / f"{name}.{kind}" for name, kind in zip(("weights", "labels"), kinds, strict=True)]
    ran = run("compare", *map(str, paths), "--membership", membership, "--json")
    assert ran.status == 0
    document = json.loads(ran.out)
    assert document["data"] == found.to_dict()
    ran = run("compare", *map(str, paths), "--membership", membership)
    words = " ".join(ran.out.split())
    assert f".{kinds[0]}, column topic, by id, weights in weight" in words
    assert f".{kinds[1]}, column label, by id" in words
    assert found.headline in words


def test_two_soft_files_with_other_columns(run, folder):
    other = WEIGHTS.rename({"topic": "kind", "weight": "p"}).with_columns(more=1)
    other.write_parquet(folder / "other.parquet")
    columns = ["--record", "id", "--cluster", "reference=topic", "--cluster", "candidate=kind"]
    weights = ["--membership", "reference=weight", "--membership", "candidate=p"]
    sides = [str(folder / "weights.csv"), str(folder / "other.parquet")]
    ran = run("compare", *sides, *columns, *weights, "-i", "soft_adjusted_rand", "-i", "soft_rand")
    assert ran.status == 0
    assert [line.split()[:2] for line in ran.out.splitlines()] == [
        ["soft_adjusted_rand", "1.0000"],
        ["soft_rand", "1.0000"],
    ]


def test_all_indices_significance_page_and_limits(run, folder, found):
    sides = [str(folder / "weights.csv"), str(folder / "labels.csv"), "--membership", "weight"]
    ran = run("compare", *sides, "--all", "--json", "--significance")
    document = json.loads(ran.out)
    assert set(document["data"]) == {*found.keys(), *found.on_request}
    assert document["parts"]["significance"]["soft_adjusted_rand"]["p"] == pytest.approx(
        found.significance().p
    )
    page = folder / "page.html"
    ran = run("compare", *sides, "--html", str(page), "--significance")
    assert f"{found.significance()!r}" in " ".join(ran.out.split())
    text = page.read_text(encoding="utf-8")
    assert found.headline in text
    assert "labels against weights" in text.lower()
    assert run("compare", *sides, "--fail-under", "soft_adjusted_rand=0.5").status == 0
    ran = run("compare", *sides, "--fail-under", "soft_adjusted_rand=0.9")
    assert (ran.status, "it should be at least 0.9" in ran.err) == (1, True)


def test_rows_that_add_up_to_less(run, folder):
    sides = [str(folder / "short.csv"), str(folder / "labels.csv"), "--membership", "weight"]
    ran = run("compare", *sides)
    assert ran.status == 2
    advice = "pass --remainder alone to leave the rest of each row in no cluster, --remainder cluster to make"
    assert f"the record 'd' adds up to 0.9; {advice}" in ran.err
    assert "--normalise to divide" in ran.err
    frame = pl.read_csv(folder / "short.csv")
    columns = {"record": "id", "cluster": "topic", "weight": "weight"}
    for options in ({"remainder": "alone"}, {"remainder": "cluster"}, {"normalise": True}):
        words = [
            f"--{option}" if value is True else f"--{option}={value}" for option, value in options.items()
        ]
        document = json.loads(run("compare", *sides, *words, "--json").out)
        soft = cc.Soft.from_frame(frame, **columns, **options)
        assert document["data"] == cc.compare(soft, dict(LABELS.iter_rows())).to_dict()


def test_standard_input(run, folder, found):
    given = (folder / "weights.csv").read_bytes()
    ran = run("compare", "-", str(folder / "labels.csv"), "--membership", "weight", "--json", stdin=given)
    assert json.loads(ran.out)["data"] == found.to_dict()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("weights labels --membership wieght", "no column 'wieght'"),
        ("weights labels --membership wieght", "did you mean 'weight'?"),
        ("weights labels --membership candidate=weight", "labels.csv has no column 'weight'"),
        ("weights labels --membership weight -i adjusted_rand", "its soft form is soft_adjusted_rand"),
        ("weights labels -i soft_adjusted_rand", "name their column of weights with --membership"),
        ("weights labels --normalise", "--normalise: this needs --membership, the column of weights"),
        ("weights weights --membership reference=weight --record id --cluster topic", "have several rows"),
        ("weights --membership weight", "memberships are read from two files"),
        ("weights labels --membership weight --columns a,b", "--columns and --format clusters"),
        ("weights labels --membership weight --interval", "--interval: this cannot be combined with"),
        ("weights labels --membership weight --nulls drop", "--nulls drop: this cannot be combined with"),
        (
            "weights labels --membership weight --weights weight",
            "--weights weight: this cannot be combined with",
        ),
        (
            "weights labels --membership weight --separator tab",
            "engines do not support --separator",
        ),
        ("weights labels --membership weight --engine spark", "Spark does not read memberships"),
        ("weights labels --membership topic", "the weight 'x', which is not a number"),
        (
            "weights labels --membership weight --unmatched keep",
            "--unmatched keep: each side of a soft comparison needs all records; pass --unmatched drop",
        ),
    ],
)
def test_mistakes_name_options(fails, folder, options, words):
    named = [str(folder / f"{word}.csv") if word in FILES else word for word in options.split()]
    assert words in fails("compare", *named)


def test_records_of_one_side(run, folder):
    WEIGHTS.filter(pl.col("id") != "d").write_csv(folder / "fewer.csv")
    sides = [str(folder / "fewer.csv"), str(folder / "labels.csv"), "--membership", "weight"]
    ran = run("compare", *sides)
    assert ran.status == 2
    assert "1 only in the candidate" in ran.err
    assert "--unmatched drop" in ran.err
    assert "labels.csv, column label, by id" in ran.err
    assert json.loads(run("compare", *sides, "--unmatched", "drop", "--json").out)["size"] == 3
