"""How a command ends: its exit status, and its options as errors spell them."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

LIMIT_MISSED = 1
BAD_USE = 2
UNEXPECTED = 70  # as in sysexits.h; Python's own status would mean a missed limit
INTERRUPTED = 130
TERMINATED = 143

# Options that may be repeated are named in the singular, and lists in Python in the plural.
OTHER_NAMES = {"kinds": "kind", "indices": "index", "lists": "list", "to": "output"}


class LimitMissed(SystemExit):
    """A limit of --fail-under or --fail-over was missed; nothing else ends with this status."""

    def __init__(self) -> None:
        super().__init__(LIMIT_MISSED)


def as_option(option: str, value: Any) -> str:
    """An option as one writes it on the command line.

    >>> as_option("noise_as", "drop"), as_option("noise", ""), as_option("header", False)
    ('--noise-as drop', "--noise ''", '--no-header')
    >>> as_option("reference_noise", {"0": "drop", "9": "cluster"})
    '--reference-noise 0=drop --reference-noise 9=cluster'
    >>> as_option("kinds", ["merge", "move"])
    '--kind merge --kind move'
    """
    name = OTHER_NAMES.get(option, option).replace("_", "-")
    if isinstance(value, Mapping):
        return " ".join(as_option(option, f"{key}={each}") for key, each in value.items())
    if isinstance(value, list | tuple):
        return " ".join(as_option(option, each) for each in value)
    if isinstance(value, bool):
        return f"--{name}" if value else f"--no-{name}"
    return f"--{name} {'...' if value is ... else shlex.quote(str(value))}"
