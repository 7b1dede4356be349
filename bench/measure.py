"""One measurement in a process of its own. Prints one JSON object a line, as soon as it is known.

measure.py time ROW QUICK BUDGET      every contender of a row, in turns
measure.py memory ROW QUICK WHO       peak memory of one contender
measure.py growth N K BUDGET          concordant alone
measure.py import                     seconds to import concordant, NumPy among them, and to a first answer
"""

import contextlib
import gc
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

MOST_ROUNDS = 15
SHORT = 2e-3  # shorter calls are timed in groups


def tell(**event):
    print(json.dumps(event), flush=True)


def timed(call, repeat):
    """Seconds by the clock and by the processor."""
    began, worked = time.perf_counter(), time.process_time()
    for _ in range(repeat):
        call.run()
    share = call.scale / repeat
    return (time.perf_counter() - began) * share, (time.process_time() - worked) * share


def take_turns(calls, budget):
    """Best of several rounds; in each, everyone who has time left goes once."""
    repeat = dict.fromkeys(calls, 1)
    spent = dict.fromkeys(calls, 0.0)
    for _ in range(MOST_ROUNDS):
        for name in [name for name in calls if spent[name] < budget]:
            try:
                seconds, processor = timed(calls[name], repeat[name])
            except Exception as error:  # noqa: BLE001  (a peer may fail in any way)
                tell(who=name, error=f"{type(error).__name__}: {error}"[:200])
                spent[name] = float("inf")
                continue
            tell(who=name, seconds=seconds, processor=processor)
            spent[name] += seconds / calls[name].scale * repeat[name]
            if seconds < SHORT:
                repeat[name] = max(1, int(SHORT * 5 / seconds))


def prepared(row, quick):
    given = row.make(**row.size(quick))
    calls = {}
    for name, contender in row.contenders.items():
        try:
            calls[name] = contender(*given)
        except ImportError as error:
            tell(who=name, error=f"not installed ({error.name})")
    return calls


def measure_time(row, quick, budget):
    calls = prepared(row, quick)
    for name, call in list(calls.items()):
        try:
            began, worked = time.perf_counter(), time.process_time()
            result = call.run()
            seconds, processor = time.perf_counter() - began, time.process_time() - worked
            tell(who=name, seconds=seconds * call.scale, processor=processor * call.scale)
            tell(who=name, values=call.read(result))
            if (time.perf_counter() - began) > budget:
                calls.pop(name)  # once is enough for the slow
        except Exception as error:  # noqa: BLE001  (a peer may fail in any way)
            tell(who=name, error=f"{type(error).__name__}: {error}"[:200])
            calls.pop(name)
        result = None
        gc.collect()
    take_turns(calls, budget)


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def forget_peak():
    """Reset the peak memory, so making the labels does not count (Linux)."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def measure_memory(row, quick, name):
    try:
        given = row.make(**row.size(quick))
        row.contenders[name](*row.make(n=1000, k=10)).run()  # imports and start-up are not the work
    except ImportError as error:
        tell(who=name, error=f"not installed ({error.name})")
        return
    call = row.contenders[name](*given)
    gc.collect()
    forget_peak()
    before = peak()
    call.run()
    tell(who=name, peak=peak() - before, input=sum(map(footprint, given)))


def footprint(labels):
    """Bytes of the labels themselves; of a list, its pointers."""
    return labels.nbytes if hasattr(labels, "nbytes") else 8 * len(labels)


def measure_growth(size, clusters, budget):
    import contenders
    import data

    calls = {"concordant": contenders.ours(*data.labels(size, clusters))}
    take_turns(calls, budget)


STARTS = {
    "python": "pass",
    "import numpy": "import numpy",
    "import concordant": "import concordant",
    "first call": "import concordant as cc; cc.compare([0, 0, 1], [0, 1, 1]).adjusted_rand",
    "first print": "import concordant as cc; str(cc.compare([0, 0, 1], [0, 1, 1]))",
}


def measure_import():
    """Whole processes, in turns; what a step takes is the difference to the one before."""
    for _ in range(7):
        for name, code in STARTS.items():
            began = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603  (the lines above)
            tell(who=name, seconds=time.perf_counter() - began)


def main(kind, *rest):
    if kind == "import":
        return measure_import()
    if kind == "growth":
        return measure_growth(int(rest[0]), int(rest[1]), float(rest[2]))
    from rows import BY_NAME

    row, quick = BY_NAME[rest[0]], rest[1] == "quick"
    if kind == "memory":
        return measure_memory(row, quick, rest[2])
    return measure_time(row, quick, float(rest[2]))


if __name__ == "__main__":
    main(*sys.argv[1:])
