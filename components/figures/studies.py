"""A study's charts: curves over seconds or other units, and distributions at a budget.

They are plain dicts with arrays as Plotly's script expects them (``dtype`` and ``bdata``). Plotly's own classes check
every number of a list, which took 0.3 s of a first chart's 0.5 s.
"""

import base64
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from components.figures.canvas import CLEAR, MUTED, Figure, Part, bare_axis, bare_layout, choose_log_ticks
from components.shell import palette
from components.shell.numbers import THIN, decimal_mark, format_measure, format_si, format_value
from components.shell.texts import study as text
from components.types import Json

#: Gap in per cent at which smaller gaps, including 0, are drawn on a logarithmic axis.
FLOOR = 0.01
_TICKS = (0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000)
#: Maximum number of points in all strips together.
POINTS = 600
#: Maximum number of values of a parameter that each get a tick.
_VALUES = 12
_AT_MOST = "\u2264"


@dataclass(frozen=True, slots=True)
class Curve:
    """A line of a chart and its band.

    Attributes
    ----------
    style : dict
        Letter, title, algorithm and dash of its entry; see `components.study.entries.series_style`.
    y : ndarray, shape (g,)
        Values of the line; NaN for gaps.
    lower, upper : ndarray, shape (g,), optional
        Edges of the band around the line.
    """

    style: dict[str, str]
    y: np.ndarray
    lower: np.ndarray = field(default_factory=lambda: np.empty(0))
    upper: np.ndarray = field(default_factory=lambda: np.empty(0))


@dataclass(frozen=True, slots=True)
class Swept:
    """A line over a parameter's values.

    Attributes
    ----------
    style : dict
        Style of the line's first entry.
    letters : tuple of str
        Letters of the line's entries, one per point.
    x, median, lower, upper : ndarray, shape (v,), float64
        Ascending values of the parameter, and gaps in per cent or rates; NaN where undefined.
    """

    style: dict[str, str]
    letters: tuple[str, ...]
    x: np.ndarray
    median: np.ndarray
    lower: np.ndarray
    upper: np.ndarray


def empty_figure() -> Figure:
    """Return an empty chart."""
    layout = _layout("", "", False, False)
    for axis in ("xaxis", "yaxis"):
        layout[axis]["visible"] = False
    return {"data": [], "layout": layout}


def pack_array(values: np.ndarray, kind: str = "f8") -> dict[str, str]:
    """Encode numbers in little-endian bytes for Plotly's script; NaN is a gap in a line."""
    return {"dtype": kind, "bdata": base64.b64encode(np.ascontiguousarray(values, f"<{kind}").tobytes()).decode()}


def curves_figure(
    x: np.ndarray,
    curves: Sequence[Curve],
    titles: tuple[str, str],
    *,
    log: bool = False,
    share: bool = False,
    suffix: str = "",
    dark: bool = False,
) -> Figure:
    """Draw lines with bands over a logarithmic x axis.

    Parameters
    ----------
    x : ndarray, shape (g,)
    curves : sequence of Curve
    titles : (str, str)
        Titles of the axes.
    log : bool
        Whether the y axis is logarithmic; smaller values are drawn at `FLOOR`.
    share : bool
        Whether values are shares from 0 to 1.
    suffix : str
        Suffix of the numbers on the y axis.
    dark : bool
    """
    layout = _layout(*titles, log, share, suffix)
    layout["annotations"] = _place_letters(x, curves, log, dark)
    layout["xaxis"] |= _choose_ticks(x, titles[0] == "seconds")
    x_packed, data = pack_array(x), []
    for curve in curves:
        if curve.lower.size:
            name = _name(curve.style)
            names = (text("chart.upper", entry=name), text("chart.lower", entry=name))
            data += _band(x_packed, curve, palette.find_shade(curve.style["algorithm"], dark), log, names)
    data += [_line(x_packed, curve, palette.find_shade(curve.style["algorithm"], dark), log) for curve in curves]
    return {"data": data, "layout": layout}


def _name(style: dict[str, str]) -> str:
    return f"{style['letter']} {style['title']}"


def _line(x_packed: dict[str, str], curve: Curve, colour: str, log: bool) -> Part:
    name = _name(curve.style)
    return {
        "type": "scatter", "x": x_packed, "y": _convert_values(curve.y, log),
        "customdata": pack_array(_keep_finite(curve.y)),
        "name": name, "mode": "lines",
        "line": {"color": colour, "width": 2.2, "shape": "hv", "dash": curve.style["dash"]},
        "hovertemplate": _format_hover("%{customdata:.4~g}", "%{x:.3~s}", name),
    }  # fmt: skip


