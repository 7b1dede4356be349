"""Rows of short texts as lines in which the columns stand below each other."""

from __future__ import annotations

from collections.abc import Sequence


def text_columns(rows: Sequence[Sequence[str]], *, left: int = 1) -> list[str]:
    """One line a row; the first ``left`` columns begin below each other, the others end so, as numbers do.

    >>> for line in text_columns([["", "clusters"], ["monday", "2"], ["sunday", "12"]]):
    ...     print(line)
            clusters
    monday         2
    sunday        12
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            text.ljust(width) if place < left else text.rjust(width)
            for place, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
