"""Sides that do not hold the same elements: unmatched="keep", against definitions and the official scorer."""

import json
import random
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import fsum, isclose, isnan, log, nan, sqrt
from pathlib import Path

import numpy as np
import pytest
import universe
from cases import every_case
from inner import INDICES, PartialOverlap

import concordant as cc
from concordant.errors import ParameterError, TooLargeError, UndefinedError, UnmatchedError

DEFINED = [index for index in INDICES.values() if index.partial_overlap]
SCORER = json.loads((Path(__file__).parents[1] / "golden" / "coreference.json").read_text())
NAMES = {
    "muc": ("muc_recall", "muc_precision", "muc_f1"),
    "bcub": ("bcubed_recall", "bcubed_precision", "bcubed_f"),
    "ceafm": ("ceaf_m_recall", "ceaf_m_precision", "ceaf_m_f1"),
    "ceafe": ("ceaf_e_recall", "ceaf_e_precision", "ceaf_e_f1"),
    "blanc": ("blanc_recall", "blanc_precision", "blanc"),
    "lea": ("lea_recall", "lea_precision", "lea_f1"),
}
KEY = [{"a", "b", "c"}, {"d", "e"}, {"f"}]
RESPONSE = [{"a", "b", "x"}, {"d"}, {"y", "z"}]


def sets(clusters):
    return [set(cluster) for cluster in clusters]


@every_case("case", SCORER, ids=lambda case: f"{case['key']} / {case['response']}"[:60])
def test_the_official_scorers_own_cases(case):
    c = cc.compare(sets(case["key"]), sets(case["response"]), unmatched="keep", undefined="conll")
    for measure, expected in case["expected"].items():
        wanted = [Fraction(expected[what]) for what in ("recall", "precision", "f")]
        assert [c[name] for name in NAMES[measure]] == pytest.approx([float(w) for w in wanted], abs=1e-15)


@pytest.mark.parametrize(
    "compared",
    [
        cc.compare([{1, 2}, {3}], [{1}, {4}], unmatched="keep"),
        cc.compare([0, 0, 0], [0, 1, 2]),
        cc.compare([0, 0, 0], [0, 1, 2], weights=[1, 2, 3]),
        cc.compare([{1}, {2}], cc.Cover.from_clusters([{1, 2}, {2}])),
    ],
    ids=lambda c: c._counts.kind,
)
def test_tables_mark_as_undefined_what_the_comparison_lists(compared):
    frame = compared.to_frame(backend="pandas")
    assert compared.undefined
    assert tuple(frame["index"][frame["undefined"]]) == compared.undefined


@cache
def profiles_as_partial_overlap():
    """All profiles of up to five elements, in two orders of their clusters; made once for all indices."""
    sizes = range(universe.LARGEST + 1)
    profiles = [each for size in sizes for _, orders in universe.reordered(size) for each in orders[:2]]
    return [(profile, PartialOverlap.of_profile(profile)) for profile in profiles]


@pytest.mark.parametrize("index", DEFINED, ids=lambda index: index.name)
def test_equal_to_the_partitions_value_where_both_sides_hold_the_same(index):
    for profile, partial in profiles_as_partial_overlap():
        assert partial.identical == profile.identical
        assert index.value(partial) == index.value(profile)
        assert index.value(partial, "conll") == index.value(profile, "conll")


def test_with_nobody_unmatched_every_index_is_there():
    kept, plain = (cc.compare(KEY, KEY[::-1], unmatched=unmatched) for unmatched in ("keep", "error"))
    assert kept.to_dict() == plain.to_dict()


def links(clusters):
    return {frozenset(pair) for cluster in clusters for pair in combinations(sorted(cluster), 2)}


def other_links(clusters):
    mentions = sorted(set().union(*clusters))
    return {frozenset(pair) for pair in combinations(mentions, 2)} - links(clusters)


def share(part, whole):
    return Fraction(part, whole) if whole else None


def by_definition(key, response):
    """A few measures by walking over mentions and links; None where nothing is asked."""
    own, other = links(key), links(response)
    mentions = set().union(*key)
    bcubed = sum(
        Fraction(len(cluster & found), len(cluster))
        for cluster in key
        for mention in cluster
        for found in response
        if mention in found
    )
    best = [max((Fraction(2 * len(c & d), len(c) + len(d)) for d in response), default=0) for c in key]
    partition = [len(c - set().union(*response)) + sum(bool(c & d) for d in response) for c in key]
    found = sum(map(len, key)) - sum(partition)
    return {
        "recall": share(len(own & other), len(own)),
        "bcubed_recall": bcubed / len(mentions) if mentions else None,
        "muc_recall": share(found, sum(map(len, key)) - len(key)),
        "larsen_aone": sum(best) / Fraction(len(best)) if best else None,
        "cluster_recall": share(sum(c in response for c in key), len(key)),
    }


