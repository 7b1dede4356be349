"""The headline names what dominates, and every count on the first screen is that of the indices."""

import json
import re
from html import unescape
from itertools import combinations

import numpy as np
import polars as pl
import pytest
from cases import every_case
from inner import INDICES, percent
from scipy.optimize import linear_sum_assignment
from situations import SITUATIONS, lump
from universe import kinds

import concordant as cc


def made(situation):
    return SITUATIONS[situation][0]()


def sentences_on_page(c, folder):
    """What the page reports of each of the worst clusters."""
    page = c.to_html(folder / "page.html").read_text("utf-8")
    found = re.findall(r'<p class="sentence">(.*?)</p>', page)
    return [unescape(re.sub(r"<[^>]*>", "", each)) for each in found]


def noisy(share, **options):
    """Six clusters of 50, of which the candidate merges two and calls this share of the records noise."""
    truth = np.repeat(np.arange(6), 50)
    found = np.where(truth == 2, 1, truth)
    found[np.arange(300) % 50 < share * 50] = -1
    return cc.compare(truth, found, noise=-1, **options)


def test_a_mask_leaves_out_nothing_that_is_missing():
    truth = np.repeat(np.arange(10), 50)
    found = np.where(truth == 9, 8, truth)
    sentence = cc.compare(truth, found, where=truth >= 5).headline
    assert sentence.startswith("Candidate cluster 8 merges reference clusters 8 and 9")


# -- against the definition -----------------------------------------------------------------------------


def pairs_of(labels):
    groups = {}
    for record, label in enumerate(labels):
        groups.setdefault(label, []).append(record)
    return {pair for members in groups.values() for pair in combinations(members, 2)}


def misplaced(u, v):
    table = np.array(
        [
            [sum(pair == (x, y) for pair in zip(u, v, strict=True)) for y in sorted(set(v))]
            for x in sorted(set(u))
        ]
    )
    return len(u) - int(table[linear_sum_assignment(table, maximize=True)].sum())


def check_first_screen(c, u, v):
    """Every number, label and word in the headline is that of the definition, with sets of pairs."""
    sentence = c.headline
    missed, wrong = pairs_of(u) - pairs_of(v), pairs_of(v) - pairs_of(u)
    assert len(sentence.split()) <= 16
    if not missed and not wrong:
        assert "identical" in sentence
        return
    if "than chance" in sentence:
        assert c.adjusted_rand < 0.01
        return
    charged = {
        (side, label): sum(own[i] == label == own[j] for i, j in errors)
        for side, own, errors in (("Reference", u, missed), ("Candidate", v, wrong))
        for label in set(own)
    }
    worst = max(charged, key=charged.get)
    is_one = 2 * charged[worst] > len(missed | wrong)
    if holds := re.match(
        r"(Reference|Candidate) cluster (\d+) (?:is split|merges|mixes) .* holds (\S+) ", sentence
    ):
        assert (holds[1], int(holds[2])) == worst
        assert is_one
        total = len(missed if worst[0] == "Reference" else wrong)
        assert holds[3] == ("all" if charged[worst] == total else percent(charged[worst], total))
        return
    number, size = misplaced(u, v), len(u)
    extent = re.match(
        r"(\S+) of (?:(\d+) records|(?:the )?records) (?:is|are) in the wrong cluster", sentence
    )
    assert extent[1] == (str(number) if extent[2] else percent(number, size))
    if named := re.search(r"(from reference|candidate) clusters? (.*)", sentence):
        assert is_one or len(missed) * 3 < 2 * len(missed | wrong) > len(wrong) * 3 / 2
        assert {*map(int, re.findall(r"\d+", named[2]))} <= {*(u if "from" in named[1] else v)}
    elif by := re.search(r", (only|mostly) by (splitting|merging)", sentence):
        part = len(missed if by[2] == "splitting" else wrong)
        assert 3 * part >= 2 * len(missed | wrong)
        assert (part == len(missed | wrong)) == (by[1] == "only")
    elif "alike" in sentence:
        assert not is_one
        assert 3 * max(len(missed), len(wrong)) < 2 * len(missed | wrong)


