"""`tuned`: finds the fastest block size on this GPU by a short trial.

O'Neil and Burtscher (2015), slide 38, compute the number of threads from the device's sizes. Here that number is one of
several candidates. Each candidate runs for a few milliseconds on a device full of climbers, before the run's clock
starts. The result is cached on disk, for each device and number of cities. The number of threads never affects a tour.

Plain Python: climbs and device are arguments.
"""

import math
from collections.abc import Callable
from contextlib import closing
from typing import Any, Protocol

from solvers.algorithms.two_opt.launch_sizes import whole_warps
from solvers.algorithms.two_opt.variant import TwoOptVariant
from solvers.core.errors import DeviceUnavailable, InstanceTooLarge
from solvers.gpu.answer_cache import load_answer, save_answer
from solvers.gpu.calibration import MAX_SCAN_CITIES, TRIAL_LAUNCHES, TRIAL_SECONDS
from solvers.gpu.limits import Limits

#: Number of climbers in a trial: more than any GPU runs at the same time.
TRIAL_CLIMBERS = 100_000
#: Maximum number of scans per climber in a measured launch.
_MAX_SCANS = 64
#: Block sizes to try besides the paper's.
_SIZES = (64, 128, 256, 512, 1024)


class TrialClimbs(Protocol):
    """The part of `solvers.algorithms.two_opt.climbs_cuda.Climbs` that a trial uses."""

    fit: Any

    def launch(self, budget: int) -> float:
        """Continue all climbs for `budget` scans per slot; return the duration in seconds."""
        ...

    def close(self) -> None:
        """Free the GPU's memory."""
        ...


def size_class(n: int) -> int:
    """Return the size class of n: n rounded up to three leading binary digits.

    Within a class, sizes differ by at most a quarter.
    """
    step = 1 << max(0, n.bit_length() - 3)
    return -(-n // step) * step


def list_candidates(variant: TwoOptVariant, n: int, limits: Limits) -> tuple[int, ...]:
    """Return the block sizes to try: the paper's, and powers of two up to one thread per i.

    Small blocks are left out if their scan would take longer than a launch may.
    """
    minimum = 1024 * min(1.0, n / MAX_SCAN_CITIES) ** 2
    threads = whole_warps(n, 1024)
    sizes = {threads, *(size for size in _SIZES if minimum <= size < threads)}
    return tuple(sorted({variant.threads(n, limits), *sizes}))


def make_question(variant: TwoOptVariant, kind: str, n: int, device: Any, limits: Limits) -> dict[str, Any]:
    """Return the inputs that determine the fastest block size, as JSON values.

    Parameters
    ----------
    variant : TwoOptVariant
    kind : str
        The kind of distances.
    n : int
    device
        Numba's device: its name and compute capability.
    limits : Limits
    """
    name = device.name.decode() if isinstance(device.name, bytes) else str(device.name)
    return {
        "variant": variant.name, "kind": kind, "cities": size_class(n), "device": name,
        "compute_capability": list(device.compute_capability),
        "candidates": list(list_candidates(variant, size_class(n), limits)),
    }  # fmt: skip


def measure_threads(inputs: dict[str, Any], create_climbs: Callable[[int], TrialClimbs]) -> int:
    """Return the fastest block size, from a trial or the cache.

    Parameters
    ----------
    inputs : dict
        See `make_question`.
    create_climbs : callable
        ``create_climbs(threads)``: create `TRIAL_CLIMBERS` climbs, which have not begun.
    """
    sizes = inputs["candidates"]
    best = load_answer(inputs, sizes)
    if best is None:
        best = min(sizes, key=lambda threads: time_scan(create_climbs, threads))
        save_answer(inputs, best)
    return best


def time_scan(create_climbs: Callable[[int], TrialClimbs], threads: int) -> float:
    """Return the seconds per scan on a full GPU, without compilation; infinite if this block size cannot run."""
    try:
        climbs = create_climbs(threads)
    except (DeviceUnavailable, InstanceTooLarge):
        return math.inf
    with closing(climbs):
        climbs.launch(1)  # creates the start tours
        elapsed, scans = climbs.launch(1), 1
        if elapsed < TRIAL_SECONDS:
            scans = max(1, min(_MAX_SCANS, int(TRIAL_SECONDS / max(elapsed, 1e-6))))
            elapsed = min(climbs.launch(scans) for _ in range(TRIAL_LAUNCHES))
        return elapsed / (scans * climbs.fit.slots)