@every_case("seed", range(60))
def test_measures_by_their_definitions(seed):
    random = np.random.default_rng(seed)
    key, response = (
        [set(np.flatnonzero(labels == k).tolist()) for k in range(4) if (labels == k).any()]
        for labels in random.integers(0, 6, (2, 12))
    )
    c = cc.compare(key, response, unmatched="keep")
    for name, wanted in by_definition(key, response).items():
        assert wanted is None or c.exact(name) == wanted, name
        mirrored = by_definition(response, key)[name]
        assert mirrored is None or c.exact(INDICES[name].mirror) == mirrored, name
    assert c.pairs.n00 == len(other_links(key) & other_links(response))
    assert c.pairs.apart_in_reference == len(other_links(key))
    assert c.pairs.apart_in_candidate == len(other_links(response))


def test_an_index_that_needs_the_same_elements_says_what_to_do():
    c = cc.compare(KEY, RESPONSE, unmatched="keep")
    with pytest.raises(UnmatchedError, match=r"adjusted_rand is defined.*unmatched='drop'.*'singletons'"):
        c["adjusted_rand"]
    with pytest.raises(UnmatchedError, match="element_centric"):
        cc.element_centric(KEY, RESPONSE, unmatched="keep")
    assert set(c.to_dict()) == {index.name for index in DEFINED}
    assert cc.conll(KEY, RESPONSE, unmatched="keep") == c.conll


def test_keep_is_neither_drop_nor_singletons():
    found = {
        unmatched: cc.compare(KEY, RESPONSE, unmatched=unmatched).conll
        for unmatched in ("keep", "drop", "singletons")
    }
    assert len(set(found.values())) == 3


def test_printing_pages_and_changes_work(tmp_path):
    c = cc.compare(KEY, RESPONSE, unmatched="keep")
    assert "unmatched=keep" in c.signature
    assert "only_reference=3" in c.signature
    assert "n=9 K=3 L=3" in c.signature
    assert "left out: all indices that need two partitions of the same records" in f"{c:all}"
    assert "exactly right" not in str(c)  # the profile has clusters that neither side has
    assert "but not the same" in str(cc.compare([{"a"}, {"b"}], [{"a"}], unmatched="keep"))
    assert c.changes()
    assert c.clusters()[0].size == 3
    assert c.to_html(tmp_path / "page.html").stat().st_size > 1000
    missed = sum(change.missed for change in c.changes(limit=None))
    wrong = sum(change.wrong for change in c.changes(limit=None))
    assert (missed, wrong) == (c.pairs.n10, c.pairs.n01)


def test_mappings_and_clusters_alike():
    def mapping(clusters):
        return {element: k for k, cluster in enumerate(clusters) for element in cluster}

    c = cc.compare(mapping(KEY), mapping(RESPONSE), unmatched="keep")
    assert c.to_dict() == cc.compare(KEY, RESPONSE, unmatched="keep").to_dict()


def test_an_empty_side_has_a_value_everywhere():
    for key, response in ((KEY, {}), ({}, KEY)):
        c = cc.compare(
            cc.Partition.from_clusters(key), cc.Partition.from_clusters(response), unmatched="keep"
        )
        assert all(0 <= value <= 1 for value in c.to_dict().values())
        assert c.conll == c.bcubed_f == c.blanc == 0


def test_the_official_zero_is_a_dialect_and_not_the_rule():
    alone = [{"a"}, {"b"}]
    assert cc.muc_f1(alone, alone) == 1
    assert cc.muc_f1(alone, alone, undefined="conll") == 0
    assert cc.rand(alone, alone, undefined="conll") == 1  # the scorer does not know it
    one = [{"a", "b"}]
    assert isclose(cc.blanc(one, alone), 0)
    with pytest.raises(ParameterError, match="'conll'"):
        cc.compare(one, one, undefined="zero")


def rows(clusters):
    pairs = [(record, f"c{k}") for k, cluster in enumerate(clusters) for record in sorted(cluster)]
    return {"record": [record for record, _ in pairs], "cluster": [label for _, label in pairs]}


def sides_of(kind, key, response, folder):
    def frame(clusters):
        return polars.DataFrame(rows(clusters), schema={"record": polars.String, "cluster": polars.String})

    polars, partition = pytest.importorskip("polars"), cc.Partition
    columns = {"record": "record", "cluster": "cluster"}
    if kind == "frame":
        return [partition.from_frame(frame(side), **columns) for side in (key, response)]
    if kind == "lazy":
        return [partition.from_frame(frame(side).lazy(), **columns) for side in (key, response)]
    paths = [folder / "key.parquet", folder / "response.parquet"]
    for side, path in zip((key, response), paths, strict=True):
        numbered = frame(side).with_columns(polars.col("cluster").str.slice(1).cast(polars.Int64))
        (numbered if kind == "integers" else frame(side)).write_parquet(path)
    return [partition.scan(path, **columns) for path in paths]


