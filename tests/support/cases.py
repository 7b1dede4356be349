"""Cases of one test that differ only in their data.

pytest takes milliseconds for each test of its own, which is more than many such cases take.
"""

import inspect
from functools import wraps

import pytest


def every_case(names, values, ids=None):
    """As ``pytest.mark.parametrize``, but one test runs all cases; an error notes the case.

    Only for tests whose fixtures may be shared by all cases.
    """
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    cases = [_case(value, len(names)) for value in values]

    def decorated(test):
        @wraps(test)
        def run(**fixtures):
            for number, case in enumerate(cases):
                try:
                    test(**fixtures, **dict(zip(names, case, strict=True)))
                except BaseException as error:
                    error.add_note(f"case {number}: {_shown(ids, case)}")
                    raise

        signature = inspect.signature(test)
        left = [each for name, each in signature.parameters.items() if name not in names]
        run.__signature__ = signature.replace(parameters=left)
        return run

    return decorated


def _case(value, number):
    """The values of one case; also of one that is a `pytest.param`, of which marks are refused."""
    if isinstance(value, type(pytest.param())):
        assert not value.marks, "mark tests, not cases"
        return value.values
    return value if number > 1 else (value,)


def _shown(ids, case):
    return ", ".join(map(str, map(ids, case)) if callable(ids) else map(repr, case))
