"""A chain of simulated annealing on one core: state, draws, record and cooling.

S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, "Optimization by Simulated Annealing" (Science 220, 1983); V. Cerny,
"Thermodynamical Approach to the Traveling Salesman Problem" (JOTA 45, 1985). Moves join a city to a nearest city, as
in D. S. Johnson and L. A. McGeoch, "The Traveling Salesman Problem: A Case Study in Local Optimization" (1997), sec. 5.
"""

from typing import NamedTuple

import numpy as np

from solvers.algorithms.annealing.kernels import acceptance
from solvers.kernels import scalar
from solvers.kernels.compiler import njit
from solvers.kernels.distance_rows_cpu import ATT, CEIL_2D, EUC_2D, GRID
from solvers.kernels.local_search_cpu import reverse
from solvers.kernels.tours_cpu import random_tour

#: Indices into `Chain.state`. `LEVEL`: the index of the current temperature; `QUENCH` and `SAMPLE` come before 0.
#: `LEVEL_DRAWS`: the number of draws at that temperature so far. `LENGTH` to `EVALUATIONS`: current and best length,
#: numbers of moves and draws so far. `WORSE`, `WORSE_SUM`: the number of worsening draws in the sample, and the sum of
#: their changes in length. `SIGN`, `SHIFT`: the mapping from positions to positions in the recorded tour. `BACK`: the
#: progress of `step_back`. `RECORDED`, `ROWS`: the numbers of moves and rows in the slice's log.
LEVEL, LEVEL_DRAWS, LENGTH, BEST, MOVES, EVALUATIONS, WORSE, WORSE_SUM = range(8)
SIGN, SHIFT, BACK, RECORDED, ROWS, STATE = range(8, 14)
#: Values of `Log.step` for moves that were not drawn: those back to the best tour, and those of the final local search.
RETURNS, IMPROVES = 0, -1
QUENCH, SAMPLE = -2, -1
#: Work of a draw; reversing one city is 1.
DRAW = 8
#: A chain's start tour uses the steps of its random stream below this one; from here on, each draw uses four steps.
FIRST_STEP = np.uint64(1 << 32)
_MIN_CITIES = 4

_random_bits, _random_below = njit(scalar.random_bits), njit(scalar.random_below)
_euc_2d, _ceil_2d = njit(scalar.euc_2d), njit(scalar.ceil_2d)
_att, _euc_2d_grid = njit(scalar.att), njit(scalar.euc_2d_grid)
_boltzmann, _uniform = njit(acceptance.boltzmann), njit(acceptance.uniform)
#: A change in length by more than this many temperatures is rejected.
HOPELESS = acceptance.HOPELESS


class Plan(NamedTuple):
    """The cooling plan, shared by all chains.

    Attributes
    ----------
    near : ndarray, shape (n, k), int32
        Each city's nearest cities.
    far_threshold : uint64
        2**32 times the probability that a draw takes its second city from all cities.
    idle_threshold : uint64
        2**32 times the probability that a draw changes nothing.
    draws_per_level, quench_draws : int
        Number of draws at each temperature, and number of draws at temperature 0, before the sample and at the end.
    levels : int
        Number of temperatures.
    factors : ndarray, shape (levels,), float64
        Factor from each temperature to the next.
    start : float
        The first temperature; 0 if it is estimated from a sample.
    acceptance_divisor : float
        -ln(acceptance rate); the sample's mean worsening divided by this is the first temperature.
    end : int
        The `LEVEL` at which a chain is cold: `levels`, or one more if draws at temperature 0 follow.
    back : bool
        Whether a cold chain returns to its best tour.
    proposals : int
        Number of draws per round, all on the same tour; 1 if every draw sees the result of the previous one.
    """

    near: np.ndarray
    far_threshold: np.uint64
    idle_threshold: np.uint64
    draws_per_level: int
    quench_draws: int
    levels: int
    factors: np.ndarray
    start: float
    acceptance_divisor: float
    end: int
    back: bool
    proposals: int


