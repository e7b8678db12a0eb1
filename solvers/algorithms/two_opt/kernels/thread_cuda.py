"""Framework of 2-opt with one climber per thread: O'Neil, Tamir and Burtscher (2011), slides 10 to 20 of 2015.

A variant defines how a position of the tour is read and written, and how distances are computed; this module implements
the rest. All threads process the rows of their scans in step, so that a warp never diverges in the inner loop: one row
i at a time, as in the papers, or two rows i and i + 1, which share a distance. A launch may end between two such steps,
since a single thread takes long for a whole scan.

The papers store a thread's tour in local memory, which is lost at the end of a kernel. Here climbs span several
launches, so tours are in global memory, laid out like local memory: the k-th words of all threads are contiguous.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from numba import int32, int64, uint32

from solvers.algorithms.two_opt.kernels.block_cuda import write_down
from solvers.kernels.device_cuda import INT32_MAX, cuda, device, random_position

#: Number of words of a slot's scratch memory that store an unfinished scan: the next row, the best change, its i and j.
STATE = 4
_ROW, _BEST, _BEST_I, _BEST_J = 0, 1, 2, 3


class ThreadPolicy(NamedTuple):
    """The device functions of a variant with one climber per thread.

    Attributes
    ----------
    fill : callable
        ``fill(matrix, n)``: prepare shared memory; all threads of a block call it together, once per launch.
    load : callable
        ``load(home, slot, slots, n)``: copy a slot's tour from global memory to where it is scanned.
    save : callable
        The inverse of `load`.
    get : callable
        ``get(home, slot, slots, n, k)``: return the city at position k.
    put : callable
        ``put(points, home, slot, slots, n, k, city)``: write the city at position k.
    at : callable
        ``at(home, slot, slots, n, k)``: return what distances from position k are computed from, one or more values.
    distance : callable
        ``distance(matrix, n, a, b)``: return the distance between two results of `at`, int32.
    weigh : callable
        ``weigh(points, matrix, n, a, b)``: return the exact length of the edge between two cities.
    """

    fill: Callable[..., Any]
    load: Callable[..., Any]
    save: Callable[..., Any]
    get: Callable[..., Any]
    put: Callable[..., Any]
    at: Callable[..., Any]
    distance: Callable[..., Any]
    weigh: Callable[..., Any]


def _build_tour(policy: ThreadPolicy):
    """Build device functions that set a start tour, reverse a part of a tour, and compute a tour's length."""
    get, put, weigh = policy.get, policy.put, policy.weigh

    @device
    def begin(points, seed, start, climber, home, slot, slots, n):
        """Set a climber's start tour: `tours_cpu.random_tour`, or `start` for climber 0."""
        has_start = climber == 0 and start.size == n
        for k in range(n):
            put(points, home, slot, slots, n, uint32(k), start[k] if has_start else int32(k))
        k = n - uint32(1)
        while k > uint32(0) and not has_start:
            exchange(points, home, slot, slots, n, k, random_position(seed, climber, k, n))
            k -= uint32(1)
        put(points, home, slot, slots, n, n, get(home, slot, slots, n, uint32(0)))

    @device
    def exchange(points, home, slot, slots, n, a, b):
        """Swap two positions."""
        city = get(home, slot, slots, n, a)
        put(points, home, slot, slots, n, a, get(home, slot, slots, n, b))
        put(points, home, slot, slots, n, b, city)

    @device
    def reverse(points, home, slot, slots, n, i, j):
        """Reverse positions i + 1 to j."""
        low, high = uint32(i) + uint32(1), uint32(j)
        while low < high:
            exchange(points, home, slot, slots, n, low, high)
            low += uint32(1)
            high -= uint32(1)

    @device
    def length(points, matrix, home, slot, slots, n):
        """Return the tour's exact length, int64."""
        total, last = int64(0), get(home, slot, slots, n, n - uint32(1))
        for k in range(n):
            city = get(home, slot, slots, n, uint32(k))
            total += weigh(points, matrix, n, last, city)
            last = city
        return total

    return begin, reverse, length


def _build_one_row(policy: ThreadPolicy):
    """Build the scan of slide 9 (2015), which measures edge i outside the loop over j: three distances per move."""
    at, distance = policy.at, policy.distance

    @device
    def one_row(matrix, home, slot, slots, n, i, best, best_i, best_j):
        """Return the best move of the scan so far and row i."""
        a, b = at(home, slot, slots, n, i), at(home, slot, slots, n, uint32(i + uint32(1)))
        j = uint32(i + uint32(2))
        low, low_j = int32(INT32_MAX), j
        p = at(home, slot, slots, n, j)
        while j < n:
            following = uint32(j + uint32(1))
            q = at(home, slot, slots, n, following)
            change = int32(int32(distance(matrix, n, a, p) + distance(matrix, n, b, q)) - distance(matrix, n, p, q))
            if change < low:
                low, low_j = change, j
            p, j = q, following
        low = int32(low - distance(matrix, n, a, b))
        if low < best:
            best, best_i, best_j = low, int32(i), int32(low_j)
        return best, best_i, best_j

    return one_row


