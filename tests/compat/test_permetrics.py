"""ClusteringMetric: the golden cases, and bad input."""

import copy
import inspect
import json
import math
import pickle
import re
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from cases import every_case
from inner import INDICES

import concordant as cc
from concordant.compat.permetrics import ClusteringMetric
from concordant.errors import (
    InputError,
    LabelError,
    LengthError,
    ParameterError,
    UndefinedError,
    UnknownIndexError,
)

GOLDEN = [
    case
    for case in json.loads((Path(__file__).parents[1] / "golden" / "seeds.json").read_text(encoding="utf-8"))
    if "y_true" in case
]
BAD = [case for case in GOLDEN if case["id"].startswith("bad:")]
GOOD = [case for case in GOLDEN if not case["id"].startswith("bad:")]

IRRATIONAL = {"MIS", "NMIS", "HS", "CS", "VMS", "FMS", "HGS", "PhS", "MNS", "EnS", "TauS"}

LONG_NAMES = {
    "MIS": "mutual_info_score",
    "NMIS": "normalized_mutual_info_score",
    "RaS": "rand_score",
    "ARS": "adjusted_rand_score",
    "FMS": "fowlkes_mallows_score",
    "HS": "homogeneity_score",
    "CS": "completeness_score",
    "VMS": "v_measure_score",
    "PrS": "precision_score",
    "ReS": "recall_score",
    "FS": "f_measure_score",
    "CDS": "czekanowski_dice_score",
    "HGS": "hubert_gamma_score",
    "JS": "jaccard_score",
    "KS": "kulczynski_score",
    "MNS": "mc_nemar_score",
    "PhS": "phi_score",
    "RTS": "rogers_tanimoto_score",
    "RRS": "russel_rao_score",
    "SS1S": "sokal_sneath1_score",
    "SS2S": "sokal_sneath2_score",
    "PuS": "purity_score",
    "EnS": "entropy_score",
    "TauS": "tau_score",
    "GAS": "gamma_score",
    "GPS": "gplus_score",
}

ASYMMETRIC = {"HS", "CS", "PrS", "ReS", "MNS", "PuS", "EnS"}

SINGLETONS = [0, 1, 2, 3]
ONE_CLUSTER = [0, 0, 0, 0]
TWO_CLUSTERS = [0, 0, 1, 1]
PAGES = [0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 1, 2]  # the pair that most pages use


def name_of(case):
    spelled = ",".join(f"{key}={value}" for key, value in case.get("params", {}).items())
    return f"{case['source']}-{case['id']}-{case['metric']}({spelled})"


def score(case):
    metric = ClusteringMetric(case["y_true"], case["y_pred"])
    return getattr(metric, case["metric"])(**case.get("params", {}))


def test_every_golden_case_of_the_face_is_run():
    assert len(GOOD) == 705
    assert len(BAD) == 9
    assert {case["metric"] for case in GOOD} == set(LONG_NAMES)


def of_each_score(*cases):
    """The cases of a score at a time: hundreds of tests would take longer than what they test."""
    scores = {case["metric"]: [each for each in cases if each["metric"] == case["metric"]] for case in cases}
    return pytest.mark.parametrize("cases", scores.values(), ids=scores)


@of_each_score(*GOOD)
def test_golden(cases):
    assert [name_of(case) for case in cases if not is_golden(case)] == []


def is_golden(case):
    value = score(case)
    if type(value) is not float:
        return False
    if case["expected"] is None:  # purity of nothing: permetrics crashes; two empty partitions are alike
        return (case["metric"], case["id"], value) == ("PuS", "edge:n=0", 1.0)
    if case["metric"] not in IRRATIONAL or case.get("undefined"):
        return value == case["expected"]
    return value == pytest.approx(case["expected"], rel=1e-12, abs=1e-15)


def is_undefined(case):
    if case["metric"] in ("MIS", "EnS"):  # sums over nothing, no division
        return False
    if case["metric"] == "VMS":  # golden calls it defined where homogeneity and completeness fall back to 1
        return len(set(case["y_true"])) <= 1 and len(set(case["y_pred"])) <= 1
    return case.get("undefined", False)


