"""Diffs: impact and quality against golden fractions and against the definitions, record by record."""

import itertools
import json
import re
from fractions import Fraction
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest
from cases import every_case
from universe import partitions

import concordant as cc
from concordant.errors import (
    CoverError,
    HierarchyError,
    ParameterError,
    TableNeededError,
    TooLargeError,
    UndefinedError,
    UnknownIndexError,
    UnmatchedError,
)

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "diff.json").read_text("utf-8"))
CASES = {case["name"]: case for case in GOLDEN["cases"]}
IMPACT = ("split_rate", "merge_rate", "jaccard_distance", "split_distance", "merge_distance", "affected")

BASE = dict(zip("pqrstuvwxy", [1, 1, 2, 2, 3, 3, 3, 3, 4, 5], strict=True))
EXPERIMENT = dict(zip("pqrstuvwxy", [1, 1, 1, 1, 3, 3, 6, 6, 4, 5], strict=True))
TRUTH = dict(zip("pqrstuvwxy", "aaaabbbbcc", strict=True))


def diff_of(case, **options):
    weights = [Fraction(each) for each in case["weights"]]
    return cc.diff(case["base"], case["experiment"], weights=weights, **options)


@every_case("case", CASES.values(), ids=CASES)
def test_golden_values(case):
    d, judged = diff_of(case), diff_of(case, reference=case["truth"])
    for name, expected in case["impact"].items():
        assert d.exact(name) == judged.exact(name) == Fraction(expected), name
        assert d[name] == judged[name] == float(Fraction(expected)), name
    quality = case["quality"] | {"recall_ratio": case["pair_recall_ratio"]}
    for name, expected in quality.items():
        if expected is None:
            with pytest.raises(UndefinedError):
                judged.exact(name)
        else:
            assert judged.exact(name) == Fraction(expected), name
            assert judged[name] == float(Fraction(expected)), name


@every_case("case", CASES.values(), ids=CASES)
def test_golden_values_of_records(case):
    records = {each.record: each for each in diff_of(case).records(limit=None)}
    for name, expected in case["per_record"].items():
        for record, value in enumerate(expected):
            found = getattr(records[record], name) if record in records else 0
            assert found == pytest.approx(float(Fraction(value)), abs=1e-15), (name, record)


def by_definition(base, experiment, truth, weights):
    """The mean of each metric over the records, from the sets themselves."""
    elements = range(len(base))

    def weight(members):
        return sum((weights[i] for i in members), Fraction(0))

    def distance(one, other):
        return 1 - weight(one & other) / weight(one | other)

    sums = dict.fromkeys(["good_split_rate", "good_merge_rate", "delta_recall", "improvement", "closed"], 0)
    change = 0
    for i in elements:
        u, v, t = ({j for j in elements if side[j] == side[i]} for side in (base, experiment, truth))
        near = t & (u | v)
        own = {
            "good_split_rate": weight((u - v) - t) / weight(u),
            "good_merge_rate": weight((v - u) & t) / weight(v),
            "delta_recall": (weight(v & t) - weight(u & t)) / weight(t),
            "improvement": distance(u, t) - distance(v, t),
            "closed": distance(u, near) - distance(v, near),
        }
        sums = {name: sums[name] + weights[i] * value for name, value in own.items()}
        change += weights[i] * distance(u, v)
    total = sum(weights)
    means = {name: value / total for name, value in sums.items()}
    means["improvement_closed"] = means.pop("closed")
    return means, change / total


def test_quality_is_exact_on_partitions_of_four_records():
    weights = [Fraction(each) for each in (1, 3, 2, 5)]
    for base, experiment, truth in itertools.product(*(partitions(4)[::step] for step in (3, 4, 2))):
        d = cc.diff(list(base), list(experiment), reference=list(truth), weights=weights)
        expected, change = by_definition(base, experiment, truth, weights)
        assert {name: d.exact(name) for name in expected} == expected
        assert d.exact("jaccard_distance") == change
        assert d.exact("split_distance") + d.exact("merge_distance") == change
        assert d.exact("good_split_rate") + d.exact("bad_split_rate") == d.exact("split_rate")
        assert d.exact("good_merge_rate") + d.exact("bad_merge_rate") == d.exact("merge_rate")
        parts = d.exact("good_merge_rate") - d.exact("bad_split_rate") + d.exact("kept")
        assert d.exact("delta_precision") == parts
        assert -d.exact("loss_recall_closed") <= d.exact("delta_recall") <= d.exact("gain_recall_closed")