def _format_hover(y: str, x: str, name: str) -> str:
    """Return the hover text; `y` and `x` are placeholders of Plotly's templates."""
    return f"{text('chart.hover', y=y, x=x)}<extra>{_escape_html(name)}</extra>"


def _band(x_packed: dict[str, str], curve: Curve, colour: str, log: bool, names: tuple[str, str]) -> list[Part]:
    """Draw the band around a curve, given the names of its upper and lower edges."""
    both = np.isfinite(curve.lower) & np.isfinite(curve.upper)
    edges = [np.where(both, curve.upper, np.nan), np.where(both, curve.lower, np.nan)]
    common: Part = {
        "type": "scatter", "x": x_packed, "mode": "lines", "line": {"width": 0, "shape": "hv", "color": CLEAR},
        "hoverinfo": "skip",
    }  # fmt: skip
    fills: list[Part] = [{}, {"fill": "tonexty", "fillcolor": make_translucent(colour)}]
    return [
        {"y": _convert_values(edge, log), "customdata": pack_array(edge), "name": name, **common, **more}
        for edge, name, more in zip(edges, names, fills, strict=True)
    ]


def make_translucent(colour: str) -> str:
    """Return a band's transparent fill for a colour ``#rrggbb``."""
    return f"rgba({int(colour[1:3], 16)}, {int(colour[3:5], 16)}, {int(colour[5:7], 16)}, 0.16)"


def _escape_html(text: str) -> str:
    """Escape HTML, as Plotly interprets some tags."""
    return text.replace("&", "&amp;").replace("<", "&lt;")


def _keep_finite(values: np.ndarray) -> np.ndarray:
    return np.where(np.isfinite(values), values, np.nan)


def _convert_values(values: np.ndarray, log: bool) -> dict[str, str]:
    """Return the values to draw as float32, as a screen shows fewer than seven digits."""
    finite = _keep_finite(values)
    return pack_array(np.maximum(finite, FLOOR) if log else finite, "f4")


def _choose_ticks(x: np.ndarray, seconds: bool) -> Part:
    """Return ticks at the powers of ten."""
    if not x.size:
        return {}
    powers = range(int(np.floor(np.log10(x[0]))), int(np.ceil(np.log10(x[-1]))) + 1)
    values = [10.0**power for power in powers]
    return {"tickmode": "array", "tickvals": values, "ticktext": [_format_tick(value, seconds) for value in values]}


def _format_tick(value: float, seconds: bool) -> str:
    """Format a power of ten with unit or prefix, such as 10 ms, 0.1 s or 10 k."""
    steps = ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""))
    if seconds:
        steps = ((0.1, "s"), (1e-3, "ms"), (1e-6, "\u00b5s"), (1e-9, "ns"))
    scale, unit = next((step for step in steps if value >= step[0] * (1 - 1e-9)), steps[-1])
    scale = 1.0 if unit == "s" else scale
    return f"{format_measure(value / scale)}{THIN}{unit}".rstrip(THIN)


def _place_letters(x: np.ndarray, curves: Sequence[Curve], log: bool, dark: bool) -> list[Part]:
    """Place letters at lines' ends, side by side where lines end at the same height."""
    ends = []
    for curve in curves:
        finite = np.flatnonzero(np.isfinite(curve.y))
        if finite.size:
            ends.append((float(curve.y[finite[-1]]), curve, float(x[finite[-1]])))
    heights = [np.log10(max(y, FLOOR)) if log else y for y, _, _ in ends]
    values = np.concatenate([curve.y[np.isfinite(curve.y)] for curve in curves]) if curves else np.empty(0)
    values = np.log10(np.maximum(values, FLOOR)) if log else values
    room = 0.06 * (float(np.ptp(values)) or 1.0) if values.size else 0.0
    letters, before, shift = [], -np.inf, 0
    for (_, curve, at), height in sorted(zip(ends, heights, strict=True), key=lambda each: each[1]):
        shift = shift + 13 if height - before < room else 0
        before = height
        font = {"size": 12, "color": palette.find_shade(curve.style["algorithm"], dark), "weight": 700}
        letters.append(
            {"text": curve.style["letter"], "x": np.log10(at), "y": height, "xanchor": "left", "yanchor": "middle",
             "xshift": 3 + shift, "showarrow": False, "font": font}
        )  # fmt: skip
    return letters


