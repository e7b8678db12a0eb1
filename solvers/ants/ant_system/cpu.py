"""Ant System on the CPU: the initial trails, evaporation and deposit."""

from collections.abc import Generator
from functools import partial

import numpy as np

from solvers.ants import cpu
from solvers.ants.ant_system.params import AntSystemParams
from solvers.ants.dense_cpu import DenseColony
from solvers.ants.heuristics import FLOOR, first_trail, reference_trail
from solvers.ants.kernels import pheromone_cpu
from solvers.ants.variants import AntVariant
from solvers.solver import Job

_UNLIMITED = np.float32(np.inf)


class AntSystemColony(DenseColony):
    """A colony in which all ants deposit pheromone; see `solvers.ants.dense_cpu.DenseColony`.

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
        self._params = params
        selection = variant.selections[0] if params.selection == "auto" else params.selection
        super().__init__(job, threads, selection, params.trials, params.switch)

    def _begin(self) -> float:
        trail = first_trail(self._distances, self._params.initial)
        self._floor = np.float32(FLOOR * trail)
        return trail

    def _reference_trail(self, first: float) -> float:
        return reference_trail(self._distances, first, self.ants * self._params.q, self._params.rho)

    def _load(self) -> None:
        super()._load()
        self._deposit(np.zeros(self.ants, np.float32), 0, 0, 0, 0)

    def _change_trails(self) -> Generator[None, None, None]:
        yield from self._rows(partial(self._evaporate, self._floor, _UNLIMITED))
        yield from self._leave_trails()

    def _leave_trails(self) -> Generator[None, None, None]:
        """Deposit Q / max(C, 1) of each ant, by groups of ants, in the order of the ants on every edge."""
        amounts = (self._params.q / np.maximum(self._lengths, 1)).astype(np.float32)
        few = max(1, cpu.EDGES // self._n)
        for first in range(0, self.ants if self._n > 1 else 0, few):
            work = partial(self._deposit, amounts, first, min(first + few, self.ants))
            yield from self._team.share(work, self._n, -(-self._n // self._workers), self._workers)

    def _deposit(self, amounts: np.ndarray, first_ant: int, last_ant: int, first: int, last: int) -> None:
        pheromone_cpu.deposit(self._trails, self._flat, amounts, first_ant, last_ant, first, last)
