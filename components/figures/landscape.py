"""Charts of a landscape: tours' gaps against distances, and a random walk's autocorrelation."""

from collections.abc import Sequence

import numpy as np

from components.figures.canvas import LINE, MUTED, Figure, Part, bare_layout
from components.figures.studies import pack_array
from components.shell import palette
from components.shell.numbers import THIN, decimal_mark
from components.shell.texts import study as text
from studies.stats.landscape import Autocorrelation

#: Maximum number of points of all entries together.
POINTS = 3000


def _layout(x: str, y: str, suffix: str = "") -> Part:
    axis: Part = {
        "gridcolor": LINE, "linecolor": LINE, "zeroline": False, "ticks": "", "fixedrange": True, "nticks": 7,
        "separatethousands": True, "automargin": True,
    }  # fmt: skip
    titles = [{"title": {"text": label, "standoff": 6, "font": {"size": 11}}} for label in (x, y)]
    return bare_layout(
        margin={"l": 66, "r": 24, "t": 8, "b": 42}, separators=f"{decimal_mark()}{THIN}", hovermode="closest",
        xaxis=axis | titles[0], yaxis=axis | titles[1] | {"ticksuffix": suffix},
    )  # fmt: skip


def distance_figure(
    points: Sequence[tuple[dict[str, str], np.ndarray, np.ndarray]], titles: tuple[str, str], suffix: str, dark: bool
) -> Figure:
    """Draw each entry's points.

    Parameters
    ----------
    points : sequence of (dict, ndarray, ndarray)
        Style of the entry, see `components.study.entries.series_style`, with its x and y; at most `POINTS` in total.
    titles : (str, str)
        Titles of the axes.
    suffix : str
        Suffix of the numbers on the y axis.
    dark : bool
    """
    data = [
        {
            "type": "scatter", "mode": "markers", "x": pack_array(x), "y": pack_array(y),
            "name": f"{style['letter']} {style['title']}",
            "marker": {"size": 6, "opacity": 0.6, "color": palette.find_shade(style["algorithm"], dark)},
            "hovertemplate": f"{style['letter']}: %{{x}}, %{{y:.2f}}{suffix}<extra></extra>",
        }
        for style, x, y in points
    ]  # fmt: skip
    return {"data": data, "layout": _layout(*titles, suffix)}


def walk_figure(walk: Autocorrelation, dark: bool) -> Figure:
    """Draw a walk's autocorrelation, and the mean over all walks."""
    layout = _layout(text("landscape.axis.lag"), text("landscape.axis.autocorrelation"))
    layout |= {"showlegend": True, "legend": {"x": 1, "xanchor": "right", "y": 1}}
    x = pack_array(walk.lag.astype(np.float64))
    accent = "#5b9dff" if dark else "#1f6feb"
    data = [
        _line(x, walk.expected, text("landscape.expected"), {"color": MUTED, "width": 1.5, "dash": "dash"}),
        _line(x, walk.measured, text("landscape.measured"), {"color": accent, "width": 2.2}),
    ]
    return {"data": data, "layout": layout}


def _line(x: dict[str, str], y: np.ndarray, name: str, line: Part) -> Part:
    return {
        "type": "scatter", "mode": "lines", "x": x, "y": pack_array(y), "name": name, "line": line,
        "hovertemplate": "%{x}: %{y:.3f}<extra></extra>",
    }  # fmt: skip
