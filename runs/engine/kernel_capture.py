"""Captures the CUDA kernels that a program compiles, from inside its process, with or without a GPU.

Without a GPU, a simulated one takes its place (`SimulatedGpu`): it has the limits of an H200 and compiles the kernels
launched on it, but computes nothing, so programs are ended after some launches that compile nothing new.

This file imports nothing from the project, so a program that works on another checkout can load it by its path.
"""

import ctypes
import functools
import importlib
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

#: Number of launches without new kernels after which a program on the simulated GPU is ended.
ENOUGH = 40


class Capture:
    """Captures every kernel that Numba compiles in this process.

    Parameters
    ----------
    keep : callable
        Called for each kernel with its function, argument types, register limit or None, and code library, which gives
        the PTX for a compute capability.
    """

    def __init__(self, keep: Callable[[Any, Any, Any, Any], None]) -> None:
        self._keep = keep
        self.launches_since = 0  # launches since the last new kernel

    def hook(self) -> None:
        """Start capturing compiled kernels."""
        from numba.cuda.dispatcher import _Kernel

        original = _Kernel.__init__

        @functools.wraps(original)
        def make(kernel: Any, py_func: Any, argtypes: Any, *more: Any, **options: Any) -> None:
            original(kernel, py_func, argtypes, *more, **options)
            self.launches_since = 0
            self._keep(py_func, argtypes, options.get("max_registers"), kernel._codelibrary)

        _Kernel.__init__ = make


class AllLaunched(RuntimeError):
    """A program has launched all its kernels on the simulated GPU."""


class SimulatedGpu:
    """A simulated GPU that compiles launched kernels but computes nothing.

    Parameters
    ----------
    capture : Capture
    cc : (int, int)
        Compute capability.
    """

    MULTIPROCESSOR_COUNT = 132
    MAX_THREADS_PER_MULTIPROCESSOR = 2048
    MAX_BLOCKS_PER_MULTIPROCESSOR = 32
    MAX_REGISTERS_PER_MULTIPROCESSOR = 65_536
    MAX_REGISTERS_PER_BLOCK = 65_536
    MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 233_472
    MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 232_448
    MAX_SHARED_MEMORY_PER_BLOCK = 49_152
    MAX_THREADS_PER_BLOCK = 1024
    WARP_SIZE = 32
    id, name = 0, b"Paper"

    def __init__(self, capture: Capture, cc: tuple[int, int]) -> None:
        self._capture, self.compute_capability = capture, cc
        self._overloads: dict[str, Any] = {}  # stands for the binaries in Numba's cache, which only a driver can load

    def _key(self, cache: Any, types: Any) -> str:
        return repr(cache._index_key(types, self))

    def magic_tuple(self) -> tuple[int, int]:
        """Return the interface that Numba requires of a compiler."""
        return self.compute_capability

    def insert(self) -> None:
        """Replace the first GPU by this one."""
        from cuda.bindings import driver

        cuda: Any = importlib.import_module("numba.cuda")
        codegen: Any = importlib.import_module("numba.cuda.codegen")
        dispatcher: Any = importlib.import_module("numba.cuda.dispatcher")

        device = self.compute_capability
        codegen.CUDACodeLibrary._ensure_cc = lambda library, cc: cc or device
        codegen.CUDACodeLibrary.get_cufunc = lambda library, *_: self
        dispatcher.get_current_device = lambda: self
        dispatcher.CUDACache.load_overload = lambda cache, types, _: self._overloads.get(self._key(cache, types))
        dispatcher.CUDACache.save_overload = lambda cache, types, overload: self._overloads.update(
            {self._key(cache, types): overload}
        )
        dispatcher._Kernel.bind = lambda kernel: None
        dispatcher._Kernel.regs_per_thread = 32
        dispatcher.CUDADispatcher.configure = lambda kernel, *_, **__: _Launcher(kernel, self._capture)
        dispatcher.CUDADispatcher.__getitem__ = lambda kernel, _: _Launcher(kernel, self._capture)
        cuda.to_device = lambda array, *_, **__: _fake_array(array)
        cuda.device_array = lambda shape, dtype=float, *_, **__: _fake_array(_make_zeros(shape, dtype))
        cuda.device_array_like = lambda array, *_, **__: _fake_array(_make_zeros(array.shape, array.dtype))
        cuda.pinned_array = cuda.mapped_array = lambda shape, dtype=float, *_, **__: _make_zeros(shape, dtype)
        cuda.stream = cuda.event = lambda *_, **__: self
        cuda.synchronize = lambda: None
        cuda.event_elapsed_time = lambda *_: 1.0
        cuda.gpus = [self]
        cuda.get_current_device, cuda.current_context = (lambda: self), (lambda *_: self)
        self._answer(driver)

    def _answer(self, driver: Any) -> None:
        """Answer direct driver calls; the first value is a code, 0 for success."""
        answers = {
            "cuInit": (), "cuDeviceGetCount": (1,), "cuDeviceGet": (0,), "cuDeviceGetName": (b"Paper\0",),
            "cuDeviceTotalMem": (140 << 30,), "cuKernelSetAttribute": (), "cuFuncSetAttribute": (),
            "cuStreamBeginCapture": (), "cuStreamEndCapture": (1,), "cuGraphInstantiate": (1,), "cuGraphLaunch": (),
            "cuGraphExecDestroy": (), "cuGraphDestroy": (),
        }  # fmt: skip
        for name, values in answers.items():
            setattr(driver, name, lambda *_, values=values: (0, *values))
        names = [name for name in dir(self) if name.isupper()]
        sizes = {getattr(driver.CUdevice_attribute, f"CU_DEVICE_ATTRIBUTE_{name}", None): getattr(self, name)
                 for name in names}  # fmt: skip
        for part, value in zip(("MAJOR", "MINOR"), self.compute_capability, strict=True):
            sizes[getattr(driver.CUdevice_attribute, f"CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_{part}")] = value
        driver.cuDeviceGetAttribute = lambda which, _: (0, sizes[which])

    # Context, stream, event or loaded function, whichever is requested.
    handle = 0
    memory_manager = deallocations = property(lambda self: self)

    def __enter__(self) -> "SimulatedGpu":
        return self

    def __exit__(self, *_: object) -> Literal[False]:
        return False

    def get_memory_info(self) -> tuple[int, int]:
        return 130 << 30, 140 << 30

    def clear(self, *_: object) -> None:
        return None

    record = synchronize = wait = clear

    def query(self) -> bool:
        return True


