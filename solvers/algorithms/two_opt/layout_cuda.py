"""Layout of 2-opt climbs on a GPU: threads, blocks, memory and limits.

Imports Numba: for use inside `solve()`.
"""

from dataclasses import dataclass

import numpy as np

from data.distances import distance_matrix
from data.instance import Instance
from solvers.algorithms.two_opt.variant import PLANAR, TwoOptVariant
from solvers.core.errors import DeviceUnavailable, InstanceTooLarge
from solvers.gpu.calibration import THREAD_REGISTERS
from solvers.gpu.limits import Limits, count_resident_blocks
from solvers.kernels.device_cuda import SIMULATED

#: Bytes of device memory for recorded moves and the driver, besides the climbers' memory.
_OTHER_BYTES = 64 << 20
#: Maximum distance in single precision: above this, float32 cannot represent halves, so it cannot round to integers.
_MAX_SINGLE_DISTANCE = float(1 << 22)


@dataclass(frozen=True, slots=True)
class Memory:
    """A block's shared memory in bytes, and a climber's scratch memory in 32-bit words."""

    shared: int
    scratch: int


def choose_memory(variant: TwoOptVariant, n: int, threads: int, limits: Limits) -> Memory:
    """Choose where to store climbers: in global memory only if required, or if shared memory is too small."""
    shared, scratch = variant.shared_bytes(n, threads, limits), variant.scratch_words(n)
    if not variant.spills:
        return Memory(shared, scratch)
    # The driver uses one kilobyte, and a kernel's static shared memory another.
    return Memory(shared, 2) if shared + 2048 <= limits.shared_per_block else Memory(0, scratch + scratch % 2)


@dataclass(frozen=True, slots=True)
class Fit:
    """The layout of a run: threads per block, blocks, climbers that run at the same time, and GPU memory in bytes."""

    threads: int
    blocks: int
    slots: int
    bytes: int


def check(instance: Instance, variant: TwoOptVariant, limits: Limits) -> None:
    """Check that a variant can run an instance.

    Raises
    ------
    DeviceUnavailable
        If the variant cannot compute this kind of distance.
    InstanceTooLarge
        If there are too many cities, or distances are too long for single precision.
    """
    reason = variant.unavailable_reason(instance.kind, instance.n, limits)
    if reason:
        raise (InstanceTooLarge if instance.kind in variant.kinds else DeviceUnavailable)(reason)
    if not variant.reads_matrix and np.hypot(*np.ptp(kernel_points(instance), axis=0)) >= _MAX_SINGLE_DISTANCE:
        raise InstanceTooLarge(
            f"{instance.name} has distances above {_MAX_SINGLE_DISTANCE:,.0f}, which single precision cannot round; "
            "use a variant that reads a matrix, or the CPU."
        )


def choose_threads(
    variant: TwoOptVariant, n: int, limits: Limits, climbers: int, registers: int = THREAD_REGISTERS
) -> int:
    """Return the block size; for variants with one climber per thread it depends on a thread's `registers`."""
    if SIMULATED:
        return 4
    if variant.shares_out:
        return variant.threads(n, limits, climbers)
    if variant.per == "thread":
        # A few climbers are spread over all multiprocessors rather than packed into full blocks.
        return min(variant.threads(n, limits, registers), max(32, -(-climbers // (32 * limits.multiprocessors)) * 32))
    return variant.threads(n, limits)


def choose_layout(
    instance: Instance, variant: TwoOptVariant, limits: Limits, climbers: int, threads: int, registers: int,
    memory: Memory, slots: int | None = None,
) -> Fit:  # fmt: skip
    """Return a layout with enough blocks to fill the GPU, but no more than `climbers` or `slots` can use.

    Raises
    ------
    DeviceUnavailable
        If a block does not fit onto the device.
    InstanceTooLarge
        If the layout needs more than 80 % of the device's free memory.
    """
    n, each = instance.n, threads if variant.per == "thread" else 1
    if registers * threads > limits.registers:
        raise DeviceUnavailable(f"{variant.name} needs more registers than a block has on this device; use another.")
    resident = limits.multiprocessors * max(1, count_resident_blocks(memory.shared, threads, registers, limits))
    blocks = max(1, min(resident, -(-climbers // each))) if slots is None else -(-slots // each)
    if variant.per == "thread":
        # The positions of all climbers together have 32-bit indices.
        blocks = max(1, min(blocks, (2**32 - 1) // (variant.order_words(n) * each)))
    layout = Fit(threads, blocks, blocks * each, _bytes(variant, n, blocks * each, climbers, memory.scratch))
    allowed = 0.8 * limits.free
    if layout.bytes > allowed:
        raise InstanceTooLarge(
            f"{instance.name} needs {layout.bytes / 1e9:,.1f} GB of device memory with {variant.name}, and "
            f"{allowed / 1e9:,.1f} GB may be used; use fewer climbers or another variant."
        )
    return layout


def _bytes(variant: TwoOptVariant, n: int, slots: int, climbers: int, scratch: int) -> int:
    per_slot = 4 * (n + variant.order_words(n) + scratch) + 32
    once = 4 * n * n * variant.reads_matrix + 2 * n * n * variant.reads_table + 16 * n
    return per_slot * slots + 16 * climbers + once + _OTHER_BYTES


def kernel_points(instance: Instance) -> np.ndarray:
    """Return the coordinates (n, 2) float64 if kernels compute distances from them, otherwise an array (0, 2)."""
    if instance.kind not in (*PLANAR, "ATT"):
        return np.empty((0, 2))
    return np.ascontiguousarray(instance.coordinates, np.float64)


def flat_matrix(instance: Instance) -> np.ndarray:
    """Return all distances row by row, (n * n,) int32, flat for 32-bit indices in kernels."""
    return np.ascontiguousarray(distance_matrix(instance)).reshape(-1)
