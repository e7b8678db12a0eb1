"""Block sizes and strip lengths of `strip` and `multi-move` on a GPU. Plain Python: pages may import it."""

import math

from solvers.algorithms.two_opt.kernels.strip_geometry import climb_words, fits, geometry
from solvers.gpu.calibration import STRIP_COLUMN, STRIP_DISTANCE, STRIP_HALF_HIDDEN, STRIP_REGISTERS, STRIP_SCAN
from solvers.gpu.limits import Limits


def _seconds(n: int, rows: int, threads: int, limits: Limits, load: float) -> float:
    """Return the relative time of a scan on a multiprocessor that is full, or that has only `load` blocks.

    This is the number of a warp's instructions, divided by the share of time in which some warp can continue.
    """
    strips, parts, columns, _ = geometry(n, rows, threads)
    passes = -(-strips * parts // threads)
    work = threads // 32 * (passes * columns * ((rows + 1) * STRIP_DISTANCE + STRIP_COLUMN) + STRIP_SCAN)
    room = limits.shared // (4 * climb_words(n, rows, threads) + 2048)
    resident = min(limits.registers // (STRIP_REGISTERS[rows] * threads), limits.threads // threads)
    blocks = min(max(1, room), limits.blocks, resident, max(1.0, load))
    if blocks < 1:
        return math.inf
    warps = blocks * threads / 32
    return work * (warps + STRIP_HALF_HIDDEN) / warps


def strip_rows(n: int, threads: int, limits: Limits) -> int:
    """Return the strip length for blocks of this size; 0 if there are too few cities."""
    choices = [rows for rows in STRIP_REGISTERS if fits(n, rows, threads)]
    return min(choices, key=lambda rows: _seconds(n, rows, threads, limits, math.inf), default=0)


def strip_threads(n: int, limits: Limits, load: float = math.inf) -> int:
    """Return the block size for which a scan is fastest.

    Parameters
    ----------
    n : int
        Number of cities.
    limits : Limits
    load : float
        Number of climbers per multiprocessor: the fewer there are, the more threads each gets.
    """
    choices = [threads for threads in range(32, 641, 32) if strip_rows(n, threads, limits)]
    return min(
        choices, key=lambda threads: _seconds(n, strip_rows(n, threads, limits), threads, limits, load), default=32
    )
