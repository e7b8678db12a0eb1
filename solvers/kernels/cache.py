"""Folders of compiled kernels in the user's cache, named after hashes of the sources.

Numba notices changes in the file that defines a cached function, but not in the files whose functions it calls. A
folder for each version of the sources is never stale. Kernels for the CPU have a folder of their own, since they depend
only on the sources in kernel folders; kernels for GPUs also depend on the code that composes them.
"""

import os
import sys
import tempfile
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from data.cache.folder_hash import folder_hash
from data.cache.place import cache_home

_SOURCES = Path(__file__).resolve().parent.parent


def hash_sources() -> str:
    """Return a hash of all source files below ``solvers``, 16 hexadecimal digits."""
    return folder_hash(_SOURCES, ".py")


def hash_kernels() -> str:
    """Return a hash of the source files in all ``kernels`` folders, 16 hexadecimal digits."""
    return folder_hash(_SOURCES, ".py", "kernels")


@cache
def find_cpu_folder(numbas_folder: str) -> str:
    """Return the folder of CPU kernels: Numba's, unless `use_cache` has set it."""
    folder = Path(numbas_folder)
    is_ours = folder.name == f"kernels-{hash_sources()}"
    return str(folder.with_name(f"cpu-kernels-{hash_kernels()}")) if is_ours else numbas_folder


def numba_cuda_version() -> str:
    """Return the version of numba-cuda; ``none`` if it is not installed."""
    try:
        return version("numba-cuda")
    except PackageNotFoundError:
        return "none"


def use_cache() -> None:
    """Make Numba use the folder for these sources, unless ``NUMBA_CACHE_DIR`` is set."""
    if "NUMBA_CACHE_DIR" in os.environ:
        return
    folder = cache_home() / f"kernels-{hash_sources()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        folder = Path(tempfile.gettempdir()) / f"tourscope-{os.getuid() if hasattr(os, 'getuid') else ''}" / folder.name
    os.environ["NUMBA_CACHE_DIR"] = str(folder)
    if "numba" in sys.modules:
        sys.modules["numba"].config.CACHE_DIR = str(folder)
