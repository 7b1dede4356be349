"""`concordant thresholds`: every threshold of scored pairs against a truth."""

import json

import polars as pl
import pytest
from inner import evaluation

import concordant as cc

TRUTH = pl.DataFrame({"id": [1, 2, 3, 4, 5, 6], "entity": ["x", "x", "x", "y", "y", "z"]})
PAIRS = pl.DataFrame(
    {
        "unique_id_l": [1, 2, 4, 3],
        "unique_id_r": [2, 3, 5, 4],
        "name_l": ["a", "b", "c", "d"],
        "name_r": ["a", "b", "c", "d"],
        "probability": [0.9, 0.7, 0.7, 0.2],
    }
)


@pytest.fixture
def folder(tmp_path):
    for name, frame in (("truth", TRUTH), ("pairs", PAIRS)):
        frame.write_csv(tmp_path / f"{name}.csv")
        frame.write_parquet(tmp_path / f"{name}.parquet")
    return tmp_path


@pytest.mark.parametrize("kinds", [("csv", "csv"), ("parquet", "parquet"), ("csv", "parquet")])
def test_the_best_threshold_is_marked(run, folder, kinds):
    truth, pairs = (
        str(folder / f"{name}.{kind}") for name, kind in zip(("truth", "pairs"), kinds, strict=True)
    )
    ran = run("thresholds", truth, pairs, "--score", "probability", "-i", "f_measure", "-i", "recall")
    assert ran.status == 0
    assert "columns unique_id_l, unique_id_r and probability" in " ".join(ran.out.split())
    best = next(line for line in ran.out.splitlines() if line.split()[:1] == ["0.7"])
    assert best.split() == ["0.7", "3", "1.0000*", "1.0000"]
    assert "has no interval of its own" in " ".join(ran.out.split())


def test_a_page_has_the_best_threshold_and_the_names_of_the_files(run, folder):
    files = [
        str(folder / "truth.csv"),
        str(folder / "pairs.csv"),
        "--score",
        "probability",
        "-i",
        "f_measure",
    ]
    assert run("thresholds", *files, "--html", str(folder / "curve.html")).status == 0
    page = (folder / "curve.html").read_text(encoding="utf-8")
    assert "best at threshold 0.7" in page
    assert "truth" in page.partition("</h1>")[0]


def test_json_has_every_level_and_the_values_of_python(run, folder):
    ran = run(
        "thresholds",
        str(folder / "truth.parquet"),
        str(folder / "pairs.parquet"),
        "--score",
        "probability",
        "--json",
    )
    found = json.loads(ran.out)
    h = cc.Hierarchy.from_pairs(PAIRS, left="unique_id_l", right="unique_id_r", score="probability")
    t = cc.compare(cc.Partition.from_frame(TRUTH, record="id", cluster="entity"), h)
    curve = found["parts"]["curves"]["bcubed_f"]
    assert curve["threshold"] == [None, 0.9, 0.7, 0.2]
    assert curve["value"] == t.curve("bcubed_f").to_numpy().tolist()
    assert found["parts"]["best"]["f_measure"]["threshold"] == t.best_cut("f_measure").threshold == 0.7


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--score", "probabilty"], "has no column 'probabilty'; did you mean 'probability'"),
        (["--score", "probability", "--left", "nobody"], "it has unique_id_l, unique_id_r, name_l"),
        (["--score", "probability", "-i", "nonsense"], "nonsense"),
        (["--score", "probability", "--at", "0.7"], "--at 0.7: it is the threshold of --labels and of gates"),
    ],
)
def test_mistakes_are_named(run, folder, options, message):
    ran = run("thresholds", str(folder / "truth.csv"), str(folder / "pairs.csv"), *options)
    assert ran.status == 2
    assert message in " ".join(ran.err.split())


def test_columns_of_records_are_not_guessed_if_there_are_several(run, folder):
    odd = PAIRS.rename({"unique_id_l": "person_l", "unique_id_r": "person_r"})
    odd.write_csv(folder / "odd.csv")
    ran = run("thresholds", str(folder / "truth.csv"), str(folder / "odd.csv"), "--score", "probability")
    assert ran.status == 2
    assert "choose with --left and --right" in " ".join(ran.err.split())
    named = ["--left", "person_l", "--right", "person_r"]
    ran = run(
        "thresholds", str(folder / "truth.csv"), str(folder / "odd.csv"), "--score", "probability", *named
    )
    assert ran.status == 0


def test_records_without_a_true_cluster_are_refused_with_an_option_that_helps(run, folder):
    TRUTH.filter(pl.col("id") != 5).write_csv(folder / "some.csv")
    files = [str(folder / "some.csv"), str(folder / "pairs.csv"), "--score", "probability"]
    ran = run("thresholds", *files)
    assert ran.status == 2
    assert "--unmatched drop" in ran.err
    assert run("thresholds", *files, "--unmatched", "drop").status == 0


def test_levels_chooses_among_very_many_thresholds(run, folder, monkeypatch):
    files = ("thresholds", str(folder / "truth.csv"), str(folder / "pairs.csv"), "--score", "probability")
    files += ("-i", "element_centric")
    monkeypatch.setattr(evaluation, "_MOST_CUTS", 3)
    ran = run(*files)
    assert ran.status != 0
    assert "pass --levels 3 to compute only that many, evenly spaced" in " ".join(ran.err.split())
    ran = run(*files, "--levels", "3")
    assert ran.status == 0
    text = " ".join(ran.out.split())
    assert "1 other threshold is not listed" in text
    assert "the best is chosen among 3 thresholds" in text
    found = json.loads(run(*files, "--levels", "3", "--json").out)
    assert found["parts"]["curves"]["element_centric"]["n_clusters"] == [6, 3, 2]


def test_a_threshold_that_joins_only_dropped_records_is_not_the_best(run, folder):
    (folder / "other.csv").write_text("unique_id_l,unique_id_r,probability\n1,9,0.9\n", encoding="utf-8")
    files = ("thresholds", str(folder / "truth.csv"), str(folder / "other.csv"), "--score", "probability")
    ran = run(*files, "--unmatched", "drop")
    assert ran.status == 0
    assert "f_measure is best, 0.0000, at all singletons" in " ".join(ran.out.split())


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["-i", "bakers_gamma"], "--index bakers_gamma: this index compares whole trees"),
        (
            ["--left", "unique_id_l", "--right", "unique_id_l"],
            "--left, --right and --score name three different",
        ),
    ],
)
def test_mistakes_name_options(fails, folder, options, text):
    files = ("thresholds", str(folder / "truth.csv"), str(folder / "pairs.csv"), "--score", "probability")
    assert text in " ".join(fails(*files, *options).split())