def test_the_same_words_as_indices_of_a_comparison():
    rng = np.random.default_rng(5)
    base, experiment, truth = rng.integers(0, 300, size=(3, 2000))
    d = cc.diff(base, experiment, reference=truth)
    c = d.comparison
    assert d.split_rate == pytest.approx(1 - c.bcubed_recall, abs=1e-15)
    assert d.merge_rate == pytest.approx(1 - c.bcubed_precision, abs=1e-15)
    assert d.jaccard_distance == pytest.approx(1 - c["element_jaccard"], abs=1e-15)
    for metric, index in (("delta_precision", "bcubed_precision"), ("delta_recall", "bcubed_recall")):
        assert d[metric] == pytest.approx(d.indices(index)[0].difference, abs=1e-15)
    pairs = d.indices("recall")[0]
    assert d.recall_ratio == pytest.approx(pairs.after / pairs.before)


def test_clusters_and_components_add_up_to_the_whole():
    rng = np.random.default_rng(1)
    base = rng.integers(0, 40, 300)
    experiment = np.where(rng.random(300) < 0.1, rng.integers(0, 60, 300), base)
    d = cc.diff(base, experiment, reference=rng.integers(0, 50, 300), weights=rng.integers(1, 9, 300))
    for listed in (d.clusters(None, side="before"), d.clusters(None, side="after"), d.components(None)):
        assert sum(each.share for each in listed) == pytest.approx(1)
        assert [each.share for each in listed] == sorted((each.share for each in listed), reverse=True)


@every_case("case", CASES.values(), ids=CASES)
def test_golden_values_of_slices(case):
    d = diff_of(case, by=case["slice"])
    slices = {each.slice: each for each in d.slices()}
    assert slices.keys() == case["slices"].keys()
    for value, expected in case["slices"].items():
        found = slices[value]
        assert found.size == expected["records"]
        for name in IMPACT[:-1]:
            assert getattr(found, name) == pytest.approx(float(Fraction(expected[name])), abs=1e-14), name
    if d.affected:
        assert sum(each.share for each in d.slices()) == pytest.approx(1)


def test_slices_with_a_truth_add_up_to_the_whole():
    slices, weights = dict(zip(BASE, "kklmmkklmm", strict=True)), dict(zip(BASE, range(1, 11), strict=True))
    for own in (None, weights):
        d = cc.diff(BASE, EXPERIMENT, reference=TRUTH, weights=own, by=slices)
        records = {each.record: each for each in d.records(limit=None)}
        for each in d.slices(slices, order="delta_recall"):
            members = [name for name, value in slices.items() if value == each.slice]
            heavy = sum((own or dict.fromkeys(BASE, 1))[name] for name in members)
            for metric in ("bad_split_rate", "delta_precision", "improvement"):
                changed = [name for name in members if name in records]
                total = sum((own or dict.fromkeys(BASE, 1))[x] * getattr(records[x], metric) for x in changed)
                assert getattr(each, metric) == pytest.approx(total / heavy, abs=1e-14)
        assert d.to_dict()["slices"][0].keys() >= {"slice", "size", "share", "improvement"}


def test_slices_of_sources_and_what_is_refused(tmp_path):
    sides = frames_of(pl.DataFrame)
    countries = pl.DataFrame({"id": list(BASE), "country": [*"kklmmkklm", None]})
    in_memory = cc.diff(BASE, EXPERIMENT).slices(dict(countries.iter_rows()))
    found = cc.diff(sides["before"], sides["after"]).slices("country", details=countries, record="id")
    assert found.to_dict() == in_memory.to_dict()
    assert {each.slice for each in found} == {"k", "l", "m", None}
    judged = cc.diff(**sides).slices("country", details=countries, record="id")
    by_name = cc.diff(BASE, EXPERIMENT, reference=TRUTH).slices(dict(countries.iter_rows()))
    assert judged.to_dict() == by_name.to_dict()
    with pytest.raises(ParameterError, match="this names a column"):
        cc.diff(BASE, EXPERIMENT, by="country")
    with pytest.raises(ParameterError, match="use 'share', 'split_rate'"):
        cc.diff(BASE, EXPERIMENT).slices(BASE, order="recall")
    page = cc.diff(BASE, EXPERIMENT, by=BASE).to_html(tmp_path / "d.html").read_text("utf-8")
    assert 'id="slices-list"' in page


