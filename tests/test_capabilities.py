"""Each capability works, reads its files into memory, or is refused, as the table in docs/scale.md shows."""

import numpy as np
import polars as pl
import pytest
from capabilities import MEMORY, PLACES, REFUSED, TABLE
from inner import machine

import concordant as cc
from concordant.errors import ConcordantError, TooLargeError

SIZE = 60
rng = np.random.default_rng(8)
RECORDS = [f"r{number:02}" for number in range(SIZE)]
LABELS = {name: rng.integers(0, 6, SIZE).tolist() for name in ("truth", "old", "new")}
UNIT = rng.integers(0, 9, SIZE).tolist()
WEIGHTS = {record: 1 + number % 5 for number, record in enumerate(RECORDS)}
COVER = cc.Cover.from_mapping({record: [label] for record, label in zip(RECORDS, LABELS["new"], strict=True)})


@pytest.fixture(params=PLACES)
def place(request):
    return request.param


def sides(place, folder, memory=None):
    """The three clusterings in this place, and their units."""
    units = dict(zip(RECORDS, UNIT, strict=True)) if place == "arrays" else "unit"
    found = {}
    for name, labels in LABELS.items():
        frame = pl.DataFrame(
            {"record": RECORDS, "cluster": labels, "unit": UNIT, "weight": list(WEIGHTS.values())}
        )
        if place == "files":
            frame.write_parquet(folder / f"{name}.parquet")
            found[name] = cc.Partition.scan(folder / f"{name}.parquet", memory=memory)
        else:
            named = cc.Partition.from_mapping(dict(zip(RECORDS, labels, strict=True)))
            found[name] = named if place == "arrays" else cc.Partition.from_frame(frame)
    return found, units


def pair(s):
    return cc.compare(s["truth"], s["new"])


CALLS = {
    "compare": lambda s, _: pair(s).to_dict(),
    "significance": lambda s, _: pair(s).significance("adjusted_rand").p,
    "interval": lambda s, _: pair(s).interval("f_measure").low,
    "interval(unit=)": lambda s, unit: pair(s).interval("f_measure", unit=unit).low,
    "slices": lambda s, unit: set(pair(s).slices(unit).alone()),
    "changes, clusters": lambda s, _: (len(pair(s).changes(limit=None)), len(pair(s).clusters(limit=None))),
    "records": lambda s, _: {each.record for each in pair(s).records(limit=None)},
    "diff": lambda s, _: cc.diff(s["old"], s["new"])["jaccard_distance"],
    "diff(reference=)": lambda s, _: cc.diff(s["old"], s["new"], reference=s["truth"])["iq"],
    "diff(reference=, by=)": lambda s, unit: {
        (each.slice, each.size)
        for each in cc.diff(s["old"], s["new"], reference=s["truth"], by=unit).slices(limit=None)
    },
    "contrast": lambda s, _: cc.contrast(s["truth"], s["old"], s["new"]).summary().clusters,
    "rank": lambda s, _: cc.rank(s["truth"], {"old": s["old"], "new": s["new"]}, "rand").headline,
    "estimate": lambda s, _: cc.estimate(s["truth"], s["new"], sampling="clusters")["f_measure"].low,
    "weights=": lambda s, unit: (
        cc.compare(s["truth"], s["new"], weights="weight" if unit == "unit" else WEIGHTS).f_measure
    ),
    "matrix": lambda s, _: cc.matrix(s)["old", "new"],
    "stability": lambda s, _: cc.stability(s).headline,
    "consensus": lambda s, _: cc.consensus(s).partition.n_clusters,
    "track": lambda s, _: cc.track(s).headline,
    "beside a cover": lambda s, _: cc.compare(s["truth"], COVER).omega,
    "Hierarchy.from_levels": lambda s, _: cc.Hierarchy.from_levels([s["truth"]]).size,
}


@pytest.mark.parametrize("capability", TABLE)
def test_each_cell(capability, place, tmp_path, monkeypatch):
    effect, call = TABLE[capability][place], CALLS[capability]
    found, unit = sides(place, tmp_path)
    if effect == REFUSED:
        with pytest.raises(ConcordantError):
            call(found, unit)
        return
    assert call(found, unit) == call(*sides("arrays", tmp_path))
    if effect == MEMORY:
        monkeypatch.setattr(machine, "LEAST_ROOM", 0)
        limited, unit = sides(place, tmp_path, memory="60MB")
        with pytest.raises(TooLargeError, match="to read"):
            call(limited, unit)


def test_the_table_has_all_calls():
    assert CALLS.keys() == TABLE.keys()
