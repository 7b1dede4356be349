"""The registry: names, aliases, parameters, conventions, and what is declared of each index."""

import json
import math
import pickle
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from cases import every_case
from inner import INDICES, Catalogue, all_indices, meaning_of, root

import concordant as cc
from concordant.errors import (
    NotRationalError,
    ParameterError,
    TooLargeError,
    UndefinedError,
    UnknownIndexError,
)

GOLDEN = Path(__file__).parents[1] / "golden"


def test_every_parameter_has_a_meaning():
    """Docstrings, stubs and documentation show it; samples are tested by the laws."""
    for name, index in all_indices().items():
        for parameter in index.parameters.values():
            file = f"src/{index.compute.__module__.replace('.', '/')}.py"
            words = f"{file}: {parameter.name} of {name} has no meaning; use Annotated[..., 'What it is.']"
            assert meaning_of(parameter.annotation).endswith("."), words


def test_every_catalogue_id_is_a_name_or_an_alias():
    for path in GOLDEN.glob("catalogue_ids*.json"):
        for name in json.loads(path.read_text(encoding="utf-8")):
            assert name in INDICES, name


def test_every_declaration_is_complete():
    for name, index in INDICES.items():
        assert all((index.title, index.formula, index.cite, index.worked, index.family)), name
        assert index.summary.endswith("."), name
        assert index.advice.endswith("."), f"say when to use {name}"
        assert index.mirror is None or index.mirror in INDICES, name


def test_aliases_and_spelling():
    assert INDICES["ARI"] is INDICES["adjusted_rand"] is INDICES["Adjusted-Rand"] is INDICES["adjusted rand"]
    assert INDICES["f_measure(beta=2)"].arguments == {"beta": 2}
    assert INDICES["f_measure(beta=2)"].name == "f_measure(beta=2)"
    assert INDICES["pair_f_beta( beta = 0.5 )"].arguments == {"beta": 0.5}


@every_case(
    ("spelling", "suggestion"),
    [("jacard", "jaccard"), ("ajusted_rand", "adjusted_rand"), ("purty", "purity")],
)
def test_a_misspelt_index_suggests_the_nearest(spelling, suggestion):
    with pytest.raises(UnknownIndexError, match=f"did you mean {suggestion}"):
        INDICES[spelling]
    with pytest.raises(AttributeError, match=suggestion):
        getattr(cc, spelling)
    with pytest.raises(AttributeError, match=suggestion):
        getattr(cc.compare([0], [0]), spelling)


@every_case(
    ("spelling", "suggestion"),
    [
        ("adjusted_rand_score", r"adjusted_rand \(its name in scikit-learn\)\?"),
        ("rand_index", r"rand \(its name in CluSim\)\?"),
        ("f1", "pairwise_f1, .*bcubed_f1.* or "),
        ("f1_score", "pairwise_f1, .*bcubed_f1.* or "),
        ("F-score", r"f_measure\?"),
        ("bcubed_f1_score", r"bcubed_f1\?"),
        ("accuracy", "pair_accuracy, .*matching_accuracy"),
        ("mutual_info", "mutual_information"),
        ("info", ".*mutual_information"),
        ("rand_jaccardish", "rand"),
    ],
)
def test_names_of_other_libraries_and_parts_of_names_are_suggested(spelling, suggestion):
    with pytest.raises(UnknownIndexError, match=f"did you mean {suggestion}"):
        INDICES[spelling]


def test_whatever_is_suggested_exists():
    for name in sorted(INDICES):
        with pytest.raises(UnknownIndexError) as caught:
            INDICES[f"{name}_scored"]
        meant = str(caught.value).partition("did you mean ")[2].rstrip("?")
        assert meant, name
        assert all(each in INDICES for each in meant.replace(" or ", ", ").split(", ")), name


@every_case("sign", ["-", "(", "[", "~", "1+", "not ", "x"])
def test_a_spelling_of_any_length_is_an_error_of_ours(sign):
    for times in (50, 250, 100_000):
        with pytest.raises((ParameterError, UnknownIndexError)) as caught:
            INDICES[f"f_measure(beta={sign * times}1)"]
        assert len(str(caught.value)) < 1000
    with pytest.raises(UnknownIndexError, match="100,000 characters"):
        INDICES["x" * 100_000]


def test_a_name_like_no_other_points_to_the_list():
    with pytest.raises(UnknownIndexError, match=r"list\(concordant\.INDICES\)"):
        INDICES["qqqqqq"]
    with pytest.raises(UnknownIndexError, match="the name of an index is a string"):
        INDICES[3]