def test_every_pair_of_partitions_of_five():
    for u, v in kinds(5):
        check_first_screen(cc.compare(list(u), list(v)), list(u), list(v))


@every_case("seed", range(60))
def test_random_partitions(seed):
    source = np.random.default_rng(seed)
    size, clusters = int(source.integers(6, 60)), int(source.integers(2, 9))
    u = source.integers(0, clusters, size)
    v = np.where(source.random(size) < source.random(), source.integers(0, clusters, size), u)
    u, v = u.tolist(), (v // int(source.integers(1, 3)) + 100).tolist()
    check_first_screen(cc.compare(u, v), u, v)


# -- the indices below it ---------------------------------------------------------------------------------

ENTITIES = ("precision", "recall", "bcubed_f", "cluster_recall")
CLUSTERS = ("adjusted_rand", "adjusted_mutual_information", "precision", "recall")
LARGE = cc.compare(np.arange(300) // 30, np.arange(300) // 31)
SMALL = cc.compare(np.arange(300) // 3, np.arange(300) // 2)


def shown_indices(c, folder, **options):
    """The indices at the top of the text, the notebook and the page, in order."""
    page = c.to_html(folder / "page.html", **options).read_text("utf-8")
    top = page[page.index('class="key-numbers"') :].partition("<nav")[0]
    titles = {index.title: name for name, index in INDICES.items()}
    on_page = [titles[title] for title in re.findall(r"<span>(.*?)(?:, by convention)?</span>", top)]
    notebook = c._repr_html_().partition("<details>")[0]
    in_notebook = re.findall(r"<br><span style=\"[^\"]*\">(\w+)", notebook)
    in_text = re.findall(r"(?m)^  (\w+) +[\d.>—-]+  [█▏▎▍▌▋▊▉·│ ◂]+(?:chance .*|\[.*)$", str(c))
    return tuple(on_page), tuple(in_notebook), tuple(in_text)


def test_four_indices_fit_the_data(tmp_path):
    image = np.arange(400).reshape(20, 20) // 40
    covers = [cc.Cover.from_clusters([[1, 2, 3], [3, 4]]), cc.Cover.from_clusters([[1, 2], [3, 4]])]
    key = {"d": [{"a", "b", "c"}, {"d", "e"}]}
    cases = [
        (LARGE, CLUSTERS),
        (SMALL, ENTITIES),
        (
            cc.compare(image, np.roll(image, 3)),
            ("panoptic_quality", "segmentation_quality", "recognition_quality", "object_average_precision"),
        ),
        (cc.compare(*covers), ("omega", "onmi_max", "extended_bcubed_f")),
        (
            cc.coreference(key, {"d": [{"a", "b"}, {"c", "d", "e"}]}).comparison,
            ("conll", "muc_f1", "bcubed_f", "ceaf_e_f1"),
        ),
    ]
    for c, expected in cases:
        assert c.headline_indices == expected
        for names in shown_indices(c, tmp_path):
            assert names == expected


def test_the_median_decides_what_entities_are():
    sizes = [4] * 3 + [90] * 2
    assert cc.compare(*[np.repeat(np.arange(5), sizes)] * 2).headline_indices == ENTITIES
    sizes = [5] * 3 + [1] * 2
    assert cc.compare(*[np.repeat(np.arange(5), sizes)] * 2).headline_indices == CLUSTERS


def test_the_caller_chooses_others(tmp_path, run):
    chosen = ["rand", "f_measure(beta=2)"]
    page = LARGE.to_html(tmp_path / "page.html", indices=chosen).read_text("utf-8")
    top = page[page.index('class="key-numbers"') :].partition("<nav")[0]
    values = re.findall(r"<b>(.*?)</b>", top)
    assert values == [f"{LARGE[name]:.4f}" for name in chosen]
    assert list(LARGE.summary(indices=chosen).to_dict()["indices"]) == chosen
    assert list(LARGE.summary(indices="rand").to_dict()["indices"]) == ["rand"]
    for name, labels in (("u", np.arange(60) // 6), ("v", np.arange(60) // 7)):
        (tmp_path / f"{name}.csv").write_text("".join(f"r{i},{x}\n" for i, x in enumerate(labels)))
    files = [str(tmp_path / "u.csv"), str(tmp_path / "v.csv"), "--no-header"]
    run("compare", *files, "-i", "rand", "--html", str(tmp_path / "cli.html"))
    page = (tmp_path / "cli.html").read_text("utf-8")
    top = page[page.index('class="key-numbers"') :].partition("<nav")[0]
    assert re.findall(r"<span>(.*?)</span>", top) == [INDICES["rand"].title]


def test_intervals_only_if_the_records_are_a_sample(tmp_path):
    plain = LARGE.to_html(tmp_path / "page.html").read_text("utf-8")
    assert "% interval" not in plain.partition("<nav")[0] + str(LARGE.summary())
    page = LARGE.to_html(tmp_path / "page.html", interval=True).read_text("utf-8").partition("<nav")[0]
    summary = LARGE.summary(interval=True).to_dict()["indices"]
    for name in CLUSTERS:
        found = LARGE.interval(name)
        assert f"<small>95% interval {found.low:.4f} to {found.high:.4f}</small>" in page
        assert (summary[name]["low"], summary[name]["high"]) == (found.low, found.high)
        assert f"({found.low:.4f} to {found.high:.4f})" in str(LARGE.summary(interval=True))
    units = np.arange(300) // 60
    page = LARGE.to_html(tmp_path / "page.html", unit=units.tolist()).read_text("utf-8")
    found = LARGE.interval("precision", unit=units.tolist())
    words = f"{found.low:.4f} to {found.high:.4f}" if found.estimable else "not estimable from this sample"
    assert words in page.partition("<nav")[0]


def test_the_headline_is_part_of_the_data():
    assert LARGE.headline == LARGE.summary().to_dict()["headline"]
    assert json.loads(LARGE.to_json())["headline"] == LARGE.headline
    assert str(LARGE.summary()).startswith(LARGE.headline)


# -- records outside of clusters ----------------------------------------------------------------------------


@pytest.mark.parametrize("treatment", ["cluster", "singletons"])
def test_noise_is_on_the_first_screen(tmp_path, treatment):
    c = noisy(0.6, noise_as=treatment)
    words = "5 clusters and 180 noise records (60%)"
    text = " ".join(str(c).split())
    assert "against 5 clusters of 20 to 40 and 180 noise records (60%)" in text
    assert f"{words} in the candidate" in c._repr_html_()
    page = c.to_html(tmp_path / "page.html").read_text("utf-8")
    assert f"{words} in the candidate" in page.partition("<nav")[0]
    nodes = [node for node in c._report_data().flow.columns if node.is_hatched and node.size == 180]
    assert len(nodes) == 1
    assert '<i class="outside" style="flex:0.60000 1 0"></i>' in page
    assert '<b>noise</b> <span class="quiet">180 records, 60%</span>' in page
    assert sum(c.summary().candidate.clusters.values()) == 5
    assert c.summary().candidate.in_no_cluster == 180


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("treatment", ["cluster", "singletons"])
def test_noise_is_not_counted_among_the_clusters_of_its_side(tmp_path, side, treatment):
    labels = [[i // 10 for i in range(60)], [-1 if i % 10 < 2 else i // 10 for i in range(60)]]
    c = cc.compare(*labels[:: 1 if side else -1], noise=-1, noise_as=treatment)
    page = c.to_html(tmp_path / "page.html").read_text("utf-8").partition("<nav")[0]
    title = ("reference", "candidate")[side]
    assert f"6 clusters and 12 noise records (20%) in the {title}" in page
    assert " of 7 " not in c.headline
    summary = c.summary()
    for each in (summary.reference, summary.candidate):
        assert each.n_clusters == 6
    assert (summary.reference, summary.candidate)[side].in_no_cluster == 12
    assert '<b>noise</b> <span class="quiet">12 records, 20%</span>' in page


@pytest.mark.parametrize("treatment", ["cluster", "singletons"])
def test_the_errors_of_a_cluster_are_a_share_of_all_errors(treatment):
    """Noise has errors too, and if it has most of them, no cluster is the main failure."""
    rng, found = np.random.default_rng(0), set()
    for _ in range(20):
        u = rng.integers(0, 4, 40)
        v = np.where(u == 3, rng.integers(8, 10, 40), u) if rng.random() < 0.5 else np.maximum(u, 2)
        u, v = (np.where(np.append(rng.random(39) < 0.06, True), -1, each).tolist() for each in (u, v))
        c = cc.compare(u, v, noise=-1, noise_as=treatment)
        by_side = {"missed": ("reference", c.pairs.n10), "wrong": ("candidate", c.pairs.n01)}
        for text in (c.headline, " ".join(str(c).split()).partition("Fix first:")[2].partition(";")[0]):
            for label, share, kind in re.findall(
                r"cluster (\d+).* holds (all|\d+%)(?: of the)? (\w+) pairs", text
            ):
                side, total = by_side[kind]
                (score,) = (each for each in c.clusters(None, side=side) if each.cluster == int(label))
                cost = getattr(score, kind)
                assert share == ("all" if cost == total else percent(cost, total))
                found.add(kind)
        others = sum(
            (u[i] == u[j]) != (v[i] == v[j])
            for i, j in combinations(range(40), 2)
            if -1 not in (u[i], u[j], v[i], v[j])
        )
        if 2 * others < c.pairs.n10 + c.pairs.n01:
            assert "noise" in c.headline
    assert found == {"missed", "wrong"}


def test_a_share_is_the_same_in_the_sentence_and_below_the_bar(tmp_path):
    """134 of 400 are 33.5%: alone it is rounded up, among other shares it could be rounded down."""
    truth = {i: i // 40 for i in range(400)}
    c = cc.compare(truth, {i: x for i, x in truth.items() if i % 3}, unmatched="singletons")
    page = c.to_html(tmp_path / "page.html").read_text("utf-8").partition("<nav")[0]
    assert "134 missing records (34%)" in page
    assert '<b>only in the reference</b> <span class="quiet">134 records, 34%</span>' in page
    assert "Clusters are judged with all their records, also those that the other side lacks." in page


def test_clusters_with_noise_and_background_have_natural_sentences(tmp_path):
    truth = [0] * 20 + [1] * 20 + [2] * 20
    found = [0] * 20 + [1] * 8 + [-1] * 12 + [2] * 10 + [-1] * 10
    assert sentences_on_page(cc.compare(truth, found, noise=-1, noise_as="cluster"), tmp_path) == [
        "Candidate noise mixes reference clusters 1 and 2",
        "Reference cluster 2 is split over candidate cluster 2 and noise",
        "Reference cluster 1 is split over candidate cluster 1 and noise",
    ]
    zero = {0: "background"}
    pixels = np.array([[0, 0, 1, 1, 1, 1], [2, 2, 2, 2, 3, 3]])
    other = np.array([[1, 1, 1, 1, 1, 0], [2, 2, 3, 3, 3, 0]])
    c = cc.compare(pixels, other, reference_noise=zero, candidate_noise=zero)
    sentences = sentences_on_page(c, tmp_path)
    assert "Candidate object 1 holds reference object 1, and 2 pixels of no object" in sentences
    assert "Reference object 1 is in candidate object 1, and 1 of its pixels in no object" in sentences


def test_records_in_no_cluster_have_no_cards(tmp_path):
    zero, pixels = {0: "background"}, np.arange(48).reshape(6, 8) // 6
    other = np.where(np.arange(48).reshape(6, 8) % 5 == 0, 0, pixels)
    c = cc.compare(pixels, other, reference_noise=zero, candidate_noise=zero)
    page = c.to_html(tmp_path / "page.html").read_text("utf-8")
    assert page.count('<details class="cluster"') == 14


# -- what to do ---------------------------------------------------------------------------------------------


def test_the_best_edit_is_on_the_first_screen(tmp_path):
    sides = [0] * 20 + [1] * 20 + [2] * 20, ["a b"] * 40 + ["8"] * 20
    c = cc.compare(*sides)
    edit = c.suggest(limit=1)[0]
    page = unescape(c.to_html(tmp_path / "page.html").read_text("utf-8").partition("<nav")[0])
    plain = re.sub(r"<[^>]*>", "", page)
    assert (
        "Fix first: split candidate cluster a b: take out 20 records of reference cluster 0; "
        f"{edit._of.objective} becomes {edit.value:.4f} (+{edit.gain:.4f})." in plain
    )
    assert '<a href="#suggestions">' in page
    assert page.index("Fix first") < page.index('class="key-numbers"')
    c = cc.compare(*sides, names=("person", "run"))
    page = unescape(c.to_html(tmp_path / "page.html").read_text("utf-8"))
    advice = page.partition("Fix first: ")[2].partition(";")[0]
    assert re.sub(r"<[^>]*>", "", advice) == "split run cluster a b: take out 20 records of person cluster 0"
    assert re.findall(r'href="#(\w+)"', advice) == ["c0", "r0"]


def test_the_largest_gain_is_advised_first():
    """On the digits, the best single edit gains 0.0252, and all moves together 0.2254."""
    c = made("digits")
    (gain,) = re.findall(r"Fix first: .*? \(\+(\S+)\)", " ".join(str(c).split()))
    suggestions = c.suggest()
    assert float(gain) == pytest.approx(max(suggestions[0].gain, suggestions.groups[0].gain), abs=5e-5)


def test_a_lump_is_split_apart_first():
    c = made("a lump")
    advised = " ".join(str(c).split())
    words = "Fix first: split candidate cluster -7, which holds all wrong pairs (596 records)"
    assert words in advised
    u, v = lump()
    after = cc.compare(u, np.where(v == -7, u + 200_000, v))
    assert f"{words}; bcubed_f becomes {after.bcubed_f:.4f} (+{after.bcubed_f - c.bcubed_f:.4f})" in advised


def test_a_split_is_described_by_its_smaller_part():
    truth, found = list("a" * 30 + "bbbcccc" + "d" * 20), list("x" * 37 + "y" * 20)
    edits = [each for each in cc.compare(truth, found).suggest(limit=None) if each.kind == "split"]
    assert {each.size for each in edits} == {3, 4, 7}
    assert any("take out the 7 records not of reference cluster 'a'" in str(each) for each in edits)
    for each in edits:
        assert cc.compare(truth, found).what_if(**each.arguments).bcubed_f == pytest.approx(each.value)


@pytest.mark.parametrize("treatment", ["singletons", "keep"])
def test_no_advice_makes_a_correct_cluster_wrong(treatment):
    """The candidate is right about each record that the reference has, and has others as well."""
    whole = {i: i // 20 for i in range(200)}
    known = {i: label for i, label in whole.items() if not (label < 5 and i % 20 < 12)}
    text = " ".join(str(cc.compare(known, whole, unmatched=treatment)).split())
    assert "Both sides agree on the other 140 records; the verdicts below judge whole clusters" in text
    assert "Fix first" not in text


def test_small_edits_are_advised_together(tmp_path):
    truth = np.arange(6000) // 3
    found = np.where(np.arange(6000) % 3 == 2, truth + 5000, truth)
    c = cc.compare(truth, found)
    words = "2,000 single-record moves, together"
    advice = f"Fix first: {words}; bcubed_f becomes 1.0000 (+0.2857)"
    page = c.to_html(tmp_path / "page.html").read_text("utf-8")
    assert f"{advice}. <a" in page.partition("<nav")[0]
    assert f"<td>{words}</td>" in page
    assert advice in " ".join(str(c).split())
    assert advice in c._repr_html_()
    assert "2,000 single-record moves, together" in c.suggest()._repr_html_()
    assert "move record" not in page


def test_noise_records_are_not_advised():
    for treatment in ("cluster", "singletons"):
        c = noisy(0.6, noise_as=treatment)
        assert "Fix first: split candidate cluster 1: take out 20 records" in str(c)
        for edit in c.suggest(limit=None):
            assert {edit.cluster, edit.other} - {None} <= set(range(6))


LUMP = {"reference": list("aaabbbcccddddd"), "candidate": [6] * 9 + [7] * 3 + [-1] * 2}
ADVISED = {
    "noise": lambda: cc.compare(*LUMP.values(), noise=-1, noise_as="singletons"),
    "noise in a cluster": lambda: cc.compare(*LUMP.values(), noise=-1, noise_as="cluster"),
    "null labels": lambda: cc.compare(
        LUMP["reference"], [None if x == -1 else x for x in LUMP["candidate"]], nulls="singletons"
    ),
    "a table with names": lambda: cc.Comparison.from_contingency(
        [[3, 0], [3, 0], [3, 0], [0, 5]], names=(list("abcd"), [6, 7])
    ),
    "a lazy frame": lambda: cc.compare(
        pl.DataFrame(LUMP | {"candidate": [6] * 9 + [7] * 3 + [None] * 2}).lazy(),
        columns=list(LUMP),
        nulls="singletons",
    ),
    "a table without names": lambda: cc.Comparison.from_contingency([[3, 0], [3, 0], [3, 0], [0, 5]]),
}


@pytest.mark.parametrize("make", ADVISED.values(), ids=ADVISED)
def test_a_fix_names_the_cluster_that_suggestions_name(make, tmp_path):
    c = make()
    (cluster,) = {edit.cluster for edit in c.suggest(kinds="split", limit=3)}
    page = re.sub(r"<[^>]*>", "", c.to_html(tmp_path / "page.html").read_text("utf-8"))
    for text in (str(c), c._repr_html_(), page):
        advice = " ".join(text.split()).partition("Fix first: ")[2].partition(";")[0]
        assert advice.startswith(f"split candidate cluster {cluster}, ")


def test_nothing_is_advised_for_chance():
    u, v = np.random.default_rng(1).integers(0, 9, (2, 5000))
    assert "Fix first" not in str(cc.compare(u, v))


def test_no_interval_contradicts_the_value_above_it(tmp_path):
    """The adjusted mutual information of a population has no chance in it, so its interval may exclude it."""
    random = np.random.default_rng(0)
    u = random.integers(0, 6, 300)
    c = cc.compare(u, np.where(random.random(300) < 0.6, 1000 + np.arange(300), u))
    found = c.interval("adjusted_mutual_information")
    assert found.value < found.low
    c.to_html(tmp_path / "page.html", indices=["adjusted_rand", "ami"], interval=True)
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert f"{found.low:.4f} to" not in page
    assert f"{c.interval('adjusted_rand').low:.4f} to" in page


def test_nothing_is_to_be_fixed_if_both_sides_agree_as_by_chance(tmp_path):
    c = cc.compare(*np.random.default_rng(5).integers(0, 7, (2, 4000)).tolist())
    assert "no more similar than chance" in c.headline
    page = c.to_html(tmp_path / "page.html").read_text("utf-8")
    assert 'id="suggestions"' not in page
    assert 'href="#suggestions"' not in page
