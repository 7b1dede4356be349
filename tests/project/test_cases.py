"""One test runs all its cases, and its failure lists those that fail."""

import inspect

import pytest
from cases import every_case


def test_all_cases_run_and_those_that_fail_are_listed():
    seen = []

    @every_case("low, high", [(1, 2), pytest.param(6, 5), (3, 4), (8, 7)])
    @every_case("factor", [1, 10], ids="times {}".format)
    def check(low, high, factor, fixture):
        seen.append((low, high, factor, fixture))
        assert low != 6 or factor == 1, "with ten alone"
        assert low < 8

    assert list(inspect.signature(check).parameters) == ["fixture"]
    with pytest.raises(BaseExceptionGroup) as failed:
        check(fixture="shared")
    assert seen == [
        (*pair, factor, "shared") for pair in [(1, 2), (6, 5), (3, 4), (8, 7)] for factor in (1, 10)
    ]
    assert failed.value.message.startswith("2 of 4 cases fail:\ncase 1: 6, 5: with ten alone")
    one, both = failed.value.exceptions
    assert one.__notes__ == ["case 1: times 10", "case 1: 6, 5"]
    assert [each.__notes__ for each in both.exceptions] == [["case 0: times 1"], ["case 1: times 10"]]
