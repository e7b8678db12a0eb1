"""Simulated annealing on a GPU, one warp per chain: each lane evaluates another of the chain's next draws.

Most draws change nothing, ever more so as the chain cools. So the lanes of a warp evaluate the next 32 draws at once,
all on the same tour, and the first accepted move is made; the draws after it are evaluated again, on the new tour. The
chain is bit for bit that of `solvers.annealing.kernels.anneal_cpu`. The idea, with processors as lanes, is that of
E. E. Witte, R. D. Chamberlain and M. A. Franklin, "Parallel Simulated Annealing Using Speculative Computation" (IEEE
Transactions on Parallel and Distributed Systems 2, 1991).

The tour and the positions of cities are in shared memory, 16 bits each. In Numba's simulator a warp is one thread
wide, and nothing is evaluated ahead.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numba import float32, float64, int32, int64, uint16, uint32, uint64

from solvers.annealing.kernels import acceptance
from solvers.annealing.kernels.acceptance_cuda import accepts, over, times
from solvers.annealing.kernels.anneal_cpu import (
    AT,
    BEST,
    EVALUATIONS,
    FIRST_STEP,
    LENGTH,
    LEVEL,
    MOVES,
    RECORDED,
    ROWS,
    SAMPLE,
    SHIFT,
    SIGN,
    WORSE,
    WORSE_SUM,
)
from solvers.kernels import scalar
from solvers.kernels.device_cuda import EXACT, SIMULATED, WARP, cuda, device, random_below
from solvers.kernels.distance_rows_cpu import ATT, CEIL_2D, EUC_2D, GRID, MATRIX
from solvers.kernels.local_search_cuda import turn
from solvers.kernels.warp_cuda import broadcast_word, meet, warp_sum

#: Threads of a block, which is a warp, which is a chain.
THREADS = WARP
#: Work of a round, in steps of a reversal by a warp.
ROUND = 8
#: Registers per thread, for as many blocks per multiprocessor as possible; the simulator has no registers.
_OPTIONS = {} if SIMULATED else {"max_registers": 56}
#: Outcomes of a draw: no move, a longer tour at temperature 0, a move.
_IDLE, _WORSE, _MADE = 0, 1, 2
_PLANAR = {EUC_2D: "EUC_2D", CEIL_2D: "CEIL_2D", ATT: "ATT"}
_HOPELESS, _FIRST, _FOUR = acceptance.HOPELESS, FIRST_STEP, np.uint64(4)
_ALL = 0xFFFFFFFF
_0, _1, _32 = np.uint32(0), np.uint32(1), np.uint64(32)
#: Most draws between two updates of the 64-bit counts.
_STRETCH = np.int64(1 << 28)

absorbed = device(scalar.absorbed)


class Plan(NamedTuple):
    """How chains cool, as `solvers.annealing.kernels.anneal_cpu.Plan`.

    Attributes
    ----------
    where : ndarray
        Data for distances: a matrix (n * n,) int32, x and y of a grid (n,) uint32, 16 bits each, or coordinates
        (2 * n,) float64, x and y of a city side by side.
    near : ndarray, shape (n * k,), uint16
    n, k : uint32
    far : uint64
    sweep, still : int64
    levels, end : int32
    divisor : float64
    factors : ndarray, shape (levels,), float64
    """

    where: np.ndarray
    near: np.ndarray
    n: np.uint32
    k: np.uint32
    far: np.uint64
    sweep: np.int64
    still: np.int64
    levels: np.int32
    end: np.int32
    divisor: np.float64
    factors: np.ndarray


class Chains(NamedTuple):
    """Running chains, one per slot, as `solvers.annealing.kernels.anneal_cpu.Chain`; changed in place.

    Attributes
    ----------
    climber : ndarray, shape (slots,), int64
        Their indices; -1 where a slot is free.
    order, best : ndarray, shape (slots, n), uint16
    state : ndarray, shape (slots, STATE), int64
    temperature : ndarray, shape (slots,), float64
    """

    climber: np.ndarray
    order: np.ndarray
    best: np.ndarray
    state: np.ndarray
    temperature: np.ndarray


class Log(NamedTuple):
    """What chain 0 did in a launch, as `solvers.annealing.kernels.anneal_cpu.Log`.

    Attributes
    ----------
    i, j, delta : ndarray, shape (m,), int32
    rows : ndarray, shape (r, 3), int64
    """

    i: np.ndarray
    j: np.ndarray
    delta: np.ndarray
    rows: np.ndarray


def shared_bytes(n: int) -> int:
    """Dynamic shared memory of a chain: its cities and their positions."""
    return 4 * n


def largest_n(shared_per_block: int) -> int:
    """Most cities of a chain that fit into so many bytes, besides two kilobytes for the driver."""
    return min(65_535, (shared_per_block - 2048) // 4)


if SIMULATED:
    _on_grid = device(scalar.euc_2d_grid)

    @device
    def _ballot(wanted):
        """The lanes whose flag is set, one bit each, uint32."""
        return uint32(1 if wanted else 0)

    @device
    def _lowest(ballot):
        """The first lane of a ballot."""
        return _0

else:

    @device
    def _on_grid(dx, dy):
        """`scalar.euc_2d_grid` with the GPU's approximate root, whose error is corrected alike."""
        q = int32(dx * dx + dy * dy)
        root: Any = math.sqrt(float32(q))
        r = int32(root + float32(0.5))
        off = int32(q - r * r)
        return max(int32(0), int32(int32(r + int32(off > r)) - int32(off <= -r)))

    @device
    def _ballot(wanted):
        """The lanes whose flag is set, one bit each, uint32."""
        return uint32(cuda.ballot_sync(_ALL, wanted))

    @device
    def _lowest(ballot):
        """The first lane of a ballot."""
        return uint32(cuda.ffs(ballot)) - _1


