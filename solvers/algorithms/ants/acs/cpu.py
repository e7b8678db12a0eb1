"""Ant Colony System on the CPU: the ants' walks, their weights, and trail updates.

Imports Numba: for use inside `solve()`.
"""

from collections.abc import Callable, Generator
from dataclasses import replace
from functools import partial

import numpy as np

from data.distances import distance_matrix
from solvers.algorithms.ants.acs.kernels import trails_cpu
from solvers.algorithms.ants.acs.params import AntColonySystemParams
from solvers.algorithms.ants.acs.trails_cpu import RaisedEdges, compute_initial_weights, make_raised_edges
from solvers.algorithms.ants.acs.variants import is_qin_han
from solvers.algorithms.ants.acs.walks_cpu import InStep, Lockstep, OneByOne, WalkContext
from solvers.algorithms.ants.arrays_cpu import row_stride
from solvers.algorithms.ants.cpu import CpuColony, check_memory
from solvers.algorithms.ants.explanations import EdgeTrails, allocate_choices
from solvers.algorithms.ants.kernels.edge_counts_cpu import count_edge_uses
from solvers.algorithms.ants.kernels.retrace_cpu import Changes
from solvers.algorithms.ants.retracing import (
    UNCHANGED,
    list_raised_keys,
    load,
    make_core_walk,
    make_core_weights,
    trace_walk,
)
from solvers.algorithms.ants.sparse_trails import SparseTrails
from solvers.core.events import Choices, Deposits
from solvers.core.neighbours import nearest_neighbour_length, neighbours
from solvers.core.solver import Job
from solvers.mpi.communicator import Communicator


