"""Elements that weigh different amounts: golden values, every pair by hand, and what has no meaning then."""

import contextlib
import inspect
import itertools
import json
import math
import re
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
import subjects
from builders import AFTER, BEFORE, CLUSTERINGS, EXAMPLES, RECORDS, REFERENCE
from cases import every_case
from inner import INDICES, PairCounts, PartialCounts
from not_run import few

import concordant as cc
from concordant.errors import (
    ConcordantError,
    LabelError,
    LengthError,
    ParameterError,
    TooLargeError,
    WeightsError,
)

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "trust.json").read_text(encoding="utf-8"))[
    "weighted"
]
SIDES = GOLDEN["reference"], GOLDEN["candidate"]
WEIGHTS = [Fraction(weight) for weight in GOLDEN["weights"]]
U, V = list("aaaabbbccd"), list("xxyyyzzzxx")


def some_weights(seed=0):
    random = np.random.default_rng(seed)
    return [Fraction(int(x), int(y)) for x, y in random.integers(1, 9, (len(U), 2))]


def test_golden_values():
    c = cc.compare(*SIDES, weights=WEIGHTS)
    for name in ("n11", "n10", "n01", "n00"):
        assert getattr(c.pairs, name) == Fraction(GOLDEN[name])
    for name in ("rand", "adjusted_rand", "bcubed_recall", "bcubed_precision"):
        assert c.exact(name) == Fraction(GOLDEN[name])
        assert c[name] == float(Fraction(GOLDEN[name]))
    assert c.mutual_information == pytest.approx(GOLDEN["mutual_information"], rel=1e-14)


def test_pairs_by_hand():
    weights = some_weights()
    c = cc.compare(U, V, weights=weights)
    found = dict.fromkeys(itertools.product((True, False), repeat=2), Fraction(0))
    for i, j in itertools.combinations(range(len(U)), 2):
        found[U[i] == U[j], V[i] == V[j]] += weights[i] * weights[j]
    assert [c.pairs.n11, c.pairs.n10, c.pairs.n01, c.pairs.n00] == list(found.values())


def test_bcubed_and_entropies_by_hand():
    weights = some_weights(1)
    c = cc.compare(U, V, weights=weights)
    total = sum(weights)

    def weight(*conditions):
        return sum(w for w, *own in zip(weights, *conditions, strict=True) if all(own))

    recall = information = Fraction(0)
    for u, v, w in zip(U, V, weights, strict=True):
        both = weight([x == u for x in U], [y == v for y in V])
        own, other = weight([x == u for x in U]), weight([y == v for y in V])
        recall += w * both / own / total
        information += float(w / total) * math.log(both * total / (own * other))
    assert c.exact("bcubed_recall") == recall
    assert c.mutual_information == pytest.approx(information, rel=1e-12)


def test_best_matches_are_of_weight():
    weights = some_weights(2)
    c, total = cc.compare(U, V, weights=weights), sum(weights)
    table = {
        (u, v): sum((w for w, x, y in zip(weights, U, V, strict=True) if (x, y) == (u, v)), Fraction(0))
        for u in set(U)
        for v in set(V)
    }
    assert c.exact("purity") == sum(max(table[u, v] for u in set(U)) for v in set(V)) / total
    assert c.exact("inverse_purity") == sum(max(table[u, v] for v in set(V)) for u in set(U)) / total
    rows, columns = sorted(set(U)), sorted(set(V))
    short, long = (rows, columns) if len(rows) <= len(columns) else (columns, rows)
    best = max(
        sum(table[(x, y) if short is rows else (y, x)] for x, y in zip(short, chosen, strict=True))
        for chosen in itertools.permutations(long, len(short))
    )
    assert c.exact("matching_accuracy") == best / total
    f1 = {
        (u, v): 2
        * table[u, v]
        / sum(w for w, x, y in zip(weights, U, V, strict=True) for s in (x == u, y == v) if s)
        for u, v in table
    }
    assert c.exact("larsen_aone") == sum(max(f1[u, v] for v in columns) for u in rows) / len(rows)


