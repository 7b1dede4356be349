"""Many partitions all against all: the same values as one by one, from fewer counts."""

import html
import json
import math
import pickle
import re
from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from cases import every_case
from hypothesis import given
from hypothesis import strategies as st
from inner import INDICES

import concordant as cc
from concordant.errors import (
    InputError,
    LabelError,
    LengthError,
    NothingLeftError,
    OverlapError,
    ParameterError,
    UndefinedError,
    UnknownIndexError,
    UnknownKeyError,
    UnmatchedError,
)

RUNS = {
    "k=2": [0, 0, 0, 0, 1, 1, 1, 1],
    "k=3": [0, 0, 0, 1, 1, 1, 2, 2],
    "k=4": [0, 0, 1, 1, 2, 2, 3, 3],
    "odd": list("xyxyxyxy"),
}


def rows(m):
    return m.to_numpy().tolist()


def one_by_one(runs, index, **options):
    return [[cc.compare(u, v, **options)[index] for v in runs.values()] for u in runs.values()]


def test_every_index_has_the_values_of_compare():
    """Each index asked for alone, as it is counted for then."""
    comparisons = [[cc.compare(u, v) for v in RUNS.values()] for u in RUNS.values()]
    for index in INDICES:
        expected = [[c[index] for c in row] for row in comparisons]
        np.testing.assert_allclose(rows(cc.matrix(RUNS, index)), expected, rtol=1e-12, err_msg=index)


@pytest.mark.parametrize(
    "index",
    [
        "f_measure(beta=2)",
        "v_measure(beta=0.5)",
        "bcubed_f(beta=3)",
        "variation_of_information(base=2)",
        "conditional_entropy_of_reference(base=2)",
    ],
)
def test_parameters_may_break_the_symmetry(index):
    assert rows(cc.matrix(RUNS, index)) == one_by_one(RUNS, index)


@given(st.lists(st.lists(st.integers(0, 4), min_size=9, max_size=9), min_size=2, max_size=5))
def test_any_labels(runs):
    named = dict(enumerate(runs))
    assert rows(cc.matrix(runs)) == one_by_one(named, "adjusted_rand")


SEVERAL = ["ARI", "precision", "fnmi", "joint_entropy", "f_measure(beta=2)"]


def test_several_indices_have_the_values_of_each():
    m = cc.matrix(RUNS, SEVERAL)
    names = [INDICES[name].name for name in SEVERAL]
    assert [each.name for each in m.indices] == names
    for name in SEVERAL:
        assert m.to_numpy(name).tolist() == one_by_one(RUNS, name)
    assert m.names == tuple(RUNS)
    assert m["k=2", "k=3", "ARI"] == m["k=2", "k=3", " adjusted rand "] == m["k=2", "k=3", "adjusted_rand"]
    with pytest.raises(ParameterError, match="joint_entropy has no direction"):
        m.medoid("joint_entropy")


def test_a_mapping_from_reference_candidate_and_index():
    m = cc.matrix(RUNS, ["rand", "precision"])
    assert len(m) == len(list(m)) == 2 * 4 * 4
    assert dict(m)["k=2", "odd", "precision"] == cc.precision(RUNS["k=2"], RUNS["odd"])
    assert ("k=2", "odd", "ARI") not in m
    assert ("k=2", "odd") not in m  # there are two indices
    assert ("k=2", "odd") in cc.matrix(RUNS)
    assert object() not in m
    assert isinstance(m, Mapping)
    for key in (("k=2", "k=9", "rand"), ("k=2", "k=3"), ("k=2", "k=3", "ARI"), "k=2"):
        with pytest.raises(UnknownKeyError):
            m[key]
    assert dict(pickle.loads(pickle.dumps(m))) == dict(m)


