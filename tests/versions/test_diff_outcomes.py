"""Diffs with a reference: every cluster, record and pair has one outcome, as by the definitions."""

import itertools
import json
import math
import re
from fractions import Fraction
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest
from inner import signed
from universe import one_of_renamed, partitions

import concordant as cc
from concordant.errors import (
    InputError,
    NothingLeftError,
    ParameterError,
    TooLargeError,
    UnmatchedError,
    WeightsError,
)


def judged(reference, before, after, **options):
    return cc.diff(before, after, reference=reference, **options)


def all_records(d):
    """The records of every outcome."""
    return [each for outcome in OUTCOMES for each in d.records(limit=None, outcome=outcome)]


TRUTH = dict(zip("pqrstuvwxy", "aaaabbbbcc", strict=True))
OLD = dict(zip("pqrstuvwxy", [1, 1, 2, 2, 3, 3, 3, 3, 4, 5], strict=True))
NEW = dict(zip("pqrstuvwxy", [1, 1, 1, 1, 3, 3, 6, 6, 4, 4], strict=True))


OUTCOME = {
    (False, True): "fixed",
    (True, False): "broken",
    (False, False): "still_wrong",
    (True, True): "still_right",
}
OUTCOMES = tuple(OUTCOME.values())


def pairs_by_definition(u, v, w, weights):
    """The outcome of every pair of elements, one after the other."""
    missed, wrong = dict.fromkeys(OUTCOMES, 0), dict.fromkeys(OUTCOMES, 0)
    for i, j in itertools.combinations(range(len(u)), 2):
        together = u[i] == u[j]
        right = OUTCOME[(v[i] == v[j]) == together, (w[i] == w[j]) == together]
        (missed if together else wrong)[right] += weights[i] * weights[j]
    return missed, wrong


def test_the_accounts_are_exact_on_all_partitions_of_four_elements():
    codes = [np.array(labels) for labels in partitions(4)]
    sides = {(i, j): cc.compare(u, v) for (i, u), (j, v) in itertools.product(enumerate(codes), repeat=2)}
    scores = {pair: c.clusters(limit=None, near=1) for pair, c in sides.items()}
    by_label = {pair: sorted(found, key=lambda score: score.cluster) for pair, found in scores.items()}
    right = {pair: [score.verdict == "exact" for score in found] for pair, found in by_label.items()}
    assert len(codes) == 15
    # Elements may be named anew: one reference of each shape stands for all, and so does one pair beside it.
    shapes = {tuple(sorted(np.bincount(u))): tuple(u.tolist()) for u in codes}
    number = {labels: i for i, labels in enumerate(partitions(4))}
    pairs = itertools.product(shapes.values(), itertools.product(partitions(4), repeat=2))
    for labels in {(u, *one_of_renamed(u, *pair)) for u, pair in pairs}:
        (u, v, w), (i, j, k) = map(np.array, labels), map(number.get, labels)
        summary = judged(u, v, w, near=1).summary()
        assert (summary.missed, summary.wrong) == pairs_by_definition(u, v, w, [1] * 4)
        found = [OUTCOME[both] for both in zip(right[i, j], right[i, k], strict=True)]
        assert summary.clusters == {each: found.count(each) for each in OUTCOMES}
        assert sum(summary.cluster_records.values()) == sum(summary.records.values()) == 4


WEIGHTS = [Fraction(each) for each in ("1/2", "1", "2", "4")]  # no two sets of records weigh the same


def numbers(c):
    """Everything that is counted, and the values."""
    listed = c.clusters(limit=None, side="reference")
    columns = ("outcome", "verdict_before", "verdict_after", "missed_before", "missed_after")
    rows = sorted(tuple(getattr(each, name) for name in columns) for each in listed)
    return c.summary().to_dict(), rows, {line.index: (line.before, line.after) for line in c.indices()}


