"""The listing of the public interface, the stubs for type checkers, and what help() and dir() show."""

import inspect
import json
from itertools import zip_longest
from pathlib import Path

import concordant as cc
from contract.checks import at, check, script

INTERFACE = script("make_interface")


@check
def listing():
    found = INTERFACE.PATH.read_text(encoding="utf-8").splitlines()
    for number, (line, wanted) in enumerate(zip_longest(found, INTERFACE.lines()), 1):
        if line != wanted:
            yield at(INTERFACE.PATH, number, f"not {wanted!r}; run: python scripts/make_interface.py")
            return


@check
def changelog():
    """A change of the interface is in the changelog."""
    texts = (path.read_text(encoding="utf-8") for path in (INTERFACE.PATH, INTERFACE.CHANGELOG))
    recorded = json.loads(INTERFACE.RECORD.read_text(encoding="utf-8"))
    if recorded["listing"] != INTERFACE.digests(*texts)["listing"]:
        yield at(
            INTERFACE.CHANGELOG,
            1,
            "the interface changed: add a line, then run: python scripts/make_interface.py",
        )


@check
def newest_section():
    """Only the newest section of the changelog describes a change."""
    before = INTERFACE.digests("f()", "# Changelog\n\n## 2\n\nnew\n\n## 1\n\nold\n")
    for listing, changelog, is_described in (
        ("f()", "# Changelog\n\n## 2\n\nnew\n\n## 1\n\nold\n", True),
        ("f()", "# Changelog\n\n## 2\n\nnewer\n\n## 1\n\nold\n", True),
        ("g()", "# Changelog\n\n## 2\n\nnew\n\n## 1\n\nolder\n", False),
        ("g()", "# Changelog\n\n## 2\n\nnew; g\n\n## 1\n\nold\n", True),
    ):
        if INTERFACE.is_described(before, INTERFACE.digests(listing, changelog)) != is_described:
            yield f"{listing} with {changelog!r}: is_described is not {is_described}"


@check
def stubs():
    for path, text in script("make_types").stubs().items():
        if path.read_text(encoding="utf-8") != text:
            yield at(path, 1, "not up to date; run: python scripts/make_types.py")
    if not (Path(cc.__file__).parent / "py.typed").exists():
        yield "src/concordant/py.typed: missing, so type checkers take nothing from the package"


@check
def public_names():
    """dir() lists them, each is there, and each has a docstring."""
    if set(dir(cc)) != {*cc.__all__, "__version__"}:
        yield f"dir(concordant) differs from __all__: {set(dir(cc)) ^ {*cc.__all__, '__version__'}}"
    for name in cc.__all__:
        if not getattr(cc, name).__doc__:
            yield f"{name}: no docstring"


@check
def help_is_for_people():
    for name in cc.INDICES:
        shown = f"{inspect.signature(getattr(cc, name))}\n{inspect.getdoc(getattr(cc, name))}"
        for odd in ("<lambda>", "Check(", " at 0x"):
            if odd in shown:
                yield f"help({name}) shows {odd}"
