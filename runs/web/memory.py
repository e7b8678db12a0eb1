"""Returns memory to the system, so that the server stays small with many viewers and after large uploads."""

import ctypes
import platform

_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8
_LARGE, _ARENAS = 256 << 10, 2


def configure_malloc() -> None:
    """Let glibc return freed blocks of 256 KiB or more to the system, and share smaller ones between threads.

    By default, when glibc frees a large block, it keeps later blocks up to that size (at most 32 MiB) for reuse
    (mallopt(3), M_MMAP_THRESHOLD). A few tours of 200,000 cities then leave the server 80 MB larger permanently. It
    also has up to eight arenas for each core, each with free blocks of its own (M_ARENA_MAX). Does nothing with other C
    libraries.
    """
    if platform.libc_ver()[0] == "glibc":
        libc = ctypes.CDLL(None)
        libc.mallopt(_M_MMAP_THRESHOLD, _LARGE)
        libc.mallopt(_M_ARENA_MAX, _ARENAS)
