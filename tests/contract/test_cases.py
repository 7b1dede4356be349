"""One test runs all its cases, and an error notes which of them failed."""

import inspect

import pytest
from cases import every_case


def test_all_cases_run_and_the_one_that_fails_is_named():
    seen = []

    @every_case("low, high", [(1, 2), pytest.param(3, 4), (6, 5)])
    @every_case("factor", [1, 10], ids="times {}".format)
    def check(low, high, factor, fixture):
        seen.append((low, high, factor, fixture))
        assert low * factor < high * factor

    assert list(inspect.signature(check).parameters) == ["fixture"]
    with pytest.raises(AssertionError) as failed:
        check(fixture="shared")
    assert seen == [
        *((1, 2, 1, "shared"), (1, 2, 10, "shared"), (3, 4, 1, "shared"), (3, 4, 10, "shared")),
        (6, 5, 1, "shared"),
    ]
    assert failed.value.__notes__ == ["case 0: times 1", "case 2: 6, 5"]