def _metric(policy: int):
    """A device function ``(where, n, a, b)``: the exact distance of two cities, int32."""
    if policy == MATRIX:

        @device
        def between(where, n, a, b):
            return where[uint32(a * n + b)]

    elif policy == GRID:

        @device
        def between(where, n, a, b):
            one, other = where[a], where[b]
            dx = int32(one & uint32(0xFFFF)) - int32(other & uint32(0xFFFF))
            return _on_grid(int32(dx), int32(int32(one >> uint32(16)) - int32(other >> uint32(16))))

    else:
        exact = EXACT[_PLANAR[policy]]

        @device
        def between(where, n, a, b):
            p, q = uint32(a + a), uint32(b + b)
            return exact(where[p] - where[q], where[uint32(p + _1)] - where[uint32(q + _1)])

    return between


def _drawn(between):
    """A device function that evaluates one draw."""

    @device
    def drawn(plan, order, place, stream, first, temperature, inverse):
        """The outcome of a draw, the positions p < q of its move, and the change of length."""
        n, bits = plan.n, absorbed(stream, first)
        a, low = uint32(random_below(bits, uint64(n))), uint32(bits & uint64(_ALL))
        c = uint32(plan.near[uint32(a * plan.k + uint32((uint64(low & ~_1) * uint64(plan.k)) >> _32))])
        if plan.far > uint64(0):
            second = absorbed(stream, first + uint64(2))
            if (second & uint64(_ALL)) < plan.far:
                c = uint32(random_below(second, uint64(n)))
        p, q = uint32(place[a]), uint32(place[c])
        if low & _1:
            b, d = uint32(order[p + _1 if p + _1 < n else _0]), uint32(order[q + _1 if q + _1 < n else _0])
        else:
            p, q = uint32(p - _1 if p > _0 else n - _1), uint32(q - _1 if q > _0 else n - _1)
            b, d = uint32(order[p]), uint32(order[q])
        verdict, delta = int32(_IDLE), int32(0)
        if c != a and c != b and d != a:
            delta = int32(between(plan.where, n, a, c) + between(plan.where, n, b, d))
            delta = int32(delta - between(plan.where, n, a, b) - between(plan.where, n, c, d))
            if delta <= 0:
                verdict = int32(_MADE)
            elif temperature <= 0.0:
                verdict = int32(_WORSE)
            elif float64(delta) <= times(temperature, _HOPELESS) and accepts(
                absorbed(stream, first + uint64(1)), delta, temperature, inverse
            ):
                verdict = int32(_MADE)
        return verdict, uint32(min(p, q)), uint32(max(p, q)), delta

    return drawn


@device
def _copy(source, target, n):
    """Copy a tour by the whole warp."""
    p = uint32(cuda.threadIdx.x)
    while p < n:
        target[p] = source[p]
        p = uint32(p + uint32(WARP))


@device
def _recorded(sign, shift, p, q, inside, n):
    """Positions of a move in the recorded tour, and the sign and the shift that lead there afterwards.

    See `solvers.annealing.kernels.anneal_cpu.record`.
    """
    forward = sign > 0
    one = int32(p) + shift if forward else shift - int32(p) - 1
    other = int32(q) + shift if forward else shift - int32(q) - 1
    size = int32(n)
    one = one - size if one >= size else (one + size if one < 0 else one)
    other = other - size if other >= size else (other + size if other < 0 else other)
    i, j = min(one, other), max(one, other)
    if inside != ((one < other) == forward):
        sign = -sign
        shift = i + j + 1 - shift
        shift = shift - size if shift >= size else (shift + size if shift < 0 else shift)
    return i, j, sign, shift


@device
def _cooled(plan, level, temperature, worse, worse_sum):
    """The temperature after `level`; see `solvers.annealing.kernels.anneal_cpu.cool`."""
    if level == SAMPLE:
        temperature = over(over(float64(worse_sum), float64(max(int64(1), worse))), plan.divisor)
    elif level >= 0 and level < plan.levels:
        temperature = times(temperature, plan.factors[level])
    return float64(0.0) if level + 1 >= plan.levels else temperature


