"""Round after round on a core that was built with sanitizers, for so many seconds; see ``make fuzz``."""

import argparse
import importlib.util
import os
import random
import subprocess
import sys
import time
from pathlib import Path


def _options():
    parser = argparse.ArgumentParser(prog="make fuzz")
    parser.add_argument("--core", type=Path, required=True, help="the folder of the sanitized core")
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--seed", default="", help="repeats what a seed began; random if not given")
    parser.add_argument("--round", type=int, help="this round alone")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def _library(name):
    """Where the compiler keeps one of its libraries."""
    command = ["g++", f"-print-file-name={name}"]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    return found.stdout.strip()


def _start(options):
    """Run the rounds in a process of their own, which a sanitizer may end; say how to repeat the last one."""
    environment = os.environ | {
        "LD_PRELOAD": f"{_library('libasan.so')}:{_library('libstdc++.so')}",
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1",
        "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
        "PYTHONMALLOC": "malloc",
        "ARROW_DEFAULT_MEMORY_POOL": "system",  # so that reads outside of Arrow's memory are seen too
    }
    seed = options.seed or str(random.SystemRandom().randrange(2**32))
    print(f"fuzzing with SEED={seed}", flush=True)
    last = options.core / "round"
    command = [sys.executable, "-X", "faulthandler", "-m", "fuzzing", *sys.argv[1:]]
    status = subprocess.run([*command, "--seed", seed, "--inside"], env=environment, check=False).returncode
    if status:
        print(f"FAILED; repeat it with: make fuzz SEED={seed} ROUND={last.read_text()}")
    return status


def _use_sanitized_core(folder):
    """Put the sanitized core where the package looks for its own."""
    [path] = folder.glob("_core*.so")
    spec = importlib.util.spec_from_file_location("concordant.core._core", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.modules[spec.name] = module


def _run(options):
    _use_sanitized_core(options.core)
    from fuzzing.targets import TARGETS

    end = time.monotonic() + options.seconds
    number, last = options.round or 0, options.core / "round"
    done = 0
    while time.monotonic() < end:
        last.write_text(str(number))
        TARGETS[number % len(TARGETS)](random.Random(f"{options.seed}/{number}"))
        done += 1
        number += 1
        if options.round is not None:
            break
    print(f"{done} rounds passed")


if __name__ == "__main__":
    given = _options()
    sys.exit(_run(given) if given.inside else _start(given))
