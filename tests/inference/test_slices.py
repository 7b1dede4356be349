"""Slices: golden fractions, sums that add up, every kind of input, and the test against the rest."""

import json
import math
import pickle
from fractions import Fraction
from itertools import pairwise, permutations
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest
from cases import every_case
from inner import SlicedComponents

import concordant as cc
from concordant.errors import (
    CoverError,
    InputError,
    LabelError,
    LengthError,
    OverlapError,
    ParameterError,
    TableNeededError,
    TooLargeError,
    UndefinedError,
)

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "diff.json").read_text("utf-8"))
CASES = {case["name"]: case for case in GOLDEN["cases"]}
POINTWISE = ("bcubed_precision", "bcubed_recall", "element_jaccard", "element_centric")
WALLACE = ("adjusted_wallace_recall", "adjusted_wallace_precision")
PAIRWISE = ("precision", "recall", "f_measure", "jaccard", *WALLACE)
MEASURES = (*POINTWISE, *PAIRWISE, "bcubed_f", "adjusted_rand")
READINGS = ("ends", "any", "both")

FRAME = pl.DataFrame(
    {
        "id": [1, 2, 3, 4, 5, 6],
        "truth": [0, 0, 1, 1, 2, 2],
        "run": [0, 0, 1, 2, 2, 2],
        "country": ["x", "y", "x", None, "y", "x"],
        "year": [1, 1, 2, 2, 2, None],
    }
)
SIZES = {"x": 3, "y": 2, None: 1}


def compared(case):
    return cc.compare(case["base"], case["experiment"], weights=[Fraction(each) for each in case["weights"]])


def exactly(slices, value, measure):
    try:
        return slices.exact(value, measure)
    except UndefinedError:
        return None


def four_of(pairs):
    return [pairs.n11, pairs.in_reference, pairs.in_candidate, pairs.all]


def fraction(text):
    return None if text is None else Fraction(text)


@every_case("case", CASES.values(), ids=CASES)
def test_golden_values(case):
    for reading in READINGS:
        slices = compared(case).slices(case["slice"], reading=reading)
        assert set(slices) == set(case["slices"])
        for value, expected in case["slices"].items():
            assert slices[value].size == expected["records"]
            assert slices[value].weight == float(Fraction(expected["weight"]))
            for measure in POINTWISE:
                assert slices.exact(value, measure) == Fraction(expected[measure])
                assert getattr(slices[value], measure) == float(Fraction(expected[measure]))
            pairs = [Fraction(expected[f"pairs_{reading}"][name]) for name in ("n11", "u", "v", "all")]
            assert four_of(slices.pairs(value)) == pairs
            for measure in ("precision", "recall"):
                assert exactly(slices, value, measure) == fraction(expected[f"{measure}_{reading}"])
            for measure in WALLACE:
                key = measure.replace("_wallace", "")
                known = expected.get(f"{key}_ends") if reading == "ends" else None
                if known is not None:
                    assert slices.exact(value, measure) == Fraction(known)


@every_case("case", CASES.values(), ids=CASES)
def test_slices_add_up_to_the_whole(case):
    c = compared(case)
    ends, some, both = (c.slices(case["slice"], reading=reading) for reading in READINGS)
    weights = {value: Fraction(case["slices"][value]["weight"]) for value in ends}
    for measure in POINTWISE:
        mean = sum(weights[value] * ends.exact(value, measure) for value in ends) / sum(weights.values())
        assert mean == c.exact(measure)
    sums = [sum(column) for column in zip(*(four_of(ends.pairs(value)) for value in ends), strict=True)]
    assert sums == four_of(c.pairs)
    for value in ends:
        parts = zip(*(four_of(each.pairs(value)) for each in (ends, some, both)), strict=True)
        assert all(2 * own == x + y for own, x, y in parts)