def random_sides(seed):
    random = np.random.default_rng(seed)
    return (
        [{f"r{i}" for i in np.flatnonzero(labels == k)} for k in range(8) if (labels == k).any()]
        for labels in random.integers(0, 12, (2, 25))
    )


@pytest.mark.parametrize("kind", ["frame", "lazy", "files", "integers"])
@pytest.mark.parametrize("seed", range(3))
def test_every_source_keeps_what_lists_of_sets_keep(kind, seed, tmp_path):
    key, response = random_sides(seed)
    there = cc.compare(*sides_of(kind, key, response, tmp_path), unmatched="keep", undefined="conll")
    here = cc.compare(key, response, unmatched="keep", undefined="conll")
    assert there.to_dict() == here.to_dict()
    assert there.pairs == here.pairs
    assert replace(there.summary(), headline="") == replace(here.summary(), headline="")  # it names labels
    assert "unmatched=keep" in there.signature


def test_an_engine_that_may_not_hand_over_the_table_answers_what_sizes_tell(tmp_path):
    key, response = random_sides(0)
    sides = sides_of("files", key, response, tmp_path)
    c = cc.compare(*sides, unmatched="keep", table_limit=0)
    here = cc.compare(key, response, unmatched="keep")
    assert c.bcubed_f == here.bcubed_f
    assert c.blanc == here.blanc
    assert "ceaf_e_f1" in c.on_request
    assert "average_f1" in c.on_request
    assert "which clusters were split and merged is not shown" in str(c)
    with pytest.raises(TooLargeError, match="table_limit"):
        c["average_f1"]


def test_an_engine_refuses_to_keep_some_and_single_out_others(tmp_path):
    sides = sides_of("files", KEY, RESPONSE, tmp_path)
    with pytest.raises(ParameterError, match=r"nulls='singletons'.*dataframes in memory"):
        cc.compare(*sides, unmatched="keep", nulls="singletons")


@pytest.mark.parametrize(("u", "v"), [({1: 0}, {2: 0}), ({1: 0, 2: 0}, {3: 0, 4: 0}), ({1: 0, 2: 0}, {3: 0})])
def test_nothing_in_common_is_not_identical_and_scores_nothing(u, v):
    c = cc.compare(u, v, unmatched="keep")
    text = str(c)
    assert "identical" not in text
    for name in c:
        index = INDICES[name]
        if index.perfect is not None:
            assert c[name] != index.perfect, name


def test_what_one_side_lacks_is_no_cluster_of_it(tmp_path):
    """Neither kept nor split off, whatever it is on the other side; also on the page and in the flow."""
    key, response = [{"a"}, {"b", "c"}, {"d", "e", "f"}], [{"a"}, {"d", "e"}, {"z"}, {"x", "y"}]
    c = cc.compare(key, response, unmatched="keep")
    assert str(c.changes()).splitlines() == [
        "1 × 1:1, 1 × 1:1 changed, 0 × 1:n, 0 × n:1, 0 × n:m, 1 × 1:0, 2 × 0:1",
        "  1:0 reference 1 (2); 2 memberships missed",
        "  0:1 candidate 3 (2); 2 memberships wrong",
        "  1:1 changed reference 2 (3) as candidate 1 (2); 1 membership missed",
        "  0:1 candidate 2 (1); 1 membership wrong",
        "  1:1 reference 0 (1) as candidate 0 (1)",
    ]
    assert c.changes(kind="1:1")[0].overlaps[0].examples == ("a",)
    verdicts = {each.cluster: each.verdict for each in c.clusters(side="candidate")}
    assert verdicts == {0: "exact", 1: "nearly", 2: "scattered", 3: "scattered"}
    assert c.summary().reference.clusters["exact"] == 1
    flow = c._report_data().flow
    assert [node.size for node in flow.rows if node.is_outside] == [3]
    assert flow.counts.sum() == 9
    page = c.to_html(tmp_path / "page.html").read_text(encoding="utf-8")
    assert "1 × 1:0" in page
    assert all(f'id="r{node.place}"' in page for node in flow.rows if node.has_card)
    assert "2 × 0:1" in " ".join(f"{c:all}".split())


