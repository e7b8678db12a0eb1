"""Framework of 2-opt with one climber per block: O'Neil and Burtscher (2015), Utne and Hansen (2023).

A variant defines where the tour is stored, how its neighbourhood is scanned and how a part of the tour is reversed.
This module implements the rest: the queue of climbers, start tours, the reduction, recording, lengths and best tours.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from numba import int32, int64, uint32

from solvers.kernels.device_cuda import INT32_MAX, WARP, cuda, device, random_position, warp_min

_NO_CLIMBER = -1


class BlockPolicy(NamedTuple):
    """The device functions of a variant with one climber per block; all threads of a block call them together.

    Attributes
    ----------
    fill : callable
        ``fill(points, matrix, scratch, n)``: once per launch, prepare the data that all climbers of a block share.
    lay : callable
        ``lay(points, order, scratch, n)``: copy a tour to where it is scanned.
    improve : callable
        ``improve(problem, order, scratch, n, write, recording) -> moves``: scan the neighbourhood once and make the
        best move, or several; once all threads have finished, return the number of moves in all of them, 0 in a local
        optimum. If `write`, record the moves in an order in which they can be made.
    save : callable
        ``save(order, scratch, n)``: copy the tour back to ``order``.
    weigh : callable
        ``weigh(points, matrix, order, n, k)``: return the exact length of the edge from position k.
    shuffle : callable
        ``shuffle(seed, climber, n, order, scratch)``: write a start tour into ``order``; see `shuffle_tour`.
    """

    fill: Callable[..., Any]
    lay: Callable[..., Any]
    improve: Callable[..., Any]
    save: Callable[..., Any]
    weigh: Callable[..., Any]
    shuffle: Callable[..., Any]


@device
def block_min(value, cells):
    """Return the minimum of a block's int32 values, in all threads; ``cells`` (warps,) is in shared memory."""
    thread, threads = cuda.threadIdx.x, cuda.blockDim.x
    value = warp_min(value)
    cuda.syncthreads()
    if thread % WARP == 0:
        cells[thread // WARP] = value
    cuda.syncthreads()
    minimum, k = int32(INT32_MAX), thread % WARP
    while k * WARP < threads:
        minimum = min(minimum, cells[k])
        k += WARP
    return warp_min(minimum)


@device
def shuffle_tour(seed, climber, n, order, swaps):
    """Write `tours_cpu.random_tour` to ``order[:n]``: all threads draw, one thread swaps.

    Drawing takes most of the time and can be done in any order, unlike swapping. ``swaps`` (n,) int32 is a buffer.
    """
    k = uint32(cuda.threadIdx.x)
    while k < n:
        order[k] = k
        swaps[k] = random_position(seed, climber, k, n)
        k += uint32(cuda.blockDim.x)
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        k = n - uint32(1)
        while k > uint32(0):
            other = uint32(swaps[k])
            order[k], order[other] = order[other], order[k]
            k -= uint32(1)
    cuda.syncthreads()


@device
def swap_ends(values, i, j):
    """Reverse ``values[i + 1]`` to ``values[j]`` with all threads of the block."""
    k, size = uint32(cuda.threadIdx.x), uint32(j - i)
    first, last = uint32(i + 1), uint32(j)
    while k < size // uint32(2):
        low, high = first + k, last - k
        values[low], values[high] = values[high], values[low]
        k += uint32(cuda.blockDim.x)


@device
def write_down(i, j, delta, recording):
    """Record a move if there is still room."""
    m = recording.move_count[0]
    if m < recording.i.size:
        recording.i[m], recording.j[m], recording.delta[m] = i, j, delta
        recording.move_count[0] = m + 1


def build_best_improvement(scan, reverse, threads: int):
    """Build a policy's `improve` that makes the best move; ties go to the smallest (i, j).

    Parameters
    ----------
    scan : callable
        ``scan(matrix, order, scratch, table, n) -> delta, rank, i, j``: return a thread's best move; no two threads
        have the same rank, and ranks are in the order of (i, j).
    reverse : callable
        ``reverse(order, scratch, n, i, j)``: reverse positions i + 1 to j.
    threads : int
        Number of threads per block; a multiple of the warp size.
    """
    cells = threads // WARP

    @device
    def improve(problem, order, scratch, n, write, recording):
        minimum = cuda.shared.array(cells, int32)
        move = cuda.shared.array(2, int32)
        delta, rank, i, j = scan(problem.matrix, order, scratch, problem.table, n)
        lowest = block_min(delta, minimum)
        first = block_min(rank if delta == lowest else int32(INT32_MAX), minimum)
        if delta == lowest and rank == first:
            move[0], move[1] = i, j
        cuda.syncthreads()
        if lowest >= 0:
            return int32(0)
        reverse(order, scratch, n, move[0], move[1])
        if write:
            write_down(move[0], move[1], lowest, recording)
        cuda.syncthreads()
        return int32(1)

    return improve


def _build_tour(policy: BlockPolicy):
    """Build device functions that set a climber's start tour and compute a tour's length."""
    lay, weigh, shuffle = policy.lay, policy.weigh, policy.shuffle

    @device
    def begin(problem, climber, order, scratch, n):
        """Set a climber's start tour."""
        if climber == 0 and problem.start.size == n:
            k = uint32(cuda.threadIdx.x)
            while k < n:
                order[k] = problem.start[k]
                k += uint32(cuda.blockDim.x)
            cuda.syncthreads()
        else:
            shuffle(problem.seed, climber, n, order, scratch)
        lay(problem.points, order, scratch, n)

    @device
    def length(problem, order, n, total):
        """Compute the exact length of the tour in ``order``, int64; ``total`` (1,) int64 is in shared memory."""
        cuda.syncthreads()
        if cuda.threadIdx.x == 0:
            total[0] = 0
        cuda.syncthreads()
        own, k = int64(0), uint32(cuda.threadIdx.x)
        while k < n:
            own += weigh(problem.points, problem.matrix, order, n, k)
            k += uint32(cuda.blockDim.x)
        cuda.atomic.add(total, 0, own)
        cuda.syncthreads()
        return total[0]

    return begin, length


def build(policy: BlockPolicy):
    """Build a policy's kernel.

    ``climb(problem, slots, results, recording, queue, first, last, budget, recorded)`` continues the climbers of all
    slots for ``budget`` scans each; free slots take the next climber from ``queue``, (1,) int64, as long as it is below
    ``last``. ``first`` is the first climber in ``results``, ``recorded`` the climber whose moves are recorded.
    """
    fill, lay, improve, save, _, _ = policy
    begin, length = _build_tour(policy)

    @cuda.jit(fastmath=True)
    def climb(problem, slots, results, recording, queue, first, last, budget, recorded):
        # The simulator identifies shared arrays by their source line.
        shared_climber = cuda.shared.array(1, int64)
        total = cuda.shared.array(1, int64)
        slot, thread = cuda.blockIdx.x, cuda.threadIdx.x
        order, scratch = slots.order[slot], slots.scratch[slot]
        n = uint32(order.size)
        climber, moves, scans = slots.climber[slot], slots.moves[slot], slots.scans[slot]
        fill(problem.points, problem.matrix, scratch, n)
        if climber >= 0:
            lay(problem.points, order, scratch, n)
        scans_left = budget
        while scans_left > 0:
            if climber < 0:
                if thread == 0:
                    shared_climber[0] = cuda.atomic.add(queue, 0, 1)
                cuda.syncthreads()
                climber = shared_climber[0]
                if climber >= last:
                    climber = int64(_NO_CLIMBER)
                    break
                moves, scans = int32(0), int32(0)
                begin(problem, climber, order, scratch, n)
            improved = improve(problem, order, scratch, n, thread == 0 and climber == recorded, recording)
            scans += int32(1)
            scans_left -= 1
            if improved > 0:
                moves += int32(improved)
                continue
            save(order, scratch, n)
            final, best = length(problem, order, n, total), slots.best_length[slot]
            better = final < best or (final == best and climber < slots.best_climber[slot])
            cuda.syncthreads()
            if better:
                k = uint32(thread)
                while k < n:
                    slots.best_order[slot, k] = order[k]
                    k += uint32(cuda.blockDim.x)
            if thread == 0:
                k = climber - first
                results.length[k], results.moves[k], results.scans[k] = final, moves, scans
                if better:
                    slots.best_length[slot], slots.best_climber[slot] = final, climber
            climber = int64(_NO_CLIMBER)
            cuda.syncthreads()
        if climber >= 0:
            save(order, scratch, n)
        if thread == 0:
            slots.climber[slot], slots.moves[slot], slots.scans[slot] = climber, moves, scans

    return climb