@of_each_score(*(case for case in GOOD if is_undefined(case)))
def test_undefined_scores_raise_when_asked(cases):
    for case in cases:
        metric = ClusteringMetric(case["y_true"], case["y_pred"], force_finite=False)
        with pytest.raises(UndefinedError, match=LONG_NAMES[case["metric"]]) as raised:
            getattr(metric, case["metric"])()
        assert isinstance(raised.value, ZeroDivisionError)
        assert isinstance(raised.value, ValueError)
        assert getattr(metric, case["metric"])(force_finite=True, finite_value=7) == 7.0


@of_each_score(*(case for case in GOOD if not is_undefined(case)))
def test_defined_scores_never_fall_back(cases):
    for case in cases:
        metric = ClusteringMetric(case["y_true"], case["y_pred"], force_finite=False, finite_value=99)
        assert getattr(metric, case["metric"])(**case.get("params", {})) == score(case), name_of(case)


@of_each_score(*(case for case in GOOD if "clusterCrit_value" in case))
def test_cluster_crit(cases):
    for case in cases:
        value = score(case)
        if case["metric"] == "PhS":  # clusterCrit's has no square root
            value = cc.pearson_albatineh(case["y_true"], case["y_pred"])
        assert value == pytest.approx(case["clusterCrit_value"], rel=2e-7), name_of(case)


@every_case("case", [case for case in GOOD if "variants" in case], ids=name_of)
def test_variants_are_indices_of_ours(case):
    names = {
        "clusterCrit>=1.2.8 (yn-ny)/sqrt(yn+ny)": "mcnemar",
        "clusterCrit (no square root)": "pearson_albatineh",
    }
    for variant, expected in case["variants"].items():
        if variant in names and expected is not None:
            value = cc.compare(case["y_true"], case["y_pred"])[names[variant]]
            assert value == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("case", BAD, ids=name_of)
def test_bad_golden_input_gets_a_clear_error(case):
    y_true, y_pred = (json.loads(y) if isinstance(y, str) else y for y in (case["y_true"], case["y_pred"]))
    with pytest.raises(InputError, match=r"y_true|y_pred|reference"):
        ClusteringMetric(y_true, y_pred).JS()


def test_constructor_values_are_honoured():
    assert ClusteringMetric(SINGLETONS, SINGLETONS, finite_value=7).JS() == 7.0
    with pytest.raises(ZeroDivisionError):
        ClusteringMetric(SINGLETONS, SINGLETONS, force_finite=False).JS()


def test_method_values_win():
    cm = ClusteringMetric(SINGLETONS, SINGLETONS, force_finite=False, finite_value=7)
    assert cm.JS(force_finite=True) == 7.0
    assert cm.JS(force_finite=True, finite_value=0.25) == 0.25
    assert cm.JS(None, None, np.True_, -1) == -1.0
    with pytest.raises(UndefinedError):
        ClusteringMetric(SINGLETONS, SINGLETONS).JS(force_finite=False)


def test_none_means_not_given_and_nan_is_a_value():
    assert ClusteringMetric(SINGLETONS, SINGLETONS, finite_value=7).JS(finite_value=None) == 7.0
    assert ClusteringMetric(SINGLETONS, SINGLETONS, finite_value=None).ReS(finite_value=None) == 1.0
    assert math.isnan(ClusteringMetric(SINGLETONS, SINGLETONS, finite_value=math.nan).JS())


def test_undefined_says_which_score_and_why():
    with pytest.raises(UndefinedError, match=r"jaccard_score \(JS\).*N₁₁.*divides by zero for 4 elements"):
        ClusteringMetric(SINGLETONS, SINGLETONS, force_finite=False).JS()


@pytest.mark.parametrize("finite_value", ["0", [0], 1j])
def test_fallback_must_be_a_number(finite_value):
    with pytest.raises(ParameterError, match="finite_value"):
        ClusteringMetric(SINGLETONS, SINGLETONS, finite_value=finite_value)
    with pytest.raises(ParameterError, match="finite_value"):
        ClusteringMetric(SINGLETONS, SINGLETONS).JS(finite_value=finite_value)


def test_switch_must_be_a_boolean():
    with pytest.raises(ParameterError, match=r"force_finite=0\.0"):
        ClusteringMetric(SINGLETONS, SINGLETONS).JS(SINGLETONS, SINGLETONS, 0.0)
    with pytest.raises(ParameterError, match="force_finite='no'"):
        ClusteringMetric(force_finite="no")


def test_many_singletons_need_no_dense_table():
    labels = np.arange(200_000)
    assert ClusteringMetric(labels, labels).get_metrics_by_list_names(list(LONG_NAMES))["RaS"] == 1.0


