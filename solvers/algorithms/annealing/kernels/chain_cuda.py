"""Chains of simulated annealing on a GPU: arrays, draws, record and cooling.

A chain makes the same moves as in `solvers.algorithms.annealing.kernels.chain_cpu`. Shared memory holds its tour and
the positions of the cities, with 16 bits for each city and each position.
"""

from typing import NamedTuple

import numpy as np
from numba import float64, int32, int64, uint32, uint64

from solvers.algorithms.annealing.kernels import acceptance
from solvers.algorithms.annealing.kernels.acceptance_cuda import accepts, divide, multiply
from solvers.algorithms.annealing.kernels.chain_cpu import FIRST_STEP, SAMPLE
from solvers.kernels import scalar
from solvers.kernels.device_cuda import device, random_below

#: Work of evaluating one draw per lane; a step of a warp's reversal is 1.
ROUND = 8
#: Outcomes of a draw: no move; a move that would lengthen the tour, drawn at temperature 0; a move to make.
REJECTED, WORSENED, ACCEPTED = 0, 1, 2
#: The first step of a chain's draws, and the number of steps per draw.
FIRST, FOUR = FIRST_STEP, np.uint64(4)
#: Maximum number of draws between two updates of the 64-bit counts.
STRETCH = np.int64(1 << 28)
_HOPELESS, _ALL = acceptance.HOPELESS, 0xFFFFFFFF
_0, _1, _32 = np.uint32(0), np.uint32(1), np.uint64(32)

absorbed = device(scalar.absorb)


class Plan(NamedTuple):
    """The cooling plan, as in `solvers.algorithms.annealing.kernels.chain_cpu.Plan`.

    Attributes
    ----------
    where : ndarray
        What distances are computed from: a matrix (n * n,) int32; grid coordinates (n,) uint32, x and y in 16 bits
        each; or coordinates (2 * n,) float64, x and y of each city side by side.
    near : ndarray, shape (n * k,), uint16
    n, k : uint32
    far_threshold, idle_threshold : uint64
    draws_per_level, quench_draws : int64
    levels, end : int32
    acceptance_divisor : float64
    factors : ndarray, shape (levels,), float64
    """

    where: np.ndarray
    near: np.ndarray
    n: np.uint32
    k: np.uint32
    far_threshold: np.uint64
    idle_threshold: np.uint64
    draws_per_level: np.int64
    quench_draws: np.int64
    levels: np.int32
    end: np.int32
    acceptance_divisor: np.float64
    factors: np.ndarray


class Chains(NamedTuple):
    """Chains in slots, changed in place; see `solvers.algorithms.annealing.kernels.chain_cpu.Chain`.

    Attributes
    ----------
    climber : ndarray, shape (slots,), int64
        Index of the chain in each slot; -1 if the slot is free.
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
    """What chain 0 logs during a launch; see `solvers.algorithms.annealing.kernels.chain_cpu.Log`.

    Attributes
    ----------
    i, j, delta : ndarray, shape (m,), int32
    rows : ndarray, shape (r, 3), int64
    step : ndarray, shape (m,), int64
    control : ndarray, shape (m,), float64
    """

    i: np.ndarray
    j: np.ndarray
    delta: np.ndarray
    rows: np.ndarray
    step: np.ndarray
    control: np.ndarray


def shared_bytes(n: int) -> int:
    """Return the bytes of dynamic shared memory that a chain's tour and the positions of its cities need."""
    return 4 * n


def build_draw_move(between):
    """Build a device function that makes and evaluates one draw."""

    @device
    def draw_move(plan, order, position, stream, first, temperature, inverse):
        """Return the outcome of a draw, the positions p < q of its move, and the move's change in length."""
        n, bits = plan.n, absorbed(stream, first)
        a, low = uint32(random_below(bits, uint64(n))), uint32(bits & uint64(_ALL))
        c = uint32(plan.near[uint32(a * plan.k + uint32((uint64(low & ~_1) * uint64(plan.k)) >> _32))])
        moves = True
        if (plan.far_threshold | plan.idle_threshold) > uint64(0):  # a single test, since most runs use neither
            second = absorbed(stream, first + uint64(2))
            if (second & uint64(_ALL)) < plan.far_threshold:
                c = uint32(random_below(second, uint64(n)))
            moves = (absorbed(stream, first + uint64(3)) & uint64(_ALL)) >= plan.idle_threshold
        p, q = uint32(position[a]), uint32(position[c])
        if low & _1:
            b, d = uint32(order[p + _1 if p + _1 < n else _0]), uint32(order[q + _1 if q + _1 < n else _0])
        else:
            p, q = uint32(p - _1 if p > _0 else n - _1), uint32(q - _1 if q > _0 else n - _1)
            b, d = uint32(order[p]), uint32(order[q])
        verdict, delta = int32(REJECTED), int32(0)
        if moves and c != a and c != b and d != a:
            delta = int32(between(plan.where, n, a, c) + between(plan.where, n, b, d))
            delta = int32(delta - between(plan.where, n, a, b) - between(plan.where, n, c, d))
            if delta <= 0:
                verdict = int32(ACCEPTED)
            elif temperature <= 0.0:
                verdict = int32(WORSENED)
            elif float64(delta) <= multiply(temperature, _HOPELESS) and accepts(
                absorbed(stream, first + uint64(1)), delta, temperature, inverse
            ):
                verdict = int32(ACCEPTED)
        return verdict, uint32(min(p, q)), uint32(max(p, q)), delta

    return draw_move


@device
def recorded_move(sign, shift, p, q, inside, n):
    """Map a move to the recorded tour: return its positions there, and the mapping's sign and shift after the move.

    See `solvers.algorithms.annealing.kernels.chain_cpu.record`.
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
def cool(plan, level, temperature, worse, worse_sum):
    """Return the temperature that follows `level`; see `solvers.algorithms.annealing.kernels.chain_cpu.cool`."""
    if level == SAMPLE:
        temperature = divide(divide(float64(worse_sum), float64(max(int64(1), worse))), plan.acceptance_divisor)
    elif level >= 0 and level < plan.levels:
        temperature = multiply(temperature, plan.factors[level])
    return float64(0.0) if level + 1 >= plan.levels else temperature