def _layout(x_title: str, y_title: str, log: bool, share: bool, suffix: str = "") -> Part:
    x = _axis(6, x_title, automargin=False, showgrid=False, type="log", dtick=1)
    y = _axis(6, y_title, automargin=False, ticksuffix=suffix)
    if log:
        text = [f"{_AT_MOST if tick == FLOOR else ''}{format_measure(tick)}{suffix}" for tick in _TICKS]
        y |= {"type": "log", "tickmode": "array", "tickvals": list(_TICKS), "ticktext": text}
    if share:
        y |= {"range": [-0.02, 1.04], "tickformat": ".0%"}
    # Margins are fixed, since Plotly would otherwise measure every text and lay out the chart twice.
    return _closest_layout(x, y, 42 if x_title else 26)


def _axis(ticks: int, title: str, **more: Json) -> Part:
    title_part: Part = {"text": title, "standoff": 6, "font": {"size": 11}}
    return bare_axis(ticks, title=title_part, separatethousands=True, **more)


def _closest_layout(x: Part, y: Part, bottom: int = 42) -> Part:
    margin, separators = {"l": 66, "r": 34, "t": 8, "b": bottom}, f"{decimal_mark()}{THIN}"
    return bare_layout(margin=margin, separators=separators, xaxis=x, yaxis=y, hovermode="closest")