@every_case(
    ("spelling", "text"),
    [
        ("f_measure(gamma=2)", "does not take 'gamma': it takes beta"),
        ("jaccard(beta=2)", "it takes no parameters"),
        ("f_measure(beta=-1)", "a positive finite number"),
        ("f_measure(beta='x')", "a positive finite number"),
        ("f_measure(beta=True)", "a positive finite number"),
        ("mutual_information(base=1)", "above 1"),
        ("f_measure(2)", "write it like"),
        ("f_measure(beta=2", "write it like"),
        ("f_measure(beta=open('x'))", "write it like"),
        ("f_measure(beta=2,beta=3)", "write it like"),
        ("f_measure(beta=2)(beta=3)", "write it like"),
        ("f_measure(beta=2) # x", "write it like"),
        ("f_measure(betta=2)", "'betta'; did you mean 'beta'. It takes beta"),
        ("AMI(mean=max)", r"write it like AMI\(mean='max'\), with quotes"),
    ],
)
def test_bad_parameters(spelling, text):
    with pytest.raises(ParameterError, match=text):
        INDICES[spelling]


@every_case(
    ("options", "text"),
    [
        ({"unmached": "drop"}, "does not take 'unmached'; did you mean 'unmatched'. It takes beta, "),
        ({"betta": 2}, "does not take 'betta'; did you mean 'beta'. It takes beta, "),
        ({"qqqq": 2}, r"does not take 'qqqq': it takes beta, [\w, ]*$"),
    ],
)
def test_misspelt_keywords_of_an_index_suggest_the_nearest(options, text):
    with pytest.raises(ParameterError, match=text):
        cc.f_measure([0], [0], **options)


def test_the_two_sides_are_given_in_order_or_by_name():
    assert cc.recall([0, 0], [0, 1]) == cc.recall([0, 0], candidate=[0, 1]) == 0
    assert cc.recall(candidate=[0, 1], reference=[0, 0]) == 0
    for sides in ([], [[0], [0], [0]]):
        with pytest.raises(ParameterError, match=f"two partitions, .* and was given {len(sides)}"):
            cc.recall(*sides)
    with pytest.raises(ParameterError, match="there is no candidate; pass it after the reference"):
        cc.recall([0])  # one table with two columns is both sides
    with pytest.raises(ParameterError, match="does not take 'reference'"):
        cc.recall([0], [0], reference=[0])


def test_parameters_reach_the_formula():
    u, v = [0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 1, 2]
    assert cc.f_measure(u, v, beta=2) == cc.compare(u, v)["f_measure(beta=2)"] == 0.625
    assert cc.mutual_information(u, v, base=2) == pytest.approx(cc.mutual_information(u, v) / math.log(2))
    assert cc.compare(u, v).exact("f_measure(beta=2)") == Fraction(5, 8)


def test_direction_follows_from_the_perfect_value():
    assert INDICES["rand"].direction == "similarity"
    assert INDICES["mirkin"].direction == "distance"
    assert INDICES["southwood"].direction == "similarity"
    assert INDICES["lerman"].direction == "statistic"
    assert INDICES["mcnemar"].direction == "statistic"


def test_the_range_in_words():
    assert INDICES["adjusted_rand"].range_text == "[-1/2, 1]"
    assert INDICES["mari"].range_text == "(-∞, 1]"
    assert INDICES["variation_of_information"].range_text == "[0, log n]"
    assert INDICES["southwood"].range_text == "[0, ∞)"


SINGLETONS, ONE = [0, 1, 2, 3], [0, 0, 0, 0]


def test_identity_comes_first():
    for undefined in ("convention", "nan", "raise"):
        c = cc.compare(SINGLETONS, SINGLETONS, undefined=undefined)
        assert c.jaccard == c.phi == c.fowlkes_mallows == 1
        assert "jaccard" not in c.undefined


def test_where_it_is_not_defined_the_convention_is_declared():
    c = cc.compare(ONE, SINGLETONS)
    assert (c.precision, c.recall, c.fowlkes_mallows, c.kulczynski) == (1, 0, 0, 0.5)
    assert math.isnan(c.phi)
    assert {"precision", "phi", "fowlkes_mallows", "kulczynski"} <= set(c.undefined)
    assert "recall" not in c.undefined


def test_undefined_as_nan_or_as_an_error():
    assert math.isnan(cc.compare(ONE, SINGLETONS, undefined="nan").precision)
    assert math.isnan(cc.precision(ONE, SINGLETONS, undefined="nan"))
    c = cc.compare(ONE, SINGLETONS, undefined="raise")
    assert c.recall == 0
    with pytest.raises(UndefinedError, match=r"precision is undefined: N₁₁ / .* divides by zero") as caught:
        c.precision  # noqa: B018
    assert isinstance(caught.value, ZeroDivisionError)
    assert isinstance(caught.value, ValueError)
    with pytest.raises(ParameterError, match="undefined='zero'"):
        cc.compare(ONE, ONE, undefined="zero")


