"""Options of commands that are those of Python. The grammar compares their names and defaults."""

import inspect
import json
import re
from pathlib import Path

import polars as pl
import pytest
from cases import every_case
from commands import GUESS, TRUTH, table, write
from every_index import EVERY_INDEX
from inner import app

import concordant as cc

PAGE = Path(__file__).parents[2] / "docs" / "decisions" / "0029-default-indices.md"
COMMANDS = {each.name: each.callback for each in app.registered_commands}


def options(name):
    return inspect.signature(COMMANDS[name]).parameters


def default_indices():
    """The indices that each public function uses if none is named."""
    defaults = {}
    for name in set(cc.__all__) - set(EVERY_INDEX):
        thing = getattr(cc, name)
        found = {name: thing} if callable(thing) else {}
        if inspect.isclass(thing):
            methods = inspect.getmembers(thing, inspect.isfunction)
            found |= {f"{name}.{method}": each for method, each in methods if not method.startswith("_")}
        for called, function in found.items():
            for parameter in inspect.signature(function).parameters.values():
                if parameter.default == ():  # all, or none
                    continue
                if parameter.name in ("index", "indices") and isinstance(parameter.default, str | tuple):
                    default = parameter.default
                    defaults[called] = (default,) if isinstance(default, str) else default
    return defaults


def test_the_page_on_default_indices_lists_those_of_every_function_and_command():
    names = re.compile(r"`([^`]+)`")
    listed, commands = {}, set()
    for line in PAGE.read_text().splitlines():
        cells = [names.findall(cell) for cell in line.split("|")[1:4]]
        if len(cells) == 3 and cells[2]:
            listed |= dict.fromkeys(cells[0], tuple(cells[2]))
            commands |= set(cells[1])
    assert listed == default_indices()
    assert commands == {
        name for name in COMMANDS if "index" in options(name) and options(name)["index"].default
    }


@every_case("name", COMMANDS)
def test_every_command_prints_json(name):
    assert "as_json" in options(name)


# -- options that commands took over from Python --------------------------------------------------------


@pytest.fixture
def sides(run):
    assert run
    return table("truth.csv", TRUTH), table("guess.csv", GUESS)


def test_the_labels_of_one_side_are_treated(run, fails, sides):
    ran = run("compare", *sides, "--reference-noise", "2=drop", "--candidate-noise", "z=singletons", "--json")
    expected = cc.compare(TRUTH, GUESS, reference_noise={"2": "drop"}, candidate_noise={"z": "singletons"})
    assert json.loads(ran.out)["data"] == json.loads(expected.to_json())["data"]
    assert expected.size == 3
    assert "--reference-noise 0=drop" in fails("compare", *sides, "--reference-noise", "2")
    assert "named twice" in fails("compare", *sides, *["--reference-noise", "2=drop"] * 2)


def test_diff_and_rank_take_noise(run, fails):
    before, after = GUESS, {**GUESS, "a": "x"}
    named = {"truth": TRUTH, "before": before, "after": after}
    paths = [table(f"{name}.csv", each) for name, each in named.items()]
    noise = {"noise": "y", "noise_as": "singletons"}
    given = ["--noise", "y", "--noise-as", "singletons"]
    ran = run("diff", *paths[1:], "--reference", paths[0], *given, "--json")
    expected = cc.diff(before, after, reference=TRUTH, **noise).to_dict()
    assert json.loads(ran.out)["data"]["reference"] == expected["reference"]
    candidates = [f"{name}={path}" for name, path in zip(("old", "new"), paths[1:], strict=True)]
    ran = run("rank", paths[0], *candidates, *given, "--index", "f_measure", "--json")
    ranked = cc.rank(TRUTH, {"old": before, "new": after}, "f_measure", **noise)
    assert json.loads(ran.out) == json.loads(ranked.to_json())
    assert ranked.to_json() != cc.rank(TRUTH, {"old": before, "new": after}, "f_measure").to_json()
    for name, each in named.items():
        pl.DataFrame({"id": list(each), "label": list(each.values())}).write_parquet(f"{name}.parquet")
    truth, *runs = (f"{name}.parquet" for name in named)
    message = fails("diff", *runs, "--reference", truth, *given)
    assert "--noise-as singletons: engines do not drop labels or make singletons" in message


def test_the_level_of_intervals(run, sides):
    ran = run("compare", *sides, "-i", "rand", "--interval", "--confidence", "0.8", "--json")
    expected = cc.compare(TRUTH, GUESS).interval("rand", confidence=0.8).to_dict()
    assert json.loads(ran.out)["parts"]["interval"]["rand"] == pytest.approx(expected)


