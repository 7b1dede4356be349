"""Intervals: every leave-one-out value against counting again, golden values, units, and what is said."""

import json
import math
from itertools import product
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from cases import every_case
from inner import INDICES

import concordant as cc
from concordant.errors import (
    CoverError,
    InputError,
    LabelError,
    LengthError,
    ParameterError,
    TableNeededError,
    UnmatchedError,
    WeightsError,
)

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "trust.json").read_text(encoding="utf-8"))[
    "jackknife"
]

U = list("aaaaabbbbbccccddde")
V = list("aaabbbbbccccccddef")


def some_labels(size=400, clusters=40, seed=0):
    random = np.random.default_rng(seed)
    u = (random.random(size) ** 2 * clusters).astype(int)
    v = np.where(random.random(size) < 0.6, u, (random.random(size) ** 2 * clusters).astype(int))
    return u, v


@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: str(len(case["reference"])))
def test_golden_standard_errors(case):
    c = cc.compare(case["reference"], case["candidate"])
    for name in ("rand", "adjusted_rand", "precision", "recall", "f_measure", "jaccard", "fowlkes_mallows"):
        assert c.interval(name).se == pytest.approx(case["indices"][name]["se"], rel=1e-9), name


def test_units_go_by_name_where_records_have_names():
    u, v = some_labels(60, 6)
    names = [f"r{k}" for k in range(60)]
    units = np.arange(60) % 9
    by_name = cc.compare(dict(zip(names, u, strict=True)), dict(zip(names[::-1], v[::-1], strict=True)))
    found = by_name.interval("f_measure", unit=dict(zip(names, units.tolist(), strict=True)))
    assert found == cc.compare(u, v).interval("f_measure", unit=units.tolist())
    with pytest.raises(ParameterError, match="mapping"):
        by_name.interval("f_measure", unit=units)
    with pytest.raises(LabelError, match="no unit for the record"):
        by_name.interval("f_measure", unit={"r0": 1})
    for none_of_each in (None, 3, {1, 2}):
        with pytest.raises(ParameterError, match="the unit of each record"):
            cc.compare(u, v).interval("f_measure", unit=none_of_each)


def test_components_replace_units():
    u, v = list("aaabbbcccc"), list("xxyzzzuuvv")
    found = cc.compare(u, v).interval("f_measure", unit="component")
    components = [0] * 3 + [1] * 3 + [2] * 4
    assert found.se == cc.compare(u, v).interval("f_measure", unit=components).se
    assert (found.unit, found.n_units) == ("component", 3)


def test_sizes_alone_tell_the_interval_of_pairs_and_entropies(sizes_alone):
    u, v = "aaaaaaabbbbbbbbbbb", "xxxxxyyxyyyyyyyzzz"
    known, sizes = cc.compare(list(u), list(v)), sizes_alone(u, v)
    for name in ("adjusted_rand", "nmi_arithmetic"):
        assert sizes.interval(name).se == pytest.approx(known.interval(name).se, rel=1e-12)
    with pytest.raises(TableNeededError):
        sizes.interval("bcubed_f")


def test_an_undefined_value_is_reported_by_the_convention_of_the_comparison():
    u, v = [0, 0, 1, 1], [0, 1, 2, 3]
    assert cc.compare(u, v).interval("precision").value == 1
    assert math.isnan(cc.compare(u, v, undefined="nan").interval("precision").value)


def test_what_is_answered_can_be_read_and_stored():
    found = cc.compare(U, V).interval("rand")
    assert repr(found).startswith("rand 0.")
    assert "95% interval" in found._repr_html_()
    assert json.loads(json.dumps(found.to_dict()))["low"] == found.low


def test_what_cannot_be_answered_is_said():
    c = cc.compare(U, V)
    with pytest.raises(ParameterError, match="confidence=95"):
        c.interval("rand", confidence=95)
    for confidence in (
        1e-300,
        1 - 1e-9,
        math.nextafter(1, 0),
    ):  # no method supports it, and it prints as 100%
        with pytest.raises(ParameterError, match=r"from 0\.001 to 0\.99999"):
            c.interval("rand", confidence=confidence)
    with pytest.raises(ParameterError, match="unit='document'"):
        c.interval("rand", unit="document")
    with pytest.raises(LengthError, match="3 units for 18 records"):
        c.interval("rand", unit=[1, 2, 3])
    with pytest.raises(InputError, match="one unit"):
        c.interval("rand", unit=[1] * 18)
    with pytest.raises(InputError, match="at least 2"):
        cc.compare([0], [0]).interval("rand")
    huge = cc.Comparison.from_contingency(np.array([[10**9, 1], [3, 10**9]], dtype=object))._counts
    assert cc.Comparison(huge).interval("rand").se > 0


