"""The folder of compiled kernels: in the user's cache, named by a hash of the sources.

Numba notices changes of the file that defines a cached function, but not of the files whose functions it calls. A
folder for each version of the sources is never stale.
"""

import os
import sys
import tempfile
from pathlib import Path

from data.cache.folder_hash import folder_hash
from data.cache.place import cache_home

_SOURCES = Path(__file__).resolve().parent.parent


def sources_hash() -> str:
    """Return a hash of all source files below ``solvers``, 16 hexadecimal digits."""
    return folder_hash(_SOURCES, ".py")


def use_cache() -> None:
    """Point Numba at the folder for these sources, unless ``NUMBA_CACHE_DIR`` is set."""
    if "NUMBA_CACHE_DIR" in os.environ:
        return
    folder = cache_home() / f"kernels-{sources_hash()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        folder = Path(tempfile.gettempdir()) / f"tourscope-{os.getuid() if hasattr(os, 'getuid') else ''}" / folder.name
    os.environ["NUMBA_CACHE_DIR"] = str(folder)
    if "numba" in sys.modules:
        sys.modules["numba"].config.CACHE_DIR = str(folder)
