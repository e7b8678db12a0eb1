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

from numba import float32, uint8, uint16, uint32, uint64

from solvers.kernels.ant_lanes_cuda import (
    NOBODY,
    address,
    exponential,
    high,
    low,
    meet,
    share,
    told_by,
    warp_first,
    warp_greatest,
    winner,
    word_by,
)
from solvers.kernels.ant_random_cuda import absorbed, draw
from solvers.kernels.ant_scan_cuda import fallen_on, rank_of, warp_sums
from solvers.kernels.device_cuda import WARP, as_bits, as_float, cuda, device, random_below

#: Weights that a step reads first: a lane each.
NEAR = 32
#: Cities of the list that a lane reads at a time.
_BATCH = 8
#: Draws of a step and a lane: the race, and the race after a rejection.
_FIRST, _AGAIN = 0, 1
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
def _number(p, which, lane):
    """Which random number of the ant: of position `p`, draw `which` and lane."""
    return uint64(uint32((p * uint32(2) + uint32(which)) * uint32(NEAR) + lane))


@device
def _is_open(visited, city):
    return visited[city] == uint8(0)


@device
def _table(near, where, table, k):
    return table[k]


if WARP == 1:

    @device
    def _far(near, where, table, k):
        return near[k]

else:
    from solvers.kernels.ant_lanes_cuda import fetch

    @device
    def _far(near, where, table, k):
        return fetch(where, k)  # type: ignore[call-arg]


@device
def _haste(bits):
    """The inverse of an exponentially distributed number: a contender's speed, but for its weight."""
    return float32(float32(1.0) / exponential(high(bits)))


@device
def _run(visited, pair, haste):
    """What an entry of a near row runs with: 0 if it is visited."""
    weight = as_float(high(pair))
    return uint32(as_bits(float32(weight * haste))) if _is_open(visited, low(pair)) else uint32(0)


if WARP == 1:

    @device
    def _race(near, city, visited, state, p, lane, pair, haste):
        """Which entry of the near row wins: the twin's one lane runs for all."""
        run, pick = uint32(0), uint32(NOBODY)
        for k in range(NEAR):
            pair = near[uint32(city * uint32(NEAR) + uint32(k))]
            own = _run(visited, pair, _haste(draw(state, _number(p, _FIRST, uint32(k)))))
            if own > run:
                run, pick = own, low(pair)
        return pick

    @device
    def _race_again(near, city, visited, state, p, lane, pair, others, total):
        """The same with new numbers, and with the others' exact sum."""
        run, pick = uint32(0), uint32(NOBODY)
        for k in range(NEAR):
            pair = near[uint32(city * uint32(NEAR) + uint32(k))]
            haste = _haste(draw(state, _number(p, _AGAIN, uint32(k))))
            own = uint32(as_bits(float32(total * haste))) if low(pair) == others else _run(visited, pair, haste)
            if own > run:
                run, pick = own, low(pair)
        return pick

else:

    @device
    def _won(run, city, lane):
        """The city of the lane that runs fastest: 27 bits of its speed and its own number in one word."""
        best = warp_greatest(uint32(uint32(run & uint32(0xFFFFFFE0)) | lane))
        city = word_by(city, uint32(best & uint32(31)))
        return city if best > uint32(31) else uint32(NOBODY)

    @device
    def _race(near, city, visited, state, p, lane, pair, haste):
        """Which entry of the near row wins."""
        return _won(_run(visited, pair, haste), low(pair), lane)

    @device
    def _race_again(near, city, visited, state, p, lane, pair, others, total):
        """The same with new numbers, and with the others' exact sum."""
        haste = _haste(draw(state, _number(p, _AGAIN, lane)))
        own = uint32(as_bits(float32(total * haste))) if low(pair) == others else _run(visited, pair, haste)
        return _won(own, low(pair), lane)


@device
def _weight(other, row, listed, count, visited, k):
    """Weight of the k-th city of the list, 0 if it is visited or the list ends before."""
    city = uint32(listed[k]) if k < count else uint32(0)
    return other[uint32(row + city)] if k < count and _is_open(visited, city) else float32(0.0)


@device
def _batch(other, row, listed, count, visited, k):
    """Weights of every so many-th city of the list as a warp has lanes, from the k-th on: loads that do not wait."""
    return (
        _weight(other, row, listed, count, visited, k),
        _weight(other, row, listed, count, visited, uint32(k + uint32(WARP))),
        _weight(other, row, listed, count, visited, uint32(k + uint32(2 * WARP))),
        _weight(other, row, listed, count, visited, uint32(k + uint32(3 * WARP))),
        _weight(other, row, listed, count, visited, uint32(k + uint32(4 * WARP))),
        _weight(other, row, listed, count, visited, uint32(k + uint32(5 * WARP))),
        _weight(other, row, listed, count, visited, uint32(k + uint32(6 * WARP))),
        _weight(other, row, listed, count, visited, uint32(k + uint32(7 * WARP))),
    )


@device
def _sum(w):
    return float32(
        float32(float32(w[0] + w[1]) + float32(w[2] + w[3])) + float32(float32(w[4] + w[5]) + float32(w[6] + w[7]))
    )


@device
def _open_sum(other, row, listed, count, visited, lane):
    """Sum of a lane's unvisited cities of the list."""
    total, k = float32(0.0), lane
    while uint32(k - lane) < count:
        total = float32(total + _sum(_batch(other, row, listed, count, visited, k)))
        k = uint32(k + uint32(_BATCH * WARP))
    return total