def test_swapping_changes_no_bit():
    rng = np.random.default_rng(0)
    u, v = rng.integers(0, 9, (2, 500))
    one, other = ClusteringMetric(u, v), ClusteringMetric(v, u)
    for name in set(LONG_NAMES) - ASYMMETRIC:
        assert getattr(one, name)() == getattr(other, name)()
    assert one.PrS() == other.ReS()
    assert one.HS() == other.CS()


def test_beta_weighs_recall_and_completeness():
    cm = ClusteringMetric(*PAGES)
    assert cm.FS(beta=2.0) == cm.FS(None, None, 2.0) == 0.625
    h, c = cm.HS(), cm.CS()
    assert cm.VMS(beta=0.5) == pytest.approx(1.5 * h * c / (0.5 * h + c), rel=1e-14)
    with pytest.raises(ParameterError, match="beta"):
        cm.FS(beta=-1)


@every_case(("abbreviation", "method"), LONG_NAMES.items())
def test_both_names_are_one_real_method(abbreviation, method):
    function = getattr(ClusteringMetric, abbreviation)
    assert function is getattr(ClusteringMetric, method)
    assert function.__name__ == method
    assert f"({abbreviation})" in function.__doc__
    parameters = list(inspect.signature(getattr(ClusteringMetric(), abbreviation)).parameters)
    own = ["beta"] if abbreviation in ("FS", "VMS") else []
    assert parameters == ["y_true", "y_pred", *own, "force_finite", "finite_value"]
    assert {abbreviation, method} <= set(dir(ClusteringMetric()))


@pytest.mark.parametrize(("former", "name"), [("FmS", "FS"), ("ES", "EnS"), ("TS", "TauS")])
def test_former_names(former, name):
    cm = ClusteringMetric(*PAGES)
    assert getattr(cm, former)() == getattr(cm, name)()
    assert cm.get_metric_by_name(former) == {former: getattr(cm, name)()}


def test_unknown_metric_suggests_the_nearest():
    with pytest.raises(UnknownIndexError, match="did you mean rand_score"):
        ClusteringMetric(*PAGES).rand_scores  # noqa: B018
    with pytest.raises(AttributeError, match="need X"):
        ClusteringMetric(*PAGES).get_metric_by_name("BHI!")
    assert not hasattr(ClusteringMetric(), "silhouette")


def test_survives_pickling_and_copying_after_a_score():
    cm = ClusteringMetric(*PAGES)
    expected = cm.JS()
    for twin in (pickle.loads(pickle.dumps(cm)), copy.deepcopy(cm)):
        assert (twin.JS(), twin.PuS()) == (expected, cm.PuS())


def test_the_migration_page_gives_the_right_plain_names():
    page = (Path(__file__).parents[2] / "docs" / "migration-permetrics.md").read_text(encoding="utf-8")
    table = page.partition("## Native names")[2].partition("##")[0]
    rows = re.findall(r"\| ((?:`\w+`(?:, )?)+) \| `([\w(=)]+)`", table)
    listed = {abbreviation: name for names, name in rows for abbreviation in re.findall(r"\w+", names)}
    assert set(listed) == set(LONG_NAMES) - {"MNS", "TauS"}
    for abbreviation, name in listed.items():
        plain = cc.compare(*PAGES)[name]
        assert plain == pytest.approx(getattr(ClusteringMetric(*PAGES), abbreviation)(), rel=1e-15)
        assert INDICES[name].name == name


def test_metric_by_name():
    cm = ClusteringMetric(*PAGES)
    assert cm.get_metric_by_name("RTS") == {"RTS": 2 / 3}
    assert cm.get_metric_by_name("jaccard_score", {"finite_value": 1.0}) == {"jaccard_score": 0.4}
    assert cm.get_metric_by_name(metric_name="FS", paras={"beta": 2.0}) == {"FS": 0.625}


def test_metrics_by_list_of_names():
    cm = ClusteringMetric(*PAGES)
    assert cm.get_metrics_by_list_names(["JS", "FS"]) == {"JS": 0.4, "FS": 4 / 7}
    assert cm.get_metrics_by_list_names(["JS", "FS"], [None, {"beta": 2.0}]) == {"JS": 0.4, "FS": 0.625}
    assert cm.get_metrics_by_list_names(["JS", "JS"]) == {"JS": 0.4}
    assert cm.get_metrics_by_list_names(["FS", "FS"], [None, {"beta": 2.0}]) == {"FS": 0.625}
    assert cm.get_metrics_by_list_names(("JS",), iter([None])) == {"JS": 0.4}


