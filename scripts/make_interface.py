"""List the public interface in tests/contract/interface.txt: `python scripts/make_interface.py`.

The list has each public function, class, method and property, each command with its options, the errors, and
the compatibility modules. A test compares it, so every change of the interface is part of a
commit. A changed list is recorded only if the newest section of CHANGELOG.md has changed, too.
`--changelog` prints the difference from another version of the list.

    python scripts/make_interface.py --changelog old-interface.txt
"""

from __future__ import annotations

import hashlib
import inspect
import json
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "support")]

import subjects  # noqa: E402  (of the tests)

from concordant import functions  # noqa: E402
from concordant.compat import perl, permetrics, skimage, sklearn, torchmetrics  # noqa: E402
from concordant.foundation import input_options  # noqa: E402
from concordant.indices.index import all_indices  # noqa: E402

PATH = ROOT / "tests" / "contract" / "interface.txt"
CHANGELOG = ROOT / "CHANGELOG.md"
RECORD = ROOT / "tests" / "golden" / "interface.json"  # of the list and the changelog that describes it
# Options that many functions take, the larger block first: the signatures in the list name the block.
BLOCKS = {"index_options": functions.OPTIONS, "input_options": input_options.OPTIONS}


def signature(function: object) -> str:
    """A signature without annotations; a complete block of options is `**` and its name."""
    parameters = [
        each for each in inspect.signature(function).parameters.values() if each.name not in ("self", "cls")
    ]  # type: ignore[arg-type]
    names = {each.name for each in parameters}
    block = next((block for block, options in BLOCKS.items() if options.keys() <= names), None)
    shown, is_keyword_only = [], False
    for each in parameters:
        if each.kind is each.KEYWORD_ONLY and not is_keyword_only:
            shown.append("*")
            is_keyword_only = True
        is_keyword_only |= each.kind is each.VAR_POSITIONAL
        shown.append(f"**{block}" if block and each.name in BLOCKS[block] else parameter(each))
    return f"({', '.join(dict.fromkeys(shown))})"


def parameter(declared: inspect.Parameter) -> str:
    """A parameter with its default."""
    text = str(declared.replace(annotation=declared.empty))
    return f"{declared.name}=MISSING" if " at 0x" in text else text


@cache
def public_classes() -> set[type]:
    """The classes of results, and those of ours that they inherit from."""
    kinds = {base for each in subjects.classes() for base in each.type.__mro__}
    return {kind for kind in kinds if kind.__module__.startswith("concordant.")}


def lines() -> Iterator[str]:
    """The list."""
    for block, options in BLOCKS.items():
        yield f"**{block}: {', '.join(map(parameter, options.values()))}"
    yield ""
    yield from sorted(f"{each}{signature(each.function)}" for each in subjects.functions())
    yield ""
    for kind in sorted(public_classes(), key=lambda kind: kind.__name__):
        bases = [base.__name__ for base in kind.__bases__ if base in public_classes()]
        yield f"class {kind.__name__}({', '.join(bases)})"
        for name in sorted(set(subjects.static_members(kind)) & subjects.own_names(kind)):
            function = getattr(vars(kind).get(name), "__func__", vars(kind).get(name))
            yield f"{kind.__name__}.{name}{signature(function) if inspect.isfunction(function) else ''}"
    yield ""
    yield f"indices as attributes and keys: {len(all_indices())}"
    yield from sorted(
        f"error {name}"
        for name in vars(subjects.importlib.import_module("concordant.errors"))
        if name.endswith("Error")
    )
    yield ""
    for module in (perl, permetrics, skimage, sklearn, torchmetrics):
        path = module.__name__.removeprefix("concordant.")
        for name, thing in sorted(vars(module).items()):
            if getattr(thing, "__module__", "") == module.__name__ and not name.startswith("_"):
                yield f"{path}.{name}{signature(thing) if inspect.isfunction(thing) else ''}"
    yield ""
    for command in sorted(subjects.commands(), key=str):
        yield f"{command} {' '.join(each.name.upper() for each in command.arguments)}"
        for option in sorted(command.options, key=lambda each: each.opts[0]):
            yield f"{command} {'/'.join([*option.opts, *option.secondary_opts])} = {option.default!r}"


def changes(old: str, new: str) -> Iterator[str]:
    """Rows of the table of the changelog: lines of only one list."""
    before, now = ([line for line in text.splitlines() if line] for text in (old, new))
    yield from (f"- {line}" for line in before if line not in set(now))
    yield from (f"+ {line}" for line in now if line not in set(before))


def digests(listing: str, changelog: str) -> dict[str, str]:
    """Digests of the list and of the newest section of the changelog."""
    newest = re.split(r"^## ", changelog, maxsplit=2, flags=re.MULTILINE)[1]
    content = {"listing": listing, "changelog": newest}
    return {name: hashlib.sha256(text.encode()).hexdigest()[:16] for name, text in content.items()}


def is_described(recorded: dict[str, str], found: dict[str, str]) -> bool:
    """Whether the list is the recorded one, or the changelog has changed with it."""
    return recorded["listing"] == found["listing"] or recorded["changelog"] != found["changelog"]


def main() -> None:
    text = "\n".join(lines()) + "\n"
    if sys.argv[1:2] == ["--changelog"]:
        print("\n".join(changes(Path(sys.argv[2]).read_text(encoding="utf-8"), text)))
        return
    PATH.write_text(text, encoding="utf-8")
    print(f"wrote {PATH.relative_to(ROOT)}")
    recorded = json.loads(RECORD.read_text(encoding="utf-8"))
    found = digests(text, CHANGELOG.read_text(encoding="utf-8"))
    if not is_described(recorded, found):
        sys.exit(
            "the interface changed: add a line to the newest section of CHANGELOG.md, then run this again"
        )
    if recorded["listing"] != found["listing"]:
        RECORD.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
