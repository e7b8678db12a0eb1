"""Ants' tours made shorter on a GPU, a warp a tour: the moves of `local_search_moves`, many found at once.

A tour lies in shared memory while it is worked on, 16 bits a city, and no other warp has to do with it, so that nobody
waits. Cities that may pay wait in a queue, as on the CPU. In a round the lanes find moves for up to `CITIES` of them.
Then the best is made by all lanes, then the best of those that still hold, and so on; the cities of those that do not
hold any more go back into the queue. Lanes that outnumber the cities share them: each takes a direction of the tour,
or some of the nearest cities in one direction.

A warp of one thread, as in Numba's simulator, makes exactly the moves of `local_search_cpu`.
"""

from numba import int32, int64, uint16, uint32

from solvers.kernels.device_cuda import WARP, cuda, device
from solvers.kernels.local_search_moves import FEWEST, moves_of, wrapped_position
from solvers.kernels.warp_cuda import meet, rank_of, warp_greatest

#: Threads of a block, which is a warp, which is a tour.
THREADS = WARP
#: Cities that a round looks at, at most, unless a caller says otherwise.
CITIES = 16
#: Work of a round, in steps of a reversal.
_ROUND = 32
#: Work of one tour after another in a launch, at most.
_LONGEST = 2**18
#: Blocks of a multiprocessor, at most.
_BLOCKS = 32
#: Gains above this count alike when the best is chosen: a key of 32 bits holds a gain and a lane.
_MOST = 2**27 - 1
#: Cities whose edges a move changes, and words that say what a move is.
_ENDS, _PLAN = 6, 12
_ALL = 0xFFFFFFFF

best_move, holds, turns = moves_of(device)
_wrapped = device(wrapped_position)


