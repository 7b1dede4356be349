"""Intervals: every leave-one-out value against counting again, golden values, units, and what is said."""

import json
import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import concordant as cc
from concordant.catalogue.index import INDICES
from concordant.counts.profile import Profile
from concordant.errors import (
    InputError,
    LabelError,
    LengthError,
    ParameterError,
    TableNeededError,
    TooLargeError,
    UndefinedError,
)
from concordant.trust.leave_one_out import LeftOut, can_leave_out

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "trust.json").read_text(encoding="utf-8"))[
    "jackknife"
]

U = list("aaaaabbbbbccccddde")
V = list("aaabbbbbccccccddef")
CLOSED = [index for index in INDICES.values() if can_leave_out(index)]


def some_labels(size=400, clusters=40, seed=0):
    random = np.random.default_rng(seed)
    u = (random.random(size) ** 2 * clusters).astype(int)
    v = np.where(random.random(size) < 0.6, u, (random.random(size) ** 2 * clusters).astype(int))
    return u, v


@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: str(len(case["reference"])))
def test_golden_standard_errors(case):
    c = cc.compare(case["reference"], case["candidate"])
    for name, wanted in case["indices"].items():
        found = c.interval(name)
        assert found.se == pytest.approx(wanted["se"], rel=1e-9), name
        assert found.corrected == pytest.approx(wanted["bias_corrected"], rel=1e-9, abs=1e-9), name


