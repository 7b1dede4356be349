"""A bar of text, as full as a share."""

from __future__ import annotations

from concordant.report.summary import ROOM_BELOW, ValueBar

_BAR_CELLS = 20
_CELLS_ABOVE = 16  # where there is room below, so that lines are hardly longer for it
_CELLS_BELOW = round(ROOM_BELOW * _CELLS_ABOVE)
_EIGHTHS = " ▏▎▍▌▋▊▉"


def bar(share: float | None, cells: int = _BAR_CELLS) -> str:
    """A bar of text, as full as the share; blank where there is none.

    >>> bar(0.33)
    '██████▋·············'
    """
    if share is None:
        return " " * cells
    whole, part = divmod(round(share * cells * 8), 8)
    return ("█" * whole + (_EIGHTHS[part] if part else "")).ljust(cells, "·")


def index_bar(drawn: ValueBar | None, *, room_below: bool) -> str:
    """The bar of an index; with room below, it starts at a line, and negative values lie left of it.

    >>> index_bar(ValueBar(0.33), room_below=False), index_bar(ValueBar(-0.1), room_below=True)
    ('██████▋·············', '  ██│················')
    >>> index_bar(ValueBar(-0.25, is_clipped=True), room_below=True)
    '◂███│················'
    """
    cells_right = _CELLS_ABOVE if room_below else _BAR_CELLS
    right = bar(None if drawn is None else max(drawn.length, 0.0), cells_right)
    if not room_below:
        return right
    cells = max(round(-drawn.length * _CELLS_ABOVE), 1) if drawn is not None and drawn.length < 0 else 0
    left = ("█" * cells).rjust(_CELLS_BELOW)
    return f"{'◂' + left[1:] if drawn is not None and drawn.is_clipped else left}│{right}"