def test_the_accounts_of_weights_are_exact():
    """Weights of 1 change nothing, and units only what is in weight; shares are those of repeated records."""
    whole, known = [int(2 * weight) for weight in WEIGHTS], list(partitions(4))
    chosen = np.random.default_rng(4).choice(len(known), size=(8, 3))
    for u, v, w in ([known[i] for i in each] for each in chosen):
        c = judged(u, v, w, weights=WEIGHTS)
        summary, clusters, values = numbers(c)
        assert (summary["missed"], summary["wrong"]) == pairs_by_definition(u, v, w, WEIGHTS)
        assert sum(summary["records"].values()) == sum(summary["cluster_records"].values()) == sum(WEIGHTS)
        ones, none = numbers(judged(u, v, w, weights=[1] * 4)), numbers(judged(u, v, w))
        assert ones[:2] == none[:2]
        assert ones[2].items() <= none[2].items()
        found = numbers(judged(u, v, w, weights=[7 * weight for weight in WEIGHTS]))
        for name, of_units in (
            ("clusters", 1),
            ("cluster_records", 7),
            ("records", 7),
            ("missed", 49),
            ("wrong", 49),
        ):
            assert found[0][name] == {each: of_units * number for each, number in summary[name].items()}
        repeated = judged(
            *([each for each, n in zip(x, whole, strict=True) for _ in range(n)] for x in (u, v, w))
        )
        shares = repeated.summary().to_dict()
        assert summary["clusters"] == shares["clusters"]
        for name in ("cluster_records", "records"):
            assert summary[name] == {each: number / 2 for each, number in shares[name].items()}
        verdicts = sorted(
            (each.outcome, each.verdict_before, each.verdict_after)
            for each in repeated.clusters(side="reference")
        )
        assert [row[:3] for row in clusters] == verdicts
        sides = [cc.compare(u, x, weights=WEIGHTS) for x in (v, w)]
        assert values == {name: tuple(side[name] for side in sides) for name in values}
        for changed, pairs in (("fixed", sides[0].pairs), ("broken", sides[1].pairs)):
            assert summary["missed"][changed] + summary["missed"]["still_wrong"] == pairs.n10
            assert summary["wrong"][changed] + summary["wrong"]["still_wrong"] == pairs.n01
            assert sum(summary["missed"].values()) == pairs.n11 + pairs.n10


def test_weights_in_every_form(tmp_path):
    weights = dict(zip(TRUTH, [0.1, 0.1, 0.2, 0.3, 1, 1, 2, 1, 1, 3.3], strict=True))
    c = judged(TRUTH, OLD, NEW, weights=weights)
    (broken,) = c.clusters(outcome="broken")
    assert (broken.size, c.summary().cluster_records["broken"]) == (4, 5)
    assert (broken.missed_before, broken.missed_after) == (0, 6)
    assert {each.record for each in c.records(outcome="broken")} == {"t", "u"}
    assert c.to_dict()["weight"] == 10
    assert "weight of their records" in str(c)
    assert "weight of records" in str(c.summary())
    assert c.signature.count("weights=total 10") == 1
    page = c.to_html(tmp_path / "page.html").read_text()
    assert "Records, by weight" in page
    frame = pl.DataFrame({"id": list(TRUTH), "truth": TRUTH.values(), "cost": weights.values()})
    frame = frame.with_columns(old=pl.Series(OLD.values()), new=pl.Series(NEW.values()))
    one = cc.diff(frame, columns=["old", "new"], reference="truth", record="id", weights="cost")
    assert one.to_dict() == c.to_dict()
    sides = (
        frame.select("id", cluster="truth"),
        frame.select("id", "cost", cluster="old"),
        frame.select("id", cluster="new"),
    )
    assert judged(*sides, columns="cluster", record="id", weights="cost").to_dict() == c.to_dict()
    mixed = judged(TRUTH, OLD, NEW | {"q": None}, weights=weights, nulls="drop")
    assert sum(mixed.summary().records.values()) == 9.9
    huge = judged(TRUTH, OLD, NEW, weights={r: 10**400 * int(10 * each) for r, each in weights.items()})
    assert huge.summary().clusters == c.summary().clusters
    assert huge.to_html(tmp_path / "huge.html")
    assert max(map(len, str(huge).splitlines())) <= 80


def test_what_weights_have_not():
    for given in ({"interval": True}, {"unit": [0, 1] * 5}):
        with pytest.raises(WeightsError, match="no method is known to be valid"):
            judged(TRUTH, OLD, NEW, weights=dict.fromkeys(TRUTH, 2), **given)
    c = judged(TRUTH, OLD, NEW, weights=dict.fromkeys(TRUTH, 2))
    with pytest.raises(WeightsError, match="records that count the same"):
        c.difference("rand")
    assert "adjusted_mutual_information" not in {line.index for line in c.indices()}
    with pytest.raises(WeightsError, match="no meaning for records that weigh different amounts"):
        c.indices("adjusted_mutual_information")


