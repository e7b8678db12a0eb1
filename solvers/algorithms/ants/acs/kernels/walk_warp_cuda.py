"""Ant Colony System with one warp per ant; cities beyond the nearest are read only when necessary.

M. Dorigo and L. M. Gambardella, "Ant Colony System" (IEEE Transactions on Evolutionary Computation 1, 1997), eq. 3 and
1. With probability q0 an ant goes to the unvisited city with the greatest weight; otherwise it draws one as in
`solvers.algorithms.ants.kernels.walk_warp_cuda`. With candidate lists (section V), it considers other cities only if
all its nearest cities are visited.

In a row of nearest cities, one entry stands for all others: it has the sum of their weights for a draw, and their
maximum for the greatest weight. Both include visited cities, so they are upper bounds. If the weight of a nearest city
exceeds the maximum, no other city is read; if none does, all are read.

Visits to raised edges are counted, and ants see their effect on the trails

- ``deferred``: in the next iteration. Weights do not change, and are in shared memory if they fit.
- ``lockstep``: at the next step. All ants synchronise twice per step: before the step's trails are written, and after.
- ``racy``: at once, in no fixed order. Each weight written is correct for some number of visits to its edge, but may
  overwrite the weight of a later visit; at the end of the iteration all weights are corrected.

With ``lockstep`` and ``racy``, weights are read through the L2 cache.
"""

from numba import float32, int32, uint8, uint16, uint32, uint64

from solvers.algorithms.ants.acs.kernels.trails_cuda import apply_updates, find_raised_far, pack_pair, write_sides
from solvers.algorithms.ants.kernels.choice_warp_cuda import (
    AGAIN,
    FIRST,
    NEAR,
    clear,
    compress,
    draw_other,
    heaviest_from,
    inverse_exponential,
    lowest_open,
    number,
    race,
    race_key,
)
from solvers.algorithms.ants.kernels.random_cuda import absorb, draw
from solvers.algorithms.ants.kernels.walk_warp_cuda import read_cached
from solvers.kernels.coherent_cuda import all_blocks, load_relaxed_int, load_relaxed_words
from solvers.kernels.device_cuda import WARP, as_bits, as_float, cuda, device, random_below
from solvers.kernels.shared_memory_cuda import load_byte, load_float, load_half, mark_byte, shared_address
from solvers.kernels.warp_cuda import NO_CITY, address, high, low, sync_warp, uniform01, warp_max, warp_min_unsigned

_LAST = NEAR - 1


def table_bytes(n: int) -> int:
    """Return the bytes of shared memory for a block's table of near cities, their weights and the others' maxima."""
    return (4 * (NEAR + 1) + 2 * NEAR) * n + 4 * (n % 2)


@device
def _explores(state, p, q0):
    """Return whether an ant explores at position `p`."""
    return uniform01(low(draw(state, number(p, AGAIN, uint32(0))))) > q0


@device
def _read_relaxed(near, where, k):
    return load_relaxed_words(near, k)


@device
def _read_cached(near, where, k):
    return read_cached(near, where, near, k)


if WARP == 1:

    @device
    def _ahead(state, p, q0, lane):
        """Return a bit mask of the positions at which the ant explores; the simulator's version sets only bit `p`."""
        return uint32(uint32(1) << uint32(p & uint32(31))) if _explores(state, p, q0) else uint32(0)

    @device
    def _is_ahead_over(p):
        """Return whether the bit mask of `_ahead` ends before position `p`."""
        return True

    @device
    def _keep(tours, p, city, lane_city, lane):
        """Store the p-th city in the tour."""
        tours[uint32(p - uint32(1))] = city
        return lane_city

    @device
    def _greatest(near, n, city, visited, weight, neighbour, seen):
        """Find the city with the greatest near entry; the simulator's single lane reads all entries."""
        run, pick = _nearest(near, city, visited, weight, neighbour, seen)
        others = near[uint32(n * uint32(NEAR) + city)]
        return low(others) if race_key(visited, others, float32(1.0)) > run else pick

    @device
    def _nearest(near, city, visited, weight, neighbour, seen):
        """Return the greatest weight of the unvisited near cities, as bits, and its city."""
        run, pick = uint32(0), uint32(NO_CITY)
        for k in range(_LAST):
            pair = near[uint32(city * uint32(NEAR) + uint32(k))]
            own = race_key(visited, pair, float32(1.0))
            if own > run:
                run, pick = own, low(pair)
        return run, pick

    @device
    def _find_index(near, city, neighbour, lane, pick):
        """Return the index of `pick` among a city's near entries, in the lane that holds it; -1 in the others."""
        slot = int32(-1)
        for k in range(NEAR):
            if low(near[uint32(city * uint32(NEAR) + uint32(k))]) == pick:
                slot = int32(city * uint32(NEAR) + uint32(k))
        return slot

    @device
    def _mark(raised, place, mark):
        """Return the raised edge at an index of `near`."""
        return raised[place]

