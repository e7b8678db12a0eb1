"""Compiled CUDA kernels cached on disk, each under a key of words.

Numba's key of a kernel is its code and its closure, and device functions in a closure have a different key in every
process. So a kernel composed of device functions would be compiled again, for seconds, in each run. Here the cache
folder belongs to one state of the sources (see `solvers.kernels.cache`), in which such a kernel depends only on its
factory's arguments.

Imports Numba: for use inside `solve()`, with a GPU.
"""

from importlib.metadata import version

from numba.cuda.dispatcher import CUDACache


class _KeyedCache(CUDACache):
    """Numba's own cache, with words as the key."""

    def __init__(self, py_func, key: tuple) -> None:
        super().__init__(py_func)
        self._key = key

    def _index_key(self, sig, codegen):
        return sig, codegen.magic_tuple(), version("numba-cuda"), self._key


def cache_kernel(kernel, key: tuple) -> None:
    """Let a kernel that is not compiled yet be loaded from the disk cache, or saved there.

    Parameters
    ----------
    kernel : CUDADispatcher
    key : tuple of str, int and bool
        The name of its factory and the factory's arguments.
    """
    kernel._cache = _KeyedCache(kernel.py_func, key)