def test_masked_records_keep_their_names_and_weights():
    sides = [[0, 0, 1, 1, 1, 2], [0, 0, 1, 1, 2, 2], [0, 0, 1, 2, 2, 2]]
    mask = [False] + [True] * 5
    c = judged(*sides, weights=[100, 2, 3, 4, 5, 6], where=mask)
    assert sorted(each.record for each in all_records(c)) == [1, 2, 3, 4, 5]
    assert c.to_dict()["weight"] == 20
    assert sorted(each.record for each in c.records(limit=None)) == [2, 3, 4, 5]  # the others did not change


@pytest.fixture(scope="module")
def some():
    return judged(TRUTH, OLD, NEW)


def test_counts_add_up_to_those_of_the_two_comparisons(some):
    summary, before, after = some.summary(), some.before, some.after
    assert before.to_dict(indices="rand") == cc.compare(TRUTH, OLD).to_dict(indices="rand")
    for counts, old, new in (
        (summary.missed, before.pairs.n10, after.pairs.n10),
        (summary.wrong, before.pairs.n01, after.pairs.n01),
    ):
        assert counts["fixed"] + counts["still_wrong"] == old
        assert counts["broken"] + counts["still_wrong"] == new
    found = {c: c.summary().reference.found for c in (before, after)}
    assert summary.clusters["broken"] + summary.clusters["still_right"] == found[before]
    assert summary.clusters["fixed"] + summary.clusters["still_right"] == found[after]


def test_clusters_and_records_are_named(some):
    clusters = {each.cluster: each for each in some.clusters(side="reference")}
    assert {label: each.outcome for label, each in clusters.items()} == {
        "a": "fixed",
        "b": "broken",
        "c": "fixed",
    }
    assert (clusters["a"].verdict_before, clusters["a"].verdict_after) == ("split", "exact")
    assert (clusters["a"].missed_before, clusters["a"].missed_after) == (4, 0)
    assert [each.cluster for each in some.clusters(outcome="broken")] == ["b"]
    records = {each.record: each for each in all_records(some)}
    assert records.keys() == TRUTH.keys()
    counts = {each: sum(x.outcome == each for x in records.values()) for each in OUTCOMES}
    assert counts == some.summary().records
    assert all((x.reference, x.before, x.after) == (TRUTH[r], OLD[r], NEW[r]) for r, x in records.items())
    assert [x.record for x in some.records(2, outcome="fixed")] == [
        x.record for x in some.records(outcome="fixed")
    ][:2]


def test_records_of_many_pages_are_each_listed_once():
    source = np.random.default_rng(1)
    u, v, w = (source.integers(0, 9, 700) for _ in range(3))
    listed = all_records(judged(u, v, w))
    assert sorted(each.record for each in listed) == list(range(700))


def test_indices_stand_side_by_side(some):
    lines = {line.index: line for line in some.indices(["recall", "variation_of_information", "rand"])}
    assert lines["recall"].before == some.before.recall
    assert lines["recall"].difference == some.after.recall - some.before.recall
    assert lines["recall"].low is None
    assert {line.outcome for line in lines.values()} == {"better"}
    sampled = judged(TRUTH, OLD, NEW, interval=True).indices(["recall", "rand"])
    assert all(line.low < 0 < line.high and line.outcome == "unclear" for line in sampled)
    assert some.difference("f_measure").difference == pytest.approx(
        some.after.f_measure - some.before.f_measure
    )


def test_an_infinite_value_has_no_difference():
    (line,) = judged([0, 0, 1], [0, 0, 1], [0, 0, 0]).indices("southwood")
    assert line.before == math.inf
    assert math.isnan(line.difference)


