"""How a warp chooses an ant's next city: a race among the nearest, then possibly a draw from the others.

Steps are short and sequential, so the longest chain of dependent instructions determines the time.
"""

from numba import float32, uint8, uint16, uint32, uint64

from solvers.algorithms.ants.kernels.random_cuda import draw
from solvers.algorithms.ants.kernels.scan_cuda import find_lane, warp_sums
from solvers.kernels.device_cuda import WARP, as_bits, as_float, device
from solvers.kernels.warp_cuda import (
    NO_CITY,
    broadcast_float,
    broadcast_word,
    exponential,
    flag_rank,
    high,
    low,
    sync_warp,
    uniform01,
    warp_max,
    warp_min_unsigned,
    winner,
)

#: Number of weights that a step reads first: one per lane.
NEAR = 32
#: Number of listed cities whose weights a lane reads at a time.
BATCH = 8
#: Which of a lane's random draws in a step: the one for the race, or the one for the race after a rejection.
FIRST, AGAIN = 0, 1


@device
def clear(visited, listed, n, stride, lane):
    """Mark all cities as unvisited and list them."""
    k = lane
    while k < uint32(stride + uint32(8)):
        visited[k] = uint8(0)
        k = uint32(k + uint32(WARP))
    k = lane
    while k < n:
        listed[k] = uint16(k)
        k = uint32(k + uint32(WARP))
    sync_warp()


@device
def number(p, which, lane):
    """Return the index of the random number that a lane uses at position `p` for draw `which`."""
    return uint64(uint32((p * uint32(2) + uint32(which)) * uint32(NEAR) + lane))


@device
def is_open(visited, city):
    return visited[city] == uint8(0)


@device
def inverse_exponential(bits):
    """Return the inverse of an exponential variate; a city's speed in the race is its weight times this inverse."""
    return float32(float32(1.0) / exponential(high(bits)))


@device
def race_key(visited, pair, inv_exponential):
    """Return a near entry's speed in the race, as bits; 0 if its city is visited."""
    weight = as_float(high(pair))
    return uint32(as_bits(float32(weight * inv_exponential))) if is_open(visited, low(pair)) else uint32(0)


if WARP == 1:

    @device
    def race(near, city, visited, state, p, lane, pair, inv_exponential):
        """Return the city that wins the near row's race; the simulator's single lane computes all speeds."""
        run, pick = uint32(0), uint32(NO_CITY)
        for k in range(NEAR):
            pair = near[uint32(city * uint32(NEAR) + uint32(k))]
            own = race_key(visited, pair, inverse_exponential(draw(state, number(p, FIRST, uint32(k)))))
            if own > run:
                run, pick = own, low(pair)
        return pick

    @device
    def race_again(near, city, visited, state, p, lane, pair, others, total):
        """Repeat the race with new random numbers and the exact total weight of the other cities."""
        run, pick = uint32(0), uint32(NO_CITY)
        for k in range(NEAR):
            pair = near[uint32(city * uint32(NEAR) + uint32(k))]
            inv_exponential = inverse_exponential(draw(state, number(p, AGAIN, uint32(k))))
            own = (
                uint32(as_bits(float32(total * inv_exponential)))
                if low(pair) == others
                else race_key(visited, pair, inv_exponential)
            )
            if own > run:
                run, pick = own, low(pair)
        return pick

else:

    @device
    def _pick_winner(run, city, lane):
        """Return the fastest lane's city; speeds are cut to 27 bits, to make room for the lane's number."""
        best = warp_max(uint32(uint32(run & uint32(0xFFFFFFE0)) | lane))
        city = broadcast_word(city, uint32(best & uint32(31)))
        return city if best > uint32(31) else uint32(NO_CITY)

    @device
    def race(near, city, visited, state, p, lane, pair, inv_exponential):
        """Return the city that wins the near row's race."""
        return _pick_winner(race_key(visited, pair, inv_exponential), low(pair), lane)

    @device
    def race_again(near, city, visited, state, p, lane, pair, others, total):
        """Repeat the race with new random numbers and the exact total weight of the other cities."""
        inv_exponential = inverse_exponential(draw(state, number(p, AGAIN, lane)))
        own = (
            uint32(as_bits(float32(total * inv_exponential)))
            if low(pair) == others
            else race_key(visited, pair, inv_exponential)
        )
        return _pick_winner(own, low(pair), lane)


@device
def _weight(other, row, listed, count, visited, k):
    """Return the weight of the k-th listed city, 0 if it is visited or past the end.

    The weight is read unconditionally; with a branch, a batch's reads would wait for each other.
    """
    inside = k < count
    city = uint32(listed[k if inside else uint32(0)])
    weight, closed = other[uint32(row + city)], uint32(visited[city])
    return weight if inside & (closed == uint32(0)) else float32(0.0)


