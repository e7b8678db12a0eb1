"""Captures the CUDA kernels that a program compiles, from inside its process, with or without a GPU.

Without a GPU, a simulated one takes its place (`SimulatedGpu`): it has the limits of an H200 and compiles the kernels
launched on it, but computes nothing, so programs are ended after some launches that compile nothing new. `run_variant`
launches the kernels of an algorithm's variant by the command line: every choice of its parameters, on instances of
every kind of distance.

This file imports nothing from the project, so a program that works on another checkout can load it by its path.
"""

import ctypes
import functools
import importlib
import io
import itertools
import json
import os
import runpy
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, Literal

#: Launches without new kernels after which a program on the simulated GPU is ended; timeout in seconds for any program.
ENOUGH, MAX_SECONDS = 40, 90
#: Maximum number of combinations of an algorithm's choices that are all tried.
MAX_CHOICES = 24
#: Options that keep a run of the command line short, if an algorithm has them.
SMALL = {"climbers": 64, "chains": 40, "steps": 20, "moves_per_city": 20, "iterations": 3, "ants": 40}
#: Devices without a GPU.
NOT_CUDA = (
    "auto",
    "cpu",
    "sequential",
    "mpi",
    "qin-han-openmp",
    "qin-han-sequential",
    "qin-han-mpi",
    "replica-exchange",
)
#: The lower bound, which is not an algorithm, as a part to assemble.
BOUND = "lower-bound/cuda"
#: Instances on which all choices are tried, and those on which only variants are.
MAIN = ("berlin52",)
OTHERS = ("att48", "burma14", "gr17", "kroA100", "uniform:25:1")
#: More cities than a tour in shared memory supports, for 2-opt; and the file of an instance with rounded-up distances.
LARGE, CEIL = "uniform:8000:1", "ceil.tsp"
EXACT = ("burma14", "gr17", "gr21", "uniform:13:1", "uniform:18:1", "uniform:21:2")


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


def name_and_place(function: Any) -> tuple[str, str]:
    """Return the name of a kernel's function by its module and by its file."""
    file = Path(function.__code__.co_filename).name
    return f"{function.__module__}.{function.__qualname__}", f"{file}:{function.__qualname__.split('.')[-1]}"


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
        self._overloads: dict[str, Any] = {}  # replaces the binaries in Numba's cache, which only a driver can load

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
        def copy_to_host(self, there: Any = None, *_: Any, **__: Any) -> Any:
            if there is None:
                return np.array(self).view(np.ndarray)
            there[...] = self
            return there

        def copy_to_device(self, host_array: Any, *_: Any, **__: Any) -> None:
            self[...] = np.asarray(host_array).reshape(self.shape)

        @property
        def device_ctypes_pointer(self) -> ctypes.c_void_p:
            return ctypes.c_void_p(self.ctypes.data)

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


def run_variant(name: str, place: Path) -> None:
    """Run a variant, ``ALGORITHM/VARIANT``, with every parameter choice; write required files to a folder."""
    algorithm, _, variant = name.partition("/")
    ceil = _write_ceil_instance(place / CEIL)
    if name == BOUND:
        lines: Iterable[list[str]] = (["bound", each, "--device", "cuda"] for each in (*MAIN, *OTHERS, ceil))
    else:
        entry = next(each for each in list_algorithms() if each["name"] == algorithm)
        lines = _command_lines(entry, variant, ceil)
    failed: Counter[str] = Counter()
    for words in lines:
        limit_time(MAX_SECONDS)
        try:
            status = _run_command(words)[0]
            failed[f"status {status}"] += status != 0
        except (ArithmeticError, LookupError, RuntimeError, ValueError, AssertionError) as error:
            failed[type(error).__name__] += 1
        finally:
            limit_time(0)
    print(f"{name}: {dict(+failed) or 'all runs came to their ends'}")


def list_cuda_variants(entry: dict[str, Any]) -> list[str]:
    """Return the CUDA variants of an algorithm."""
    named = (param["choices"] for param in entry["params"] if param["name"] == "variant")
    return [name for choices in named for name in choices if name not in NOT_CUDA]


def _command_lines(entry: dict[str, Any], variant: str, ceil: str) -> Iterator[list[str]]:
    params = {param["name"]: param for param in entry["params"]}
    small = [word for name, value in SMALL.items() if name in params for word in (_format_option(name), str(value))]
    begin = [entry["name"], "--variant", variant, "--device", "cuda", "--time", "1", "--json", *small]
    chosen = {
        name: param["choices"] or ["true", "false"]
        for name, param in params.items()
        if param["kind"] in ("choice", "bool") and name not in ("variant", "devices", "gpus")
    }
    exact = entry["family"] == "exact"
    for instance in EXACT if exact else MAIN:
        for choice in _combine_choices(chosen):
            yield ["run", instance, *begin, *(f"{_format_option(name)}={value}" for name, value in choice)]
    for instance in () if exact else (*OTHERS, ceil, *([LARGE] if entry["name"] == "two-opt" else [])):
        yield ["run", instance, *begin]
        switches = [_format_option(name) for name, values in chosen.items() if values == ["true", "false"]]
        yield from (["run", instance, *begin, switch, "false"] for switch in switches)


def _combine_choices(chosen: dict[str, list[str]]) -> Iterator[list[tuple[str, str]]]:
    """Yield all combinations of choices, or only all pairs if there are too many."""
    every = [list(zip(chosen, values, strict=True)) for values in itertools.product(*chosen.values())]
    if len(every) <= MAX_CHOICES:
        yield from every
        return
    each = [(name, value) for name, values in chosen.items() for value in values]
    yield from ([one, other] for one, other in itertools.combinations(each, 2) if one[0] != other[0])


def _format_option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def list_algorithms() -> list[dict[str, Any]]:
    """Return the algorithms of the checkout in the current folder, as in ``list --json``."""
    return json.loads(_run_command(["list", "--json"])[1])


def _run_command(words: list[str]) -> tuple[int, str]:
    """Run ``python -m solvers`` in this process."""
    printed, before = io.StringIO(), sys.argv
    sys.argv = ["solvers", *words]
    try:
        with redirect_stdout(printed), redirect_stderr(io.StringIO()):
            runpy.run_module("solvers", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        return int(end.code or 0), printed.getvalue()
    finally:
        sys.argv = before
    return 0, printed.getvalue()


def _write_ceil_instance(path: Path) -> str:
    """Write an instance with rounded-up distances, of which none is bundled."""
    cities = "".join(f"{k + 1} {k * 37 % 101} {k * k * 13 % 97}\n" for k in range(40))
    text = f"NAME: ceil\nTYPE: TSP\nDIMENSION: 40\nEDGE_WEIGHT_TYPE: CEIL_2D\nNODE_COORD_SECTION\n{cities}EOF\n"
    path.write_text(text)
    return str(path)


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
