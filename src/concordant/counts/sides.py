"""The two sides of a comparison, by name."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

SideName: TypeAlias = Literal["reference", "candidate"]
SIDES: Final[tuple[SideName, SideName]] = ("reference", "candidate")
