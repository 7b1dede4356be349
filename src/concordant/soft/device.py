"""Weights on a GPU: they are checked and summed there, and only sums travel to the host."""

from __future__ import annotations

from typing import Any, NoReturn

from concordant.counts.conventions import Conventions
from concordant.counts.spelling import counted
from concordant.engines.gpu.device import device_of, explained, handed_over, imported, stream_of
from concordant.engines.gpu.gram import gram_sums, overlap_sums, row_sums, whole_units
from concordant.errors import InputError, LengthError, ParameterError, SoftError
from concordant.partitions.mismatch import THE_SIDES
from concordant.soft.gram import Gram, SoftCells
from concordant.soft.inputs import checked_names, row_caller
from concordant.soft.memberships import UNITS
from concordant.soft.parsing import TOLERANCE, RowRules
from concordant.soft.partition import Soft
from concordant.soft.sides import SoftSides

_TO_THE_HOST = "copy the matrix to memory, as in cupy.asnumpy(array)"


class DeviceSoft(Soft):
    """Weights in the memory of a GPU. Made by ``Soft.from_matrix`` of an array that is there."""

    __slots__ = ("units",)

    units: Any  # of CuPy, a row for each record

    def __init__(self, units: Any, clusters: list[Any], dropped: int) -> None:
        self.units, self.clusters, self.records, self.named = units, clusters, None, False
        self.audit = {"clusters_without_weight": dropped} if dropped else {}

    def __getattr__(self, name: str) -> NoReturn:
        """Attributes of a Soft in memory."""
        if name not in Soft.__slots__:
            raise AttributeError(name)
        raise SoftError(f"the weights are on a GPU, and this needs them in memory; {_TO_THE_HOST}")

    def __len__(self) -> int:
        return int(self.units.shape[0])


def soft_on_device(matrix: Any, clusters: Any, *, normalise: bool, transposed: bool) -> DeviceSoft:
    """The rows of a matrix on a GPU, checked there."""
    rules = RowRules(None, normalise, row_caller(None))
    cupy = imported()
    with explained(cupy), cupy.cuda.Device(device_of(cupy, matrix)), stream_of(cupy, matrix):
        weights = handed_over(cupy, matrix, "the matrix")
        if weights.ndim != 2:
            raise SoftError(
                f"a matrix has two dimensions, records and clusters; this array has {weights.ndim}"
            )
        if weights.dtype.kind not in "fiub":
            raise SoftError(f"weights are numbers, not {weights.dtype}")
        weights = cupy.ascontiguousarray(weights.T if transposed else weights).astype(cupy.float64)
        count, width = weights.shape
        names = checked_names(clusters, width, "clusters") or list(range(width))
        if width == 0:
            raise SoftError(f"the matrix has {counted(count, 'row')} and no columns; it needs a cluster")
        sums = row_sums(cupy, weights)
        adds_up = (sums > 0) & cupy.isfinite(sums) if normalise else abs(sums - 1) <= TOLERANCE
        is_fault = ~adds_up | (weights < 0).any(axis=1)
        if bool(is_fault.any()):
            row = int(cupy.argmax(is_fault))
            rules.refuse(row, cupy.asnumpy(weights[row]).tolist())
        units = whole_units(cupy, weights, sums)
        kept = cupy.asnumpy((units != 0).any(axis=0)).nonzero()[0] if count else range(width)
        if len(kept) < width:
            units = cupy.ascontiguousarray(units[:, kept])
    return DeviceSoft(units, [names[column] for column in kept], width - len(kept))


class DeviceSides(SoftSides):
    """Both sides on one GPU, row by row."""

    def __init__(self, sides: tuple[DeviceSoft, DeviceSoft]) -> None:
        u, v = sides
        self._units, self.size, self.scale, self.exact = (u.units, v.units), len(u), UNITS, False
        self.clusters, self.columns = (u.clusters, v.clusters), (len(u.clusters), len(v.clusters))
        self._records, self.audit = None, {}
        for title, side in zip(("reference", "candidate"), sides, strict=True):
            self.audit |= {f"{title}_{key}": found for key, found in side.audit.items()}

    @property
    def are_draws(self) -> bool:
        return False

    @property
    def sides(self) -> Any:  # type: ignore[override]  # not in memory
        return self.memberships

    @property
    def memberships(self) -> Any:
        raise SoftError(
            "the weights are on a GPU, and this needs the rows of both sides in memory; copy the matrices, "
            "as in cupy.asnumpy(array)"
        )

    def gram(self, threads: int) -> Gram:  # noqa: ARG002  (of the host)
        gram, cupy = Gram(self.columns, self.scale), imported()
        with explained(cupy), cupy.cuda.Device(device_of(cupy, self._units[0])):
            gram.add_sums(gram_sums(cupy, *self._units), self.size)
        return gram

    def overlaps(self, threads: int) -> SoftCells:  # noqa: ARG002  (of the host)
        cupy = imported()
        with explained(cupy), cupy.cuda.Device(device_of(cupy, self._units[0])):
            return overlap_sums(cupy, *self._units)

    def rest_units(self) -> tuple[int, int, int]:
        return 0, 0, 0


def device_sides(reference: Any, candidate: Any, conventions: Conventions) -> DeviceSides:
    """Both sides of a comparison on one GPU."""
    u, v = reference, candidate
    if not (isinstance(u, DeviceSoft) and isinstance(v, DeviceSoft)):
        there, here = THE_SIDES if isinstance(u, DeviceSoft) else THE_SIDES[::-1]
        raise InputError(
            f"the weights of {there} are on a GPU and {here} is not; copy the weights of {here} to the GPU, "
            f"or those of {there} to memory; data is never copied implicitly"
        )
    for option in ("threads", "where"):
        if value := getattr(conventions, option):
            raise ParameterError("this needs weights in memory", given={option: value})
    cupy = imported()
    places = [device_of(cupy, each.units) for each in (u, v)]
    if places[0] != places[1]:
        raise InputError(
            f"the reference is on GPU {places[0]} and the candidate on GPU {places[1]}; copy one of them"
        )
    if len(u) != len(v):
        raise LengthError(
            f"the reference has {counted(len(u), 'record')} and the candidate {len(v):,}; on a GPU they "
            "match by position"
        )
    return DeviceSides((u, v))