def test_the_command_reads_a_column_of_weights(run, fails, tmp_path):
    (tmp_path / "t.csv").write_text("id,c,w\n1,a,1\n2,a,2\n3,b,0.5\n4,b,1\n5,b,3\n", encoding="utf-8")
    (tmp_path / "g.csv").write_text("id,c\n1,x\n2,x\n3,x\n4,y\n5,y\n", encoding="utf-8")
    columns = ("--record", "id", "--cluster", "c", "--weights", "w")
    ran = run("compare", str(tmp_path / "t.csv"), str(tmp_path / "g.csv"), *columns, "--json")
    found = json.loads(ran.out)
    wanted = cc.compare(list("aabbb"), list("xxxyy"), weights=[1, 2, Fraction(1, 2), 1, 3])
    assert found["data"] == wanted.to_dict()
    assert "effective_size=3.68852" in found["signature"]
    wrong = fails("compare", str(tmp_path / "t.csv"), str(tmp_path / "g.csv"), *columns[:-1], "c")
    assert "the record '1' has 'a', which is not a number" in wrong


# -- the laws of weights, for every index that accepts them ------------------------------------------------

WEIGHTED = [each for index in INDICES.values() for each in (index, *index.samples) if "weights" in each.kinds]


def tables(many=40):
    """Two partitions of up to 8 elements with whole weights, at random."""
    random = np.random.default_rng(5)
    for size in random.integers(2, 9, many).tolist():
        u, v = random.integers(0, 3, (2, size)).tolist()
        yield u, v, random.integers(1, 5, size).tolist()


def values(*sides, weights=None):
    counts = cc.compare(*sides, weights=weights)._counts
    return np.array([index.value(counts, "nan") for index in WEIGHTED])


def repeated(labels, weights):
    return [label for label, weight in zip(labels, weights, strict=True) for _ in range(weight)]


def names(wrong):
    return {WEIGHTED[place].name for place in np.flatnonzero(wrong)}


def test_weights_of_one_change_no_bit():
    assert len([index for index in INDICES.values() if index.weight_class]) == 161
    for u, v, _ in tables():
        found, wanted = values(u, v, weights=[1] * len(u)), values(u, v)
        assert not names((found != wanted) & ~(np.isnan(found) & np.isnan(wanted)))


@pytest.mark.parametrize("unit", few(2, [10**40, Fraction(1, 3), 7, 0.25]))
def test_the_unit_of_weights_scales_distances_alone(unit):
    degrees = np.array([index.degree for index in WEIGHTED])
    assert set(degrees) == {0, 1 / 2, 1, 2}
    for u, v, weights in tables():
        found, plain = values(u, v, weights=[x * unit for x in weights]), values(u, v, weights=weights)
        assert not names((found != plain) & ~np.isnan(found) & (degrees == 0))
        assert not names(~np.isclose(found, plain * float(unit) ** degrees, rtol=1e-12, equal_nan=True))


def test_a_weight_is_a_number_of_equal_elements_for_shares_and_for_no_other():
    differs = np.zeros(len(WEIGHTED), dtype=bool)
    for u, v, weights in tables():
        found, wanted = values(u, v, weights=weights), values(*(repeated(x, weights) for x in (u, v)))
        differs |= ~np.isclose(found, wanted, rtol=1e-12, atol=1e-14, equal_nan=True)
    assert names(differs) == {index.name for index in WEIGHTED if index.weight_class != "shares"}


def test_a_pair_weighs_the_product_and_no_element_is_a_pair_with_itself():
    for u, v, weights in tables():
        sums = dict.fromkeys(itertools.product((True, False), repeat=2), 0)
        for i, j in itertools.combinations(range(len(u)), 2):
            sums[u[i] == u[j], v[i] == v[j]] += weights[i] * weights[j]
        # The number of elements is none, so an index that counted them as pairs would differ.
        pairs = PartialCounts.of_pairs(PairCounts(*sums.values(), size=10**9))
        counts = cc.compare(u, v, weights=weights)._counts
        for index in WEIGHTED:
            if index.weight_class == "pairs" and index.views == (PairCounts,) and not counts.identical:
                if index.arguments.get("chance") == "permutation":
                    continue  # it also counts pairs of equal weight
                assert index.value(counts, "nan") == pytest.approx(index.value(pairs, "nan"), nan_ok=True)