def test_several_indices_in_frames_text_and_json():
    m = cc.matrix(RUNS, ("rand", "recall"), reference="k=2")
    frame = m.to_frame("pandas")
    assert list(frame.columns) == ["reference", "candidate", "index", "value", "low", "high"]
    values = frame.set_index(["reference", "candidate", "index"])["value"]
    assert values.to_dict() == dict(m)
    assert m.to_frame("polars", indices="recall").height == 16
    wide = m.to_frame("polars", wide=True, indices="rand")
    assert wide.columns == ["index", "reference", *RUNS]
    assert wide.select(list(RUNS)).to_numpy().tolist() == m.to_numpy("rand").tolist()
    assert list(json.loads(m.to_json())["data"]["indices"]) == ["rand", "recall"]
    each = [m.to_text(indices=index) for index in ("rand", "recall")]
    assert each[0].startswith("k=4 is nearest to k=2 (Rand index 0.")
    assert m.headline == "Nearest to k=2: k=4 by Rand index; k=3 by Pairwise recall"
    some = cc.matrix(RUNS, ("rand", "joint_entropy"))  # entropy has no nearest
    assert some.headline == "k=3 and k=4 are most similar to all others by Rand index"
    rand, recall = (text.partition("\n")[2].strip() for text in each)
    assert str(m) == f"{m.headline}\n\n{rand}\n\n{recall}"
    assert repr(m) == "<Matrix of 4 clusterings by rand, recall>"
    assert m.ranking("recall") == cc.matrix(RUNS, "recall").ranking(reference="k=2")


def test_weights_records_and_masks():
    weights = [1, 2, 3, 4, 1, 1, 1, 9]
    found = cc.matrix(RUNS, ["rand", "mirkin"], weights=weights)
    for (one, other, index), value in found.items():
        assert value == pytest.approx(cc.compare(RUNS[one], RUNS[other], weights=weights)[index]), index
    named = {name: dict(zip("abcdefgh", labels, strict=True)) for name, labels in RUNS.items()}
    named["k=3"] = dict(reversed(named["k=3"].items()))
    by_name = cc.matrix(named, ["rand", "mirkin"], weights=dict(zip("abcdefgh", weights, strict=True)))
    assert dict(by_name) == dict(found)
    mask = np.arange(8) % 3 > 0
    for labels in (cc.matrix(RUNS, where=mask), cc.matrix({k: np.array(v)[mask] for k, v in RUNS.items()})):
        assert dict(labels) == dict(cc.matrix({k: np.array(v)[mask] for k, v in RUNS.items()}))
    with pytest.raises(LengthError, match=r"where= has the shape \(2,\), and the labels have \(8,\)"):
        cc.matrix(RUNS, where=[True, False])


def test_columns_that_are_no_clusterings(recwarn):
    frame = pd.DataFrame(RUNS).assign(share=np.linspace(0, 1, 8))
    with pytest.raises(ParameterError, match=r"'share' has values such as 0\.142857, so it is a measurement"):
        cc.matrix(frame)
    assert dict(cc.matrix(frame, columns=list(RUNS))) == dict(cc.matrix(RUNS))
    assert not recwarn
    cells = pd.DataFrame({"leiden": np.arange(40) % 3, "louvain": np.arange(40) % 4, "n_counts": range(40)})
    with pytest.warns(UserWarning, match="'n_counts' has 40 different values in 40 rows"):
        cc.matrix(cells)


def test_tables_with_and_without_a_column_of_records():
    frame = pl.DataFrame(RUNS).with_columns(pl.Series("id", list("abcdefgh")))
    wanted = dict(cc.matrix(RUNS))
    assert dict(cc.matrix(frame, record="id")) == wanted
    assert dict(cc.matrix(frame.lazy(), record="id")) == wanted
    assert dict(cc.matrix(frame.lazy(), columns=list(RUNS))) == wanted
    both = {"one": frame, "other": frame.reverse()}
    assert cc.matrix(both, columns="k=2", record="id")["one", "other"] == 1
    assert cc.matrix(RUNS, names=["a", "b", "c", "d"]).names == ("a", "b", "c", "d")
    with pytest.raises(InputError, match="no column 'k=22'"):
        cc.matrix(frame, columns=["k=22", "k=3"])


@pytest.mark.parametrize("reference", [None, "k=2"])
def test_the_page_of_several_indices_has_the_charts_of_each(tmp_path, reference):
    m = cc.matrix(RUNS, ["mirkin", "rand", "joint_entropy"], reference=reference)
    page = m.to_html(tmp_path / "m.html").read_text(encoding="utf-8")
    keys = re.findall(r'<section id="([^"]*)"', page)
    assert {"matrix", "map", "matrix-2", "map-2", "matrix-3"} <= set(keys)
    assert "map-3" not in keys
    assert ("By rand with k=2 (dot plot)" in page) == (reference is not None)
    assert len(set(keys)) == len(keys)
    ids = re.findall(r' id="([^"]*)"', page)
    assert len(set(ids)) == len(ids)