def test_slices_on_the_command_line(run, fails, tmp_path):
    for name, labels in (("before", BASE), ("new", EXPERIMENT), ("country", TRUTH)):
        rows = "".join(f"{record},{label}\n" for record, label in labels.items())
        (tmp_path / f"{name}.csv").write_text(f"id,{name}\n{rows}", encoding="utf-8")
    files = [str(tmp_path / f"{name}.csv") for name in ("before", "new")]
    by = ["--by", "country", "--details", str(tmp_path / "country.csv")]
    ran = run("diff", *files, *by, "--json")
    shares = {each["slice"]: each["share"] for each in json.loads(ran.out)["parts"]["slices"]["rows"]}
    assert shares == {"a": 0.5, "b": 0.5, "c": 0.0}
    assert "3 slices" in run("diff", *files, *by).out
    assert "has no effect without --by" in fails("diff", *files, *by[2:])


def test_the_parts_of_one_component():
    d = cc.diff(BASE, EXPERIMENT, reference=TRUTH)
    first, second = d.components()
    assert (first.before, first.n_before, first.n_after, first.size) == (1, 2, 1, 4)
    assert (first.split_rate, first.merge_rate, first.good_merge_rate) == (0.0, 0.5, 0.5)
    assert (second.before, second.n_after, second.bad_split_rate) == (3, 2, 0.5)
    assert [(each.cluster, each.merge_rate) for each in d.clusters(side="after", order="merge_rate")][:1] == [
        (1, 0.5)
    ]
    assert [each.record for each in d.records(order="delta_recall")][:4] == list("tuvw")
    # Records in clusters that stay as they are have not changed.
    assert {each.record for each in d.records(limit=None)} == set("pqrstuvw")
    assert d.records(limit=3).total == 8


def test_nothing_changed():
    d = cc.diff([0, 0, 1], ["b", "b", "a"], reference=[0, 1, 2])
    assert d.headline == "No cluster changed"
    assert [d[metric] for metric in (*IMPACT, "iq", "delta_precision")] == [0.0] * 8
    assert d.recall_ratio == 1.0
    assert len(d.records()) == len(d.clusters()) == len(d.components()) == 0
    with pytest.raises(UndefinedError, match="no cluster changed"):
        d.exact("iq")


def test_a_base_without_true_pairs():
    d = cc.diff([0, 1, 2], [0, 0, 2], reference=[0, 0, 2])
    assert d.recall_ratio == float("inf")
    assert json.loads(d.to_json())["data"]["indices"]["recall_ratio"] is None


def test_no_records():
    d = cc.diff([], [])
    assert d.split_rate == 0.0
    assert len(d.components()) == 0


def frames_of(kind):
    sides = {}
    for name, partition in (("before", BASE), ("after", EXPERIMENT), ("reference", TRUTH)):
        columns = {"id": list(partition), "label": list(map(str, partition.values()))}
        sides[name] = cc.Partition.from_frame(kind(columns), record="id", cluster="label")
    return sides


def relation(columns):
    frame = pl.DataFrame(columns)  # noqa: F841  (DuckDB reads it by its name)
    return duckdb.sql("SELECT * FROM frame")


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pl.LazyFrame, relation])
def test_sources_give_the_same(kind):
    sides = frames_of(kind)
    in_memory = cc.diff(BASE, EXPERIMENT, reference=TRUTH)
    d = cc.diff(sides["before"], sides["after"], reference=sides["reference"])
    assert d.to_dict()["indices"] == in_memory.to_dict()["indices"]
    impact = cc.diff(sides["before"], sides["after"])
    assert [impact[metric] for metric in IMPACT] == [in_memory[metric] for metric in IMPACT]
    for each in (d, impact):
        assert {x.record for x in each.records(limit=None)} == set("pqrstuvw")
        parts = {(x.n_before, x.n_after, x.size) for x in each.components()}
        assert parts == {(2, 1, 4), (1, 2, 4)}
        assert sorted(x.cluster for x in each.clusters()) == ["1", "2", "3"]


