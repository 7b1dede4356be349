"""The colours of pages and charts: safe for every colour vision, one set for light and one for dark.

Blue is where the partitions agree and orange where they differ, everywhere; violet is the main part of one
cluster that is not the main part of the other. The two sides are slate (the reference) and green (the
candidate). After Okabe and Ito.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

from concordant.differences.verdicts import Verdict
from concordant.report.picture import Match


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
    scattered: str
    reference: str
    candidate: str
    hues: tuple[str, ...]  # for things of equal rank

    def css(self) -> str:
        """The colours as custom properties: ``--paper:#ffffff;...``."""
        named = {name: colour for name, colour in asdict(self).items() if name != "hues"}
        numbered = {f"hue-{number}": colour for number, colour in enumerate(self.hues)}
        return "".join(f"--{name}:{colour};" for name, colour in (named | numbered).items())

    def of_match(self, match: Match) -> str:
        """The colour of an overlap."""
        return {"core": self.agree, "part": self.part, "stray": self.differ, "other": self.muted}[match]

    def of_verdict(self, verdict: Verdict) -> str:
        """The colour of a verdict."""
        colours = {"exact": self.agree, "nearly": self.nearly, "split": self.split, "merged": self.differ}
        return colours.get(verdict, self.scattered)


LIGHT = Palette(
    paper="#f7f7f5",
    card="#ffffff",
    ink="#1c2127",
    muted="#5f6b7a",
    line="#e3e6ea",
    agree="#0072b2",
    part="#8d62a8",
    differ="#bd4f00",
    nearly="#56b4e9",
    split="#e69f00",
    scattered="#7f2f3f",
    reference="#566477",
    candidate="#00855f",
    hues=("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#6a51a3", "#8c8c00"),
)
DARK = Palette(
    paper="#12161b",
    card="#1a2027",
    ink="#e9edf1",
    muted="#9aa7b5",
    line="#2f3842",
    agree="#56b4e9",
    part="#c3a3d8",
    differ="#f0994a",
    nearly="#2f7fb0",
    split="#f0c04a",
    scattered="#d77d90",
    reference="#a3b1c2",
    candidate="#34c795",
    hues=("#56b4e9", "#f0c04a", "#34c795", "#e39ac4", "#8fd0f5", "#f0994a", "#a594e0", "#c8c84a"),
)