def test_elements_on_one_side_only_are_refused():
    c = cc.compare({"x": 1, "y": 1, "z": 2}, {"x": 1, "y": 1, "w": 1}, unmatched="keep")
    for ask in (c.significance, c.interval, c.adjusted):
        with pytest.raises(InputError, match="unmatched='drop'"):
            ask("bcubed_f")


def test_a_printed_comparison_shows_what_each_headline_index_is_by_chance():
    c = cc.compare(np.repeat(U, 5), np.repeat(V, 5))
    lines = {line.split()[0]: line for line in str(c).splitlines() if line.startswith("  ") and "█" in line}
    assert lines["adjusted_rand"].endswith("chance 0.0000")
    assert lines["recall"].endswith(f"chance {INDICES['recall'].by_chance(c._counts):.4f}")
    assert "chance 0.0000" in c._repr_html_()


def test_the_command_line_says_how_sure_values_are(run, tmp_path):
    truth, guess = tmp_path / "truth.csv", tmp_path / "guess.csv"
    truth.write_text("id,entity,page\n" + "".join(f"{k},{u},{k % 5}\n" for k, u in enumerate(U)))
    guess.write_text("id,cluster\n" + "".join(f"{k},{v}\n" for k, v in enumerate(V)))
    columns = ["--record", "id", "--cluster", "reference=entity", "--cluster", "candidate=cluster"]
    files = ["compare", str(truth), str(guess), *columns]
    both = [*files, "-i", "f_measure", "--significance", "--interval"]
    c, units = cc.compare(U, V), [str(k % 5) for k in range(len(U))]
    shown = run(*both, "--unit", "page").out
    assert repr(c.significance("f_measure")) in " ".join(shown.split())
    found = c.interval("f_measure", unit=units)
    row = next(line for line in shown.splitlines() if line.startswith("f_measure"))
    assert row.split()[1:5] == [f"{c.f_measure:.4f}", f"{found.low:.4f}", "to", f"{found.high:.4f}"]
    assert found.basis in " ".join(shown.split())
    document = json.loads(run(*both, "--json").out)
    assert document["parts"]["interval"]["f_measure"] == c.interval("f_measure").to_dict()
    assert document["parts"]["significance"]["f_measure"]["p"] == c.significance("f_measure").p
    lines = run(*files, "--interval", "--confidence", "0.9").out.splitlines()
    for name in ("precision", "recall", "bcubed_f"):
        found = c.interval(name, confidence=0.9)
        place = next(place for place, line in enumerate(lines) if line.split()[:1] == [name])
        assert lines[place + 1].strip() == f"90% interval {found.low:.4f} to {found.high:.4f}"
    assert run(*files, "--interval", "--unit", "page").out.count("not estimable") >= 1
    assert "--interval" in run(*files, "--unit", "page").err


def test_a_page_draws_intervals_on_the_bars(tmp_path):
    c = cc.compare(U, V)
    plain = c.to_html(tmp_path / "plain.html").read_text(encoding="utf-8")
    assert '<u title="interval' not in plain
    asked = [c.interval("f_measure"), c.interval("adjusted_rand")]
    page = c.to_html(tmp_path / "page.html", interval=asked).read_text(encoding="utf-8")
    for each in asked:
        assert page.count(f'<u title="interval {each.low:.4f} to {each.high:.4f}"') == 2


def test_intervals_of_one_report_have_one_level_and_their_own_units():
    c = cc.compare(U, V)
    text = c.to_text(interval=[c.interval("precision", confidence=0.5)], indices=["precision"])
    assert "    50% interval " in text
    assert " 50% interval |" in c.to_markdown(interval=[c.interval("precision", confidence=0.5)])
    with pytest.raises(ParameterError, match="the same confidence"):
        c.to_text(interval=[c.interval("precision"), c.interval("recall", confidence=0.5)])
    with pytest.raises(ParameterError, match="interval=True"):
        c.to_text(interval=[c.interval("precision")], unit="component")


