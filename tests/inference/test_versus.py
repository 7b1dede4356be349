"""One system against another: golden values, every record left out by hand, units, and ranks."""

import itertools
import json
import math
import re
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
import polars as pl
import pytest
from cases import every_case
from inner import INDICES, EntropySample
from scipy.stats import t

import concordant as cc
from concordant.errors import (
    InputError,
    LabelError,
    LengthError,
    ParameterError,
    TableNeededError,
    TooLargeError,
    UnmatchedError,
)

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "trust.json").read_text(encoding="utf-8"))[
    "paired"
]
TRUTH = list("aaaaabbbbbccccddde")
ONE = list("aaabbbbbccccccddef")
OTHER = list("aaaaabbbccccddddde")


def both(truth=TRUTH, one=ONE, other=OTHER):
    return cc.compare(truth, one), cc.compare(truth, other)


def documents(number=12, seed=0):
    random = np.random.default_rng(seed)
    unit = np.repeat(np.arange(number), 10)
    truth = unit * 4 + random.integers(0, 4, len(unit))
    systems = [
        np.where(random.random(len(unit)) < share, truth, unit * 4 + random.integers(0, 4, len(unit)))
        for share in (0.85, 0.6)
    ]
    return unit, truth, *systems


@pytest.mark.parametrize("name", ["adjusted_rand", "f_measure"])
def test_golden_values(name):
    c, d = both(GOLDEN["reference"], GOLDEN["first"], GOLDEN["second"])
    found, wanted = c.versus(d, name), GOLDEN["indices"][name]
    for field, golden in {
        "value": "first",
        "other": "second",
        "difference": "difference",
        "se": "se",
    }.items():
        assert getattr(found, field) == pytest.approx(wanted[golden], rel=1e-12), field
    assert found.estimate == found.difference


def left_out_by_hand(name):
    index, size = INDICES[name], len(TRUTH)
    values = []
    for k in range(size):
        truth, one, other = (x[:k] + x[k + 1 :] for x in (TRUTH, ONE, OTHER))
        values.append(
            index.value(cc.compare(truth, one)._counts) - index.value(cc.compare(truth, other)._counts)
        )
    values = np.array(values)
    return math.sqrt((size - 1) / size * ((values - values.mean()) ** 2).sum())


@pytest.mark.parametrize(
    "name",
    [
        "jaccard",
        "f_measure(beta=2)",
        "adjusted_rand",
        "rand_distance",
    ],
)
def test_leaving_out_is_counting_again(name):
    c, d = both()
    assert c.versus(d, name).se == pytest.approx(left_out_by_hand(name), rel=1e-9)


def many_clusters(seed=0, clusters=60, shares=(0.1, 0.4)):
    """Clusters of three records; each system makes some of the last records singletons."""
    random = np.random.default_rng(seed)
    truth = np.repeat(np.arange(clusters), 3)
    systems = []
    for share in shares:
        alone = (np.arange(len(truth)) % 3 == 2) & (random.random(len(truth)) < share)
        systems.append(np.where(alone, clusters + np.arange(len(truth)), truth))
    return truth, *systems