@pytest.mark.parametrize("copies", [1, 40])
def test_better_and_worse_only_where_the_interval_excludes_zero(copies, tmp_path):
    """In every form: records, text, notebook, JSON, page, versus and rank."""
    before = np.array([0, 0, 1, 1, 2, 2, 2, 3, 4, 4] * copies) + np.repeat(np.arange(copies) * 5, 10)
    after = np.array([0, 0, 0, 1, 2, 2, 2, 3, 3, 4] * copies) + np.repeat(np.arange(copies) * 5, 10)
    truth = np.array([0, 0, 0, 1, 2, 2, 2, 2, 4, 4] * copies) + np.repeat(np.arange(copies) * 5, 10)
    c = judged(truth, before, after, interval=True)
    page = c.to_html(tmp_path / "page.html").read_text()
    outcomes = set()
    for line in c.indices():
        if line.low is None:  # no interval is valid here, and none is shown
            assert line.outcome in ("", "unclear")
            assert line.note
            continue
        gain = line.difference if line.index != "variation_of_information" else -line.difference
        expected = "better" if gain > 0 else "worse" if gain < 0 else "same"
        if gain and line.low <= 0 <= line.high:
            expected = "unclear"
        assert line.outcome == expected
        assert c.difference(line.index).outcome == expected
        assert c.to_dict()["reference"]["indices"][line.index]["outcome"] == expected
        # One that does not contain the difference of these records would look like a contradiction.
        contains = line.low <= line.difference <= line.high
        shown = [signed(line.low), signed(line.high)] if contains else []
        rows = [text for text in str(c).splitlines() if text.startswith(f"{line.index} ")]
        cells = " ".join(rows).split()
        assert set(shown) <= set(cells)
        assert expected in cells
        assert all(f">{each}</td>" in text for each in shown for text in (c._repr_html_(), page))
        ranking = cc.rank(truth, {"before": before, "after": after}, line.index)
        assert ranking["after", line.index].outcome == expected
        assert expected in str(ranking)
        assert f"({expected})" in repr(c.difference(line.index))
        outcomes.add(expected)
    assert outcomes == ({"unclear"} if copies == 1 else {"better", "unclear"})


def test_as_text_json_and_html(some, tmp_path):
    assert "The change fixes 2 clusters and breaks 1" in str(some)
    assert repr(some) == "<Diff of 10 records: The change fixes 2 clusters and breaks 1>"
    assert repr(some.summary()) == "<OutcomeSummary: 2 fixed, 1 broken, 0 still wrong, 0 still right>"
    assert "<b>The change fixes" in some._repr_html_()
    assert json.loads(some.to_json())["data"]["reference"]["clusters"] == some.summary().clusters
    named = judged(TRUTH, OLD, NEW, names=("<b>old</b>", "new", "truth"))
    html = named.to_html(tmp_path / "c.html").read_text(encoding="utf-8")
    assert "new fixes 2 clusters and breaks 1</h1>" in html
    assert "<b>old</b>" not in html
    for what, counts in (("clusters", some.summary().clusters), ("records", some.summary().records)):
        shown = [counts[each] for each in OUTCOMES]
        bars = re.findall(r'<ul class="legend">(.*?)</ul>', html)
        said = [[int(x) for x in re.findall(r"<b>(\d+) ", bar)] for bar in bars]
        assert shown in said, what
    assert re.findall(r"<h2>(\d+ \w+ (?:fixed|broken|still wrong))</h2>", html)[:2] == [
        "1 cluster broken",
        "2 clusters fixed",
    ]


def test_only_what_all_three_have_is_compared(some):
    more = OLD | {"z": 9}
    with pytest.raises(UnmatchedError, match="'reference' lacks 1 record"):
        judged(TRUTH, more, NEW)
    dropped = judged(TRUTH, more, NEW, unmatched="drop")
    assert dropped.summary() == some.summary()
    assert dropped.omitted == {"before": 1}
    assert "Left out, as not all three put them in a cluster: 1 record of before" in str(dropped)
    with pytest.raises(ParameterError, match="unmatched='singletons'"):
        judged(TRUTH, more, NEW, unmatched="singletons")
    noisy = judged([0, 0, 1, -1], [0, 0, 1, 1], [0, 0, 1, 5], noise=-1, noise_as="drop")
    assert (noisy.size, noisy.omitted) == (3, {"reference": 1, "before": 1, "after": 1})


def test_nothing_in_common_is_not_all_right(frames):
    strangers = {"zz": 1, "yy": 1}
    with pytest.raises(NothingLeftError, match=r"'before' has 2 \('zz', 'yy'\)"):
        judged(TRUTH, strangers, NEW, unmatched="drop")
    with pytest.raises(NothingLeftError, match="noise_as='drop'"):
        judged([-1, -1], [0, 1], [0, 1], noise=-1, noise_as="drop")
    other = pl.DataFrame({"id": ["zz"], "label": ["1"]}).lazy()
    u, w = (cc.Partition.from_frame(frames[name].lazy(), **COLUMNS) for name in "uw")
    with pytest.raises(NothingLeftError, match="no record is in all three"):
        judged(u, cc.Partition.from_frame(other, **COLUMNS), w, unmatched="drop")