class AntColonySystemColony(CpuColony):
    """See `solvers.algorithms.ants.cpu.CpuColony`.

    Parameters
    ----------
    job : Job
    threads : int
    ranks : Communicator
        The processes that share the ants. Each has its own copy of the trails, and all copies are equal.

    Attributes
    ----------
    edges : RaisedEdges
        The trails.

    Raises
    ------
    InstanceTooLarge
        If matrices and tours take more than `solvers.algorithms.ants.memory.MEMORY`, or if the memory that the
        processes share is too small.
    """

    edges: RaisedEdges

    def __init__(self, job: Job[AntColonySystemParams], threads: int, ranks: Communicator | None = None) -> None:
        in_step = is_qin_han(job.variant)
        params = replace(job.params, lists=False, candidates=0) if in_step else job.params
        self._params, self._ranks, n = params, ranks or Communicator(), job.instance.n
        ants = self._params.colony_size(n)
        first, last = self._ranks.share(ants)
        steps = row_stride(n) if self._params.local_update == "lockstep" else 0
        copied = self._ranks.per_machine if steps and self._ranks.count > 1 else 0
        check_memory(
            job, ants, self._params.search_bytes(n) + 4 * n * (n + (1 + copied) * row_stride(n)) + 4 * ants * steps
        )
        distances, lists, searched, fitness, *weights = self._ranks.matrices(
            partial(_prepare_arrays, job, self._params)
        )
        if copied:
            fitness = fitness.copy()  # each process updates its own copy, not all at the same moment
        super().__init__(job, threads, distances, own=last - first)
        eta, others, greatest = weights
        self.edges = make_raised_edges(lists, fitness, eta, others, greatest, job.instance.directed)
        if self._params.local_update == "racy":
            near, trail = self._ranks.share_array(self.edges.near), self._ranks.share_array(self.edges.trail)
            self.edges = self.edges._replace(near=near, trail=trail)
        context = WalkContext(
            self._params, self._seed, ants, first, self.tours, self._reached, self._team, self._workers, self._ranks
        )
        walk = InStep if in_step else Lockstep if steps else OneByOne
        self._walking = walk(context, self.edges)
        near, listed = self.edges.neighbours.reshape(n, -1), self._params.uses_candidate_lists
        selection = "lists" if listed else "nearest-first"
        self._explained_walk = make_core_walk(selection, near, q0=float(np.float32(self._params.q0)), listed=listed)
        self._first_length = max(1, nearest_neighbour_length(distances))
        self._best, self._best_length = np.zeros(n, np.int32), np.inf
        if self._params.shortens_every_tour:
            self._search = self._make_search(searched, self._params.moves)

    def trails(self) -> SparseTrails:
        """See `solvers.algorithms.ants.colony.AntColony.trails`."""
        count, first = int(self.edges.records[0]), 1.0 / (self._n * self._first_length)
        trail = (self.edges.level[:count] * np.float64(first)).astype(np.float32)
        ends = self.edges.ends[:count].copy()
        if self._directed:  # pictures show one trail for both directions: the stronger one
            ends, at = np.unique(np.sort(ends, axis=1), axis=0, return_inverse=True)
            stronger = np.zeros(len(ends), np.float32)
            np.maximum.at(stronger, at.reshape(-1), trail)
            trail = stronger
        return SparseTrails(self._n, first, ends, trail)

    def make_walk_loaders(self) -> list[Callable[[], object]]:
        """See `solvers.algorithms.ants.cpu.CpuColony.make_walk_loaders`."""
        return [self._walking.load]

    def make_first_tour(self) -> np.ndarray | None:
        """See `solvers.algorithms.ants.cpu.CpuColony.make_first_tour`."""
        is_alone = isinstance(self._walking, OneByOne) and self._params.local_update != "racy"
        return self._walking.tour(0, 0) if is_alone else None

    def make_loaders(self) -> list[Callable[[], object]]:
        """See `solvers.algorithms.ants.cpu.CpuColony.make_loaders`."""
        explanations: list[Callable[[], object]] = [
            partial(load, self._explained_walk),
            partial(trails_cpu.find_records, self.edges, self._best[:0]),
        ]
        return [
            *super().make_loaders(),
            partial(self._bound, 0, self._n),
            lambda: trails_cpu.local_updates(self.edges, self._walking.visits, 1.0),
            partial(trails_cpu.reward, self.edges, self._best[:0], 0.0, 0.0),
            partial(trails_cpu.show_all, self.edges),
            self._describe,
            *(explanations if self._has_pictures else []),
        ]

    def _prepare(self) -> Generator[None, None, None]:
        """Do nothing: ants use the weights left by the previous iteration."""
        yield from ()

    def _walk(self) -> Generator[None, None, None]:
        return self._walking.walk(self.finished)

    def close(self) -> None:
        """See `solvers.algorithms.ants.colony.AntColony.close`."""
        super().close()
        self._ranks.close()

    def _wait_for_all(self) -> Generator[None, None, None]:
        return self._ranks.wait_for_all()

    def _gather_lengths(self) -> np.ndarray:
        return self._ranks.gather_lengths(self._lengths)

    def _find_ant_tour(self, ant: int) -> np.ndarray:
        return self._ranks.best_tour(ant, self.tours)

    def _change_trails(self) -> Generator[None, None, None]:
        self._walking.add_up()
        length, edges = int(self._all_lengths.min()), self.edges
        if length < self._best_length:
            self._best_length = length
            self._best[:] = self._best_order
        use_counts = self._visits_of_explained()
        trails_cpu.local_updates(edges, self._walking.visits, 1.0 - self._params.rho)
        if use_counts is not None:
            self._local = use_counts, self._edge_trails(self._best_order)
        self._walking.visits[: edges.records[0]] = 0
        yield
        target = self._n * self._first_length / max(1, self._best_length)
        count_before = edges.records[0]
        trails_cpu.reward(edges, self._best, target, self._params.alpha)
        if edges.records[0] > count_before:
            yield from self._ranks.wait_for_all()  # new records read eta from weights that `show_all` changes
        trails_cpu.show_all(edges)
        yield
        yield from self._for_each_row(self._bound)
        if self._params.local_update == "racy":
            yield from self._ranks.wait_for_all()  # no ant may write before all levels are set

    def _explain_choices(self, ant: int) -> Choices | None:
        """Return the choices of an ant; None if it saw concurrent changes by other ants."""
        if self._params.local_update == "racy":
            return None
        choices = allocate_choices(self._n, self.finished, ant, q0=float(self._params.q0))
        built, order, changes = self._walking.walked_tours(), self._walking.tour(self.finished, ant), UNCHANGED
        edges, count = self.edges, int(self.edges.records[0])
        if len(built):
            trails_cpu.show_all(edges)
            levels, keep = edges.level[:count].astype(float), float(np.float32(1.0 - self._params.rho))
            changes = Changes(built, *list_raised_keys(edges.ends[:count], self._n, self._directed), levels, keep)
        weights = make_core_weights(edges.fitness, self._explained_walk.near, edges.near, edges.others)
        stream = self.finished * self.ants + ant
        return trace_walk(choices, self._explained_walk, weights, order, self._seed, stream, changes)

    def _edge_trails(self, order: np.ndarray) -> np.ndarray:
        records = trails_cpu.find_records(self.edges, order)
        level = np.where(records >= 0, self.edges.level[records], np.float32(1.0))
        return level / (self._n * self._first_length)

    def _visits_of_explained(self) -> np.ndarray | None:
        """Return how many ants took each explained edge; None if nothing is explained."""
        if not self._explained(self.finished + 1):
            return None
        records = trails_cpu.find_records(self.edges, self._best_order)
        return np.where(records >= 0, self._walking.visits[records], -1)

    def _deposits(self, edges: EdgeTrails) -> Deposits:
        ants, local = self._local
        rewarded = count_edge_uses(edges.current, self._best[None], np.ones(1, np.int64), self._directed) > 0
        limits = 1.0 / (self._n * self._first_length), 0.0
        return edges.make_event(local, self._edge_trails(edges.current), ants, int(self._best_length), limits, rewarded)

    def _bound(self, first: int, last: int) -> None:
        trails_cpu.bound_rows(self.edges, first, last)

    def _describe_all(self) -> Generator[None, None, None]:
        self._describe()
        yield

    def _describe(self) -> None:
        trails_cpu.describe(self.edges, self._entropy, self._branching)


def _prepare_arrays(job: Job, params: AntColonySystemParams) -> tuple[np.ndarray, ...]:
    """Return the distances, candidate lists, local search lists and initial weights."""
    distances = distance_matrix(job.instance)
    searched = params.search_neighbours(len(distances)) if params.shortens_every_tour else 0
    near = neighbours(distances, max(params.candidates, searched))
    lists = np.ascontiguousarray(near[:, : params.candidates])
    return distances, lists, near[:, :searched], *compute_initial_weights(distances, lists, params.beta)
