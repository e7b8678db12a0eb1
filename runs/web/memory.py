"""Returns memory to the system, so that the server shrinks again after a large upload."""

import ctypes
import platform

_M_MMAP_THRESHOLD = -3
_LARGE = 256 << 10


def return_large_blocks() -> None:
    """Make every block of 256 KiB or more return to the system when it is freed.

    By default, when glibc frees a large block, it keeps later blocks up to that size (at most 32 MiB) for reuse
    (mallopt(3), M_MMAP_THRESHOLD). A few tours of 200,000 cities then leave the server 80 MB larger permanently. Does
    nothing with other C libraries.
    """
    if platform.libc_ver()[0] == "glibc":
        ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, _LARGE)
