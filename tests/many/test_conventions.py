"""Every printed result names the conventions that can change it."""

import inspect

import pytest

import concordant as cc
from concordant.errors import NothingLeftError

TRUTH = dict(enumerate([0, 0, 0, 1, 1, 1, 2, 2, -1, -1, -1, -1]))
ONE = dict(enumerate([0, 0, 1, 1, 1, 1, 2, -1, -1, -1, 2, -1]))
OTHER = dict(enumerate([0, 0, 0, 1, 1, -1, 2, 2, 2, 2, 2, 2]))

# Options that can change a value: what to pass, what is done to the partitions, and what has to be printed.
OPTIONS = {
    "noise": ({"noise": -1, "noise_as": "singletons"}, "noise=-1 as singletons"),
    "unmatched": ({"unmatched": "drop"}, "unmatched=drop"),
    "nulls": ({"nulls": "singletons"}, "nulls=singletons"),
    "undefined": ({"undefined": "nan"}, "undefined=nan"),
    "reference_noise": ({"reference_noise": {-1: "drop"}}, "-1 as drop (reference: 4)"),
    "candidate_noise": ({"candidate_noise": {-1: "singletons"}}, "-1 as singletons (candidate: "),
    "where": ({"where": [True] * 11 + [False]}, "where=mask"),
    "weights": ({"weights": [2.0] * 12}, "weights=total 24"),
}


def runs(**options):
    return [labels(each, **options) for each in (TRUTH, ONE, OTHER)]


def labels(partition, **options):
    return list(partition.values()) if "where" in options or "weights" in options else partition


def compared(**options):
    return cc.compare(labels(TRUTH, **options), labels(ONE, **options), **options)


# Each kind of result, and the function that takes the options.
RESULTS = {
    "comparison": (cc.compare, lambda **options: format(compared(**options), "all")),
    "significance": (cc.compare, lambda **options: compared(**options).significance("rand", seed=1)),
    "interval": (cc.compare, lambda **options: compared(**options).interval("rand")),
    "adjusted": (cc.compare, lambda **options: compared(**options).adjusted("rand")),
    "versus": (
        cc.compare,
        lambda **options: compared(**options).versus(
            cc.compare(labels(TRUTH, **options), labels(OTHER, **options), **options), "rand"
        ),
    ),
    "rank": (
        cc.rank,
        lambda **options: cc.rank(
            labels(TRUTH, **options),
            {"one": labels(ONE, **options), "other": labels(OTHER, **options)},
            "rand",
            **options,
        ),
    ),
    "diff": (
        cc.diff,
        lambda **options: cc.diff(labels(TRUTH, **options), labels(ONE, **options), **options),
    ),
    "diff with a truth": (
        cc.diff,
        lambda **options: cc.diff(
            labels(ONE, **options), labels(OTHER, **options), reference=labels(TRUTH, **options), **options
        ),
    ),
    "matrix": (cc.matrix, lambda **options: cc.matrix(runs(**options), **options)),
    "matrices": (cc.matrix, lambda **options: cc.matrix(runs(**options), ["rand", "jaccard"], **options)),
    "track": (cc.track, lambda **options: cc.track([TRUTH, ONE, OTHER], **options)),
    "consensus": (cc.consensus, lambda **options: cc.consensus([TRUTH, ONE, OTHER], **options)),
    "references": (
        cc.compare_references,
        lambda **options: cc.compare_references(
            [labels(TRUTH, **options), labels(OTHER, **options)], labels(ONE, **options), **options
        ),
    ),
}
# Weighted elements have no tests, and comparisons with per-side labels have no records to pair.
# Other functions take every input option, and refuse those that cannot change what they count.
REFUSED = {
    ("rank", "where"),
    *(
        (result, option)
        for result in ("track", "consensus")
        for option in ("unmatched", "undefined", "weights")
    ),
    *((result, "weights") for result in ("significance", "interval", "adjusted", "versus")),
    *(("versus", f"{side}_noise") for side in ("reference", "candidate")),
}
CASES = [
    (result, option)
    for result, (function, _) in RESULTS.items()
    for option in OPTIONS
    if option in inspect.signature(function).parameters and (result, option) not in REFUSED
]


@pytest.mark.parametrize(("result", "option"), CASES, ids=map("-".join, CASES))
def test_every_convention_is_printed(result, option, tmp_path):
    make, (given, words) = RESULTS[result][1], OPTIONS[option]
    assert words not in str(make())
    found = make(**given)
    assert words in " ".join(str(found).split())
    if hasattr(found, "_repr_html_"):
        assert words in found._repr_html_()
    if hasattr(found, "to_json"):
        assert words in found.to_json()
    if hasattr(found, "to_html"):
        assert words in found.to_html(tmp_path / "page.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("result", sorted({result for result, _ in REFUSED}))
def test_what_is_not_printed_is_refused(result):
    for name, option in REFUSED:
        if name == result:
            with pytest.raises(cc.ConcordantError):
                RESULTS[result][1](**OPTIONS[option][0])


def test_partitions_may_have_conventions_of_their_own():
    noise = {"noise": -1, "noise_as": "singletons"}
    own = [cc.Partition.from_mapping(each, **noise) for each in (TRUTH, ONE, OTHER)]
    words = "noise=-1 as singletons"
    assert words in str(cc.matrix(own))
    assert words in " ".join(str(cc.track(own)).split())
    assert words in str(cc.consensus(own))
    assert words in str(cc.diff(own[0], own[1]))
    assert words in str(cc.diff(own[0], own[1], reference=own[2]))
    assert words in cc.rank(own[0], {"one": own[1], "other": own[2]}, "rand").signature
    estimates = cc.estimate(TRUTH, own[1], sampling="clusters")
    assert words in str(estimates)
    assert words in str(estimates.f_measure)


def test_options_of_a_consensus():
    found = cc.consensus([TRUTH, ONE, OTHER], vi_weight=0.5, clustering_weights=[1, 2, 3])
    assert "vi_weight=0.5 | clustering_weights=given" in str(found)


MASKED = {
    "compare": lambda **options: cc.compare(*runs(**options)[:2], **options),
    "diff": lambda **options: cc.diff(*runs(**options)[:2], **options),
    "diff with reference": lambda **options: cc.diff(
        *runs(**options)[:2], reference=labels(OTHER, **options), **options
    ),
    **{
        function.__name__: lambda function=function, **options: function(runs(**options), **options)
        for function in (cc.matrix, cc.track, cc.stability, cc.consensus)
    },
    "compare_references": lambda **options: cc.compare_references(
        runs(**options), labels(ONE, **options), **options
    ),
    "rand": lambda **options: cc.rand(*runs(**options)[:2], **options),
}


@pytest.mark.parametrize("call", MASKED.values(), ids=MASKED)
def test_a_mask_that_leaves_nothing_is_an_error(call):
    with pytest.raises(NothingLeftError, match="the mask where= leaves out"):
        call(where=[False] * 12)