class _Launcher:
    def __init__(self, kernel: Any, capture: Capture) -> None:
        self._kernel, self._capture = kernel, capture

    def __call__(self, *arguments: Any) -> None:
        self._capture.launches_since += 1
        self._kernel.compile(tuple(map(self._kernel.typeof_pyval, arguments)))
        if self._capture.launches_since > ENOUGH:
            self._capture.launches_since = 0
            raise AllLaunched


def _make_zeros(shape: Any, dtype: Any) -> Any:
    import numpy as np

    return np.zeros(shape, dtype)


def _fake_array(array: Any) -> Any:
    """Return a NumPy array with the methods of a device array."""
    import numpy as np

    class Sheet(np.ndarray):
        def copy_to_host(self, target: Any = None, *_: Any, **__: Any) -> Any:
            if target is None:
                return np.array(self).view(np.ndarray)
            target[...] = self
            return target

        def copy_to_device(self, host_array: Any, *_: Any, **__: Any) -> None:
            self[...] = np.asarray(host_array).reshape(self.shape)

        @property
        def device_ctypes_pointer(self) -> ctypes.c_void_p:
            return ctypes.c_void_p(self.ctypes.data)

        @property
        def gpu_data(self) -> "Sheet":
            return self

        def memset(self, byte: int) -> None:
            self.view(np.uint8)[...] = byte

    made = globals().setdefault("_Sheet", Sheet)
    return np.array(array, order="K").view(made)


def limit_time(seconds: int) -> None:
    """Abort the current work after this processor time, or 20 times that in wall-clock time; 0 for never."""
    for timer, ring, most in (
        (signal.ITIMER_PROF, signal.SIGPROF, seconds),
        (signal.ITIMER_REAL, signal.SIGALRM, 20 * seconds),
    ):
        signal.signal(ring, _raise_too_long)
        signal.setitimer(timer, most)


def _raise_too_long(*_: Any) -> None:
    raise AllLaunched


def make_environment(place: Path) -> dict[str, str]:
    """Return the environment of a process without compiled kernels, whose cache is its own folder."""
    paths = os.pathsep.join(filter(None, [os.getcwd(), os.environ.get("PYTHONPATH")]))
    own = {
        "NUMBA_CACHE_DIR": str(place / "cache"),
        "TOURSCOPE_CACHE": str(place / "own"),
        "NUMBA_ENABLE_CUDASIM": "0",
        "CUDA_VISIBLE_DEVICES": "0",
        "PYTHONPATH": paths,
    }
    return {**os.environ, **own, "TOURSCOPE_HOME": str(place / "home"), "PYTHONHASHSEED": "0"}
