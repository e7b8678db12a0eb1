"""The chart of compared runs and its description."""

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from components.figures.canvas import Figure
from components.figures.studies import FLOOR, Curve, curves_figure, empty_figure
from components.shell import facts
from components.shell.numbers import THIN, format_gap, format_integer, format_measure
from components.shell.texts import library as text
from data.sqlite_files import read_stamp
from runs.library.files import find_last_change
from runs.library.service import Entry
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


#: Maximum number of sample times of the lines.
MAX_MOMENTS = 600
#: Smallest number of seconds on a logarithmic axis.
_FIRST = 1e-6


class ComparedRun(NamedTuple):
    """A compared run."""

    entry: Entry
    curve: RunCurve
    seed: int
    style: dict[str, str]


def draw(runs: list[ComparedRun], log: bool, dark: bool) -> tuple[Figure, str]:
    """Return chart and description: gaps if a reference is known, else lengths on a single instance."""
    gaps = any(run.curve.gaps for run in runs)
    drawn_runs = [run for run in runs if run.curve.seconds.size and (run.curve.gaps or not gaps)]
    if not gaps and len({run.curve.sha256 for run in runs}) > 1:
        return empty_figure(), text("chart.lengths")
    if not drawn_runs:
        return empty_figure(), text("chart.none")
    moments, thinned = sample_times([run.curve for run in drawn_runs])
    values = [run.curve.gap() if gaps else run.curve.length for run in drawn_runs]
    lines = [
        Curve(run.style, sample_at(run.curve, value, moments)) for run, value in zip(drawn_runs, values, strict=True)
    ]
    titles = (text("chart.axis.seconds"), text("chart.axis.gap" if gaps else "chart.axis.length"))
    suffix = f"{THIN}%" if gaps else ""
    figure = curves_figure(moments, lines, titles, log=log and gaps, suffix=suffix, dark=dark)
    return figure, _describe(runs, drawn_runs, gaps, log, thinned)


def sample_times(curves: list[RunCurve]) -> tuple[np.ndarray, int]:
    """Return the times to draw: every step or, if too many, evenly spaced on the axis.

    Returns
    -------
    (ndarray, int)
        Ascending seconds, and the number of steps that are not drawn individually, 0 if all are.
    """
    ends = np.maximum([curve.end for curve in curves], _FIRST)
    steps = np.unique(np.maximum(np.concatenate([curve.seconds for curve in curves]), _FIRST))
    if steps.size <= MAX_MOMENTS:
        return np.unique(np.concatenate([steps, ends])), 0
    even = np.geomspace(steps[0], max(ends.max(), steps[-1]), MAX_MOMENTS)
    return np.unique(np.concatenate([even, ends])), int(steps.size)


def _describe(runs: list[ComparedRun], drawn: list[ComparedRun], gaps: bool, log: bool, thinned: int) -> str:
    ends = ", ".join(f"{run.style['letter']} {format_result(run.curve, gaps)}" for run in drawn)
    sentences = [text("chart.end", results=ends)]
    left = [run.style["letter"] for run in runs if run not in drawn]
    if left:
        sentences.append(text("chart.left", letters=", ".join(left)))
    if thinned:
        sentences.append(text("chart.thinned", most=MAX_MOMENTS, count=thinned))
    if log and gaps:
        sentences.append(text("chart.floor", gap=f"{format_measure(FLOOR)}{THIN}%"))
    return " ".join(sentences)


def format_result(run: RunCurve, gaps: bool) -> str:
    """Format a run's best gap or length; empty without a tour."""
    if not run.length.size:
        return ""
    length = int(run.length[-1])
    if not gaps or run.optimum is None:
        return format_integer(length)
    return facts.format_gap(0.0, run.proven) if length == run.optimum else format_gap(length, run.optimum)
