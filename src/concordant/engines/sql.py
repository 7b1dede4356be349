"""Words of a person as words of SQL."""

from __future__ import annotations


def identifier(name: str) -> str:
    """A name as SQL takes it for one.

    >>> identifier('a "quoted" name')
    '"a ""quoted"" name"'
    """
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text as SQL takes it for one.

    >>> literal("it's")
    "'it''s'"
    """
    return "'" + text.replace("'", "''") + "'"
