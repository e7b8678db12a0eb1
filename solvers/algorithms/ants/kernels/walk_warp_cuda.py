"""Tours with one warp per ant; far cities are read only if the draw falls on them.

A roulette over all unvisited cities reads a row of n weights at each of n steps, for each of n ants: n**3 floats per
iteration, 4 GB at 1,002 cities. Here a step reads 32 weights, one per lane: the weights of the nearest cities, and in
the last lane the sum of all others, visited or not. If the draw falls on that sum, the weights of the unvisited others
are added up, and the draw is accepted with probability (their sum) / (the sum of all others). Otherwise it fell on a
visited city, and is repeated with exact sums. So every city has the right probability (rejection sampling; the
transition rule is eq. 2 of A. Uchida, Y. Ito and K. Nakano, 2012), and few steps read the row.

The others are read by means of a list of cities, which is compressed when fewer than half of them are unvisited.

Steps are short and sequential, so the longest chain of dependent instructions determines the time. A step's random
numbers do not depend on the city, and are computed while the previous step's weights are being loaded.
"""

from numba import uint8, uint16, uint32, uint64

from solvers.algorithms.ants.kernels.choice_warp_cuda import (
    FIRST,
    NEAR,
    clear,
    compress,
    draw_other,
    heaviest_other,
    inverse_exponential,
    lowest_open,
    number,
    race,
)
from solvers.algorithms.ants.kernels.random_cuda import absorb, draw
from solvers.kernels.device_cuda import WARP, cuda, device, random_below
from solvers.kernels.warp_cuda import NO_CITY, address, sync_warp

#: Maximum number of cities: the list stores them as uint16.
MAX_CITIES = 65_535


def table_bytes(n: int) -> int:
    """Return the bytes of shared memory for a block's table of near cities and their weights."""
    return 8 * NEAR * n


def ant_bytes(n: int) -> int:
    """Return the bytes of shared memory per ant: one byte per city, padded, and the list."""
    return -(-n // 32) * 32 + 8 + 2 * n + 2 * (n % 2)


def max_n(shared: int) -> int:
    """Return the maximum number of cities for `shared` bytes of shared memory, of which the driver reserves 1 KB."""
    return min(MAX_CITIES, (shared - 1024 - 40) // 3)


@device
def read_table(near, where, table, k):
    """Read the k-th weight and city from the block's table."""
    return table[k]


if WARP == 1:

    @device
    def read_cached(near, where, table, k):
        """Read the k-th weight and city through the read-only cache."""
        return near[k]

else:
    from solvers.kernels.warp_cuda import fetch

    @device
    def read_cached(near, where, table, k):
        """Read the k-th weight and city through the read-only cache."""
        return fetch(where, k)  # type: ignore[call-arg]


#: How an ant chooses a city if it chooses none of the nearest.
RULES = {"roulette": draw_other, "greatest": heaviest_other}


def build_warp(rule: str, in_shared: bool):
    """Build a kernel that constructs the tours of an iteration, with one warp per ant.

    Parameters
    ----------
    rule : str
        One of `RULES`: ``roulette`` draws from all unvisited cities (Ant System); ``greatest`` takes the greatest
        weight once the nearest cities are visited, as with candidate lists (M. Dorigo and T. Stuetzle, "Ant Colony
        Optimization", 2004, section 3.7).
    in_shared : bool
        Whether a block copies the near weights to shared memory: `table_bytes`, besides `ant_bytes` per warp.

    Notes
    -----
    The kernel's arguments: `other` float32 (n * stride,), weights row by row, 0 for the city itself and its nearest;
    `near` uint64 (n * 32,), rows of nearest cities, each in the lower half of an entry and its weight, float32, in the
    upper; with ``roulette`` a row's last entry is not a city but `stride`, with the sum of the row of `other`; n,
    stride, ants uint32; seed uint64; `counter` int64 (1,), the iteration; `first` and `last` uint32, the ant of the
    first warp and the ant after the last; `tours` int32 (ants * n,), written.
    """
    beyond = RULES[rule]
    read = read_table if in_shared else read_cached

    @cuda.jit(fastmath=True)
    def construct(other, near, n, stride, ants, first, last, seed, counter, tours):
        table = cuda.shared.array(0, uint64)
        marks = cuda.shared.array(0, uint8)
        halves = cuda.shared.array(0, uint16)
        thread = uint32(cuda.threadIdx.x)
        # Always 0, which the compiler cannot know: values to which it is added stay in registers instead of being
        # fetched in each pass of the loop.
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
        state = absorb(seed, uint64(counter[0]) * uint64(ants) + uint64(ant))
        clear(visited, listed, n, stride, lane)
        city, count, p = uint32(random_below(draw(state, uint64(0)), uint64(n))), n, uint32(1)
        entry = uint32(lane + uint32(NEAR - WARP))
        bits = draw(state, number(p, FIRST, entry))
        inv_exponential = inverse_exponential(bits)
        while True:
            # The weights are loading while the city is stored.
            pair = read(near, where, table, uint32(uint32(city * uint32(NEAR)) + entry))
            if lane == uint32(0):
                visited[city] = uint8(1)
                tours[uint32(p - uint32(1))] = city
            if p == n:
                break
            next_draw = draw(state, number(uint32(p + uint32(1)), FIRST, entry))
            next_inv_exponential = inverse_exponential(next_draw)
            sync_warp()
            pick = race(near, city, visited, state, p, lane, pair, inv_exponential)
            if pick >= n:
                pick = beyond(
                    other, near, city, uint32(city * stride), listed, count, visited, stride, state, p, lane, pair, bits
                )
                if pick == uint32(NO_CITY):
                    pick = lowest_open(n, visited, lane)
                if uint32(uint32(2) * uint32(n - p)) < count:
                    count = compress(listed, count, visited, lane)
            sync_warp()
            city, bits, inv_exponential = pick, next_draw, next_inv_exponential
            p = uint32(p + uint32(1))

    return construct
