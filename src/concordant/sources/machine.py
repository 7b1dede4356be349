"""How much memory the machine has, how much of it the process holds, and whether more fits into a limit."""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

from concordant.errors import Remedy, TooLargeError
from concordant.sources.descriptions import MOST_FOR_READING, Files

LEAST_ROOM = 2**24


def whole_memory() -> int:
    """The bytes of memory that this machine, or this container, has."""
    if sys.platform == "win32":
        status = _MemoryStatus(ctypes.sizeof(_MemoryStatus))
        ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status))
        return status.physical
    physical = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    try:
        allowed = Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii").strip()
    except OSError:
        return physical
    return min(physical, int(allowed)) if allowed.isdigit() else physical


def resident_memory() -> int:
    """The bytes of memory that the process holds now; where a system reports only the peak, the peak."""
    if sys.platform == "win32":
        counters = _ProcessMemory(ctypes.sizeof(_ProcessMemory))
        this_process = ctypes.c_void_p(-1)
        ctypes.windll.kernel32.K32GetProcessMemoryInfo(this_process, ctypes.byref(counters), counters.length)
        return counters.resident
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        import resource  # Unix only

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024  # macOS counts bytes, others kilobytes
    return pages * os.sysconf("SC_PAGE_SIZE")


def refuse_beyond_limit(source: object, needed: int, what: str, *, unread: int | None = None) -> None:
    """Refuse work that does not fit into the memory limit of files; the error has one that suffices.

    Of a larger limit, the reader takes a larger share. ``unread`` is the memory in use without the reader;
    by default, what is in use includes it. Small work is done even if other data fills the limit.
    """
    if not isinstance(source, Files) or source.memory_bytes is None or needed <= LEAST_ROOM:
        return
    used, reading = resident_memory(), source.readers * (source.reading_bytes or 0)
    whole, held = used + needed, 0 if unread else reading
    if (unread or used) + needed + reading - held > source.memory_bytes:
        enough = (whole + max(min(whole // 3, MOST_FOR_READING) - held, 0)) * 21 // 20
        raise TooLargeError(
            f"{what} takes about {needed / 10**6:,.0f} MB, and {used / 10**6:,.0f} MB are in use",
            given={"memory": source.memory},
            remedies=[Remedy("give enough", memory=f"{enough // 10**7 + 1}0MB")],
        )


class _MemoryStatus(ctypes.Structure):
    """MEMORYSTATUSEX of Windows."""

    _fields_ = (
        ("length", ctypes.c_uint32),
        ("load", ctypes.c_uint32),
        ("physical", ctypes.c_uint64),
        ("others", ctypes.c_uint64 * 6),
    )
    physical: int


class _ProcessMemory(ctypes.Structure):
    """PROCESS_MEMORY_COUNTERS of Windows."""

    _fields_ = (
        ("length", ctypes.c_uint32),
        ("faults", ctypes.c_uint32),
        ("peak", ctypes.c_size_t),
        ("resident", ctypes.c_size_t),
        ("others", ctypes.c_size_t * 6),
    )
    length: int
    resident: int
