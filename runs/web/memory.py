"""Memory that a server gives back: after a large upload it is as small as before."""

import ctypes
import platform

_M_MMAP_THRESHOLD = -3
_LARGE = 256 << 10


def return_large_blocks() -> None:
    """Have every block of 256 KiB or more go back to the system when it is freed.

    Left alone, glibc takes each large block that is freed as a reason to keep all of up to that size, 32 MiB at most
    (mallopt(3), M_MMAP_THRESHOLD): some tours of 200,000 cities then leave a server 80 MB larger for good. Other C
    libraries are left as they are.
    """
    if platform.libc_ver()[0] == "glibc":
        ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, _LARGE)