def test_the_level_of_judged_rates(run, sides):
    """An answer to each question, by the file that `ask` wrote."""
    assert run("ask", *sides, "--n-questions", "5", "--questions", "questions.csv").status == 0
    head, *rows = Path("questions.csv").read_text(encoding="utf-8").splitlines()
    answered = [row.rsplit(",", 2)[0] + ",yes," for row in rows]
    write("questions.csv", "\n".join([head, *answered]) + "\n")
    d = cc.diff(TRUTH, GUESS)
    found = [
        json.loads(run("diff", *sides, "--answers", "questions.csv", *level, "--json").out)["parts"]["judged"]
        for level in ([], ["--confidence", "0.8"])
    ]
    expected = [
        json.loads(d.judged("questions.csv", confidence=level).to_json())["data"] for level in (0.95, 0.8)
    ]
    assert found == expected
    assert found[0] != found[1]


def test_an_interval_that_excludes_the_value_shows_the_estimate(run):
    """A sample of independent labels has too large a B-cubed F, which the interval corrects."""
    sides = [[i % number for i in range(100)] for number in (10, 7)]
    found = cc.compare(*sides).interval("bcubed_f")
    assert found.low < found.estimate < found.high < found.value
    shown = f"{found.low:.4f} to {found.high:.4f}, about {found.estimate:.4f}"
    paths = [table(f"{name}.csv", dict(enumerate(each))) for name, each in zip("uv", sides, strict=True)]
    assert shown in run("compare", *paths, "--interval", "-i", "bcubed_f").out
    inside = cc.compare(*sides).interval("purity")
    assert inside.low <= inside.value <= inside.high
    assert "about" not in run("compare", *paths, "--interval", "-i", "purity").out


def test_the_method_of_p_values(run, sides):
    for method in ("exact", "permutations"):
        ran = run("compare", *sides, "-i", "rand", "--significance", "--method", method, "--json")
        expected = cc.compare(TRUTH, GUESS).significance("rand", method=method)
        assert json.loads(ran.out)["parts"]["significance"]["rand"]["p"] == expected.p


def test_a_track_as_json_with_lasting_labels(run, sides):
    ran = run("track", *sides, "--relabel", "--json")
    expected = cc.track({"truth": TRUTH, "guess": GUESS}, relabel=True)
    assert json.loads(ran.out) == json.loads(expected.to_json())


def test_a_sample_size_as_json(run, sides):
    given = ["sample-size", sides[1], "--sampling", "records", "--within", "0.1"]
    found = json.loads(run(*given, "--json").out)["data"]
    assert f"draw {found['safe']} of {found['population']} records to be safe" in run(*given).out
    assert f"about {found['approximate']} if" in run(*given).out
    assert (found["sampling"], found["within"]) == ("records", 0.1)


def test_explanations_as_json(run):
    listed = {each["name"]: each for each in json.loads(run("indices", "--json").out)["data"]}
    assert json.loads(run("explain", "ARI", "--json").out)["data"]["index"] == "adjusted_rand"
    sections = json.loads(run("explain", "--choose", "--json").out)["data"]
    assert all(name in listed for some in sections.values() for each in some for name in each["names"])


def test_coreference_without_the_convention_of_the_scorer(run):
    key = '{"doc_key": "d", "clusters": [[[0, 0]]]}\n'
    write("key.jsonl", key)
    write("response.jsonl", key)
    zero, perfect = (
        json.loads(run("coref", "key.jsonl", "response.jsonl", *given, "--json").out)
        for given in ([], ["--undefined", "convention"])
    )
    assert zero != perfect


@pytest.mark.parametrize(
    ("option", "flag"),
    [
        ("--confidence 0.5", "--interval"),
        ("--tail lower", "--significance"),
        ("--method exact", "--significance"),
        ("--n-resamples 5", "--significance"),
        ("--seed 5", "--significance"),
    ],
)
def test_an_option_that_would_change_nothing_is_refused(run, fails, sides, option, flag):
    assert f"{option.split()[0]} has no effect without" in fails("compare", *sides, *option.split())
    assert run("compare", *sides, "-i", "rand", *option.split(), flag).status == 0


def test_the_level_of_a_diff_goes_with_intervals(fails, sides):
    given = ["--reference", sides[0], "--confidence", "0.5"]
    assert "--confidence has no effect without" in fails("diff", *sides, *given)


def test_an_estimate_has_a_page_about_the_indices_asked_for(run, sides, tmp_path):
    page = tmp_path / "estimate.html"
    run("estimate", *sides, "--sampling", "clusters", "-i", "bcubed_recall", "--html", str(page))
    assert "<span>B-cubed</span> recall of all records is" in page.read_text(encoding="utf-8")
