"""Two partitions on a GPU, counted by the conventions that hold for labels in memory."""

from __future__ import annotations

from functools import cache
from typing import Any

from concordant.counts.availability import Need
from concordant.counts.conventions import Conventions
from concordant.counts.counted import Counted
from concordant.counts.names import TableNames
from concordant.counts.profile import Profile
from concordant.counts.spelling import counted
from concordant.engines import memory
from concordant.engines.gpu.counting import Counting
from concordant.engines.gpu.device import (
    DeviceArray,
    borrowed,
    device_of,
    explained,
    imported,
    on_stream_of,
)
from concordant.engines.gpu.kernels import Kernels
from concordant.engines.gpu.overlaps import Side
from concordant.engines.gpu.selection import mask_of, selected
from concordant.errors import InputError, LengthError, ShapeError, UnmatchedError
from concordant.partitions.alignment import refuse_shuffled_index, same_order
from concordant.partitions.mismatch import THE_SIDES
from concordant.partitions.partition import DevicePartition, Partition

_WHY_NO_RECORDS = (
    "the labels stayed on the GPU, and which record lies where was not kept; to score each record, copy the "
    "labels of both sides to the host and compare those"
)


def count_on_device(
    reference: Partition, candidate: Partition, conventions: Conventions, need: Need
) -> Counted[Any]:
    """Both counted on the GPU that they lie on, on the stream that their owner works on."""
    memory.refuse_nulls(conventions)
    u, v = _both_on_device(reference, candidate)
    _refuse_other_order(u, v)
    cupy = imported()
    with explained(cupy), _common_device(cupy, u, v) as device, on_stream_of(cupy, u.array, v.array):
        given = [borrowed(cupy, each) for each in (u, v)]
        _refuse_other_shape(given[0][0], given[1][0])
        sides = [Side(_in_order(cupy, labels), is_bool, names=names) for labels, is_bool, names in given]
        mask = None if conventions.where is None else mask_of(cupy, conventions.where, given[0][0].shape)
        chosen = selected(cupy, sides, (u, v), mask)
        kernels = _kernels(cupy, device.id)
        counting = Counting(cupy, kernels, chosen.sides, need, conventions.table_limit, device)
        counts = counting.counts() if counting.size else Profile((), (), (), (), size=0)
    if need < Need.RECORDS:
        return Counted(counts, memory.NOT_ASKED)
    agreed = {"unmatched": conventions.unmatched, "noise": memory.noise_in_words(*chosen.noise)}
    if mask is not None:
        agreed["where"] = "mask"
    assert isinstance(counts, Profile)  # pairs alone were not asked for
    return Counted(counts, DeviceNames(counts, why_no_records=_WHY_NO_RECORDS), agreed, chosen.audit)


class DeviceNames(TableNames):
    """The labels that come with the table, which is not looked at to know that there are some."""

    __slots__ = ()

    @property
    def are_known(self) -> bool:
        return True


@cache
def _kernels(cupy: Any, device: int) -> Kernels:
    return Kernels(cupy, device)


def _both_on_device(reference: Partition, candidate: Partition) -> tuple[DevicePartition, DevicePartition]:
    if isinstance(reference, DevicePartition) and isinstance(candidate, DevicePartition):
        return reference, candidate
    there, here = THE_SIDES if isinstance(reference, DevicePartition) else THE_SIDES[::-1]
    raise InputError(
        f"{there} lies on a GPU and {here} does not; copy {here} to the GPU, or {there} to the host: nothing "
        "is moved unasked"
    )


def _common_device(cupy: Any, u: DevicePartition, v: DevicePartition) -> Any:
    own, other = device_of(cupy, u.array), device_of(cupy, v.array)
    if own != other:
        raise InputError(
            f"the reference lies on GPU {own} and the candidate on GPU {other}; copy one of them"
        )
    return cupy.cuda.Device(own)


def _refuse_other_order(u: DevicePartition, v: DevicePartition) -> None:
    """Columns of cuDF have an index, and are not reordered by it on a GPU."""
    if u.index is not None and v.index is not None:
        if not same_order(u.index, v.index):
            raise UnmatchedError(
                "the indices of the two columns differ, and columns on a GPU are not aligned by name; "
                "reindex one of them like the other, or pass .values of both to align by position"
            )
    elif u.index is not None:
        refuse_shuffled_index(u.index, *THE_SIDES)
    elif v.index is not None:
        refuse_shuffled_index(v.index, *THE_SIDES[::-1])


def _refuse_other_shape(u: DeviceArray, v: DeviceArray) -> None:
    if u.shape == v.shape:
        return
    if u.ndim == v.ndim == 1:
        raise LengthError(
            f"the reference has {counted(len(u), 'label')} and the candidate {len(v):,}; labels align by "
            "position, so both need one for each element"
        )
    raise ShapeError(
        f"the reference has the shape {u.shape} and the candidate {v.shape}; labels align by position, "
        "so both need one for each element"
    )


def _in_order(cupy: Any, labels: DeviceArray) -> DeviceArray:
    """One label after the other; copied only where they do not lie so."""
    return (
        labels if labels.ndim == 1 and labels.flags.c_contiguous else cupy.ascontiguousarray(labels).ravel()
    )
