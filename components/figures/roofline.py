"""A device's roofline: the limits set by memory and arithmetic, by operations per byte, with variants as points."""

from collections.abc import Sequence

from components.figures.canvas import Figure, Part, bare_axis, bare_layout, choose_log_ticks
from components.shell import palette
from components.shell.numbers import decimal_mark
from components.shell.texts import papers as text
from papers.model import Table
from papers.results import MeasuredTable
from papers.roofline import ARITHMETIC, MEMORY, locate_points
from runs.translation import translate

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
    layout = bare_layout(
        margin={"l": 68, "r": 20, "t": 10, "b": 46}, separators=f"{decimal_mark()} ", hovermode="closest"
    )
    for axis, title in (("x", x), ("y", y)):
        values = [value for trace in data for value in trace[axis]]
        base_axis = bare_axis(
            7, title={"text": translate(title), "standoff": 8}, separatethousands=True, automargin=True
        )
        layout[f"{axis}axis"] = base_axis | {"type": "log", "tickvals": choose_log_ticks(values)}
    layout["showlegend"] = True
    layout["legend"] = {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "bgcolor": "rgba(0, 0, 0, 0)"}
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