class Chain(NamedTuple):
    """The state of a chain between two slices.

    Attributes
    ----------
    order, position : ndarray, shape (n,), int32
        The tour, and the position of each city.
    best : ndarray, shape (n,), int32
        The chain's best tour so far; stored when the chain leaves it, and at the end of each slice.
    state : ndarray, shape (STATE,), int64
    temperature : ndarray, shape (1,), float64
    """

    order: np.ndarray
    position: np.ndarray
    best: np.ndarray
    state: np.ndarray
    temperature: np.ndarray


class Log(NamedTuple):
    """The log of a slice, written by the kernel. Only the first `RECORDED` moves and `ROWS` rows are valid.

    Attributes
    ----------
    i, j, delta : ndarray, shape (m,), int32
        Moves of the recorded tour; each reverses positions i + 1 to j.
    rows : ndarray, shape (r, 3), int64
        One row at the start and one per temperature: the chain's draws, its length and its best length.
    step : ndarray, shape (m,), int64
    control : ndarray, shape (m,), float64
        One value per move, as in `solvers.core.events.Moves`.
    """

    i: np.ndarray
    j: np.ndarray
    delta: np.ndarray
    rows: np.ndarray
    step: np.ndarray
    control: np.ndarray


@njit(inline="always")
def between(measure, a, b):
    """Return the distance between two cities."""
    if measure.policy == GRID:
        x, y = measure.grid[0], measure.grid[1]
        return _euc_2d_grid(np.int32(x[a] - x[b]), np.int32(y[a] - y[b]))
    if measure.policy >= EUC_2D:
        x, y = measure.points[0], measure.points[1]
        if measure.policy == EUC_2D:
            return _euc_2d(x[a] - x[b], y[a] - y[b])
        if measure.policy == CEIL_2D:
            return _ceil_2d(x[a] - x[b], y[a] - y[b])
        if measure.policy == ATT:
            return _att(x[a] - x[b], y[a] - y[b])
    return measure.matrix[a, b]


@njit(cache=True, nogil=True)
def measure_edge(measure, a, b):
    """Call `between` without inlining, where time does not matter; inlining would compile a copy at each call."""
    return between(measure, a, b)


@njit(cache=True, nogil=True)
def log_row(chain, log):
    """Append a row to the log."""
    state = chain.state
    row = state[ROWS]
    log.rows[row, 0], log.rows[row, 1] = state[EVALUATIONS], state[LENGTH]
    log.rows[row, 2] = min(state[LENGTH], state[BEST])
    state[ROWS] = row + 1


@njit(cache=True, nogil=True)
def lay_out(measure, chain, seed, climber, start):
    """Set a chain (or a tabu search) to its start tour and clear its state; an empty `start` means a random tour."""
    order, state, n = chain.order, chain.state, chain.order.size
    if start.size == n:
        order[:] = start
    else:
        random_tour(seed, climber, n, order)
    state[:] = 0
    for p in range(n):
        chain.position[order[p]] = p
        state[LENGTH] += measure_edge(measure, order[p], order[p + 1 if p + 1 < n else 0])
    chain.best[:] = order
    state[BEST] = state[LENGTH]
    state[SIGN] = 1


@njit(cache=True, nogil=True)
def begin(measure, plan, chain, seed, climber, start):
    """Set a chain to its start tour and its first temperature; see `lay_out`."""
    lay_out(measure, chain, seed, climber, start)
    chain.state[LEVEL] = 0 if plan.start > 0.0 else QUENCH
    chain.temperature[0] = plan.start
    if chain.order.size < _MIN_CITIES:
        chain.state[LEVEL] = plan.end


@njit(cache=True, nogil=True)
def record(state, log, n, p, q, inside, delta, step, control):
    """Record the move of positions p < q as a move of the recorded tour, whichever side the chain reversed.

    Position x of the chain is position SIGN * x + SHIFT of the recorded tour. If the chain reverses the side that the
    record does not, its tour becomes a mirror image of the recorded one.
    """
    shift, m = state[SHIFT], state[RECORDED]
    forward = state[SIGN] > 0
    one = (p + shift) % n if forward else (shift - p - 1) % n
    other = (q + shift) % n if forward else (shift - q - 1) % n
    i, j = min(one, other), max(one, other)
    log.i[m], log.j[m], log.delta[m] = i, j, delta
    log.step[m], log.control[m] = step, control
    if inside != ((one < other) == forward):
        state[SIGN] = -state[SIGN]
        state[SHIFT] = (i + j + 1 - shift) % n
    state[RECORDED] = m + 1
    state[MOVES] += 1
    state[LENGTH] += delta