def test_files_give_the_same(tmp_path):
    for name, partition in (("before", BASE), ("after", EXPERIMENT)):
        frame = pl.DataFrame({"id": list(partition), "label": list(partition.values())})
        frame.write_parquet(tmp_path / f"{name}.parquet")
    sides = [
        cc.Partition.scan(tmp_path / f"{name}.parquet", record="id", cluster="label")
        for name in ("before", "after")
    ]
    d = cc.diff(*sides)
    expected = cc.diff(BASE, EXPERIMENT)
    assert d.to_dict()["indices"] == expected.to_dict()["indices"]
    assert sorted(x.record for x in d.records()) == sorted("pqrstuvw")
    limited = cc.diff(*sides, table_limit=1)
    assert limited.jaccard_distance == expected.jaccard_distance
    with pytest.raises(TooLargeError):
        limited.records()


def test_records_that_only_some_have():
    short = {record: label for record, label in EXPERIMENT.items() if record != "p"}
    with pytest.raises(UnmatchedError):
        cc.diff(BASE, short)
    dropped = cc.diff(BASE, short, unmatched="drop")
    assert dropped.comparison.size == 9
    assert "unmatched=drop" in str(dropped)
    assert cc.diff(BASE, short, unmatched="singletons").split_rate > dropped.split_rate
    some = {record: label for record, label in TRUTH.items() if record != "y"}
    judged = cc.diff(BASE, EXPERIMENT, reference=some, unmatched="drop", weights=dict.fromkeys(BASE, 2))
    assert judged.omitted == {"before": 1, "after": 1}
    assert "Left out, as not all three put them in a cluster" in str(judged)
    with pytest.raises(ParameterError, match="'error' or 'drop'"):
        cc.diff(BASE, EXPERIMENT, reference=some, unmatched="singletons")
    with pytest.raises(ParameterError, match="both runs have"):
        cc.diff(BASE, short, unmatched="keep")


def test_a_column_of_weights_is_in_the_first_input():
    frame = pl.DataFrame({"record": list("abcd"), "cluster": [0, 0, 1, 1], "cost": [1, 2, 3, 4]})
    other = frame.drop("cost").with_columns(cluster=pl.Series([0, 1, 1, 1]))
    how = {"record": "record", "columns": "cluster", "weights": "cost"}
    assert cc.diff(frame, other, reference=other, **how).to_dict()["weight"] == 10


def test_weights_by_position_with_a_truth_of_some_records():
    base, experiment, truth = [0, 0, 1, 1], [0, 0, 0, 1], [0, 0, 0, None]
    d = cc.diff(base, experiment, reference=truth, nulls="drop", weights=[1, 2, 3, 4])
    assert d.exact("merge_rate") == Fraction(1 * 3 + 2 * 3 + 3 * 3, 36)


def test_noise_is_not_a_cluster():
    d = cc.diff([0, 0, -1, -1], [0, 0, 0, -1], noise=-1, noise_as="singletons")
    assert [each.cluster for each in d.clusters()] == [0]
    assert d.merge_rate == pytest.approx((2 * 1 / 3 + 2 / 3) / 4)