def test_several_indices_that_cannot_be():
    with pytest.raises(ParameterError, match="list of names"):
        cc.matrix(RUNS, [])
    with pytest.raises(ParameterError, match="adjusted_rand is named twice"):
        cc.matrix(RUNS, ["ARI", "adjusted_rand"])
    with pytest.raises(ParameterError, match="several in a list"):
        cc.matrix(RUNS, {"ARI"})
    with pytest.raises(UnknownKeyError, match="jaccard was not requested; this has 'rand'"):
        cc.matrix(RUNS, ["rand"]).to_numpy("jaccard")


def test_mappings_in_any_order():
    shuffled = {
        name: dict(sorted(enumerate(labels), key=lambda item: hash((name, item))))
        for name, labels in RUNS.items()
    }
    assert rows(cc.matrix(shuffled)) == rows(cc.matrix(RUNS))


def test_series_align_by_index_and_clusters_by_element():
    series = {name: pd.Series(labels).sample(frac=1, random_state=len(name)) for name, labels in RUNS.items()}
    series["k=4"] = series["k=4"].iloc[::-1]
    assert rows(cc.matrix(series)) == rows(cc.matrix(RUNS))
    clusters = [[{0, 1, 2, 3}, {4, 5, 6, 7}], [{7, 6}, {0, 1, 2}, {3, 4, 5}]]
    assert cc.matrix(clusters)[0, 1] == cc.matrix(RUNS)["k=2", "k=3"]


@pytest.mark.parametrize("unmatched", ["drop", "singletons"])
@given(st.lists(st.dictionaries(st.integers(0, 7), st.integers(0, 2), min_size=1), min_size=2, max_size=4))
def test_unmatched_elements_pair_by_pair(unmatched, runs):
    named = dict(enumerate(runs))
    if unmatched == "drop" and any(one.keys().isdisjoint(other) for one, other in combinations(runs, 2)):
        with pytest.raises(NothingLeftError, match=r"nothing to compare; '\d' has \d record"):
            cc.matrix(runs, "f_measure", unmatched=unmatched)
        return
    expected = one_by_one(named, "f_measure", unmatched=unmatched)
    assert rows(cc.matrix(runs, "f_measure", unmatched=unmatched)) == expected


@pytest.mark.parametrize("noise_as", ["cluster", "singletons", "drop"])
@pytest.mark.parametrize("by_name", [False, True])
def test_noise(noise_as, by_name):
    runs = {"a": [0, 0, -1, -1, 1, 1], "b": [-1, 0, 0, 1, 1, 1], "c": [0, 1, 0, 1, -1, 1]}
    if by_name:
        runs = {key: dict(sorted(enumerate(v), key=lambda x: hash((key, x)))) for key, v in runs.items()}
    options = {"noise": -1, "noise_as": noise_as}
    assert rows(cc.matrix(runs, "rand", **options)) == one_by_one(runs, "rand", **options)


@pytest.mark.filterwarnings("ignore:no label equals")
def test_noise_among_unmatched_elements():
    runs = {"a": {1: 0, 2: -1, 3: 0}, "b": {2: 0, 3: 0, 4: -1}, "c": {1: 5, 2: 5, 4: 5, 9: 5}}
    for unmatched in ("drop", "singletons"):
        options = {"noise": -1, "noise_as": "drop", "unmatched": unmatched}
        assert rows(cc.matrix(runs, "rand", **options)) == one_by_one(runs, "rand", **options)


def test_columns_of_a_dataframe_or_an_array_are_partitions():
    runs = {"a": [0, 0, 1, 1], "b": [0, 0, 1, 2], "c": [3, 3, 3, 3]}
    wanted = cc.matrix(runs, "precision")
    indexed = pd.DataFrame(runs, index=list("wxyz"))
    for frame in (indexed, indexed.astype("category"), pl.DataFrame(runs), pl.DataFrame(runs).to_arrow()):
        found = cc.matrix(frame, "precision")
        assert (found.names, rows(found)) == (wanted.names, rows(wanted))
    array = cc.matrix(np.array(list(runs.values())).T, "precision")
    assert (array.names, rows(array)) == (("0", "1", "2"), rows(wanted))