@pytest.fixture(scope="module")
def frames():
    sides = {"u": TRUTH, "v": OLD, "w": NEW}
    texts = {name: {"id": list(side), "label": list(map(str, side.values()))} for name, side in sides.items()}
    return {name: pl.DataFrame(columns) for name, columns in texts.items()}


COLUMNS = {"record": "id", "cluster": "label"}
MADE = {
    "polars": pl.DataFrame.clone,
    "lazy": pl.DataFrame.lazy,
    "pandas": pl.DataFrame.to_pandas,
    "pyarrow": pl.DataFrame.to_arrow,
    "duckdb": lambda frame: duckdb.from_arrow(frame.to_arrow()),
}


@pytest.mark.parametrize("kind", ["polars", "lazy", "pandas", "pyarrow", "duckdb", "files"])
def test_sources_give_the_same(some, frames, tmp_path, kind):
    if kind == "files":
        for name, frame in frames.items():
            frame.write_parquet(tmp_path / f"{name}.parquet")
        sides = [cc.Partition.scan(tmp_path / f"{name}.parquet", **COLUMNS) for name in frames]
    else:
        sides = [cc.Partition.from_frame(MADE[kind](frame), **COLUMNS) for frame in frames.values()]
    found = judged(*sides)
    assert found.summary() == some.summary()
    outcomes = [{x.cluster: x.outcome for x in each.clusters(side="reference")} for each in (found, some)]
    assert outcomes[0] == outcomes[1]
    assert found.after.adjusted_rand == some.after.adjusted_rand
    for outcome in OUTCOMES:  # of two parts of one size, either may be the core
        listed = found.records(None, outcome=outcome)
        assert len(listed) == len(some.records(None, outcome=outcome))
        for each in listed:
            assert each.reference == TRUTH[each.record]
            assert (each.before, each.after) == (str(OLD[each.record]), str(NEW[each.record]))
    page = found.to_html(tmp_path / "c.html").read_text(encoding="utf-8")
    assert "2 clusters fixed" in page
    assert all(f">{each.record}<" in page for each in found.records(outcome="fixed"))


def test_sources_that_do_not_fit(frames):
    u, v, w = (cc.Partition.from_frame(x.lazy(), **COLUMNS) for x in frames.values())
    with pytest.raises(TooLargeError, match=r"6 overlaps.*table_limit=6"):
        judged(u, v, w, table_limit=5)
    short = cc.Partition.from_frame(frames["w"].head(8).lazy(), **COLUMNS)
    with pytest.raises(UnmatchedError, match="8 records in common"):
        judged(u, v, short)
    assert judged(u, v, short, unmatched="drop").omitted == {"reference": 2, "before": 2}
    twice = cc.Partition.from_frame(pl.concat([frames["w"], frames["w"]]).lazy(), **COLUMNS)
    with pytest.raises(InputError, match="occurs twice"):
        judged(u, v, twice)
    with pytest.raises(InputError, match="some of the three"):
        judged(u, v, NEW)
    label = pl.when(pl.col("id") != "p").then(pl.col("label"))
    nulls = frames["w"].with_columns(label.alias("label"))
    holed = cc.Partition.from_frame(nulls.lazy(), **COLUMNS, nulls="drop")
    assert judged(u, v, holed, unmatched="drop").size == 9
    with pytest.raises(InputError, match="1 null label"):
        judged(u, v, cc.Partition.from_frame(nulls.lazy(), **COLUMNS))


def test_intervals_are_shown_only_for_a_sample(some, tmp_path):
    page = some.to_html(tmp_path / "c.html").read_text(encoding="utf-8")
    for text in (str(some), some._repr_html_(), page):
        assert "95%" not in text.partition("</style>")[2]
        assert "unclear" not in text
        assert "on these records" in text
    assert some.to_dict()["reference"]["confidence"] is None
    assert {line["low"] for line in some.to_dict()["reference"]["indices"].values()} == {None}


