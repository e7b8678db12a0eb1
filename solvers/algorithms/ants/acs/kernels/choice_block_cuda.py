"""How a block of threads chooses an ant's next city in Ant Colony System: exploitation or exploration.

Y. Qin and D. Han, "Parallel TSP Solvers" (2022), sections 2.2.2 and 2.2.3: to exploit, a reduction finds the greatest
weight. To explore, a draw chooses a thread, and then one of that thread's cities.

Thread t has the cities k * threads + t; its bit k tells whether that city is unvisited. For a visited or nonexistent
city, the thread reads the weight of the city where the ant is, which is 0, so that no load waits for another.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import float32, uint32, uint64

from solvers.algorithms.ants.kernels.random_cuda import DRAWS, draw, uniform
from solvers.algorithms.ants.kernels.scan_cuda import PARTS, find_lane, find_part, warp_sums
from solvers.kernels.device_cuda import WARP, as_bits, cuda, device
from solvers.kernels.warp_cuda import NO_CITY, broadcast_float, warp_max, warp_min_unsigned

#: Number of weights that a thread loads at a time.
LOADS = 8
#: Number of cities per word of bits.
WORD = 32
#: Size of a shared array whose halves serve odd and even choices.
_SIDES = 2 * PARTS
_ZERO = np.float32(0.0)


@device
def read_plain(fitness, k):
    """Read ``fitness[k]`` from an array that no thread writes meanwhile."""
    return fitness[k]


@device
def _better(weight, city):
    """Return the greatest weight in the warp, as bits, and its city; ties go to the lowest city."""
    best = warp_max(weight)
    return best, warp_min_unsigned(uint32(city) if weight == best else uint32(NO_CITY))


def _build_batch(threads: int, read: Callable[..., Any]):
    """Build a device function that loads the weights of a thread's next `LOADS` cities, starting at `city`."""

    @device
    def weight(fitness, row, current, bits, city, k):
        is_open = uint32(bits >> uint32(k)) & uint32(1) != uint32(0)
        return read(fitness, uint32(row + (uint32(city + uint32(k * threads)) if is_open else current)))

    @device
    def batch(fitness, row, current, bits, city):
        return (
            weight(fitness, row, current, bits, city, 0),
            weight(fitness, row, current, bits, city, 1),
            weight(fitness, row, current, bits, city, 2),
            weight(fitness, row, current, bits, city, 3),
            weight(fitness, row, current, bits, city, 4),
            weight(fitness, row, current, bits, city, 5),
            weight(fitness, row, current, bits, city, 6),
            weight(fitness, row, current, bits, city, 7),
        )

    return batch