@every_case("case", list(CASES.values())[::4], ids=list(CASES)[::4])
def test_one_slice_of_all_records_has_the_values_of_the_comparison(case):
    c = compared(case)
    for reading in READINGS:
        only = c.slices(["all"] * len(case["base"]), reading=reading)["all"]
        for measure in MEASURES:
            assert getattr(only, measure) == c[measure], measure
        assert (only.difference, only.p, only.note) == (None, None, "there is no rest to compare with")


def test_adjusted_wallace_recall_is_0_on_average_over_permutations():
    truth, run, by = [0, 0, 1, 1, 1], [0, 0, 0, 1, 1], list("xxyyx")
    found = [
        cc.compare(truth, list(each)).slices(by).exact("x", "adjusted_wallace_recall")
        for each in permutations(run)
    ]
    assert sum(found) == 0


def test_parts_of_the_adjusted_rand_index_add_up():
    rng = np.random.default_rng(3)
    truth, run, by = rng.integers(0, 5, (3, 60))
    c = cc.compare(truth, run)
    slices, pairs = c.slices(by), c.pairs
    share_u, share_v = (Fraction(each, pairs.all) for each in (pairs.in_reference, pairs.in_candidate))
    above = below = Fraction(0)
    for value in slices:
        own = slices.pairs(value)
        denominator = own.in_reference * (1 - share_v) + own.in_candidate * (1 - share_u)
        above += slices.exact(value, "adjusted_rand") * denominator
        below += denominator
    assert above / below == c.exact("adjusted_rand")


def test_alone_compares_the_records_of_a_slice_alone():
    rng = np.random.default_rng(1)
    truth, run, by = rng.integers(0, 6, (3, 80))
    weights = rng.integers(1, 9, 80)
    plain, weighted = cc.compare(truth, run).slices(by), cc.compare(truth, run, weights=weights).slices(by)
    cuts, heavy = plain.alone(), weighted.alone()
    for value in plain:
        inside = by == value
        alone = cc.compare(truth[inside], run[inside])
        assert cuts[value].to_dict() == alone.to_dict()
        again = cc.compare(truth[inside], run[inside], weights=weights[inside])
        assert heavy[value].to_dict() == again.to_dict()
        assert heavy[value].signature == again.signature
        both = cc.compare(truth, run).slices(by, reading="both")
        assert (cuts[value].precision, cuts[value].recall) == (both[value].precision, both[value].recall)
    assert set(cuts[0].table) == set(cc.compare(truth[by == 0], run[by == 0]).table)


# -- kinds of input -------------------------------------------------------------------------------------


def frames(path):
    FRAME.write_parquet(path / "all.parquet")
    FRAME.write_csv(path / "all.csv")
    yield from (FRAME, FRAME.to_pandas(), FRAME.to_arrow(), FRAME.lazy())
    yield duckdb.from_arrow(FRAME.to_arrow())


def measured(slices):
    return {value: [getattr(each, name) for name in MEASURES] for value, each in slices.items()}


EXPECTED = cc.compare(FRAME["truth"], FRAME["run"]).slices(FRAME["country"])


@pytest.mark.parametrize("record", [None, "id"])
def test_a_column_of_the_frame_that_was_compared(tmp_path, record):
    for frame in frames(tmp_path):
        c = cc.compare(frame, columns=["truth", "run"], record=record)
        slices = c.slices("country")
        assert {value: each.size for value, each in slices.items()} == SIZES
        assert measured(slices) == measured(EXPECTED)
        assert slices.columns == ("country",)
        crossed = c.slices(["country", "year"])
        assert crossed["x", None].size == crossed[None, 2].size == 1
        assert crossed.total == 6


