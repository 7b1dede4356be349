"""Cases of one test that differ only in their data.

pytest takes milliseconds for each test of its own, which is more than many such cases take.
"""

import inspect
from functools import wraps

import pytest

SHOWN = 3  # failures with their traceback


def every_case(names, values, ids=None):
    """As ``pytest.mark.parametrize``, but one test runs all cases; its failure lists those that fail.

    Only for tests whose fixtures may be shared by all cases.
    """
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    cases = [_case(value, len(names)) for value in values]

    def decorated(test):
        @wraps(test)
        def run(**fixtures):
            failed = {}
            for number, case in enumerate(cases):
                try:
                    test(**fixtures, **dict(zip(names, case, strict=True)))
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001  (all are reported)
                    failed[f"case {number}: {_shown(ids, case)}"] = error
            _report(failed, len(cases))

        signature = inspect.signature(test)
        left = [each for name, each in signature.parameters.items() if name not in names]
        run.__signature__ = signature.replace(parameters=left)
        return run

    return decorated


def _report(failed, number):
    """Raise the error of the only case that fails, or a group with the first ones; notes name the cases."""
    for case, error in failed.items():
        error.add_note(case)
    if len(failed) == 1:
        raise next(iter(failed.values()))
    if failed:
        shown = "\n".join(f"{case}: {' '.join(str(error).split())[:200]}" for case, error in failed.items())
        first = list(failed.values())[:SHOWN]
        raise BaseExceptionGroup(f"{len(failed)} of {number} cases fail:\n{shown}\nThe first ones", first)


def _case(value, number):
    """The values of one case; also of one that is a `pytest.param`, of which marks are refused."""
    if isinstance(value, type(pytest.param())):
        assert not value.marks, "mark tests, not cases"
        return value.values
    return value if number > 1 else (value,)


def _shown(ids, case):
    return ", ".join(map(str, map(ids, case)) if callable(ids) else map(repr, case))