def test_weighted_values_are_in_their_range():
    for u, v, weights in tables():
        counts = cc.compare(u, v, weights=[Fraction(x, 3) for x in weights])._counts
        for index in WEIGHTED:
            low, high = index.bounds(counts)
            value = index.value(counts, "nan")
            assert math.isnan(value) or low - 1e-9 <= value <= high + 1e-9, index.name


def test_squares_of_weights_by_hand():
    u, v, weights = [0, 0, 1, 1, 2, 2, 2], [0, 0, 0, 1, 1, 2, 2], [1, 2, 1, 1, 3, 1, 1]
    c = cc.compare(u, v, weights=weights)
    assert c.exact("adapted_rand_error") == Fraction(13, 37)
    assert c.exact("adapted_rand_precision") == Fraction(2, 3)
    assert c.rv == pytest.approx(0.64888568)
    assert cc.gordon_vichi([0, 0], [1, 0], weights=[0.25, 0.5]) == 0.5


SPECIFIED = json.loads((Path(__file__).parents[1] / "golden" / "weights.json").read_text(encoding="utf-8"))


@every_case("case", SPECIFIED["cases"], ids=lambda case: case["name"])
def test_golden_values_of_weighted_indices(case):
    weights = [Fraction(weight) for weight in case["weights"]]
    c = cc.compare(case["reference"], case["candidate"], weights=weights)
    for name, wanted in case["values"].items():
        spelling = re.sub(r"shuffled_(\w+)", r"adjusted_\1(chance='permutation')", name)
        found = INDICES[spelling].value(c._counts, "nan")
        if "undefined" in wanted and not c._counts.identical:
            assert math.isnan(found), name
        elif "undefined" not in wanted:
            assert found == pytest.approx(wanted["value"], rel=1e-12, abs=1e-15), name
            if "exact" in wanted and not c._counts.identical:
                assert c.exact(spelling) == Fraction(wanted["exact"]), name


@pytest.mark.parametrize("weights", [[1, 2, 1, 3], [Fraction(1, 3), 2, 2, 5]])
@pytest.mark.parametrize("sides", [("0011", "0122"), ("0001", "0112"), ("0112", "0011")])
def test_shuffles_over_weighted_elements_have_a_mean_of_zero(sides, weights):
    """The labels of one side move, and the weights stay with their elements."""
    reference, candidate = map(list, sides)
    recalls = ("adjusted_wallace_recall(chance='permutation')", "adjusted_bcubed_recall")
    for name in (*recalls, *(each.replace("recall", "precision") for each in recalls)):
        of_candidate = "recall" in name
        moved = candidate if of_candidate else reference
        values = []
        for shuffled in itertools.permutations(moved):
            both = (reference, shuffled) if of_candidate else (shuffled, candidate)
            values.append(INDICES[name].evaluate(cc.compare(*both, weights=weights)._counts, exact=True))
        assert sum(values) == 0, name


def test_an_index_that_refuses_weights_says_why():
    c = cc.compare(*SIDES, weights=WEIGHTS)
    refusing = [index for index in INDICES.values() if not index.weight_class and index.sides != "covers"]
    assert len(refusing) == 46
    for index in refusing:
        assert index.no_weights, index.name
        with pytest.raises(WeightsError, match=f"{index.name} has no meaning .*: {index.no_weights}"):
            _ = c[index.name]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "weights",
    [
        [1e308] * 10,
        [1e308, 1e-308] * 5,
        [5e-324] * 10,
        [10**400] * 9 + [1],
        [Decimal("1e400")] * 10,
        [1e160] * 5 + [1.0] * 5,
        np.random.default_rng(0).random(10) * 1e9,
    ],
    ids=["1e308", "far apart", "5e-324", "10**400", "1e400", "1e160", "random"],
)
def test_weights_beyond_floats_give_exact_values_or_an_error_of_ours(weights):
    c = cc.compare(U, V, weights=weights)
    exact = [Fraction(repr(float(x))) if isinstance(x, float) else Fraction(x) for x in weights]
    cells = Counter()
    for u, v, weight in zip(U, V, exact, strict=True):
        cells[u, v] += weight
    best = sum(max(cells[u, v] for u in "abcd") for v in "xyz")
    assert c.exact("purity") == best / sum(exact)
    for show in (str, lambda c: f"{c:all}", repr, cc.Comparison.to_json, cc.Comparison._repr_html_):
        assert show(c)
    assert c.matching_accuracy > 0
    assert len(c.to_dict()) > 80
    for index in WEIGHTED:
        with contextlib.suppress(TooLargeError):
            index.value(c._counts)
    for name in c.to_dict():
        with contextlib.suppress(TooLargeError):
            c.to_frame("polars", indices=[name])