def test_columns_of_either_of_two_frames_and_of_files(tmp_path):
    list(frames(tmp_path))
    small = FRAME.select("id", "run")
    pairs = [
        (
            cc.Partition.from_frame(FRAME, record="id", cluster="truth"),
            cc.Partition.from_frame(small, record="id", cluster="run"),
        ),
        (
            cc.Partition.from_frame(FRAME.lazy(), record="id", cluster="truth"),
            cc.Partition.from_frame(small.lazy().sort("run", descending=True), record="id", cluster="run"),
        ),
    ]
    pairs += [
        tuple(cc.Partition.scan(tmp_path / name, record="id", cluster=column) for column in ("truth", "run"))
        for name in ("all.parquet", "all.csv")
    ]
    for reference, candidate in pairs:
        assert measured(cc.compare(reference, candidate).slices("country")) == measured(EXPECTED)
        mirrored = cc.compare(candidate, reference).slices("country")
        assert mirrored["x"].bcubed_precision == EXPECTED["x"].bcubed_recall
    files = cc.compare(*pairs[2])
    for name in ("all.csv", "all.parquet"):
        assert measured(files.slices("country", details=tmp_path / name, record="id")) == measured(EXPECTED)
    assert {key: each.rand for key, each in files.slices("country").alone().items()} == {
        "x": 1,
        "y": 1,
        None: 1,
    }


def test_values_by_name_position_and_file(tmp_path):
    list(frames(tmp_path))
    by_name = cc.compare(*(dict(zip(FRAME["id"], FRAME[name], strict=True)) for name in ("truth", "run")))
    by_position = cc.compare(FRAME["truth"].to_list(), FRAME["run"].to_list())
    pandas = FRAME.to_pandas().set_index("id")
    assert measured(by_name.slices(dict(zip(FRAME["id"], FRAME["country"], strict=True)))) == measured(
        EXPECTED
    )
    assert measured(by_name.slices(pandas["country"].iloc[::-1])) == measured(EXPECTED)
    for name in ("all.csv", "all.parquet"):
        assert measured(by_name.slices("country", details=tmp_path / name, record="id")) == measured(EXPECTED)
    assert measured(by_name.slices("country", details=FRAME, record="id")) == measured(EXPECTED)
    for values in (FRAME["country"], FRAME["country"].to_list(), pandas["country"], iter(FRAME["country"])):
        assert measured(by_position.slices(values)) == measured(EXPECTED)
    assert by_position.slices(FRAME.select("country", "year")).columns == ("country", "year")
    assert by_position.slices(pd.Series(pd.Categorical(list("xyxxyx")), name="kind")).columns == ("kind",)


def test_records_that_were_dropped_have_no_slice():
    c = cc.compare([0, 0, 1, -1, 1], [0, 0, 1, 1, 2], noise=-1, noise_as="drop")
    slices = c.slices(list("xxyzy"))
    assert {value: each.size for value, each in slices.items()} == {"x": 2, "y": 2}
    with pytest.raises(LengthError, match="4 slices for 5 records"):
        c.slices(list("xxyz"))
    ends = cc.compare({"p": 0, "q": 0, "r": 1}, {"q": 0, "r": 0, "s": 2}, unmatched="singletons")
    assert ends.slices({"p": 1, "q": 1, "r": 2, "s": 2}).total == 2


def test_a_frame_that_changed_after_it_was_compared_is_refused():
    frame = FRAME.to_pandas()
    c = cc.compare(frame, columns=["truth", "run"])
    frame.loc[0, "truth"] = 5
    with pytest.raises(InputError, match="has changed since it was compared"):
        c.slices("country")
    kept = pickle.loads(pickle.dumps(cc.compare(FRAME, columns=["truth", "run"])))
    with pytest.raises(InputError, match="pickled"):
        kept.slices("country")