@every_case(
    ("method", "arguments", "complaint"),
    [
        ("get_metric_by_name", ([1],), r"the name of a metric is text, like 'RaS', not \[1\]"),
        ("get_metric_by_name", (None,), "the name of a metric is text"),
        ("get_metric_by_name", ("FS", [1]), r"the arguments of FS are \[1\]; give a mapping of their names"),
        ("get_metric_by_name", ("FS", {1: 2}), r"the arguments of FS are \{1: 2\}"),
        ("get_metrics_by_list_names", (None,), "list_metric_names=None: pass a list of names of metrics"),
        ("get_metrics_by_list_names", ("RaS",), "list_metric_names='RaS': pass a list"),
        ("get_metrics_by_list_names", ([["FS"]],), "the name of a metric is text"),
        ("get_metrics_by_list_names", (["FS"], 5), "list_paras=5: pass a list of mappings"),
        ("get_metrics_by_list_names", (["FS"], {"beta": 2}), "list_paras=.*: pass a list of mappings"),
        ("get_metrics_by_list_names", (["FS"], ["beta"]), "the arguments of FS are 'beta'"),
        (
            "get_metrics_by_list_names",
            (["JS", "FS"], [None]),
            "list_metric_names and list_paras must have the same",
        ),
        ("get_metrics_by_dict", (["FS"],), "metrics_dict is a list; it maps names of metrics"),
        ("get_metrics_by_dict", ({"FS": [1]},), "the arguments of FS are"),
        ("get_metrics_by_dict", ({1: None},), "the name of a metric is text"),
    ],
)
def test_helpers_say_what_they_take(method, arguments, complaint):
    with pytest.raises(ParameterError, match=complaint):
        getattr(ClusteringMetric(*PAGES), method)(*arguments)


def test_metrics_by_dict():
    cm = ClusteringMetric(*PAGES)
    assert cm.get_metrics_by_dict({"JS": None, "FS": {"beta": 2.0}}) == {"JS": 0.4, "FS": 0.625}


@every_case("name", LONG_NAMES)
def test_support(name):
    support = ClusteringMetric.get_support(name, verbose=False)
    assert set(support) == {"type", "range", "best"}
    assert support["type"] == ("min" if name in ("GPS", "EnS") else "max")
    assert all(isinstance(text, str) for text in support.values())


def test_support_states_the_true_ranges():
    ranges = {
        name: support["range"] for name, support in ClusteringMetric.get_support("all", verbose=False).items()
    }
    assert ranges["ARS"] == "[-0.5, 1]"
    assert ranges["MNS"] == "(-inf, +inf)"
    assert ranges["TauS"] == "[-1, sqrt(n/2)]"
    assert ranges["MIS"] == "[0, log n]"
    assert ranges["EnS"] == "[0, log2 n]"
    assert ranges["GPS"] == ranges["JS"] == "[0, 1]"
    assert ranges["GAS"] == "[-1, 1]"


def test_support_prints_when_verbose(capsys):
    ClusteringMetric.get_support("JS")
    assert capsys.readouterr().out == "Metric JS: {'type': 'max', 'range': '[0, 1]', 'best': '1'}\n"
    ClusteringMetric().get_support(name="all")
    assert len(capsys.readouterr().out.splitlines()) == 26


@pytest.mark.parametrize("name", ["nothing", None, ["JS"]])
def test_support_of_the_unknown(name):
    with pytest.raises(ValueError, match="doesn't support metric named"):
        ClusteringMetric.get_support(name)


def test_labels_may_be_given_or_replaced_at_each_call():
    cm = ClusteringMetric(y_true=TWO_CLUSTERS)
    assert cm.PrS(y_pred=ONE_CLUSTER) == 1 / 3
    assert cm.PrS(y_pred=TWO_CLUSTERS) == 1.0
    assert cm.ReS(ONE_CLUSTER, TWO_CLUSTERS) == 1 / 3
    cm.y_pred = ONE_CLUSTER
    assert cm.PrS() == 1 / 3


