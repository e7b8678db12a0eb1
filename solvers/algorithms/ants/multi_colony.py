"""Several colonies reported as one: each has its own trails, and all run the same number of iterations."""

from collections.abc import Sequence
from time import perf_counter
from typing import Any

import numpy as np

from solvers.algorithms.ants.colony import AntColony, Iterations, concatenate
from solvers.algorithms.ants.explanations import Explained
from solvers.algorithms.ants.sparse_trails import SparseTrails

#: Seconds after which a call to `advance` advances no further colony.
SLICE_SECONDS = 0.03
#: Maximum time that all colonies together take between two reports, in seconds.
_ROUND_SECONDS = 0.1


class MultiColony:
    """Several colonies as a single `solvers.algorithms.ants.colony.AntColony` with all their ants.

    H. Bai, D. OuYang, X. Li, L. He and H. Yu, "MAX-MIN Ant System on GPU with CUDA" (2009).

    Parameters
    ----------
    colonies : sequence of AntColony
        The colonies, before their first iteration; `close` closes them.

    Attributes
    ----------
    ants : int
    at_once : bool
        Whether the colonies work at the same time.
    """

    at_once = False

    def __init__(self, colonies: Sequence[AntColony]) -> None:
        self._colonies = colonies
        self.ants = sum(colony.ants for colony in colonies)
        self._done, self._goal, self._round, self._seconds = 0, 0, 1, 0.0
        self._parts: list[list[Iterations]] = [[] for _ in colonies]
        self._best, self._leader = np.inf, 0

    def advance(self, until: int) -> Iterations | None:
        """See `solvers.algorithms.ants.colony.AntColony.advance`."""
        if self._goal == self._done:
            self._goal, self._seconds = self._next_goal(until), 0.0
        start_time = perf_counter()
        self._work()
        self._seconds += perf_counter() - start_time
        if any(self._iterations_behind(k) for k in range(len(self._colonies))):
            return None
        return self._merge()

    def _next_goal(self, until: int) -> int:
        """Return the iteration after which all colonies report next."""
        return min(until, self._done + self._round)

    def _work(self) -> None:
        """Advance colonies for a time slice, or until all reach the goal."""
        start_time = perf_counter()
        while self._advance_next():
            if perf_counter() - start_time >= SLICE_SECONDS:
                break

    def explain(self, which: Explained) -> None:
        """See `solvers.algorithms.ants.colony.AntColony.explain`."""
        for colony in self._colonies:
            colony.explain(which)

    def trails(self) -> np.ndarray | SparseTrails:
        """Return the trails of the colony with the best tour (the first such).

        See `solvers.algorithms.ants.colony.AntColony.trails`.
        """
        return self._colonies[self._leader].trails()

    def find_unfinished(self) -> np.ndarray | None:
        """See `solvers.algorithms.ants.colony.AntColony.find_unfinished`."""
        finished = [part for parts in self._parts for part in parts]
        if not finished:
            return self._colonies[0].find_unfinished()
        best = min(finished, key=lambda part: int(part.best.min()))
        return best.order[best.best.argmin()].copy()

    def receive(self, order: np.ndarray, length: int) -> None:
        """See `solvers.algorithms.ants.cuda.CudaColony.receive`; only for colonies on a CUDA device."""
        for colony in self._colonies:
            receiver: Any = colony
            receiver.receive(order, length)

    def close(self) -> None:
        """See `solvers.algorithms.ants.colony.AntColony.close`."""
        for colony in self._colonies:
            colony.close()

    def _iterations_behind(self, k: int) -> int:
        """Return how many more iterations a colony has to run before the next report."""
        return self._goal - self._done - sum(part.best.size for part in self._parts[k])

    def _advance_next(self) -> bool:
        """Advance the first colony that is behind, for one slice; return whether there was one."""
        for k, colony in enumerate(self._colonies):
            if self._iterations_behind(k):
                results = colony.advance(self._goal)
                if results is not None:
                    self._parts[k].append(results)
                return True
        return False

    def _merge(self) -> Iterations:
        """Return the finished round's iterations, and adapt the next round's length to the time this one took."""
        first, count, self._done = self._done, self._goal - self._done, self._goal
        parts, self._parts = [concatenate(part) for part in self._parts], [[] for _ in self._colonies]
        maximum = int(count * _ROUND_SECONDS / max(self._seconds, 1e-9))
        self._round = max(1, min(2 * self._round, maximum))
        # Iteration by iteration: the ends of rounds depend on timing, which must not affect who leads.
        for best in np.stack([part.best for part in parts], axis=1):
            if best.min() < self._best:
                self._best, self._leader = best.min(), int(best.argmin())
        return merge_iterations(parts, first, self.at_once)


def merge_iterations(parts: Sequence[Iterations], first: int, at_once: bool = False) -> Iterations:
    """Combine several colonies' iterations into those of one; ties go to the first colony.

    Their times are added up or, if the colonies worked `at_once`, the slowest colony's time counts.
    """
    time = np.max if at_once else np.sum
    best = np.stack([part.best for part in parts])
    winner, at = best.argmin(axis=0), np.arange(best.shape[1])
    sizes = [part.lengths.size for part in parts]
    return Iterations(
        best=best.min(axis=0),
        worst=np.max([part.worst for part in parts], axis=0),
        mean=np.average([part.mean for part in parts], axis=0, weights=sizes),
        entropy=np.mean([part.entropy for part in parts], axis=0),
        branching=np.mean([part.branching for part in parts], axis=0),
        order=np.stack([part.order for part in parts])[winner, at],
        seconds=time([part.seconds for part in parts], axis=0),
        trials=np.sum([part.trials for part in parts], axis=0),
        phases=time([part.phases for part in parts], axis=0),
        built=np.average([part.built for part in parts], axis=0, weights=sizes),
        shortening=time([part.shortening for part in parts], axis=0),
        lengths=np.concatenate([part.lengths for part in parts]),
        explanations=tuple(
            explanation
            for k, part in enumerate(parts)
            for explanation in part.explanations
            if winner[explanation.climber - first] == k
        ),
    )
