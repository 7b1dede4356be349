"""The colours of pages and charts, one set for light and one for dark.

Blue always means that the partitions agree, and orange that they differ; mauve is the main part of one
cluster that is not the main part of the other. The two sides are slate (the reference) and green (the
candidate). Every two colours that carry meaning differ by 15 or more (CIEDE2000), also under simulated
protanopia, deuteranopia and tritanopia; tests/report/test_palette.py checks this for every new colour.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from concordant.differences.verdicts import Verdict
from concordant.report.selection import Match


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours by what they mean, as #rrggbb."""

    paper: str
    card: str
    ink: str
    muted: str
    line: str
    agree: str
    part: str
    differ: str
    nearly: str  # the verdicts; exact is where they agree, merged where they differ
    split: str
    split_and_merged: str
    scattered: str
    reference: str
    candidate: str
    on_part: str  # text on a bar of this colour; on the others it has the colour of the card
    hues: tuple[str, ...]  # for things of equal rank

    def css(self) -> str:
        """The colours as custom properties: ``--paper:#ffffff;...``."""
        named = {name: colour for name, colour in asdict(self).items() if name != "hues"}
        numbered = {f"hue-{number}": colour for number, colour in enumerate(self.hues)}
        colours = (named | numbered).items()
        return "".join(f"--{name.replace('_', '-')}:{colour};" for name, colour in colours)

    def properties(self) -> Palette:
        """The same as references to these properties, with this palette where they are not set."""
        named: dict[str, Any] = {
            name: f"var(--{name.replace('_', '-')},{colour})"
            for name, colour in asdict(self).items()
            if name != "hues"
        }
        return replace(self, **named)

    def of_match(self, match: Match) -> str:
        """The colour of an overlap."""
        return {"core": self.agree, "part": self.part, "stray": self.differ, "other": self.muted}[match]

    def of_verdict(self, verdict: Verdict) -> str:
        """The colour of a verdict."""
        colours: dict[Verdict, str] = {
            "exact": self.agree,
            "nearly": self.nearly,
            "split": self.split,
            "merged": self.differ,
            "split and merged": self.split_and_merged,
            "scattered": self.scattered,
        }
        return colours[verdict]


def verdict_class(verdict: Verdict) -> str:
    """The CSS class of what has the colour of a verdict.

    >>> verdict_class("split and merged")
    'verdict-split-and-merged'
    """
    return f"verdict-{verdict.replace(' ', '-')}"


LIGHT = Palette(
    paper="#f7f7f5",
    card="#ffffff",
    ink="#1c2127",
    muted="#5f6b7a",
    line="#e3e6ea",
    agree="#025dd5",
    part="#a88a9d",
    differ="#bc4f03",
    nearly="#4ec6f7",
    split="#f3c43b",
    split_and_merged="#81051a",
    scattered="#470f23",
    reference="#61666d",
    candidate="#44996c",
    on_part="#1c2127",
    hues=("#0b4a61", "#ffbc36", "#1e9671", "#b183a5", "#5abaf3", "#d67319", "#6c57b3", "#5f5b00"),
)
DARK = Palette(
    paper="#12161b",
    card="#1a2027",
    ink="#e9edf1",
    muted="#9aa7b5",
    line="#2f3842",
    agree="#0394ff",
    part="#a98898",
    differ="#ec883d",
    nearly="#0368ac",
    split="#fde54a",
    split_and_merged="#cd161c",
    scattered="#a14963",
    reference="#ccd5e2",
    candidate="#70e0ac",
    on_part="#1a2027",
    hues=("#2894f1", "#fdea1f", "#59dca4", "#ce9fb9", "#dbf8ff", "#a7764f", "#807496", "#a7ae10"),
)
