"""A bar of text, as full as a share."""

from __future__ import annotations

from concordant.report.summary import ROOM_BELOW, ValueBar

_BAR_CELLS = 20
_CELLS_BELOW = round(ROOM_BELOW * _BAR_CELLS)
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


def index_bar(drawn: ValueBar | None, *, room_below: bool) -> str:
    """The bar of an index; with room below, it starts at a line, and negative values lie left of it.

    >>> index_bar(ValueBar(0.33), room_below=False), index_bar(ValueBar(-0.1), room_below=True)
    ('██████▋·············', '   ██│····················')
    >>> index_bar(ValueBar(-0.25, is_clipped=True), room_below=True)
    '◂████│····················'
    """
    right = bar(None if drawn is None else max(drawn.length, 0.0))
    if not room_below:
        return right
    cells = max(round(-drawn.length * _BAR_CELLS), 1) if drawn is not None and drawn.length < 0 else 0
    left = ("█" * cells).rjust(_CELLS_BELOW)
    return f"{'◂' + left[1:] if drawn is not None and drawn.is_clipped else left}│{right}"
