"""A swarm of particles. Imports Numba: for use inside `solve()`."""

from collections.abc import Callable, Generator

import numpy as np

from solvers.algorithms.swarms.kernels import particles_cpu as kernel
from solvers.algorithms.swarms.kernels.span_cpu import SPAN
from solvers.algorithms.swarms.particles.params import ParticleParams
from solvers.algorithms.swarms.swarm import WORK, Swarm
from solvers.core.solver import Job


class ParticleSwarm(Swarm):
    """Particles: each has a tour, a best tour and a velocity, initially zero.

    Parameters
    ----------
    job : Job
    threads : int
    """

    def __init__(self, job: Job[ParticleParams], threads: int) -> None:
        params = job.params
        super().__init__(job, params.size, threads, params.local_search == "every")
        m, n = self.tours.shape
        self._settings = kernel.MoveSettings(params.inertia, params.cognitive, params.social, params.share == "random")
        self._particles = kernel.Particles(
            self.tours, self.tours.copy(), self.lengths, self.lengths.copy(), np.zeros((m, n, 2), np.int32),
            np.zeros(m, np.int32), self.best.copy(),
        )  # fmt: skip
        self._leader_length, self._iteration = self.best_length, 0
        self._scratch = [
            (np.empty((3, n), np.int32), np.empty((3 * n, 2), np.int32)) for _ in range(len(self._spans))
        ]  # fmt: skip

    def _create_next(self) -> Generator[None, None, None]:
        """Move all particles towards their own best tours and the last iteration's best; update the best tours.

        Clerc (2004), section 4.
        """
        yield from self.share(self._move)
        self._iteration += 1
        self.evaluations = self.size
        self.update_best()
        if self.best_length < self._leader_length:
            self._leader_length = self.best_length
            self._particles.leader[:] = self.best

    def make_loaders(self) -> list[Callable[[], object]]:
        """See `Population`."""
        return [lambda: self._move(0, np.zeros(SPAN, np.int64))]

    def _move(self, thread: int, span: np.ndarray | None = None) -> None:
        kernel.move(
            self._particles, self._settings, self._locals[thread], self._shortens,
            self._spans[thread] if span is None else span, self._seed, np.uint64(self._iteration),
            *self._scratch[thread], WORK,
        )  # fmt: skip