@device
def batch(other, row, listed, count, visited, k):
    """Return the weights of `BATCH` listed cities, every `WARP`-th from the k-th on; no load waits for another."""
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
def open_sum(other, row, listed, count, visited, lane):
    """Return the sum of the weights of a lane's unvisited listed cities."""
    total, k = float32(0.0), lane
    while uint32(k - lane) < count:
        total = float32(total + _sum(batch(other, row, listed, count, visited, k)))
        k = uint32(k + uint32(BATCH * WARP))
    return total


@device
def _find_in_batch(w, x):
    """Return the index of the weight on which `x` falls in a batch; the last positive one if `x` is past the end."""
    which, running_sum, over = uint32(0), float32(0.0), False
    for t in range(BATCH):
        running_sum = float32(running_sum + w[t])
        if w[t] > float32(0.0) and not over:
            which, over = uint32(t), running_sum > x
    return which


@device
def _find_in_lane(other, row, listed, count, visited, lane, chosen, within):
    """Find the city on which `within` falls among those of lane `chosen`; all lanes help to read them."""
    pick, k = uint32(NO_CITY), uint32(lane * uint32(WARP) + chosen)
    while uint32(k - uint32(lane * uint32(WARP))) < count:
        weight = _weight(other, row, listed, count, visited, k)
        running_sum = warp_sums(weight)
        total = broadcast_float(running_sum, uint32(WARP - 1))
        if total > float32(0.0):
            hit, _ = find_lane(weight, running_sum, within)
            pick = uint32(listed[uint32(k + uint32(uint32(hit - lane) * uint32(WARP)))])
            if within < total:
                break
            within = float32(within - total)
        k = uint32(k + uint32(WARP * WARP))
    return pick


@device
def lowest_open(n, visited, lane):
    """Return the lowest unvisited city; needed if all weights are 0."""
    j = lane
    while j < n and not is_open(visited, j):
        j = uint32(j + uint32(WARP))
    return warp_min_unsigned(j if j < n else uint32(NO_CITY))


@device
def compress(listed, count, visited, lane):
    """Remove visited cities from the list and return its new length."""
    filled, first = uint32(0), uint32(0)
    while first < count:
        k = uint32(first + lane)
        city = uint32(listed[k]) if k < count else uint32(0)
        stays = k < count and is_open(visited, city)
        before, total = flag_rank(stays)
        sync_warp()
        if stays:
            listed[uint32(filled + before)] = uint16(city)
        filled = uint32(filled + total)
        first = uint32(first + uint32(WARP))
        sync_warp()
    return filled


@device
def draw_other(other, near, city, row, listed, count, visited, others, state, p, lane, pair, bits):
    """After the draw has fallen on the others, choose an unvisited one of them, or make a second, exact draw."""
    few = count <= uint32(BATCH * WARP)
    w = batch(other, row, listed, count, visited, lane)
    lane_sum = _sum(w) if few else open_sum(other, row, listed, count, visited, lane)
    running_sum = warp_sums(lane_sum)
    total = broadcast_float(running_sum, uint32(WARP - 1))
    # The others won the race; the unused bits of the last lane's random number choose among them.
    x = broadcast_float(float32(uniform01(low(bits)) * as_float(high(pair))), uint32(WARP - 1))
    if x >= total:
        again = race_again(near, city, visited, state, p, lane, pair, others, total)
        if again < others or total == float32(0.0):
            return again if again < others else uint32(NO_CITY)
        x = float32(uniform01(low(draw(state, number(p, AGAIN, uint32(NEAR - 1))))) * total)
    chosen, within = find_lane(lane_sum, running_sum, x)
    if few:
        k = uint32(lane + uint32(_find_in_batch(w, within) * uint32(WARP)))
        return broadcast_word(uint32(listed[k]) if k < count else uint32(NO_CITY), chosen)
    return _find_in_lane(other, row, listed, count, visited, lane, chosen, within)


@device
def heaviest_from(run, pick, other, row, listed, count, visited, lane):
    """Return the city of greatest weight among the lanes' candidates and the unvisited others; ties: the lowest."""
    k, maximum, which = lane, uint32(0), uint32(0)
    while uint32(k - lane) < count:
        w = batch(other, row, listed, count, visited, k)
        for t in range(BATCH):
            # The list is ascending, so the first of several equal weights belongs to the lowest city.
            weight = uint32(as_bits(w[t]))
            better = weight > maximum
            maximum, which = weight if better else maximum, uint32(k + uint32(t * WARP)) if better else which
        k = uint32(k + uint32(BATCH * WARP))
    candidate = uint32(listed[which])
    if maximum > run or (maximum == run and candidate < pick):
        run, pick = maximum, candidate
    return winner(run, pick)


@device
def heaviest_other(other, near, city, row, listed, count, visited, others, state, p, lane, pair, bits):
    """Return the unvisited city of greatest weight, given that all near cities are visited."""
    return heaviest_from(uint32(0), uint32(NO_CITY), other, row, listed, count, visited, lane)
