"""Each capability works, reads its files into memory, or is refused, as the table in docs/scale.md shows."""

import polars as pl
import pytest
from capabilities import CALLS, HERE, LABELS, MEMORY, RECORDS, REFUSED, TABLE, UNIT, columns
from cases import every_case
from inner import machine

import concordant as cc
from concordant.errors import ConcordantError, TooLargeError


@pytest.fixture(params=HERE)
def place(request):
    return request.param


def sides(place, folder, memory=None):
    """The three clusterings in this place, and their units."""
    units = dict(zip(RECORDS, UNIT, strict=True)) if place == "arrays" else "unit"
    found = {}
    for name, labels in LABELS.items():
        frame = pl.DataFrame(columns(labels))
        if place == "files":
            frame.write_parquet(folder / f"{name}.parquet")
            found[name] = cc.Partition.scan(folder / f"{name}.parquet", memory=memory)
        else:
            named = cc.Partition.from_mapping(dict(zip(RECORDS, labels, strict=True)))
            found[name] = named if place == "arrays" else cc.Partition.from_frame(frame)
    return found, units


@pytest.fixture(scope="module")
def in_arrays():
    return sides("arrays", None)


@pytest.fixture
def in_place(place, tmp_path):
    return sides(place, tmp_path)


@every_case("capability", TABLE)
def test_each_cell(capability, place, in_place, in_arrays, tmp_path):
    effect, call = TABLE[capability][place], CALLS[capability]
    if effect == REFUSED:
        with pytest.raises(ConcordantError):
            call(*in_place)
        return
    assert call(*in_place) == call(*in_arrays)
    if effect == MEMORY:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(machine, "LEAST_ROOM", 0)
            limited = sides(place, tmp_path, memory="60MB")
            with pytest.raises(TooLargeError, match="to read"):
                call(*limited)


def test_the_table_has_all_calls():
    assert CALLS.keys() == TABLE.keys()
