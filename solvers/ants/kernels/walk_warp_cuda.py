"""Tours by ants of a warp each: the nearest cities first, all others only where the draw falls on them.

A roulette over all unvisited cities reads a row of n weights at each of n steps for each ant: n**3 floats an
iteration, 4 GB at 1,002 cities. Here a step reads 32 weights, a lane each: those of the nearest cities, and in the last
lane the sum of all others, visited or not. That sum is too large by what was visited; so where the draw falls on it,
the unvisited others are added up, and the draw stands with the share that they have of it. Else it fell on a visited
city: it is made again, with sums that are exact now. So every city is chosen with its probability (rejection sampling;
the transition rule is eq. 2 of A. Uchida, Y. Ito and K. Nakano, 2012), and few steps read the row.

The others are read through a list of cities, of which at least half are unvisited: it is compressed when fewer are.

A step is short, and an ant makes one after the other: what counts is how long its longest chain of instructions takes.
The random numbers of a step do not depend on the city, and are made while the weights of the step before are on their
way.
"""

from numba import uint8, uint16, uint32, uint64

from solvers.ants.kernels.choice_warp_cuda import (
    FIRST,
    NEAR,
    cleared,
    compressed,
    draw_other,
    greatest_other,
    inverse_exponential,
    lowest_open,
    number,
    race,
)
from solvers.ants.kernels.random_cuda import absorbed, draw
from solvers.kernels.device_cuda import WARP, cuda, device, random_below
from solvers.kernels.warp_cuda import NOBODY, address, meet

#: Cities that the list can number.
MOST_CITIES = 65_535


def table_bytes(n: int) -> int:
    """Shared memory of a block that keeps the weights of all cities' nearest."""
    return 8 * NEAR * n


def ant_bytes(n: int) -> int:
    """Shared memory of an ant: a byte a city, some for what is no city, and the list."""
    return -(-n // 32) * 32 + 8 + 2 * n + 2 * (n % 2)


def largest_n(shared: int) -> int:
    """Cities of which an ant fits into so many bytes of shared memory, a kilobyte of the driver's beside it."""
    return min(MOST_CITIES, (shared - 1024 - 40) // 3)


@device
def from_table(near, where, table, k):
    """The k-th weight and city, out of the block's own copy."""
    return table[k]


if WARP == 1:

    @device
    def from_far(near, where, table, k):
        """The same through the read-only cache."""
        return near[k]

else:
    from solvers.kernels.warp_cuda import fetch

    @device
    def from_far(near, where, table, k):
        """The same through the read-only cache."""
        return fetch(where, k)  # type: ignore[call-arg]


#: What an ant does where none of the nearest cities is chosen.
RULES = {"roulette": draw_other, "greatest": greatest_other}


def warp(rule: str, in_shared: bool):
    """A kernel that builds the tours of one iteration, a warp an ant.

    Parameters
    ----------
    rule : str
        Of `RULES`: ``roulette`` gives every unvisited city its share (Ant System); ``greatest`` goes to the greatest
        weight once the nearest are visited, as candidate lists have it (M. Dorigo and T. Stuetzle, "Ant Colony
        Optimization", 2004, section 3.7).
    in_shared : bool
        Whether a block keeps the weights of the nearest, `table_bytes`, beside `ant_bytes` for each of its warps.

    Notes
    -----
    The kernel's arguments: `other` float32 (n * stride,), weights row by row, 0 for a city's nearest ones and itself;
    `near` uint64 (n * 32,), for each city the nearest ones in the lower half and their weights, float32, in the upper;
    with ``roulette`` the last one of a row is no city but `stride`, with the sum of the row of `other`; n, stride, ants
    uint32; seed uint64; `counter` int64 (1,), the iteration; `first` and `last` uint32, the ant of the first warp and
    the one after the last; `tours` int32 (ants * n,), written.
    """
    beyond = RULES[rule]
    read = from_table if in_shared else from_far

    @cuda.jit(fastmath=True)
    def construct(other, near, n, stride, ants, first, last, seed, counter, tours):
        table = cuda.shared.array(0, uint64)
        marks = cuda.shared.array(0, uint8)
        halves = cuda.shared.array(0, uint16)
        thread = uint32(cuda.threadIdx.x)
        # Always 0, which the compiler cannot know: what it is added to stays in a register, where the loop's first
        # instruction would else be to fetch it.
        nothing, base = uint32(ants >> uint32(31)), uint32(0)
        lane, warp = uint32(uint32(thread & uint32(WARP - 1)) + nothing), uint32(thread // uint32(WARP))
        n, where = uint32(n + nothing), uint64(address(near) + uint64(nothing))
        if in_shared:
            base, k = uint32(n * uint32(8 * NEAR)), thread
            while k < uint32(n * uint32(NEAR)):
                table[k] = near[k]
                k = uint32(k + uint32(cuda.blockDim.x))
            cuda.syncthreads()
        ant = uint32(first + uint32(uint32(cuda.blockIdx.x) * uint32(uint32(cuda.blockDim.x) // uint32(WARP)) + warp))
        if ant >= last:
            return
        own = uint32(uint32(stride + uint32(8)) + uint32(uint32(n + uint32(n & uint32(1))) << uint32(1)))
        base = uint32(base + uint32(warp * own))
        visited, listed = marks[base:], halves[uint32(uint32(base + uint32(stride + uint32(8))) >> uint32(1)) :]
        tours = tours[uint32(ant * n) :]
        state = absorbed(seed, uint64(counter[0]) * uint64(ants) + uint64(ant))
        cleared(visited, listed, n, stride, lane)
        city, count, p = uint32(random_below(draw(state, uint64(0)), uint64(n))), n, uint32(1)
        entry = uint32(lane + uint32(NEAR - WARP))
        bits = draw(state, number(p, FIRST, entry))
        haste = inverse_exponential(bits)
        while True:
            # The weights are on their way while the city is written down.
            pair = read(near, where, table, uint32(uint32(city * uint32(NEAR)) + entry))
            if lane == uint32(0):
                visited[city] = uint8(1)
                tours[uint32(p - uint32(1))] = city
            if p == n:
                break
            coming = draw(state, number(uint32(p + uint32(1)), FIRST, entry))
            next_haste = inverse_exponential(coming)
            meet()
            pick = race(near, city, visited, state, p, lane, pair, haste)
            if pick >= n:
                pick = beyond(
                    other, near, city, uint32(city * stride), listed, count, visited, stride, state, p, lane, pair, bits
                )
                if pick == uint32(NOBODY):
                    pick = lowest_open(n, visited, lane)
                if uint32(uint32(2) * uint32(n - p)) < count:
                    count = compressed(listed, count, visited, lane)
            meet()
            city, bits, haste = pick, coming, next_haste
            p = uint32(p + uint32(1))

    return construct