def test_units_of_records_in_files_are_a_column_of_the_reference(tmp_path, run, fails):
    random = np.random.default_rng(4)
    document = np.repeat(np.arange(12), 10)
    u = document * 10 + random.integers(0, 3, 120)
    v = np.where(random.random(120) < 0.7, u, document * 10 + random.integers(0, 3, 120))
    truth, guess = (str(tmp_path / f"{name}.parquet") for name in ("truth", "guess"))
    pl.DataFrame({"id": range(120), "c": u, "document": document}).write_parquet(truth)
    pl.DataFrame({"id": range(120), "c": v}).sample(fraction=1, shuffle=True, seed=1).write_parquet(guess)
    c = cc.compare(*(cc.Partition.scan(path, record="id", cluster="c") for path in (truth, guess)))
    in_memory = cc.compare(u, v)
    for name in ("f_measure", "bcubed_f"):
        found, wanted = (x.interval(name, unit=y) for x, y in ((c, "document"), (in_memory, document)))
        assert (found.n_units, found.low) == (12, pytest.approx(wanted.low, rel=1e-12))
        assert found.se == pytest.approx(wanted.se, rel=1e-12)
    with pytest.raises(InputError, match="did you mean 'document'"):
        c.interval("f_measure", unit="documents")
    files = (truth, guess, "--record", "id", "--cluster", "c", "-i", "f_measure", "--interval", "--unit")
    assert "jackknife of 12 units" in run("compare", *files, "document").out
    assert "jackknife of 18 components" in run("compare", *files, "component").out
    assert c.interval("f_measure", unit="component").n_units == 18
    sizes = tmp_path / "sizes.txt"
    sizes.write_text("10\n" * 12 + "20\n", encoding="utf-8")
    wider = c.interval("f_measure", unit="document", unit_sizes=[20] * 12)
    shown = run("compare", *files, "document", "--unit-sizes", str(sizes)).out
    assert f"{wider.low:.4f} to {wider.high:.4f}" in shown
    assert "there is no file" in fails("compare", *files, "document", "--unit-sizes", "none.txt")


# No sample shows how these vary in a population: one side has no pair, or no pair apart.
SINGLETONS, ONE_CLUSTER, SOME = list("abcdef"), list("aaaaaa"), list("aabbcc")
NOT_ESTIMABLE = [
    ("precision", SOME, SINGLETONS, "the candidate has no two records"),
    ("precision", SINGLETONS, SOME, "the reference has no two records"),
    ("recall", SINGLETONS, SOME, "the reference has no two records"),
    ("recall", SOME, SINGLETONS, "the candidate has no two records"),
    ("f_measure", SOME, SINGLETONS, "the candidate has no two records"),
    ("f_measure", SINGLETONS, SINGLETONS, "the reference has no two records"),
    ("jaccard", SINGLETONS, SOME, "the reference has no two records"),
    ("adjusted_rand", SINGLETONS, SOME, "the reference has no two records"),
    ("adjusted_rand", SOME, SINGLETONS, "the candidate has no two records"),
    ("adjusted_rand", ONE_CLUSTER, SOME, "the reference has all records in one cluster"),
    ("adjusted_rand", SOME, ONE_CLUSTER, "the candidate has all records in one cluster"),
    ("adjusted_rand", ONE_CLUSTER, ONE_CLUSTER, "the reference has all records in one cluster"),
    ("f_measure", list("aab"), list("aab"), None),
    ("precision", list("aabc"), list("abba"), None),
    ("precision", SOME, ONE_CLUSTER, None),
    ("f_measure", ONE_CLUSTER, SOME, None),
    ("rand", SINGLETONS, SINGLETONS, None),
    ("precision", list("aab"), list("xyx"), "without one of the records the index is undefined"),
    ("rand", list("aa"), list("ab"), "no change of a single record would change the value"),
    ("overlap_simpson", ONE_CLUSTER, ONE_CLUSTER, "no change of a single record would change the value"),
]


@every_case(("name", "u", "v", "reason"), NOT_ESTIMABLE)
def test_a_sample_that_does_not_determine_the_index_gives_the_whole_range(name, u, v, reason):
    found = cc.compare(u, v).interval(name)
    assert found.estimable == (reason is None)
    assert found.low < found.high
    if reason is not None:
        assert (found.low, found.high) == INDICES[name].range
        assert found.note.startswith(f"not estimable from this sample: {reason}")
        for text in (repr(found), found.headline):
            assert reason in text
            assert "interval" not in text
        assert found.to_dict()["se"] is None


@pytest.fixture(scope="module")
def with_interval():
    """The names of the indices that have an interval."""
    names, c = [], cc.compare(U, V)
    for name in INDICES:
        try:
            c.interval(name)
        except (ParameterError, CoverError):
            continue
        names.append(name)
    return names


@pytest.fixture(scope="module")
def small_samples():
    random = np.random.default_rng(7)
    samples = [(list("aaabbbccc"), list("xxxyyyzzz")), (list("aabb"), list("abab")), (U, V)]
    samples += [(list("abb"), list("abb")), (list("aa"), list("ab")), (list("ab"), list("ab"))]
    samples += [(random.integers(0, k, 9), random.integers(0, k, 9)) for k in range(1, 9) for _ in range(2)]
    return [(u, v, cc.compare(u, v)) for u, v in samples]


