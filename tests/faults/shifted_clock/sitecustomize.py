"""Shifts the wall clock by the seconds in a file; Python loads this first if the folder is on its path.

The file, which `TOURSCOPE_CLOCK` names, has the seconds as a double; a change counts at once, in workers as well.
"""

import mmap
import os
import struct
import time

_real = time.time

if _name := os.environ.get("TOURSCOPE_CLOCK"):
    with open(_name, "rb") as _file:
        _ahead = mmap.mmap(_file.fileno(), 8, access=mmap.ACCESS_READ)

    def _time() -> float:
        return _real() + struct.unpack_from("d", _ahead)[0]

    time.time = _time
    time.time_ns = lambda: int(_time() * 1e9)
