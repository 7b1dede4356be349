"""Files that were saved and then damaged: the same answer, or a refusal."""

import atexit
import functools
import shutil
import tempfile
from pathlib import Path

import concordant as cc
from fuzzing.refusals import answer


@functools.cache
def _files():
    folder = Path(tempfile.mkdtemp(prefix="concordant-fuzzing-"))
    u, v = list("aabbccdd") * 3, ["x", "x", "y", "y", "y", "z", "é", "z"] * 3
    cc.Accumulator("all").add(u, v).save(folder / "whole.cells")
    cc.compare(u, v).save(folder / "whole.json")
    atexit.register(shutil.rmtree, folder)
    return folder, (folder / "whole.cells").read_bytes(), (folder / "whole.json").read_bytes()


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


def cells(random):
    """Cells files."""
    folder, data, _ = _files()
    path = folder / "damaged.cells"
    path.write_bytes(_damaged(random, data))
    loaded = answer(cc.Accumulator.load, path)
    assert loaded is None or sorted(loaded) == sorted(cc.Accumulator.load(folder / "whole.cells"))


def comparisons(random):
    """Saved comparisons."""
    folder, _, data = _files()
    path = folder / "damaged.json"
    path.write_bytes(_damaged(random, data))
    loaded = answer(cc.Comparison.load, path)
    assert loaded is None or loaded.to_json() == cc.Comparison.load(folder / "whole.json").to_json()


TARGETS = [cells, comparisons]