else:

    @device
    def _ahead(state, p, q0, lane):
        """Return a bit mask of the 32 positions around `p` at which the ant explores; each lane computes one bit."""
        own = uint32(uint32(p & uint32(0xFFFFFFE0)) + lane)
        return uint32(cuda.ballot_sync(0xFFFFFFFF, _explores(state, own, q0)))

    @device
    def _is_ahead_over(p):
        """Return whether the bit mask of `_ahead` ends before position `p`."""
        return p & uint32(31) == uint32(0)

    @device
    def _keep(tours, p, city, lane_city, lane):
        """Store the p-th city in its lane; every 32 cities are written at once."""
        at = uint32(p - uint32(1))
        lane_city = cuda.selp(uint32(at & uint32(31)) == lane, city, lane_city)
        if at & uint32(31) == uint32(31):
            tours[uint32(uint32(at - uint32(31)) + lane)] = lane_city
        return lane_city

    @device
    def _greatest(near, n, city, visited, weight, neighbour, seen):
        """Find the city with the greatest near entry, `NO_CITY` if all are visited; ties go to the lowest city."""
        run = cuda.selp(seen == uint32(0), uint32(as_bits(weight)), uint32(0))
        ahead = cuda.selp(seen == uint32(0), neighbour, uint32(NO_CITY))
        return warp_min_unsigned(cuda.selp(run == warp_max(run), ahead, uint32(NO_CITY)))

    @device
    def _nearest(near, city, visited, weight, neighbour, seen):
        """Return the lane's weight as bits, and its city; 0 if the city is visited or the entry stands for others."""
        lane_city = seen == uint32(0) and uint32(cuda.laneid) < uint32(_LAST)
        return uint32(as_bits(weight)) if lane_city else uint32(0), neighbour if lane_city else uint32(NO_CITY)

    @device
    def _find_index(near, city, neighbour, lane, pick):
        """Return the index of `pick` among a city's near entries, in the lane that holds it; -1 in the others."""
        return int32(city * uint32(NEAR) + lane) if neighbour == pick else int32(-1)

    @device
    def _mark(raised, place, mark):
        """Return the raised edge at an index of `near`, which the lane has already read as `mark`."""
        return mark


@device
def _restore(tours, p, visited, listed, n, lane):
    """Restore an ant after p cities; return its last city, the city that `_keep` holds, and the list's length."""
    k = lane
    while k < p:
        visited[uint32(tours[k])] = uint8(1)
        k = uint32(k + uint32(WARP))
    sync_warp()
    batch = uint32(tours[uint32(uint32(p - uint32(1)) - uint32(uint32(p - uint32(1)) & uint32(31)) + lane)])
    return uint32(tours[uint32(p - uint32(1))]), batch, compress(listed, n, visited, lane)


@device
def _write_rest(tours, n, lane_city, lane):
    """Write the cities that `_keep` still holds to the tour."""
    first = uint32(n & uint32(0xFFFFFFE0))
    if WARP > 1 and uint32(first + lane) < n:
        tours[uint32(first + lane)] = lane_city


@device
def _count(edges, place, far):
    """Count a visit to an edge by its near index (`place`) or its number (`far`); pass -1 for what is unknown."""
    if place >= 0:
        cuda.atomic.add(edges.passes, place, int32(1))
    if far >= 0:
        cuda.atomic.add(edges.visits, far, int32(1))


@device
def _find_far_record(edges, place, city, pick, lane):
    """Return the raised edge to a city that is not near, in the first lane; -1 otherwise."""
    far = warp_max(uint32(1) if place >= 0 else uint32(0)) == uint32(0)
    return find_raised_far(edges, city, pick) if far and lane == uint32(0) else int32(-1)


@device
def _copy_table(near, n, cities, weights, halves):
    """Copy the near entries of all cities to shared memory, with the whole block; return the table's end in bytes.

    The weights come first, float32 (n * 33,), in the order of `RaisedEdges.near`; then, from byte `cities` on, the
    rows' cities, uint16 (n * 32,).
    """
    k = uint32(cuda.threadIdx.x)
    while k < uint32(n * uint32(NEAR + 1)):
        pair = near[k]
        weights[k] = as_float(high(pair))
        if k < uint32(n * uint32(NEAR)):
            halves[uint32(uint32(cities >> uint32(1)) + k)] = uint16(low(pair))
        k = uint32(k + uint32(cuda.blockDim.x))
    cuda.syncthreads()
    end = uint32(cities + uint32(uint32(n * uint32(NEAR)) << uint32(1)))
    return uint32(end + uint32(uint32(n & uint32(1)) << uint32(2)))


