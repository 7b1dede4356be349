"""The two sides of a comparison, by name."""

from __future__ import annotations

from typing import Literal, TypeAlias

SideName: TypeAlias = Literal["reference", "candidate"]
