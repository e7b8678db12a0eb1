"""Compiled CUDA kernels kept on disk, by words that say what each is.

Numba keys a kernel by its code and by what it closes over, and device functions in a closure have another key in every
process: so a kernel made of policies would be compiled anew, for seconds, in each run. The folder that they are kept in
belongs to one state of the sources (see `solvers.kernels.cache`), in which such a kernel is a function of its factory's
arguments.

Imports Numba: for use inside `solve()`, with a card.
"""

from importlib.metadata import version

from numba.cuda.dispatcher import CUDACache


class _Kept(CUDACache):
    """Numba's own cache, with words for a key."""

    def __init__(self, py_func, words: tuple) -> None:
        super().__init__(py_func)
        self._words = words

    def _index_key(self, sig, codegen):
        return sig, codegen.magic_tuple(), version("numba-cuda"), self._words


def keep(kernel, words: tuple) -> None:
    """Have a kernel that is not compiled yet loaded from disk, or kept there.

    Parameters
    ----------
    kernel : CUDADispatcher
    words : tuple of str, int and bool
        Its factory and the factory's arguments.
    """
    kernel._cache = _Kept(kernel.py_func, words)
