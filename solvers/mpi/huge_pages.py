"""Large pages under memory that processes share.

A page of 4 kB is dear when it is first touched, and once more in each further process that sees it: 100 MB took one
process 71 ms and the next one 36 on a virtual machine, 7 and 0.4 in pages of 2 MB. A process's own memory gets these
by a word to the system. What processes share, in a file of `/dev/shm`, has them by none of Linux's settings as they
mostly are, but can be made so afterwards (`MADV_COLLAPSE`, Linux 6.1) where address and place in the file are aligned
alike. MPI does not see to that, so the memory is mapped a second time. Where anything of this is not to be had,
nothing is done: pages are then as small as ever.
"""

import ctypes
import sys
from functools import cache
from pathlib import Path

import numpy as np

#: Bytes of a large page: those of x86, and of ARM with small pages of 4 kB. Of another size none is had.
HUGE = 1 << 21
#: Bytes of memory from which on large pages are worth their while: as many as NumPy wants for a process's own.
LEAST = 1 << 22
#: As Linux numbers them: Python's `mmap` does not have them all.
_COLLAPSE, _MAY_MOVE, _FIXED, _OWN, _NO_RESERVE = 25, 1, 2, 0x22, 0x4000
_MAPS = Path("/proc/self/maps")
_FAILED = ctypes.c_void_p(-1).value


def room_for(size: int) -> int:
    """Bytes that memory of a size must have in a file, for all of it to be in large pages wherever they begin."""
    return size if size < LEAST else -(-size // HUGE) * HUGE + HUGE


def first_at(address: int) -> int:
    """Bytes from an address, in memory that lies in a file, to the first large page of the file; 0 if none is known."""
    place = _place_of(address)
    return 0 if place is None else -place % HUGE


def mapped_again(address: int, size: int) -> int | None:
    """Map shared memory a second time, where large pages fit under it; None if that cannot be.

    Parameters
    ----------
    address : int
        Where it lies now, at the beginning of a large page of its file.
    size : int
        Whole large pages.

    Returns
    -------
    int or None
        Where it lies as well, for as long as this process lives.
    """
    place = _place_of(address)
    if place is None or place % HUGE:
        return None
    system = _system()
    room = system.mmap(None, size + HUGE, 0, _OWN | _NO_RESERVE, -1, 0)
    if room == _FAILED:
        return None
    # An old size of 0 leaves the first mapping as it is.
    found = system.mremap(address, 0, size, _MAY_MOVE | _FIXED, room + -room % HUGE)
    return None if found == _FAILED else int(found)


def begins_in(part: np.ndarray) -> range:
    """The addresses within an array at which large pages begin."""
    first = part.ctypes.data
    return range(first + -first % HUGE, first + part.nbytes, HUGE)


def have(pages: range) -> None:
    """Have large pages at neighbouring addresses of shared memory, if that can be; what is written there stays.

    Nothing is written: other processes may be at work there. Each call waits until every core has put away what it
    has at hand of small pages, some milliseconds where all are busy: so few calls are better than many.
    """
    if sys.platform != "linux":
        return
    for address in pages:
        ctypes.c_uint8.from_address(address).value  # noqa: B018 - nothing can be made large where nothing is yet
    _system().madvise(pages[0], pages[-1] + HUGE - pages[0], _COLLAPSE)


def _place_of(address: int) -> int | None:
    """Where in its file the memory at an address lies; None where that is not told, as on all systems but Linux."""
    if sys.platform != "linux":
        return None
    for line in _MAPS.read_text(encoding="utf-8", errors="replace").splitlines():
        between, _, offset, *_ = line.split()
        first, after = (int(end, 16) for end in between.split("-"))
        if first <= address < after:
            return int(offset, 16) + address - first
    return None


@cache
def _system() -> ctypes.CDLL:
    """The functions of the C library, which let other threads work meanwhile."""
    found = ctypes.CDLL(None)
    found.mmap.restype = found.mremap.restype = ctypes.c_void_p
    word, size, flags = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    found.mmap.argtypes = [word, size, flags, flags, flags, ctypes.c_long]
    found.mremap.argtypes = [word, size, size, flags, word]
    found.madvise.argtypes = [word, size, flags]
    return found
