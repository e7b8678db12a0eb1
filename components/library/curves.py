"""A run's best length over time, read from its file."""

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from data.sqlite_files import read_stamp
from runs.library.files import find_last_change
from runs.store.clock import RunClock
from runs.store.home import PROOFS
from runs.store.reader import RunReader
from solvers.worker.frames import decode, decode_instance

_KINDS = ("compiling", "started", "progress", "state", "finished")
_CACHED = 64


class RunCurve(NamedTuple):
    """A run's best length over time.

    Attributes
    ----------
    seconds : ndarray, shape (k,), float64
        Run time of each improvement, ascending.
    length : ndarray, shape (k,), int64
        Best length after each improvement, descending.
    end : float
        Duration of the run.
    instance : str
        Name of the instance.
    sha256 : str
        Hash of the instance, which identifies its distances.
    optimum : int or None
        Length of the optimal or best known tour.
    proven : bool
        Whether `optimum` is proven.
    """

    seconds: np.ndarray
    length: np.ndarray
    end: float
    instance: str
    sha256: str
    optimum: int | None
    proven: bool

    def gap(self) -> np.ndarray:
        """Return the gap in per cent above the reference, (k,); NaN without `gaps`."""
        return 100 * (self.length - self.optimum) / self.optimum if self.gaps else np.full(self.length.size, np.nan)

    @property
    def gaps(self) -> bool:
        """Whether gaps to a reference exist; see `data.gaps.gap_percent`."""
        return self.optimum is not None and self.optimum > 0


def read_curve(path: Path) -> RunCurve:
    """Read a run file's curve, cached until the file changes or an optimum is proven.

    Raises
    ------
    ValueError, sqlite3.Error, OSError
        If the file cannot be read.
    """
    return _read_curve(path, (*read_stamp(path), find_last_change(path.parent.parent / PROOFS)))


@lru_cache(_CACHED)
def _read_curve(path: Path, _version: tuple[tuple[int, int] | int, ...]) -> RunCurve:
    clock, seconds, lengths, end = RunClock(), [np.empty(0)], [np.empty(0, np.int64)], 0.0
    with RunReader(path) as reader:
        instance = decode_instance(decode(reader.instance()))
        for raw in reader.all_frames(_KINDS):
            frame = decode(raw)
            end = clock.follow(frame)
            if frame.kind == "progress":
                seconds.append(frame.arrays["elapsed"])
                lengths.append(frame.arrays["best"])
            elif frame.kind == "finished":
                seconds.append(np.array([frame.values["seconds_to_best"]], float))
                lengths.append(np.array([frame.values["length"]], np.int64))
    times, best = find_improvements(np.concatenate(seconds), np.concatenate(lengths))
    return RunCurve(times, best, end, instance.name, instance.sha256, instance.optimum, instance.proven)


def find_improvements(seconds: np.ndarray, length: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the improvements among lengths at given seconds, in any order."""
    order = np.lexsort((length, seconds))
    seconds, length = seconds[order], length[order]
    least = np.minimum.accumulate(length)
    new = np.flatnonzero(np.diff(least, prepend=least[:1] + 1) < 0) if least.size else np.empty(0, int)
    return seconds[new], length[new]


def sample_at(run: RunCurve, values: np.ndarray, moments: np.ndarray) -> np.ndarray:
    """Return the value at each time in `moments`; NaN before the first tour and after the end."""
    index = np.searchsorted(run.seconds, moments, side="right") - 1
    gaps = np.where(index >= 0, values[np.maximum(index, 0)] if values.size else np.nan, np.nan).astype(float)
    return np.where(moments <= run.end, gaps, np.nan)
