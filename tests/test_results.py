"""What every result can do, whatever it holds."""

import json
import subprocess
import sys
from dataclasses import dataclass

import pandas as pd
import polars as pl
import pytest

from concordant.errors import MissingExtraError, ParameterError
from concordant.results import Result


@dataclass(frozen=True, slots=True)
class Measured(Result):
    name: str
    value: float
    _hidden: int = 0


def test_the_fields_of_a_dataclass_are_its_content():
    result = Measured("a\nb", float("nan"))
    assert list(result.to_dict()) == ["name", "value"]
    assert json.loads(result.to_json()) == {"name": "a\nb", "value": None}
    assert str(result) == "name  value\na\\nb    nan"
    assert "<td" in result._repr_html_()


@pytest.mark.parametrize(("backend", "kind"), [("pandas", pd.DataFrame), (pl, pl.DataFrame)])
def test_a_dataframe_of_the_library_that_is_asked_for(backend, kind):
    frame = Measured("a", 0.5).to_frame(backend)
    assert isinstance(frame, kind)
    assert list(frame.columns) == ["name", "value"]


FIRST = """
import sys
sys.modules |= dict.fromkeys({missing!r})
{before}
from concordant.results import as_frame
try:
    print(type(as_frame({{"a": [1]}})).__module__.partition(".")[0])
except ImportError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("missing", "before", "expected"),
    [
        ([], "", "pandas"),
        ([], "import polars", "polars"),
        (["pandas"], "", "polars"),
        (["pandas", "polars", "pyarrow"], "", "install pandas, Polars or PyArrow"),
    ],
)
def test_the_library_that_is_imported_comes_first(missing, before, expected):
    script = FIRST.format(missing=missing, before=before)
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)  # noqa: S603  (a script of our own)
    assert expected in ran.stdout


def test_an_unknown_library():
    with pytest.raises(ParameterError, match="did you mean 'pandas'"):
        Measured("a", 0.5).to_frame("panda")
    with pytest.raises(MissingExtraError, match="modin"):
        Measured("a", 0.5).to_frame("modin")