@pytest.mark.parametrize("name", ["bcubed_f", "bcubed_recall", "bcubed_f(beta=2)"])
def test_bcubed_of_records_has_components_as_units(name):
    """The same as by units that are the components of the truth and both systems."""
    truth, one, other = many_clusters()
    merged = np.where(one < 10, one // 2, one)  # five pairs of clusters, which are one component each
    c, d = cc.compare(truth, merged), cc.compare(truth, other)
    found = c.versus(d, name)
    unit = np.where(truth < 10, truth // 2, truth)
    by_unit = c.versus(d, name, unit=unit)
    assert (found.low, found.high) == pytest.approx((by_unit.low, by_unit.high))
    assert found.p == pytest.approx(by_unit.p)
    assert (found.unit, found.n_units, found.n_differing_units) == (
        "component",
        55,
        by_unit.n_differing_units,
    )
    assert found.estimate == found.difference
    assert "On the same 55 components, a random sample" in found.headline
    assert "records" not in found.headline


def test_bcubed_of_records_separates_clearly_different_systems():
    truth, good, bad = many_clusters(clusters=200, shares=(0.1, 0.9))
    found = cc.compare(truth, good).versus(cc.compare(truth, bad), "bcubed_f")
    assert found.outcome == "better"
    assert found.p < 0.001


def test_bcubed_of_records_needs_twelve_components():
    c, d = both()
    found = c.versus(d, "bcubed_f")
    assert not found.estimable
    assert "fewer than 12: name units, or use a pair-counting index" in found.note
    assert (found.unit, found.p, found.low, found.high) == ("component", 1, -1, 1)


def test_entropies_are_corrected_and_need_100_records():
    c, d = many_records(size=99)
    refused = c.versus(d, "v_measure")
    assert (refused.p, refused.low, refused.high, refused.estimable) == (1, -1, 1, False)
    assert "biased below 100 records, and there are 99" in refused.note
    c, d = many_records(size=400)
    found = c.versus(d, "v_measure")
    samples = [EntropySample(each._counts, INDICES["v_measure"], 0.95) for each in (c, d)]
    assert found.estimate == pytest.approx(samples[0].corrected - samples[1].corrected)
    assert found.estimate != pytest.approx(found.difference, rel=1e-4)
    width = t.ppf(0.975, 399) * found.adjusted_se + max(each.gap + 2 * each.worst for each in samples)
    assert (found.low, found.high) == pytest.approx((found.estimate - width, found.estimate + width))
    adjusted = c.versus(d, "adjusted_mutual_information")
    assert (adjusted.low, adjusted.high) == pytest.approx((found.low, found.high))
    assert "the difference of nmi_arithmetic" in adjusted.note
    distance = c.versus(d, "variation_of_information")
    assert (distance.outcome, distance.estimate < 0) == ("better", True)


@pytest.mark.parametrize("name", ["v_measure", "variation_of_information"])
def test_entropies_leave_out_each_record(name):
    random = np.random.default_rng(4)
    truth = random.integers(0, 4, 120)
    one, other = (
        np.where(random.random(120) < share, truth, random.integers(0, 4, 120)) for share in (0.8, 0.5)
    )
    found = cc.compare(truth, one).versus(cc.compare(truth, other), name)

    def corrected(labels, k):
        counts = cc.compare(np.delete(truth, k), np.delete(labels, k))._counts
        return EntropySample(counts, INDICES[name], 0.95).corrected

    rests = np.array([corrected(one, k) - corrected(other, k) for k in range(120)])
    wanted = math.sqrt(119 / 120 * ((rests - rests.mean()) ** 2).sum())
    assert found.se == pytest.approx(wanted, rel=1e-9)


def test_the_order_of_records_does_not_matter():
    truth, one, other = (dict(enumerate(x)) for x in (TRUTH, ONE, OTHER))
    turned = dict(reversed(other.items()))
    wanted = cc.compare(TRUTH, ONE).versus(cc.compare(TRUTH, OTHER), "rand")
    assert cc.compare(truth, one).versus(cc.compare(truth, turned), "rand") == wanted
    again = dict(sorted(truth.items(), key=lambda item: -item[0]))
    assert cc.compare(truth, one).versus(cc.compare(again, turned), "rand") == wanted
    units = {record: record // 3 for record in truth}
    by_name = cc.compare(truth, one).versus(cc.compare(truth, turned), "rand", unit=units)
    assert by_name == cc.compare(TRUTH, ONE).versus(
        cc.compare(TRUTH, OTHER), "rand", unit=list(units.values())
    )


def test_units_without_a_pair_do_not_determine_a_difference():
    truth = [1, 5, 0]
    c, d = cc.compare(truth, [4, 3, 2]), cc.compare(truth, [5, 4, 2])
    for name in ("rand", "f_measure", "adjusted_rand"):
        assert not c.versus(d, name, unit=[1, 2, 1]).estimable


def test_an_index_without_unit_values_is_refused():
    unit, truth, one, other = documents()
    c, d = both(truth, one, other)
    with pytest.raises(ParameterError, match="no interval of units is known to be valid"):
        c.versus(d, "v_measure", unit=unit)


def test_clusters_in_several_units():
    """Pairs across units count half in each, so pair-counting indices have an interval; means do not."""
    unit, truth, one, other = documents()
    c, d = both(truth, np.where(one == one[0], one[-1], one), other)
    found = c.versus(d, "f_measure", unit=unit)
    assert "pairs across units count, so the interval holds for a sample of this many units" in found.note
    assert found.low < found.difference < found.high
    refused = c.versus(d, "bcubed_f", unit=unit)
    assert "clusters are in several units" in refused.note


def partitions_of(size):
    """All partitions of a few records, as labels."""
    if not size:
        yield []
        return
    for rest in partitions_of(size - 1):
        yield from ([*rest, label] for label in range(max(rest, default=-1) + 2))


@pytest.mark.parametrize("size", [2, 3])
def test_a_few_records_never_differ_significantly(size):
    made = list(partitions_of(size))
    for truth in made:
        compared = [cc.compare(truth, candidate) for candidate in made]
        for c, d in itertools.product(compared, repeat=2):
            for name in ("f_measure", "adjusted_rand", "rand", "recall", "mirkin", "bcubed_f", "v_measure"):
                found = c.versus(d, name)
                assert found.p > 0.05, (truth, name, found)
                assert found.low < 0 < found.high
                assert found.outcome in ("unclear", "same")
                low, high = INDICES[name].bounds(size)
                assert -(high - low) <= found.low
                assert found.high <= high - low


def test_three_records_are_not_proof():
    c, d = (cc.compare(list("aaa"), list(labels)) for labels in ("xxx", "xyz"))
    found = c.versus(d, "recall")
    assert (found.low, found.high, found.p, found.estimable) == (-1, 1, 1, False)
    reason = "not estimable from this sample: the second system has no two records in one cluster"
    assert found.note == reason
    assert repr(found) == f"recall 1 against 0: +1; {reason}"
    assert reason in found.headline
    rand = c.versus(d, "rand")
    assert rand.estimable
    assert rand.p == pytest.approx(0.5089, abs=1e-4)  # Student's t with 2 degrees of 1 / (1.88 · 2/3)


def test_a_system_against_itself():
    c, _ = both()
    found = c.versus(c, "f_measure", margin=0.1)
    assert (found.difference, found.se, found.p, found.outcome) == (0, 0, 1, "same")
    assert found.low == -found.high < 0
    assert (found.noninferior, found.equivalent) == (False, False)
    json.dumps(found.to_dict())
    assert "<b>f_measure 0.5172 against 0.5172" in found._repr_html_()


def many_records(size=2000, seed=3):
    random = np.random.default_rng(seed)
    truth = random.integers(0, 8, size)
    systems = [
        np.where(random.random(size) < share, truth, random.integers(0, 8, size)) for share in (0.9, 0.6)
    ]
    return cc.compare(truth, systems[0]), cc.compare(truth, systems[1])


def test_outcomes_agree_with_interval_and_p():
    better, worse = many_records()
    for name in ("f_measure", "adjusted_rand", "mirkin"):
        found, back = better.versus(worse, name), worse.versus(better, name)
        assert (found.outcome, back.outcome) == ("better", "worse")
        assert found.p == back.p <= 0.05
        assert (found.low, found.high) == pytest.approx((-back.high, -back.low))
        assert found.low > 0 if name != "mirkin" else found.high < 0
        assert found.p > 0


def test_margins():
    better, worse = many_records()
    one = better.versus(worse, "f_measure", margin=0.01)
    assert (one.noninferior, one.equivalent) == (True, False)
    other = worse.versus(better, "f_measure", margin=0.01)
    assert (other.noninferior, other.equivalent) == (False, False)
    assert other.p_equivalent == one.p_equivalent == pytest.approx(other.p_noninferior)
    wide = worse.versus(better, "f_measure", margin=0.9)
    assert (wide.noninferior, wide.equivalent) == (True, True)
    # By a distance, worse is larger.
    distance = worse.versus(better, "mirkin", margin=1.0)
    assert (distance.noninferior, better.versus(worse, "mirkin", margin=1.0).noninferior) == (False, True)
    assert "noninferior within 0.9: p < " in repr(wide) or "noninferior within 0.9: p = " in repr(wide)
    assert "Both are equivalent within 0.9 (95% confidence, one-sided)." in wide.headline
    assert "The first system is at most 0.01 worse than the second" in one.headline
    assert "is not shown to be at most 0.01 worse" in other.headline
    assert (one.margin, one.to_dict()["noninferior"]) == (0.01, True)
    without = better.versus(worse, "f_measure")
    assert (without.margin, without.p_noninferior, without.noninferior) == (None, None, None)
    for margin in (0, -1, math.inf, True, "0.1"):
        with pytest.raises(ParameterError, match="margin"):
            better.versus(worse, "f_measure", margin=margin)


def test_a_margin_is_met_where_the_narrower_interval_is_inside():
    """Noninferior at 95%: the low end of the 90% interval is above the margin."""
    c, d = many_records(size=300)
    ends = c.versus(d, "f_measure", confidence=0.9)
    assert d.versus(c, "f_measure", margin=ends.high * 1.001).equivalent
    assert not d.versus(c, "f_measure", margin=ends.high * 0.999).noninferior
    assert c.versus(d, "f_measure", margin=ends.high * 1.001).equivalent


def test_what_is_refused():
    c, d = both()
    with pytest.raises(UnmatchedError, match="the references of these differ"):
        c.versus(cc.compare(TRUTH[::-1], OTHER), "rand")
    with pytest.raises(UnmatchedError, match=r"different records: 1 only in the first \(17\)"):
        c.versus(cc.compare(TRUTH[:-1], OTHER[:-1]), "rand")
    with pytest.raises(TableNeededError, match="do not name the records"):
        c.versus(cc.Comparison(d._counts), "rand")
    with pytest.raises(ParameterError, match="not a list"):
        c.versus(OTHER, "rand")
    with pytest.raises(ParameterError, match="use 'record', or the unit"):
        c.versus(d, "rand", unit="component")
    with pytest.raises(InputError, match="in one unit"):
        c.versus(d, "rand", unit=[0] * 18)
    with pytest.raises(LengthError, match="units for 18 records"):
        c.versus(d, "rand", unit=[0, 1])
    with pytest.raises(ParameterError, match="confidence"):
        c.versus(d, "rand", confidence=2)
    for name in ("purity", "element_centric", "matching_accuracy", "vi_over_log_n", "cramers_v"):
        with pytest.raises(ParameterError, match=f"no test of a difference of {name} is known to be valid"):
            c.versus(d, name)


def test_a_ranking():
    systems = {"old": ONE, "new": OTHER, "best": TRUTH}
    found = cc.rank(TRUTH, systems, ["rand", "rand_distance"], baseline="new")
    c, d = both()
    alone = c.versus(d, "rand")
    assert cc.rank(TRUTH, systems, "rand", baseline="new", correction=None)["old", "rand"] == alone
    assert found["old", "rand"].p_uncorrected == alone.p
    assert found.order("rand") == found.order("rand_distance") == ("best", "new", "old")
    assert str(found).startswith(found.headline.split(" than")[0])
    assert re.search(r"^best +1\.0000 +\+", str(found), re.MULTILINE)
    assert re.search(r"^new +0\.\d+$", str(found), re.MULTILINE)  # the baseline has no difference
    text = " ".join(str(found).split())
    assert "sample: 18 records, drawn one by one; the reference and the candidates are fixed" in text
    assert "against new, by the paired jackknife; corrected for 2 candidates by Holm's method" in text
    assert text.endswith(
        "n=18 | K=5 | baseline=new | unit=record | method=jackknife | correction=holm | confidence=0.95"
    )
    document = json.loads(found.to_json())["data"]
    assert document["differences"]["old"]["rand"]["p_uncorrected"] == alone.p
    assert document["values"]["best"] == {"rand": 1.0, "rand_distance": 0.0}
    assert document["headline"] == found.headline
    assert repr(found) == "<Ranking of 'old', 'best' against 'new' by rand, rand_distance>"


def test_rankings_are_corrected_for_the_number_of_systems():
    random = np.random.default_rng(8)
    truth = random.integers(0, 5, 200)
    systems = {
        f"s{k}": np.where(random.random(200) < 0.75 + 0.03 * k, truth, random.integers(0, 5, 200))
        for k in range(5)
    }
    raw = cc.rank(truth, systems, "f_measure", correction=None)
    holm = cc.rank(truth, systems, "f_measure", margin=0.05)
    p = {name: raw[name, "f_measure"].p for name in raw.differences}
    order = sorted(p, key=p.get)
    largest = 0.0
    for place, name in enumerate(order):
        largest = max(largest, min((4 - place) * p[name], 1))
        assert holm[name, "f_measure"].p == pytest.approx(largest)
        assert holm[name, "f_measure"].correction == "holm"
        assert raw[name, "f_measure"].correction is None
    assert "not corrected for the number of candidates" in " ".join(str(raw).split())
    assert "intervals: for each candidate alone" in str(holm)
    assert "noninferior and equivalent: one-sided p for a margin of 0.05" in str(holm)
    assert "margin=0.05" in holm.signature
    assert "corrected for 4 candidates by Holm's method" in " ".join(str(holm).split())
    assert "(Holm, 4 candidates)" in repr(holm["s1", "f_measure"])
    assert "equivalent</th>" in holm._repr_html_()


def test_rankings_by_units():
    unit, truth, one, other = documents()
    systems = {"a": one, "b": other, "same": one.copy()}
    found = cc.rank(truth, systems, "f_measure", unit=unit)
    d = found["b", "f_measure"]
    assert (d.correction, d.n_candidates) == ("holm", 2)
    assert d.p == min(2 * d.p_uncorrected, 1)
    assert found["same", "f_measure"].p == 1
    text = " ".join(str(found).split())
    assert "by sign flips of units; corrected for 2 candidates by Holm's method" in text
    assert "unit=12 units | method=flips | correction=holm | n_resamples=4096 | confidence" in found.signature
    for correction in ("bonferroni", "max_t"):
        with pytest.raises(ParameterError, match="correction="):
            cc.rank(truth, systems, "f_measure", correction=correction)


def test_a_ranking_by_units_shows_its_seed():
    unit, truth, one, other = documents(number=20)
    found = cc.rank(truth, {"a": one, "b": other}, "f_measure", unit=unit, n_resamples=99, seed=5)
    assert "unit=20 units | method=flips | correction=holm | n_resamples=100 | seed=5" in found.signature
    series = {name: pd.Series(x) for name, x in (("a", one), ("b", other))}
    assert cc.rank(pd.Series(truth), series, "f_measure")["b", "f_measure"].n_units == 200


def test_a_ranking_names_what_is_not_estimable():
    found = cc.rank(list("aaa"), {"one": list("xxx"), "other": list("xyz")}, "recall")
    row = next(line for line in str(found).splitlines() if line.startswith("other "))
    assert row.split() == ["other", "0.0000", "-1", "unclear"]
    assert "other, recall: not estimable from this sample: the first system has no two" in str(found)
    assert (
        found.headline
        == "one has the best Pairwise recall of 2 candidates: 1.0000, not clearly better than other"
    )
    assert "not estimable from this sample" in found["other", "recall"].headline


@pytest.mark.parametrize(
    ("candidates", "options", "text"),
    [
        (7, {}, "takes a mapping"),
        ({"a": ONE}, {}, "two candidates or more"),
        ({"old": ONE, "new": OTHER}, {"baseline": "ol"}, "did you mean 'old'"),
        ({"old": ONE, "new": OTHER}, {"indices": []}, "at least one index"),
        ({1: ONE, "1": OTHER}, {}, "the same name, as a string"),
    ],
)
def test_rankings_that_are_refused(candidates, options, text):
    with pytest.raises(ParameterError, match=text):
        cc.rank(TRUTH, candidates, **options)


def test_an_error_names_the_system():
    with pytest.raises(LengthError) as raised:
        cc.rank(TRUTH, {"old": ONE, "new": OTHER[1:]})
    assert raised.value.__notes__ == ["the candidate 'new'"]


def test_the_command_line(run, fails, tmp_path):
    unit, *labels = documents()
    for name, column in zip(("truth", "a", "b"), labels, strict=True):
        rows = "".join(f"r{i},{x},{d}\n" for i, (x, d) in enumerate(zip(column, unit, strict=True)))
        (tmp_path / f"{name}.csv").write_text(f"id,entity,doc\n{rows}")
    truth, a, b = (str(tmp_path / f"{name}.csv") for name in ("truth", "a", "b"))
    options = [f"old={b}", f"new={a}", "--record", "id", "--cluster", "entity"]
    wanted = cc.rank(labels[0], {"old": labels[2], "new": labels[1]}, baseline="old")
    assert run("rank", truth, *options, "--baseline", "old").out.split() == str(wanted).split()
    ran = run(
        *("rank", truth, *options, "--json", "-i", "rand", "--unit", "doc", "--n-resamples", "50"),
        *("--margin", "0.1"),
    )
    units = {"unit": unit, "n_resamples": 50, "margin": 0.1}
    wanted = cc.rank(labels[0], {"old": labels[2], "new": labels[1]}, ["rand"], **units)
    assert json.loads(ran.out) == json.loads(wanted.to_json())
    assert "correction=none" in run("rank", truth, *options, "-i", "rand", "--correction", "none").out
    assert "did you mean 'old'" in fails("rank", truth, *options, "--baseline", "olt")
    assert "two candidates or more" in fails("rank", truth, f"old={a}", *options[2:])
    assert "there is no file old" in fails("rank", truth, "old", *options[2:])
    assert "x is given twice" in fails("rank", truth, f"x={a}", f"x={b}", *options[2:])


@pytest.fixture(scope="module")
def three_sources():
    """Labels in memory, and the same as files and as a lazy frame, their rows in other orders."""
    random = np.random.default_rng(5)
    truth = random.integers(0, 6, 300)
    labels = {
        name: np.where(random.random(300) < share, truth, random.integers(0, 6, 300))
        for name, share in (("truth", 1.0), ("old", 0.6), ("new", 0.8), ("truthful", 0.7))
    }
    with TemporaryDirectory() as folder:
        sources = {}
        for name, own in labels.items():
            units = [None if i == 299 else i % 7 for i in range(300)]
            frame = pl.DataFrame({"id": np.arange(300), "c": own, "doc": np.arange(300) % 7, "gap": units})
            frame = frame.sample(fraction=1, shuffle=True, seed=len(name))
            frame.write_parquet(f"{folder}/{name}.parquet")
            sources[name] = cc.Partition.scan(f"{folder}/{name}.parquet", record="id", cluster="c")
        yield {name: dict(enumerate(own.tolist())) for name, own in labels.items()}, sources


def test_systems_in_files_are_ranked_where_they_lie(three_sources):
    labels, sources = ({k: v for k, v in each.items() if k != "truth"} for each in three_sources)
    names = ("f_measure", "bcubed_f", "adjusted_rand")
    wanted = cc.rank(three_sources[0]["truth"], labels, names, baseline="old")
    found = cc.rank(three_sources[1]["truth"], sources, names, baseline="old")
    assert list(found.candidates) == list(wanted.candidates)
    assert found.signature == wanted.signature
    for name in ("new", "truthful"):
        for index in names:
            one, other = found[name, index], wanted[name, index]
            assert (one.difference, one.n_units) == (other.difference, other.n_units)
            assert one.se == pytest.approx(other.se, rel=1e-9, nan_ok=True)
            assert one.p == pytest.approx(other.p, rel=1e-7)


def test_what_sources_cannot_be_asked(three_sources):
    labels, sources = three_sources
    systems = {"old": sources["old"], "new": sources["new"]}
    with pytest.raises(InputError, match="others are in memory"):
        cc.rank(labels["truth"], systems)
    with pytest.raises(ParameterError, match="name the column of the reference"):
        cc.rank(sources["truth"], systems, unit=list(range(300)))
    with pytest.raises(InputError, match=r"has no column 'dok'.*did you mean 'doc'"):
        cc.rank(sources["truth"], systems, unit="dok")
    with pytest.raises(LabelError, match="'gap' of the reference is null for 1 record"):
        cc.rank(sources["truth"], systems, unit="gap")
    with pytest.raises(TooLargeError, match="table_limit"):
        cc.rank(sources["truth"], systems, table_limit=10)
    c, d = (cc.compare(sources[one], sources[other]) for one, other in (("truth", "old"), ("old", "new")))
    with pytest.raises(UnmatchedError, match="these were compared with"):
        c.versus(d, "rand")
    with pytest.raises(TableNeededError, match=r"concordant\.rank\("):
        c.versus(cc.compare(labels["truth"], labels["old"]), "rand")


@pytest.mark.parametrize("options", [{}, {"unit": True, "confidence": 0.9}])
def test_two_comparisons_of_files_are_joined_once_more(three_sources, options):
    labels, sources = three_sources
    in_memory = options | ({"unit": {i: i % 7 for i in range(300)}} if "unit" in options else {})
    in_files = options | ({"unit": "doc"} if "unit" in options else {})
    new, old = (cc.compare(labels["truth"], labels[name]) for name in ("new", "old"))
    one, other = (cc.compare(sources["truth"], sources[name]) for name in ("new", "old"))
    ranked = cc.rank(sources["truth"], {"old": sources["old"], "new": sources["new"]}, "rand", **in_files)
    for index in ("rand", "bcubed_f"):
        wanted, found = new.versus(old, index, **in_memory), one.versus(other, index, **in_files)
        assert (found.difference, found.n_units) == (wanted.difference, wanted.n_units)
        assert (found.se, found.p) == pytest.approx((wanted.se, wanted.p), rel=1e-7, nan_ok=True)
    alone, among = one.versus(other, "rand", **in_files), ranked["new", "rand"]
    assert (among.difference, among.n_units) == (alone.difference, alone.n_units)
    assert (among.se, among.p) == pytest.approx((alone.se, alone.p), rel=1e-9)  # units come in any order


def test_comparisons_of_files_on_different_records_have_no_difference(three_sources, tmp_path):
    _, sources = three_sources
    pl.DataFrame({"id": np.arange(200), "c": np.arange(200) % 5}).write_parquet(tmp_path / "few.parquet")
    few = cc.Partition.scan(tmp_path / "few.parquet", record="id", cluster="c")
    c, d = (cc.compare(sources["truth"], each, unmatched="drop") for each in (few, sources["old"]))
    with pytest.raises(UnmatchedError, match=r"on 300, while all three.*200 in common; concordant.rank\("):
        c.versus(d, "rand")


def test_the_difference_of_a_diff_of_files(three_sources):
    labels, sources = three_sources
    wanted = cc.compare(labels["truth"], labels["new"]).versus(
        cc.compare(labels["truth"], labels["old"]), "rand"
    )
    found = cc.diff(sources["old"], sources["new"], reference=sources["truth"]).difference("rand")
    assert (found.difference, found.se) == (wanted.difference, pytest.approx(wanted.se, rel=1e-9))


def test_pixels_are_not_independent():
    random = np.random.default_rng(0)
    truth, one, other = (random.integers(0, 3, (9, 8)) for _ in range(3))
    found = cc.compare(truth, one).versus(cc.compare(truth, other), "rand")
    assert "pixels are not independent" in found.note
    assert "p is too small" in found.headline
    flat = [cc.compare(truth.ravel(), each.ravel()) for each in (one, other)]
    assert "pixels" not in repr(flat[0].versus(flat[1], "rand"))
    ranking = cc.rank(truth, {"one": one, "other": other}, ["rand", "f_measure"])
    assert str(ranking).count("pixels are not independent") == 1
    assert "pixels are not independent" in ranking["other", "rand"].note
    assert "p is too small" in ranking["other", "rand"].headline
    plain = cc.rank(truth.ravel(), {"one": one.ravel(), "other": other.ravel()}, "rand")
    assert "pixels" not in str(plain) + plain.headline


@every_case("unit", ["record", list(np.repeat(np.arange(6), 3))])
@every_case("name", [each.name for each in INDICES.values() if each.views == INDICES["rand"].views])
def test_pair_indices_without_an_interval_have_no_difference(name, unit):
    one, other = both()
    reasons = []
    for ask in (lambda: one.interval(name, unit=unit), lambda: one.versus(other, name, unit=unit)):
        try:
            reasons.append(ask().estimable)
        except ParameterError:
            reasons.append("refused")
    assert reasons[0] == reasons[1]


def test_the_reason_why_a_difference_is_refused():
    one, other = both()
    with pytest.raises(
        ParameterError, match=r"rv is known to be valid .* each record counts as a pair with itself"
    ):
        one.versus(other, "rv")


def test_small_p_values_of_approximations_are_printed_as_bounds():
    better, worse = many_records()
    found = better.versus(worse, "f_measure", margin=0.5)
    assert found.p < 1e-5
    assert ", p < 0.0001, noninferior within 0.5: p < 0.0001, equivalent" in repr(found)
    assert "p < 0.0001, two-sided" in found.headline
    truth, one = np.repeat(np.arange(8), 50), np.arange(400) // 40
    ranking = cc.rank(truth, {"a": one % 2, "b": truth.copy()}, "f_measure", margin=0.5)
    text = str(ranking)
    assert "+0.7849" in text
    assert re.search(r"^b +< 0\.0001 +better +< 0\.0001", text, re.MULTILINE)
    unit, truth, _, other = documents(number=14)
    exact = cc.compare(truth, truth.copy()).versus(cc.compare(truth, other), "f_measure", unit=unit)
    assert exact.p == 2**-13
    assert "p = 0.000122" in repr(exact)
