"""The percentage that long work shows on a terminal."""

import io
import itertools

import pytest
from commands import GUESS, TRUTH, table

from concordant.cli import output


@pytest.fixture
def percentages(run, monkeypatch):
    """Runs a command as on a terminal, and returns the percentages that its last display was given."""
    displays = []

    class Terminal(output.Console):
        is_terminal = True

        def __init__(self, **options):
            super().__init__(**options | {"file": io.StringIO(), "stderr": False})

    class Display(output.Progress):
        def __init__(self, *columns, **options):
            super().__init__(*columns, **options)
            displays.append([])

        def update(self, task, **fields):
            displays[-1].append(fields["done"])
            super().update(task, **fields)

    monkeypatch.setattr(output, "Console", Terminal)
    monkeypatch.setattr(output, "Progress", Display)
    table("truth.csv", TRUTH)
    table("guess.csv", GUESS)
    table("other.csv", dict(zip(TRUTH, "xxyyy", strict=True)))

    def percentages(*arguments):
        displays.clear()
        assert run(*arguments).status == 0
        return [int(text.removesuffix("%")) for text in [each for each in displays if each][-1]]

    return percentages


CANDIDATES = ["a=guess.csv", "b=other.csv"]
LONG = {
    "matrix": ["matrix", "truth.csv", "guess.csv", "other.csv"],
    "track": ["track", "truth.csv", "guess.csv", "other.csv"],
    "consensus": ["consensus", "truth.csv", "guess.csv", "other.csv"],
    "rank": ["rank", "truth.csv", *CANDIDATES],
    "suggest": ["suggest", "truth.csv", "guess.csv", "--steps", "1"],
    "interval": ["compare", "truth.csv", "guess.csv", "--interval", "-i", "f_measure", "-i", "bcubed_f"],
    "permutations": [
        *("compare", "truth.csv", "guess.csv", "--significance", "--method", "permutations"),
        *("-i", "f_measure", "-i", "bcubed_f", "--n-resamples", "50"),
    ],
}


@pytest.mark.parametrize("name", LONG)
def test_long_work_shows_a_percentage_that_grows_to_100(percentages, name):
    shown = percentages(*LONG[name])
    assert shown[-1] == 100
    assert all(before <= after for before, after in itertools.pairwise(shown))


def test_several_indices_share_one_percentage(percentages):
    shown = percentages(*LONG["permutations"])
    assert min(shown) <= 1
    assert 50 in shown
