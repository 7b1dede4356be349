"""Files that were saved and then damaged: the same answer, or a refusal."""

import atexit
import copy
import functools
import json
import shutil
import tempfile
from pathlib import Path

from inner import saved_as_text as as_text

import concordant as cc
from fuzzing.refusals import answer


@functools.cache
def _files():
    folder = Path(tempfile.mkdtemp(prefix="concordant-fuzzing-"))
    u, v = list("aabbccdd") * 3, ["x", "x", "y", "y", "y", "z", "é", "z"] * 3
    cc.compare(u, v).save(folder / "whole.json")
    atexit.register(shutil.rmtree, folder)
    return folder, (folder / "whole.json").read_bytes()


def _damaged(random, data):
    at = random.randrange(len(data))
    kind = random.randrange(4)
    if kind == 0:
        return data[:at]
    if kind == 1:
        return data[:at] + bytes([data[at] ^ (1 << random.randrange(8))]) + data[at + 1 :]
    if kind == 2:
        return data[:at] + data[at + 1 :]
    return data[:at] + bytes([random.randrange(256)]) * random.randrange(1, 9) + data[at:]


def comparisons(random):
    """Saved comparisons."""
    folder, data = _files()
    path = folder / "damaged.json"
    path.write_bytes(_damaged(random, data))
    loaded = answer(cc.Comparison.load, path)
    assert loaded is None or loaded.to_json() == cc.Comparison.load(folder / "whole.json").to_json()


WRONG = (None, True, -1, 0, 7, 1.5, "x", [], [-1], {}, {"date": "x"}, {"tuple": 1}, 10**30)


def places(content, at=()):
    """Where a document can be changed: the way to each of its values."""
    inner = content.items() if isinstance(content, dict) else enumerate(content if at else ())
    for key, value in inner:
        yield (*at, key)
        if isinstance(value, (dict, list)):
            yield from places(value, (*at, key))


def changed(content, place, wrong):
    """A copy with another value in one place; without it, if the value is Ellipsis."""
    content = copy.deepcopy(content)
    inner = content
    for key in place[:-1]:
        inner = inner[key]
    if wrong is ...:
        del inner[place[-1]]
    else:
        inner[place[-1]] = wrong
    return content


def contents(random):
    """Saved comparisons whose checksum fits a content that no comparison has."""
    folder, data = _files()
    content = json.loads(data)["content"]
    content = changed(content, random.choice([*places(content)]), random.choice([*WRONG, ...]))
    path = folder / "changed.json"
    path.write_text(as_text("comparison", content), encoding="utf-8")
    loaded = answer(cc.Comparison.load, path)
    assert loaded is None or str(loaded) + loaded.to_json()


TARGETS = [comparisons, contents]
