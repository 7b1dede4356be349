"""A result as a comment on a pull request, in the Markdown of GitHub and GitLab."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from concordant.cli.gates import Gate
from concordant.foundation.results import Report, Result, markdown_text
from concordant.foundation.spelling import counted

LONGEST = 65_400  # characters; GitHub takes 65,536

_ROWS = 20  # of a table
_LINE = 300  # characters of a missed gate, whose names may be long
_MENTIONS = re.compile(r"@(?=\w)|[#!](?=\d)")  # of a person, an issue or a merge request


def comment(
    result: Result,
    table: str,
    *,
    worst: Sequence[Any] | None,
    parts: Mapping[str, Iterable[Result]],
    gates: Sequence[tuple[Gate, Sequence[str]]],
) -> str:
    """The headline, the gates with their problems, the table, the worst changes, and other results, folded.

    Blocks that make the comment too long are left out, and the last line counts them.
    """
    blocks = [f"### {_text(result.headline)}"]
    missed = [f"- ❌ {_text(problem[:_LINE])}" for _, problems in gates for problem in problems]
    passed = [f"- ✅ {_text(gate.spelling[:_LINE])}" for gate, problems in gates if not problems]
    if gates:
        blocks.append("\n".join(missed + passed))
    blocks.append(_quiet("\n\n".join(map(_shortened, table.split("\n\n")))))
    if worst:
        blocks.append(_code(str(worst)))
    for name, others in parts.items():
        shown = _code("\n\n".join(map(str, others)))
        blocks.append(f"<details><summary>{name}</summary>\n\n{shown}\n\n</details>")
    end = f"<sub>{_text(result.signature)}</sub>" if isinstance(result, Report) else ""
    free = LONGEST - len(end) - _LINE
    kept = [block for block in blocks if (free := free - len(block) - 2) >= 0]
    if left := len(blocks) - len(kept):
        end = f"{counted(left, 'part')} would be too long for a comment.\n\n{end}"
    return "\n\n".join(filter(None, [*kept, end])) + "\n"


def _shortened(table: str) -> str:
    """The first rows of a table in Markdown, and the number of the others."""
    lines = table.split("\n")
    more = len(lines) - _ROWS - 2  # the head has two lines
    return table if more <= 0 else "\n".join([*lines[:-more], "", f"and {more:,} more"])


def _text(text: str) -> str:
    return _quiet(markdown_text(text))


def _quiet(text: str) -> str:
    """Text that mentions nobody: labels such as @ann and #12 are not people and issues."""
    return _MENTIONS.sub(lambda sign: f"{sign[0]}\u200b", text)


def _code(text: str) -> str:
    """Text in a fence that is longer than any of its own."""
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}text\n{text}\n{fence}"
