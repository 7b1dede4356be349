"""A bar of text, as full as a share."""

from __future__ import annotations

_BAR_CELLS = 20
_EIGHTHS = " ▏▎▍▌▋▊▉"


def bar(share: float | None) -> str:
    """A bar of text, as full as the share; blank where there is none.

    >>> bar(0.33)
    '██████▋·············'
    """
    if share is None:
        return " " * _BAR_CELLS
    whole, part = divmod(round(share * _BAR_CELLS * 8), 8)
    return ("█" * whole + (_EIGHTHS[part] if part else "")).ljust(_BAR_CELLS, "·")
