"""Two partitions on a GPU, counted by the conventions that hold for labels in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from numbers import Real
from typing import Any

from concordant.counts.availability import Need
from concordant.counts.conventions import Conventions
from concordant.counts.counted import Counted, TableNames
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
from concordant.engines.gpu.results import Side, runs
from concordant.errors import InputError, LengthError, ParameterError, ShapeError, UnmatchedError, kind_of
from concordant.partitions.alignment import refuse_shuffled_index, same_order
from concordant.partitions.mismatch import THE_SIDES, nothing_left
from concordant.partitions.partition import DevicePartition, Noise, Partition, is_on_device

_WHY_NO_RECORDS = (
    "the labels stayed on the GPU, and which record lies where was not kept; to score each record, copy the "
    "labels of both sides to the host and compare those"
)


def count_on_device(
    reference: Partition, candidate: Partition, conventions: Conventions, need: Need
) -> Counted:
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


@dataclass(frozen=True, slots=True, eq=False)
class ComparedElements:
    """Two sides without what is left out, what was found of noise, and how many elements were left out."""

    sides: tuple[Side, Side]
    noise: tuple[Noise | None, Noise | None]
    audit: dict[str, int]


def selected(
    cupy: Any,
    sides: Sequence[Side],
    partitions: tuple[DevicePartition, DevicePartition],
    mask: DeviceArray | None,
) -> ComparedElements:
    """The sides with their noise set apart or left out, and without what the mask leaves out."""
    u_noise, u, u_drop = _noise(cupy, sides[0], partitions[0])
    v_noise, v, v_drop = _noise(cupy, sides[1], partitions[1])
    noise = u_noise, v_noise
    drops = [each for each in (u_drop, v_drop) if each is not None]
    if not drops and mask is None:
        return ComparedElements((u, v), noise, {})
    drop = drops[0] if drops else cupy.zeros(len(sides[0].labels), dtype=bool)
    drop = drop | drops[1] if len(drops) > 1 else drop
    keep = ~drop if mask is None else mask & ~drop
    size, kept = len(keep), int(keep.sum())
    dropped = int((drop if mask is None else drop & mask).sum())
    audit = {"noise_dropped": dropped, "masked": size - kept - dropped, "not_compared": size - kept}
    if not kept and size:
        raise _nothing_left(audit, size)
    if kept < size:
        u, v = (replace(side, labels=side.labels[keep]) for side in (u, v))
    return ComparedElements((u, v), noise, {key: value for key, value in audit.items() if value})


def _nothing_left(audit: dict[str, int], size: int) -> InputError:
    policies, reasons = {}, []
    if dropped := audit["noise_dropped"]:
        policies["noise_as"] = "drop"
        reasons.append(f"{counted(dropped, 'element')} had the label that means noise")
    if masked := audit["masked"]:
        reasons.append(f"the mask where= leaves out {counted(masked, 'element')}")
    return nothing_left(policies, (size, size), ", and ".join(reasons))


def mask_of(cupy: Any, where: Any, shape: tuple[int, ...]) -> DeviceArray:
    """The mask of the elements to keep, which lies on the GPU as they do."""
    if not is_on_device(where):
        raise InputError("the labels lie on a GPU and the mask where= does not; copy the mask to the GPU")
    mask = cupy.from_dlpack(where) if hasattr(where, "__dlpack__") else cupy.asarray(where)
    if mask.dtype.kind != "b":
        raise ParameterError(
            f"where= is a mask of True and False, not of {mask.dtype}; pass for instance where=mask != 0"
        )
    if mask.shape != shape:
        raise ShapeError(f"the mask where= has the shape {mask.shape}, and what it masks has {shape}")
    return cupy.ascontiguousarray(mask).ravel()


def _noise(
    cupy: Any, side: Side, partition: DevicePartition
) -> tuple[Noise | None, Side, DeviceArray | None]:
    """What was found of noise, the side where it stands alone, and which elements are to be dropped."""
    if partition.noise_as is None:
        return None, side, None
    is_noise = _is_noise(cupy, side, partition)
    found = int(is_noise.sum())
    told = Noise(partition.noise, partition.noise_as, found)
    if partition.noise_as == "singletons" and found:
        return told, _set_apart(cupy, side, is_noise), None
    return told, side, is_noise if partition.noise_as == "drop" else None


def _is_noise(cupy: Any, side: Side, partition: DevicePartition) -> DeviceArray:
    label = partition.noise
    if side.names is not None:
        codes = [code for code, name in enumerate(side.names) if name == label]
        label = codes[0] if codes else None
    elif not isinstance(label, Real):
        raise ParameterError(
            f"this is {kind_of(label)}, but labels on a GPU are integers or booleans; give noise as "
            "the labels have it",
            given={"noise": label},
        )
    limit = cupy.iinfo(side.labels.dtype)
    if label is None or label != int(label) or not limit.min <= label <= limit.max:
        return cupy.zeros(len(side.labels), dtype=bool)
    return side.labels == int(label)


def _set_apart(cupy: Any, side: Side, alone: DeviceArray) -> Side:
    """Codes with a cluster of its own for each element that stands alone, all under one label."""
    distinct, _ = runs(cupy, side.labels.copy())
    codes = cupy.searchsorted(distinct, side.labels)
    fresh = cupy.cumsum(alone) + (len(distinct) - 1)
    label = side.labels[alone][:1]
    again = cupy.concatenate([distinct, cupy.repeat(label, int(alone.sum()))])
    return replace(side, labels=cupy.where(alone, fresh, codes), distinct=again, alone=int(label[0]))
