"""This machine's devices: their threads and memory, and why a device is unavailable."""

import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

from solvers.core.errors import DeviceUnavailable
from solvers.core.memory import available_bytes
from solvers.gpu.limits import SIMULATOR, UNKNOWN, Limits
from solvers.mpi.launcher import unavailable_reason


@dataclass(frozen=True, slots=True)
class Device:
    """A device of this machine.

    Attributes
    ----------
    kind : str
        ``cpu``, ``cuda`` or ``mpi`` (several processes on the CPU).
    name : str
        The manufacturer's product name.
    available : bool
    reason : str
        Why the device is not available, in one sentence; empty if it is.
    threads : int
        Number of threads that may run at the same time (cpu), otherwise 0.
    memory : int
        Bytes of memory available to a run (cpu), or of the GPU's memory (cuda); 0 if unknown.
    compute_capability : str
        For example ``9.0`` (cuda), otherwise empty.
    limits : Limits
        The GPU's resources, without its free memory (cuda); zeros for others.
    """

    kind: str
    name: str
    available: bool = True
    reason: str = ""
    threads: int = 0
    memory: int = 0
    compute_capability: str = ""
    limits: Limits = UNKNOWN


#: The largest number of threads that a run may use; 0 for no limit.
_max_threads = 0


@contextmanager
def limited_threads(maximum: int) -> Iterator[None]:
    """Limit `cpu_threads` to `maximum` threads within the context; 0 means no limit."""
    global _max_threads
    before, _max_threads = _max_threads, maximum
    try:
        yield
    finally:
        _max_threads = before


def cpu_threads() -> int:
    """Return how many threads a run may use, within the limits of the process and of `limited_threads`."""
    return min(_count_process_threads(), _max_threads) if _max_threads else _count_process_threads()


def _count_process_threads() -> int:
    """Return ``NUMBA_NUM_THREADS`` if set, otherwise the number of cores available to this process."""
    if (setting := os.environ.get("NUMBA_NUM_THREADS", "")).isdecimal() and int(setting) > 0:
        return int(setting)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def cpu_name() -> str:
    """Return the processor's name."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return " ".join(line.partition(":")[2].split())
    return platform.processor() or platform.machine() or "CPU"


def cpu_text(threads: int) -> str:
    """Return the text that describes the CPU in a result, for example ``AMD EPYC, 2 threads``."""
    return f"{cpu_name()}, {threads} thread{'s' if threads != 1 else ''}"


def probe() -> tuple[Device, ...]:
    """Return all of this machine's devices: the CPU first, ``mpi`` last. If there is no GPU, ``cuda`` says why.

    This loads the GPU's driver, but creates no context on any GPU. For the worker and the command line, not for the
    web process.
    """
    cpu = Device("cpu", cpu_name(), threads=cpu_threads(), memory=available_bytes())
    return (cpu, *_probe_cuda(), _probe_mpi())


def cuda_devices() -> tuple[Device, ...]:
    """Return the available CUDA devices.

    Raises
    ------
    DeviceUnavailable
        If there is none; the message says why.
    """
    devices = _probe_cuda()
    available = tuple(device for device in devices if device.available)
    if not available and os.environ.get("NUMBA_ENABLE_CUDASIM") != "1":
        raise DeviceUnavailable(devices[0].reason)
    return available or (Device("cuda", "Numba's simulator of CUDA", limits=SIMULATOR),)


def gpu_text(count: int) -> str:
    """Return the text that describes the first `count` GPUs in a result, for example ``2 x NVIDIA H200``."""
    name = cuda_devices()[0].name
    return name if count == 1 else f"{count} x {name}"


def split_climbers(climbers: int, devices: int) -> list[tuple[int, int]]:
    """Split the climbers into contiguous ranges of nearly equal size, one per device; leave out idle devices."""
    count = min(climbers, devices)
    return list(pairwise(climbers * k // count for k in range(count + 1)))


def _probe_mpi() -> Device:
    cuda_reason = unavailable_reason()
    return Device("mpi", "MPI", available=not cuda_reason, reason=cuda_reason)


def _probe_cuda() -> tuple[Device, ...]:
    if find_spec("numba_cuda") is None:
        return (_make_missing_cuda("the package numba-cuda is not installed"),)
    # CUDA reads this list only up to the first entry that is not a GPU.
    if os.environ.get("CUDA_VISIBLE_DEVICES", "0").partition(",")[0].strip() in ("", "-1"):
        return (_make_missing_cuda("every GPU is hidden by the variable CUDA_VISIBLE_DEVICES"),)
    try:
        from cuda.bindings import driver

        _check(driver.cuInit(0))
        count = _check(driver.cuDeviceGetCount())
        devices = tuple(_probe_cuda_device(driver, index) for index in range(count))
    except ImportError:
        return (
            _make_missing_cuda("the package cuda-bindings is not installed, which numba-cuda[cu12] or [cu13] brings"),
        )
    except _DriverError as error:
        return (_make_missing_cuda(f"the NVIDIA driver answers {error}"),)
    except RuntimeError:  # cuda-bindings raises it if the driver's library is missing
        return (_make_missing_cuda("no NVIDIA driver is installed"),)
    return devices or (_make_missing_cuda("the NVIDIA driver shows none"),)


def _make_missing_cuda(cuda_reason: str) -> Device:
    return Device("cuda", "CUDA", available=False, reason=f"No CUDA device: {cuda_reason}.")


class _DriverError(RuntimeError):
    """A driver call returned an error code."""


def _check(answer: tuple[Any, ...]) -> Any:
    """Return the value of a driver call's answer, which begins with an error code.

    Raises
    ------
    _DriverError
        If the call failed.
    """
    code, *value = answer
    if int(code) != 0:
        raise _DriverError(code.name)
    return value[0] if value else None


#: The driver's names for the fields of `Limits`, in the same order.
_LIMITS = (
    "MULTIPROCESSOR_COUNT", "MAX_THREADS_PER_MULTIPROCESSOR", "MAX_BLOCKS_PER_MULTIPROCESSOR",
    "MAX_REGISTERS_PER_MULTIPROCESSOR", "MAX_SHARED_MEMORY_PER_MULTIPROCESSOR", "MAX_SHARED_MEMORY_PER_BLOCK_OPTIN",
)  # fmt: skip


def _probe_cuda_device(driver: Any, index: int) -> Device:
    device = _check(driver.cuDeviceGet(index))
    name = _check(driver.cuDeviceGetName(128, device)).split(b"\0")[0].decode()
    attributes = driver.CUdevice_attribute

    def value(name: str) -> int:
        return int(_check(driver.cuDeviceGetAttribute(getattr(attributes, f"CU_DEVICE_ATTRIBUTE_{name}"), device)))

    capability = f"{value('COMPUTE_CAPABILITY_MAJOR')}.{value('COMPUTE_CAPABILITY_MINOR')}"
    memory = int(_check(driver.cuDeviceTotalMem(device)))
    return Device(
        "cuda", name, memory=memory, compute_capability=capability, limits=Limits(*map(value, _LIMITS))
    )  # fmt: skip
