"""Logs as step functions: each run's length at points of an axis, and the point at which it first reached a length."""

from collections.abc import Callable

import numpy as np

from studies.stats.table import Table

_NO_LENGTH = np.iinfo(np.int64).max


def sample_lengths(table: Table, axis: str, x: np.ndarray) -> np.ndarray:
    """Return every run's length at every point: the length of its last improvement so far.

    Parameters
    ----------
    axis : str
        One of `studies.stats.logs.AXES`.
    x : ndarray, shape (g,)
        Ascending points.

    Returns
    -------
    ndarray, shape (r, g), int64
        Lengths; 0 before a run's first tour. A run that has ended keeps its last length.
    """
    first = np.searchsorted(x, getattr(table.logs, axis), side="left")  # the first point at or after the improvement
    run, lengths = table.logs.run, np.full((table.runs.length.size, x.size + 1), _NO_LENGTH)
    key = run * (x.size + 1) + first
    last = np.concatenate([key[1:] != key[:-1], [True]])[: key.size]
    lengths[run[last], first[last]] = table.logs.length[last]
    lengths = np.minimum.accumulate(lengths[:, :-1], axis=1)
    return np.where(lengths == _NO_LENGTH, 0, lengths)


def lengths_at(table: Table, axis: str, x: float) -> np.ndarray:
    """Return every run's length at one point, (r,) int64; 0 where it had no tour yet."""
    column, length = getattr(table.logs, axis), table.logs.length
    if not length.size:
        return np.zeros(table.runs.length.size, np.int64)
    after = _bisect(table, 1, lambda rows: column[rows] <= x)[:, 0]
    has_value = after > table.logs.offsets[:-1]
    return np.where(has_value, length[np.where(has_value, after - 1, 0)], 0)


def lengths_at_budget(table: Table, axis: str = "seconds", budget: float = np.inf) -> np.ndarray:
    """Return every run's length at a budget, by default at its end, (r,) int64; 0 where it had no tour yet."""
    return table.runs.length if budget == np.inf else lengths_at(table, axis, budget)


def find_first_reached(table: Table, axis: str, targets: np.ndarray) -> np.ndarray:
    """Return where each run first reached each target of its instance.

    Parameters
    ----------
    targets : ndarray, shape (i, t), int64
        Target lengths of every instance.

    Returns
    -------
    ndarray, shape (r, t), float64
        Positions; infinite where the target was not reached.
    """
    column, length, target = getattr(table.logs, axis), table.logs.length, targets[table.runs.instance]
    if not length.size:
        return np.full(target.shape, np.inf)
    first = _bisect(table, targets.shape[1], lambda rows: length[rows] > target)
    is_reached = first < table.logs.offsets[1:, None]
    return np.where(is_reached, column[np.where(is_reached, first, 0)], np.inf)


def _bisect(table: Table, columns: int, before: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """Find each run's first row where `before` is false, or one past its last row, by bisection.

    Parameters
    ----------
    table : Table
    columns : int
        Number of searches in each run.
    before : callable
        Predicate for rows, shape (r, columns); in each run it holds up to some row, and not after it.
    """
    offsets = table.logs.offsets
    low, high = (np.repeat(bound[:, None], columns, axis=1) for bound in (offsets[:-1], offsets[1:]))
    for _ in range(int(np.diff(offsets).max(initial=0)).bit_length()):
        middle = (low + high) // 2
        active = low < high
        is_before = active & before(np.where(active, middle, 0))
        low, high = np.where(is_before, middle + 1, low), np.where(active & ~is_before, middle, high)
    return low
