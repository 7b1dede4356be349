"""Options that the message of a refusal names: the called function has them, and they change the answer."""

import inspect
import re
from ast import literal_eval

import pandas as pd
import pytest

import concordant as cc
from concordant.errors import ConcordantError

REFERENCE, CANDIDATE, OTHER = (dict(zip("abcd", labels, strict=True)) for labels in ("1122", "1222", "1112"))
FUNCTIONS = {
    "compare": cc.compare,
    "diff": cc.diff,
    "rand": cc.rand,
    "soft_adjusted_rand": cc.soft_adjusted_rand,
    "estimate": lambda x, y, **how: cc.estimate(x, y, sampling="clusters", **how),
    "diff with a reference": lambda x, y, **how: cc.diff(y, OTHER, reference=x, **how),
    "rank": lambda x, y, **how: cc.rank(x, {"one": y, "other": OTHER}, **how),
    "matrix": lambda x, y, **how: cc.matrix([x, y], **how),
    "track": lambda x, y, **how: cc.track([x, y], **how),
    "consensus": lambda x, y, **how: cc.consensus([x, y], **how),
    "stability": lambda x, y, **how: cc.stability([x, y], **how),
    "compare_references": lambda x, y, **how: cc.compare_references([x, OTHER], y, **how),
}
FORMS = {
    "labels": dict,
    "soft": lambda labels: cc.Soft.from_mapping({record: {label: 1} for record, label in labels.items()}),
    "tree": lambda labels: cc.Hierarchy.from_nested([[*labels][:2], *[*labels][2:]]),
    "cover": lambda labels: cc.Cover.from_mapping({record: [label] for record, label in labels.items()}),
    "frame": lambda labels: cc.Partition.from_frame(
        pd.DataFrame({"record": labels.keys(), "cluster": labels.values()})
    ),
}
CANDIDATES = {
    "as it is": CANDIDATE,
    "without a record": {record: CANDIDATE[record] for record in "abc"},
    "with one more": CANDIDATE | {"e": "2"},
    "with a null": CANDIDATE | {"d": None},
}
OPTIONS = [
    {},
    {"weights": [1, 2]},
    {"where": [True]},
    {"noise": "2"},
    {"columns": ["p", "q"]},
    {"unmatched": "keep"},
    {"unmatched": "singletons"},
    {"table_limit": 0},
]
# An option outside the call of another function: not h.cut(n_clusters=5).
NAMED = re.compile(r"(?<![\w(.-])([a-z_]{3,})=('[^']*'|\d+)?")


def refusals(call):
    """The arguments and the errors of what a function refuses; any other error fails."""
    for form, make in FORMS.items():
        for held in CANDIDATES.values():
            for first in {"labels", form}:
                try:
                    sides = FORMS[first](REFERENCE), make(held)
                except ConcordantError:  # of the constructor: some have no place for a null label
                    continue
                for options in OPTIONS:
                    try:
                        call(*sides, **options)
                    except ConcordantError as error:
                        yield sides, options, str(error)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_options_that_a_refusal_names_are_accepted(name):
    call, parameters = FUNCTIONS[name], inspect.signature(getattr(cc, name.partition(" ")[0])).parameters
    found = 0
    for sides, options, message in refusals(call):
        for option, value in NAMED.findall(message):
            assert option in parameters, message
            if not value or option in options:
                continue
            found += 1
            try:
                call(*sides, **options, **{option: literal_eval(value)})
            except ConcordantError as error:
                again = str(error)
                assert again != message, (option, value, again)
                assert not again.startswith(f"{option}="), (message, again)
    assert found or name in ("track", "stability", "consensus")
