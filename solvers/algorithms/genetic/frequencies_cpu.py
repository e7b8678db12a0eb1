"""Edge frequencies counted by a team of threads. Imports Numba: for use inside `solve()`."""

from collections.abc import Generator

import numpy as np

from solvers.algorithms.genetic.kernels.edge_frequency_cpu import Frequencies, count_frequencies
from solvers.parallel.thread_team import ThreadTeam

#: Minimum number of edges per thread, since waking one takes about 50 microseconds; maximum number in a piece of work.
_WORKER_EDGES, _PIECE_EDGES = 50_000, 1 << 20


def count_edges(team: ThreadTeam, links: np.ndarray, frequencies: Frequencies) -> Generator[None, None, None]:
    """Count the edges of tours (m, n, 2); yield after each slice."""
    m, n, _ = links.shape
    workers = max(1, min(team.threads, m * n // _WORKER_EDGES))
    piece = min(_PIECE_EDGES // m, -(-n // workers))
    yield from team.share(lambda first, last: count_frequencies(links, first, last, frequencies), n, piece, workers)
