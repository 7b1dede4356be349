"""Labels that one side treats as noise, against the same partitions relabelled by hand."""

import math
import warnings

import numpy as np

import concordant as cc

_LABELS = 5
_TREATMENTS = "cluster", "singletons", "drop", "background"


def _policies(random):
    """What becomes of some labels of each side; background and singletons do not go together."""
    other = random.choice(["background", "singletons"])
    allowed = [each for each in _TREATMENTS if each != other]
    return [
        {label: random.choice(allowed) for label in range(_LABELS) if random.random() < 0.4} for _ in range(2)
    ]


def treated_labels(random):
    """Values, pair counts and numbers of clusters are those of the partitions that a person would make."""
    size = random.randrange(1, 40)
    sides = [[random.randrange(_LABELS) for _ in range(size)] for _ in range(2)]
    policies = _policies(random)
    treatments = [
        [policy.get(label, "cluster") for label in labels]
        for labels, policy in zip(sides, policies, strict=True)
    ]
    kept = [record for record in range(size) if "drop" not in (treatments[0][record], treatments[1][record])]
    has_background = any("background" in (side[record] for record in kept) for side in treatments)
    by_hand = []
    for labels, treatment in zip(sides, treatments, strict=True):
        alone = {record: f"noise {record}" for record in kept if treatment[record] == "singletons"}
        held = [record for record in kept if treatment[record] != "background"]
        by_hand.append({record: alone.get(record, labels[record]) for record in held})
    if not kept or not any(by_hand):
        return
    given = {f"{side}_noise": each for side, each in zip(("reference", "candidate"), policies, strict=True)}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "no label equals")  # a side may lack a label by chance
        found = cc.compare(*(np.array(labels) for labels in sides), **given)
    expected = cc.compare(*by_hand, unmatched="keep" if has_background else "error")
    for name in found.keys():  # noqa: SIM118  (names, not values)
        one, other = found[name], expected[name]
        assert math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9) or (one != one and other != other), name  # noqa: PLR0124
    pairs = [(each.pairs.n11, each.pairs.n10, each.pairs.n01) for each in (found, expected)]
    assert pairs[0] == pairs[1]
    data = found._report_data()
    assert (data.changes.total_missed, data.changes.total_wrong) == pairs[0][1:]
    clusters = [len({label for label in side.values() if not isinstance(label, str)}) for side in by_hand]
    summary = found.summary()
    assert [summary.reference.n_clusters, summary.candidate.n_clusters] == clusters
    assert str(found)


TARGETS = [treated_labels]
