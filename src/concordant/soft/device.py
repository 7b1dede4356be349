"""Weights on a GPU: they are checked and summed there, and only sums travel to the host."""

from __future__ import annotations

from typing import Any

from concordant.counts.conventions import Conventions
from concordant.counts.spelling import counted
from concordant.engines.gpu.device import device_of, explained, imported
from concordant.engines.gpu.gram import gram_sums, overlap_sums
from concordant.errors import InputError, LengthError, ParameterError, SoftError
from concordant.partitions.mismatch import THE_SIDES
from concordant.soft.counts import SoftSides
from concordant.soft.gram import Gram, SoftCells
from concordant.soft.memberships import UNITS
from concordant.soft.partition import DeviceSoft


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