def test_what_cannot_be_read_is_refused():
    plain = cc.compare([0, 0, 1], [0, 1, 1])
    framed = cc.compare(FRAME, columns=["truth", "run"])
    scanned = cc.compare(FRAME.lazy(), columns=["truth", "run"], record="id")
    with pytest.raises(ParameterError, match="labels have no columns"):
        plain.slices("country")
    with pytest.raises(InputError, match=r"no column 'contry'.*country"):
        framed.slices("contry")
    with pytest.raises(InputError, match="no column 'contry'"):
        scanned.slices("contry")
    with pytest.raises(ParameterError, match="named twice"):
        framed.slices(["country", "country"])
    with pytest.raises(ParameterError, match="name a column"):
        scanned.slices([1, 2, 3, 4, 5, 6])
    with pytest.raises(LengthError, match="2 slices for 3 records"):
        plain.slices([1, 2])
    with pytest.raises(LabelError, match="no slice for the record 2"):
        plain.slices({0: 1, 1: 1})
    with pytest.raises(ParameterError, match="the slice of each record"):
        plain.slices({1, 2, 3})
    with pytest.raises(ParameterError, match="the slice of each record"):
        plain.slices(7)
    with pytest.raises(LabelError, match="a single value"):
        plain.slices([[1], [2], [3]])
    with pytest.raises(ParameterError, match="pass details= too"):
        plain.slices([1, 2, 3], record="id")
    named = cc.compare(dict.fromkeys(range(1, 8), 0), dict.fromkeys(range(1, 8), 1))
    with pytest.raises(LabelError, match="no row for 1 record"):
        named.slices("country", details=FRAME, record="id")
    twice = pl.concat([FRAME, FRAME.head(1)])
    with pytest.raises(OverlapError, match="twice"):
        scanned.slices("country", details=twice.lazy(), record="id")
    with pytest.raises(InputError, match="6 records were compared, and 5 of them"):
        scanned.slices("country", details=FRAME.head(5).lazy(), record="id")
    nested = cc.compare(FRAME.with_columns(pl.lit([1, 2]).alias("list")).lazy(), columns=["truth", "run"])
    with pytest.raises(LabelError, match="single value"):
        nested.slices("list")
    with pytest.raises(TableNeededError):
        cc.Comparison.from_contingency([[2, 0], [1, 3]]).slices([0] * 6)
    with pytest.raises(CoverError):
        cc.compare(cc.Cover.of([{1, 2}, {2, 3}]), cc.Cover.of([{1, 2, 3}])).slices({1: 0, 2: 0, 3: 0})
    for option, value in {"reading": "half", "index": "nmi", "correction": "bh", "confidence": 2}.items():
        with pytest.raises(ParameterError, match=option):
            plain.slices([1, 2, 3], **{option: value})
    with pytest.raises(ParameterError, match="limit"):
        plain.slices([1, 2, 3], limit=0)
    with pytest.raises(KeyError, match="no slice 9"):
        plain.slices([1, 2, 3])[9]
    with pytest.raises(ParameterError, match="use one of"):
        plain.slices([1, 2, 3]).exact(1, "nmi")
    with pytest.raises(ParameterError, match="use one of"):
        plain.slices([1, 2, 3]).whole("f_measure(beta=2)")


def test_every_spelling_of_an_index_is_taken():
    slices = cc.compare([0, 0, 1, 1, 1], [0, 0, 0, 1, 1]).slices(list("xxxyy"), index="b3_f")
    assert slices.index == "bcubed_f"
    assert slices.whole("ARI") == slices.whole("adjusted_rand")
    assert slices.exact("x", "ARI") == slices.exact("x", "adjusted_rand")


def test_many_slices_need_a_limit():
    labels = np.arange(1200) % 40
    c = cc.compare(labels, labels)
    by = np.r_[np.arange(1100), np.zeros(100, dtype=int)]
    with pytest.raises(TooLargeError, match=r"1,100 slices.*limit=1000"):
        c.slices(by, limit=None)
    few = c.slices(by, limit=2)
    assert (list(few), few.total, few.omitted) == ([0, 1], 1100, {})
    assert "and 1,098 more" in str(few)


def test_values_of_any_kind_are_slices():
    nothing = [None, math.nan, float("nan"), pd.NA, np.datetime64("NaT", "ns")]
    values = [*nothing, "", "None", 1, 1.0, True, (1, 2)]
    c = cc.compare([0] * len(values), list(range(len(values))))
    slices = c.slices(values)
    assert slices[None].size == 5
    assert slices[1].size == 3
    assert slices[1, 2].size == slices[""].size == slices["None"].size == 1
    assert "x" not in slices
    assert slices.get("x") is None
    text = str(c.slices(["two\nlines", "\u202eright", "a" * 500] + [0] * 8))
    assert "two⏎lines" in text
    assert max(map(len, text.splitlines())) < 80


