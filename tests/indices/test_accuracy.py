"""Every index is accurate to twelve digits on hard tables; docs/internals/accuracy.md has the errors."""

from fractions import Fraction

import accuracy
from cases import every_case
from inner import INDICES

import concordant as cc
from concordant.errors import NotRationalError, TableNeededError

FAST = [case for case in accuracy.tables((10**15,)) if len(case[2]) == 2]
# Of fewer elements, the first table of each kind.
OF_FEWER = [case for case in accuracy.tables((10**6,)) if len(case[2]) == 2]
FAST += list({case[0]: case for case in reversed(OF_FEWER)}.values())


@every_case(("kind", "size", "table"), FAST)
def test_every_index_keeps_twelve_digits(kind, size, table):
    for name, error in accuracy.errors(table):
        assert error <= accuracy.LOOSER.get(name, accuracy.RULE), (kind, size, table, name, error)


def test_every_index_has_a_reference():
    """A formula of eighty digits, or its own exact value; those of covers are held in test_covers.py."""
    covered = {INDICES[name].name.partition("(")[0] for name in accuracy.formulas()}
    of_partitions = {name for name, index in INDICES.items() if index.sides != "covers"}
    profile = cc.Comparison.from_contingency([[2, 1], [1, 3]])._counts
    rational = {
        name
        for name in of_partitions - covered
        if INDICES["panoptic_quality"].views[0] in INDICES[name].views
    }
    assert all(isinstance(INDICES[name].exact(profile), Fraction) for name in rational)
    without = of_partitions - covered - rational - {"ami_models", "adjusted_rand_models"}
    assert not without, f"put the published formula of {sorted(without)} into tests/golden/formulas*.json"


def test_differences_of_sums_of_many_fractions_keep_their_digits():
    profile = accuracy.many_sizes()
    for name in ("frobenius", "goodman_kruskal_tau", "chi_square", "bcubed_f", "element_centric", "lea_f1"):
        index = INDICES[name]
        assert accuracy.relative_error(index.value(profile), index.exact(profile)) < accuracy.RULE, name


def test_rational_indices_are_right_to_the_last_digit():
    for kind, size, table in FAST:
        profile = cc.Comparison.from_contingency(table)._counts
        for index in INDICES.values():
            if index.on_request:
                continue
            try:
                exact = index.exact(profile)
            except (NotRationalError, TableNeededError):
                continue
            except ZeroDivisionError:
                continue
            assert index.value(profile) == float(exact), (kind, size, index.name)
