"""Replica exchange (parallel tempering) on the CPU: chains exchange the temperatures of a ladder.

R. H. Swendsen and J.-S. Wang, "Replica Monte Carlo Simulation of Spin-Glasses" (1986); C. J. Geyer, "Markov Chain Monte
Carlo Maximum Likelihood" (1991); K. Hukushima and K. Nemoto, "Exchange Monte Carlo Method and Application to Spin Glass
Simulations" (1996). Replicas exchange temperatures instead of tours, which is equivalent; so each replica remains a
chain whose moves can be recorded and replayed. Imports Numba: for use inside `solve()`.
"""

from collections.abc import Generator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

import numpy as np

from solvers.algorithms.annealing.cpu import AnnealingSlice, ChainWorker, make_measure_and_plan
from solvers.algorithms.annealing.kernels.exchange_cpu import exchange
from solvers.algorithms.annealing.params import AnnealingParams
from solvers.algorithms.annealing.schedules import compute_factors
from solvers.core.events import Replicas
from solvers.core.solver import Job
from solvers.worker.kernel_loading import load_kernels

#: Number of periods between two events, and maximum time in seconds between two yields.
_PERIODS, _HEARTBEAT_SECONDS = 16, 0.05


class ReplicaExchange:
    """The replicas of a run and their temperature ladder.

    Parameters
    ----------
    job : Job
        Its parameter `chains` is the number of replicas.

    Attributes
    ----------
    workers : list of ChainWorker
        One per replica.
    replica_at : ndarray, shape (r,), int64
        The replica at each temperature, the hottest first.
    temperatures : ndarray, shape (r,), float64
        The ladder; all 0 until the first temperature is known.
    """

    def __init__(self, job: Job[AnnealingParams]) -> None:
        self._params, self._n, self._seed = job.params, job.instance.n, np.uint64(job.seed)
        count = job.params.chains
        measure, plan = make_measure_and_plan(job)
        periods = job.params.periods
        self._plan = plan._replace(
            draws_per_level=job.params.exchange_after * self._n, levels=periods, factors=np.ones(periods),
            end=periods + plan.end - plan.levels,
        )  # fmt: skip
        self.workers = [ChainWorker(measure, self._plan, job.seed, job.start, rows=1) for _ in range(count)]
        load_kernels(self.workers[0].make_loaders())
        for replica, worker in enumerate(self.workers):
            worker.assign(replica, replica + 1)
        self.replica_at, self.temperatures = np.arange(count), np.zeros(count)
        self._attempts, self._exchanges = np.zeros((2, max(0, count - 1)), np.int64)
        self._lengths, self._periods = np.zeros(count, np.int64), 0
        self._before = np.zeros((2, count), np.int64)
        # Compile or load before the run's clock starts.
        copies = self.replica_at.copy(), self._seed, 0, self._attempts.copy(), self._exchanges.copy()
        exchange(np.ones(count), self._lengths, *copies)

    @property
    def is_busy(self) -> bool:
        """Whether any replica is still running."""
        return any(not worker.idle for worker in self.workers)

    @property
    def best(self) -> tuple[np.ndarray, int, int]:
        """The best tour of all running replicas, its length and its replica."""
        return min((w.result for w in self.workers if not w.idle), key=lambda result: result[1])

    def count_other_evaluations(self) -> int:
        """Return the number of moves evaluated by all running replicas except the one with the lowest index."""
        evaluations = [worker.evaluations for worker in self.workers if not worker.idle]
        return sum(evaluations[1:])

    def slices(self, threads: int, limit: int | None) -> Generator[AnnealingSlice | Replicas | None, None, None]:
        """Yield slices of the replicas and events about exchanges; None if neither is due for a while.

        Parameters
        ----------
        threads : int
        limit : int or None
            Number of draws after which a replica stops, so that the end does not depend on timing.
        """
        with ThreadPoolExecutor(threads) as pool:
            while self.is_busy:
                before = min(worker.level for worker in self.workers if not worker.idle)
                yield from self._advance_all(pool, before, limit)
                level = min((worker.level for worker in self.workers if not worker.idle), default=self._plan.levels)
                if 0 <= level < self._plan.levels:
                    self._exchange(level)
                    if level and self._periods % _PERIODS == 0:
                        yield self._make_event()

    def _advance_all(
        self, pool: ThreadPoolExecutor, level: int, limit: int | None
    ) -> Generator[AnnealingSlice | None, None, None]:
        """Advance all replicas in parallel until each has passed this level; yield their slices."""
        running: dict[Future[AnnealingSlice], ChainWorker] = {}

        def send(worker: ChainWorker) -> None:
            if not worker.idle and worker.level <= level:
                draws_left = None if limit is None else max(1, limit - worker.evaluations)
                running[pool.submit(worker.advance, draws_left)] = worker

        for worker in self.workers:
            send(worker)
        while running:
            done, _ = wait(running, timeout=_HEARTBEAT_SECONDS, return_when=FIRST_COMPLETED)
            if not done:
                yield None
            for future in done:
                worker = running.pop(future)
                result = future.result()
                send(worker)
                yield result

    def _exchange(self, level: int) -> None:
        """Set up the ladder before the first period; after each period, exchange neighbouring replicas."""
        if level == 0:
            count = self.temperatures.size
            ratio = self._params.final_temperature_ratio
            each = ratio ** (1 / max(1, count - 1))
            shares = np.append(1.0, np.cumprod(compute_factors(self._params.schedule, count, each, ratio)[:-1]))
            self.temperatures = shares * self.workers[0].temperature
            self._before = self._collect_counts()
        else:
            self._lengths[:] = [worker.length for worker in self.workers]
            exchange(
                self.temperatures, self._lengths, self.replica_at, self._seed, self._periods,
                self._attempts, self._exchanges,
            )  # fmt: skip
            self._periods += 1
        for temperature, replica in zip(self.temperatures, self.replica_at, strict=True):
            self.workers[replica].temperature = float(temperature)

    def _make_event(self) -> Replicas:
        """Return the ladder as an event, with the rates since the previous event."""
        after = self._collect_counts()
        moves, draws = after - self._before
        self._before = after
        rates = self._exchanges / np.maximum(1, self._attempts)
        self._attempts[:], self._exchanges[:] = 0, 0
        return Replicas(
            int(after[1].sum()), self.temperatures.copy(), self.replica_at.copy(), self._lengths[self.replica_at],
            (moves / np.maximum(1, draws))[self.replica_at], rates,
        )  # fmt: skip

    def _collect_counts(self) -> np.ndarray:
        """Return the numbers of moves and draws of each replica so far, (2, r) int64."""
        return np.array([[worker.moves, worker.evaluations] for worker in self.workers]).T