def _build_beyond(read, listed: bool):
    """Build a device function that chooses the next city if the ant explores or a far weight may be the greatest.

    That function returns the city and the new number of listed cities. `read` is the function that reads weights;
    `listed` is as in `build_warp`.
    """

    @device
    def beyond(
        edges, where, n, city, entry, weight, neighbour, closed, explores, visited, cities_left, count, state, p, lane
    ):  # fmt: skip
        others, pick = uint32(city * edges.stride), uint32(NO_CITY)
        if explores:
            if entry == uint32(_LAST):
                weight = as_float(high(read(edges.near, where, uint32(uint32(city * uint32(NEAR)) + entry))))
            bits, pair = draw(state, number(p, FIRST, entry)), pack_pair(weight, neighbour)
            pick = race(edges.near, city, visited, state, p, lane, pair, inverse_exponential(bits))
            if pick >= n and not listed:
                pick = draw_other(
                    edges.fitness, edges.near, city, others, cities_left, count, visited, edges.stride, state, p, lane,
                    pair, bits,
                )  # fmt: skip
        if pick >= n and (listed or not explores):
            run, of = _nearest(edges.near, city, visited, weight, neighbour, closed)
            pick = heaviest_from(run, of, edges.fitness, others, cities_left, count, visited, lane)
        if pick == uint32(NO_CITY):
            pick = lowest_open(n, visited, lane)
        if uint32(uint32(2) * uint32(n - p)) < count:
            count = compress(cities_left, count, visited, lane)
        return pick, count

    return beyond


@device
def _update_all(edges, taken, p, keep, arrived):
    """Apply the local updates of a lockstep step: all ants count their edges' visits, then update those trails."""
    if taken >= 0:
        cuda.atomic.add(edges.visits, taken, int32(1))
    all_blocks(arrived, uint32(uint32(2) * p - uint32(1)))
    if taken >= 0:
        trail = apply_updates(edges.level[taken], load_relaxed_int(edges.visits, uint32(taken)), keep)
        write_sides(edges, taken, trail)
    all_blocks(arrived, uint32(uint32(2) * p))


