"""The interface follows its grammar: one test for each rule of tests/support/grammar.py."""

import importlib.util
import json
from pathlib import Path

import grammar
import pytest
from vocabulary import unused_exceptions


@pytest.mark.parametrize("rule", grammar.RULES)
def test_rule(rule):
    assert sorted(grammar.problems_of(rule)) == []


def test_exceptions_are_needed():
    """An exception of tests/contract/grammar.toml that nothing needs is removed."""
    assert unused_exceptions({rule: grammar.raw_problems_of(rule) for rule in grammar.RULES}) == []


@pytest.fixture(scope="module")
def script():
    path = Path(__file__).parents[2] / "scripts" / "make_interface.py"
    spec = importlib.util.spec_from_file_location("make_interface", path)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script


def test_the_listing_of_the_interface(script):
    assert script.PATH.read_text(encoding="utf-8").splitlines() == list(script.lines()), (
        "run: python scripts/make_interface.py"
    )


def test_a_change_of_the_interface_is_in_the_changelog(script):
    found = script.digests(
        script.PATH.read_text(encoding="utf-8"), script.CHANGELOG.read_text(encoding="utf-8")
    )
    recorded = json.loads(script.RECORD.read_text(encoding="utf-8"))
    assert recorded["listing"] == found["listing"], (
        "the interface changed: add a line to CHANGELOG.md, then run: python scripts/make_interface.py"
    )


def test_only_the_newest_section_of_the_changelog_describes_a_change(script):
    before = script.digests("f()", "# Changelog\n\n## 2\n\nnew\n\n## 1\n\nold\n")
    assert script.is_described(before, before)
    assert script.is_described(before, script.digests("f()", "# Changelog\n\n## 2\n\nnewer\n\n## 1\n\nold\n"))
    assert not script.is_described(
        before, script.digests("g()", "# Changelog\n\n## 2\n\nnew\n\n## 1\n\nolder\n")
    )
    assert script.is_described(
        before, script.digests("g()", "# Changelog\n\n## 2\n\nnew; g\n\n## 1\n\nold\n")
    )