@every_case(
    ("given", "error", "text"),
    [
        ([], InputError, "or more, not 0"),
        ({"a": [0, 1]}, InputError, "or more, not 1"),
        (
            np.zeros((3, 4, 2)),
            InputError,
            "two dimensions, whose columns are the clusterings; not an ndarray",
        ),
        (np.zeros((3, 1)), InputError, "or more, not 1"),
        (pd.DataFrame({"a": [1]}), InputError, "or more, not 1"),
        (
            pd.DataFrame([[0, 1]], columns=["a", "a"]),
            InputError,
            "two columns of the dataframe have the same name",
        ),
        ({1: [0, 1], "1": [0, 1]}, InputError, "two clusterings have the name '1'"),
        ({"a": [0, 1], "b": [0, 1], "c": [0]}, LengthError, "'a' has 2 labels and 'c' has 1"),
        ({"a": [0, 1], "b": [0, None]}, LabelError, "the labels of 'b': the label at position 1"),
        ({"a": {"x": 0, "y": 1}, "b": {"x": 0, "z": 1}}, UnmatchedError, "'a' lacks 1 record .*'z'"),
        ({"a": {"x": 0, "y": 1}, "b": [0, 1]}, UnmatchedError, "'a' names its records and 'b' does not"),
        ([pd.Series([0, 1]), pd.Series([0, 1], index=[1, 0]), [0, 1]], UnmatchedError, "'2' does not"),
        ([pd.Series([0, 1]), pd.Series([0, 1], index=[1, 1])], OverlapError, "'1' contains 1 twice"),
    ],
)
def test_input_that_cannot_be_compared(given, error, text):
    with pytest.raises(error, match=text):
        cc.matrix(given)


def test_series_beside_an_array_align_by_position():
    mixed = [
        pd.Series([0, 0, 1], index=[7, 8, 9]),
        np.array([0, 1, 1]),
        pd.Series([0, 1, 1], index=[7, 8, 9]),
    ]
    assert cc.matrix(mixed)[1, 2] == 1


def test_options_that_do_not_exist():
    with pytest.raises(UnknownIndexError, match="did you mean adjusted_rand"):
        cc.matrix(RUNS, "adjusted_randd")
    with pytest.raises(ParameterError, match="unmatched='no'"):
        cc.matrix(RUNS, unmatched="no")
    with pytest.raises(ParameterError, match="undefined='no'"):
        cc.matrix(RUNS, undefined="no")
    with pytest.raises(UndefinedError):
        cc.matrix([[0, 0, 0], [0, 1, 2]], "precision", undefined="raise")
    assert math.isnan(cc.matrix([[0, 0, 0], [0, 1, 2]], "precision", undefined="nan")[0, 1])


def test_names_that_do_not_exist():
    m = cc.matrix(RUNS)
    with pytest.raises(UnknownKeyError, match=r"no clustering 'k=9'.*'k=2'"):
        m["k=2", "k=9"]
    with pytest.raises(UnknownKeyError, match=r"m\['a', 'b'\]"):
        m["k=2"]


def test_nearest_and_medoid_follow_the_direction():
    for index in ("adjusted_rand", "mirkin", "variation_of_information"):
        m = cc.matrix(RUNS, index)
        nearest = {each.reference: each.candidate for each in m.nearest()}
        assert nearest["k=4"] == "k=3"
        assert nearest["odd"] != "odd"
        assert m.medoid().clustering == m.names[int(m.distances().sum(axis=0).argmin())]


def test_a_statistic_has_no_nearest_and_no_distances():
    m = cc.matrix(RUNS, "joint_entropy")
    for ask in (m.medoid, m.distances, m.nearest):
        with pytest.raises(ParameterError, match="joint_entropy has no"):
            ask()


def test_values_that_are_not_numbers_are_never_nearest():
    m = cc.matrix([[0, 0, 0], [0, 1, 2], [0, 0, 1]], "precision", undefined="nan")
    assert m.nearest()[0].candidate == "2"


def test_distances_over_different_elements_are_no_metric():
    assert cc.matrix([{1: 0, 2: 0}, {2: 0, 1: 1}], "mirkin", unmatched="drop").to_dict()["indices"]["mirkin"][
        "metric"
    ]
    assert not cc.matrix([{1: 0, 2: 0}, {2: 0, 3: 1}], "mirkin", unmatched="drop").to_dict()["indices"][
        "mirkin"
    ]["metric"]
    assert not cc.matrix([[0, -1], [0, 0]], "mirkin", noise=-1, noise_as="drop").to_dict()["indices"][
        "mirkin"
    ]["metric"]
    assert cc.matrix([[0, -1], [0, 0]], "mirkin", noise=-1, noise_as="singletons").to_dict()["indices"][
        "mirkin"
    ]["metric"]


