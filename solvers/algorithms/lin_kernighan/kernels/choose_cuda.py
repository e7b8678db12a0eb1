"""Chooses the edges of kicks by random walks, one thread per kick, before another kernel makes the kicks."""

from typing import Any

import numpy as np
from numba import int32, int64, uint64

from solvers.algorithms.lin_kernighan.kernels.chain_cpu import REACH, TRIES
from solvers.algorithms.lin_kernighan.kernels.repair_cuda import BEGIN, EACH, FIRST, KICKS_END, ORIGIN, ORIGINS
from solvers.kernels import scalar
from solvers.kernels.device_cuda import SIMULATED, cuda, device

#: Number of threads per block.
THREADS = 2 if SIMULATED else 128
#: Number of edges that a double bridge replaces.
_BRIDGE = 4


def build_choose(jit):
    """Build the function that each thread runs, for one compiler.

    Returns
    -------
    callable
        ``choose(near, node, n, width, seed, begin, count, first, at, each, steps, cuts, chosen)``: writes the first
        cities of the four edges of kick ``first + at`` to row `at` of `chosen`, by position; see
        `solvers.algorithms.lin_kernighan.kernels.chain_cpu.walk_to_edges`. The starts of a tour's `each` kicks are
        evenly spread over `count` cities from `begin` on; kicks with consecutive numbers start near each other. `cuts`
        is working memory for four positions.
    """
    random_bits, random_below, absorbed = jit(scalar.random_bits), jit(scalar.random_below), jit(scalar.absorb)

    @jit
    def choose(near, node, n, width, seed, begin, count, first, at, each, steps, cuts, chosen):
        city: Any
        j: Any
        bits = random_bits(uint64(seed), uint64(0), uint64(first + at))
        tour = int32(at // each)
        row = int64(tour) * 4 * n
        city = int32(begin + (int64(at - tour * each) * count + int64(random_below(bits, uint64(count)))) // each)
        word, bits_left, drawn = bits, int32(0), uint64(0)
        origin, chosen_count, tries = int32(node[row + 4 * city]), int32(0), int32(0)
        while chosen_count < _BRIDGE:
            p = int32(node[row + 4 * city])
            gap = abs(int32(p - origin))
            fresh = gap <= REACH or n - gap <= REACH or tries > TRIES
            for j in range(chosen_count):
                fresh = fresh and cuts[j] != p
            tries = int32(tries + 1)
            if fresh:
                j, tries = int32(chosen_count), int32(0)
                while j > 0 and cuts[j - 1] > p:
                    cuts[j], chosen[4 * at + j] = cuts[j - 1], chosen[4 * at + j - 1]
                    j = int32(j - 1)
                cuts[j], chosen[4 * at + j] = p, city
                chosen_count = int32(chosen_count + 1)
            for _ in range(steps if fresh else 1):
                if bits_left == 0:
                    drawn = uint64(drawn + uint64(1))
                    word, bits_left = absorbed(bits, drawn), int32(6)
                way = int32(((word & uint64(1023)) * uint64(width)) >> uint64(10))
                city = int32(near[int64(city) * width + way] & 0xFFFFFFFF)
                word, bits_left = uint64(word >> uint64(10)), int32(bits_left - 1)
            if tries > 2 * TRIES:
                drawn = uint64(drawn + uint64(1))
                city = int32(random_below(absorbed(bits, drawn), uint64(n)))

    return choose


def build_choice():
    """Build the kernel that chooses the edges of a launch's kicks; see `build_choose`."""
    choose = build_choose(device)

    @cuda.jit
    def choose_edges(near, node, n, width, seed, steps, counts, chosen):
        cuts = cuda.local.array(4, np.int32)
        at = counts[BEGIN] + cuda.grid(1)
        if at < counts[KICKS_END]:
            choose(
                near, node, n, width, seed, counts[ORIGIN], counts[ORIGINS], counts[FIRST], int32(at), counts[EACH],
                steps, cuts, chosen,
            )  # fmt: skip

    return choose_edges
