"""The chart of compared runs and its description."""

from typing import NamedTuple

import numpy as np

from components.figures.canvas import Figure
from components.figures.studies import FLOOR, Curve, curves_figure, empty_figure
from components.library.curves import RunCurve, sample_at
from components.shell import facts
from components.shell.numbers import THIN, format_gap, format_integer, format_measure
from components.shell.texts import library as text
from runs.library.service import Entry

#: Maximum number of sample times of the lines.
MAX_MOMENTS = 600
#: First second on a logarithmic axis.
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
    return figure, _description(runs, drawn_runs, gaps, log, thinned)


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


def _description(runs: list[ComparedRun], drawn: list[ComparedRun], gaps: bool, log: bool, thinned: int) -> str:
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
