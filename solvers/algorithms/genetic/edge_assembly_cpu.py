"""A population with edge assembly crossover. Imports Numba: for use inside `solve()`."""

from collections.abc import Callable, Generator
from functools import partial

import numpy as np

from solvers.algorithms.genetic.cpu import WORK, CpuPopulation
from solvers.algorithms.genetic.frequencies_cpu import count_edges
from solvers.algorithms.genetic.kernels.distances_cpu import FIXED
from solvers.algorithms.genetic.kernels.edge_assembly_cpu import (
    RANDOM,
    SINGLE,
    Breeding,
    allocate_crossing,
    cross_pairs,
)
from solvers.algorithms.genetic.kernels.edge_frequency_cpu import allocate_frequencies, count_frequencies, entropy_terms
from solvers.algorithms.genetic.kernels.tour_links_cpu import walk
from solvers.algorithms.genetic.params import ENTROPY
from solvers.algorithms.genetic.params import SINGLE as SINGLE_CYCLE
from solvers.core.doubled_cities import pair, unpair, unpair_links, write_doubled
from solvers.core.errors import InstanceTooLarge
from solvers.core.neighbours import neighbours
from solvers.core.solver import Job
from solvers.reporting.populations import find_tour_neighbours

#: Number of generations without a surviving child after which the run ends.
_STALE_GENERATIONS = 30


class EdgeAssemblyPopulation(CpuPopulation):
    """Stores tours as doubly linked lists, in two alternating arrays; see `CpuPopulation`.

    Directed tours are stored as tours of pairs (`solvers.core.doubled_cities`). Both parents contain all fixed edges,
    so every child does.

    Raises
    ------
    InstanceTooLarge
        Also if directed distances differ so much that no fixed edge is short enough.
    """

    def __init__(self, job: Job, threads: int) -> None:
        super().__init__(job, threads)
        params, n, distances, near = self.params, self.n, self.distances, self.near
        self._directed, entropy = job.instance.directed, params.selection == ENTROPY
        if self._directed:
            _check_spread(job.instance.name, distances)
            n, distances = 2 * n, np.empty((2 * n, 2 * n), np.int32)
            write_doubled(self.distances, FIXED, -FIXED, distances)
            near = neighbours(distances, params.neighbours + 1)
        frequencies = allocate_frequencies(self.m if entropy else 0, n)
        terms = entropy_terms(self.m) if entropy else np.zeros(0)
        e_set = SINGLE if params.e_set == SINGLE_CYCLE else RANDOM
        self._breeding = Breeding(distances.reshape(-1), near, params.offspring, e_set, frequencies, terms, self._seed)
        self._crossings = [allocate_crossing(n) for _ in range(threads)]
        self._links = self._new = np.zeros((self.m, n, 2), np.int32)

    def make_loaders(self) -> list[Callable[[], object]]:
        """See `CpuPopulation.make_loaders`."""
        cities = np.zeros((2, self.n), np.int32)
        return [
            *super().make_loaders(),
            partial(count_frequencies, self._links, 0, 0, self._breeding.frequencies),
            lambda: walk(find_tour_neighbours(self._tours[:1])[0], *cities),
            partial(self._work, 0),
        ]

    def tour(self, index: int) -> np.ndarray:
        """See `CpuPopulation.tour`."""
        order, position = np.zeros((2, self._links.shape[1]), np.int32)
        walk(self._links[index], order, position)
        return unpair(order) if self._directed else order

    def _adopt(self, tours: np.ndarray) -> None:
        self._links = find_tour_neighbours(pair(tours) if self._directed else tours)
        self._new = np.zeros_like(self._links)

    def _current(self) -> tuple[np.ndarray, bool]:
        return unpair_links(self._links) if self._directed else self._links, True

    def _is_over(self) -> bool:
        """Return whether no pair had a child, or no child has survived for many generations."""
        return not self.child_counts.any() or self.still >= _STALE_GENERATIONS

    def _cross(self) -> Generator[None, None, None]:
        if self._breeding.terms.size:
            yield from count_edges(self._team, self._links, self._breeding.frequencies)
        yield from self._team.distribute(
            self._work, self.m, self._pairs(), [crossing.span for crossing in self._crossings]
        )

    def _work(self, worker: int) -> None:
        cross_pairs(
            self._breeding, self._links, self.lengths, self.sequence, self.stream, self._new, self.new_lengths,
            self.child_counts, self._crossings[worker], WORK,
        )  # fmt: skip

    def _replace(self) -> None:
        self._links, self._new = self._new, self._links


def _check_spread(name: str, distances: np.ndarray) -> None:
    """Raise an error if an exchange of two edges that removes a fixed edge could shorten a tour."""
    if (spread := int(distances.max()) - int(distances.min())) >= (most := -FIXED // 4):
        raise InstanceTooLarge(
            f"{name} has directed distances that differ by {spread:,}; edge assembly takes differences below "
            f"{most:,}: scale the distances down, or use order crossover."
        )