def test_undefined_values_follow_the_comparison():
    truth, run, by = [0, 0, 1, 2], [0, 1, 2, 3], list("xxyy")
    slices = cc.compare(truth, run).slices(by)
    assert (slices["x"].precision, slices["y"].precision) == (1.0, 1.0)
    assert slices["y"].undefined[:2] == ("precision", "recall")
    assert math.isnan(cc.compare(truth, run, undefined="nan").slices(by)["x"].precision)
    with pytest.raises(UndefinedError):
        _ = cc.compare(truth, run, undefined="raise").slices(by)["x"]


def test_huge_weights_and_no_records():
    weights = [10**200, 3 * 10**200, 10**200, 10**200]
    heavy = cc.compare([0, 0, 1, 1], [0, 0, 0, 1], weights=weights).slices(list("xxyy"))
    light = cc.compare([0, 0, 1, 1], [0, 0, 0, 1], weights=[1, 3, 1, 1]).slices(list("xxyy"))
    for value in light:
        for measure in MEASURES:
            assert getattr(heavy[value], measure) == getattr(light[value], measure)
        assert heavy[value].low == pytest.approx(light[value].low)
        assert heavy[value].difference == pytest.approx(light[value].difference)
    nothing = cc.compare([], []).slices([])
    assert len(nothing) == 0
    assert nothing.to_frame("polars").height == 0
    assert nothing.to_frame("polars").columns[1:] == EXPECTED.to_frame("polars").columns[1:]
    assert "0 slices" in str(nothing)


# -- worse than the rest ----------------------------------------------------------------------------------


def many(seed=0, worse=0.0, joins=True):
    """Entities of 1 to 4 records; in slice "bad", so many more of them are split."""
    rng = np.random.default_rng(seed)
    truth = np.repeat(np.arange(400), rng.integers(1, 5, 400))
    country = rng.choice(["bad", "good", "fair"], 400)
    split = rng.random(400) < 0.1 + worse * (country == "bad")
    run = np.where(split[truth] & (rng.random(len(truth)) < 0.5), truth + 1000, truth)
    joined = (rng.random(400) < 0.1) & joins
    run = np.where(joined[truth], truth % 40 + 5000, run)
    return truth, run, country[truth]


TRUST = json.loads((Path(__file__).parents[1] / "golden" / "trust3.json").read_text("utf-8"))


@every_case("case", [each for each in TRUST["slices_and_versus"] if each["kind"] == "slice"])
def test_golden_values_of_components_in_slices(case):
    """The first of two slices, by the sums of each component: p of all orders, or of 9,999 random ones."""
    own, whole = np.array(case["own"]), np.array(case["whole"])
    inside = own[-1] > 0
    expected = case["expected"]
    components = SlicedComponents(whole, np.arange(len(inside)), (~inside).astype(int))
    difference, p, note = components.against_rest(0)
    assert note == expected["note"]
    if expected["p"] is None:
        assert difference is None
        assert p is None
        return
    assert difference == pytest.approx(expected["difference"])
    assert p == pytest.approx(expected["p"], abs=0.006 if expected["draws"] else 1e-12)


def components(truth, run):
    component = np.arange(len(truth))
    for _ in range(50):
        for labels in (truth, run):
            _, cluster = np.unique(labels, return_inverse=True)
            least = np.full(len(truth), len(truth))
            np.minimum.at(least, cluster, component)
            component = least[cluster]
    return np.unique(component, return_inverse=True)[1]


def influences(truth, run, measure):
    """The numerator and the denominator of each record, and how far it moves the value of all records."""
    size = np.array([np.sum(truth == x) for x in truth])
    both = np.array([np.sum((truth == x) & (run == y)) for x, y in zip(truth, run, strict=True)])
    above, below = (both / size, np.ones(len(truth))) if measure == "bcubed_recall" else (both - 1, size - 1)
    return above, below, (above - above.sum() / below.sum() * below) / below.sum()


