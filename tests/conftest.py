"""Settings that all tests share."""

import pytest
from hypothesis import settings

# The machine may be busy: how long an example takes says nothing about whether it is right.
settings.register_profile("concordant", deadline=None)
settings.load_profile("concordant")


@pytest.fixture
def fails(run):
    """Runs a command that must fail by itself: status 2, one line that starts with our name."""

    def fails(*arguments, stdin=b""):
        ran = run(*arguments, stdin=stdin)
        assert ran.status == 2
        assert ran.out == ""
        assert ran.err.startswith("concordant: ")
        assert ran.err.count("\n") == 1
        return ran.err

    return fails