def build_warp(local_update: str, in_shared: bool, listed: bool):
    """Build a kernel that constructs the tours of an iteration, with one warp per ant.

    The function is long because values stay in registers from one step to the next, and the three updates share the
    step.

    Parameters
    ----------
    local_update : str
        One of `solvers.algorithms.ants.acs.params.LOCAL_UPDATES`. With ``lockstep`` all blocks must be resident at the
        same time, and `first` is 0.
    in_shared : bool
        Whether a block copies the near weights to shared memory (`table_bytes`); only with ``deferred``.
    listed : bool
        Whether an ant goes only to nearest cities while one is unvisited, and then to the city of greatest weight.

    Notes
    -----
    The kernel's arguments: `edges`, a `solvers.algorithms.ants.acs.kernels.trails_cuda.RaisedEdges`; `each` uint32, the
    number of ants per block, whose other warps only help to fill the table; `begin` and `end` uint32, the number of
    cities in each tour before and after the launch, 1 at first and multiples of 32 in between; `q0`, `keep` = 1 - rho
    float32; `arrived` int32 (1,), 0 before the first launch; the others are as in
    `solvers.algorithms.ants.kernels.walk_warp_cuda.build_warp`.

    Shared memory contains the block's table (`_copy_table`), if any, and then for each warp: whether each city is
    visited, in one byte (stride + 8,), and a list of cities, uint16 (n,), of which at least half are unvisited.

    A step is a chain of dependent reads and reductions. Everything else is done for 32 steps at once (deciding whether
    the ant draws, writing the tour), or only if the ant draws (random numbers). With ``racy`` an edge's trail is
    written one step late, when the atomic addition has returned.
    """
    lockstep, racy = local_update == "lockstep", local_update == "racy"
    deferred = not (lockstep or racy)
    read = _read_cached if deferred else _read_relaxed
    beyond = _build_beyond(read, listed)

    @cuda.jit(fastmath=True)
    def construct(edges, n, ants, first, last, each, begin, end, seed, counter, q0, keep, arrived, tours):
        weights = cuda.shared.array(0, float32)
        marks = cuda.shared.array(0, uint8)
        halves = cuda.shared.array(0, uint16)
        thread, near, stride = uint32(cuda.threadIdx.x), edges.near, edges.stride
        # Always 0, but the compiler cannot know that: see `solvers.algorithms.ants.kernels.walk_warp_cuda`.
        nothing, base = uint32(ants >> uint32(31)), uint32(0)
        lane, warp = uint32(uint32(thread & uint32(WARP - 1)) + nothing), uint32(thread // uint32(WARP))
        n, where = uint32(n + nothing), uint64(address(near) + uint64(nothing))
        entry, cities = uint32(lane + uint32(NEAR - WARP)), uint32(uint32(n * uint32(NEAR + 1)) << uint32(2))
        if in_shared:
            base = _copy_table(near, n, cities, weights, halves)
        ant, p = uint32(first + uint32(uint32(cuda.blockIdx.x) * each + warp)), uint32(begin)
        if warp >= each or ant >= last:
            while lockstep and p < end:
                _update_all(edges, int32(-1), p, keep, arrived)
                p = uint32(p + uint32(1))
            return
        own = uint32(uint32(stride + uint32(8)) + uint32(uint32(n + uint32(n & uint32(1))) << uint32(1)))
        base = uint32(base + uint32(warp * own))
        visited, cities_left = marks[base:], halves[uint32(uint32(base + uint32(stride + uint32(8))) >> uint32(1)) :]
        tours = tours[uint64(uint64(ant) * uint64(n)) :]
        state = absorb(seed, uint64(counter[0]) * uint64(ants) + uint64(ant))
        clear(visited, cities_left, n, stride, lane)
        if listed:
            visited[stride] = uint8(1)  # the entry that stands for the others must never win
            sync_warp()
        start, count, lane_city = uint32(random_below(draw(state, uint64(0)), uint64(n))), n, uint32(0)
        city = start
        if p > uint32(1):
            city, lane_city, count = _restore(tours, p, visited, cities_left, n, lane)
        # The last lane reads the other cities' maximum, which is stored after all rows.
        place_of_marks, place_of_table = shared_address(visited), shared_address(weights)
        step = uint32(1) if entry == uint32(_LAST) else uint32(NEAR)
        offset = uint32(n * uint32(NEAR)) if entry == uint32(_LAST) else entry
        draws = _ahead(state, p, q0, lane)
        taken, pending, seen = int32(-1), int32(-1), int32(0)
        while True:
            k = uint32(uint32(city * step) + offset)
            row = uint32(uint32(city * uint32(NEAR)) + entry)
            if in_shared:
                weight = load_float(weights, uint32(place_of_table + uint32(k << uint32(2))))
                neighbour = load_half(halves, uint32(uint32(place_of_table + cities) + uint32(row << uint32(1))))
            else:
                pair = read(near, where, k)
                weight, neighbour = as_float(high(pair)), low(pair)
            mark = int32(-1) if deferred else edges.raised[row]
            mark_byte(visited, uint32(place_of_marks + city))
            lane_city = _keep(tours, p, city, lane_city, lane)
            if racy:
                # Meanwhile this step's weights are being loaded; the counter's value is needed only in the next step.
                if pending >= 0:
                    write_sides(edges, pending, apply_updates(edges.level[pending], int32(seen + int32(1)), keep))
                pending = taken
                if pending >= 0:
                    seen = cuda.atomic.add(edges.visits, pending, int32(1))
            if p == end:
                break
            if _is_ahead_over(p):
                draws = _ahead(state, p, q0, lane)
            sync_warp()
            closed = load_byte(visited, uint32(place_of_marks + neighbour))
            explores = uint32(draws >> uint32(p & uint32(31))) & uint32(1) != uint32(0)
            pick, taken = uint32(NO_CITY), int32(-1)
            if not explores:
                pick = _greatest(near, n, city, visited, weight, neighbour, closed)
            if pick >= n:
                pick, count = beyond(
                    edges, where, n, city, entry, weight, neighbour, closed, explores, visited, cities_left, count,
                    state, p, lane,
                )  # fmt: skip
                taken = _find_far_record(edges, _find_index(near, city, neighbour, lane, pick), city, pick, lane)
            at = _find_index(near, city, neighbour, lane, pick)
            if deferred:
                _count(edges, at, taken)
            elif at >= 0:
                taken = _mark(edges.raised, at, mark)
            if lockstep:
                _update_all(edges, taken, p, keep, arrived)
            sync_warp()
            city = pick
            p = uint32(p + uint32(1))
        if end == n:
            _write_rest(tours, n, lane_city, lane)
        if end == n and n > uint32(1):
            at = _find_index(near, city, neighbour, lane, start)
            _count(edges, at, _find_far_record(edges, at, city, start, lane))

    return construct