def test_no_interval_is_without_width_or_leaves_the_range(with_interval, small_samples):
    for name, (u, v, comparison) in product(with_interval, small_samples):
        index, found = INDICES[name], comparison.interval(name)
        low, high = index.bounds(len(u)) if "log" not in index.range_text else (0, math.inf)
        assert low - 1e-12 <= found.low < found.high <= high + 1e-12, (name, u, v)
        assert found.low <= found.estimate <= found.high or not found.estimable, (name, u, v)


def test_a_perfect_sample_bounds_what_it_may_have_missed():
    found = cc.compare(list("aabbcc") * 10, list("xxyyzz") * 10).interval("f_measure")
    assert (found.value, found.high, found.se) == (1, 1, 0)
    assert 0.8 < found.low < 0.95
    assert found.note == "widened for unseen disagreements"
    assert "for the population of records is" in found.headline
    assert found.headline.endswith(f"concordant {cc.__version__}).")


def test_distances_are_on_their_own_scale():
    c = cc.compare(*some_labels())
    rand, mirkin = c.interval("rand"), c.interval("mirkin")
    every = 400 * 399
    assert mirkin.low == pytest.approx((1 - rand.high) * every, rel=1e-9)
    assert mirkin.high == pytest.approx((1 - rand.low) * every, rel=1e-9)
    assert mirkin.se == pytest.approx(rand.se * every, rel=1e-9)
    assert mirkin.note.startswith("for the same number of records")


def test_pixels_are_not_independent():
    random = np.random.default_rng(0)
    u, v = random.integers(0, 3, (9, 8)), random.integers(0, 3, (9, 8))
    assert "pixels are not independent" in cc.compare(u, v).interval("rand").note
    dropped = cc.compare(u, v, noise=0, noise_as="drop")
    assert "pixels are not independent" in dropped.interval("rand").note
    background = cc.compare(u, v, reference_noise={0: "drop"})
    assert "pixels are not independent" in background.interval("rand").note
    assert "pixels" not in cc.compare(u.ravel(), v.ravel()).interval("rand").note


def test_refusals_have_their_reason():
    cover = cc.Cover.from_clusters([[1, 2], [2, 3]])
    with pytest.raises(CoverError, match="no interval for covers: a record may be in several clusters"):
        cc.compare(cover, cover).interval("f_measure")
    with pytest.raises(WeightsError, match="how they were drawn"):
        cc.compare(U, V, weights=[2] * 18).interval("f_measure")
    coreference = cc.coreference([[{"a"}, {"b", "c"}]], [[{"a"}, {"b", "d"}]])
    with pytest.raises(UnmatchedError, match="which records are found varies"):
        coreference.comparison.interval("f_measure")


def test_every_index_has_an_interval_or_a_refusal_that_names_another(with_interval):
    c, refused = cc.compare(*some_labels(60, 6)), []
    for index in INDICES.values():
        if index.name in with_interval:
            found = c.interval(index.name)
            assert found.low < found.high, index.name
        else:
            with pytest.raises((ParameterError, CoverError), match=r"no interval|partitions") as error:
                c.interval(index.name)
            refused.append(index.name)
            named = str(error.value).rpartition("use ")[2].split(" or ")
            assert {*named} <= {*with_interval}, index.name
    assert {"adapted_rand_error", "rv", "yule_q", "minkowski", "mari", "russell_rao", "chi_square"} <= {
        *refused
    }


def test_the_line_and_the_sentence_have_every_number():
    c = cc.compare(*some_labels())
    pair = c.interval("f_measure", confidence=0.9)
    ends = f"{pair.low:.4f} to {pair.high:.4f}"
    widened = pair.note
    assert widened.startswith("widened for unseen disagreements")
    how = f"jackknife of 400 records; {widened}"
    line = f"f_measure {pair.value:.4f}, 90% interval {ends} (se {pair.se:.4f}; {how})"
    assert repr(pair) == line
    assert pair.headline == (
        f"f_measure was {pair.value:.4f} in 400 records drawn at random; the 90% interval for the population "
        f"of records is {ends} (jackknife; {widened}; concordant {cc.__version__})."
    )
    corrected = c.interval("bcubed_f")
    assert corrected.estimate != corrected.value
    for text in (repr(corrected), corrected.headline):
        assert f"estimate {corrected.estimate:.4f}" in text
    drawn = c.interval("purity", seed=4)
    assert drawn.seed == 4
    assert "400 records, seed 4" in repr(drawn)
    assert "seed 4" in drawn.headline
    by_units = c.interval("f_measure", unit=np.arange(400) % 8)
    assert f"8 units (effectively {by_units.n_effective_units:.1f})" in repr(by_units)


def test_two_records_and_two_units_are_enough():
    assert not cc.compare([0, 0], [0, 1]).interval("rand").estimable
    assert cc.compare(U, V).interval("f_measure", unit=[0, 1] * 9).n_units == 2
