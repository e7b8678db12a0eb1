"""Local search on ants' tours on a GPU, one warp per tour: many moves at a time, 2-opt with or without Or-opt.

A tour is in shared memory, with 16 bits per city, and only one warp works on it, so that no warp waits. Cities whose
moves may improve the tour are in a queue, as on the CPU. In a round, the lanes find moves for up to `CITIES` cities.
All lanes together make the best of these moves, then the best move that is still valid, and so on. Cities whose moves
are no longer valid return to the queue. If there are more lanes than cities, several lanes share a city: each takes one
direction of the tour, or some of the nearest cities in one direction.

2-opt alone refills an empty queue with all cities, until none of them has a move; see `local_search_cpu`. A warp of one
thread, as in Numba's simulator, makes exactly the moves of `local_search_cpu`.
"""

from numba import int32, int64, uint16, uint32

from solvers.kernels.device_cuda import WARP, cuda, device
from solvers.kernels.local_search_moves import MIN_CITIES, build_moves, wrapped_position
from solvers.kernels.warp_cuda import flag_rank, sync_warp, warp_max

#: Number of threads per block: one warp, which works on one tour.
THREADS = WARP
#: Default maximum number of cities per round.
CITIES = 16
#: Work of a round; a step of a reversal is 1.
_ROUND = 32
#: Work of an evaluated move, for 2-opt alone.
_EVALUATION_WORK = 2
#: Maximum work on the tours that follow each other in a launch.
MAX_WORK = 2**18
#: Maximum number of blocks per multiprocessor.
_BLOCKS = 32
#: Gains above this count as equal when the best move is chosen, since a 32-bit key contains both a gain and a lane.
_MAX_GAIN = 2**27 - 1
#: Number of cities whose edges a move changes, and number of words that describe a move.
_ENDS, _PLAN = 6, 12
_ALL = 0xFFFFFFFF

best_move, best_two_opt, holds, plan_reversals = build_moves(device)
_wrapped = device(wrapped_position)