@pytest.mark.parametrize("index", CLOSED, ids=lambda index: index.name)
def test_leaving_out_is_counting_again(index):
    left = LeftOut(cc.compare(U, V).counts, index)
    found = [index.value(rest, "nan") for rest in left]
    repeated = sorted(x for x, many in zip(found, left.weights.tolist(), strict=True) for _ in range(many))
    again = sorted(
        index.value(cc.compare(U[:k] + U[k + 1 :], V[:k] + V[k + 1 :]).counts, "nan") for k in range(len(U))
    )
    np.testing.assert_allclose(repeated, again, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize(
    "name", ["adjusted_rand", "f_measure", "yule_y", "minkowski", "correlation_distance", "lerman", "mari"]
)
def test_many_kinds_of_elements_give_what_each_kind_gives(name):
    c, index = cc.compare(*some_labels(20_000, 200)), INDICES[name]
    left = LeftOut(c.counts, index)
    assert len(left.n) > 2000
    values, share = np.array([index.value(rest) for rest in left]), left.weights / 20_000
    se = math.sqrt(19_999 * (share * (values - share @ values) ** 2).sum())
    assert c.interval(name).se == pytest.approx(se, rel=1e-6)


@pytest.mark.parametrize("name", ["adjusted_rand", "f_measure", "bcubed_f", "purity", "nmi_arithmetic"])
def test_leaving_out_units_is_counting_again(name):
    u, v = some_labels(120, 12)
    units = np.arange(120) * 7 % 11
    values = np.array([cc.compare(u[units != k], v[units != k])[name] for k in range(11)])
    found = cc.compare(u, v).interval(name, unit=units)
    assert found.se == pytest.approx(math.sqrt(10 / 11 * ((values - values.mean()) ** 2).sum()), rel=1e-10)
    assert (found.unit, found.units, found.left_out) == ("unit", 11, 11)
    assert found.seed is None


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
    assert (found.unit, found.units) == ("component", 3)


def test_many_units_are_put_into_groups_where_each_would_be_counted_anew():
    u, v = some_labels(900, 20)
    c = cc.compare(u, v)
    units = np.arange(900) // 3
    assert c.interval("f_measure", unit=units).left_out == 300
    found = c.interval("purity", unit=units)
    assert (found.units, found.left_out, found.seed) == (300, 50, 0)
    assert found == c.interval("purity", unit=units)
    assert found.se != c.interval("purity", unit=units, seed=1).se


def test_indices_of_pairs_within_0_and_1_go_by_their_logit():
    found = cc.compare(*some_labels()).interval("f_measure")
    half = 1.959963984540054 * found.se / (found.value * (1 - found.value))
    middle = math.log(found.value / (1 - found.value))
    assert found.low == pytest.approx(1 / (1 + math.exp(half - middle)), rel=1e-12)
    assert found.high == pytest.approx(1 / (1 + math.exp(-half - middle)), rel=1e-12)
    assert found.method == "logit"


def test_other_indices_of_pairs_are_clipped_to_their_range():
    found = cc.compare(U, V).interval("adjusted_rand", level=1 - 1e-9)
    assert (found.low, found.high, found.method) == (-0.5, 1, "plain")
    near = cc.compare(U, V).interval("adjusted_rand", level=0.5)
    assert near.high - near.value == pytest.approx(0.6744897501960817 * near.se, rel=1e-12)


def test_a_biased_value_is_corrected_and_that_is_said():
    found = cc.compare(*some_labels(400, 40)).interval("nmi_arithmetic")
    assert found.biased
    assert found.corrected < found.value - found.se
    assert (found.low + found.high) / 2 == pytest.approx(found.corrected, rel=1e-12)
    assert "biased, corrected value" in repr(found)


def test_groups_for_what_has_no_closed_form():
    found = cc.compare(*some_labels()).interval("matching_accuracy")
    assert (found.units, found.left_out) == (400, 50)
    assert "50 groups, seed 0" in repr(found)
    exact = math.sqrt(found.value * (1 - found.value) / 400)
    assert found.se == pytest.approx(exact, rel=0.35)


def test_identical_partitions_show_no_disagreement():
    c = cc.compare(list("aabbcc"), list("xxyyzz"))
    found = c.interval("f_measure")
    assert (found.low, found.high, found.note) == (1, 1, "no disagreement seen")
    by_units = c.interval("f_measure", unit=[0, 0, 1, 1, 2, 2])
    assert by_units.low == pytest.approx(0.05 ** (1 / 3))
    assert by_units.high == 1


def test_sizes_alone_tell_the_interval_of_pairs_and_entropies():
    table = [[5, 2, 0], [1, 7, 3]]
    known = cc.Comparison(Profile.from_contingency(table))
    rows = [(5, 7, 6, 1), (2, 7, 9, 1), (1, 11, 6, 1), (7, 11, 9, 1), (3, 11, 3, 1)]
    sizes = cc.Comparison(Profile.from_rows(rows))
    for name in ("adjusted_rand", "nmi_arithmetic"):
        assert sizes.interval(name).se == pytest.approx(known.interval(name).se, rel=1e-12)
    with pytest.raises(TableNeededError):
        sizes.interval("bcubed_f")


def test_what_is_answered_can_be_read_and_stored():
    found = cc.compare(U, V).interval("rand")
    assert repr(found).startswith("rand 0.")
    assert "95% interval" in found._repr_html_()
    assert json.loads(json.dumps(found.to_dict()))["low"] == found.low


def test_what_cannot_be_answered_is_said():
    c = cc.compare(U, V)
    with pytest.raises(ParameterError, match="level=95"):
        c.interval("rand", level=95)
    with pytest.raises(ParameterError, match="unit='document'"):
        c.interval("rand", unit="document")
    with pytest.raises(LengthError, match="3 units for 18 records"):
        c.interval("rand", unit=[1, 2, 3])
    with pytest.raises(InputError, match="one unit"):
        c.interval("rand", unit=[1] * 18)
    with pytest.raises(InputError, match="at least 2"):
        cc.compare([0], [0]).interval("rand")
    with pytest.raises(UndefinedError, match="no interval"):
        cc.compare([0, 0, 0], [0, 1, 2]).interval("cramers_v")
    with pytest.raises(UndefinedError, match="left out"):
        cc.compare([0, 0, 1], [0, 1, 1]).interval("cramers_v")
    huge = Profile.from_contingency(np.array([[10**9, 1], [3, 10**9]], dtype=object))
    assert cc.Comparison(huge).interval("rand").se > 0
    with pytest.raises(TooLargeError, match="too many to put into groups"):
        cc.Comparison(huge).interval("purity")


def test_elements_on_one_side_only_are_refused():
    c = cc.compare({"x": 1, "y": 1, "z": 2}, {"x": 1, "y": 1, "w": 1}, unmatched="keep")
    for ask in (c.significance, c.interval, c.adjusted):
        with pytest.raises(InputError, match="unmatched='drop'"):
            ask("bcubed_f")


def test_a_printed_comparison_shows_what_each_headline_index_is_by_chance():
    c = cc.compare(U, V)
    lines = {line.split()[0]: line for line in str(c).splitlines() if line.startswith("  ") and "█" in line}
    assert lines["adjusted_rand"].endswith("chance 0.0000")
    assert lines["rand"].endswith(f"chance {INDICES['rand'].by_chance(c.counts):.4f}")
    assert "chance" not in lines["jaccard"]
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
    assert repr(c.significance("f_measure")) in shown
    assert repr(c.interval("f_measure", unit=units)) in shown
    document = json.loads(run(*both, "--json").out)
    assert document["interval"]["f_measure"] == c.interval("f_measure").to_dict()
    assert document["significance"]["f_measure"]["p"] == c.significance("f_measure").p
    assert run(*files, "--interval").out.count("95% interval") >= 8
    assert "--interval" in run(*files, "--unit", "page").err


def test_a_page_draws_intervals_on_the_bars(tmp_path):
    c = cc.compare(U, V)
    plain = c.to_html(tmp_path / "plain.html").read_text(encoding="utf-8")
    assert '<u title="interval' not in plain
    asked = [c.interval("f_measure"), c.interval("adjusted_rand")]
    page = c.to_html(tmp_path / "page.html", intervals=asked).read_text(encoding="utf-8")
    for each in asked:
        assert page.count(f'<u title="interval {each.low:.4f} to {each.high:.4f}"') == 2


@pytest.mark.parametrize("name", ["mirkin", "split_join", "chi_square", "lerman", "gordon_vichi"])
def test_what_grows_with_the_records_is_not_called_biased(name):
    found = cc.compare(list("aaaaabbbbbccccc") * 4, list("aaaabbbbbcccccc") * 4).interval(name)
    assert found.low <= found.value <= found.high
    assert (found.biased, found.method) == (False, "plain")
    assert "for as many as these" in repr(found)
    assert "for as many" not in repr(cc.compare(["a", "b"] * 9, ["a", "b", "c"] * 6).interval("nmi_max"))


MORE_THAN_PAIRS = [
    "lerman",
    "lerman_normalised",
    "mari",
    "mari_raw",
    *(f"adjusted_rand_models(model={m!r})" for m in ("num", "all")),
]


@pytest.mark.parametrize("name", [*MORE_THAN_PAIRS, "adjusted_rand_models(model='all', sides='one')"])
def test_indices_of_trios_and_of_numbers_of_clusters_without_one_record(name):
    random = np.random.default_rng(2)
    u = random.integers(0, 25, 40)
    v = np.where(random.random(40) < 0.6, u, random.integers(0, 25, 40))
    assert 1 in np.bincount(u)
    assert 1 in np.bincount(v)
    rest = [cc.compare(np.delete(u, i), np.delete(v, i))[name] for i in range(40)]
    found = cc.compare(u, v).interval(name)
    assert found.left_out == 40
    assert found.se == pytest.approx(math.sqrt(39 / 40 * 40 * np.var(rest)), rel=1e-10)
    assert found.corrected == pytest.approx(40 * found.value - 39 * np.mean(rest), rel=1e-10)


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
        assert (found.units, found.low) == (12, pytest.approx(wanted.low, rel=1e-12))
        assert found.se == pytest.approx(wanted.se, rel=1e-12)
    with pytest.raises(InputError, match="did you mean 'document'"):
        c.interval("f_measure", unit="documents")
    files = (truth, guess, "--record", "id", "--cluster", "c", "-i", "f_measure", "--interval", "--unit")
    assert "jackknife of 12 units" in run("compare", *files, "document").out
    assert "rename the column" in fails("compare", *files, "component")
