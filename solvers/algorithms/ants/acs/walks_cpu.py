"""How Ant Colony System's ants walk on the CPU: one after another, or all in lockstep.

Imports Numba: for use inside `solve()`.
"""

from collections.abc import Generator
from dataclasses import dataclass
from functools import partial

import numpy as np

from solvers.algorithms.ants import cpu
from solvers.algorithms.ants.acs.kernels import lockstep_cpu, walk_cpu
from solvers.algorithms.ants.acs.kernels.choice_cpu import Rule
from solvers.algorithms.ants.acs.params import AntColonySystemParams
from solvers.algorithms.ants.acs.trails_cpu import RaisedEdges
from solvers.algorithms.ants.arrays_cpu import allocate_walker
from solvers.algorithms.ants.kernels.walk_cpu import LAST
from solvers.kernels.threads_cpu import SHARED
from solvers.mpi.communicator import Communicator
from solvers.parallel.thread_team import ThreadTeam

#: Cost of a choice apart from reading a row of weights; reading one weight costs 1.
_CHOICE = 256
#: If more weights than this are read in a step, several threads pay off.
_FEW_READS = 1 << 19


@dataclass(frozen=True, slots=True, eq=False)
class WalkContext:
    """The ants of one process and their settings.

    Attributes
    ----------
    params : AntColonySystemParams
    seed : uint64
    ants : int
        Number of ants in the whole colony.
    first : int
        Index of the first ant of this process in the whole colony.
    tours : ndarray, shape (own, n), int32
        The cities of each ant of this process in visiting order.
    reached : ndarray, shape (own,), int32
        Number of cities that each ant has visited.
    team : ThreadTeam
    workers : int
        Number of threads that work on the walks.
    ranks : Communicator
    """

    params: AntColonySystemParams
    seed: np.uint64
    ants: int
    first: int
    tours: np.ndarray
    reached: np.ndarray
    team: ThreadTeam
    workers: int
    ranks: Communicator

    def rule(self, iteration: int, ant: int = 0) -> Rule:
        """Return the rule of an iteration, for this process's ants from `ant` on."""
        params, stream = self.params, np.uint64(iteration * self.ants + self.first + ant)
        q0, keep, racy = np.float32(params.q0), np.float32(1.0 - params.rho), params.local_update == "racy"
        return Rule(params.uses_candidate_lists, self.seed, stream, q0, keep, racy)


