"""Suggestions: the best single edits, against trying all of them on labels."""

from __future__ import annotations

import json
import re
from operator import ne
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fuzzing.suggestions import RANKING, best_values, compared
from inner import INDICES
from not_run import few
from universe import reordered

import concordant as cc
from concordant.errors import ConcordantError, InputError, TooLargeError

STREAM = json.loads((Path(__file__).parents[1] / "golden" / "edits.json").read_text(encoding="utf-8"))
TRUTH, GUESS = STREAM["truth"], STREAM["steps"][0]["guess"]


@pytest.mark.parametrize(
    ("kind", "name", "edit"),
    [
        ("merge", "merge", {"merge": (1, 2)}),
        ("split", "split_cell", {"split": {3: "c"}}),
        ("move", "move", {"move": {"r6": 4}}),
    ],
)
def test_the_golden_edits(kind: Any, name: str, edit: dict[str, Any]) -> None:
    c = cc.compare(TRUTH, GUESS)
    best = c.suggest("jaccard", kinds=(kind,))[0]
    assert best.arguments == edit
    assert (
        str(c.what_if(**best.arguments).exact("jaccard"))
        == (STREAM["best_single_edit_by_jaccard"][name]["value"])
    )


@pytest.mark.parametrize("index", ["bcubed_f", "adjusted_rand", "nmi_max"])
@pytest.mark.parametrize("seed", few(4, range(10)))
def test_what_if_takes_every_suggestion_and_none_is_about_records_in_no_cluster(
    index: str, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    u, v = rng.integers(-1, 3, (2, 7)).tolist()
    every_label = [-1, 0]  # so that there is noise on both sides
    noise = cc.compare(u + every_label, v + every_label[::-1], noise=-1, noise_as="singletons")
    lacking = cc.compare(dict(enumerate(u)), dict(enumerate(v, start=2)), unmatched="singletons")
    for c in (noise, lacking):
        edits = c.suggest(index, limit=None)
        assert [c.what_if(**each.arguments)[index] for each in edits] == [each.value for each in edits]
        assert all(None not in (each.cluster, each.reference) for each in edits)
        assert all((each.other is None) == (each.kind == "split") for each in edits)


@pytest.mark.parametrize("index", ["bcubed_f", "adjusted_rand", "variation_of_information"])
@pytest.mark.parametrize("noise", [None, -1], ids=["all", "noise"])
@pytest.mark.parametrize("seed", few(2, range(4)))
def test_the_gain_of_a_group_is_that_of_all_its_edits_made(index: str, noise: Any, seed: int) -> None:
    rng = np.random.default_rng(seed)
    u = np.sort(rng.integers(0, 120, 400))
    v = np.where(rng.random(400) < 0.7, u + 1000, rng.integers(1000, 1120, 400))
    v = np.where(rng.random(400) < 0.3, 1000 + (v - 1000) // 2 * 2, v)
    if noise is not None:
        v[rng.random(400) < 0.3] = noise
    u, v = u.tolist(), v.tolist()
    c = cc.compare(u, v, noise=noise, noise_as="cluster") if noise is not None else cc.compare(u, v)
    suggestions = c.suggest(index)
    assert suggestions.groups
    for number, group in enumerate(suggestions.groups):
        made = c.suggest(index)
        following = made.make_all(made.groups[number])
        records = sorted(following.compare().records(limit=None), key=lambda each: each.record)
        after = [each.candidate for each in records]
        assert [each.reference for each in records] == u
        value = cc.compare(u, after)[index]
        assert group.value == pytest.approx(value, abs=1e-12)
        assert following.value == pytest.approx(value, abs=1e-12)
        assert group.gain == pytest.approx(abs(value - c[index]), abs=1e-12)
        assert group.gain > 0
        clusters, changed = len({*after}) - len({*v}), sum(map(ne, v, after))
        assert clusters == {"split": group.n_edits, "merge": -group.n_edits}.get(group.kind, clusters)
        assert changed == group.size >= group.n_edits
        assert group.n_edits == changed or group.kind != "move"
        assert all((old == noise) == (new == noise) for old, new in zip(v, after, strict=True))
        assert f"{group.words}, together: " in str(suggestions)
        with pytest.raises(InputError, match="before the last edit"):
            made.make_all(made.groups[0])


def test_small_edits_are_not_listed_one_by_one() -> None:
    truth = np.arange(900) // 3
    c = cc.compare(truth, np.where(np.arange(900) % 3 == 2, truth + 5000, truth))
    suggestions = c.suggest()
    assert str(suggestions) == "bcubed_f 0.7143\n  300 single-record moves, together: 1.0000 (gain 0.2857)"
    assert len(suggestions) == 20
    assert suggestions.named == ()
    assert suggestions.make_all(suggestions.groups[0]).value == 1.0


def test_suggestions_for_records_without_names_refer_to_apply() -> None:
    move = cc.Comparison.from_contingency([[3, 1], [0, 2]]).suggest(kinds=("move",))[0]
    with pytest.raises(InputError, match="apply"):
        _ = move.arguments
    assert move.apply().value == move.value


@pytest.mark.parametrize(
    "index", ["bcubed_f", "adjusted_rand", "variation_of_information", "cluster_f", "muc_f1", "purity_f1"]
)
@pytest.mark.parametrize("seed", range(3))
def test_values_are_those_of_trying_every_edit_step_by_step(index: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    u, v = rng.integers(0, 4, 14).tolist(), rng.integers(0, 5, 14).tolist()
    suggestions = cc.compare(u, v).suggest(index, limit=None)
    for _ in range(4):
        assert suggestions.is_complete
        expected = best_values(u, v, INDICES[index])
        assert [each.value for each in suggestions] == pytest.approx(expected, abs=1e-12)
        if not suggestions:
            break
        suggestions = suggestions.apply()
        c = suggestions.compare()
        records = sorted(c.records(limit=None), key=lambda each: each.record)
        v = [each.candidate for each in records]
        assert suggestions.value == pytest.approx(cc.compare(u, v)[index], abs=1e-12)


# First one index for each kind of formula: that reads the same counts and has the same values at the ends.
KINDS = {(index.views, index.perfect, index.undefined): index.name for index in reversed(RANKING)}
BY_KIND = sorted(RANKING, key=lambda index: index.name not in KINDS.values())


@pytest.mark.parametrize("index", few(len(KINDS), BY_KIND), ids=lambda index: index.name)
def test_no_edit_of_few_elements_is_missed(index: Any) -> None:
    """Whatever the index, also where its formula is 0/0 before or after the edit, or the edit is perfect."""
    for u, v in (pair for size in (1, 2, 3) for pair, _ in reordered(size)):
        c = compared(tuple(u), tuple(v), "convention")
        suggestions = c.suggest(index.name, limit=None)
        assert suggestions.value == pytest.approx(c[index.name], abs=0, rel=0, nan_ok=True)
        assert [each.value for each in suggestions] == pytest.approx(best_values(u, v, index), abs=1e-12)


@pytest.mark.parametrize(
    ("u", "v", "index", "undefined", "values"),
    [
        ([0, 1], [0, 0], "f_measure", "convention", [1.0]),
        ([0, 1], [0, 0], "tversky", "convention", [1.0]),
        ([0, 1], [0, 0], "adapted_rand_error_of_pairs", "convention", [0.0]),
        ([0, 0], [0, 1], "adjusted_rand", "convention", [1.0, 1.0, 1.0]),
        ([0, 0, 1], [0, 1, 2], "precision", "nan", [1.0, 1.0, 1.0]),
        ([0, 0, 1], [0, 0, 0], "precision", "raise", [1.0]),
        ([0, 0, 1], [0, 0, 0], "bcubed_f", "conll", [1.0]),
    ],
)
def test_values_after_an_edit_follow_the_rule_for_undefined_values(
    u: Any, v: Any, index: str, undefined: Any, values: list[float]
) -> None:
    suggestions = cc.compare(u, v, undefined=undefined).suggest(index)
    assert [each.value for each in suggestions] == values
    assert suggestions.apply().compare()[index] == values[0]
    assert ("undefined before" in str(suggestions)) == (undefined == "nan")


def test_merges_and_splits_lead_to_the_truth() -> None:
    suggestions = cc.compare(TRUTH, GUESS).suggest("f_measure")
    while suggestions:
        suggestions = suggestions.apply()
    assert suggestions.value == 1.0
    assert suggestions.compare().changes(kind="1:n") == []
    assert "no edit that was considered" in str(suggestions)


def test_any_index_ranks_where_there_are_few_edits() -> None:
    best = cc.compare(TRUTH, GUESS).suggest("adjusted_mutual_information", limit=1)
    assert best[0].value == pytest.approx(max(best_values_of("adjusted_mutual_information")))


def best_values_of(index: str) -> list[float]:
    names = sorted(TRUTH)
    u, v = (
        np.unique([side[name] for name in names], return_inverse=True)[1].tolist() for side in (TRUTH, GUESS)
    )
    return best_values(u, v, INDICES[index])


def test_counts_without_records_are_edited_too() -> None:
    c = cc.Comparison.from_contingency([[2, 1], [0, 3]], names=(["a", "b"], ["x", "y"]))
    edits = c.suggest("jaccard")
    assert [(each.kind, each.cluster, each.other, each.record) for each in edits[:1]] == [
        ("move", "y", "x", None)
    ]
    assert edits.apply().value == 1.0


def test_suggestions_become_frames() -> None:
    rows = cc.compare(TRUTH, GUESS).suggest("jaccard", limit=2).to_frame("polars").to_dicts()
    assert [row["kind"] for row in rows] == ["move", "merge"]
    assert set(rows[0]) >= {"cluster", "other", "reference", "record", "size", "value", "gain"}


def test_a_notebook_shows_labels_as_they_are_and_leaves_out_what_an_edit_has_not() -> None:
    suggestions = cc.compare([1000, 1000, 2000], [5000, 6000, 6000]).suggest("jaccard", limit=None)
    cells = re.findall("<td[^>]*>(.*?)</td>", suggestions._repr_html_())
    shown = [tuple(cells[i : i + 5]) for i in range(0, len(cells), 8)]
    assert ("move", "6000", "5000", "1000", "1") in shown
    assert "(in no cluster)" not in cells
    merges = cc.compare([1, 1], [1000, 2000]).suggest("jaccard", kinds="merge")._repr_html_()
    splits = cc.compare([1000, 2000], [1, 1]).suggest("jaccard", kinds="split")._repr_html_()
    for shown, cells in ((merges, ["merge", "1000", "2000", "1"]), (splits, ["split", "1", "1000"])):
        assert re.findall("<td[^>]*>(.*?)</td>", shown)[: len(cells)] == cells
        assert "record</th>" not in shown  # no edit of these has one


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"index": "nothing"}, "no index"),
        ({"index": "chi_square"}, "neither higher"),
        ({"kinds": ("merge", "swap")}, "'merge', 'split' and 'move'"),
        ({"kinds": ()}, "'merge', 'split' and 'move'"),
        ({"limit": -1}, "the number to list"),
    ],
)
def test_what_cannot_be_suggested_is_refused(arguments: dict[str, Any], text: str) -> None:
    with pytest.raises(ConcordantError, match=text):
        cc.compare(TRUTH, GUESS).suggest(**arguments)