def _build_two_rows(policy: ThreadPolicy):
    """Build a scan of two rows at once, which share edge j: five distances for two moves."""
    at, distance = policy.at, policy.distance

    @device
    def two_rows(matrix, home, slot, slots, n, i, best, best_i, best_j):
        """Return the best move of the scan so far and rows i and i + 1.

        At j = i + 2, the second row would exchange neighbouring edges; that change is 0, which is never the best.
        """
        # Numba widens sums of uint32 to 64 bits; casting them back halves their cost.
        a, b = at(home, slot, slots, n, i), at(home, slot, slots, n, uint32(i + uint32(1)))
        j = uint32(i + uint32(2))
        c = at(home, slot, slots, n, j)
        edge_i, edge_k = distance(matrix, n, a, b), distance(matrix, n, b, c)
        low_i, low_k = int32(INT32_MAX), int32(INT32_MAX)
        at_i, at_k = j, j
        p = c
        while j < n:
            following = uint32(j + uint32(1))
            q = at(home, slot, slots, n, following)
            edge = distance(matrix, n, p, q)
            change_i = int32(int32(distance(matrix, n, a, p) + distance(matrix, n, b, q)) - edge)
            change_k = int32(int32(distance(matrix, n, b, p) + distance(matrix, n, c, q)) - edge)
            if change_i < low_i:
                low_i, at_i = change_i, j
            if change_k < low_k:
                low_k, at_k = change_k, j
            p, j = q, following
        low_i, low_k = int32(low_i - edge_i), int32(low_k - edge_k)
        if low_i < best:
            best, best_i, best_j = low_i, int32(i), int32(at_i)
        if low_k < best:
            best, best_i, best_j = low_k, int32(i) + int32(1), int32(at_k)
        return best, best_i, best_j

    return two_rows


def build(policy: ThreadPolicy, rows: int):
    """Build a policy's kernel for one or two rows at a time; its arguments are as in `block_cuda.build`.

    Here a launch's budget counts the steps of a scan; between launches, `Slots.scratch` stores an unfinished scan.
    """
    fill, load, save, get = policy.fill, policy.load, policy.save, policy.get
    begin, reverse, length = _build_tour(policy)
    scan_rows = _build_one_row(policy) if rows == 1 else _build_two_rows(policy)

    @cuda.jit(fastmath=True)
    def climb(problem, slots, results, recording, queue, first, last, budget, recorded):
        points, matrix, home, scratch = problem.points, problem.matrix, slots.order, slots.scratch
        slot, width = uint32(cuda.grid(1)), uint32(slots.climber.size)
        n = uint32(slots.best_order.shape[1])
        fill(matrix, n)
        climber, moves, scans = slots.climber[slot], slots.moves[slot], slots.scans[slot]
        row, best = uint32(scratch[_ROW, slot]), scratch[_BEST, slot]
        best_i, best_j = scratch[_BEST_I, slot], scratch[_BEST_J, slot]
        if climber >= 0:
            load(home, slot, width, n)
        scans_left = budget
        while scans_left > 0:
            if climber < 0:
                climber = cuda.atomic.add(queue, 0, 1)
                if climber >= last:
                    climber = int64(-1)
                    break
                moves, scans = int32(0), int32(0)
                begin(points, problem.seed, problem.start, climber, home, slot, width, n)
            if n > uint32(3):
                best, best_i, best_j = scan_rows(matrix, home, slot, width, n, row, best, best_i, best_j)
            row = uint32(row + uint32(rows))
            scans_left -= 1
            if row + uint32(2) < n:
                continue
            row = uint32(0)
            scans += int32(1)
            if best < 0:
                reverse(points, home, slot, width, n, best_i, best_j)
                moves += int32(1)
                if climber == recorded:
                    write_down(best_i, best_j, best, recording)
                best = int32(0)
                continue
            final, k = length(points, matrix, home, slot, width, n), climber - first
            results.length[k], results.moves[k], results.scans[k] = final, moves, scans
            shortest = slots.best_length[slot]
            if final < shortest or (final == shortest and climber < slots.best_climber[slot]):
                slots.best_length[slot], slots.best_climber[slot] = final, climber
                for k in range(n):
                    slots.best_order[slot, k] = get(home, slot, width, n, uint32(k))
            climber = int64(-1)
        if climber >= 0:
            save(home, slot, width, n)
        slots.climber[slot], slots.moves[slot], slots.scans[slot] = climber, moves, scans
        scratch[_ROW, slot], scratch[_BEST, slot] = row, best
        scratch[_BEST_I, slot], scratch[_BEST_J, slot] = best_i, best_j

    return climb
