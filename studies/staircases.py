"""Reading logs as staircases: the length of every run at places of an axis, and when it first reached a length."""

import numpy as np

from studies.table import Table

_NONE = np.iinfo(np.int64).max


def lengths_on(table: Table, axis: str, x: np.ndarray) -> np.ndarray:
    """Length of every run at every place: that of the last improvement at or before it.

    Parameters
    ----------
    axis : str
        One of `studies.logs.AXES`.
    x : ndarray, shape (g,)
        Rising.

    Returns
    -------
    ndarray, shape (r, g), int64
        0 before a run's first tour. A run that has ended keeps its last length.
    """
    first = np.searchsorted(x, getattr(table.logs, axis), side="left")  # the first place that sees the improvement
    run, lengths = table.logs.run, np.full((table.runs.length.size, x.size + 1), _NONE)
    key = run * (x.size + 1) + first
    last = np.concatenate([key[1:] != key[:-1], [True]])[: key.size]
    lengths[run[last], first[last]] = table.logs.length[last]
    lengths = np.minimum.accumulate(lengths[:, :-1], axis=1)
    return np.where(lengths == _NONE, 0, lengths)


def lengths_at(table: Table, axis: str, x: float) -> np.ndarray:
    """Length of every run at one place, shape (r,), int64; 0 where it had no tour yet."""
    return lengths_on(table, axis, np.array([x]))[:, 0]


def first_reached(table: Table, axis: str, targets: np.ndarray) -> np.ndarray:
    """Where every run first was at most as long as each target of its instance.

    Parameters
    ----------
    targets : ndarray, shape (i, t), int64
        Of every instance, falling along t.

    Returns
    -------
    ndarray, shape (r, t), float64
        Infinite where it never was.
    """
    run, count = table.logs.run, targets.shape[1]
    instance, hardest = table.runs.instance[run], np.empty(run.size, np.int64)
    for code in np.unique(table.runs.instance):
        rows = instance == code  # how many of the targets, the easiest first, an improvement reaches
        hardest[rows] = np.searchsorted(-targets[code], -table.logs.length[rows], side="right")
    reached = np.full((table.runs.length.size, count + 1), np.inf)
    key = run * (count + 1) + hardest
    first = np.concatenate([[True], key[1:] != key[:-1]])[: key.size]
    reached[run[first], hardest[first]] = getattr(table.logs, axis)[first]
    return np.minimum.accumulate(reached[:, :0:-1], axis=1)[:, ::-1]