KINDS = {
    "list": list,
    "int": np.array,
    "bool": lambda labels: np.array(labels) == labels[-1],
    "object": lambda labels: np.array(labels, dtype=object),
    "masked": np.ma.array,
    "Series": pd.Series,
    "Series of categories": lambda labels: pd.Series(labels, dtype="category"),
    "polars": pl.Series,
}


@every_case("side", [0, 1])
@every_case("make", KINDS.values(), ids=KINDS)
def test_labels_changed_in_place_are_counted_again(make, side):
    labels = [make(TWO_CLUSTERS), make(TWO_CLUSTERS)]
    cm = ClusteringMetric(*labels)
    assert (cm.RaS(), cm.RaS()) == (1.0, 1.0)
    labels[side][1] = labels[side][3]
    assert (cm.RaS(), cm.RaS()) == (0.5, 0.5)
    labels[side][1] = labels[side][0]
    assert cm.RaS() == 1.0


def test_labels_that_share_the_memory_of_an_array():
    array = np.array(TWO_CLUSTERS)
    for labels in (pa.array(array), array[:], memoryview(array)):
        array[:] = TWO_CLUSTERS
        cm = ClusteringMetric(labels, TWO_CLUSTERS)
        assert cm.RaS() == 1.0
        array[1] = 1
        assert cm.RaS() == 0.5


@pytest.mark.parametrize("bad", [None, math.nan, [1], np.array([1, 2]), pd.NA])
def test_labels_made_bad_in_place_are_refused(bad):
    labels = list(TWO_CLUSTERS)
    cm = ClusteringMetric(labels, TWO_CLUSTERS)
    cm.RaS()
    labels[1] = bad
    with pytest.raises(LabelError, match="position 1"):
        cm.RaS()


def test_a_mask_laid_on_in_place_is_seen():
    labels = np.ma.array(TWO_CLUSTERS)
    cm = ClusteringMetric(labels, TWO_CLUSTERS)
    cm.RaS()
    labels[1] = np.ma.masked
    with pytest.raises(LabelError, match=r"position 1 is missing \(masked\)"):
        cm.RaS()


def test_series_align_by_position():
    y_true = pd.Series(TWO_CLUSTERS, index=[3, 1, 0, 2])
    y_pred = pd.Series(TWO_CLUSTERS)
    assert ClusteringMetric(y_true, y_pred).RaS() == 1.0


def test_different_lengths():
    with pytest.raises(LengthError, match=r"2 labels.*3"):
        ClusteringMetric([0, 1], [0, 1, 1]).JS()


@pytest.mark.parametrize(
    ("given", "missing"), [({}, "y_true"), ({"y_true": [0]}, "y_pred"), ({"y_pred": [0]}, "y_true")]
)
def test_labels_not_given(given, missing):
    with pytest.raises(InputError, match=f"{missing} is missing"):
        ClusteringMetric(**given).JS()


@pytest.mark.parametrize(
    "bad",
    [
        [0, None, 1],
        np.array([0, math.nan, 1]),
        pd.Series([0, None, 1], dtype="Int64"),
        np.ma.masked_array([0, 1, 1], mask=[False, True, False]),
    ],
    ids=["None", "NaN", "NA", "masked"],
)
def test_missing_labels_are_named_by_position(bad):
    with pytest.raises(LabelError, match=r"y_true: the label at position 1 is missing"):
        ClusteringMetric(bad, [0, 1, 1]).JS()
    with pytest.raises(LabelError, match=r"y_pred: the label at position 1 is missing"):
        ClusteringMetric([0, 1, 1], bad).JS()


@pytest.mark.parametrize(
    "bad",
    [
        np.eye(3, dtype=int),
        [[0, 0], [1, 1]],
        0,
        "aab",
        [{0, 1}, {2}],
        {0: 1},
        pd.DataFrame({"a": [0, 1, 1]}),
    ],
    ids=lambda bad: f"{type(bad).__name__}-{bad}"[:30],
)
def test_what_is_not_a_vector_of_labels(bad):
    with pytest.raises(LabelError, match="y_true"):
        ClusteringMetric(bad, [0, 1, 1]).JS()


def test_misspelt_arguments_are_not_swallowed():
    for wrong in ({"finite_vlaue": 1.0}, {"beta": 2.0}):
        with pytest.raises(TypeError, match=next(iter(wrong))):
            ClusteringMetric(*PAGES).JS(**wrong)
    with pytest.raises(TypeError, match="JS"):
        ClusteringMetric(*PAGES, JS=5)
