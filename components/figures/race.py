"""A race's chart: the length of each lane over an axis."""

from components.figures.canvas import Figure, bare_axis, bare_layout
from components.shell.numbers import decimal_mark


def race_figure() -> Figure:
    """Return the empty chart; `assets/race/chart.js` adds curves and text.

    Returns
    -------
    dict
        A figure without traces.
    """
    axis = bare_axis(6, separatethousands=True)
    margin = {"l": 8, "r": 10, "t": 8, "b": 8}
    layout = bare_layout(margin=margin, separators=f"{decimal_mark()} ", xaxis=axis | {"showgrid": False}, yaxis=axis)
    return {"data": [], "layout": layout}
