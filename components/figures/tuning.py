"""A tuning study's chart: every trial's mean gap, and the best so far."""

from collections.abc import Sequence

import numpy as np

from components.figures.canvas import MUTED, Figure, Part, bare_axis, bare_layout
from components.figures.studies import pack_array
from components.shell import palette
from components.shell.numbers import THIN, decimal_mark
from components.shell.texts import study as text


def best_figure(
    complete: Sequence[tuple[int, float]], pruned: Sequence[tuple[int, float]], best: Sequence[tuple[int, float]],
    algorithm: str, dark: bool,
) -> Figure:  # fmt: skip
    """Draw the chart.

    Parameters
    ----------
    complete, pruned : sequence of (int, float)
        Number and mean gap in per cent of complete and of pruned trials.
    best : sequence of (int, float)
        Number of a trial, and the least mean gap up to it.
    algorithm : str
        The algorithm, which determines the colour.
    dark : bool
    """
    colour = palette.find_shade(algorithm, dark)
    values = [value for _, value in (*complete, *best)]
    top = max(values, default=1.0) * 1.1 or 1.0
    crosses = {"color": MUTED, "size": 7, "symbol": "x"}
    line = {"mode": "lines", "line": {"color": colour, "width": 2.2, "shape": "hv"}}
    data = [
        _points(complete, text("tuning.complete"), {"color": colour, "size": 6}),
        _points([each for each in pruned if each[1] <= top], text("tuning.pruned"), crosses),
        _points(best, text("tuning.best"), {}) | line,
    ]
    title: Part = {"standoff": 6, "font": {"size": 11}}
    x = bare_axis(8, title=title | {"text": text("tuning.trial")}, showgrid=False)
    y = bare_axis(6, title=title | {"text": text("tuning.gap")}, range=[0, top], ticksuffix=f"{THIN}%")
    layout = bare_layout(
        margin={"l": 66, "r": 34, "t": 8, "b": 42},
        separators=f"{decimal_mark()}{THIN}",
        xaxis=x,
        yaxis=y,
        hovermode="closest",
    )
    return {"data": data, "layout": layout}


def _points(pairs: Sequence[tuple[int, float]], name: str, marker: Part) -> Part:
    x, y = np.array(pairs, np.float64).reshape(-1, 2).T
    hover = f"%{{x}}: %{{y:.3f}}{THIN}%<extra>{name}</extra>"
    return {
        "type": "scatter", "mode": "markers", "x": pack_array(x), "y": pack_array(y), "marker": marker, "name": name,
        "hovertemplate": hover,
    }  # fmt: skip
