"""Tours with one block per colony and one thread per ant; each colony has its own trails.

H. Bai, D. OuYang, X. Li, L. He and H. Yu, "MAX-MIN Ant System on GPU with CUDA" (2009), as described by J. Utne and
H. N. W. Hansen ("Solving TSP on the GPU based on heuristic algorithms", 2023, section 3.5): a colony is a block with a
pheromone matrix, all colonies share the distances, and an ant is a thread.

An ant adds up the weights of its unvisited cities, draws, and reads the weights again until their sum reaches the draw.
A block's shared memory has one bit per ant and city.
"""

import numpy as np
from numba import float32, int32, uint32, uint64

from solvers.algorithms.ants.kernels.random_cuda import DRAWS, absorb, draw, uniform
from solvers.gpu.calibration import COLONY_READS
from solvers.kernels.device_cuda import SIMULATED, cuda, random_below
from solvers.kernels.warp_cuda import NO_CITY

#: Number of weights that a thread loads at the same time.
_LOADS = 8
#: Number of bits per word.
_WORD = 32
#: Maximum and minimum number of threads per block; the minimum is a warp.
_MAX_THREADS, _MIN_THREADS = 1024, 4 if SIMULATED else 32
_ZERO = np.float32(0.0)

# Not `device_cuda.device`: the sums must be computed in the order of the cities.
_inlined = cuda.jit(device=True)


