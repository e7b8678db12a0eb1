"""Caches compiled CUDA kernels on disk, each under its own key, or takes them from the package.

Numba's key for a kernel is its code and its closure. Before numba-cuda 0.30.4, device functions in a closure have a
different key in every process, so a kernel composed of them would be compiled again, for seconds, in each run. Here a
cache folder belongs to one state of the sources (see `solvers.kernels.cache`), in which such a kernel depends only on
the arguments of the function that builds it. Later versions of numba-cuda still keep all kernels of such a function in
one index.

Imports Numba: for use inside `solve()`, with a GPU or Numba's simulator.
"""

import hashlib
from importlib import import_module
from typing import Any

from solvers.gpu import shipped
from solvers.kernels.cache import numba_cuda_version
from solvers.kernels.device_cuda import SIMULATED

# The simulator compiles nothing, and has no such class.
_NumbasCache: Any = object if SIMULATED else import_module("numba.cuda.dispatcher").CUDACache


class KeyedCache(_NumbasCache):
    """Numba's cache with a key of our own, and separate files for each key.

    Numba has one index for all compiled versions of a function. Two processes that compile kernels built by the same
    function could choose the same free file name; then a kernel would be loaded under the other kernel's key.
    """

    _cache_file: Any

    def __init__(self, py_func: Any, key: tuple) -> None:
        super().__init__(py_func)
        self.key = key
        self._cache_file = type(self._cache_file)(
            cache_path=self._cache_path,
            filename_base=f"{self._impl.filename_base}-{hashlib.sha256(repr(key).encode()).hexdigest()[:16]}",
            source_stamp=self._impl.locator.get_source_stamp(),
        )

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load a kernel from the package or, if it is not there, from the user's cache."""
        return _load_shipped(self.key, sig, target_context) or super().load_overload(sig, target_context)

    def _index_key(self, sig: Any, codegen: Any) -> tuple:
        return sig, codegen.magic_tuple(), numba_cuda_version(), self.key


def _load_shipped(key: tuple, types: Any, target_context: Any) -> Any:
    """Load the package's kernel onto the current GPU; return None if there is none, or the driver refuses it."""
    build = shipped.find_usable_build()
    if build is None:
        return None
    from cuda.core import ObjectCode
    from numba import cuda
    from numba.cuda import codegen, dispatcher, typing

    capabilities = {gpu.compute_capability for gpu in cuda.gpus}
    if len(capabilities) > 1:  # intermediate code is not stored, so Numba could not compile for the other GPUs
        return None
    found = build.load(shipped.kernel_name(key, types), *capabilities)
    if found is None:
        return None
    entry, code = found
    library = codegen.CUDACodeLibrary(target_context.codegen(), entry, entry_name=entry)
    library._cubin_cache[library._ensure_cc(None)] = ObjectCode.from_cubin(code)
    library._finalized = True
    kernel = dispatcher._Kernel._rebuild(
        cooperative=False, name=entry, signature=typing.signature(cuda.types.none, *types), codelibrary=library,
        debug=False, lineinfo=False, call_helper=None, extensions=[],
    )  # fmt: skip
    try:
        kernel.bind()
    except Exception:  # noqa: BLE001 - a driver older than the compiler refuses the code; then it is compiled here
        return None
    return kernel


def cache_kernel(kernel: Any, key: tuple) -> None:
    """Cache a kernel's compilation on disk; do nothing in the simulator.

    Parameters
    ----------
    kernel : CUDADispatcher
    key : tuple of str, int and bool
        The name of the function that builds the kernel, and that function's arguments.
    """
    if not SIMULATED:
        kernel._cache = KeyedCache(kernel.py_func, key)
