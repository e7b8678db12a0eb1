"""A study over a parameter as a curve: median gap per value, with quartiles as a band."""

from collections.abc import Mapping

import numpy as np

from components.figures.canvas import Figure
from components.figures.studies import Swept, empty_figure, format_value, sweep_figure
from components.shell import facts
from components.shell.texts import study as text
from components.study.matrix import format_gap
from runs.translation import translate
from solvers import find
from studies.spec.spec import Entry, StudySpec
from studies.stats.quantiles import compute_quantiles
from studies.stats.sweep import find_sweep

_HIDDEN, _VISIBLE = "studies-sweep none", "studies-sweep"
#: Maximum number of values listed in the description.
_NAMED = 8


def parameter_label(entries: tuple[Entry, ...], name: str) -> str:
    """Return a parameter's label in the form."""
    for stage in (stage for entry in entries for stage in entry.stages):
        for declared in find(stage.algorithm).params.schema():
            if declared.name == name:
                return translate(declared.label)
    return name


def draw(
    spec: StudySpec, gaps: Mapping[int, np.ndarray], styles: list[dict[str, str]], at: str, *, log: bool, dark: bool
) -> tuple[Figure, str, str, str]:
    """Return the chart, description, title and its element's classes, hidden if no parameter varies.

    Parameters
    ----------
    spec : StudySpec
    gaps : mapping of int to ndarray
        Gaps of every entry's runs, in per cent, by the entry's code.
    styles : list of dict
        Styles of the entries.
    at : str
        Budget at which the gaps are taken, in words.
    log, dark : bool
    """
    sweep = find_sweep(spec.entries)
    lines = [] if sweep is None else [line for each in sweep.lines if (line := _build_line(each, gaps, styles))]
    if sweep is None or not lines:
        return empty_figure(), "", "", _HIDDEN
    label = parameter_label(spec.entries, sweep.name)
    figure = sweep_figure(lines, facts.lower_label(label), log=log, dark=dark)
    return (
        figure,
        _description(lines, at, len(styles)),
        text("sweep.title", parameter=facts.lower_label(label)),
        _VISIBLE,
    )


def _build_line(line: tuple[tuple[float, int], ...], gaps: Mapping[int, np.ndarray], styles: list) -> Swept | None:
    finished = [(value, entry) for value, entry in line if entry in gaps]
    if not finished:
        return None
    lower, median, upper = np.array([compute_quantiles(gaps[entry]) for _, entry in finished]).T
    letters = tuple(styles[entry]["letter"] for _, entry in finished)
    return Swept(styles[finished[0][1]], letters, np.array([value for value, _ in finished]), median, lower, upper)


def _description(lines: list[Swept], at: str, entries: int) -> str:
    """Describe the medians, and each line's best value."""
    texts = []
    for line in lines:
        medians = zip(line.x.tolist(), line.median.tolist(), strict=True)
        pairs = [f"{format_value(value)}: {format_gap(gap)}" for value, gap in medians]
        more = [text("sweep.unnamed", count=len(pairs) - _NAMED)] if len(pairs) > _NAMED else []
        named = ", ".join([*pairs[:_NAMED], *more])
        if np.isfinite(line.median).any():
            named = text("sweep.least", medians=named, value=format_value(line.x[np.nanargmin(line.median)]))
        texts.append(named)
    others = entries - sum(line.x.size for line in lines)
    summary = text("sweep.medians", at=at, medians="; ".join(texts))
    return f"{summary} {text('sweep.others', count=others)}" if others else summary
