"""Compiles the GPU kernels shipped with the package, for each GPU generation; needs no GPU.

The runs listed by `runs.engine.gpu_kernels` are started on a simulated GPU, which compiles but computes nothing. Each
process (``python -m runs.engine.gpu_kernel_package SHARE FOLDER``) takes a share of them, and compiles the kernels
found for each generation. `solvers.gpu.shipped` loads them.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from data.collection.resolve import resolve
from data.files import write_whole
from runs.engine import gpu_kernels
from runs.engine.kernel_capture import Capture, SimulatedGpu, limit_time, make_environment
from runs.engine.warmup import run_briefly
from solvers.core.devices import cpu_threads
from solvers.core.errors import DeviceUnavailable
from solvers.core.memory import COMPILER_BYTES, available_bytes
from solvers.gpu import shipped
from solvers.kernels.manifest import write_manifest
from solvers.spec import RunSpec

#: Generations of GPUs: Turing, Ampere (data centre, others), Ada, Hopper, Blackwell (data centre, GeForce).
CAPABILITIES = ((7, 5), (8, 0), (8, 6), (8, 9), (9, 0), (10, 0), (12, 0))
#: The simulated GPUs. Most algorithms need only the first; others choose kernels by a GPU's capability.
_SIMULATED, _CHOOSE_BY_CAPABILITY = ((9, 0), (8, 0)), ("held-karp",)
#: Maximum processor time of a run, in seconds.
_MAX_SECONDS = 120


def can_compile() -> bool:
    """Return whether numba-cuda and its compiler are installed."""
    if find_spec("numba_cuda") is None:
        return False
    from numba.cuda.cudadrv import nvvm

    with suppress(Exception):  # without the library, each version of its bindings raises a different error
        nvvm.NVVM()
        return True
    return False


def build() -> shipped.GpuBuild:
    """Compile all kernels into the package's folder, in as many processes as threads and memory allow.

    Raises
    ------
    DeviceUnavailable
        If numba-cuda's compiler is not installed, or a process fails.
    OSError
        If the package's folder cannot be written.
    """
    if not can_compile():
        raise DeviceUnavailable("GPU kernels need numba-cuda with its compiler: pip install 'tourscope[cuda12]'.")
    new = shipped.FOLDER.with_name(f"{shipped.FOLDER.name}.new")
    for folder in (new, shipped.FOLDER):  # so that no process loads kernels of an earlier build
        shutil.rmtree(folder, ignore_errors=True)
    count = max(1, min(cpu_threads(), available_bytes() // COMPILER_BYTES))
    with tempfile.TemporaryDirectory() as place:
        shares = [_start(f"{number}/{count}", new, Path(place) / str(number)) for number in range(count)]
        statuses = [share.wait() for share in shares]
        if any(statuses):
            raise DeviceUnavailable("The GPU kernels could not be compiled.")
    complete: shipped.GpuBuild = write_manifest(new, shipped.describe_process())
    new.rename(shipped.FOLDER)
    return complete


def _start(share: str, folder: Path, place: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "runs.engine.gpu_kernel_package", share, str(folder)]
    return subprocess.Popen(command, env=make_environment(place), cwd=Path(__file__).parents[2])


def capture(specs: Sequence[RunSpec]) -> Iterator[tuple[str, Any]]:
    """Run specs on simulated GPUs; yield each compiled kernel and its name."""
    recorder, kernels = Capture(lambda *_: None), dict[str, Any]()
    gpu = SimulatedGpu(recorder, _SIMULATED[0])
    gpu.insert()
    recorder.hook()
    from solvers.gpu.kernel_cache import KeyedCache

    save = KeyedCache.save_overload

    def keep(cache: Any, types: Any, kernel: Any) -> None:
        save(cache, types, kernel)
        kernels[shipped.kernel_name(cache.key, types)] = kernel

    KeyedCache.save_overload = keep
    for spec in specs:
        for capability in _SIMULATED if spec.stages[0].algorithm in _CHOOSE_BY_CAPABILITY else _SIMULATED[:1]:
            gpu.compute_capability = capability
            limit_time(_MAX_SECONDS)
            try:
                run_briefly(spec, resolve(spec.instance, uploads=None))
            except Exception as error:  # a simulated GPU finds no tours, but by then all kernels are compiled
                if isinstance(error, AttributeError):  # it lacks what the run uses
                    raise
            limit_time(0)
        yield from kernels.items()
        kernels.clear()


def compile_for_all(name: str, kernel: Any, folder: Path) -> None:
    """Write a kernel's machine code for each generation that supports it, unless another process has done so."""
    library = kernel._codelibrary
    if library.use_cooperative or kernel.launch_config_sensitive:  # `solvers.gpu.kernel_cache` loads no such kernel
        return
    for major, minor in CAPABILITIES:
        path = folder / f"{major}.{minor}" / name
        if not path.exists():
            with suppress(Exception):  # the assembler's refusal has no type of its own
                write_whole(
                    path, shipped.encode(kernel.entry_name, library.get_cubin(cc=(major, minor, "")).code), 0o644
                )


def main(arguments: Sequence[str]) -> None:
    """Compile a share of the kernels."""
    share, folder = arguments
    index, total = map(int, share.split("/"))
    for name, kernel in capture(gpu_kernels.list_runs()[index::total]):
        compile_for_all(name, kernel, Path(folder))
    os._exit(0)  # no GPU has to be freed


if __name__ == "__main__":
    main(sys.argv[1:])
