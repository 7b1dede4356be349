"""Rankings drop a record from all systems where one drops or lacks it, and report how many."""

import polars as pl
import pytest

import concordant as cc
from concordant.errors import NothingLeftError, ParameterError, UnmatchedError

TRUTH = list("aaaabbbbcc")
OLD = list("xxyyzzwwvv")
NEW = [None, *"ppqqqq", "q", "r", "s"]
OTHER = [*"mmmmnnnnn", None]


def by_name(labels):
    return {place: label for place, label in enumerate(labels) if label is not None}


def framed(labels):
    frame = pl.DataFrame({"id": range(len(labels)), "label": labels})
    return cc.Partition.from_frame(frame, record="id", cluster="label", nulls="drop")


def lazy(labels):
    frame = pl.LazyFrame({"record": range(len(labels)), "cluster": labels})
    return cc.Partition.from_frame(frame, nulls="drop")


def noisy(labels):
    return [label or "noise" for label in labels]


CALLS = {
    "nulls": lambda truth, systems: cc.rank(truth, systems, nulls="drop"),
    "noise": lambda truth, systems: cc.rank(
        noisy(truth),
        {name: noisy(each) for name, each in systems.items()},
        noise="noise",
        noise_as="drop",
    ),
    "unmatched": lambda truth, systems: cc.rank(
        by_name(truth), {name: by_name(each) for name, each in systems.items()}, unmatched="drop"
    ),
    "partitions": lambda truth, systems: cc.rank(
        truth, {name: cc.Partition.from_labels(each, nulls="drop") for name, each in systems.items()}
    ),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_all_lose_the_records_that_one_drops(call):
    ranking = call(TRUTH, {"old": OLD, "new": NEW, "other": OTHER})
    short = cc.rank(TRUTH[1:9], {"old": OLD[1:9], "new": NEW[1:9], "other": OTHER[1:9]})
    assert ranking.to_dict()["values"] == short.to_dict()["values"]
    for system in ("new", "other"):
        found, wanted = ranking[system, "f_measure"], short[system, "f_measure"]
        assert (found.difference, found.low, found.high) == (wanted.difference, wanted.low, wanted.high)
    assert short.omitted == {}


def test_the_number_of_dropped_records_is_reported():
    systems = {"old": OLD, "new": NEW}
    ranking = cc.rank(TRUTH, systems, "rand", nulls="drop")
    assert ranking.to_dict()["omitted"] == {"reference": 1, "old": 1, "new": 1}
    line = "Left out, as not all put them in a cluster: 1 record of the reference, 1 of old, 1 of new"
    assert line in str(ranking).replace("\n ", "")
    assert line in ranking._repr_html_()
    lacking = cc.rank(by_name(TRUTH), {"old": by_name(OLD), "new": by_name(NEW)}, "rand", unmatched="drop")
    assert lacking.omitted == {"reference": 1, "old": 1}
    sources = cc.rank(framed(TRUTH), {"old": framed(OLD), "new": framed(NEW)}, "rand")
    assert sources.omitted == ranking.omitted
    assert sources.to_dict()["values"] == ranking.to_dict()["values"]


def test_tests_of_a_margin_are_corrected_for_the_number_of_systems():
    """By Holm: the smallest p-value times the number of systems, the next times one less, in this order."""
    truth = [i // 5 for i in range(200)]
    systems = {
        f"every {step}": [label if i % step else -1 - i for i, label in enumerate(truth)]
        for step in (4, 5, 6, 7)
    }
    alone = cc.rank(truth, systems, "f_measure", margin=0.1, correction=None)
    corrected = cc.rank(truth, systems, "f_measure", margin=0.1)
    for name in ("p_noninferior", "p_equivalent"):
        p = {system: getattr(alone[system, "f_measure"], name) for system in list(systems)[1:]}
        least, middle, largest = sorted(p, key=p.get)
        wanted = {least: 3 * p[least]}
        wanted[middle] = max(wanted[least], 2 * p[middle])
        wanted[largest] = max(wanted[middle], p[largest])
        found = {system: getattr(corrected[system, "f_measure"], name) for system in p}
        assert found == pytest.approx({system: min(each, 1) for system, each in wanted.items()})
        assert found != pytest.approx(p)


@pytest.mark.parametrize("call", ["rank", "contrast"])
def test_units_and_records_keep_their_positions(call):
    """The first record is dropped, and the others are still called by where the caller has them."""
    if call == "contrast":
        records = cc.contrast(TRUTH, OLD, NEW, nulls="drop").records(limit=None)
        assert sorted(each.record for each in records) == list(range(1, 10))
        return
    units = list("stttuuvvww")  # one of them has only the record that is dropped
    found = cc.rank(TRUTH, {"old": OLD, "new": NEW}, "rand", nulls="drop", unit=units)
    short = cc.rank(TRUTH[1:], {"old": OLD[1:], "new": NEW[1:]}, "rand", unit=units[1:])
    assert found["new", "rand"].n_units == 4
    assert found["new", "rand"].low == short["new", "rand"].low


def test_sources_that_lack_different_records_are_refused():
    with pytest.raises(UnmatchedError, match="compared on the same records"):
        cc.rank(lazy(TRUTH), {"old": lazy(OLD), "new": lazy(NEW), "other": lazy(OTHER)}, "rand")


def test_no_common_record_is_an_error():
    with pytest.raises(
        NothingLeftError, match="nulls='drop': this leaves nothing to rank: 'reference' has 10"
    ):
        cc.rank(TRUTH, {"old": OLD, "new": [None] * 10}, nulls="drop")


def test_tables_and_lists():
    truth, old, new = [0, 0, 0, 1, 1, 1, 2, 2], [0, 0, 1, 1, 1, 2, 2, 2], [0, 0, 0, 1, 1, 2, 2, 2]
    frame = pl.DataFrame({"id": range(8), "truth": truth, "old": old, "new": new})
    wanted = cc.rank(truth, {"old": old, "new": new}, "rand").to_dict()["values"]
    assert cc.rank(frame, None, "rand", record="id").to_dict()["values"] == wanted
    assert cc.rank(frame.lazy(), None, "rand", record="id").to_dict()["values"] == wanted
    assert cc.rank(frame, None, "rand", columns=["truth", "old", "new"]).to_dict()["values"] == wanted
    assert cc.rank(truth, frame.select("old", "new"), "rand").to_dict()["values"] == wanted
    listed = cc.rank(truth, [old, new], "rand")
    assert list(listed.candidates) == ["0", "1"]
    assert list(cc.rank(truth, [old, new], "rand", names=["a", "b"]).candidates) == ["a", "b"]
    with pytest.raises(ParameterError, match="there are no candidates"):
        cc.rank(truth)
    with pytest.raises(ParameterError, match="records that count the same"):
        cc.rank(truth, [old, new], weights=[1] * len(truth))
