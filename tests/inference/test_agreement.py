"""The interval and the p-value of one result agree: p <= alpha if and only if the interval excludes 0."""

import numpy as np
from cases import every_case

import concordant as cc

UNIT = np.repeat(np.arange(24), [3, 5, 4, 8, 3, 6, 20, 4, 5, 4, 3, 7] * 2)
FLIPS = {"n_resamples": 199}


def labels(seed):
    """The truth and two systems, which are better or worse by chance."""
    random = np.random.default_rng(seed)
    truth = 4 * UNIT + random.integers(0, 4, len(UNIT))
    shares = random.random(2) * [0.2, 0.8]
    return truth, *(
        np.where(random.random(len(UNIT)) < share, 4 * UNIT + random.integers(0, 4, len(UNIT)), truth)
        for share in shares
    )


def comparisons(seed):
    truth, one, other = labels(seed)
    return cc.compare(truth, one), cc.compare(truth, other)


def of_comparisons(index, **options):
    def given(seed):
        c, d = comparisons(seed)
        return lambda **how: c.versus(d, index, **FLIPS, **options, **how)

    return given


def of_labelled(index, sampling="clusters", **options):
    """Two candidates on a sample of labelled clusters."""

    def given(seed):
        truth, one, other = labels(seed)
        drawn = np.unique(truth)[::2]
        sample = {k: int(truth[k]) for k in np.flatnonzero(np.isin(truth, drawn)).tolist()}
        e, f = (cc.estimate(sample, candidate, sampling=sampling, **options) for candidate in (one, other))
        return lambda **how: e.versus(f, index, **FLIPS, **how)

    return given


def of_ranking(index):
    def given(seed):
        truth, one, other = labels(seed)
        systems = {"one": one, "other": other}
        options = {"baseline": "other", "unit": UNIT, "correction": None, **FLIPS}
        return lambda **how: cc.rank(truth, systems, index, **options, **how)["one", index]

    return given


RESULTS = {
    "records": of_comparisons("f_measure"),
    "records, a distance": of_comparisons("rand_distance"),
    "components": of_comparisons("bcubed_f"),
    "units": of_comparisons("f_measure", unit=UNIT),
    "units, a mean": of_comparisons("bcubed_recall", unit=UNIT),
    "units, a distance": of_comparisons("rand_distance", unit=UNIT),
    "units of known sizes": of_comparisons("f_measure", unit=UNIT, unit_sizes=[21, 22, *[5] * 300]),
    "labelled clusters": of_labelled("cluster_recall"),
    "labelled clusters of a finite population": of_labelled("bcubed_precision", population=60),
    "labelled clusters, adjusted": of_labelled("adjusted_rand", "records", n_draws=60),
    "ranking": of_ranking("f_measure"),
}


@every_case("name", RESULTS)
def test_p_and_the_interval_agree(name):
    decided = set()
    for seed in range(3):
        result = RESULTS[name](seed)
        p = result().p
        for alpha in {0.5, 0.05, 0.01, *(x for x in (0.999 * p, 1.001 * p) if 0.001 < x < 0.99)}:
            found = result(confidence=1 - alpha, margin=0.07)
            excludes = not found.low <= 0 <= found.high
            assert found.p == p
            assert (p <= alpha) == excludes, (seed, alpha)
            assert (found.outcome in ("better", "worse")) == excludes
            decided.add(excludes)
            # One-sided: at half the level.
            loss = found.high if cc.INDICES[found.index].direction == "distance" else -found.low
            assert (found.p_noninferior <= alpha / 2) == (loss < 0.07), (seed, alpha)
            assert found.p_equivalent >= found.p_noninferior
    assert decided == {True, False}