def test_exact_values():
    c = cc.compare(ONE, SINGLETONS)
    assert c.exact("precision") == 1
    with pytest.raises(UndefinedError, match="no finite exact value"):
        c.exact("phi")
    with pytest.raises(NotRationalError, match="rv = Σn²"):
        c.exact("rv")


@every_case("power", [-400, -100, -1, 0, 1, 60, 100, 400])
def test_roots_are_correctly_rounded(power):
    for k in (1, 2, 3, 99, 2**60 + 1):
        value = root(Fraction(k) * Fraction(10) ** power)
        below, above = (Fraction(math.nextafter(value, end)) for end in (0, math.inf))
        middle_low, middle_high = (below + Fraction(value)) / 2, (above + Fraction(value)) / 2
        assert middle_low**2 <= Fraction(k) * Fraction(10) ** power <= middle_high**2
    assert root(0) == 0


def test_a_name_cannot_be_declared_twice():
    catalogue = Catalogue()
    catalogue.add(INDICES["rand"])
    with pytest.raises(ValueError, match="'RI' names both"):
        catalogue.add(replace(INDICES["jaccard"], aliases=("RI",)))


def test_a_place_among_the_first_lines_is_given_once():
    catalogue = Catalogue()
    catalogue.add(INDICES["precision"])
    with pytest.raises(ValueError, match="place 1 among the first lines is taken"):
        catalogue.add(replace(INDICES["rand"], headline=1))
    places = [index.headline for index in INDICES.headline]
    assert places == list(range(1, len(places) + 1))


def test_a_range_may_depend_on_the_number_of_elements():
    assert INDICES["variation_of_information"].bounds(7) == (0, pytest.approx(math.log(7)))
    assert INDICES["mirkin"].bounds(5) == (0, 20)


def test_lookups_behave_like_a_mapping():
    assert INDICES.get("nope") is None
    assert "f_measure(beta=2)" in INDICES
    assert "nope" not in INDICES
    with pytest.raises(KeyError):
        INDICES["nope"]


@every_case("beta", [np.int64(2), np.float32(2), np.float64(2), Fraction(2)])
def test_numbers_of_any_kind_are_parameters(beta):
    assert cc.f_measure([0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 1, 2], beta=beta) == 0.625


def test_indices_and_comparisons_can_be_pickled():
    for spelling in ("jaccard", "f_measure(beta=2)"):
        again = pickle.loads(pickle.dumps(INDICES[spelling]))
        assert (again.name, again.arguments) == (INDICES[spelling].name, INDICES[spelling].arguments)
    c = pickle.loads(pickle.dumps(cc.compare(["a", "b"], [1, 1])))
    assert (c.recall, c.purity) == (1, 0.5)


def test_prices_of_splits_and_merges():
    c = cc.compare([0, 0, 0, 1, 1], [0, 1, 1, 1, 2])
    gmd = INDICES["generalised_merge_distance"]
    assert c[gmd.bind(split=lambda x, y: 1, merge=lambda x, y: 1)] == 3
    assert c[gmd.bind(split=lambda x, y: 100 * x * y, merge=lambda x, y: 100 * x * y)] == 500
    assert c[gmd.bind(split="product", merge="product")] == 5


@every_case("price", [lambda x, y: 1 / 0, lambda x, y: -1, lambda x, y: math.nan, lambda x, y: "1"])
def test_prices_that_are_none(price):
    with pytest.raises(ParameterError, match="price function"):
        cc.generalised_merge_distance([0, 0, 1], [0, 1, 1], split=price)


@every_case("power", [30, 200, 400])
def test_absurd_sizes_are_exact_or_an_honest_error(power):
    n = 10**power
    c = cc.Comparison.from_contingency(np.array([[n, 3], [7, n]], dtype=object))
    assert c.exact("rand") < 1
    assert c.to_dict()["jaccard"] == c.jaccard == 1.0
    assert str(c)
    for name in c.on_request:
        if not INDICES[name].on_request:
            with pytest.raises(TooLargeError):
                c[name]


def test_misspelt_methods_suggest_the_nearest():
    c = cc.compare([0, 0, 1], [0, 1, 1])
    with pytest.raises(UnknownIndexError, match="a comparison has no 'chnages'; did you mean 'changes'"):
        c.chnages()
    with pytest.raises(AttributeError, match="did you mean 'matrix'"):
        cc.matrx  # noqa: B018  (asking is the test)


def test_the_perfect_value_is_an_end_of_the_range():
    """Only where values go beyond it without a bound does it lie inside, and there is no better or worse."""
    inside = [
        index
        for index in INDICES.values()
        if index.perfect is not None and index.perfect not in index.range and math.inf not in index.range
    ]
    assert inside == []
