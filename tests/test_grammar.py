"""The interface follows its grammar: one test for each rule of tests/grammar.py."""

import importlib.util
from pathlib import Path

import grammar
import pytest
from vocabulary import unused_exceptions


@pytest.mark.parametrize("rule", grammar.RULES)
def test_rule(rule):
    assert sorted(grammar.problems_of(rule)) == []


def test_exceptions_are_needed():
    """An exception of docs/grammar.toml that nothing needs is removed."""
    assert unused_exceptions({rule: grammar.raw_problems_of(rule) for rule in grammar.RULES}) == []


def test_the_listing_of_the_interface():
    path = Path(__file__).parents[1] / "scripts" / "make_interface.py"
    spec = importlib.util.spec_from_file_location("make_interface", path)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert script.PATH.read_text(encoding="utf-8").splitlines() == list(script.lines()), (
        "run: python scripts/make_interface.py"
    )
