"""A study's chart of time and throughput: medians with the middle half of the runs, over any axis."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from components.figures.canvas import CLEAR, LINE, Figure, Part, bare_layout, choose_log_ticks
from components.figures.studies import format_value, make_translucent, pack_array
from components.shell import palette
from components.shell.numbers import THIN, decimal_mark, format_measure, format_si
from components.shell.texts import study as text

#: Maximum number of values of x that each get a tick.
_TICKS = 10


@dataclass(frozen=True, slots=True)
class RateLine:
    """A line of the chart.

    Attributes
    ----------
    style : dict
        Style of its first entry, see `components.study.entries.series_style`.
    letters : tuple of str
        Letter of each point's entry.
    x, lower, median, upper : ndarray, shape (p,)
    """

    style: dict[str, str]
    letters: tuple[str, ...]
    x: np.ndarray
    lower: np.ndarray
    median: np.ndarray
    upper: np.ndarray


def rates_figure(lines: Sequence[RateLine], titles: tuple[str, str], log: tuple[bool, bool], dark: bool) -> Figure:
    """Draw medians with their quartiles.

    Parameters
    ----------
    lines : sequence of RateLine
        At least one.
    titles : (str, str)
        Titles of the axes.
    log : (bool, bool)
        Whether the axes should be logarithmic; ignored for axes with values that are not positive.
    dark : bool
    """
    axis: Part = {
        "gridcolor": LINE, "linecolor": LINE, "zeroline": False, "ticks": "", "fixedrange": True, "nticks": 7,
        "exponentformat": "SI", "separatethousands": True,
    }  # fmt: skip
    x, y = (axis | {"title": {"text": title, "standoff": 6, "font": {"size": 11}}} for title in titles)
    values = np.unique(np.concatenate([line.x for line in lines]))
    x |= {"showgrid": False, "type": _kind(log[0], values)}
    low, high = (np.concatenate([getattr(line, name) for line in lines]) for name in ("lower", "upper"))
    y |= {"type": _kind(log[1], low)}
    if y["type"] == "linear":
        y["rangemode"] = "tozero"
    else:
        ticks = choose_log_ticks([float(low.min()), float(high.max())])
        y |= {"tickmode": "array", "tickvals": ticks, "ticktext": [_format_tick(tick) for tick in ticks]}
    if values.size <= _TICKS:
        x |= {"tickmode": "array", "tickvals": values.tolist(), "ticktext": [format_value(value) for value in values]}
    layout = bare_layout(
        margin={"l": 66, "r": 34, "t": 8, "b": 42},
        separators=f"{decimal_mark()}{THIN}",
        xaxis=x,
        yaxis=y,
        hovermode="closest",
    )
    return {"data": [trace for line in lines for trace in _traces(line, titles[0], dark)], "layout": layout}


def _kind(log: bool, values: np.ndarray) -> str:
    return "log" if log and (values > 0).all() else "linear"


def _format_tick(value: float) -> str:
    return format_si(value) if value >= 1e3 else format_measure(value)


def _traces(line: RateLine, over: str, dark: bool) -> list[Part]:
    colour, x = palette.find_shade(line.style["algorithm"], dark), pack_array(line.x)
    letters = [*dict.fromkeys(line.letters)]
    name = f"{line.style['letter']} {line.style['title']}" if len(letters) == 1 else ", ".join(letters)
    last = len(line.letters) - 1  # the letter of a single entry is at the end of its line
    labels = [letter if k == last or len(letters) > 1 else "" for k, letter in enumerate(line.letters)]
    edge: Part = {
        "type": "scatter", "x": x, "mode": "lines", "line": {"width": 0, "color": CLEAR}, "hoverinfo": "skip",
    }  # fmt: skip
    return [
        edge | {"y": pack_array(line.upper), "name": text("rates.upper", entry=name)},
        edge | {
            "y": pack_array(line.lower), "name": text("rates.lower", entry=name), "fill": "tonexty",
            "fillcolor": make_translucent(colour),
        },
        {
            "type": "scatter", "x": x, "y": pack_array(line.median), "name": name, "mode": "lines+markers+text",
            "text": labels, "textposition": "top center", "textfont": {"color": colour},
            "marker": {"size": 7, "color": colour},
            "line": {"color": colour, "width": 2.2, "dash": line.style["dash"]},
            "hovertemplate": f"{text('rates.hover', y='%{y:.4~s}', x='%{x:~s}', over=over)}<extra></extra>",
        },
    ]  # fmt: skip
