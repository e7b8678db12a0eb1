"""Keeps the forking process small, since each worker may end up copying all its memory."""

import ctypes
import importlib
import mmap
import platform
import re
from pathlib import Path

#: First line of a memory area: its addresses, whether it is private, and the mapped file, if any.
_AREA = re.compile(r"([0-9a-f]+)-([0-9a-f]+) ...([ps]) \S+ \S+ \d+ *(.*)")


def load_typing() -> None:
    """Load the modules of Numba that loading kernels needs."""
    importlib.import_module("solvers.kernels.compiler")  # which keeps SciPy out
    importlib.import_module("numba.core.registry").cpu_target.target_context.refresh()


def return_memory() -> None:
    """Return unused memory to the system: freed blocks, and pages of libraries.

    Such pages, two thirds of which are LLVM's, are read from the system's cache again when they are needed. This works
    only on Linux, in processes with one thread; elsewhere it does nothing.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    if platform.libc_ver()[0] == "glibc":
        libc.malloc_trim(0)
    libc.madvise.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    area = None
    for line in Path("/proc/self/smaps").read_text().splitlines():
        if match := _AREA.match(line):
            area = match if match[3] == "p" and match[4].startswith("/") else None
        elif area and line.split() == ["Anonymous:", "0", "kB"]:  # the process has changed no page of the area
            begin, end = int(area[1], 16), int(area[2], 16)
            libc.madvise(begin, end - begin, mmap.MADV_DONTNEED)