def test_infinite_perfect_values_lie_at_distance_zero():
    d = cc.matrix([[0, 0, 1], [0, 0, 1], [0, 1, 1]], "southwood").distances()
    assert d[0, 0] == d[0, 1] == 0
    assert d[0, 2] == math.inf


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_frames(backend):
    m = cc.matrix(RUNS, "recall")
    frame = m.to_frame(backend=backend, wide=True)
    assert type(frame).__module__.startswith(backend)
    columns = {str(name): list(frame[name].to_numpy()) for name in m.names}
    assert columns == dict(zip(m.names, map(list, zip(*rows(m), strict=True)), strict=True))
    assert frame["reference"].to_numpy().tolist() == list(m.names)


def test_a_clustering_may_be_called_reference():
    frame = cc.matrix({"reference": [0, 1], "other": [0, 0]}, "rand").to_frame("polars", wide=True)
    assert frame.row(0) == ("rand", "reference", 1.0, 0.0)
    assert frame.columns == ["index", "reference", "reference_", "other"]


def test_progress_is_told():
    told = []
    cc.matrix(RUNS, progress=lambda done, total: told.append((done, total)))
    assert told == [(i, 6) for i in range(1, 7)]


def test_results_do_not_depend_on_threads():
    runs = [np.random.default_rng(k).integers(0, k, 300_000) for k in (2, 40, 3000)]
    one, two, seven = (rows(cc.matrix(runs, "nmi_joint", threads=threads)) for threads in (1, 2, 7))
    assert one == two == seven


def test_text_is_aligned():
    _, *lines = str(cc.matrix(RUNS)).splitlines()  # below the headline
    assert lines[0].split() == ["adjusted_rand", "k=2", "k=3", "k=4"]
    widths = [len(line) for line in lines[1:]]
    assert widths == sorted(widths)  # a triangle
    assert len(widths) == 3
    directed = str(cc.matrix(RUNS, "f_measure(beta=2)"))
    assert directed.endswith("\n\nrows are the reference, columns the candidate: f_measure(beta=2)")
    assert repr(cc.matrix(RUNS)) == "<Matrix of 4 clusterings by adjusted_rand>"


@pytest.mark.parametrize(
    "index", ["rand", "jaccard", "bcubed_f", "rand_distance", "variation_of_information"]
)
def test_values_are_rounded_and_only_the_perfect_value_reads_as_perfect(index, tmp_path):
    """In the text, the chart and the page."""
    rng = np.random.default_rng(4)
    labels = rng.integers(0, 6, 2000)
    near = np.where(np.arange(2000), labels, 7)
    m = cc.matrix({"a": labels, "same": labels, "near": near, "far": rng.permutation(labels)}, index)
    perfect = INDICES[index].perfect
    page = html.unescape(m.to_html(tmp_path / "m.html").read_text())
    drawn = {text.get_text() for text in m.plot().ax_.texts}
    for names in combinations(m.names, 2):
        value = m[names]
        shown = f"{value:.2f}"
        if value != perfect and shown == f"{perfect:.2f}":
            shown = "<0.01" if perfect == 0 else ">0.99"
        assert (shown in str(m), shown in drawn, f">{shown}</text>" in page) == (True, True, True)
    assert shown not in ("1.00", "0.00")
    assert {"1.00" if perfect else "0.00", ">0.99" if perfect else "<0.01"} <= drawn


def test_many_partitions_are_shown_in_part():
    m = cc.matrix({f"run {i}": np.arange(60) % (i + 1) for i in range(40)})
    text = str(m)
    assert "28 of 40 clusterings are not shown" in text
    assert "28 of 40" in m._repr_html_()
    assert max(map(len, text.splitlines())) < 80
    assert "run 11" in text
    assert "run 12" not in text
    assert "run 39" in m.to_markdown()


def test_equal_clusterings_have_a_sentence_and_no_map(tmp_path):
    equal = [[0, 0, 1, 1], [5, 5, 6, 6], [2, 2, 1, 1]]
    for result, words in (
        (cc.matrix(equal, "vi"), "All 3 clusterings agree perfectly (Variation of information 0.0000)"),
        (cc.consensus(equal), "All partitions are identical, with 2 clusters"),
    ):
        assert result.headline == words
        assert 'data-chart="map"' not in result.to_html(tmp_path / "page.html").read_text("utf-8")
    with pytest.raises(ParameterError, match="only distances of 0"):
        cc.matrix(equal, "vi").plot("map")


