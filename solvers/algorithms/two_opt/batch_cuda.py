"""The result of a 2-opt launch on a GPU."""

from dataclasses import dataclass

import numpy as np


@dataclass(slots=True, eq=False)
class LaunchResult:
    """The result of a launch, covering the work since the previous one.

    Attributes
    ----------
    first : int
    length, moves, scans : ndarray, shape (k,), int64
        Results of the finished climbers `first` to `first` + k - 1; the next climber has not finished. A scan evaluates
        all (n - 1)(n - 2) / 2 moves.
    best_climber, best_length : int
        The best finished climber, ties by the lowest index; -1 if there is none. Its index may exceed the indices of
        `length`.
    best_order : ndarray, shape (n,), int32
        The tour of the best climber.
    i, j, delta : ndarray, shape (m,), int32
        Moves of the recorded climber.
    seconds : float
        Duration of the launch.
    scan_count : int
        Number of scans of all climbers so far, including running ones.
    part : int
        Index of the device among those that share the climbers.
    recorded : int
        The recorded climber.
    has_ended : bool
        Whether the recorded climber has finished; not set for climber 0, whose end shows in `length`.
    """

    first: int
    length: np.ndarray
    moves: np.ndarray
    scans: np.ndarray
    best_climber: int
    best_length: int
    best_order: np.ndarray
    i: np.ndarray
    j: np.ndarray
    delta: np.ndarray
    seconds: float
    scan_count: int
    part: int = 0
    recorded: int = 0
    has_ended: bool = False