@pytest.mark.parametrize("seed", range(8))
def test_changes_of_different_sets_are_those_of_covers(seed):
    rng = random.Random(seed)
    sides = []
    for _ in range(2):
        held = rng.sample(range(14), 9)
        sides.append([set(held[:3]), set(held[3:5]), {held[5]}, set(held[6:])])
    found = cc.compare(*sides, unmatched="keep")
    wanted = cc.compare(*map(cc.Cover.from_clusters, sides))
    for kind in found.changes().counts:
        own, other = ([(x.size, x.missed, x.wrong) for x in c.changes(kind=kind)] for c in (found, wanted))
        assert sorted(own) == sorted(other)
    assert {(x.cluster, x.verdict) for x in found.clusters()} == {
        (x.cluster, x.verdict) for x in wanted.clusters()
    }
    own, other = (replace(c.summary(), headline="", indices={}) for c in (found, wanted))
    assert str(own) == str(other)


# -- indices built from others -----------------------------------------------------------------------------


def harmonic_mean(*values):
    return 0.0 if 0 in values else len(values) / fsum(1 / value for value in values)


def mean(*values):
    return fsum(values) / len(values)


COMPOSED = {
    "f_measure": (harmonic_mean, "precision", "recall"),
    "v_measure": (harmonic_mean, "homogeneity", "completeness"),
    "purity_f1": (harmonic_mean, "purity", "inverse_purity"),
    "bcubed_f": (harmonic_mean, "bcubed_precision", "bcubed_recall"),
    "bcubed_f_macro": (harmonic_mean, "bcubed_precision_macro", "bcubed_recall_macro"),
    "cluster_f": (harmonic_mean, "cluster_precision", "cluster_recall"),
    "closest_cluster_f1": (harmonic_mean, "closest_cluster_precision", "closest_cluster_recall"),
    "muc_f1": (harmonic_mean, "muc_precision", "muc_recall"),
    "ceaf_m_f1": (harmonic_mean, "ceaf_m_precision", "ceaf_m_recall"),
    "ceaf_e_f1": (harmonic_mean, "ceaf_e_precision", "ceaf_e_recall"),
    "lea_f1": (harmonic_mean, "lea_precision", "lea_recall"),
    "object_f1": (harmonic_mean, "object_precision", "object_recall"),
    "adjusted_rand": (harmonic_mean, "adjusted_wallace_precision", "adjusted_wallace_recall"),
    "average_f1": (mean, "larsen_aone", "larsen_aone_of_candidate"),
    "symmetric_best_dice": (min, "larsen_aone", "larsen_aone_of_candidate"),
    "balanced_accuracy": (mean, "recall", "specificity"),
    "kulczynski": (mean, "precision", "recall"),
    "conll": (mean, "muc_f1", "bcubed_f", "ceaf_e_f1"),
    "panoptic_quality": (lambda s, r: s * r, "segmentation_quality", "recognition_quality"),
    "cremi_score": (lambda s, m, e: sqrt((s + m) / log(2) * e), "vi_split", "vi_merge", "adapted_rand_error"),
}


def few_elements():
    """All pairs of partitions of up to four elements, and of partial partitions of up to three."""
    for size in range(5):
        yield from universe.profiles(size)
    for size in range(4):
        for sides in product(universe.partial_partitions(size), repeat=2):
            yield universe.partial_overlap(*sides)


def reported(index, counts, undefined):
    try:
        return index.value(counts, undefined)
    except UndefinedError:
        return nan


@pytest.mark.parametrize("name", COMPOSED)
def test_an_index_built_from_others_follows_their_conventions(name):
    compose, *parts = COMPOSED[name]
    index, parts = INDICES[name], [INDICES[part] for part in parts]
    for counts in few_elements():
        if all(counts.kind in each.kinds for each in (index, *parts)):
            for undefined in ("convention", "conll"):
                wanted = compose(*(part.value(counts, undefined) for part in parts))
                assert isclose(index.value(counts, undefined), wanted, abs_tol=1e-12), (counts, undefined)


@pytest.mark.parametrize("undefined", ["nan", "raise", "convention", "conll"])
def test_a_mean_of_indices_is_undefined_where_one_of_them_is(undefined):
    (index,) = (index for index in INDICES.values() if index.mean_of)
    for counts in few_elements():
        value = reported(index, counts, undefined)
        wanted = mean(*(reported(part, counts, undefined) for part in index.mean_of))
        assert isclose(value, wanted, abs_tol=1e-12) or (isnan(value) and isnan(wanted))
        if undefined == "convention":
            assert isclose(index.exact(counts), value, abs_tol=1e-12)


def test_sides_without_a_common_mention_have_no_score():
    c = cc.compare({"a": 1}, {"b": 1}, unmatched="keep")
    assert c.conll == c.muc_f1 == c.bcubed_f == c.ceaf_e_f1 == 0
    assert "conll" in c.undefined
    assert cc.coreference([[["a"]]], [[["b"]]], undefined="convention").conll == 0