@pytest.mark.parametrize("is_mixed", [False, True])
@pytest.mark.parametrize("measure", ["bcubed_recall", "recall"])
def test_shares_of_components_are_permuted(measure, is_mixed):
    truth, run, by = many(worse=0.1, joins=is_mixed)
    component, inside = components(truth, run), by == "bad"
    if not is_mixed:
        inside = inside[np.unique(component, return_index=True)[1]][component]
    each = cc.compare(truth, run).slices(inside, index=measure)[True]
    above, below, influence = influences(truth, run, measure)
    values = [above[x].sum() / below[x].sum() for x in (inside, ~inside)]
    assert each.difference == pytest.approx(values[0] - values[1])
    sums = [np.bincount(component, weights=x) for x in (influence, below * inside, below)]
    influence, own, whole = (x[sums[2] > 0] for x in sums)
    share = own / whole
    assert (share % 1 != 0).any() == is_mixed
    random = np.random.default_rng(1)
    permuted = np.array([random.permutation(share) @ influence for _ in range(4000)])
    assert each.p_uncorrected == pytest.approx(np.mean(permuted <= share @ influence), abs=0.03)


def test_all_orders_of_few_shares_are_counted():
    """Components in both slices, by hand: the difference by its standard error in every order of shares."""
    truth = np.repeat(np.arange(6), [4, 4, 4, 2, 2, 6])
    run = np.where(np.isin(np.arange(22), [0, 1, 5, 12, 16]), truth + 10, truth)
    inside = np.isin(np.arange(22), [0, 1, 2, 4, 5, 8, 12, 13, 16])
    above, below, influence = influences(truth, run, "bcubed_recall")
    above, below, influence, own = (np.bincount(truth, weights=x) for x in (above, below, influence, inside))

    def statistic(share):
        weight = share @ below / below.sum()
        slice_value, rest_value = ((x @ above) / (x @ below) for x in (share, 1 - share))
        spread = math.sqrt((((share - weight) * influence) ** 2).sum())
        return (slice_value - rest_value) * weight * (1 - weight) / spread

    share = own / below
    t = np.array([statistic(np.array(order)) for order in permutations(share)])
    expected = np.mean(t <= statistic(share) + 1e-9)
    random = np.random.default_rng(0)
    for _ in range(3):
        order = random.permutation(22)
        slices = cc.compare(truth[order], run[order]).slices(inside[order], index="bcubed_recall")
        assert slices[True].p_uncorrected == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("entities", [120, 6])
def test_a_slice_is_not_worse_than_the_rest_if_its_own_records_are_better(entities):
    """The most damaged records of the components that it shares are in the rest."""
    truth, position = np.divmod(np.arange(4 * entities), 4)
    has_error = truth < entities * 5 // 6
    run = np.where(has_error & (position == 3), truth + 1000, truth)
    each = cc.compare(truth, run).slices(has_error & (position != 3), index="bcubed_recall")[True]
    assert each.difference > 0.1
    assert each.p_uncorrected >= 0.5


def test_one_component_is_not_informative():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 5, 500)
    run = np.where(rng.random(500) < 0.2, rng.integers(0, 5, 500), truth)
    slices = cc.compare(truth, run).slices(rng.choice(["one", "two"], 500))
    assert {each.p for each in slices.values()} == {1.0}
    assert "one component has most of the records, so p is not informative" in str(slices)


