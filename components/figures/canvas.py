"""Settings that the figures share: no background, no tools, the page's own font."""

from typing import Any

import plotly.graph_objects as go

FONT = 'Inter, system-ui, "Segoe UI", "DejaVu Sans", sans-serif'
#: Greys that are legible on the light and on the dark page, so that a figure is legible before the theme is known.
MUTED, LINE = "#7a8698", "rgba(122, 134, 152, 0.22)"
CLEAR = "rgba(0, 0, 0, 0)"

#: Options of `dcc.Graph` that the figures share.
CONFIG: Any = {"displayModeBar": False, "displaylogo": False, "responsive": True, "showTips": False}


def bare_axis(ticks: int, **more: Any) -> dict[str, Any]:
    """An axis with lines and some `ticks` numbers, and nothing that can be dragged."""
    return {
        "gridcolor": LINE, "linecolor": LINE, "zeroline": False, "ticks": "", "automargin": True, "fixedrange": True,
        "nticks": ticks, "exponentformat": "SI", **more,
    }  # fmt: skip


def bare_layout(**more: Any) -> go.Layout:
    """A transparent layout without Plotly's default template."""
    layout = {
        "template": go.layout.Template(),
        "paper_bgcolor": CLEAR,
        "plot_bgcolor": CLEAR,
        "font": {"family": FONT, "size": 11.5, "color": MUTED},
        "showlegend": False,
        "hovermode": False,
        "uirevision": "kept",
    }
    return go.Layout(**layout | more)