def spread_figure(
    gaps: Sequence[tuple[dict[str, str], np.ndarray, np.ndarray]], *, log: bool, dark: bool = False
) -> Figure:
    """Draw a box and a strip of points per entry.

    Parameters
    ----------
    gaps : sequence of (dict, ndarray, ndarray)
        Style of an entry, the gaps of its runs that have a tour, and their five-number summary.
    log, dark : bool
    """
    layout = _layout("", text("axis.gap"), log, False, f"{THIN}%")
    layout["xaxis"] |= {"type": "category", "tickmode": "linear"}  # label every letter
    layout["margin"]["r"] = 10
    data, max_points = [], max(1, POINTS // max(1, len(gaps)))
    for style, values, five_numbers in gaps:
        colour = palette.find_shade(style["algorithm"], dark)
        if np.isfinite(five_numbers).all():
            data.append(_box(style, np.maximum(five_numbers, FLOOR) if log else five_numbers, colour))
        data.append(_strip(style, values, colour, log, max_points))
    return {"data": data, "layout": layout}


def _box(style: dict[str, str], five_numbers: np.ndarray, colour: str) -> Part:
    low, first, median, third, high = ([value] for value in five_numbers.tolist())
    return {
        "type": "box", "x": [style["letter"]], "lowerfence": low, "q1": first, "median": median, "q3": third,
        "upperfence": high, "name": style["letter"], "line": {"color": colour, "width": 1.6}, "fillcolor": CLEAR,
        "width": 0.5, "hoverinfo": "skip", "meta": "box",
    }  # fmt: skip


def _strip(style: dict[str, str], values: np.ndarray, colour: str, log: bool, max_points: int) -> Part:
    """Draw runs as points, thinned to `max_points`; the chart's CSV has all values."""
    some = values[:: max(1, -(-values.size // max_points))]
    return {
        "type": "box", "x": [style["letter"]] * some.size, "y": _convert_values(some, log),
        "customdata": pack_array(values),
        "boxpoints": "all", "pointpos": 0, "jitter": 0.7, "name": _name(style),
        "line": {"color": CLEAR}, "fillcolor": CLEAR, "width": 0.5, "hoverinfo": "skip",
        "marker": {"color": colour, "size": 4.5, "opacity": 0.6},
    }  # fmt: skip


def sweep_figure(lines: Sequence[Swept], title: str, *, log: bool, dark: bool = False) -> Figure:
    """Draw median gaps over a parameter, with quartiles as bands.

    Parameters
    ----------
    lines : sequence of Swept
    title : str
        Title of the x axis, which is logarithmic if all values are positive and the largest is over 20 times the
        smallest.
    log, dark : bool
    """
    layout, data = _layout(title, text("axis.gap"), log, False, f"{THIN}%"), []
    values = np.unique(np.concatenate([line.x for line in lines]))
    log_x = values[0] > 0 and values[-1] / values[0] > 20
    ticks = [format_value(value) for value in values.tolist()]
    layout["xaxis"] |= {"type": "log" if log_x else "linear", "dtick": None}
    if len(ticks) <= _VALUES:
        layout["xaxis"] |= {"tickmode": "array", "tickvals": values.tolist(), "ticktext": ticks}
    for line in lines:
        colour, x_packed = palette.find_shade(line.style["algorithm"], dark), pack_array(line.x)
        curve = Curve(line.style, line.median, line.lower, line.upper)
        names = (text("chart.upper-over", parameter=title), text("chart.lower-over", parameter=title))
        for each in _band(x_packed, curve, colour, log, names):
            data.append(each | {"line": {"width": 0, "color": CLEAR}})
        data.append(
            _line(x_packed, curve, colour, log)
            | {
                "mode": "lines+markers+text", "text": list(line.letters), "textposition": "top center",
                "line": {"color": colour, "width": 2.2, "dash": line.style["dash"]}, "marker": {"size": 7},
                "name": text("chart.median-over", parameter=title), "textfont": {"color": colour},
                "hovertemplate": _format_hover("%{customdata:.4~g}", "%{x:~g}", ""),
            }
        )  # fmt: skip
    return {"data": data, "layout": layout}


def best_figure(
    complete: Sequence[tuple[int, float]], pruned: Sequence[tuple[int, float]], best: Sequence[tuple[int, float]],
    algorithm: str, dark: bool,
) -> Figure:  # fmt: skip
    """Draw the trials' gaps, and the least gap so far.

    Parameters
    ----------
    complete, pruned : sequence of (int, float)
        Number and mean gap, in per cent, of complete and pruned trials.
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
    x = _axis(8, text("tuning.trial"), showgrid=False)
    y = _axis(6, text("tuning.gap"), range=[0, top], ticksuffix=f"{THIN}%")
    return {"data": data, "layout": _closest_layout(x, y)}


def _points(pairs: Sequence[tuple[int, float]], name: str, marker: Part) -> Part:
    x, y = np.array(pairs, np.float64).reshape(-1, 2).T
    hover = f"%{{x}}: %{{y:.3f}}{THIN}%<extra>{name}</extra>"
    return {
        "type": "scatter", "mode": "markers", "x": pack_array(x), "y": pack_array(y), "marker": marker, "name": name,
        "hovertemplate": hover,
    }  # fmt: skip


#: Maximum number of values of x that each get a tick.
_RATE_TICKS = 10


def rates_figure(lines: Sequence[Swept], titles: tuple[str, str], log: tuple[bool, bool], dark: bool) -> Figure:
    """Draw medians with their quartiles.

    Parameters
    ----------
    lines : sequence of Swept
        The lines to draw, at least one.
    titles : (str, str)
        Titles of the axes.
    log : (bool, bool)
        Whether the axes should be logarithmic; ignored for axes with values that are not positive.
    dark : bool
    """
    x, y = (_axis(7, title, automargin=False) for title in titles)
    values = np.unique(np.concatenate([line.x for line in lines]))
    x |= {"showgrid": False, "type": _kind(log[0], values)}
    low, high = (np.concatenate([getattr(line, name) for line in lines]) for name in ("lower", "upper"))
    y |= {"type": _kind(log[1], low)}
    if y["type"] == "linear":
        y["rangemode"] = "tozero"
    else:
        ticks = choose_log_ticks([float(low.min()), float(high.max())])
        y |= {"tickmode": "array", "tickvals": ticks, "ticktext": [_format_rate_tick(tick) for tick in ticks]}
    if values.size <= _RATE_TICKS:
        x |= {"tickmode": "array", "tickvals": values.tolist(), "ticktext": [format_value(value) for value in values]}
    return {
        "data": [trace for line in lines for trace in _traces(line, titles[0], dark)],
        "layout": _closest_layout(x, y),
    }


def _kind(log: bool, values: np.ndarray) -> str:
    return "log" if log and (values > 0).all() else "linear"


def _format_rate_tick(value: float) -> str:
    return format_si(value) if value >= 1e3 else format_measure(value)


def _traces(line: Swept, over: str, dark: bool) -> list[Part]:
    colour, x = palette.find_shade(line.style["algorithm"], dark), pack_array(line.x)
    letters = [*dict.fromkeys(line.letters)]
    name = f"{line.style['letter']} {line.style['title']}" if len(letters) == 1 else ", ".join(letters)
    last = len(line.letters) - 1  # a single entry's letter is at the end of its line
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