class OneByOne:
    """Ants walk one at a time. Local updates are applied at the end of the iteration, or by racy ants at once.

    Parameters
    ----------
    context : WalkContext
    edges : RaisedEdges

    Attributes
    ----------
    visits : ndarray, shape (cap,), int32
        Number of ants in all processes that took each record's edge; complete after `walk` and `add_up`.
    """

    def __init__(self, context: WalkContext, edges: RaisedEdges) -> None:
        self._context, self._edges = context, edges
        self._walkers = [allocate_walker(edges.n, edges.stride) for _ in range(context.workers)]
        self._counts = [np.zeros(edges.level.size, np.int32) for _ in range(context.workers)]
        self.visits = self._counts[0]

    def load(self) -> None:
        """Compile or load the kernels."""
        self._walk_on(0, 0, 0)

    def walk(self, iteration: int) -> Generator[None, None, None]:
        """Let all ants walk; yield at the end of each slice."""
        context, records = self._context, int(self._edges.records[0])
        own, n = context.tours.shape
        context.reached[:] = 0
        few = max(1, min(own // (8 * context.workers), cpu.READS // n**2))
        work = partial(self._walk_on, iteration, budget=cpu.READS)
        yield from context.team.distribute(work, own, few, [walker.state for walker in self._walkers])
        for count in self._counts[1:]:
            self.visits[:records] += count[:records]
            count[:records] = 0

    def add_up(self) -> None:
        """Add the visit counts of all other processes to `visits`, once all walks have finished."""
        self._context.ranks.sum_visits(self.visits[: int(self._edges.records[0])])

    def walked_tours(self) -> np.ndarray:
        """Return no tours: ants see no changes while they walk."""
        return self._context.tours[:0]

    def tour(self, iteration: int, ant: int) -> np.ndarray:
        """Return an ant's tour before local search, (n,) int32, by repeating its walk."""
        order, rule = np.zeros(self._edges.n, np.int32), self._context.rule(iteration, ant)
        walker = allocate_walker(self._edges.n, self._edges.stride)
        walker.state[LAST] = 1
        walk_cpu.advance(self._edges, walker, np.zeros_like(self.visits), order, np.zeros(1, np.int32), rule, 1 << 62)
        return order

    def _walk_on(self, iteration: int, worker: int, budget: int) -> None:
        context = self._context
        walk_cpu.advance(
            self._edges, self._walkers[worker], self._counts[worker], context.tours.reshape(-1), context.reached,
            context.rule(iteration), budget,
        )  # fmt: skip


class Lockstep:
    """Ants walk in lockstep: in each step all ants choose, and then all update the trails; see `OneByOne`.

    Each process applies the updates of all ants, so that the trails are equal in all processes.
    """

    def __init__(self, context: WalkContext, edges: RaisedEdges) -> None:
        self._context, self._edges = context, edges
        own = len(context.tours)
        self.visits, open_ = np.zeros(edges.level.size, np.int32), np.zeros((own, edges.stride), np.float32)
        self._walks = lockstep_cpu.Walks(open_, context.tours, np.zeros(own, np.int32), self.visits)
        self._unvisited, self._built = np.zeros(edges.n, np.int32), np.zeros_like(context.tours)
        reads = _CHOICE + (0 if context.params.candidates else edges.stride)
        self._step_workers = context.workers if own * reads > _FEW_READS else 1
        self._runs_in_one_call = context.ranks.count > 1 or self._step_workers > 1 or own * edges.n > cpu.READS

    def load(self) -> None:
        """Compile or load the kernels."""
        self._begin(0, 0, 0)
        self._choose(0, 1, 0, 0)
        self._change(self._walks.used_edges[:0])
        self._advance(0, 1, 0)

    def walk(self, iteration: int) -> Generator[None, None, None]:
        """Let all ants walk; yield at the end of each slice."""
        context, n = self._context, self._edges.n
        own, position = len(context.tours), 1
        context.reached[:] = 1
        yield from context.team.share(partial(self._begin, iteration), own, cpu.EDGES // n, 1)
        while position <= n:
            if self._runs_in_one_call:
                yield from self._step(iteration, position)
                position += 1
            else:
                position = self._advance(iteration, position, cpu.READS)
            context.reached[:] = min(position, n)
            if context.team.is_over:
                yield
        self._built[:] = context.tours

    def add_up(self) -> None:
        """Do nothing: each process already counts all ants."""

    def walked_tours(self) -> np.ndarray:
        """Return the tours along which this process's ants have updated the trails, (own, n) int32."""
        return self._built

    def tour(self, iteration: int, ant: int) -> np.ndarray:
        """Return an ant's tour before local search, (n,) int32."""
        return self._built[ant]

    def _step(self, iteration: int, position: int) -> Generator[None, None, None]:
        """Advance all ants, including those of other processes, by one step, with all threads."""
        context, piece = self._context, cpu.READS // self._edges.n
        work = partial(self._choose, iteration, position)
        yield from context.team.share(work, len(context.tours), piece, self._step_workers)
        yield from context.ranks.wait_for_all()
        self._change(self._gather())

    def _gather(self) -> np.ndarray:
        """Gather the latest steps from all processes."""
        return self._context.ranks.gather_step(self._walks.used_edges)

    def _change(self, used_edges: np.ndarray) -> None:
        """Apply the local updates of the given records."""
        lockstep_cpu.change_step(self._edges, used_edges, self.visits, self._context.rule(0).keep)

    def _begin(self, iteration: int, first: int, last: int) -> None:
        lockstep_cpu.begin_all(self._walks, self._unvisited, self._context.rule(iteration), first, last)

    def _choose(self, iteration: int, position: int, first: int, last: int) -> None:
        lockstep_cpu.choose_step(self._edges, self._walks, position, self._context.rule(iteration), first, last)

    def _advance(self, iteration: int, position: int, budget: int) -> int:
        return lockstep_cpu.advance(self._edges, self._walks, position, self._context.rule(iteration), budget)


class InStep(Lockstep):
    """Lockstep walks as in Y. Qin and D. Han, "Parallel TSP Solvers" (2022), sections 2.4 and 2.6.

    Each thread has the same number of ants and runs `solvers.algorithms.ants.acs.kernels.lockstep_cpu.walk_in_step`.
    With several processes, one gathers the steps of all ants and broadcasts them.
    """

    def __init__(self, context: WalkContext, edges: RaisedEdges) -> None:
        super().__init__(context, edges)
        self._shared, self._runs_in_one_call = np.zeros(SHARED, np.int64), context.ranks.count > 1

    def _gather(self) -> np.ndarray:
        return self._context.ranks.gather_and_broadcast(self._walks.used_edges)

    def _advance(self, iteration: int, position: int, budget: int) -> int:
        context, (own, n), threads = self._context, self._context.tours.shape, self._context.team.threads
        share, steps = -(-own // threads), max(min(budget, 1), budget * threads // (own * n))
        until, rule = min(position + steps, n + 1), context.rule(iteration)

        def walk(worker: int) -> None:
            first, last = min(worker * share, own), min((worker + 1) * share, own)
            lockstep_cpu.walk_in_step(
                self._edges, self._walks, position, until, rule, self._shared, threads, first, last
            )

        context.team.run_all(walk, threads)
        return until
