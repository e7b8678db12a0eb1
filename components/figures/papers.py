"""The chart of a paper's entry: published and measured points, on axes declared by the entry.

Colours are those of the light theme; `assets/papers/charts.js` applies those of the current theme.
"""

import re
import textwrap
from collections.abc import Callable, Collection, Mapping, Sequence

from components.figures.canvas import CLEAR, Figure, Part, bare_axis, bare_layout, choose_log_ticks
from components.papers.sources import Source
from components.shell import palette
from components.shell.numbers import decimal_mark
from components.shell.texts import papers as text
from papers.model import Drawing, Entry, Table
from papers.results import MeasuredTable
from papers.roofline import ARITHMETIC, MEMORY, locate_points
from runs.translation import translate

#: Colours of the series, named by the algorithms that use them elsewhere; they repeat after the last.
_HUES = ("two-opt", "ant-system", "max-min-ant-system", "ant-colony-system", "nearest-neighbour", "simulated-annealing")
#: Point styles of the paper, the authors' code, and each of our sources.
_PAPER = {"dash": "2px,4px", "symbol": "circle-open"}
_AUTHORS = {"dash": "1px,3px", "symbol": "x"}
_OURS = ({"dash": "solid", "symbol": "circle"}, {"dash": "8px,4px", "symbol": "square"},
         {"dash": "10px,4px,2px,4px", "symbol": "diamond"})  # fmt: skip
#: A number in the name of a row, a column or an instance: 1,000, kroA100.
_NUMBER = re.compile(r"[A-Za-z]*([\d,]+(?:\.\d+)?)%?")
#: Axes that show a ratio, rather than a curve.
_FROM_ZERO = re.compile(r"throughput|speed-up|\(s\)$")
#: Maximum number of characters in a line below bars.
_LETTERS = 16
#: Maximum number of cities of a tour that are drawn as points.
_MARKED = 400


def entry_figure(entry: Entry, sources: Sequence[Source]) -> Figure | None:
    """Draw an entry's chart; None for a table, or without figures."""
    drawing = entry.drawing
    if drawing.kind == "tour":
        return _tour(sources)
    if drawing.kind == "table" or not sources:
        return None
    if drawing.kind == "roofline":
        return roofline_figure(drawing.x, drawing.y, [(source.label, source.figures) for source in sources])
    make = _bars if drawing.kind == "bars" else _lines
    data = [
        trace
        for number, source in enumerate(sources)
        for trace in make(drawing, source, _choose_style(sources, number))
    ]
    return {"data": data, "layout": _layout(drawing, data)} if data else None


def _choose_style(sources: Sequence[Source], number: int) -> Mapping[str, str]:
    """Return the style of a source's points."""
    if sources[number].result is None:
        return _PAPER if sources[number].code is None else _AUTHORS
    ours = sum(source.result is not None for source in sources[:number])
    return _OURS[ours % len(_OURS)]