def test_hostile_names_are_shown_as_text():
    hostile = "<script>alert('x')</script>"
    m = cc.matrix({hostile: [0, 0, 1], "a\nb": [0, 1, 1], "long" * 99: [0, 1, 2]}, "recall")
    page = m._repr_html_()
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert "rows are the reference" in page
    assert max(map(len, str(m).splitlines())) < 80
    assert m[hostile, "a\nb"] == m.to_dict()["indices"]["recall"]["values"][0][1]


def page_of(m, tmp_path):
    """The text of the page and its wide charts by name."""
    text = m.to_html(tmp_path / "m.html").read_text(encoding="utf-8")
    return text, dict(
        re.findall(r'<figure data-chart="(\w+)">.*?(<svg class="drawing".*?</svg>)', text, re.DOTALL)
    )


def rows_of(chart):
    """The names down the side of the heat map."""
    return re.findall(r'<text(?: class="[\w-]+")? x="[^"]*" y="[^"]*" text-anchor="end">(.*?)</text>', chart)


def test_the_page_shows_every_value_in_the_order_of_the_tree(tmp_path):
    m = cc.matrix(RUNS)
    _, charts = page_of(m, tmp_path)
    order = rows_of(charts["matrix"])
    assert sorted(order) == sorted(m.names)
    said = re.findall(r'class="cell alike".*?<title>(\S+)\n(.*?) and (.*?)</title>', charts["matrix"])
    assert said == [(f"{m[a, b]:.4f}", a, b) for a in order for b in order]
    heights = re.findall(r"joined at a mean distance of ([\d.]+)", charts["matrix"])
    highest = np.mean([1 - m["odd", other] for other in m.names if other != "odd"])
    assert max(map(float, heights)) == pytest.approx(max(highest, 0), abs=1e-4)


def test_a_map_is_drawn_of_a_metric_only(tmp_path):
    text, charts = page_of(cc.matrix(RUNS, "variation_of_information"), tmp_path)
    assert list(charts) == ["matrix", "map"]
    assert charts["map"].count('class="point') == len(RUNS)
    assert "(multidimensional scaling)" in text
    _, charts = page_of(cc.matrix(RUNS), tmp_path)
    assert list(charts) == ["matrix"]
    unmatched = cc.matrix([{"a": 1, "b": 1}, {"a": 1, "c": 2}], "mirkin", unmatched="drop")
    _, charts = page_of(unmatched, tmp_path)
    assert list(charts) == ["matrix"]


def test_a_reference_ranks_the_others(tmp_path):
    m = cc.matrix(RUNS, "variation_of_information", reference="k=3")
    ranking = m.ranking()
    assert ranking[0] == m.nearest()[1]
    assert [each.value for each in ranking] == sorted(m["k=3", name] for name in m.names if name != "k=3")
    text, charts = page_of(m, tmp_path)
    nearest, value = ranking[0].candidate, ranking[0].value
    assert f"{nearest} is nearest to k=3 (Variation of information {value:.4f})</h1>" in text
    assert charts["map"].count('class="ring"') == 1
    assert charts["matrix"].count('class="reference-name"') == 2
    with pytest.raises(ParameterError, match="reference='k=9'"):
        cc.matrix(RUNS, reference="k=9")
    with pytest.raises(ParameterError, match="with which the others are compared"):
        cc.matrix(RUNS).ranking()


def test_a_matrix_is_drawn():
    matplotlib = pytest.importorskip("matplotlib", reason="charts need Matplotlib")
    matplotlib.use("Agg")
    m = cc.matrix(RUNS, "variation_of_information", reference="k=3")
    names = [label.get_text() for label in m.plot().ax_.get_yticklabels()]
    assert sorted(names) == sorted(m.names)
    assert len(m.plot("map").ax_.texts) == len(RUNS)
    with pytest.raises(ParameterError, match="it has no map"):
        cc.matrix(RUNS).plot("map")
    with pytest.raises(ParameterError, match="kind='tree'"):
        m.plot("tree")


def test_a_statistic_keeps_its_order_and_has_no_tree(tmp_path):
    text, charts = page_of(cc.matrix(RUNS, "joint_entropy"), tmp_path)
    assert 'class="branch"' not in charts["matrix"]
    assert rows_of(charts["matrix"]) == list(RUNS)
    assert "4 clusterings, all against all" in text
    assert "nearest" not in text.partition("<main>")[2].partition("</main>")[0]


def test_infinite_distances_do_not_break_the_page(tmp_path):
    m = cc.matrix([[0, 0, 1], [0, 0, 1], [0, 1, 1]], "southwood")
    _, charts = page_of(m, tmp_path)
    assert charts["matrix"].count('fill="url(#hatch)"') == np.count_nonzero(~np.isfinite(m.to_numpy()))


