"""Heatmaps of the trails, rendered in separate threads while the colony works."""

from collections import deque
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Self

import numpy as np

from data.instance import Instance
from solvers.algorithms.ants.kernels.heatmap_cpu import block_means, min_positive, strongest
from solvers.algorithms.ants.sparse_trails import SparseTrails
from solvers.core.devices import cpu_threads
from solvers.core.events import Field

#: Maximum number of blocks along a side of the heatmap, and maximum number of listed edges.
BLOCKS, EDGES = 256, 2000
#: The lower end of the colour scale is at least this share of the strongest trail; weaker trails are black.
_RANGE = 1e-6
#: Maximum number of rendering threads, each of which uses several cores. At most one heatmap waits for a thread.
_THREADS = 4


class HeatmapRenderer:
    """Renders trail heatmaps in the order requested.

    Parameters
    ----------
    instance : Instance
    """

    def __init__(self, instance: Instance) -> None:
        self._optimal = instance.optimal_tour
        self._pictures: deque[Future[Field]] = deque()
        self._threads = max(1, min(_THREADS, cpu_threads() // _THREADS))
        self._pool = ThreadPoolExecutor(self._threads)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def draw(self, iteration: int, trails: np.ndarray | SparseTrails, best_order: np.ndarray | None) -> None:
        """Start rendering a heatmap.

        Parameters
        ----------
        iteration : int
            Counted from 1; 0 stands for the time before the first.
        trails : ndarray, shape (n, n), float32, or SparseTrails
            Symmetric and not negative; must not be changed afterwards.
        best_order : ndarray, shape (n,), int32, or None
            The best tour so far, which orders rows and columns unless the optimal tour is known.
        """
        order = self._optimal if self._optimal is not None else best_order
        n = trails.n if isinstance(trails, SparseTrails) else len(trails)
        order = np.arange(n) if order is None else order
        self._pictures.append(self._pool.submit(compute_field, iteration, trails, order.astype(np.int32)))

    def is_full(self, seconds: float) -> bool:
        """Wait up to `seconds` until another heatmap may start; return whether none may yet."""
        waiting = [picture for picture in self._pictures if not picture.done()]
        if len(waiting) <= self._threads:
            return False
        wait(waiting, seconds, FIRST_COMPLETED)
        return not waiting[0].done()

    def take_finished(self) -> Iterator[Field]:
        """Yield the finished heatmaps in order, without waiting."""
        while self._pictures and self._pictures[0].done():
            yield self._pictures.popleft().result()

    def wait_for_all(self) -> Iterator[Field]:
        """Wait for all pending heatmaps and yield them in order."""
        while self._pictures:
            yield self._pictures.popleft().result()


def load() -> None:
    """Compile or load the kernels in advance, so that no heatmap has to wait for them."""
    compute_field(0, np.ones((2, 2), np.float32) - np.eye(2, dtype=np.float32), np.arange(2, dtype=np.int32))


def compute_field(iteration: int, trails: np.ndarray | SparseTrails, order: np.ndarray) -> Field:
    """Compute a heatmap.

    Parameters
    ----------
    iteration : int
    trails : ndarray, shape (n, n), float32, or SparseTrails
        See `HeatmapRenderer.draw`.
    order : ndarray, shape (n,), int32
        The cities, in the order of rows and columns.

    Returns
    -------
    Field
    """
    if isinstance(trails, SparseTrails):
        (edges, trail), minimum = trails.strongest(EDGES), trails.minimum()
        high = float(trail[0]) if trail.size else minimum or 1.0
    else:
        bits = trails.view(np.int32)
        edges, trail = find_strongest_edges(bits)
        minimum = float(np.array([min_positive(bits)], np.int32).view(np.float32)[0])
        high = float(trail[0]) if trail.size and trail[0] > 0.0 else 1.0
    low = max(minimum, high * _RANGE) if minimum > 0.0 else high
    return Field(
        iteration, low, high, _scale_to_bytes(_compute_block_means(trails, order), low, high), order, edges, trail
    )


def find_strongest_edges(bits: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Find the edges with the strongest trails.

    Parameters
    ----------
    bits : ndarray, shape (n, n), int32
        The trails' bits.

    Returns
    -------
    ndarray, shape (e, 2), int32
        The edges, the strongest first.
    ndarray, shape (e,), float32
        Their trails.
    """
    n = len(bits)
    e = min(EDGES, n * (n - 1) // 2)
    edges, values = np.empty((e, 2), np.int32), np.empty(e, np.int32)
    if e:
        strongest(bits, edges, values)
    order = np.argsort(-values, kind="stable")
    return edges[order], values[order].view(np.float32)


def _compute_block_means(trails: np.ndarray | SparseTrails, order: np.ndarray) -> np.ndarray:
    """Compute the mean trail between each two blocks of cities, (b, b) float64."""
    n = len(order)
    b = min(BLOCKS, n)
    starts = np.arange(b + 1, dtype=np.int64) * n // b
    block = np.empty(n, np.int32)
    block[order] = np.repeat(np.arange(b, dtype=np.int32), np.diff(starts))
    if isinstance(trails, SparseTrails):
        return trails.block_means(block, np.diff(starts))
    means = np.empty((b, b))
    block_means(trails, block, np.diff(starts), means)
    return means


def _scale_to_bytes(means: np.ndarray, low: float, high: float) -> np.ndarray:
    """Map mean trails from `low` to `high` to 0..255 on a logarithmic scale, (b, b) uint8."""
    share = np.log(np.maximum(means, low) / low) / np.log(high / low) if high > low else np.ones_like(means)
    return np.where(means >= low, np.rint(255.0 * np.minimum(share, 1.0)), 0.0).astype(np.uint8)
