"""Several colonies side by side, reported as one: each has its trails, all come to the same iteration."""

from collections.abc import Sequence
from time import perf_counter

import numpy as np

from solvers.ants.colony import AntColony, Iterations, joined
from solvers.ants.sparse_trails import SparseTrails

#: Seconds after which no other colony is let work before the next look at the time.
SLICE_SECONDS = 0.03
#: Seconds that all colonies together may take from one telling to the next.
_ROUND_SECONDS = 0.1


class MultiColony:
    """See `solvers.ants.colony.AntColony`: the ants of all colonies are those of one.

    H. Bai, D. OuYang, X. Li, L. He and H. Yu, "MAX-MIN Ant System on GPU with CUDA" (2009).

    Parameters
    ----------
    colonies : sequence of AntColony
        Before their first iteration. They are closed with this one.

    Attributes
    ----------
    ants : int
    """

    def __init__(self, colonies: Sequence[AntColony]) -> None:
        self._colonies = colonies
        self.ants = sum(colony.ants for colony in colonies)
        self._done, self._goal, self._round, self._seconds = 0, 0, 1, 0.0
        self._parts: list[list[Iterations]] = [[] for _ in colonies]
        self._best, self._leader = np.inf, 0

    def advance(self, until: int) -> Iterations | None:
        """See `solvers.ants.colony.AntColony.advance`."""
        if self._goal == self._done:
            self._goal, self._seconds = min(until, self._done + self._round), 0.0
        began = perf_counter()
        while self._advance_next():
            if perf_counter() - began >= SLICE_SECONDS:
                break
        self._seconds += perf_counter() - began
        if any(self._behind(k) for k in range(len(self._colonies))):
            return None
        return self._merged()

    def trails(self) -> np.ndarray:
        """See `solvers.ants.colony.AntColony.trails`: of the colony with the best tour so far, the first of several."""
        return self._colonies[self._leader].trails()

    def pictured(self) -> np.ndarray | SparseTrails:
        """See `solvers.ants.colony.AntColony.pictured`."""
        return self._colonies[self._leader].pictured()

    def unfinished(self) -> np.ndarray | None:
        """See `solvers.ants.colony.AntColony.unfinished`."""
        finished = [part for parts in self._parts for part in parts]
        if not finished:
            return self._colonies[0].unfinished()
        best = min(finished, key=lambda part: int(part.best.min()))
        return best.order[best.best.argmin()].copy()

    def close(self) -> None:
        """See `solvers.ants.colony.AntColony.close`."""
        for colony in self._colonies:
            colony.close()

    def _behind(self, k: int) -> int:
        """Iterations that a colony is short of the next telling."""
        return self._goal - self._done - sum(part.best.size for part in self._parts[k])

    def _advance_next(self) -> bool:
        """Let the first colony that is behind work for a slice; whether there was one."""
        for k, colony in enumerate(self._colonies):
            if self._behind(k):
                found = colony.advance(self._goal)
                if found is not None:
                    self._parts[k].append(found)
                return True
        return False

    def _merged(self) -> Iterations:
        """The iterations of the round that has just ended; the next has as many iterations as there is time for."""
        count, self._done = self._goal - self._done, self._goal
        parts, self._parts = [joined(part) for part in self._parts], [[] for _ in self._colonies]
        most = int(count * _ROUND_SECONDS / max(self._seconds, 1e-9))
        self._round = max(1, min(2 * self._round, most))
        # By iteration, since where a round ends is a matter of time.
        for best in np.stack([part.best for part in parts], axis=1):
            if best.min() < self._best:
                self._best, self._leader = best.min(), int(best.argmin())
        return merged(parts)


def merged(parts: Sequence[Iterations]) -> Iterations:
    """The same iterations of several colonies as those of one; of equally good tours that of the first colony."""
    best = np.stack([part.best for part in parts])
    who, at = best.argmin(axis=0), np.arange(best.shape[1])
    sizes = [part.lengths.size for part in parts]
    return Iterations(
        best=best.min(axis=0),
        worst=np.max([part.worst for part in parts], axis=0),
        mean=np.average([part.mean for part in parts], axis=0, weights=sizes),
        entropy=np.mean([part.entropy for part in parts], axis=0),
        branching=np.mean([part.branching for part in parts], axis=0),
        order=np.stack([part.order for part in parts])[who, at],
        seconds=np.sum([part.seconds for part in parts], axis=0),
        trials=np.sum([part.trials for part in parts], axis=0),
        phases=np.sum([part.phases for part in parts], axis=0),
        built=np.average([part.built for part in parts], axis=0, weights=sizes),
        shortening=np.sum([part.shortening for part in parts], axis=0),
        lengths=np.concatenate([part.lengths for part in parts]),
    )
