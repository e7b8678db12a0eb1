"""Ant System on the CPU: the initial trails, evaporation and deposit."""

from collections.abc import Generator
from functools import partial

import numpy as np

from solvers.ants import cpu
from solvers.ants.ant_system.depositors import Depositors
from solvers.ants.ant_system.params import AntSystemParams
from solvers.ants.dense_cpu import DenseColony
from solvers.ants.explanations import EdgeTrails
from solvers.ants.heuristics import FLOOR, first_trail, reference_trail
from solvers.ants.kernels import pheromone_cpu
from solvers.ants.kernels.edge_counts_cpu import times_taken
from solvers.ants.variants import AntVariant
from solvers.events import Deposits
from solvers.solver import Job

_UNLIMITED = np.float32(np.inf)


class AntSystemColony(DenseColony):
    """A colony whose ants deposit pheromone by the lengths of their tours; see `solvers.ants.dense_cpu.DenseColony`.

    Parameters
    ----------
    job : Job
    variant : AntVariant
        Its first selection is the one that ``auto`` stands for.
    threads : int
    """

    def __init__(self, job: Job, variant: AntVariant, threads: int) -> None:
        params = job.params
        assert isinstance(params, AntSystemParams)
        self._params, self._depositors = params, Depositors(params)
        selection = variant.selections[0] if params.selection == "auto" else params.selection
        super().__init__(job, threads, selection, params.trials, params.switch)

    def _begin(self) -> float:
        trail = first_trail(self._distances, self._params.initial)
        self._floor = np.float32(FLOOR * trail)
        return trail

    def _reference_trail(self, first: float) -> float:
        left = self._params.deposits(self._n) * self._params.q
        return reference_trail(self._distances, first, left, self._params.rho)

    def _load(self) -> None:
        super()._load()
        self._deposit(self._flat, np.zeros(self.ants, np.float32), 0, 0, 0, 0)

    def _change_trails(self) -> Generator[None, None, None]:
        yield from self._rows(partial(self._evaporate, self._floor, _UNLIMITED))
        for tours, amounts, _ in self._depositors.choose(self.tours, self._lengths):
            yield from self._leave_trails(tours.reshape(-1), amounts)

    def _leave_trails(self, tours: np.ndarray, amounts: np.ndarray) -> Generator[None, None, None]:
        """Deposit on some tours, by groups of them, in their order on every edge."""
        few, count = max(1, cpu.EDGES // self._n), amounts.size
        for first in range(0, count if self._n > 1 else 0, few):
            work = partial(self._deposit, tours, amounts, first, min(first + few, count))
            yield from self._team.share(work, self._n, -(-self._n // self._workers), self._workers)

    def _deposit(
        self, tours: np.ndarray, amounts: np.ndarray, first_ant: int, last_ant: int, first: int, last: int
    ) -> None:
        pheromone_cpu.deposit(self._trails, tours, amounts, first_ant, last_ant, first, last)

    def _deposits(self, edges: EdgeTrails) -> Deposits:
        groups = self._depositors.choose(self.tours, self._lengths)
        ants = sum(times_taken(edges.here, tours, weights) for tours, _, weights in groups)
        kept = self._kept(edges.before, self._floor, _UNLIMITED)
        return edges.done(
            kept, self._edge_trails(edges.here), ants, 0, (float(self._floor), 0.0), q=float(self._params.q)
        )