def test_of_very_many_partitions_some_are_drawn(tmp_path):
    labels = np.random.default_rng(0).integers(0, 3, size=(130, 12))
    text, charts = page_of(cc.matrix(list(labels), "rand"), tmp_path)
    assert 'data-cells="100"' in charts["matrix"]
    assert "100 of 130 partitions are drawn" in text
    assert len(text.encode()) < 600_000


def noisy_runs(count, noise=0.6, size=400):
    source = np.random.default_rng(3)
    truth = source.integers(0, 8, size)
    wrong = [source.random(size) < noise * place / count for place in range(count)]
    runs = [np.where(each, source.integers(0, 8, size), truth) for each in wrong]
    return {f"run {place}": run.tolist() for place, run in enumerate(runs)}


def test_sixty_runs_take_few_elements_and_few_bytes(tmp_path):
    """Every cell is drawn with its strength, though cells of equal strength are one path."""
    m = cc.matrix(noisy_runs(60))
    text, charts = page_of(m, tmp_path)
    assert len(text.encode()) <= 400_000
    assert len(re.findall(r"<\w+", text)) < 1500
    cells = {}
    for opacity, strokes in re.findall(r'<path stroke-opacity="([\d.]+)" d="([^"]+)"', charts["matrix"]):
        x = y = 0
        for begin, row, step, length in re.findall(r"(?:M(\d+) (\d+)\.5|m(\d+) 0)h(\d+)", strokes):
            x, y = (x + int(step), y) if step else (int(begin), int(row))
            cells |= {(y, x + more): float(opacity) for more in range(int(length))}
            x += int(length)
    assert len(cells) == 60 * 60
    shown = json.loads(re.search(r'class="cells">(.*?)</script>', text)[1])
    assert sorted(shown["names"]) == sorted(m.names)
    for (i, j), opacity in cells.items():
        value = m[shown["names"][i], shown["names"][j]]
        assert float(shown["values"][i][j].strip(">")) == pytest.approx(value, abs=1e-4)
        assert opacity == pytest.approx(
            0.1 + 0.9 * max(value, 0), abs=0.03
        )  # chance is faintest, 1 strongest


def test_colours_are_on_the_scale_of_the_index(tmp_path):
    """From chance to perfect, so equal values have equal colours on every page."""
    for noise in (0.2, 0.9):
        m = cc.matrix(noisy_runs(8, noise))
        _, charts = page_of(m, tmp_path)
        found = re.findall(r'fill-opacity="([\d.]+)"><title>(\S+)\n', charts["matrix"])
        assert len(found) == 64
        for opacity, value in found:
            assert float(opacity) == pytest.approx(0.1 + 0.42 * max(float(value.strip(">")), 0), abs=0.01)
        assert "0.00 (chance)" in charts["matrix"]
        assert "1.00 (perfect)" in charts["matrix"]
    _, charts = page_of(cc.matrix(noisy_runs(5), "variation_of_information"), tmp_path)
    assert "farthest here" in charts["matrix"]  # its range depends on the number of elements
    assert "0.00 (perfect)" in charts["matrix"]


def test_a_matrix_at_chance_is_called_so(tmp_path):
    source = np.random.default_rng(1)
    runs = {f"run {place}": source.integers(0, 8, 400).tolist() for place in range(6)}
    m = cc.matrix(runs)
    largest = max(m[a, b] for a in runs for b in runs if a != b)
    text, _ = page_of(m, tmp_path)
    assert f"All are at chance: the largest Adjusted Rand index of two is {largest:.4f}</h1>" in text
    text, _ = page_of(cc.matrix(runs, reference="run 2"), tmp_path)
    assert "All are at chance: the nearest to run 2 has Adjusted Rand index" in text
    for other in (noisy_runs(6), runs | {"again": runs["run 0"]}):
        assert "at chance" not in page_of(cc.matrix(other), tmp_path)[0]
    assert "at chance" not in page_of(cc.matrix(runs, "rand"), tmp_path)[0]  # 0 is not what chance gives