def test_what_is_refused():
    with pytest.raises(ParameterError, match="delta_precision is about the quality of the change"):
        _ = cc.diff(BASE, EXPERIMENT).delta_precision
    with pytest.raises(UnknownIndexError, match="did you mean split_rate"):
        _ = cc.diff(BASE, EXPERIMENT)["splitrate"]
    with pytest.raises(ParameterError, match="'jaccard_distance'"):
        cc.diff(BASE, EXPERIMENT).records(order="share")
    with pytest.raises(ParameterError, match="'before' or 'after'"):
        cc.diff(BASE, EXPERIMENT).clusters(side="candidate")
    with pytest.raises(ParameterError, match="give a name for each of before, after"):
        cc.diff(BASE, EXPERIMENT, names="ab")
    with pytest.raises(CoverError, match="a diff needs partitions"):
        cc.diff(cc.Cover.of([{1, 2}, {2, 3}]), cc.Cover.of([{1, 2}, {2, 3}]))
    tree = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.9, 4]])
    with pytest.raises(HierarchyError):
        cc.diff(list("aabb"), tree)
    sides = frames_of(pl.DataFrame)
    with pytest.raises(ParameterError, match="pass the weights by name"):
        cc.diff(sides["before"], sides["after"], reference=sides["reference"], weights=[1] * 10)


def test_a_note_with_a_truth_says_whether_the_change_is_for_the_better():
    truth = TRUTH | {"v": "d", "w": "d"}  # the experiment is the truth of these records
    change = "The clusters of 8 of 10 records changed"
    for base, experiment, words in (
        (BASE, EXPERIMENT, ", on average towards the reference"),
        (EXPERIMENT, BASE, ", on average away from the reference"),
    ):
        assert f"\n{change}{words}\n" in str(cc.diff(base, experiment, reference=truth))
    # One half is better, one half worse.
    assert f"\n{change}\n" in str(cc.diff(BASE, EXPERIMENT, reference=TRUTH))


def test_lists_on_the_page_have_columns_that_fit(tmp_path):
    """Style and phones know ten columns."""
    for truth, last in ((None, "Jaccard distance"), (TRUTH, "Improvement")):
        html = cc.diff(BASE, EXPERIMENT, reference=truth).to_html(tmp_path / "d.html").read_text("utf-8")
        for key in ("components", "clusters", "records"):
            table = html[html.index(f'id="{key}-list"') :].replace("<wbr>", "")  # long heads may break there
            heads = re.findall(
                r'<th scope="col"[^>]*><button type="button">([^<]*)<', table[: table.index("</tr>")]
            )
            assert len(heads) <= 10
            assert heads[-1] == last


def test_text_names_the_runs_and_where_the_change_is():
    d = cc.diff(BASE, EXPERIMENT, names=("monday", "tuesday"))
    text = str(d)
    assert text.startswith("tuesday changes the clusters of 8 of 10 records against monday\n")
    assert "2 connected components changed; the largest has 50% of the change" in text
    assert "split_rate" in d._repr_html_()
    weighted = cc.diff(BASE, EXPERIMENT, weights=dict.fromkeys(BASE, 1) | {"x": 8})
    assert weighted.headline == "The clusters of 47.1% of the weight changed"
    assert "weights=total 17" in str(weighted)


def test_columns_of_one_table():
    frame = pl.DataFrame(
        {"id": list(BASE), "before": list(BASE.values()), "after": list(EXPERIMENT.values())}
    )
    frame = frame.with_columns(pl.Series("truth", list(TRUTH.values())))
    wanted = cc.diff(BASE, EXPERIMENT, reference=TRUTH)
    for table in (frame, frame.lazy(), frame.to_pandas()):
        found = cc.diff(table, columns=["before", "after"], reference="truth", record="id")
        assert dict(found) == dict(wanted)
        assert dict(cc.diff(table, columns=["before", "after"], record="id")) == dict(
            cc.diff(BASE, EXPERIMENT)
        )
        assert found.summary() == wanted.summary()
        with pytest.raises(ParameterError, match="name a column of the table for each side"):
            cc.diff(table, columns=["before", "after", "truth"])
    before, after = list(BASE.values()), list(EXPERIMENT.values())
    weighted = cc.diff(frame, columns=["before", "after"], weights=list(range(1, 11)))
    assert weighted.split_rate == cc.diff(before, after, weights=range(1, 11)).split_rate
    mask = [True] * 9 + [False]
    short = [list(side.values())[:9] for side in (TRUTH, BASE, EXPERIMENT)]
    for reference in (None, list(TRUTH.values())):
        found = cc.diff(before, after, reference=reference, where=mask)
        assert dict(found) == dict(cc.diff(short[1], short[2], reference=reference and short[0]))


