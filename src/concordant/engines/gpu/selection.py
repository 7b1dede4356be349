"""Which elements on a GPU are compared, and which stand alone: the mask of the caller, and noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

from concordant.counts.spelling import counted
from concordant.engines.gpu.device import DeviceArray
from concordant.engines.gpu.overlaps import Side
from concordant.engines.gpu.profiles import runs
from concordant.errors import InputError, ParameterError, ShapeError, kind_of
from concordant.partitions.mismatch import nothing_left
from concordant.partitions.partition import DevicePartition, Noise, is_on_device


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