@device
def _fallen_among(w, x):
    """Which of a batch `x` falls on; where rounding takes it past the end, the last one that has a weight."""
    which, upto, over = uint32(0), float32(0.0), False
    for t in range(_BATCH):
        upto = float32(upto + w[t])
        if w[t] > float32(0.0) and not over:
            which, over = uint32(t), upto > x
    return which


@device
def _fallen(other, row, listed, count, visited, lane, chosen, within):
    """The city of lane `chosen` on which `within` falls, all lanes reading; as `_fallen_among`."""
    pick, k = uint32(NOBODY), uint32(lane * uint32(WARP) + chosen)
    while uint32(k - uint32(lane * uint32(WARP))) < count:
        weight = _weight(other, row, listed, count, visited, k)
        upto = warp_sums(weight)
        total = told_by(upto, uint32(WARP - 1))
        if total > float32(0.0):
            hit, _ = fallen_on(weight, upto, within)
            pick = uint32(listed[uint32(k + uint32(uint32(hit - lane) * uint32(WARP)))])
            if within < total:
                break
            within = float32(within - total)
        k = uint32(k + uint32(WARP * WARP))
    return pick


@device
def _lowest_open(n, visited, lane):
    """The unvisited city with the lowest number: where no weight is left."""
    j = lane
    while j < n and not _is_open(visited, j):
        j = uint32(j + uint32(WARP))
    return warp_first(j if j < n else uint32(NOBODY))


@device
def _compressed(listed, count, visited, lane):
    """Take visited cities out of the list; how many are left."""
    kept, first = uint32(0), uint32(0)
    while first < count:
        k = uint32(first + lane)
        city = uint32(listed[k]) if k < count else uint32(0)
        stays = k < count and _is_open(visited, city)
        before, all_of = rank_of(stays)
        meet()
        if stays:
            listed[uint32(kept + before)] = uint16(city)
        kept = uint32(kept + all_of)
        first = uint32(first + uint32(WARP))
        meet()
    return kept


@device
def draw_other(other, near, city, row, listed, count, visited, others, state, p, lane, pair, bits):
    """The draw fell on the others: an unvisited one of them, or what a second, exact draw falls on."""
    few = count <= uint32(_BATCH * WARP)
    w = _batch(other, row, listed, count, visited, lane)
    mine = _sum(w) if few else _open_sum(other, row, listed, count, visited, lane)
    upto = warp_sums(mine)
    total = told_by(upto, uint32(WARP - 1))
    # The race told that the others won; what is left of the last lane's number says where among them.
    x = told_by(float32(share(low(bits)) * as_float(high(pair))), uint32(WARP - 1))
    if x >= total:
        again = _race_again(near, city, visited, state, p, lane, pair, others, total)
        if again < others or total == float32(0.0):
            return again if again < others else uint32(NOBODY)
        x = float32(share(low(draw(state, _number(p, _AGAIN, uint32(NEAR - 1))))) * total)
    chosen, within = fallen_on(mine, upto, x)
    if few:
        k = uint32(lane + uint32(_fallen_among(w, within) * uint32(WARP)))
        return word_by(uint32(listed[k]) if k < count else uint32(NOBODY), chosen)
    return _fallen(other, row, listed, count, visited, lane, chosen, within)


@device
def greatest_other(other, near, city, row, listed, count, visited, others, state, p, lane, pair, bits):
    """All nearest cities are visited: the unvisited one with the greatest weight, the lowest of several."""
    run, pick, k = uint32(0), uint32(NOBODY), lane
    while uint32(k - lane) < count:
        w = _batch(other, row, listed, count, visited, k)
        for t in range(_BATCH):
            weight = uint32(as_bits(w[t]))
            if weight > uint32(0) and weight >= run:
                there = uint32(listed[uint32(k + uint32(t * WARP))])
                if weight > run or there < pick:
                    run, pick = weight, there
        k = uint32(k + uint32(_BATCH * WARP))
    return winner(run, pick)


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
    read = _table if in_shared else _far

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
        k = lane
        while k < uint32(stride + uint32(8)):
            visited[k] = uint8(0)
            k = uint32(k + uint32(WARP))
        k = lane
        while k < n:
            listed[k] = uint16(k)
            k = uint32(k + uint32(WARP))
        meet()
        city, count, p = uint32(random_below(draw(state, uint64(0)), uint64(n))), n, uint32(1)
        entry = uint32(lane + uint32(NEAR - WARP))
        bits = draw(state, _number(p, _FIRST, entry))
        haste = _haste(bits)
        while True:
            # The weights are on their way while the city is written down.
            pair = read(near, where, table, uint32(uint32(city * uint32(NEAR)) + entry))
            if lane == uint32(0):
                visited[city] = uint8(1)
                tours[uint32(p - uint32(1))] = city
            if p == n:
                break
            coming = draw(state, _number(uint32(p + uint32(1)), _FIRST, entry))
            next_haste = _haste(coming)
            meet()
            pick = _race(near, city, visited, state, p, lane, pair, haste)
            if pick >= n:
                pick = beyond(
                    other, near, city, uint32(city * stride), listed, count, visited, stride, state, p, lane, pair, bits
                )
                if pick == uint32(NOBODY):
                    pick = _lowest_open(n, visited, lane)
                if uint32(uint32(2) * uint32(n - p)) < count:
                    count = _compressed(listed, count, visited, lane)
            meet()
            city, bits, haste = pick, coming, next_haste
            p = uint32(p + uint32(1))

    return construct