def threads(n: int, ants: int, shared: int) -> int:
    """Return the number of threads per block: one per ant, or as many as shared memory has bits for."""
    maximum = min(_MAX_THREADS, (shared - 2048) // (4 * -(-n // _WORD)))
    return min(max(_MIN_THREADS, maximum // _MIN_THREADS * _MIN_THREADS), -(-ants // _MIN_THREADS) * _MIN_THREADS)


def shared_bytes(n: int, threads: int) -> int:
    """Return the bytes of dynamic shared memory per block."""
    return 4 * threads * -(-n // _WORD)


def spans(n: int, ants: int, threads: int) -> list[tuple[int, int]]:
    """Split tours into ranges of positions, one per launch, so that no launch takes 100 ms."""
    places = max(1, COLONY_READS // (2 * n * threads * -(-ants // threads)))
    return [(begin, min(n, begin + places)) for begin in range(0, n, places)]


@_inlined
def _load(fitness, row, k, bits, weights):
    """Load the weights of a row's next cities; 0 for a city whose bit is not set."""
    for q in range(_LOADS):
        weight = fitness[uint32(row + k + uint32(q))]
        weights[q] = weight if uint32(bits >> uint32(q)) & uint32(1) != uint32(0) else _ZERO


@_inlined
def _word(unvisited, k):
    """Return an ant's bits from city k to the end of its word."""
    place = uint32(uint32(k // uint32(_WORD)) * uint32(cuda.blockDim.x) + uint32(cuda.threadIdx.x))
    return uint32(unvisited[place] >> uint32(k % uint32(_WORD)))


@_inlined
def _mark(unvisited, city):
    place = uint32(uint32(city // uint32(_WORD)) * uint32(cuda.blockDim.x) + uint32(cuda.threadIdx.x))
    unvisited[place] = uint32(unvisited[place] & uint32(~uint32(uint32(1) << uint32(city % uint32(_WORD)))))


@_inlined
def roulette(fitness, row, n, unvisited, bits):
    """Draw an unvisited city by its share of the fitness; the last one if rounding puts the draw past the end."""
    weights = cuda.local.array(_LOADS, float32)
    total, k = _ZERO, uint32(0)
    while k < n:
        _load(fitness, row, k, _word(unvisited, k), weights)
        for q in range(_LOADS):
            total = float32(total + weights[q])
        k = uint32(k + uint32(_LOADS))
    r, running_sum, pick, k = float32(uniform(bits) * total), _ZERO, uint32(NO_CITY), uint32(0)
    while k < n and (running_sum <= r or pick == uint32(NO_CITY)):
        _load(fitness, row, k, _word(unvisited, k), weights)
        for q in range(_LOADS):
            if weights[q] > _ZERO and (running_sum <= r or pick == uint32(NO_CITY)):
                pick, running_sum = uint32(k + uint32(q)), float32(running_sum + weights[q])
        k = uint32(k + uint32(_LOADS))
    return pick


@_inlined
def choose_listed(fitness, row, candidates, current, reach, n, unvisited, bits):
    """Draw an unvisited candidate by its share of the fitness; if there is none, take the fittest unvisited city.

    M. Dorigo and T. Stuetzle, "Ant Colony Optimization" (2004), section 3.7; ties go to the lowest city.
    """
    total, first = _ZERO, uint32(current * reach)
    for k in range(reach):
        city = uint32(candidates[uint32(first + uint32(k))])
        if _word(unvisited, city) & uint32(1) != uint32(0):
            total = float32(total + fitness[uint32(row + city)])
    r, running_sum, pick, maximum = float32(uniform(bits) * total), _ZERO, uint32(NO_CITY), _ZERO
    for k in range(reach):
        city = uint32(candidates[uint32(first + uint32(k))])
        if _word(unvisited, city) & uint32(1) != uint32(0) and (running_sum <= r or pick == uint32(NO_CITY)):
            pick, running_sum = city, float32(running_sum + fitness[uint32(row + city)])
    if pick != uint32(NO_CITY):
        return pick
    for k in range(n):
        weight = fitness[uint32(row + uint32(k))]
        if _word(unvisited, uint32(k)) & uint32(1) != uint32(0) and weight > maximum:
            pick, maximum = uint32(k), weight
    return pick


def build_colony_walk(lists: bool):
    """Build a kernel that constructs the tours of all colonies, with one block per colony.

    Parameters
    ----------
    lists : bool
        Whether an ant goes only to candidates while one is unvisited.

    Notes
    -----
    The kernel's arguments: `fitness` float32 (colonies * n * stride,), row by row, 0 only on the diagonal and past n;
    `candidates` int32 (n * reach,), each city's nearest cities; `reach`, n, stride uint32; `ants` uint32, the number of
    ants per colony; `begin` and `end` uint32, the range of tour positions that the launch fills in, after those of
    earlier launches; `seeds` uint64 (colonies,); `counter` int64 (1,), the iteration; `tours` int32
    (colonies * ants * n,), written.
    """

    @cuda.jit
    def construct(fitness, candidates, reach, n, stride, ants, begin, end, seeds, counter, tours):
        unvisited = cuda.shared.array(0, uint32)
        own = uint32(cuda.blockIdx.x)
        ant = uint32(cuda.threadIdx.x)
        while ant < ants:
            state = absorb(seeds[own], uint64(counter[0]) * uint64(ants) + uint64(ant))
            tour = tours[uint32(uint32(uint32(own * ants) + ant) * n) :]
            k = uint32(cuda.threadIdx.x)
            while k < uint32(uint32(cuda.blockDim.x) * uint32((n + uint32(_WORD - 1)) // uint32(_WORD))):
                unvisited[k] = uint32(0xFFFFFFFF)
                k = uint32(k + uint32(cuda.blockDim.x))
            p = begin
            if p == uint32(0):
                tour[0] = int32(random_below(draw(state, uint64(0)), uint64(n)))
                p = uint32(1)
            k, current = uint32(0), uint32(0)
            while k < p:
                current = uint32(tour[k])
                _mark(unvisited, current)
                k = uint32(k + uint32(1))
            while p < end:
                row, bits = (
                    uint32(uint32(uint32(own * n) + current) * stride),
                    draw(state, uint64(uint32(p * uint32(DRAWS)))),
                )
                if lists:
                    current = choose_listed(fitness, row, candidates, current, reach, n, unvisited, bits)
                else:
                    current = roulette(fitness, row, n, unvisited, bits)
                tour[p] = int32(current)
                _mark(unvisited, current)
                p = uint32(p + uint32(1))
            ant = uint32(ant + uint32(cuda.blockDim.x))

    return construct
