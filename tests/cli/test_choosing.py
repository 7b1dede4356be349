"""The advice names indices that exist, and says what the laws say."""

from cases import every_case
from inner import BY_DATA, BY_QUESTION, SECTIONS, SOFT_INDICES, TREE_INDICES, advice

from concordant import INDICES

ALL = [*BY_QUESTION, *BY_DATA]


@every_case("each", ALL, ids=lambda each: each.case)
def test_every_entry_names_indices_and_says_why_and_what_to_beware_of(each):
    assert each.names
    assert {*each.names} <= {*INDICES, *TREE_INDICES, *SOFT_INDICES}
    assert each.because.endswith(".")
    assert each.beware.endswith(".")


def test_the_advice_for_distances_names_metrics():
    (distances,) = (each for each in BY_QUESTION if "triangle" in each.case)
    for name in distances.names:
        assert INDICES[name].metric
        assert INDICES[name].direction == "distance"
    assert INDICES["nmi_joint"].metric
    assert INDICES["nmi_max"].metric
    assert not INDICES["nmi_arithmetic"].metric
    assert not INDICES["adjusted_rand"].metric


def test_the_advice_for_choosing_among_candidates_is_adjusted():
    (better,) = (each for each in BY_QUESTION if "better" in each.case)
    assert all(INDICES[name].adjusted for name in better.names)


def test_text():
    text = advice()
    assert all(len(line) <= 96 for line in text.splitlines())
    assert all(each.case in text for each in ALL)
    assert all(title.upper() in text for title in SECTIONS)
    assert text.endswith("\n")