def _lines(drawing: Drawing, source: Source, look: Mapping[str, str]) -> list[Part]:
    """Draw a line per series; x is the number in a row's or column's name, or a column's figure."""
    figures, (x, series) = source.figures, _series(drawing, source.figures)
    traces = []
    for k, (name, figure) in enumerate(series.items()):
        points = sorted((at, figure(key)) for key, at in x.items() if at is not None and figure(key) is not None)
        if points:
            hue = palette.find_shade(_HUES[k % len(_HUES)])
            traces.append({
                "type": "scatter", "mode": "lines+markers", "name": _name(name, source, len(series)),
                "x": [point for point, _ in points], "y": [point for _, point in points],
                "line": {"color": hue, "width": 1.6, "dash": look["dash"]},
                "marker": {"color": hue, "size": 6, "symbol": _choose_symbol(look["symbol"], k // len(_HUES))},
            })  # fmt: skip
    return traces if figures.rows else []


def _choose_symbol(symbol: str, turn: int) -> str:
    """Return the marker symbol in a cycle of colours; every second cycle swaps open and closed symbols."""
    if turn % 2 == 0:
        return symbol
    return symbol.removesuffix("-open") if symbol.endswith("-open") else f"{symbol}-open"


_Figure = Callable[[str], float | None]


def _series(drawing: Drawing, figures: Table | MeasuredTable) -> tuple[dict[str, float | None], dict[str, _Figure]]:
    """Collect each key's x, and the y of each series and key."""
    columns, x_name = _choose_columns(drawing, figures), _strip_unit(drawing.x)
    if x_name in figures.columns:  # one figure against the other
        x = {row: figures.figure(row, x_name) for row in figures.rows}
        columns = [column for column in columns if column != x_name]
        return x, {column: _make_column_reader(figures, column) for column in columns}
    rows = {row: _parse_number(row) for row in figures.rows}
    if all(at is not None for at in rows.values()):
        return rows, {column: _make_column_reader(figures, column) for column in columns}
    return {column: _parse_number(column) for column in columns}, {
        row: _make_row_reader(figures, row) for row in figures.rows
    }


def _make_column_reader(figures: Table | MeasuredTable, column: str) -> _Figure:
    return lambda row: figures.figure(row, column)


def _make_row_reader(figures: Table | MeasuredTable, row: str) -> _Figure:
    return lambda column: figures.figure(row, column)


def _bars(drawing: Drawing, source: Source, look: Mapping[str, str]) -> list[Part]:
    """Draw a group of bars per row with a bar per column; bars that are not ours are hatched."""
    figures, columns = source.figures, _choose_columns(drawing, source.figures)
    traces = []
    for k, column in enumerate(columns):
        values = [figures.figure(row, column) for row in figures.rows]
        if any(value is not None for value in values):
            marker: Part = {"color": palette.find_shade(_HUES[k % len(_HUES)])}
            if look in (_PAPER, _AUTHORS):
                marker["pattern"] = {"shape": "/" if look is _PAPER else "x", "fillmode": "replace"}
            elif look is not _OURS[0]:
                marker["opacity"] = 0.55
            name = _name(column, source, len(columns))
            rows = [_wrap_name(translate(row)) for row in figures.rows]
            traces.append({"type": "bar", "name": name, "x": rows, "y": values, "marker": marker})
    return traces


def _tour(sources: Sequence[Source]) -> Figure | None:
    """Draw the newest tour."""
    tours = [
        source.figures.tour for source in sources if isinstance(source.figures, MeasuredTable) and source.figures.tour
    ]
    if not tours:
        return None
    order = [*tours[-1]["order"], tours[-1]["order"][0]]
    line = {
        "type": "scatter", "mode": "lines+markers" if len(order) <= _MARKED else "lines", "name": text("chart.tour"),
        "x": [tours[-1]["x"][city] for city in order], "y": [tours[-1]["y"][city] for city in order],
        "line": {"color": palette.find_shade(_HUES[0]), "width": 1.2}, "marker": {"size": 4},
    }  # fmt: skip
    axis = {"visible": False, "fixedrange": True}
    margin = {"l": 8, "r": 8, "t": 8, "b": 8}
    return {"data": [line], "layout": bare_layout(margin=margin, xaxis=axis, yaxis=axis | {"scaleanchor": "x"})}


def _layout(drawing: Drawing, data: Sequence[Part]) -> Part:
    layout = _titled_layout(drawing.x, drawing.y, drawing.log, data)
    for axis, title in (("x", drawing.x), ("y", drawing.y)):
        if axis not in drawing.log and _FROM_ZERO.search(title):
            layout[f"{axis}axis"]["rangemode"] = "tozero"
    return layout | {"barmode": "group", "bargap": 0.25, "showlegend": len(data) > 1}


def _titled_layout(x: str, y: str, log: Collection[str], data: Sequence[Part]) -> Part:
    """Return a layout with titles of the axes and a legend, given the names of the logarithmic axes."""
    layout = bare_layout(
        margin={"l": 68, "r": 14, "t": 10, "b": 46}, separators=f"{decimal_mark()} ", hovermode="closest",
        showlegend=True, legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "bgcolor": CLEAR},
    )  # fmt: skip
    for axis, title in (("x", x), ("y", y)):
        layout[f"{axis}axis"] = bare_axis(7, title={"text": translate(title), "standoff": 8}, separatethousands=True)
        if axis in log:
            ticks = choose_log_ticks([value for trace in data for value in trace[axis] if value])
            layout[f"{axis}axis"] |= {"type": "log", "tickvals": ticks}
    return layout


def _choose_columns(drawing: Drawing, figures: Table | MeasuredTable) -> list[str]:
    """Return the columns on the y axis that its title or unit names; all columns if it names none."""
    words, unit = _strip_unit(drawing.y), drawing.y.rpartition("(")[2].removesuffix(")")
    named = [column for column in figures.columns if column == words]
    measured = [column for column, each in zip(figures.columns, figures.units, strict=True) if each == unit]
    return named or measured or [*figures.columns]


def _strip_unit(title: str) -> str:
    """Return an axis title without its unit."""
    return title.partition(" (")[0]


def _parse_number(name: str) -> float | None:
    match = _NUMBER.fullmatch(name)
    return float(match[1].replace(",", "")) if match else None


def _wrap_name(name: str) -> str:
    """Wrap a name for Plotly."""
    return "<br>".join(textwrap.wrap(name, _LETTERS))


def _name(series: str, source: Source, count: int) -> str:
    return source.label if count == 1 else source.series_name(series)


#: Colours of the sources, named by algorithms that use them elsewhere, with markers and dashes.
_LOOKS = (("two-opt", "circle", "solid"), ("ant-system", "square", "8px,4px"), ("held-karp", "diamond", "2px,4px"))
#: Distance in powers of ten by which the roofs extend beyond the points.
_BEYOND = 3.0


def roofline_figure(x: str, y: str, sources: Sequence[tuple[str, Table | MeasuredTable]]) -> Figure | None:
    """Draw each source's roofs and points; None without any.

    Parameters
    ----------
    x, y : str
        Titles of the axes.
    sources : sequence of (str, MeasuredTable)
        Label and figures of each source, see `papers.roofline`.
    """
    data: list[Part] = []
    measured = [(label, figures) for label, figures in sources if isinstance(figures, MeasuredTable) and figures.rows]
    for k, (label, figures) in enumerate(measured):
        data += _device_traces(label, locate_points(figures), *_LOOKS[k % len(_LOOKS)])
    if not data:
        return None
    layout = _titled_layout(x, y, "xy", data)
    layout["margin"]["r"] = 20
    return {"data": data, "layout": layout}


def _device_traces(label: str, positions: dict[str, tuple[float, float]], hue: str, mark: str, dash: str) -> list[Part]:
    """Draw a device's roof and the points below it."""
    colour = palette.find_shade(hue)
    below = [(name, at) for name, at in positions.items() if name not in (MEMORY, ARITHMETIC)]
    variants = dict(sorted(below, key=lambda each: each[1][::-1]))
    ridge, top = positions[MEMORY]
    left = min([ridge, *(x for x, _ in variants.values())]) / _BEYOND
    right = max([ridge, *(x for x, _ in variants.values())]) * _BEYOND
    roof = {
        "type": "scatter", "mode": "lines", "name": text("chart.roof", name=label),
        "x": [left, ridge, right], "y": [top * left / ridge, top, top],
        "line": {"color": colour, "width": 2, "dash": dash},
    }  # fmt: skip
    dots = {
        "type": "scatter", "mode": "markers", "name": label, "x": [x for x, _ in variants.values()],
        "y": [y for _, y in variants.values()], "text": [translate(name) for name in variants],
        "meta": {"named": True},  # `assets/papers/names.js` writes the names where they fit
        "marker": {"color": colour, "size": 8, "symbol": mark},
    }  # fmt: skip
    return [roof, dots]