def test_units_and_levels(frames, run):
    units = dict(zip(TRUTH, "1223344556", strict=True))
    found = judged(TRUTH, OLD, NEW, unit=units, confidence=0.9)
    line = found.indices("rand")[0]
    wanted = found.after.versus(found.before, "rand", unit=units, confidence=0.9)
    assert (line.low, line.high, line.outcome) == (wanted.low, wanted.high, wanted.outcome)
    assert found.difference("rand").n_units == 6
    assert "90%" in str(found)
    assert "for other units of the same population" in str(found)
    assert found.to_dict()["reference"]["confidence"] == 0.9
    column = frames["u"].with_columns(unit=pl.Series(list(units.values())))
    sources = [column, frames["v"], frames["w"]]
    again = judged(
        *(cc.Partition.from_frame(frame.lazy(), **COLUMNS) for frame in sources), unit="unit", confidence=0.9
    ).indices("rand")[0]
    assert (again.low, again.high) == pytest.approx((line.low, line.high))
    column.write_csv("u.csv")
    frames["v"].write_csv("v.csv")
    frames["w"].write_csv("w.csv")
    files = ["v.csv", "w.csv", "--reference", "u.csv", "--record", "id", "--cluster", "label"]
    ran = json.loads(run("diff", *files, "--unit", "unit", "--confidence", "0.9", "--json").out)
    assert ran["data"]["reference"]["indices"]["rand"]["low"] == pytest.approx(line.low)
    assert "95%" in run("diff", *files, "--interval").out
    with pytest.raises(ParameterError, match="confidence"):
        judged(TRUTH, OLD, NEW, interval=True, confidence=95)


def test_the_indices_most_used_have_intervals(tmp_path):
    some = judged(TRUTH, OLD, NEW, interval=True)
    page = some.to_html(tmp_path / "c.html").read_text(encoding="utf-8")
    expected = [some.difference(line.index) for line in some.indices() if line.low is not None]
    assert len(expected) >= 5
    ends = [signed(end) for each in expected for end in (each.low, each.high)]
    assert all(end in text for end in ends for text in (page, str(some)))
    data = some.to_dict()["reference"]["indices"]["precision"]
    assert (data["difference"], data["low"]) == (expected[0].difference, expected[0].low)
    alone = judged([0], [0], [0], interval=True)
    assert alone.to_dict()["reference"]["indices"]["rand"]["low"] is None
    assert "no valid interval" in alone.to_html(tmp_path / "a.html").read_text(encoding="utf-8")
    with pytest.raises(ParameterError, match="no test of a difference of purity is known to be valid"):
        some.indices("purity")


def test_what_is_refused(some):
    with pytest.raises(ParameterError, match="outcome='mended'"):
        some.clusters(outcome="mended")
    with pytest.raises(ParameterError, match="give a name for each of"):
        judged(TRUTH, OLD, NEW, names=("a", "b"))
    for needless in ({"near": 1}, {"majority": 0.6}, {"interval": True}, {"unit": [0, 1] * 5}):
        with pytest.raises(ParameterError, match="only a diff with true clusters has this; pass reference="):
            cc.diff(OLD, NEW, **needless)
    alone = cc.diff(OLD, NEW)
    for question in (
        alone.summary,
        alone.indices,
        lambda: alone.before,
        lambda: alone.clusters(outcome="fixed"),
        lambda: alone.clusters(side="reference"),
        lambda: alone.records(outcome="fixed"),
        lambda: alone.difference("rand"),
    ):
        with pytest.raises(
            ParameterError, match="only true clusters show what a change fixed and broke; pass reference="
        ):
            question()
    with pytest.raises(ParameterError, match="only clusters of the reference have an outcome"):
        some.clusters(outcome="fixed", side="after")
    with pytest.raises(InputError):
        judged([0, 0, 1], [0, 1], [0, 1, 1])


def test_series_align_by_their_index(some):
    u, v, w = (pd.Series(x) for x in (TRUTH, OLD, NEW))
    assert judged(u, v.sample(frac=1, random_state=2), w).summary() == some.summary()


