"""Ant System on the CPU: initial trails, evaporation and deposits."""

from collections.abc import Callable, Generator
from functools import partial

import numpy as np

from solvers.algorithms.ants import cpu
from solvers.algorithms.ants.ant_system.depositors import Depositors
from solvers.algorithms.ants.ant_system.params import AntSystemParams
from solvers.algorithms.ants.dense_cpu import DenseColony
from solvers.algorithms.ants.explanations import EdgeTrails
from solvers.algorithms.ants.heuristics import FLOOR, first_trail, reference_trail
from solvers.algorithms.ants.kernels import pheromone_cpu
from solvers.algorithms.ants.kernels.edge_counts_cpu import count_edge_uses
from solvers.algorithms.ants.variants import AntVariant
from solvers.core.events import Deposits
from solvers.core.neighbours import _MIN_DISTANCE as MIN_DISTANCE
from solvers.core.solver import Job

_UNLIMITED = np.float32(np.inf)
#: The initial trail and the limits of all trails in Utne and Hansen's program TSP-ACO.c.
_PROGRAM_TRAIL, _PROGRAM_LIMITS = 0.01, (np.float32(1e-4), np.float32(1e5))


class AntSystemColony(DenseColony):
    """A colony whose ants deposit pheromone according to the lengths of their tours.

    See `solvers.algorithms.ants.dense_cpu.DenseColony`.

    Parameters
    ----------
    job : Job
    variant : AntVariant
        Its first selection is used for ``auto``.
    threads : int
    """

    def __init__(self, job: Job[AntSystemParams], variant: AntVariant, threads: int) -> None:
        params = job.params
        self._params, self._depositors = params, Depositors(params)
        selection = variant.selections[0] if params.selection == "auto" else params.selection
        self._min_weights = np.empty(0, np.float32)
        super().__init__(job, threads, selection, params.trials, params.switch)

    def _begin(self) -> float:
        own = self._params.rules == "utne-hansen"
        trail = _PROGRAM_TRAIL if own else first_trail(self._distances, self._params.initial)
        self._floor, self._ceiling = _PROGRAM_LIMITS if own else (np.float32(FLOOR * trail), _UNLIMITED)
        return trail

    def _raise_weights(self, fitness: np.ndarray, first: int, last: int) -> None:
        if not self._params.least_weight:
            return
        if not self._min_weights.size:
            self._min_weights = self._compute_min_weights()
        rows = fitness[first:last, : self._n]
        np.maximum(rows, self._min_weights[first:last, None], out=rows)
        rows[np.arange(last - first), np.arange(first, last)] = 0.0

    def _compute_min_weights(self) -> np.ndarray:
        """Return the minimum weight in each row's unit; `compute_eta` scales each row."""
        distances = np.maximum(self._distances, MIN_DISTANCE).astype(np.float64)
        np.fill_diagonal(distances, np.inf)
        unit = distances.min(axis=1) ** self._params.beta / float(self._reference) ** self._params.alpha
        return (self._params.least_weight * unit).astype(np.float32)

    def _reference_trail(self, first: float) -> float:
        deposit = self._params.deposits(self._n) * self._params.q
        return reference_trail(self._distances, first, deposit, self._params.rho)

    def make_loaders(self) -> list[Callable[[], object]]:
        """See `solvers.algorithms.ants.cpu.CpuColony.make_loaders`."""
        return [
            *super().make_loaders(),
            partial(self._deposit, self._flat, np.zeros(self.ants, np.float32), 0, 0, 0, 0),
        ]

    def _change_trails(self) -> Generator[None, None, None]:
        if self._params.rules == "utne-hansen":
            yield from self._change_for_each_ant()
            return
        yield from self._for_each_row(partial(self._evaporate, self._floor, _UNLIMITED))
        for tours, amounts, _ in self._depositors.choose(self.tours, self._lengths):
            yield from self._leave_trails(tours.reshape(-1), amounts)

    def _change_for_each_ant(self) -> Generator[None, None, None]:
        """Update the trails ant by ant, as Utne and Hansen's program does: evaporate, deposit, apply the limits."""
        keep = np.float32(1.0 - self._rules.rho)
        for tours, amounts, _ in self._depositors.choose(self.tours, self._lengths):
            for tour, amount in zip(tours, amounts, strict=True):
                self._trails *= keep
                following = np.roll(tour, -1)
                self._trails[tour, following] += amount
                if not self._directed:
                    self._trails[following, tour] += amount
                np.clip(self._trails, self._floor, self._ceiling, out=self._trails)
                np.fill_diagonal(self._trails, 0.0)
                yield

    def _leave_trails(self, tours: np.ndarray, amounts: np.ndarray) -> Generator[None, None, None]:
        """Deposit pheromone along some tours, group by group; each edge receives its deposits in the tours' order."""
        few, count = max(1, cpu.EDGES // self._n), amounts.size
        for first in range(0, count if self._n > 1 else 0, few):
            work = partial(self._deposit, tours, amounts, first, min(first + few, count))
            yield from self._team.share(work, self._n, -(-self._n // self._workers), self._workers)

    def _deposit(
        self, tours: np.ndarray, amounts: np.ndarray, first_ant: int, last_ant: int, first: int, last: int
    ) -> None:
        pheromone_cpu.deposit(self._trails, tours, amounts, first_ant, last_ant, first, last, self._directed)

    def _deposits(self, edges: EdgeTrails) -> Deposits:
        groups = self._depositors.choose(self.tours, self._lengths)
        ants = sum(count_edge_uses(edges.current, tours, weights, self._directed) for tours, _, weights in groups)
        evaporated = self._evaporated_trails(edges.before, self._floor, self._ceiling)
        return edges.make_event(
            evaporated, self._edge_trails(edges.current), ants, 0, (float(self._floor), 0.0), q=float(self._params.q)
        )
