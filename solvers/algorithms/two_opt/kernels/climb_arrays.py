"""The arrays of 2-opt climbs on a GPU, by name: every climbing kernel takes these tuples of device arrays."""

from typing import NamedTuple

import numpy as np


class Problem(NamedTuple):
    """The data shared by all climbers.

    Attributes
    ----------
    points : ndarray, shape (n, 2), float64
        Coordinates; (0, 2) if the kernel reads a matrix.
    matrix : ndarray, shape (n * n,), int32
        Distances; empty if the kernel computes them.
    table : ndarray, shape ((n - 1)(n - 2) / 2,), int32
        The pair of positions of each move; empty if the kernel reads no such table.
    start : ndarray, shape (n,), int32
        The start tour of climber 0; empty for a random one.
    seed : uint64
    """

    points: np.ndarray
    matrix: np.ndarray
    table: np.ndarray
    start: np.ndarray
    seed: np.uint64


class Slots(NamedTuple):
    """The climbers that run at the same time, and the best tour of each slot; changed in place.

    Attributes
    ----------
    climber : ndarray, shape (slots,), int64
        Index of the climber in each slot; -1 if the slot is free.
    order : ndarray, shape (slots, n), int32
        The climbers' tours. With one climber per thread, the shape is (words * slots,), ordered by position first, so
        that the threads of a warp read contiguous words.
    moves, scans : ndarray, shape (slots,), int32
        Number of moves and of scans that each climber has made so far.
    best_length, best_climber : ndarray, shape (slots,), int64
        Length of the best tour that each slot has found, and the climber that found it.
    best_order : ndarray, shape (slots, n), int32
        The best tour that each slot has found.
    scratch : ndarray, shape (slots, words), int32
        Working memory. With one climber per thread, the shape is (`thread_cuda.STATE`, slots).
    """

    climber: np.ndarray
    order: np.ndarray
    moves: np.ndarray
    scans: np.ndarray
    best_length: np.ndarray
    best_climber: np.ndarray
    best_order: np.ndarray
    scratch: np.ndarray


class Results(NamedTuple):
    """The results of finished climbers; entry 0 belongs to the GPU's first climber.

    Attributes
    ----------
    length : ndarray, shape (k,), int64
    moves, scans : ndarray, shape (k,), int32
    """

    length: np.ndarray
    moves: np.ndarray
    scans: np.ndarray


class Recording(NamedTuple):
    """The recorded climber's moves since the last launch.

    Attributes
    ----------
    i, j, delta : ndarray, shape (m,), int32
    move_count : ndarray, shape (1,), int32
        Number of recorded moves.
    """

    i: np.ndarray
    j: np.ndarray
    delta: np.ndarray
    move_count: np.ndarray
