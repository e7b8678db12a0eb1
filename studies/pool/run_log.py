"""A run's improvements: reduced from events, stored in the study file, read back as `studies.stats.logs.Logs`.

If a run reports its climbers one by one, the numbers of those that end near the optimum are stored too.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from solvers.core.events import Event, Finished, Progress, Rows, Started
from studies.stats.logs import Logs

#: A row of the blob: a new best length, with the run's clock and totals at that time.
ROW = np.dtype([("seconds", "<f8"), ("evaluations", "<i8"), ("iterations", "<i8"), ("length", "<i8")])
#: Gaps in per cent within which climbers are counted.
WITHIN = (1, 2, 5)


class Improvements:
    """Reduces a run's events to its improvements."""

    def __init__(self) -> None:
        self._pieces: list[np.ndarray] = []
        self._best = np.iinfo(np.int64).max

    def take(self, event: Event) -> None:
        """Record each new best length of an event."""
        if not isinstance(event, Progress) or not event.best.size:
            return
        before = np.minimum.accumulate(np.concatenate(([self._best], event.best)))[:-1]
        improved = np.flatnonzero(event.best < before)
        if not improved.size:
            return
        piece = np.empty(improved.size, ROW)
        piece["seconds"], piece["evaluations"] = event.elapsed[improved], event.evaluations[improved]
        piece["iterations"], piece["length"] = event.iteration[improved], event.best[improved]
        self._pieces.append(piece)
        self._best = int(piece["length"][-1])

    def rows(self, end: Finished) -> np.ndarray:
        """Return all improvements, (k,) `ROW`; the last has the run's length, and none is later than its end.

        If a run is stopped during an iteration, its best tour comes after its last progress event.
        """
        pieces = list(self._pieces)
        if self._best > end.length:
            last = (end.seconds_to_best, end.evaluations, end.iterations, end.length)
            pieces.append(np.array([last], ROW))
        rows = np.concatenate(pieces)
        for name, total in (
            ("seconds", end.seconds), ("evaluations", end.evaluations), ("iterations", end.iterations),
        ):  # fmt: skip
            rows[name] = np.minimum(np.maximum.accumulate(rows[name]), total)
        return rows


class Climbs:
    """Counts climbers that end near the optimum, if reported one by one.

    Parameters
    ----------
    optimum : int or None
        Length of an optimal tour; None counts no climbers.
    """

    def __init__(self, optimum: int | None) -> None:
        self._optimum, self._variant, self._any = optimum or 0, "", False
        self._within = [0] * len(WITHIN)

    def take(self, event: Event) -> None:
        """Record the run's variant, and the gaps of an event's climbers."""
        if isinstance(event, Started):
            self._variant = event.variant
        elif isinstance(event, Rows):
            self._any = True
            for k, percent in enumerate(WITHIN):
                self._within[k] += int((100 * event.length <= (100 + percent) * self._optimum).sum())

    def as_result(self) -> dict[str, Any]:
        """Return the result's field ``climbs``: the variant, and a count for each of `WITHIN`."""
        return {"climbs": {"variant": self._variant, "within": self._within}} if self._any else {}


def decode_logs(blobs: Sequence[bytes]) -> Logs:
    """Decode the logs of a study file's runs in order, without improvements to length 0.

    Raises
    ------
    ValueError
        If a log is truncated.
    """
    if any(len(blob) % ROW.itemsize for blob in blobs):
        raise ValueError("A log ends in the middle of a row.")
    rows = np.frombuffer(b"".join(blobs), ROW)
    counts = [len(blob) // ROW.itemsize for blob in blobs]
    offsets = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
    if rows.size and rows["length"].min() == 0:
        positive = rows["length"] > 0
        offsets = np.concatenate([[0], np.cumsum(positive)])[offsets]
        rows = rows[positive]
    return Logs(offsets, *(np.ascontiguousarray(rows[name]) for name in ROW.names or ()))
