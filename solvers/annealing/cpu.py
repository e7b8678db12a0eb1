"""Chains of annealing on the CPU: a lane a thread, a chain after the other. Imports Numba: for use inside `solve()`."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np

from solvers.annealing.kernels import anneal_cpu as kernel
from solvers.annealing.neighbours import nearest
from solvers.annealing.params import AnnealingParams
from solvers.kernel_distances import measure_of
from solvers.kernels.distance_rows_cpu import Measure
from solvers.solver import Job
from solvers.two_opt.cpu import FIRST_SLICE_SECONDS, MOVES, SLICE_SECONDS, ClimbSlice, ClimbWorker, make_workers

#: Work a second, as `solvers.annealing.kernels.anneal_cpu.anneal` has it; slow on purpose.
_WORK_RATE = 5e7
#: Temperatures that a slice can tell of.
_ROWS = 256
#: Draws at temperature 0 for each of the moves that a city's neighbours make: one in 3,000 of them is missed.
_STILL = 8
_NEVER = 1 << 62


@dataclass(slots=True, eq=False)
class AnnealingSlice(ClimbSlice):
    """What one lane did in one slice: at most one chain finished. `current` is the best tour of the chain so far.

    Attributes
    ----------
    start_length : int
        Length of the tour before the slice's first move.
    levels : ndarray, shape (r, 3), int64
        After the start and after each temperature that ended: draws, length, best length of the chain.
    missing : int
        Moves of the chain before these that nobody wrote down.
    here : ndarray, shape (n,), int32, or None
        The tour at which the chain is; None where it is not reported.
    here_length : int
    """

    start_length: int
    levels: np.ndarray
    missing: int = 0
    here: np.ndarray | None = None
    here_length: int = 0


@dataclass(slots=True, eq=False)
class Cold:
    """A chain that has been through its last temperature, wherever that was.

    Attributes
    ----------
    climber : int
    order, best : ndarray, shape (n,)
    state : ndarray, shape (STATE,), int64
        As `solvers.annealing.kernels.anneal_cpu.Chain`.
    seconds : float
        Its share of the time that it took.
    """

    climber: int
    order: np.ndarray
    best: np.ndarray
    state: np.ndarray
    seconds: float


def plan_of(params: AnnealingParams, near: np.ndarray) -> kernel.Plan:
    """How the chains of a job cool."""
    n, k = near.shape
    return kernel.Plan(
        near, np.uint64(round(params.far_move_rate * 2**32)), params.moves_per_city * n, 2 * _STILL * k * n,
        params.levels, params.cooling, params.temperature, -math.log(params.acceptance),
    )  # fmt: skip


class ChainWorker(ClimbWorker):
    """One thread's chain under way. When it is cold, the lane climbs on from its best tour as `ClimbWorker` does.

    Parameters
    ----------
    measure : Measure
    plan : Plan
    seed : int
    start : ndarray, shape (n,), int32, or None
        Start tour of chain 0.

    Attributes
    ----------
    measure, plan
        As given.
    """

    def __init__(self, measure: Measure, plan: kernel.Plan, seed: int, start: np.ndarray | None) -> None:
        n = len(plan.near)
        super().__init__(measure, n, seed, None)
        self.measure, self.plan = measure, plan
        self._first = self._start if start is None else np.ascontiguousarray(start, np.int32)
        order, place, best = np.zeros((3, n), np.int32)
        self._chain = kernel.Chain(order, place, best, np.zeros(kernel.STATE, np.int64), np.zeros(1))
        i, j, delta = np.empty((3, MOVES), np.int32)
        self._moves = kernel.Log(i, j, delta, np.empty((_ROWS, 3), np.int64))
        self._next = self._end = 0
        self._cold = False
        self._work_rate, self._rounds = _WORK_RATE, 0
        self._before, self._missing = 0.0, 0

    @property
    def idle(self) -> bool:
        """Whether all chains that the lane was given have finished."""
        return self._next >= self._end

    def give(self, first: int, last: int) -> None:
        """Give an idle lane the chains `first` to `last` - 1."""
        self._next, self._end = first, last

    def begin(self, climber: int) -> kernel.Chain:
        """Put a chain on its start tour, for another device to anneal; an idle lane's own, until it has another."""
        start = self._first if climber == 0 else self._first[:0]
        kernel.begin(self.measure, self.plan, self._chain, self._seed, np.uint64(climber), start)
        return self._chain

    def take(self, cold: Cold) -> None:
        """Give an idle lane a chain that is cold: it is led back to its best tour, and climbs on from there."""
        chain = self._chain
        chain.order[:], chain.best[:], chain.state[:] = cold.order, cold.best, cold.state
        kernel.look_back(chain)
        self._next, self._end, self._before = cold.climber, cold.climber + 1, cold.seconds
        self._missing = int(cold.state[kernel.MOVES]) if cold.climber else 0

    def finish(self, cold: Cold, going: Callable[[], bool]) -> AnnealingSlice:
        """`take` a chain and bring it to its end, or until it is not `going` any more; tells the last slice alone."""
        self.take(cold)
        seconds, result = 0.0, self.advance()
        while not self.idle and going():
            seconds, result = seconds + result.seconds, self.advance()
        return replace(result, seconds=result.seconds + seconds)

    def load(self) -> None:
        """Compile or load the kernels."""
        kernel.advance(self._measure, self.plan, self._chain, self._moves, self._seed, np.uint64(0), self._first, 0, 0)
        self._chain.state[:] = 0

    def advance(self, limit: int | None = None) -> AnnealingSlice:
        """Anneal, or climb, for one slice, of at most `limit` evaluations to the next whole row; tell what was done."""
        limit = _NEVER if limit is None else limit
        return self._descend(limit) if self._cold else self._anneal(limit)

    def _anneal(self, limit: int) -> AnnealingSlice:
        state, log = self._chain.state, self._moves
        seconds = FIRST_SLICE_SECONDS if self._rounds == 0 else SLICE_SECONDS
        start = self._first if self._next == 0 else self._first[:0]
        began = perf_counter()
        work, self._cold = kernel.advance(
            self._measure, self.plan, self._chain, log, self._seed, np.uint64(self._next), start,
            int(self._work_rate * seconds), limit,
        )  # fmt: skip
        took = perf_counter() - began
        self._rounds += 1
        if work and took > 0:
            self._work_rate = 0.5 * self._work_rate + 0.5 * work / took
        m, rows = int(state[kernel.RECORDED]), int(state[kernel.ROWS])
        nothing, length = np.empty(0, np.int64), int(state[kernel.LENGTH])
        delta = log.delta[:m].copy()
        result = AnnealingSlice(
            first=self._next,
            length=nothing, moves=nothing, evaluations=nothing, order=np.empty((0, self._chain.order.size), np.int32),
            i=log.i[:m].copy(), j=log.j[:m].copy(), delta=delta,
            under_way=True,
            current=self._chain.best.copy(),
            current_length=int(state[kernel.BEST]),
            current_moves=int(state[kernel.MOVES]),
            current_evaluations=int(state[kernel.EVALUATIONS]),
            seconds=took + self._before,
            start_length=length - int(delta.sum(dtype=np.int64)),
            levels=log.rows[:rows].copy(),
            missing=self._missing,
            here=self._here(),
            here_length=length,
        )  # fmt: skip
        self._before = 0.0
        if self._cold:
            self._start = self._chain.order.copy()
            super().give(0, 1)
        return result

    def _here(self) -> np.ndarray:
        """The chain's tour as its recorded moves see it."""
        order, state = self._chain.order, self._chain.state
        here = np.empty(order.size, np.int32)
        here[(state[kernel.SIGN] * np.arange(order.size) + state[kernel.SHIFT]) % order.size] = order
        return here

    def _descend(self, limit: int) -> AnnealingSlice:
        """Climb on from the best tour to where no move of all helps; then the chain is over."""
        state, result = self._chain.state, super().advance(limit)
        moves, evaluations = int(state[kernel.MOVES]), int(state[kernel.EVALUATIONS])
        over = bool(result.length.size)
        length = int(result.length[0]) if over else result.current_length
        done = AnnealingSlice(
            first=self._next,
            length=result.length, moves=result.moves + moves, evaluations=result.evaluations + evaluations,
            order=result.order, i=result.i, j=result.j, delta=result.delta,
            under_way=not over,
            current=result.current,
            current_length=length,
            current_moves=moves + result.current_moves,
            current_evaluations=evaluations + result.current_evaluations,
            seconds=result.seconds,
            start_length=length - int(result.delta.sum(dtype=np.int64)),
            levels=np.empty((0, 3), np.int64),
            missing=self._missing,
        )  # fmt: skip
        if over:
            state[:] = 0
            self._cold = False
            self._next += 1
            self._missing = 0
        return done


def workers_of(job: Job, threads: int) -> list[ChainWorker]:
    """Lanes for a job, their kernels compiled or loaded.

    Raises
    ------
    InstanceTooLarge
        See `solvers.kernel_distances.measure_of`.
    """
    assert isinstance(job.params, AnnealingParams)
    make_workers(job, 1)
    measure = measure_of(job.instance)
    plan = plan_of(job.params, nearest(job.instance, measure, job.params.neighbours))
    lanes = [ChainWorker(measure, plan, job.seed, job.start) for _ in range(threads)]
    lanes[0].load()
    return lanes
