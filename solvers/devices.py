"""What can compute here, how much of it there is, and why not where there is none."""

import os
import platform
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Device:
    """One processor.

    Attributes
    ----------
    kind : str
        ``cpu`` or ``cuda``.
    name : str
        As its maker calls it.
    available : bool
    reason : str
        Why it is not available, one sentence; empty where it is.
    threads : int
        Threads that may run at once (cpu), else 0.
    memory : int
        Bytes (cuda), else 0.
    compute_capability : str
        ``9.0`` for instance (cuda), else empty.
    """

    kind: str
    name: str
    available: bool = True
    reason: str = ""
    threads: int = 0
    memory: int = 0
    compute_capability: str = ""


def cpu_threads() -> int:
    """Threads that this process may use: ``NUMBA_NUM_THREADS`` where set, else the cores that it may run on."""
    if (named := os.environ.get("NUMBA_NUM_THREADS", "")).isdecimal() and int(named) > 0:
        return int(named)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def cpu_name() -> str:
    """The processor's name."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return " ".join(line.partition(":")[2].split())
    return platform.processor() or platform.machine() or "CPU"


def cpu_text(threads: int) -> str:
    """A CPU in words, as a result names it: ``AMD EPYC, 2 threads``."""
    return f"{cpu_name()}, {threads} thread{'s' if threads != 1 else ''}"


def probe() -> tuple[Device, ...]:
    """Every device of this machine, the CPU first; at least one ``cuda`` entry that says why where there is none.

    Looks at the GPU's driver through Numba, and so is for the worker and the command line, not for the web process.
    """
    cpu = Device("cpu", cpu_name(), threads=cpu_threads())
    return (cpu, *_cuda_devices())


def _cuda_devices() -> tuple[Device, ...]:
    if find_spec("numba_cuda") is None:
        return (_no_cuda("the package numba-cuda is not installed"),)
    from numba import cuda

    if not cuda.is_available():
        return (_no_cuda("numba-cuda finds no NVIDIA driver with a device"),)
    return tuple(_cuda_device(cuda, index) for index in range(len(cuda.gpus)))


def _no_cuda(why: str) -> Device:
    return Device("cuda", "CUDA", available=False, reason=f"No CUDA device: {why}.")


def _cuda_device(cuda, index: int) -> Device:
    with cuda.gpus[index] as context:
        device = context.device
        name = device.name.decode() if isinstance(device.name, bytes) else str(device.name)
        major, minor = device.compute_capability
        memory = int(context.get_memory_info().total)
    return Device("cuda", name, memory=memory, compute_capability=f"{major}.{minor}")
