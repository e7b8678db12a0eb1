"""The result of a 2-opt launch on a GPU."""

from dataclasses import dataclass

import numpy as np


@dataclass(slots=True, eq=False)
class LaunchResult:
    """The result of a launch: what has happened since the result before.

    Attributes
    ----------
    first : int
    length, moves, scans : ndarray, shape (k,), int64
        Results of the finished climbers `first` to `first` + k - 1; the next climber has not finished. A scan evaluates
        all (n - 1)(n - 2) / 2 moves.
    best_climber, best_length : int
        The best finished climber, and the length of its tour; -1 if there is none, ties go to the lowest index. It may
        come after the climbers in `length`.
    best_order : ndarray, shape (n,), int32
        The tour of the best climber.
    i, j, delta : ndarray, shape (m,), int32
        Moves of the recorded climber since the result before.
    seconds : float
        Duration of the launch.
    scan_count : int
        Number of scans that all climbers, including running ones, have made so far.
    part : int
        Index of the device among those among which the climbers are divided.
    recorded : int
        The recorded climber.
    has_ended : bool
        Whether the recorded climber has finished; only set if several climbers are recorded in turn.
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