def test_old_suggestions_are_not_applied() -> None:
    edits = cc.compare(TRUTH, GUESS).suggest()
    edits.apply()
    with pytest.raises(InputError, match="before the last edit"):
        edits[1].apply()
    with pytest.raises(InputError, match="nothing to apply"):
        cc.compare(TRUTH, TRUTH).suggest().apply()


def test_the_most_promising_edits_are_tried_if_there_are_too_many() -> None:
    rng = np.random.default_rng(0)
    overlaps = [*range(8 * 60), *rng.integers(0, 8 * 60, 150).tolist()]  # all, and some of them more often
    c = cc.compare([each % 8 for each in overlaps], [each // 8 for each in overlaps])
    assert not c.suggest().is_complete
    assert c.suggest(kinds="split", limit=None).is_complete == (len(c.table) <= 300)
    for index in ("bcubed_f", "adjusted_rand", "v_measure"):
        assert c.suggest(index, limit=3)[0].gain >= 0.95 * c.suggest(index, limit=None)[0].gain
    for index in (
        each
        for each in RANKING
        if each.views in (INDICES["rand"].views, INDICES["variation_of_information"].views)
    ):
        best = c.suggest(index.name, limit=1)[0]
        assert best.apply().compare()[index.name] == pytest.approx(best.value, abs=1e-12), index.name


def test_only_a_perfect_value_is_shown_as_perfect() -> None:
    almost = cc.Comparison.from_contingency([[10**8, 1, 1], [0, 0, 10**8]])
    distances = almost.suggest("variation_of_information")
    assert 0 < distances[0].value < distances.value < 5e-5
    assert str(distances).startswith("variation_of_information <0.0001\n")
    assert ": <0.0001 (" in str(distances[0])


def test_the_command(tmp_path: Path, run: Any) -> None:
    for name, side in (("truth", TRUTH), ("guess", GUESS)):
        lines = [f"{record},{label}" for record, label in side.items()]
        (tmp_path / f"{name}.csv").write_text("\n".join(["id,label", *lines]) + "\n", encoding="utf-8")
    files = [str(tmp_path / "truth.csv"), str(tmp_path / "guess.csv")]
    shown = run("suggest", *files, "-i", "jaccard", "--kind", "merge").out
    assert shown.splitlines()[:3] == [
        "jaccard 0.2857",
        "  merge candidate cluster '2' (1 record) into candidate cluster '1': 0.5714",
        "    (gain 0.2857)",
    ]
    made = run("suggest", *files, "-i", "jaccard", "--steps", "2").out
    assert made.splitlines()[-1] == "jaccard 1.0000"
    applied = json.loads(run("suggest", *files, "-i", "jaccard", "--steps", "2", "--json").out)["data"][
        "rows"
    ]
    document = json.loads(run("suggest", *files, "-i", "jaccard", "--json").out)["data"]["rows"]
    assert document[0] == {
        "kind": "move",
        "cluster": "3",
        "other": "4",
        "record": "r6",
        "reference": "c",
        "size": 1,
        "value": 0.6,
        "gain": pytest.approx(0.6 - 2 / 7),
    }
    assert applied[0] == document[0]
    unnamed = json.loads(run("suggest", *files, "-i", "jaccard", "--engine", "auto", "--json").out)["data"][
        "rows"
    ]
    assert unnamed[0] == {**document[0], "record": None}


def test_an_index_that_reads_the_whole_table_refuses_a_large_one() -> None:
    c = cc.Comparison.from_contingency(np.ones((450, 450), dtype=int))
    with pytest.raises(TooLargeError, match="from 202,500 overlaps for each edit"):
        c.suggest("adjusted_mutual_information")
    assert c.suggest("purity")


def test_sizes_may_be_beyond_those_that_floats_tell_apart() -> None:
    best = cc.Comparison.from_contingency([[10**20, 10**20], [0, 10**20]]).suggest()[0]
    assert (best.kind, best.size) == ("split", 10**20)
    assert best.value == cc.Comparison.from_contingency([[1, 1, 0], [0, 0, 1]]).bcubed_f
    with pytest.raises(TooLargeError, match="more than 120 digits"):
        cc.Comparison.from_contingency([[10**125, 1], [0, 10**125]]).suggest()
