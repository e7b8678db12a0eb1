"""Chains of annealing on the CPU: each thread runs one chain after another. Imports Numba: for use inside `solve()`."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any, ClassVar

import numpy as np

from solvers.algorithms.annealing.kernels import anneal_cpu
from solvers.algorithms.annealing.kernels import chain_cpu as kernel
from solvers.algorithms.annealing.kernels.return_cpu import prepare_return
from solvers.algorithms.annealing.neighbours import find_nearest
from solvers.algorithms.annealing.params import AnnealingParams
from solvers.algorithms.annealing.schedules import compute_factors
from solvers.algorithms.two_opt.cpu import (
    FIRST_SLICE_SECONDS,
    MOVES,
    SLICE_SECONDS,
    ClimbSlice,
    ClimbWorker,
)
from solvers.core.kernel_distances import build_measure
from solvers.core.solver import Job
from solvers.kernels.distance_rows_cpu import Measure
from solvers.reporting.climbs import Columns

#: Initial estimate of the work per second, in units of `solvers.algorithms.annealing.kernels.anneal_cpu.anneal`;
#: deliberately low.
_WORK_RATE = 5e7
#: Maximum number of rows, one per temperature, that a slice can report.
_ROWS = 1 << 12
#: Number of draws at temperature 0 for each move that joins a city to a neighbour. At 8, about one such move in 3,000
#: is never drawn.
_QUENCH_DRAWS = 8
_NO_LIMIT = 1 << 62


@dataclass(slots=True, eq=False)
class AnnealingSlice(ClimbSlice):
    """The result of one slice of a worker's time, in which at most one chain finishes.

    `current` is the chain's best tour so far, or its current tour if the chain does not return to its best.

    Attributes
    ----------
    start_length : int
        Length of the tour before the slice's first move.
    levels : ndarray, shape (r, 3), int64
        One row at the start and one per completed temperature: the chain's draws, its length and its best length.
    step : ndarray, shape (m,), int64
    control : ndarray, shape (m,), float64
        One value per move, as in `solvers.core.events.Moves`.
    missing : int
        Number of the chain's earlier moves that were not recorded.
    tour : ndarray, shape (n,), int32, or None
        The chain's current tour; None if it is not reported.
    tour_length : int
    """

    start_length: int
    levels: np.ndarray
    step: np.ndarray
    control: np.ndarray
    missing: int = 0
    tour: np.ndarray | None = None
    tour_length: int = 0

    @property
    def columns(self) -> Columns:
        """Columns i, j, delta, step and control of the moves."""
        return self.i, self.j, self.delta, self.step, self.control


def make_slice(
    first: int, state: np.ndarray, moves: Columns, levels: np.ndarray, tour: np.ndarray, back: bool, seconds: float
) -> AnnealingSlice:
    """Build the slice of chain `first` from its state array, (STATE,) int64; see `kernels.chain_cpu.Chain`.

    `moves` contains the columns i, j, delta, step and control of the slice's moves. `back` says whether the chain
    returns to its best tour; then `tour` is its best tour, otherwise its current one.
    """
    nothing, (i, j, delta, step, control) = np.empty(0, np.int64), moves
    return AnnealingSlice(
        first=first,
        length=nothing, moves=nothing, evaluations=nothing, order=np.empty((0, tour.size), np.int32),
        i=i, j=j, delta=delta,
        is_running=True,
        current=tour,
        current_length=int(state[kernel.BEST if back else kernel.LENGTH]),
        current_moves=int(state[kernel.MOVES]),
        current_evaluations=int(state[kernel.EVALUATIONS]),
        seconds=seconds,
        start_length=int(state[kernel.LENGTH]) - int(delta.sum(dtype=np.int64)),
        levels=levels,
        step=step, control=control,
    )  # fmt: skip


@dataclass(slots=True, eq=False)
class FinishedChain:
    """A chain that has finished its last temperature, on the CPU or a GPU.

    Attributes
    ----------
    climber : int
    order, best : ndarray, shape (n,)
    state : ndarray, shape (STATE,), int64
        As in `solvers.algorithms.annealing.kernels.chain_cpu.Chain`.
    seconds : float
        The chain's share of the measured time.
    """

    climber: int
    order: np.ndarray
    best: np.ndarray
    state: np.ndarray
    seconds: float


def make_plan(params: AnnealingParams, near: np.ndarray) -> kernel.Plan:
    """Return the cooling plan for the chains of a job."""
    n, k = near.shape
    levels, freezes = params.levels, params.finish == "2-opt"
    cooling = compute_factors(params.schedule, levels, params.cooling, params.final_temperature_ratio)
    far, idle = (np.uint64(round(rate * 2**32)) for rate in (params.far_move_rate, params.idle_rate))
    return kernel.Plan(
        near, far, idle, params.draws_per_temperature(n), 2 * _QUENCH_DRAWS * k * n, levels, cooling,
        params.start_temperature(n), -math.log(params.acceptance),
        levels + 1 if freezes else levels, params.finish != "none", params.proposals_per_round,
    )  # fmt: skip


class ChainWorker(ClimbWorker):
    """Runs one chain at a time and then improves its best tour by 2-opt; used like `ClimbWorker`.

    If the plan does not end with draws at temperature 0, there is no 2-opt.

    Parameters
    ----------
    measure : Measure
    plan : Plan
    seed : int
    start : ndarray, shape (n,), int32, or None
        Start tour of chain 0.
    rows : int
        Maximum number of rows per slice.

    Attributes
    ----------
    measure, plan
        See the parameters.
    """

    #: The kernel that advances a chain by one slice; see `solvers.algorithms.annealing.kernels.anneal_cpu.advance`.
    _advance: ClassVar[Any] = staticmethod(anneal_cpu.advance)

    def __init__(
        self, measure: Measure, plan: Any, seed: int, start: np.ndarray | None, rows: int | None = None
    ) -> None:
        n = len(plan.near)
        super().__init__(measure, n, seed, None)
        self.measure, self.plan = measure, plan
        self._first = self._start if start is None else np.ascontiguousarray(start, np.int32)
        order, position, best = np.zeros((3, n), np.int32)
        self._chain: Any = kernel.Chain(order, position, best, np.zeros(kernel.STATE, np.int64), np.zeros(1))
        i, j, delta = np.empty((3, MOVES), np.int32)
        self._moves = kernel.Log(
            i, j, delta, np.empty((rows or _ROWS, 3), np.int64), np.empty(MOVES, np.int64), np.empty(MOVES)
        )  # fmt: skip
        self._next = self._last_chain = 0
        self._is_finished = False
        self._work_rate, self._rounds = _WORK_RATE, 0
        self._seconds_before, self._missing = 0.0, 0

    @property
    def idle(self) -> bool:
        """Whether all chains of the worker have finished."""
        return self._next >= self._last_chain

    @property
    def level(self) -> int:
        """Index of the chain's current temperature; before the chain starts, one less than its first index."""
        state = self._chain.state
        return int(state[kernel.LEVEL]) if state[kernel.SIGN] else kernel.QUENCH - 1

    @property
    def temperature(self) -> float:
        """The chain's current temperature."""
        return float(self._chain.temperature[0])

    @temperature.setter
    def temperature(self, value: float) -> None:
        self._chain.temperature[0] = value

    @property
    def length(self) -> int:
        """The length of the chain's current tour."""
        return int(self._chain.state[kernel.LENGTH])

    @property
    def moves(self) -> int:
        """The number of moves that the chain has made so far."""
        return int(self._chain.state[kernel.MOVES])

    @property
    def evaluations(self) -> int:
        """The number of moves that the chain has evaluated so far."""
        return int(self._chain.state[kernel.EVALUATIONS])

    @property
    def result(self) -> tuple[np.ndarray, int, int]:
        """The chain's current tour (its best, if it returns to it), that tour's length, and the chain's index."""
        if not self.plan.back:
            return self._chain.order.copy(), self.length, self._next
        return self._chain.best.copy(), int(self._chain.state[kernel.BEST]), self._next

    @property
    def _returns(self) -> bool:
        """Whether a cold chain returns to its best tour."""
        return self.plan.back

    @property
    def _climbs(self) -> bool:
        """Whether a chain ends with a descent to a local optimum."""
        return self.plan.end > self.plan.levels

    def assign(self, first: int, last: int) -> None:
        """Assign chains `first` to `last` - 1 to an idle worker."""
        self._next, self._last_chain = first, last

    def begin(self, climber: int) -> kernel.Chain:
        """Return a chain at its start tour, to be annealed on another device; it is valid until the next `begin`."""
        start = self._first if climber == 0 else self._first[:0]
        kernel.begin(self.measure, self.plan, self._chain, self._seed, np.uint64(climber), start)
        return self._chain

    def take(self, finished_chain: FinishedChain) -> None:
        """Give this idle worker a cold chain, to lead back to its best tour and to improve by 2-opt."""
        chain = self._chain
        chain.order[:], chain.best[:], chain.state[:] = finished_chain.order, finished_chain.best, finished_chain.state
        if self._returns:
            prepare_return(chain)
        self._next, self._last_chain, self._seconds_before = (
            finished_chain.climber,
            finished_chain.climber + 1,
            finished_chain.seconds,
        )
        self._missing = int(finished_chain.state[kernel.MOVES]) if finished_chain.climber else 0

    def finish(self, finished_chain: FinishedChain, keep_running: Callable[[], bool]) -> AnnealingSlice:
        """Finish a cold chain, as long as `keep_running` returns true; return only the last slice."""
        self.take(finished_chain)
        seconds, result = 0.0, self.advance()
        while not self.idle and keep_running():
            seconds, result = seconds + result.seconds, self.advance()
        return replace(result, seconds=result.seconds + seconds)

    def make_loaders(self) -> list[Callable[[], object]]:
        """Return functions that compile or load the kernels, including those of the final 2-opt."""
        *tours, climb = super().make_loaders()
        return [*tours, self._load_chain, *([climb] if self._climbs else [])]

    def _load_chain(self) -> None:
        self._advance(self._measure, self.plan, self._chain, self._moves, self._seed, np.uint64(0), self._first, 0, 0)
        self._chain.state[:] = 0

    def advance(self, limit: int | None = None) -> AnnealingSlice:
        """Anneal or climb for at most `limit` evaluations (rounded up to whole rows), and return the slice."""
        limit = _NO_LIMIT if limit is None else limit
        return self._descend(limit) if self._is_finished else self._anneal(limit)

    def _anneal(self, limit: int) -> AnnealingSlice:
        state, log = self._chain.state, self._moves
        seconds = FIRST_SLICE_SECONDS if self._rounds == 0 else SLICE_SECONDS
        start = self._first if self._next == 0 else self._first[:0]
        start_time = perf_counter()
        work, self._is_finished = self._advance(
            self._measure, self.plan, self._chain, log, self._seed, np.uint64(self._next), start,
            int(self._work_rate * seconds), limit,
        )  # fmt: skip
        elapsed = perf_counter() - start_time
        self._rounds += 1
        if work and elapsed > 0:
            self._work_rate = 0.5 * self._work_rate + 0.5 * work / elapsed
        m, rows = int(state[kernel.RECORDED]), int(state[kernel.ROWS])
        moves = tuple(column[:m].copy() for column in (log.i, log.j, log.delta, log.step, log.control))
        seconds, tour, back = elapsed + self._seconds_before, self._current_tour(), self._returns
        order = self._chain.best.copy() if back else tour
        result = make_slice(self._next, state, moves, log.rows[:rows].copy(), order, back, seconds)
        result.missing, result.tour, result.tour_length = self._missing, tour, int(state[kernel.LENGTH])
        self._seconds_before = 0.0
        if self._is_finished and self._climbs:
            self._start = self._chain.order.copy()
            super().assign(0, 1)
        elif self._is_finished:
            self._end_with(result, tour)
        return result

    def _end_with(self, result: AnnealingSlice, tour: np.ndarray) -> None:
        """Store the chain's final tour and totals in its last slice, and move on to the next chain."""
        state = self._chain.state
        length, moves, evaluations = (state[[at]] for at in (kernel.LENGTH, kernel.MOVES, kernel.EVALUATIONS))
        result.length, result.moves, result.evaluations = length, moves, evaluations
        result.order, result.is_running = tour[None], False
        self._start_next()

    def _start_next(self) -> None:
        self._chain.state[:] = 0
        self._is_finished = False
        self._next += 1
        self._missing = 0

    def _current_tour(self) -> np.ndarray:
        """Return the chain's tour in the orientation of its recorded moves."""
        order, state = self._chain.order, self._chain.state
        tour = np.empty(order.size, np.int32)
        tour[(state[kernel.SIGN] * np.arange(order.size) + state[kernel.SHIFT]) % order.size] = order
        return tour

    def _descend(self, limit: int) -> AnnealingSlice:
        """Improve the best tour by 2-opt for one slice; at the local optimum the chain is finished."""
        state, result = self._chain.state, super().advance(limit)
        moves, evaluations = int(state[kernel.MOVES]), int(state[kernel.EVALUATIONS])
        finished = bool(result.length.size)
        length = int(result.length[0]) if finished else result.current_length
        combined = AnnealingSlice(
            first=self._next,
            length=result.length, moves=result.moves + moves, evaluations=result.evaluations + evaluations,
            order=result.order, i=result.i, j=result.j, delta=result.delta,
            is_running=not finished,
            current=result.current,
            current_length=length,
            current_moves=moves + result.current_moves,
            current_evaluations=evaluations + result.current_evaluations,
            seconds=result.seconds,
            start_length=length - int(result.delta.sum(dtype=np.int64)),
            levels=np.empty((0, 3), np.int64),
            step=np.full(result.i.size, kernel.IMPROVES, np.int64), control=np.zeros(result.i.size),
            missing=self._missing,
        )  # fmt: skip
        if finished:
            self._start_next()
        return combined


class RoundsWorker(ChainWorker):
    """Runs one chain at a time, in rounds of several draws."""

    _advance = staticmethod(anneal_cpu.advance_in_rounds)


def make_chain_workers(job: Job, threads: int) -> list[ChainWorker]:
    """Return workers for a job; their kernels are not yet loaded.

    Raises
    ------
    InstanceTooLarge
        See `solvers.core.kernel_distances.build_measure`.
    """
    measure, plan = make_measure_and_plan(job)
    kind = RoundsWorker if plan.proposals > 1 else ChainWorker
    return [kind(measure, plan, job.seed, job.start) for _ in range(threads)]


def make_measure_and_plan(job: Job[AnnealingParams]) -> tuple[Measure, kernel.Plan]:
    """Return the measure and the plan for a job's workers.

    Raises
    ------
    InstanceTooLarge
        See `solvers.core.kernel_distances.build_measure`.
    """
    measure = build_measure(job.instance)
    return measure, make_plan(job.params, find_nearest(job.instance, measure, job.params.neighbours))
