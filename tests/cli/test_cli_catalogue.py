"""The commands that list and explain indices, and the help."""

import json
import re

import pytest
from cases import every_case
from inner import INDICES, all_indices

import concordant as cc
from concordant.errors import ParameterError, UnknownIndexError

OTHERS = {name: index for name, index in all_indices().items() if name not in INDICES}


def test_indices_lists_all_by_family(run):
    ran = run("indices")
    assert ran.status == 0
    names = re.findall(r"^  (\w+)", ran.out, re.MULTILINE)
    assert names == [*INDICES, *OTHERS]
    for family in (*INDICES.families, "Trees", "Soft partitions"):
        assert f"\n{family}\n" in ran.out
    assert not re.search(r" $", ran.out, re.MULTILINE)


def test_indices_of_a_family(run):
    for spelling in ("information", "Information-Theory", "information_theory"):
        out = run("indices", "--family", spelling).out
        assert "mutual_information" in out
        assert "jaccard" not in out


def test_indices_as_json_says_all_that_is_declared(run):
    listed = json.loads(run("indices", "--json").out)["data"]
    assert [each["name"] for each in listed] == [*INDICES, *OTHERS]
    by_name = {each["name"]: each for each in listed}
    assert by_name["adjusted_rand"]["range"] == [-0.5, 1]
    assert by_name["variation_of_information"]["range"] == [0, "log n"]
    assert by_name["precision"]["mirror"] == "recall"
    assert by_name["f_measure"]["parameters"] == {"beta": 1.0}


@every_case("name", list(INDICES))
def test_every_index_explains_itself(run, name):
    ran = run("explain", name)
    index = INDICES[name]
    said = " ".join(ran.out.split())
    assert ran.status == 0
    assert said.startswith(f"{name}: {index.title}")
    for text in (index.formula, index.summary, index.advice, index.cite, index.range_text):
        assert " ".join(text.split()) in said
    for library in (*index.known_as, *index.remarks):
        assert library in said
    for u, v, _ in index.worked:
        assert f"U = {u} V = {v}" in said
    assert max(map(len, ran.out.splitlines())) <= 100


@pytest.mark.parametrize("name", OTHERS)
def test_every_index_of_another_input_explains_itself(run, name):
    index = OTHERS[name]
    shown = " ".join(run("explain", name).out.split())
    inputs = {"soft": "soft partitions", "diff": "a diff"}.get(index.sides, "whole trees")
    assert shown.startswith(f"{name}: {index.title}, of {inputs}")
    for text in (index.formula, index.summary, index.advice, index.cite, index.range_text):
        assert " ".join(text.split()) in shown
    assert run("explain", name, "--json").out == f"{cc.explain(name).to_json()}\n"


def test_explain_suggests_indices_of_every_kind(run):
    for name, meant in (("soft_rnd", "soft_rand"), ("robinson_fould", "robinson_foulds")):
        assert f"did you mean {meant}?" in run("explain", name).err
    assert "did you mean adjusted_rand" in run("explain", "adjusted_rnd").err


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("cor_bakers_gamma", "bakers_gamma"),
        ("entanglement(exponent=2)", "entanglement"),
        ("Soft Rand", "soft_rand"),
        ("ARI", "adjusted_rand"),
        ("RTS", "rogers_tanimoto"),
        ("adjusted_rand_score", "adjusted_rand"),
        ("getPrecision", "jaccard"),
        ("compare_communities(method='rand')", "rand"),
        ("f_measure(beta=2)", "f_measure"),
        ("Adjusted Rand", "adjusted_rand"),
    ],
)
def test_explain_knows_aliases_and_names_elsewhere(run, name, meant):
    assert run("explain", name).out.startswith(f"{meant}: ")


def test_explain_warns_of_a_name_that_means_something_else_elsewhere(run):
    out = run("explain", "NMI").out
    assert out.startswith("nmi_arithmetic: ")
    assert "in aricode  it is nmi_max" in out


def test_explain_shows_all_meanings_of_a_name_that_has_several(run):
    out = run("explain", "muc").out
    assert out.startswith("muc is not one index:")
    assert all(re.search(rf"in .+ {name} ", out) for name in ("muc_precision", "muc_recall", "muc_f1"))


@pytest.mark.parametrize("name", ["adjusted_rand", "NMI", "getPrecision", "robinson_foulds", "soft_rand"])
def test_explain_in_python_has_the_same_text(run, name):
    assert " ".join(str(cc.explain(name)).split()) == " ".join(run("explain", name).out.split())


def test_explain_in_python_takes_names():
    assert str(cc.explain("muc")).startswith("muc is not one index:\n  in CoNLL scorer  muc_precision")
    with pytest.raises(UnknownIndexError, match="did you mean adjusted_rand"):
        cc.explain("adjusted_rnd")
    with pytest.raises(ParameterError, match="takes the name of an index"):
        cc.explain(cc.adjusted_rand)


def test_examples_in_the_help_keep_their_lines(run):
    for command in ("compare", "matrix"):
        lines = run(command, "--help").out.splitlines()
        examples = [
            line for line in lines if f"concordant {command} " in line and not re.search("Usage|`", line)
        ]
        assert len(examples) >= 5
        assert all(re.match(r"    (cut .*\| )?concordant ", line) for line in examples)


def test_version_and_help(run):
    assert run("--version").out == f"concordant {cc.__version__}\n"
    assert run("--help").out == run().err
    for command in ("compare", "matrix", "indices", "explain"):
        ran = run(command, "-h")
        assert ran.status == 0
        assert f"concordant {command} " in ran.out


@pytest.mark.parametrize(
    "command",
    [
        ("indices",),
        ("explain", "southwood"),  # its perfect value is infinite
        ("explain", "soft_adjusted_rand"),  # its range has no end
        ("explain", "variation_of_information"),
        ("explain", "--choose"),
        ("cite", "southwood", "adjusted_rand"),
    ],
)
def test_json_is_strict(run, command):
    """Infinity and NaN are not JSON; what is not finite is null."""

    def refuse(constant):
        raise AssertionError(constant)

    ran = run(*command, "--json")
    assert ran.status == 0
    assert json.loads(ran.out, parse_constant=refuse)


TERMS = {
    "SC3 stability": "stability",
    "scICE inconsistency": "element_centric",
    "Case Count Metric": "n:1",
    "double majority": "object_recall",
    "uniformity": "purity",
    "VI in bits": "variation_of_information(base=2)",
    "DER": "pyannote.metrics",
    "JER": "pyannote.metrics",
}


@every_case("term", TERMS)
def test_names_of_other_fields_say_what_to_use(run, term):
    said = " ".join(run("explain", term).out.split())
    assert TERMS[term] in said
    with pytest.raises(UnknownIndexError) as unknown:
        cc.INDICES[term]
    assert said.partition(": ")[2] == str(unknown.value).partition("; ")[2]
    refused = run("cite", term)
    assert refused.status == 2
    assert TERMS[term] in " ".join(refused.err.split())


def test_indices_that_other_terms_name_exist():
    said = " ".join(
        cc.explain(term).title for term in ("scice", "double majority", "uniformity", "der", "jer")
    )
    named = re.findall(r"[a-z0-9]+(?:_[a-z0-9]+)+(?:\([^)]*\))?", said)
    assert "mean_true_iou" in named
    for name in set(named):
        assert cc.INDICES[name]
