"""A CUDA device for benchmarks: its name, its peak rates, and the bandwidth of a copy."""

import statistics
from typing import Any

import numpy as np

from solvers.core.devices import cuda_devices

#: Square roots per clock of a multiprocessor (NVIDIA, CUDA C++ Programming Guide, table of arithmetic throughput,
#: compute capability 8.0 to 9.0).
ROOTS = 16


def describe_device() -> dict[str, Any]:
    """Return name, driver, clock and multiprocessors of the first device."""
    from cuda.bindings import driver
    from numba import cuda

    device = cuda.get_current_device()
    _, version = driver.cuDriverGetVersion()
    return {
        "name": cuda_devices()[0].name,
        "compute_capability": ".".join(map(str, device.compute_capability)),
        "multiprocessors": device.MULTIPROCESSOR_COUNT,
        "clock_mhz": device.CLOCK_RATE / 1000,
        "l2_bytes": device.L2_CACHE_SIZE,
        "cuda_driver_api": version,
        "driver": _read_driver_version(),
    }


def _read_driver_version() -> str:
    """Return the version of the kernel driver, on Linux."""
    try:
        with open("/proc/driver/nvidia/version", encoding="ascii") as file:
            return file.readline().split("  Release")[0].strip()
    except OSError:
        return "unknown"


def compute_root_limit() -> float:
    """Return the peak rate of square roots per second, which limits a kernel that needs one per move."""
    from numba import cuda

    device = cuda.get_current_device()
    return device.MULTIPROCESSOR_COUNT * ROOTS * device.CLOCK_RATE * 1000.0


def measure_bandwidth(repeats: int) -> list[float]:
    """Return the samples of a large copy's bandwidth on the device, in bytes read and written per second."""
    from numba import cuda

    size = 1 << 30
    source, target = (cuda.device_array(size, np.uint8) for _ in range(2))
    start, end = cuda.event(), cuda.event()
    samples = []
    for turn in range(repeats + 1):
        start.record()
        target.copy_to_device(source)
        end.record()
        end.synchronize()
        if turn:
            samples.append(2 * size / (cuda.event_elapsed_time(start, end) / 1000.0))
    return samples


def compute_giga_median(samples: list[float]) -> float:
    """Return the median in billions."""
    return statistics.median(samples) / 1e9