def test_a_ranking_is_a_dot_plot(tmp_path):
    m = cc.matrix(noisy_runs(7), reference="run 0")
    _, charts = page_of(m, tmp_path)
    assert list(charts) == ["matrix", "ranking"]
    dots = re.findall(r'class="point" cx="([\d.]+)".*?<title>(.*?)\n(\S+)</title>', charts["ranking"])
    assert [name for _, name, _ in dots] == [each.candidate for each in m.ranking()]
    places, values = [float(x) for x, *_ in dots], [float(value) for *_, value in dots]
    assert np.corrcoef(places, values)[0, 1] == pytest.approx(1)
    matplotlib = pytest.importorskip("matplotlib", reason="charts need Matplotlib")
    matplotlib.use("Agg")
    ax = m.plot("ranking").ax_
    assert [label.get_text() for label in ax.get_yticklabels()] == [each.candidate for each in m.ranking()]
    assert ax.lines[0].get_xdata().tolist() == [each.value for each in m.ranking()]
    with pytest.raises(ParameterError, match="reference="):
        cc.matrix(noisy_runs(3)).plot("ranking")


def test_json():
    data = json.loads(cc.matrix(RUNS).to_json())
    assert data["names"] == list(RUNS)
    found = data["data"]["indices"]["adjusted_rand"]
    assert found["values"] == rows(cc.matrix(RUNS))
    assert (found["medoid"], found["nearest"]["k=3"], found["metric"]) == ("k=3", "k=4", False)
    nothing = json.loads(cc.matrix([[0, 0, 1], [0, 1, 1]], "joint_entropy").to_json())["data"]["indices"]
    assert nothing["joint_entropy"]["medoid"] is nothing["joint_entropy"]["nearest"] is None


def test_nearest_of_each():
    m = cc.matrix(RUNS)
    assert list(m.nearest()) == [m.ranking(reference=name)[0] for name in m.names]


def test_nothing_in_common_names_a_few_of_both():
    with pytest.raises(NothingLeftError, match="'a', 'b' against 'A', 'B'"):
        cc.matrix({"x": {"a": 1, "b": 2}, "y": {"A": 1, "B": 2}}, unmatched="drop")


@pytest.mark.parametrize("index", ["adjusted_rand", "precision"])
def test_intervals_are_those_of_compare(index):
    source = np.random.default_rng(4)
    runs = {name: source.integers(0, 3, 60) for name in "abc"}
    m = cc.matrix(runs, index, interval=True)
    assert set(m.intervals) == {(x, y, index) for x in "abc" for y in "abc" if x != y}
    found = cc.compare(runs["c"], runs["a"]).interval(index)
    ends = pytest.approx((found.low, found.high), rel=1e-12)
    assert (m.intervals["c", "a", index].low, m.intervals["c", "a", index].high) == ends
    shown = f" ({found.low:.2f} to {found.high:.2f})"
    for text in (str(m), m.to_markdown(), m.to_latex(), m._repr_html_()):
        assert shown in text.replace("$-$", "-")
        assert "(95" in text
    listed = json.loads(m.to_json())["data"]["indices"][index]["intervals"]
    row = next(row for row in listed if row["reference"] + row["candidate"] == "ca")
    assert (row["low"], row["high"], row["confidence"], row["estimable"]) == (
        found.low,
        found.high,
        0.95,
        True,
    )
    frame = m.to_frame("polars").rows_by_key(["reference", "candidate"], named=True, unique=True)
    assert frame["c", "a"]["low"] == pytest.approx(found.low, rel=1e-12)
    assert cc.matrix(runs, index).to_frame("polars")["low"].null_count() == 9


def test_intervals_that_are_not_known():
    with pytest.raises(ParameterError, match="interval"):
        cc.matrix([[0, 0, 1, 1], [0, 1, 1, 1]], "van_dongen", interval=True)


def test_every_index_keeps_the_laws_of_weights():
    """Weights of 1 change nothing; an index of shares takes a record of weight 3 as three records."""
    weights = [1, 2, 3, 1, 1, 4, 1, 2]
    indices = [name for name, index in INDICES.items() if index.weight_class is not None]
    shares = [name for name in indices if INDICES[name].weight_class == "shares"]
    assert len(shares) > 30
    ones, plain = cc.matrix(RUNS, indices, weights=[1] * 8), cc.matrix(RUNS, indices)
    assert dict(ones) == pytest.approx(dict(plain), rel=1e-12, nan_ok=True)
    repeated = {name: np.repeat(labels, weights) for name, labels in RUNS.items()}
    weighted = cc.matrix(RUNS, shares, weights=weights)
    assert dict(weighted) == pytest.approx(dict(cc.matrix(repeated, shares)), rel=1e-12, nan_ok=True)
