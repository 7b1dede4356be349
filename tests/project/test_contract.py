"""The runner of the checks of the text reports what a check yields, and what it raises."""

import contract.__main__ as runner
import pytest


@pytest.fixture(autouse=True)
def _checks(monkeypatch):
    """Checks of a module that is not one of the project."""

    def two_problems():
        yield "README.md:7: a word"
        yield "a problem without a place"

    def error():
        yield from [1 / 0]

    monkeypatch.setattr(runner, "MODULES", ())
    monkeypatch.setattr("gc.disable", lambda: None)
    monkeypatch.setattr(runner, "CHECKS", {"m:two": two_problems, "m:error": error, "n:good": lambda: ()})


def test_a_problem_has_a_file_and_a_line(capsys):
    assert runner.main(["m"]) == 1
    out = capsys.readouterr().out
    assert "README.md:7: a word  [m:two]" in out
    assert "tests/project/test_contract.py:11: a problem without a place  [m:two]" in out
    assert "ZeroDivisionError: division by zero  [m:error]" in out
    assert out.endswith("2 checks of the text, 2 failed\n")


def test_checks_are_chosen_by_name(capsys):
    assert runner.main(["n:good"]) == 0
    assert capsys.readouterr().out == "1 checks of the text, 0 failed\n"
    with pytest.raises(SystemExit, match="m:tow: no such check"):
        runner.main(["m:tow", "n"])