def test_the_command_line_reads_text_and_parquet(run, fails, some, frames):
    for name, frame in frames.items():
        frame.write_csv(f"{name}.csv")
        frame.write_parquet(f"{name}.parquet")
    for ending in ("csv", "parquet"):
        files = [f"v.{ending}", f"w.{ending}", "--reference", f"u.{ending}"]
        data = json.loads(run("diff", *files, "--json").out)["data"]
        assert data["reference"]["clusters"] == some.summary().clusters
    files = ["v.csv", "w.csv", "--reference", "u.csv"]
    ran = run("diff", *files, "--html", "c.html", "--near", "1", "--list", "clusters", "--outcome", "broken")
    assert "w fixes 2 clusters and breaks 1" in ran.out
    assert "1 cluster broken" in ran.out
    assert "<title>w against v, judged by u</title>" in Path("c.html").read_text(encoding="utf-8")
    assert "more than may be listed" in fails("diff", *files, "--table-limit", "5")
    assert "the lists are called clusters, records" in fails(
        "diff", *files, "--list", "components", "--outcome", "fixed"
    )


def test_gates_of_both_runs(run, fails, frames):
    for name, frame in frames.items():
        frame.write_csv(f"{name}.csv")
    files = ["v.csv", "w.csv", "--reference", "u.csv"]
    passed = ["--fail-under", "after:recall=0.5", "--fail-over", "affected=1"]
    assert run("diff", *files, *passed).status == 0
    ran = run("diff", *files, "--fail-under", "recall=0.99", "--fail-over", "affected=0.1")
    assert ran.status == 1
    assert [line.partition(" is ")[0] for line in ran.err.splitlines()] == [
        "concordant: recall (before)",
        "concordant: recall (after)",
        "concordant: affected",
    ]
    assert "needs --interval, with --reference, or --answers" in fails(
        "diff", *files, "--fail-under", "difference:recall.low=0"
    )
    assert run("diff", *files, "--interval", "--fail-under", "difference:recall.low=-1").status == 0


@pytest.mark.parametrize("names", [None, ["old", "new", "truth"]])
def test_a_headline_of_a_sample_is_as_certain_as_its_indices(names):
    truth, i = np.repeat(np.arange(60), 4), np.arange(240)
    noisy = [np.where(np.random.default_rng(s).random(240) < 0.1, i % 60, truth) for s in (1, 2)]
    for (before, after), is_clear in ((noisy, False), ((i // 2, truth), True)):
        options = {"reference": truth, "names": names}
        sample, whole = (cc.diff(before, after, **options, interval=each).headline for each in (True, False))
        outcomes = whole.replace("The change", "the change")
        unclear = f"In this sample, {outcomes}, but no index is clearly better or worse"
        assert sample == (whole if is_clear else unclear)


@pytest.mark.parametrize(
    ("truth", "words"),
    [
        ([-1, -1, -1], "fixes and breaks no cluster; the reference has none"),
        ([0, 0, -1], "fixes no cluster and breaks 1"),
        ([-1, 0, 0], "fixes and breaks no cluster; all stay right"),
    ],
)
def test_the_sentence_of_a_summary(truth, words):
    found = cc.diff([0, 0, 0], [0, 1, 1], reference=truth, noise=-1, noise_as="singletons")
    assert f"The change {words}" in str(found.summary())


def test_a_headline_agrees_in_number():
    truth, wrong, still_wrong = [0, 0, 1, 1], [0, 0, 0, 1], [0, 0, 1, 2]
    assert (
        judged(truth, wrong, still_wrong).headline == "The change fixes and breaks no cluster; 1 stays wrong"
    )


def test_the_table_limit_holds_in_memory():
    three = [0, 0, 1, 1], [0, 2, 1, 1], [0, 0, 1, 0]
    with pytest.raises(TooLargeError, match=r"the three partitions have 4 overlaps.*table_limit=4"):
        judged(*three, table_limit=3)
    assert judged(*three, table_limit=4).size == 4
    with pytest.raises(TooLargeError, match="overlaps of clusters that differ"):
        cc.rank(three[0], {"before": three[1], "after": three[2]}, table_limit=1)


def test_names_appear_in_texts_and_notebooks():
    c = judged(list("aabb"), [0, 1, 2, 2], [0, 0, 2, 2], names=("old", "new", "truth"))
    assert c.headline == "new fixes 1 cluster and breaks none"
    assert str(c).startswith(c.headline)
    shown = c._repr_html_()
    assert re.search(r"<th[^>]*>old</th><th[^>]*>new</th>", shown)
    assert "new fixes 1 cluster" in shown


@pytest.mark.parametrize("names", [("old", "new"), "abc", ("old", "new", " "), (1, 2, 3)])
def test_names_are_three_strings(names):
    with pytest.raises(ParameterError, match="give a name for each of before, after, reference"):
        judged([0], [0], [0], names=names)