@device
def _move(order, place, p, q, n):
    """Make the move of positions p < q by reversing its shorter side.

    Returns whether that was the inner side, and how many cities were reversed.
    """
    inside = uint32(q - p) <= uint32(n - (q - p))
    first = uint32(p + _1) if inside else (uint32(q + _1) if q + _1 < n else _0)
    count = uint32(q - p) if inside else uint32(n - (q - p))
    meet()
    turn(order, place, first, count, n)
    return inside, count


def build(policy: int):
    """The kernel for one distance policy.

    In ``anneal(plan, chains, log, seed, bounds)``, block b continues the chain of slot b for about ``bounds[0]`` units
    of work, or until ``bounds[1]`` draws (int64), or until it is cold: then its ``LEVEL`` is ``plan.end``. Its
    course does not depend on where it stops. Chain 0 records its moves and rows, and also stops when the log is full.
    """
    drawn = _drawn(_metric(policy))

    @cuda.jit(fastmath=True, **_OPTIONS)
    def anneal(plan, chains, log, seed, bounds):
        words = cuda.shared.array(0, uint16)
        slot, me, n = uint32(cuda.blockIdx.x), uint32(cuda.threadIdx.x), plan.n
        climber = chains.climber[slot]
        if climber < 0:
            return
        order, place, tour, best, state = words, words[n:], chains.order[slot], chains.best[slot], chains.state[slot]
        p = me
        while p < n:
            city = tour[p]
            order[p], place[city] = city, uint16(p)
            p = uint32(p + uint32(WARP))
        meet()
        level, at, length, shortest = int32(state[LEVEL]), state[AT], state[LENGTH], state[BEST]
        moves, step, worse, worse_sum = state[MOVES], state[EVALUATIONS], state[WORSE], state[WORSE_SUM]
        sign, shift, temperature = int32(state[SIGN]), int32(state[SHIFT]), chains.temperature[slot]
        recording, written, rows, used = climber == 0, int32(0), int64(0), int32(0)
        work, most, stream = int32(bounds[0]), bounds[1], absorbed(absorbed(uint64(0), seed), uint64(climber))
        room, lines = int32(log.i.size), int64(log.rows.shape[0])
        while used < work and level < plan.end and step < most and written < room and rows < lines:
            draws = plan.sweep if level >= 0 and level < plan.levels else plan.still
            inverse, done = float32(0.0), int32(0)
            last = int32(min(min(draws - at, most - step), _STRETCH))
            first = _FIRST + _FOUR * uint64(step + int64(me))
            if temperature > 0.0:
                inverse = float32(1.0 / temperature)
            while done < last and used < work and written < room:
                verdict, p, q, delta = drawn(
                    plan, order, place, stream, first + uint64(uint32(done) << uint32(2)), temperature, inverse
                )
                if done + int32(me) >= last:
                    verdict = int32(_IDLE)
                accepted = _ballot(verdict == _MADE)
                before = min(int32(WARP), last - done) if accepted == _0 else int32(_lowest(accepted))
                if level == SAMPLE:
                    counts = verdict == _WORSE and int32(me) < before
                    worse += warp_sum(int64(1 if counts else 0))
                    worse_sum += warp_sum(int64(delta if counts else 0))
                used, done = used + int32(ROUND), done + before
                if accepted != _0:
                    lane = uint32(before)
                    p, q, delta = (
                        broadcast_word(p, lane),
                        broadcast_word(q, lane),
                        int32(broadcast_word(uint32(delta), lane)),
                    )
                    if delta > 0 and length <= shortest:
                        shortest = length
                        _copy(order, best, n)
                    inside, count = _move(order, place, p, q, n)
                    i, j, sign, shift = _recorded(sign, shift, p, q, inside, n)
                    if recording:
                        if me == _0:
                            log.i[written], log.j[written], log.delta[written] = i, j, delta
                        written += int32(1)
                    done, moves, length = done + int32(1), moves + int64(1), length + int64(delta)
                    used += int32(count >> uint32(6))
            at, step = at + int64(done), step + int64(done)
            if at >= draws:
                if recording:
                    if me == _0:
                        log.rows[rows, 0], log.rows[rows, 1], log.rows[rows, 2] = step, length, min(length, shortest)
                    rows += int64(1)
                temperature = _cooled(plan, level, temperature, worse, worse_sum)
                level, at, worse, worse_sum = int32(level + 1), int64(0), int64(0), int64(0)
        if length <= shortest:
            shortest = length
            _copy(order, best, n)
        _copy(order, tour, n)
        if me == _0:
            state[LEVEL], state[AT], state[LENGTH], state[BEST] = level, at, length, shortest
            state[MOVES], state[EVALUATIONS], state[WORSE], state[WORSE_SUM] = moves, step, worse, worse_sum
            state[SIGN], state[SHIFT], state[RECORDED], state[ROWS] = sign, shift, written, rows
            chains.temperature[slot] = temperature

    return anneal