def shared_bytes(n: int) -> int:
    """Dynamic shared memory of a tour: its cities, their positions and the queue, and which cities wait, a bit each."""
    return 4 * ((3 * n + 1) // 2 + (n + 31) // 32)


def largest_n(shared_per_block: int) -> int:
    """How many cities a tour can have in so many bytes, beside a kilobyte of the driver's and one of the kernel's."""
    n = min(65_535, 8 * (shared_per_block - 2048) // 49)
    while shared_bytes(n) > shared_per_block - 2048:
        n -= 1
    return n


def work_of(n: int) -> int:
    """How much work a tour gets in a launch: several times what an ant's tour takes, but no more than `_LONGEST`."""
    return min(_LONGEST, 64 * n)


def slots_of(n: int, multiprocessors: int, shared_per_multiprocessor: int) -> int:
    """How many tours are worked on at a time; a block has a kilobyte of shared memory beside its own."""
    return multiprocessors * min(_BLOCKS, shared_per_multiprocessor // (shared_bytes(n) + 2048))


def tours_of(n: int, slots: int) -> int:
    """How many tours a launch may have: so many after one another that their work is no more than `_LONGEST`."""
    return max(1, _LONGEST // work_of(n)) * slots


@device
def turn(order, position, first, count, n):
    """Reverse a stretch of the tour by the whole warp."""
    k, last = uint32(cuda.threadIdx.x), uint32(first + count)
    while k < count >> uint32(1):
        low, high = _wrapped(uint32(first + k), n), _wrapped(uint32(last - k - uint32(1)), n)
        one, other = order[low], order[high]
        order[low], order[high] = other, one
        position[other], position[one] = low, high
        k = uint32(k + uint32(WARP))
    meet()


@device
def _wake(queue, waits, head, waiting, n, city, wanted):
    """Let each lane's city wait in the queue if it is wanted and does not wait yet; returns how many wait then."""
    if wanted:
        bit = uint32(uint32(1) << uint32(city & uint32(31)))
        wanted = uint32(cuda.atomic.or_(waits, city >> uint32(5), bit)) & bit == uint32(0)
    rank, count = rank_of(wanted)
    if wanted:
        queue[_wrapped(uint32(head + waiting + rank), n)] = city
    return uint32(waiting + count)


@device
def _plan(plan, position, n, c, d, a, b, size, e, f):
    """Write down what is reversed to make a move, and whose edges it changes."""
    plan[0], plan[1], plan[2], plan[3], plan[4], plan[5] = turns(position, n, c, d, a, b, size)
    plan[6], plan[7], plan[8], plan[9], plan[10], plan[11] = c, d, a, b, e, f


@device
def _make(plan, order, position, queue, waits, head, waiting, n):
    """Make the move that is written down, and wake its cities; returns how many wait, and the steps it took."""
    meet()
    turn(order, position, plan[0], plan[1], n)
    turn(order, position, plan[2], plan[3], n)
    turn(order, position, plan[4], plan[5], n)
    first = uint32(0)
    while first < uint32(_ENDS):
        r = uint32(first + uint32(cuda.threadIdx.x))
        wanted, city = r < uint32(_ENDS), uint32(0)
        if wanted:
            city = plan[uint32(r + uint32(_ENDS))]
            # A city that comes twice is woken where it comes first: the order in the queue must not depend on lanes.
            other = uint32(_ENDS)
            while other < r + uint32(_ENDS):
                wanted = wanted and plan[other] != city
                other = uint32(other + uint32(1))
        waiting = _wake(queue, waits, head, waiting, n, city, wanted)
        first = uint32(first + uint32(WARP))
    steps = uint32(3) + (plan[1] + plan[3]) // uint32(2 * WARP)
    meet()
    return waiting, steps


@device
def _shares(waiting, most):
    """How many cities a round looks at, and of how many lanes that each of them has the logarithm to base 2."""
    cities, shift = min(waiting, most), uint32(0)
    while cities << uint32(shift + uint32(1)) <= uint32(WARP):
        shift = uint32(shift + uint32(1))
    return cities, shift


@device
def _lay(tour, order, position, queue, waits, n, most):
    """Bring a tour to shared memory, with all cities in the queue.

    The tour is cut into `most` parts, and the queue has the first cities of all parts, then the second ones, and so on:
    cities of a round that lie apart have moves that leave each other be.
    """
    long = uint32(n + most - uint32(1)) // most
    short = uint32(uint32(n + long - uint32(1)) // long - uint32(1))
    whole = uint32(n - short * long)
    place = uint32(cuda.threadIdx.x)
    while place < n:
        city, part = uint32(tour[place]), place // long
        step = uint32(place - part * long)
        order[place], position[city] = city, place
        queue[uint32(step * short + min(step, whole) + part)] = city
        place = uint32(place + uint32(WARP))
    word = uint32(cuda.threadIdx.x)
    while word < (n + uint32(31)) >> uint32(5):
        waits[word] = uint32(_ALL)
        word = uint32(word + uint32(WARP))
    meet()


def build(cities: int = CITIES):
    """The kernel, with rounds of so many cities at most, a power of 2 up to 32.

    ``improve(tours, distance, near, near_distance, n, k, first, last, which, work, counts)`` makes the tours first + b
    of the blocks b shorter, those before `last`: ``tours`` (ants * n,) int32, in place; ``distance`` (n * n,) int32,
    symmetric; ``near``, ``near_distance`` (n * k,) int32, see `local_search_moves`; ``which`` (m,) int32 names the
    tours that first and last count, or is of size 1 for all; ``work`` int64, see `work_of`; ``counts`` (2,) int64:
    moves made, and tours whose work was cut short, for which the kernel is to be called again; both are added to.
    """
    most = min(cities, WARP)

    @cuda.jit
    def improve(tours, distance, near, near_distance, n, k, first, last, which, work, counts):
        plan = cuda.shared.array(_PLAN, uint32)
        words = cuda.shared.array(0, uint16)
        waits = cuda.shared.array(0, uint32)[uint32((uint32(3) * n + uint32(1)) >> uint32(1)) :]
        order, position, queue = words, words[n:], words[uint32(2) * n :]
        me, ant = uint32(cuda.threadIdx.x), uint32(first + uint32(cuda.blockIdx.x))
        if ant >= last or n < uint32(FEWEST):
            return
        if which.size > 1:
            ant = uint32(which[ant])
        tour = tours[int64(ant) * int64(n) :]
        _lay(tour, order, position, queue, waits, n, uint32(most))
        head, waiting, made, used = uint32(0), uint32(n), int64(0), int64(0)
        while waiting > uint32(0) and used < work:
            cities, shift = _shares(waiting, uint32(most))
            lanes = uint32(uint32(1) << shift)
            own, part = uint32(me >> shift), uint32(me & uint32(lanes - uint32(1)))
            c, gain = uint32(0), int32(0)
            d, a, b, size, e, f = c, c, c, c, c, c
            busy = own < cities
            if busy:
                c = uint32(queue[_wrapped(uint32(head + own), n)])
                if part == uint32(0):
                    cuda.atomic.and_(waits, c >> uint32(5), ~uint32(uint32(1) << uint32(c & uint32(31))))
                gain, d, a, b, size, e, f = best_move(
                    distance, near, near_distance, order, position, n, k, c, part, lanes
                )
            head, waiting, used = _wrapped(uint32(head + cities), n), uint32(waiting - cities), used + int64(_ROUND)
            meet()
            lost = False
            while True:
                key = warp_greatest(uint32(uint32(min(gain, int32(_MOST))) << uint32(5) | uint32(31) - me))
                if key < uint32(32):
                    break
                if key & uint32(31) == uint32(31) - me:
                    _plan(plan, position, n, c, d, a, b, size, e, f)
                    gain = int32(0)
                waiting, steps = _make(plan, order, position, queue, waits, head, waiting, n)
                used += int64(steps)
                made += int64(1)
                if gain > 0 and not holds(position, n, c, d, a, b, size, e, f):
                    gain, lost = int32(0), True
            waiting = _wake(queue, waits, head, waiting, n, c, lost)
            meet()
        place = me
        while place < n:
            tour[place] = int32(order[place])
            place = uint32(place + uint32(WARP))
        if me == uint32(0):
            cuda.atomic.add(counts, 0, made)
            if waiting > uint32(0):
                cuda.atomic.add(counts, 1, int64(1))

    return improve
