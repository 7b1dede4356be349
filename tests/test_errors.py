"""Errors: options are data, spelled as the reader writes them."""

import copy
import pickle

import pytest

import concordant as cc
from concordant import errors
from concordant.cli import as_option
from concordant.errors import ConcordantError, Remedy, UnmatchedError

TREE = [x for x in vars(errors).values() if isinstance(x, type) and issubclass(x, ConcordantError)]
REMEDIES = (
    Remedy("leave them out", unmatched="drop"),
    Remedy("name both columns", record=..., cluster="a b"),
    Remedy("read the first line as data", header=False),
)


@pytest.mark.parametrize("kind", TREE)
def test_every_error_spells_its_options_as_the_reader_does(kind):
    error = kind("2 differ", given={"noise_as": "x"}, remedies=REMEDIES)
    assert str(error) == (
        "noise_as='x': 2 differ; pass unmatched='drop' to leave them out, record=... and cluster='a b' to "
        "name both columns, or header=False to read the first line as data"
    )
    assert error.said(as_option) == (
        "--noise-as x: 2 differ; pass --unmatched drop to leave them out, --record ... and --cluster 'a b' "
        "to name both columns, or --no-header to read the first line as data"
    )


@pytest.mark.parametrize("kind", TREE)
@pytest.mark.parametrize("twin", [lambda x: pickle.loads(pickle.dumps(x)), copy.copy, copy.deepcopy])
def test_a_copy_keeps_text_and_remedies(kind, twin):
    error = kind("2 differ", given={"noise_as": "x"}, remedies=REMEDIES)
    again = twin(error)
    assert type(again) is kind
    assert str(again) == str(error)
    assert again.said(as_option) == error.said(as_option)


def test_a_plain_error_is_its_text():
    assert str(ConcordantError("no")) == ConcordantError("no").said(as_option) == "no"
    assert str(errors.UnknownIndexError("no index 'x'")) == "no index 'x'"  # a KeyError would add quotes


def test_the_library_raises_remedies_as_data():
    with pytest.raises(UnmatchedError) as raised:
        cc.compare({"a": 1, "b": 1}, {"a": 1})
    assert [remedy.options for remedy in raised.value.remedies] == [
        {"unmatched": "drop"},
        {"unmatched": "singletons"},
        {"unmatched": "keep"},
    ]