def test_the_page_draws_what_changed_and_names_metrics_by_their_titles(tmp_path):
    html = cc.diff(BASE, EXPERIMENT, reference=TRUTH).to_html(tmp_path / "d.html").read_text("utf-8")
    assert html.index('data-chart="flow"') < html.index('id="metric-list"')
    assert "of the candidate" not in html[html.index('data-chart="flow"') : html.index('id="metric-list"')]
    top = html.partition("<nav")[0]
    assert not re.findall(r"<span>[^<]*_[^<]*</span>", top)
    same = cc.diff(BASE, BASE).to_html(tmp_path / "d.html").read_text("utf-8")
    assert 'data-chart="flow"' not in same


def test_undefined_applies_to_the_rates_of_a_diff():
    runs = {"before": [0, 1, 2, 3], "after": [0, 0, 1, 1], "reference": [0, 1, 0, 1]}  # no true pair
    assert cc.diff(**runs).recall_ratio == 1
    assert np.isnan(cc.diff(**runs, undefined="nan")["recall_ratio"])
    with pytest.raises(UndefinedError, match="recall_ratio"):
        cc.diff(**runs, undefined="raise").recall_ratio  # noqa: B018  (it is computed on access)


PARTLY_CLUSTERED = pl.DataFrame(
    {
        "id": list("abcdefgh"),
        "x": [1, 1, 2, 2, None, -1, 3, None],
        "y": [1, 2, 2, None, 2, 2, -1, None],
    }
)
ALONE = {
    "nulls": {"nulls": "singletons"},
    "noise": {"nulls": "drop", "noise": -1, "noise_as": "singletons"},
    "both": {"nulls": "singletons", "noise": -1, "noise_as": "singletons"},
    "dropped noise": {"nulls": "singletons", "noise": -1, "noise_as": "drop"},
    "unmatched": {"unmatched": "singletons"},
}


def change(table, options):
    """One table, or two with other records if they may be unmatched."""
    if "unmatched" not in options:
        return cc.diff(table, columns=["x", "y"], record="id", **options)
    sides = (table.drop_nulls(side).select("id", side) for side in "xy")
    return cc.diff(
        *(
            cc.Partition.from_frame(each, record="id", cluster=side)
            for each, side in zip(sides, "xy", strict=True)
        ),
        **options,
    )


@pytest.mark.parametrize("options", ALONE.values(), ids=ALONE)
def test_records_in_no_cluster_of_a_version_are_listed_from_every_source(options, tmp_path):
    found = []
    for table in (PARTLY_CLUSTERED, PARTLY_CLUSTERED.lazy()):
        made = change(table, options)
        rows = [(each.record, each.before, each.after, each.jaccard_distance) for each in made.records(None)]
        assert len(rows) == made.records(None).total
        assert 'id="records"' in made.to_html(tmp_path / "diff.html").read_text(encoding="utf-8")
        assert made.ask(n_questions=8).to_dict()
        found.append(sorted(rows, key=repr))
    assert found[0] == found[1]
    assert any(None in row for row in found[0])


class InChunks:
    """An array in chunks, as Zarr has it."""

    def __init__(self, labels):
        self._array = np.array(labels)
        self.chunks, self.dtype, self.shape, self.ndim = (2,), self._array.dtype, self._array.shape, 1

    def __getitem__(self, key):
        return self._array[key]


UNKNOWN = {
    "rows": lambda: cc.diff(PARTLY_CLUSTERED.lazy(), columns=["x", "y"], nulls="singletons"),
    "chunks": lambda: cc.diff(InChunks([1, 1, 2, 2]), InChunks([1, 2, 2, 2])),
}


@pytest.mark.parametrize("make", UNKNOWN.values(), ids=UNKNOWN)
def test_records_that_are_not_known_are_refused_and_left_out_of_pages(make, tmp_path):
    made = make()
    with pytest.raises(TableNeededError, match="name"):
        made.records()
    assert 'id="records"' not in made.to_html(tmp_path / "diff.html").read_text(encoding="utf-8")