def test_no_elements_have_no_weight():
    assert cc.compare([], [], weights=[]).rand == 1


def test_save_says_that_weights_are_not_saved(tmp_path):
    with pytest.raises(WeightsError, match="with weights cannot be saved"):
        cc.compare(*SIDES, weights=WEIGHTS).save(tmp_path / "c.json")


def test_weights_of_many_kinds():
    wanted = cc.compare(U, V, weights=[Fraction(1, 10)] * 5 + [2] * 5).exact("jaccard")
    for kind in (float, Decimal):
        weights = [kind("0.1")] * 5 + [kind(2)] * 5
        assert cc.compare(U, V, weights=weights).exact("jaccard") == wanted
    assert cc.compare(U, V, weights=np.array([0.1] * 5 + [2.0] * 5)).exact("jaccard") == wanted
    names = [f"r{i}" for i in range(10)]
    sides = dict(zip(names, U, strict=True)), dict(zip(reversed(names), reversed(V), strict=True))
    by_name = dict(zip(names, [0.1] * 5 + [2] * 5, strict=True))
    assert cc.compare(*sides, weights=by_name).exact("jaccard") == wanted
    assert cc.compare(*sides, weights=pd.Series(by_name)).exact("jaccard") == wanted
    assert cc.jaccard(U, V, weights=[0.1] * 5 + [2] * 5) == float(wanted)
    huge = [10**40] * 5 + [2 * 10**41] * 5
    assert cc.compare(U, V, weights=huge).jaccard == pytest.approx(float(wanted))


def test_what_is_said():
    c = cc.compare(*SIDES, weights=WEIGHTS)
    assert "weights=total 7.5 | effective_size=3.68852" in c.signature
    assert re.search(r"adjusted_rand +0\.6137", f"{c:all}")
    assert re.search(r"precision +0\.7692", str(c))
    assert "The records are weighted; their effective number is 3.689" in str(c)
    assert "1.5 in the candidate only" in f"{c:all}"
    assert "chance" not in str(c)
    assert "0.7692" in c._repr_html_()
    assert cc.compare(*SIDES, weights=[2] * 5).signature.count("effective_size=5 ") == 1


def test_what_has_no_meaning():
    c = cc.compare(*SIDES, weights=WEIGHTS)
    for name in (
        "pantel_lin",
        "adjusted_mutual_information",
        "cluster_recall",
        "g_statistic",
    ):
        with pytest.raises(WeightsError, match="has no meaning"):
            _ = c[name]
        assert name not in c.to_dict()
    for ask in (lambda: c.significance("rand"), lambda: c.interval("rand")):
        with pytest.raises(WeightsError, match="compare without weights"):
            ask()


def test_what_is_refused():
    with pytest.raises(LengthError, match="4 weights for 5 records"):
        cc.compare(*SIDES, weights=[1] * 4)
    for wrong in (0, -1, math.nan, math.inf, "1", True, None, [1], Decimal("sNaN"), Decimal("Infinity")):
        with pytest.raises(ParameterError, match="position 4"):
            cc.compare(*SIDES, weights=[1, 1, 1, 1, wrong])
    with pytest.raises(WeightsError, match="more than 1,233 digits"):
        cc.compare(*SIDES, weights=[10**2000, 1, 1, 1, 1])
    with pytest.raises(ParameterError, match="give the weight of each record"):
        cc.compare(*SIDES, weights=2)
    with pytest.raises(LabelError, match="no weight for the record 4"):
        cc.compare(*SIDES, weights=dict.fromkeys(range(4), 1))
    with pytest.raises(ParameterError, match="pass the weights by name"):
        cc.compare({"a": 1, "b": 2}, {"a": 1, "b": 1}, weights=[1, 2])
    frame = pl.DataFrame({"u": [1, 2], "v": [1, 1]})
    sides = (cc.Partition.from_frame(frame, cluster=name, record=None) for name in "uv")
    assert cc.compare(*sides, weights=[1, 2]).rand == cc.rand([1, 2], [1, 1], weights=[1, 2])


