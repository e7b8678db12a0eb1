"""Huge pages for memory that processes share.

A page of 4 kB is expensive when it is first touched, and again in every other process that maps it. On a virtual
machine, 100 MB took the first process 71 ms and the next one 36 ms; with pages of 2 MB, they took 7 ms and 0.4 ms.
Private memory gets huge pages on request. Shared memory, a file in `/dev/shm`, does not under Linux's usual settings,
but its pages can be collapsed into huge ones later (`MADV_COLLAPSE`, Linux 6.1) if address and file offset have the
same alignment. MPI does not ensure that, so the memory is mapped a second time. If any of this is unavailable, the
pages stay small.
"""

import ctypes
import sys
from functools import cache
from pathlib import Path

import numpy as np

#: Bytes per huge page on x86, and on ARM with base pages of 4 kB. Huge pages of other sizes are not used.
HUGE = 1 << 21
#: From this many bytes on, huge pages pay off; this is NumPy's threshold for private memory.
MIN_SIZE = 1 << 22
#: Linux's constants, some of which Python's `mmap` lacks.
_COLLAPSE, _MAY_MOVE, _FIXED, _OWN, _NO_RESERVE = 25, 1, 2, 0x22, 0x4000
_MAPS = Path("/proc/self/maps")
_FAILED = ctypes.c_void_p(-1).value


def padded_size(size: int) -> int:
    """Return the file size needed so that `size` bytes fit into huge pages wherever they begin."""
    return size if size < MIN_SIZE else -(-size // HUGE) * HUGE + HUGE


def bytes_to_page(address: int) -> int:
    """Return the number of bytes from an address in file-backed memory to the file's next huge page; 0 if unknown."""
    place = _find_file_offset(address)
    return 0 if place is None else -place % HUGE


def map_again(address: int, size: int) -> int | None:
    """Map shared memory again, at an address aligned for huge pages; return None if that is impossible.

    Parameters
    ----------
    address : int
        The current address, at the start of a huge page of its file.
    size : int
        Number of bytes, a multiple of `HUGE`.

    Returns
    -------
    int or None
        The second address, valid until this process ends.
    """
    place = _find_file_offset(address)
    if place is None or place % HUGE:
        return None
    system = _load_libc()
    space = system.mmap(None, size + HUGE, 0, _OWN | _NO_RESERVE, -1, 0)
    if space == _FAILED:
        return None
    # An old size of 0 keeps the first mapping.
    again = system.mremap(address, 0, size, _MAY_MOVE | _FIXED, space + -space % HUGE)
    return None if again == _FAILED else int(again)


def page_addresses(part: np.ndarray) -> range:
    """Return the addresses inside an array where huge pages begin."""
    first = part.ctypes.data
    return range(first + -first % HUGE, first + part.nbytes, HUGE)


def collapse(pages: range) -> None:
    """If possible, collapse adjacent pages of shared memory into huge pages, which keeps their content.

    Nothing is written, since other processes may be working there. Each call waits until every core has flushed its
    lists of small pages. This takes a few milliseconds if all cores are busy, so few calls are better than many.
    """
    if sys.platform != "linux":
        return
    for address in pages:
        ctypes.c_uint8.from_address(address).value  # noqa: B018 - only existing pages can be collapsed
    _load_libc().madvise(pages[0], pages[-1] + HUGE - pages[0], _COLLAPSE)


def _find_file_offset(address: int) -> int | None:
    """Return the file offset of the memory at an address; None if it is unknown, as on systems other than Linux."""
    if sys.platform != "linux":
        return None
    for line in _MAPS.read_text(encoding="utf-8", errors="replace").splitlines():
        between, _, offset, *_ = line.split()
        first, after = (int(end, 16) for end in between.split("-"))
        if first <= address < after:
            return int(offset, 16) + address - first
    return None


@cache
def _load_libc() -> ctypes.CDLL:
    """Load the C library; its functions release the GIL."""
    library = ctypes.CDLL(None)
    library.mmap.restype = library.mremap.restype = ctypes.c_void_p
    word, size, flags = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    library.mmap.argtypes = [word, size, flags, flags, flags, ctypes.c_long]
    library.mremap.argtypes = [word, size, size, flags, word]
    library.madvise.argtypes = [word, size, flags]
    return library