@njit(cache=True, nogil=True)
def keep_best(chain):
    """Store the tour if none before was shorter; return the work done.

    Of equally short tours the latest is stored, so that the result does not depend on where slices end.
    """
    state = chain.state
    if state[LENGTH] > state[BEST]:
        return np.int64(0)
    state[BEST] = state[LENGTH]
    chain.best[:] = chain.order
    return np.int64(chain.order.size >> 3)


@njit(cache=True, nogil=True)
def cool(plan, chain):
    """Go to the next temperature; compute the first one from the sample unless it is fixed."""
    state = chain.state
    level = state[LEVEL]
    if level == SAMPLE:
        worse = max(np.int64(1), state[WORSE])
        chain.temperature[0] = state[WORSE_SUM] / worse / plan.acceptance_divisor
    elif 0 <= level < plan.levels:
        chain.temperature[0] *= plan.factors[level]
    if level + 1 >= plan.levels:
        chain.temperature[0] = 0.0
    state[WORSE] = 0
    state[WORSE_SUM] = 0
    state[LEVEL_DRAWS] = 0
    state[LEVEL] = level + 1


@njit(inline="always")
def draw_move(measure, plan, order, position, seed, climber, first):
    """Draw a move; return positions p and q in any order, and the change in length; p is -1 if the draw is no move.

    The move removes the edges that follow the two positions.
    """
    n, k = np.int64(order.size), np.uint64(plan.near.shape[1])
    bits = _random_bits(seed, climber, first)
    a = np.int64(_random_below(bits, np.uint64(n)))
    low = bits & np.uint64(0xFFFFFFFF)
    c = np.int64(plan.near[a, ((low >> np.uint64(1)) * k) >> np.uint64(31)])
    delta, idle_threshold = np.int64(0), False
    if (plan.far_threshold | plan.idle_threshold) > np.uint64(0):  # a single test, since most runs use neither
        second = _random_bits(seed, climber, first + np.uint64(2))
        if (second & np.uint64(0xFFFFFFFF)) < plan.far_threshold:
            c = np.int64(_random_below(second, np.uint64(n)))
        idle_threshold = (
            _random_bits(seed, climber, first + np.uint64(3)) & np.uint64(0xFFFFFFFF)
        ) < plan.idle_threshold
    p, q = np.int64(position[a]), np.int64(position[c])
    if low & np.uint64(1):
        following = p + 1 if p + 1 < n else 0
        b, d = np.int64(order[following]), np.int64(order[q + 1 if q + 1 < n else 0])
    else:
        p, q = p - 1 if p > 0 else n - 1, q - 1 if q > 0 else n - 1
        b, d = np.int64(order[p]), np.int64(order[q])
    if idle_threshold or c in (a, b) or d == a:
        p = np.int64(-1)
    else:
        delta = np.int64(between(measure, a, c)) + between(measure, b, d) - between(measure, a, b)
        delta -= between(measure, c, d)
    return p, q, delta


@njit(inline="always")
def accepts(seed, climber, first, delta, temperature):
    """Return whether the chain accepts a move that lengthens its tour.

    `delta` must be positive and at most `HOPELESS` temperatures.
    """
    return _uniform(_random_bits(seed, climber, first + np.uint64(1))) < _boltzmann(delta / temperature)


@njit(cache=True, nogil=True)
def make(chain, log, p, q, delta, step):
    """Apply and record the move of positions p and q, in any order; return the number of reversed cities."""
    order, n = chain.order, np.int64(chain.order.size)
    p, q = min(p, q), max(p, q)
    inside = 2 * (q - p) <= n
    count = q - p if inside else n - (q - p)
    reverse(order, chain.position, p + 1 if inside else (q + 1 if q + 1 < n else 0), np.uint32(count))
    record(chain.state, log, n, p, q, inside, delta, step, chain.temperature[0])
    return count