def test_a_distance_at_the_end_of_its_range_is_not_cut_off():
    for weights in ([1, 0.25], [1 / 3, 0.7], [0.1, 3]):
        c = cc.compare([0, 0], [1, 0], weights=weights)
        assert c.mirkin == float(c.exact("mirkin"))


EIGHT_WEIGHTS = {"weights": dict(zip(RECORDS, range(1, 9), strict=True))}
RESULTS = {
    "c": lambda: cc.compare(REFERENCE, BEFORE, **EIGHT_WEIGHTS),
    "d": lambda: cc.diff(BEFORE, AFTER, reference=REFERENCE, **EIGHT_WEIGHTS),
}
FUNCTIONS = {
    "estimate": lambda: cc.estimate(REFERENCE, BEFORE, sampling="records", **EIGHT_WEIGHTS),
    "scorer": lambda: cc.scorer("rand", **EIGHT_WEIGHTS),
    "consensus": lambda: cc.consensus(CLUSTERINGS, **EIGHT_WEIGHTS),
    "track": lambda: cc.track(CLUSTERINGS, **EIGHT_WEIGHTS),
    "soft partitions": lambda: cc.compare(REFERENCE, EXAMPLES["Soft"](), **EIGHT_WEIGHTS),
    "trees": lambda: cc.compare(REFERENCE, EXAMPLES["Hierarchy"](), **EIGHT_WEIGHTS),
    "coreference": lambda: cc.coreference([], [], **EIGHT_WEIGHTS),
    "sample_size": lambda: cc.sample_size([2, 3], sampling="records", **EIGHT_WEIGHTS),
    "Live": lambda: cc.Live(**EIGHT_WEIGHTS),
    "covers": lambda: cc.compare(*[cc.Cover.of([{"r0", "r1"}, {"r1", "r2"}])] * 2, weights=[1, 2, 3]),
}


ELSEWHERE = ("judged", "to_html")  # it takes answers to questions about this diff; other tests write pages


def shown(result, name, given):
    found = getattr(result, name)
    return str(found(**given) if callable(found) else found)


def calls_with_weights():
    yield from FUNCTIONS.items()
    for letter, make in RESULTS.items():
        result = make()
        for name in dir(type(result)):
            given = subjects.arguments_for(type(result), name)
            if name[0] != "_" and name not in {*INDICES, *ELSEWHERE} and given is not None:
                yield f"{letter}.{name}", partial(shown, result, name, given)


def test_what_takes_no_weights_has_a_reason_of_its_own_and_is_on_the_page():
    page = (Path(__file__).parents[2] / "docs" / "weights.md").read_text()
    reasons = {}
    for name, call in calls_with_weights():
        with subjects.quiet():
            try:
                call()
            except (ParameterError, WeightsError) as error:
                if "weight" in str(error):  # others are about another option
                    reasons[name] = str(error)
    assert reasons.keys() > FUNCTIONS.keys()
    assert reasons.pop("d.difference") == reasons["c.versus"]  # it is that test
    assert len(set(reasons.values())) == len(reasons)
    assert [name for name in reasons if f"`{name}" not in page and name not in page] == []


SIDES_OF_FUNCTIONS = {"reference", "candidate", "candidates", "clusterings", "before", "response", "sizes"}


def test_every_function_of_clusterings_knows_weights():
    for name in cc.__all__:
        function = getattr(cc, name)
        if isinstance(function, type) or not callable(function):
            continue
        needed = [
            each
            for each in inspect.signature(function).parameters.values()
            if each.kind is each.POSITIONAL_OR_KEYWORD and each.default is each.empty
        ]
        if SIDES_OF_FUNCTIONS & {each.name for each in needed}:
            with contextlib.suppress(ConcordantError), subjects.quiet():
                function(
                    *[REFERENCE] * len(needed), **EIGHT_WEIGHTS
                )  # an error of Python's own would be raised
