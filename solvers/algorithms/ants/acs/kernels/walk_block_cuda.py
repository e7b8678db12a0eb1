"""Ant Colony System with one block per ant; each step evaluates all cities.

Y. Qin and D. Han, "Parallel TSP Solvers" (2022), section 2.2; M. Dorigo and L. M. Gambardella, "Ant Colony System"
(1997), equations 3 (choice) and 5 (local update).

The paper's ants update the trail of every edge that they take, by compare-and-swap (section 2.2.4). Here only raised
edges need an update, because all other trails stay at tau_0. ``compare-and-swap`` updates them as the paper does: three
threads swap in the trail and the weights of both directions. The other local updates only count the visits, by atomic
additions. As k visits give the same trail in any order, a trail follows from its level at the start of the iteration
and the number of visits. If ants see the changes only in the next iteration, the edges are looked up when the tour is
complete, with one thread per edge.
"""

import numpy as np
from numba import float32, int32, uint32, uint64

from solvers.algorithms.ants.acs.kernels.choice_block_cuda import (
    LOADS,
    WORD,
    build_exploitation,
    build_exploration,
    build_lowest_open,
    read_plain,
)
from solvers.algorithms.ants.acs.kernels.trails_cuda import apply_updates, find_raised_far
from solvers.algorithms.ants.kernels.launch_sizes import portions
from solvers.algorithms.ants.kernels.random_cuda import DRAWS, absorb, draw, uniform
from solvers.gpu.calibration import ACS_BLOCK_ROUND_SECONDS, ACS_BLOCK_STEP_SECONDS, ACS_BLOCK_THREADS, BLOCK_READS
from solvers.gpu.calibration import LAUNCH_SECONDS as _LAUNCH_SECONDS
from solvers.kernels.coherent_cuda import decay_excess, load_relaxed_float
from solvers.kernels.device_cuda import SIMULATED, cuda, device, random_below
from solvers.kernels.warp_cuda import NO_CITY

#: Minimum and maximum number of threads per block; between these, enough that each thread needs only one round of
#: loads.
_MIN_THREADS, _MAX_THREADS = ACS_BLOCK_THREADS
#: Number of values that a local update swaps in, one per thread: the weights of both directions and the trail.
_PARTS = 3