def shared_bytes(n: int) -> int:
    """Return the bytes of dynamic shared memory for a tour: cities, positions, queue, and one bit per city."""
    return 4 * ((3 * n + 1) // 2 + (n + 31) // 32)


def max_n(shared_per_block: int) -> int:
    """Return the maximum number of cities for so many bytes of shared memory; driver and kernel take 1 KB each."""
    n = min(65_535, 8 * (shared_per_block - 2048) // 49)
    while shared_bytes(n) > shared_per_block - 2048:
        n -= 1
    return n


def count_launches(n: int, k: int, or_opt: bool) -> int:
    """Return how many launches improve the same tours: usually one, but more for 2-opt with many cities."""
    return 1 if or_opt else max(1, -(-(64 * n + n * k // 4) // MAX_WORK))


def launch_work(n: int) -> int:
    """Return the maximum work per tour and launch: several times what an ant's tour takes, up to `MAX_WORK`."""
    return min(MAX_WORK, 64 * n)


def count_slots(n: int, multiprocessors: int, shared_per_multiprocessor: int) -> int:
    """Count the tours that are processed at the same time; a block takes 2 KB more of shared memory."""
    return multiprocessors * min(_BLOCKS, shared_per_multiprocessor // (shared_bytes(n) + 2048))


def tours_per_launch(n: int, slots: int) -> int:
    """Return the maximum number of tours per launch, such that tours that follow each other take at most `MAX_WORK`."""
    return max(1, MAX_WORK // launch_work(n)) * slots


@device
def reverse(order, position, first, count, n):
    """Reverse part of a tour with the whole warp."""
    k, last = uint32(cuda.threadIdx.x), uint32(first + count)
    while k < count >> uint32(1):
        low, high = _wrapped(uint32(first + k), n), _wrapped(uint32(last - k - uint32(1)), n)
        one, other = order[low], order[high]
        order[low], order[high] = other, one
        position[other], position[one] = low, high
        k = uint32(k + uint32(WARP))
    sync_warp()


@device
def _enqueue(queue, waits, head, waiting, n, city, is_queued):
    """Queue each lane's city if `is_queued`, unless it is in the queue; return the queue's new length."""
    if is_queued:
        bit = uint32(uint32(1) << uint32(city & uint32(31)))
        is_queued = uint32(cuda.atomic.or_(waits, city >> uint32(5), bit)) & bit == uint32(0)
    rank, count = flag_rank(is_queued)
    if is_queued:
        queue[_wrapped(uint32(head + waiting + rank), n)] = city
    return uint32(waiting + count)


@device
def _plan(plan, position, n, c, d, a, b, size, e, f):
    """Store the parts of the tour that a move reverses, and the cities whose edges it changes."""
    plan[0], plan[1], plan[2], plan[3], plan[4], plan[5] = plan_reversals(position, n, c, d, a, b, size)
    plan[6], plan[7], plan[8], plan[9], plan[10], plan[11] = c, d, a, b, e, f


@device
def _make(plan, order, position, queue, waits, head, waiting, n):
    """Apply the stored move and queue its cities; return the queue's length and the number of steps."""
    sync_warp()
    reverse(order, position, plan[0], plan[1], n)
    reverse(order, position, plan[2], plan[3], n)
    reverse(order, position, plan[4], plan[5], n)
    first = uint32(0)
    while first < uint32(_ENDS):
        r = uint32(first + uint32(cuda.threadIdx.x))
        is_queued, city = r < uint32(_ENDS), uint32(0)
        if is_queued:
            city = plan[uint32(r + uint32(_ENDS))]
            # A city that occurs twice is queued at its first occurrence, since the queue's order must not depend on
            # the lanes.
            other = uint32(_ENDS)
            while other < r + uint32(_ENDS):
                is_queued = is_queued and plan[other] != city
                other = uint32(other + uint32(1))
        waiting = _enqueue(queue, waits, head, waiting, n, city, is_queued)
        first = uint32(first + uint32(WARP))
    steps = uint32(3) + (plan[1] + plan[3]) // uint32(2 * WARP)
    sync_warp()
    return waiting, steps


@device
def _divide_lanes(waiting, maximum):
    """Return the number of cities per round, and log2 of the number of lanes per city."""
    cities, shift = min(waiting, maximum), uint32(0)
    while cities << uint32(shift + uint32(1)) <= uint32(WARP):
        shift = uint32(shift + uint32(1))
    return cities, shift


@device
def _lay(tour, order, position, n):
    """Copy a tour to shared memory."""
    place = uint32(cuda.threadIdx.x)
    while place < n:
        city = uint32(tour[place])
        order[place], position[city] = city, place
        place = uint32(place + uint32(WARP))
    sync_warp()


@device
def _enqueue_all(order, queue, waits, n, maximum):
    """Queue all cities, from the queue's first slot on.

    The tour is cut into `maximum` parts. The queue gets the first cities of all parts, then their second cities, and so
    on, because moves of distant cities seldom conflict in a round.
    """
    long = uint32(n + maximum - uint32(1)) // maximum
    short = uint32(uint32(n + long - uint32(1)) // long - uint32(1))
    whole = uint32(n - short * long)
    place = uint32(cuda.threadIdx.x)
    while place < n:
        part = place // long
        step = uint32(place - part * long)
        queue[uint32(step * short + min(step, whole) + part)] = order[place]
        place = uint32(place + uint32(WARP))
    word = uint32(cuda.threadIdx.x)
    while word < (n + uint32(31)) >> uint32(5):
        waits[word] = uint32(_ALL)
        word = uint32(word + uint32(WARP))
    sync_warp()


def build(cities: int = CITIES, or_opt: bool = True):
    """Build the kernel of 2-opt, optionally with Or-opt; a round takes `cities` cities, a power of 2 up to 32.

    ``improve(tours, distance, near, near_distance, n, k, first, last, which, work, counts, unfinished, again)``
    shortens tour first + b in block b, if that is before `last`. ``tours`` (ants * n,) int32 is changed in place;
    ``distance`` (n * n,) int32 is symmetric; for ``near`` and ``near_distance`` (n * k,) int32, see
    `local_search_moves`; ``which`` (m,) int32 lists the tours that first and last count, or has size 1 for all tours;
    for ``work`` int64, see `launch_work`; ``counts`` (2,) int64 is incremented by the number of moves made, and by that
    of tours whose search was cut short and needs another launch; ``unfinished`` (ants,) int32 says which tours these
    are. If ``again`` is not 0, only those tours are changed.
    """
    maximum = min(cities, WARP)

    @cuda.jit
    def improve(tours, distance, near, near_distance, n, k, first, last, which, work, counts, unfinished, again):
        plan = cuda.shared.array(_PLAN, uint32)
        words = cuda.shared.array(0, uint16)
        waits = cuda.shared.array(0, uint32)[uint32((uint32(3) * n + uint32(1)) >> uint32(1)) :]
        order, position, queue = words, words[n:], words[uint32(2) * n :]
        thread, ant = uint32(cuda.threadIdx.x), uint32(first + uint32(cuda.blockIdx.x))
        if ant >= last or n < uint32(MIN_CITIES):
            return
        if which.size > 1:
            ant = uint32(which[ant])
        if again > uint32(0) and unfinished[ant] == int32(0):
            return
        tour = tours[int64(ant) * int64(n) :]
        _lay(tour, order, position, n)
        _enqueue_all(order, queue, waits, n, uint32(maximum))
        head, waiting, moves, used, before = uint32(0), uint32(n), int64(0), int64(0), int64(0)
        while waiting > uint32(0) and used < work:
            cities, shift = _divide_lanes(waiting, uint32(maximum))
            lanes = uint32(uint32(1) << shift)
            own, part = uint32(thread >> shift), uint32(thread & uint32(lanes - uint32(1)))
            c, gain, evaluated = uint32(0), int32(0), uint32(0)
            d, a, b, size, e, f = c, c, c, c, c, c
            busy = own < cities
            if busy:
                c = uint32(queue[_wrapped(uint32(head + own), n)])
                if part == uint32(0):
                    cuda.atomic.and_(waits, c >> uint32(5), ~uint32(uint32(1) << uint32(c & uint32(31))))
                if or_opt:
                    gain, d, a, b, size, e, f = best_move(
                        distance, near, near_distance, order, position, n, k, c, part, lanes
                    )
                else:
                    gain, d, a, b, size, e, f, evaluated = best_two_opt(
                        distance, near, near_distance, order, position, n, k, c, part, lanes
                    )
            head, waiting, used = _wrapped(uint32(head + cities), n), uint32(waiting - cities), used + int64(_ROUND)
            if not or_opt:  # with only a few nearest cities, as with Or-opt, all rounds take the same time
                used += int64(_EVALUATION_WORK) * int64(warp_max(evaluated))
            sync_warp()
            is_outbid = False
            while True:
                key = warp_max(uint32(uint32(min(gain, int32(_MAX_GAIN))) << uint32(5) | uint32(31) - thread))
                if key < uint32(32):
                    break
                if key & uint32(31) == uint32(31) - thread:
                    _plan(plan, position, n, c, d, a, b, size, e, f)
                    gain = int32(0)
                waiting, steps = _make(plan, order, position, queue, waits, head, waiting, n)
                used += int64(steps)
                moves += int64(1)
                if gain > 0 and not holds(position, n, c, d, a, b, size, e, f):
                    gain, is_outbid = int32(0), True
            waiting = _enqueue(queue, waits, head, waiting, n, c, is_outbid)
            sync_warp()
            if not or_opt and waiting == uint32(0) and moves > before:
                _enqueue_all(order, queue, waits, n, uint32(maximum))
                head, waiting, before = uint32(0), uint32(n), moves
        place = thread
        while place < n:
            tour[place] = int32(order[place])
            place = uint32(place + uint32(WARP))
        if thread == uint32(0):
            unfinished[ant] = int32(waiting > uint32(0))
            cuda.atomic.add(counts, 0, moves)
            if waiting > uint32(0):
                cuda.atomic.add(counts, 1, int64(1))

    return improve
