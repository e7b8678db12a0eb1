"""The chart of a race: the length of each lane over one axis."""

import plotly.graph_objects as go

from components.figures.canvas import bare_axis, bare_layout


def race_figure() -> go.Figure:
    """The empty chart; `assets/race/chart.js` draws its traces and words.

    Returns
    -------
    plotly.graph_objects.Figure
        Without traces.
    """
    axis = bare_axis(6, separatethousands=True)
    margin = {"l": 8, "r": 10, "t": 8, "b": 8}
    return go.Figure([], bare_layout(margin=margin, separators=". ", xaxis=axis | {"showgrid": False}, yaxis=axis))
