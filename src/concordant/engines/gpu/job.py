"""Two partitions on a GPU, counted by the conventions that hold for labels in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from numbers import Real
from typing import Any

from concordant.clusterings.alignment import THE_SIDES, nothing_left, refuse_shuffled_index, same_order
from concordant.clusterings.coerce import refuse_memberships
from concordant.clusterings.detect import is_on_device
from concordant.clusterings.labels import Noise, PartitionData
from concordant.clusterings.partition_data import DevicePartition
from concordant.counts.base import Detail
from concordant.counts.counted_sides import CountedSides, TableLabels
from concordant.counts.profile import Profile
from concordant.engines import memory
from concordant.engines.gpu.counting import Counting
from concordant.engines.gpu.device import DeviceArray, borrowed, device_of, explained, imported, on_stream_of
from concordant.engines.gpu.kernels import kernels_on
from concordant.engines.gpu.results import Side, runs
from concordant.errors import InputError, LengthError, ParameterError, ShapeError, UnmatchedError, kind_of
from concordant.foundation.conventions import Conventions, report_unused_noise
from concordant.foundation.spelling import counted

_WHY_NO_RECORDS = (
    "the labels stayed on the GPU, and the clusters of single records were not kept; to score each record, "
    "copy the labels of both sides to the host and compare those"
)


def count_on_device(
    reference: PartitionData, candidate: PartitionData, conventions: Conventions, need: Detail
) -> CountedSides:
    """Both counted on their GPU, on the stream of their owner."""
    u, v = reference, candidate
    if not (isinstance(u, DevicePartition) and isinstance(v, DevicePartition)):
        there, here = THE_SIDES if isinstance(u, DevicePartition) else THE_SIDES[::-1]
        raise InputError(
            f"{there} is on a GPU and {here} is not; copy {here} to the GPU, or {there} to the host; "
            "data is never copied implicitly"
        )
    if conventions.threads:
        raise ParameterError(
            "labels on a GPU are counted there, without threads of the host; leave it out",
            given={"threads": conventions.threads},
        )
    _refuse_other_order(u, v)
    cupy = imported()
    own, other = device_of(cupy, u.array), device_of(cupy, v.array)
    if own != other:
        raise InputError(f"the reference is on GPU {own} and the candidate on GPU {other}; copy one of them")
    with explained(cupy), cupy.cuda.Device(own) as device, on_stream_of(cupy, u.array, v.array):
        given = [borrowed(cupy, each) for each in (u, v)]
        refuse_memberships(*zip(THE_SIDES, (given[0][0], given[1][0]), strict=True), is_stored=True)
        _refuse_other_shape(given[0][0], given[1][0])
        sides = []
        for labels, is_bool, names in given:
            in_order = labels.ndim == 1 and labels.flags.c_contiguous
            flat = labels if in_order else cupy.ascontiguousarray(labels).ravel()
            sides.append(Side(flat, is_bool, names=names))
        mask = None if conventions.where is None else _mask(cupy, conventions.where, given[0][0].shape)
        chosen, noise, audit = _selected(cupy, sides, (u, v), mask)
        report_unused_noise(memory.noise_found(*noise))
        counting = Counting(cupy, kernels_on(cupy, device.id), chosen, need, conventions.table_limit, device)
        counts = counting.counts() if counting.size else Profile((), (), (), (), size=0)
        unclustered = _unclustered(chosen)
    if need < Detail.RECORDS:
        return CountedSides(counts, memory.NOT_ASKED)
    agreed = {"unmatched": conventions.unmatched, "noise": memory.noise_in_words(*noise)}
    if mask is not None:
        agreed["where"] = "mask"
    assert isinstance(counts, Profile)  # not pair counts alone
    names = TableLabels(counts, why_no_records=_WHY_NO_RECORDS, unclustered_counts=unclustered)
    return CountedSides(counts, names, agreed, audit, are_pixels=given[0][0].ndim > 1)


def _refuse_other_order(u: DevicePartition, v: DevicePartition) -> None:
    """Refuse columns of cuDF with different indices: they are not reordered on a GPU."""
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
            "position, so both need one for each record"
        )
    raise ShapeError(
        f"the reference has the shape {u.shape} and the candidate {v.shape}; labels align by position, "
        "so both need one for each record"
    )


def _selected(
    cupy: Any,
    given: Sequence[Side],
    partitions: tuple[DevicePartition, DevicePartition],
    mask: DeviceArray | None,
) -> tuple[tuple[Side, Side], tuple[Noise | None, Noise | None], dict[str, int]]:
    """The sides without masked elements and with their noise treated, the noise, and the audit."""
    sides, noise = list(given), list[Noise | None]()
    drop = None
    for place, (partition, side) in enumerate(zip(partitions, given, strict=True)):
        if partition.noise_as is None:
            noise.append(None)
            continue
        is_noise = _is_noise(cupy, side, partition)
        found = int(is_noise.sum())
        noise.append(Noise(partition.noise, partition.noise_as, found))
        if partition.noise_as == "singletons" and found:  # one cluster per such element, all with one label
            distinct, _ = runs(cupy, side.labels.copy())
            fresh = cupy.cumsum(is_noise) + (len(distinct) - 1)
            codes = cupy.where(is_noise, fresh, cupy.searchsorted(distinct, side.labels))
            label = side.labels[is_noise][:1]
            names = cupy.concatenate([distinct, cupy.repeat(label, found)])
            sides[place] = replace(side, labels=codes, distinct=names, alone=int(label[0]))
        elif partition.noise_as == "drop":
            drop = is_noise if drop is None else drop | is_noise
    audit: dict[str, int] = {}
    if drop is not None or mask is not None:
        drop = cupy.zeros(len(given[0].labels), dtype=bool) if drop is None else drop
        keep = ~drop if mask is None else mask & ~drop
        size, kept = len(keep), int(keep.sum())
        dropped = int((drop if mask is None else drop & mask).sum())
        audit = {"noise_dropped": dropped, "masked": size - kept - dropped, "not_compared": size - kept}
        if not kept and size:
            masked, reasons = audit["masked"], []
            if dropped:
                reasons.append(f"{counted(dropped, 'record')} had the label that means noise")
            if masked:
                reasons.append(f"the mask where= leaves out {counted(masked, 'record')}")
            policies = {"noise_as": "drop"} if dropped else {}
            raise nothing_left(policies, (size, size), ", and ".join(reasons))
        if kept < size:
            sides = [replace(side, labels=side.labels[keep]) for side in sides]
    return (sides[0], sides[1]), (noise[0], noise[1]), {key: value for key, value in audit.items() if value}


def _unclustered(sides: tuple[Side, Side]) -> tuple[int, int, int]:
    """The elements that are singletons because they are noise: of each side, and of both."""
    are = [None if side.alone is None else side.distinct[side.labels] == side.alone for side in sides]
    u, v = (0 if each is None else int(each.sum()) for each in are)
    return u, v, 0 if are[0] is None or are[1] is None else int((are[0] & are[1]).sum())


def _mask(cupy: Any, where: Any, shape: tuple[int, ...]) -> DeviceArray:
    """The mask of the elements to keep, on the same GPU."""
    if not is_on_device(where):
        raise InputError("the labels are on a GPU and the mask where= is not; copy the mask to the GPU")
    mask = cupy.from_dlpack(where) if hasattr(where, "__dlpack__") else cupy.asarray(where)
    if mask.dtype.kind != "b":
        raise ParameterError(
            f"where= is a mask of True and False, not of {mask.dtype}; pass for instance where=mask != 0"
        )
    if mask.shape != shape:
        raise ShapeError(f"the mask where= has the shape {mask.shape}, and the labels have {shape}")
    return cupy.ascontiguousarray(mask).ravel()


def _is_noise(cupy: Any, side: Side, partition: DevicePartition) -> DeviceArray:
    label = partition.noise
    if side.names is not None:
        codes = [code for code, name in enumerate(side.names) if name == label]
        label = codes[0] if codes else None
    elif not isinstance(label, Real):
        raise ParameterError(
            f"this is {kind_of(label)}, but labels on a GPU are integers or booleans; pass noise with "
            "the type of the labels",
            given={"noise": label},
        )
    limit = cupy.iinfo(side.labels.dtype)
    if label is None or label != int(label) or not limit.min <= label <= limit.max:
        return cupy.zeros(len(side.labels), dtype=bool)
    return side.labels == int(label)
