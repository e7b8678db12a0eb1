"""Keeps the forking process small, as each worker may copy all its memory."""

import ctypes
import importlib
import mmap
import platform
import re
from pathlib import Path

#: First line of a memory area: addresses, whether it is private, and the mapped file, if any.
_AREA = re.compile(r"([0-9a-f]+)-([0-9a-f]+) ...([ps]) \S+ \S+ \d+ *(.*)")


def load_typing() -> None:
    """Load Numba's modules for loading kernels."""
    importlib.import_module("solvers.kernels.compiler")  # which keeps SciPy out
    importlib.import_module("numba.core.registry").cpu_target.target_context.refresh()


def return_memory() -> None:
    """Return unused memory to the system: freed blocks and library pages.

    The pages, two thirds of them LLVM's, are read from the system's cache again when needed. Works on Linux only, in
    processes with one thread; elsewhere this does nothing.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    if platform.libc_ver()[0] == "glibc":
        libc.malloc_trim(0)
    libc.madvise.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    area = None
    for line in Path("/proc/self/smaps").read_text().splitlines():
        if match := _AREA.match(line):
            area = match if match[3] == "p" and match[4].startswith("/") else None
        elif area and line.split() == ["Anonymous:", "0", "kB"]:  # no page of the area was changed by the process
            begin, end = int(area[1], 16), int(area[2], 16)
            libc.madvise(begin, end - begin, mmap.MADV_DONTNEED)