def build_exploitation(threads: int, read: Callable[..., Any]):
    """Build a device function that finds the unvisited city with the greatest weight; ties go to the lowest city.

    ``exploit(fitness, row, current, words, p, unvisited) -> city``, `NO_CITY` if all weights are 0; all threads of a
    block call it. The ant is in city `current`, whose row begins at `row`, and chooses its p-th city.
    """
    batch = _build_batch(threads, read)

    @device
    def own(fitness, row, current, words, unvisited):
        """Return the greatest weight of a thread's own cities, as bits, and its city."""
        best, pick, w = uint32(0), uint32(NO_CITY), uint32(0)
        while w < words:
            k = uint32(uint32(w * uint32(threads)) + uint32(cuda.threadIdx.x))
            bits, city = unvisited[k], uint32(uint32(w * uint32(WORD * threads)) + uint32(cuda.threadIdx.x))
            while bits != uint32(0):
                loaded = batch(fitness, row, current, bits, city)
                for q in range(LOADS):
                    weight = uint32(as_bits(loaded[q]))
                    if weight > best:
                        best, pick = weight, uint32(city + uint32(q * threads))
                bits, city = uint32(bits >> uint32(LOADS)), uint32(city + uint32(LOADS * threads))
            w = uint32(w + uint32(1))
        return best, pick

    @device
    def exploit(fitness, row, current, words, p, unvisited):
        # One declaration per line: the simulator identifies shared arrays by their source line. Two halves: slow
        # threads may still be reading the half of the previous choice.
        weights = cuda.shared.array(_SIDES, uint32)
        cities = cuda.shared.array(_SIDES, uint32)
        warp, lane = uint32(cuda.threadIdx.x) // uint32(WARP), uint32(cuda.threadIdx.x) % uint32(WARP)
        side = uint32(uint32(p & uint32(1)) * uint32(PARTS))
        best, pick = own(fitness, row, current, words, unvisited)
        best, pick = _better(best, pick)
        if lane == uint32(0):
            weights[uint32(side + warp)], cities[uint32(side + warp)] = best, pick
        cuda.syncthreads()
        best, pick = uint32(0), uint32(NO_CITY)
        while lane < uint32(threads // WARP):
            weight, city = weights[uint32(side + lane)], cities[uint32(side + lane)]
            if weight > best or (weight == best and city < pick):
                best, pick = weight, city
            lane = uint32(lane + uint32(WARP))
        best, pick = _better(best, pick)
        return pick

    return exploit


def build_exploration(threads: int, read: Callable[..., Any]):
    """Build a device function that draws an unvisited city by weight; same signature as `build_exploitation`."""
    batch = _build_batch(threads, read)

    @device
    def add_up(fitness, row, current, words, unvisited):
        """Return the sum of the weights of a thread's own cities."""
        total, w = _ZERO, uint32(0)
        while w < words:
            k = uint32(uint32(w * uint32(threads)) + uint32(cuda.threadIdx.x))
            bits, city = unvisited[k], uint32(uint32(w * uint32(WORD * threads)) + uint32(cuda.threadIdx.x))
            while bits != uint32(0):
                loaded = batch(fitness, row, current, bits, city)
                for q in range(LOADS):
                    total = float32(total + loaded[q])
                bits, city = uint32(bits >> uint32(LOADS)), uint32(city + uint32(LOADS * threads))
            w = uint32(w + uint32(1))
        return total

    @device
    def search(fitness, row, current, words, unvisited, thread, rest):
        """Find the city at `rest` in a thread's running sum, with the warp; the last city if rounding leaves none."""
        pick, k = uint32(NO_CITY), uint32(cuda.threadIdx.x) % uint32(WARP)
        # All lanes are in the same word, so they continue or stop together.
        while uint32(k // uint32(WORD)) < words:
            bits = unvisited[uint32(uint32(uint32(k // uint32(WORD)) * uint32(threads)) + thread)]
            is_open = uint32(bits >> uint32(k % uint32(WORD))) & uint32(1) != uint32(0)
            city = uint32(uint32(k * uint32(threads)) + thread)
            weight = read(fitness, uint32(row + (city if is_open else current)))
            running_sum = warp_sums(weight)
            total = broadcast_float(running_sum, uint32(WARP - 1))
            if total > _ZERO:
                hit, _ = find_lane(weight, running_sum, rest)
                first = uint32(k - uint32(cuda.threadIdx.x) % uint32(WARP))
                pick = uint32(uint32(uint32(first + hit) * uint32(threads)) + thread)
                if rest < total:
                    break
                rest = float32(rest - total)
            k = uint32(k + uint32(WARP))
        return pick

    @device
    def explore(fitness, row, current, words, p, state, unvisited):
        # As in `exploit`.
        totals = cuda.shared.array(PARTS, float32)
        chosen = cuda.shared.array(2, uint32)
        thread_id, side = uint32(cuda.threadIdx.x), uint32(p & uint32(1))
        warp, lane = thread_id // uint32(WARP), thread_id % uint32(WARP)
        sum_ = add_up(fitness, row, current, words, unvisited)
        running_sum = warp_sums(sum_)
        if lane == uint32(WARP - 1):
            totals[warp] = running_sum
        if thread_id == uint32(0):
            chosen[side] = uint32(NO_CITY)
        u = uniform(draw(state, uint64(uint32(p * uint32(DRAWS)) + uint32(1))))
        cuda.syncthreads()
        part, rest = find_part(totals, uint32(threads // WARP), u)
        if warp == part:
            owner, rest = find_lane(sum_, running_sum, rest)
            city = search(fitness, row, current, words, unvisited, uint32(uint32(warp * uint32(WARP)) + owner), rest)
            if lane == uint32(0):
                chosen[side] = city
        cuda.syncthreads()
        return chosen[side]

    return explore


def build_lowest_open(threads: int):
    """Build a device function ``lowest(words, unvisited)`` that returns the block's lowest unvisited city."""

    @device
    def lowest(words, unvisited):
        offers = cuda.shared.array(PARTS, uint32)
        warp, lane = uint32(cuda.threadIdx.x) // uint32(WARP), uint32(cuda.threadIdx.x) % uint32(WARP)
        city, end = uint32(cuda.threadIdx.x), uint32(words * uint32(WORD * threads))
        pick = uint32(NO_CITY)
        while city < end and pick == uint32(NO_CITY):
            k = city // uint32(threads)
            bits = unvisited[uint32(uint32(uint32(k // uint32(WORD)) * uint32(threads)) + uint32(cuda.threadIdx.x))]
            if uint32(bits >> uint32(k % uint32(WORD))) & uint32(1) != uint32(0):
                pick = city
            city = uint32(city + uint32(threads))
        pick = warp_min_unsigned(pick)
        if lane == uint32(0):
            offers[warp] = pick
        cuda.syncthreads()
        pick = uint32(NO_CITY)
        while lane < uint32(threads // WARP):
            pick = min(pick, offers[lane])
            lane = uint32(lane + uint32(WARP))
        return warp_min_unsigned(pick)

    return lowest
