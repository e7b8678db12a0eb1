"""Compiled CUDA kernels cached on disk, each under its own key.

Numba's key of a kernel is its code and its closure. Before numba-cuda 0.30.4, device functions in a closure have a
different key in every process, so that a kernel composed of them is compiled again, for seconds, in each run. Here the
cache folder belongs to one state of the sources (see `solvers.kernels.cache`), in which such a kernel depends only on
its factory's arguments; a later numba-cuda still keeps all kernels of a factory in one index.

Imports Numba: for use inside `solve()`, with a GPU or Numba's simulator.
"""

import hashlib
from importlib import import_module
from importlib.metadata import version
from typing import Any

from solvers.kernels.device_cuda import SIMULATED

# The simulator compiles nothing, and has no such class.
_NumbasCache: Any = object if SIMULATED else import_module("numba.cuda.dispatcher").CUDACache


class _KeyedCache(_NumbasCache):
    """Numba's cache with a custom key, and separate files for each key.

    Numba has one index for all compiled versions of a function. Two processes that compile kernels of the same factory
    could choose the same free file name; then a kernel would be loaded under the other's key.
    """

    _cache_file: Any

    def __init__(self, py_func: Any, key: tuple) -> None:
        super().__init__(py_func)
        self._key = key
        self._cache_file = type(self._cache_file)(
            cache_path=self._cache_path,
            filename_base=f"{self._impl.filename_base}-{hashlib.sha256(repr(key).encode()).hexdigest()[:16]}",
            source_stamp=self._impl.locator.get_source_stamp(),
        )

    def _index_key(self, sig: Any, codegen: Any) -> tuple:
        return sig, codegen.magic_tuple(), version("numba-cuda"), self._key


def cache_kernel(kernel: Any, key: tuple) -> None:
    """Make a kernel's compilation use the disk cache; does nothing in the simulator.

    Parameters
    ----------
    kernel : CUDADispatcher
    key : tuple of str, int and bool
        The name of its factory and the factory's arguments.
    """
    if not SIMULATED:
        kernel._cache = _KeyedCache(kernel.py_func, key)