def sliced(kind, number):
    """Slices of records or of clusters of the reference, with a component of a third of all records."""
    rng = np.random.default_rng(5)
    truth = rng.integers(0, number // 3, number)
    run = np.where(rng.random(number) < 0.9, truth, rng.integers(0, number // 3, number))
    run[: number // 3] = number
    return truth, run, rng.integers(0, 4, number)[truth if kind == "reference" else slice(None)]


@pytest.mark.parametrize("kind", ["records", "reference"])
def test_slices_do_not_depend_on_the_number_of_threads(kind, monkeypatch):
    truth, run, by = sliced(kind, 70_000)
    found = []
    for threads in ("1", "2"):
        monkeypatch.setenv("CONCORDANT_THREADS", threads)
        found.append(cc.compare(truth, run).slices(by).to_dict())
    assert found[0] == found[1]


def test_slices_of_records_at_random_are_not_worse():
    """Small clusters have few errors and are in one slice more often."""
    rng = np.random.default_rng(1)
    reference = np.repeat(np.arange(15_000), rng.geometric(0.4, 15_000))
    candidate = np.where(rng.random(len(reference)) < 0.1, -1 - np.arange(len(reference)), reference)
    country = rng.choice(4, len(reference), p=[0.6, 0.2, 0.15, 0.05])
    slices = cc.compare(reference, candidate).slices(country)
    assert all(each.p > 0.05 for each in slices.values())


def test_slices_that_cut_entities_are_not_worse():
    """Four fifths of the records of an entity are in its own region."""
    worse = 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        truth = np.repeat(np.arange(1000), np.minimum(rng.zipf(1.7, 1000), 400))
        run = np.where((rng.random(1000) < 0.1)[truth] & (rng.random(len(truth)) < 0.5), truth + 1000, truth)
        is_own = rng.random(len(truth)) < 0.8
        region = np.where(is_own, rng.integers(0, 6, 1000)[truth], rng.integers(0, 6, len(truth)))
        worse += len(cc.compare(truth, run).slices(region).worse) > 0
    assert worse <= 3


def test_a_slice_that_is_worse_is_found():
    truth, run, by = many(worse=0.5)
    slices = cc.compare(truth, run).slices(by)
    assert [each.slice for each in slices.worse] == ["bad"]
    assert str(slices).startswith("Of 3 slices, bad is worse than the rest")
    assert slices["bad"].low < slices["bad"].bcubed_f < slices["bad"].high
    truth, run, by = many(1)
    assert cc.compare(truth, run).slices(by).worse == []


@pytest.mark.parametrize("reading", READINGS)
def test_the_rest_is_the_other_slice_in_every_reading(reading):
    truth, run, by = many(2, worse=0.3)
    bad = by == "bad"
    slices = cc.compare(truth, run).slices(bad, index="recall", reading=reading)
    assert slices[True].difference == pytest.approx(slices[True].recall - slices[False].recall)
    assert slices[True].difference == pytest.approx(-slices[False].difference)


def test_p_values_are_corrected():
    truth, run, by = many(worse=0.2)
    c = cc.compare(truth, run)
    alone, holm, bh = (
        {value: each.p for value, each in c.slices(by, correction=name).items()}
        for name in ("none", "holm", "benjamini_hochberg")
    )
    for value in alone:
        assert alone[value] <= bh[value] <= holm[value]
    assert holm["bad"] == pytest.approx(3 * alone["bad"])
    assert c.slices(by)["bad"].p_uncorrected == alone["bad"]


def test_small_slices_have_p_values_too():
    """There is no least number of components: few of them cannot have a small p-value."""
    truth, run, _ = many(worse=0.5)
    slices = cc.compare(truth, run).slices(np.where(truth < 2, "tiny", "rest"))
    assert slices["tiny"].p > 0.004
    assert slices["tiny"].difference is not None
    same = cc.compare(truth, truth).slices(np.where(truth < 200, "one", "two"))
    assert {each.p for each in same.values()} == {1.0}


def test_a_slice_is_not_worse_because_the_rest_is_small_and_perfect():
    """95% of the clusters are in one slice: equal slices must not look worse."""
    worse = 0
    for seed in range(30):
        random = np.random.default_rng(seed)
        truth = np.repeat(np.arange(300), random.geometric(0.35, 300))
        split = (random.random(300) < 0.01)[truth] & (np.arange(len(truth)) % 2 == 0)
        slices = cc.compare(truth, np.where(split, truth + 1000, truth)).slices(truth < 285)
        worse += slices[True].p_uncorrected <= 0.05
    assert worse <= 5


def test_few_errors_in_the_rest_are_noted():
    truth = np.repeat(np.arange(100), 3)
    run = np.where((truth < 20) & (np.arange(300) % 3 == 0), truth + 1000, truth)
    slices = cc.compare(truth, run).slices(np.where(truth < 50, "bad", "good"))
    assert slices["bad"].p < 0.001
    assert slices["bad"].note.startswith("few components of the rest have errors")
    assert "bad: few components of the rest have errors" in str(slices)
    assert "if slices were assigned to components at random" in str(slices)


# -- shown ------------------------------------------------------------------------------------------------


def test_slices_as_text_table_and_json():
    truth, run, by = many(worse=0.5)
    slices = cc.compare(truth, run).slices(pd.Series(by, name="country"))
    wide = slices.to_frame("polars", wide=True)
    assert wide.columns[:3] == ["country", "size", "weight"]
    assert wide["bcubed_f"].to_list() == [each.bcubed_f for each in slices.values()]
    frame = slices.to_frame("polars")
    assert frame.columns[:5] == ["country", "size", "weight", "index", "value"]
    tested = frame.filter(pl.col("index") == "bcubed_f")
    assert tested["value"].to_list() == wide["bcubed_f"].to_list()
    assert tested["p"].to_list() == wide["p"].to_list()
    assert frame.height == len(slices) * len(MEASURES)
    assert frame.filter(pl.col("index") != "bcubed_f")["p"].is_null().all()
    document = json.loads(slices.to_json())["data"]
    assert document["columns"] == ["country"]
    assert document["slices"][0]["p"] == next(iter(slices.values())).p
    assert all(len(line) < 80 for line in str(slices).splitlines())
    lines = str(slices).splitlines()
    assert lines[2].split() == [
        "slice",
        "records",
        "P",
        "R",
        "F",
        "95%",
        "low",
        "95%",
        "high",
        "vs",
        "rest",
        "p",
        "(Holm)",
    ]
    assert [line.split()[0] for line in lines[3:7]] == ["bad", "fair", "good", "all"]
    html = slices._repr_html_()
    assert "bad is worse than the rest" in html
    assert "components" in html
    assert "| bad " in slices.to_markdown()
    assert r"\toprule" in slices.to_latex()
    weights = [each.size for each in slices.values()]
    assert all(one >= other for one, other in pairwise(weights))


def test_a_slice_that_is_worse_is_found_among_many():
    random = np.random.default_rng(3)
    reference = np.repeat(np.arange(1200), 2)
    slices = np.repeat(random.permutation(np.arange(1200) % 60), 2)
    is_split = (random.random(1200) < np.where(slices[::2] == 7, 0.9, 0.1))[reference]
    candidate = np.where(is_split & (np.arange(2400) % 2 == 1), reference + 5000, reference)
    found = cc.compare(reference, candidate).slices(slices, limit=None)
    assert [each.slice for each in found.worse] == [7]
    assert found[7].p_uncorrected < 1e-6
    assert max(each.p_uncorrected for each in found.values()) > 0.9


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("index", ["bcubed_f", "precision", "f_measure", "element_centric"])
def test_every_digit_is_the_same_for_every_order_of_the_records(index, weighted):
    """Sums that differ in the last digit would put an equal order of the shares on either side."""
    rng, size = np.random.default_rng(1), 7
    cases = [([0, 1, 1, 1, 2, 2, 1], [1, 2, 2, 2, 1, 1, 0], [2, 1, 0, 2, 1, 2, 1])]
    cases += [tuple(rng.integers(0, 3, size).tolist() for _ in range(3)) for _ in range(25)]
    for case in cases:
        found = set()
        for order in (np.arange(size), *(rng.permutation(size) for _ in range(6))):
            u, v, slices, weights = (
                np.array(each)[order].tolist() for each in (*case, [1, 3, 2, 1, 3, 3, 1])
            )
            made = cc.compare(u, v, weights=weights if weighted else None).slices(slices, index=index)
            found.add(repr(made.to_dict()["slices"]))
            assert all(each.p_uncorrected is None or each.p_uncorrected > 0 for each in made.values())
        assert len(found) == 1
