"""Settings shared by all figures: no background, no tools, the page's own font."""

import json
import math
from collections.abc import Sequence
from typing import Any

from dash import dcc, html

from components.shell.controls import hyphenate_names
from components.types import Json

FONT = 'Inter, system-ui, "Segoe UI", "DejaVu Sans", sans-serif'
#: Greys that are legible in both themes, since the figure may be drawn before the theme is known.
MUTED, LINE = "#7a8698", "rgba(122, 134, 152, 0.22)"
CLEAR = "rgba(0, 0, 0, 0)"

#: Plotly's options for all figures.
CONFIG: "dcc.Graph.Config" = {"displayModeBar": False, "displaylogo": False, "responsive": True, "showTips": False}
#: A trace, an axis or a layout, in Plotly's schema.
Part = dict[str, Any]
#: A figure as plain values, ``{"data": [...], "layout": {...}}``, as Plotly's script expects it. Plotly's Python
#: classes would check every value.
Figure = dict[str, Any]


def canvas(canvas_id: str, figure: Figure) -> html.Div:
    """Return the element for a figure drawn by the page's scripts; no callback reads or sets it.

    `dcc.Graph` would draw it as the page loads, even if it is hidden, and copy each change into Dash's state.

    Parameters
    ----------
    canvas_id : str
    figure : dict
        The initial figure, drawn by `graph` in `assets/common/charts/graph.js` once the element is visible.

    Returns
    -------
    dash.html.Div
    """
    config = json.dumps(CONFIG | {"responsive": False})  # `graph` follows the size of the element
    return html.Div(
        id=canvas_id, className="chart-canvas", **hyphenate_names(data_figure=json.dumps(figure), data_config=config)
    )


def bare_axis(ticks: int, **more: Json) -> Part:
    """Return an axis with lines and about `ticks` numbers, which cannot be dragged."""
    return {
        "gridcolor": LINE, "linecolor": LINE, "zeroline": False, "ticks": "", "automargin": True, "fixedrange": True,
        "nticks": ticks, "exponentformat": "SI", **more,
    }  # fmt: skip


def bare_layout(**more: Json) -> Part:
    """Return a transparent layout."""
    return {
        "paper_bgcolor": CLEAR,
        "plot_bgcolor": CLEAR,
        "font": {"family": FONT, "size": 11.5, "color": MUTED},
        "showlegend": False,
        "hovermode": False,
        "uirevision": "kept",
        **more,
    }


#: From this many powers of ten on, only these are labelled.
_DECADES = 2.5


def choose_log_ticks(values: Sequence[float]) -> list[float]:
    """Return ticks at powers of ten and, if these are few, at two and five times them."""
    low, high = (math.log10(extreme(values)) for extreme in (min, max))
    steps = (1, 2, 5) if high - low < _DECADES else (1,)
    powers = range(math.floor(low) - 1, math.ceil(high) + 1)
    return [step * 10.0**power for power in powers for step in steps]