def threads(n: int) -> int:
    """Return the number of threads per block: a power of two, since city numbers are divided by it."""
    if SIMULATED:
        return 4
    return min(_MAX_THREADS, max(_MIN_THREADS, 1 << (-(-n // LOADS) - 1).bit_length()))


def shared_bytes(n: int, threads: int) -> int:
    """Return the dynamic shared memory per block: one bit per city, rounded up to whole words per thread."""
    return 4 * threads * -(-n // (WORD * threads))


def launches(n: int, ants: int) -> list[tuple[int, tuple[np.uint32, ...]]]:
    """Return, for each launch, its number of blocks, first ant and range of tour positions.

    A launch has as many ants as can read their rows within the time limit, but enough to keep a GPU busy. These reads,
    and the time of an ant's successive steps, limit its number of tour positions.
    """
    rounds = -(-n // (LOADS * threads(n)))
    steps = int(_LAUNCH_SECONDS / (ACS_BLOCK_STEP_SECONDS + rounds * ACS_BLOCK_ROUND_SECONDS))
    spans: list[tuple[int, tuple[np.uint32, ...]]] = []
    for blocks, (first,) in portions(ants, BLOCK_READS // (n * n)):
        places = max(1, min(n, steps, BLOCK_READS // (blocks * n)))
        spans += [
            (blocks, (first, np.uint32(begin), np.uint32(min(n, begin + places)))) for begin in range(0, n, places)
        ]
    return spans


@device
def _count(edges, current, city):
    """Count a visit to the edge from `current` to `city` if it is raised."""
    r = find_raised_far(edges, current, city)
    if r >= int32(0):
        cuda.atomic.add(edges.visits, r, int32(1))


@device
def _local_update(edges, current, city, keep):
    """Count a visit, and set the weights of both directions to their values after all visits so far."""
    r = find_raised_far(edges, current, city)
    if r >= int32(0):
        seen = cuda.atomic.add(edges.visits, r, int32(1))
        trail = apply_updates(edges.level[r], int32(seen + int32(1)), keep)
        for side in range(2):
            e = uint32(uint32(r) * uint32(2) + uint32(side))
            row = uint32(uint32(edges.ends[e]) * edges.stride)
            edges.fitness[uint32(row + uint32(edges.ends[e ^ uint32(1)]))] = float32(trail * edges.eta[e])


@device
def _swap_in(edges, current, city, keep, part):
    """Update a raised edge that an ant took: one direction's weight (`part` 0 or 1), or trail and visits (`part` 2)."""
    r = find_raised_far(edges, current, city)
    if r >= int32(0) and part == uint32(2):
        decay_excess(edges.level, uint32(r), keep, float32(1.0))
        cuda.atomic.add(edges.visits, r, int32(1))
    elif r >= int32(0):
        e = uint32(uint32(r) * uint32(2) + part)
        row = uint32(uint32(edges.ends[e]) * edges.stride)
        decay_excess(edges.fitness, uint32(row + uint32(edges.ends[e ^ uint32(1)])), keep, edges.eta[e])


def _build_roster(threads: int):
    """Build device functions ``begin(n, words, unvisited)``, which marks all cities unvisited, and ``place(city)``.

    `place` returns the index of the word that contains the city's bit, and a word with only that bit set.
    """

    @device
    def begin(n, words, unvisited):
        thread_id, w = uint32(cuda.threadIdx.x), uint32(0)
        while w < words:
            bits, k, city = uint32(0), uint32(0), uint32(uint32(w * uint32(WORD * threads)) + thread_id)
            while k < uint32(WORD) and city < n:
                bits, k = uint32(bits | uint32(uint32(1) << k)), uint32(k + uint32(1))
                city = uint32(city + uint32(threads))
            unvisited[uint32(uint32(w * uint32(threads)) + thread_id)] = bits
            w = uint32(w + uint32(1))

    @device
    def place(city):
        k, thread = uint32(city // uint32(threads)), uint32(city % uint32(threads))
        word = uint32(uint32(uint32(k // uint32(WORD)) * uint32(threads)) + thread)
        return word, uint32(uint32(1) << uint32(k % uint32(WORD)))

    return begin, place


def build_block(local_update: str, threads: int):
    """Build a kernel that constructs the tours of an iteration, with one block per ant.

    Parameters
    ----------
    local_update : str
        When ants see each other's local updates. ``deferred``: in the next iteration; ``racy``: at once, but an update
        may be lost; ``compare-and-swap``: at once, and none is lost.
    threads : int
        Number of threads per block; a multiple of the warp size.

    Notes
    -----
    The kernel's arguments: `edges`, a `solvers.algorithms.ants.acs.kernels.trails_cuda.RaisedEdges` whose entries are
    all far: the kernel increments `visits`, writes `fitness` unless ``deferred``, and writes `level` if
    ``compare-and-swap``; n, ants uint32; `first` uint32, the ant of the first block; `begin`, `end` uint32, the range
    of tour positions that the launch fills in, after those of earlier launches; seed uint64; `counter` int64 (1,), the
    iteration; `q0`, `keep` = 1 - rho float32; `tours` int32 (ants * n,), written.
    """
    deferred, swapped = local_update == "deferred", local_update == "compare-and-swap"
    read = read_plain if deferred else load_relaxed_float
    exploit, explore, lowest = (
        build_exploitation(threads, read),
        build_exploration(threads, read),
        build_lowest_open(threads),
    )
    start, place = _build_roster(threads)

    @device
    def resume(tour, stop, unvisited):
        """Mark the cities at positions before `stop` as visited."""
        cuda.syncthreads()
        k = uint32(cuda.threadIdx.x)
        while k < stop:
            word, bit = place(uint32(tour[k]))
            cuda.atomic.and_(unvisited, word, uint32(~bit))
            k = uint32(k + uint32(threads))
        cuda.syncthreads()

    @device
    def count_all(edges, tour, n, begin, end):
        """Count the visits to the edges that this launch has added, and to the closing edge once it exists."""
        k = uint32(max(begin, uint32(1)) + uint32(cuda.threadIdx.x))
        while k < end or (k == n and end == n and n > uint32(1)):
            city = uint32(tour[k] if k < n else tour[0])
            _count(edges, uint32(tour[uint32(k - uint32(1))]), city)
            k = uint32(k + uint32(threads))

    @cuda.jit(fastmath=True)
    def construct(edges, n, ants, first, begin, end, seed, counter, q0, keep, tours):
        unvisited = cuda.shared.array(0, uint32)
        thread_id, ant = uint32(cuda.threadIdx.x), uint32(first + uint32(cuda.blockIdx.x))
        words = uint32(uint32(n + uint32(WORD * threads - 1)) // uint32(WORD * threads))
        tour, p = tours[uint64(ant) * uint64(n) :], begin
        state = absorb(seed, uint64(counter[0]) * uint64(ants) + uint64(ant))
        if p == uint32(0):
            if thread_id == uint32(0):
                tour[0] = int32(random_below(draw(state, uint64(0)), uint64(n)))
            p = uint32(1)
        start(n, words, unvisited)
        resume(tour, p, unvisited)
        current, next_draw = uint32(tour[uint32(p - uint32(1))]), draw(state, uint64(uint32(p * uint32(DRAWS))))
        while p < end:
            greedy, row, city = uniform(next_draw) <= q0, uint32(current * edges.stride), uint32(NO_CITY)
            next_draw = draw(state, uint64(uint32(uint32(p + uint32(1)) * uint32(DRAWS))))
            if greedy:
                city = exploit(edges.fitness, row, current, words, p, unvisited)
            else:
                city = explore(edges.fitness, row, current, words, p, state, unvisited)
            if city == uint32(NO_CITY):
                city = lowest(words, unvisited)
            word, bit = place(city)
            if thread_id == uint32(word % uint32(threads)):
                unvisited[word] = uint32(unvisited[word] & uint32(~bit))
                tour[p] = int32(city)
                if not deferred and not swapped:
                    _local_update(edges, current, city, keep)
            if swapped and thread_id < uint32(_PARTS):
                _swap_in(edges, current, city, keep, thread_id)
            current, p = city, uint32(p + uint32(1))
        cuda.syncthreads()
        if deferred:
            count_all(edges, tour, n, begin, end)
        elif end == n and n > uint32(1):
            if swapped and thread_id < uint32(_PARTS):
                _swap_in(edges, current, uint32(tour[0]), keep, thread_id)
            elif not swapped and thread_id == uint32(0):
                _local_update(edges, current, uint32(tour[0]), keep)

    return construct
