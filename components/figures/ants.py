"""A colony's figure: one iteration's tour lengths above, a curve over the iterations below."""

from components.figures.canvas import Figure, bare_axis, bare_layout
from components.shell.numbers import decimal_mark


def ants_figure() -> Figure:
    """Return the empty figure; `assets/watch/colony/ant_charts.js` adds curves and text.

    Returns
    -------
    dict
        A figure without traces. Axes x and y belong to the histogram, x2 and y2 to the curves; y3 overlays y2.
    """
    axis = bare_axis(6, separatethousands=True)
    return {
        "data": [],
        "layout": bare_layout(
            margin={"l": 8, "r": 12, "t": 26, "b": 8},
            separators=f"{decimal_mark()} ",
            bargap=0.08,
            xaxis=axis | {"showgrid": False, "anchor": "y"},
            yaxis=axis | {"domain": [0.68, 1], "anchor": "x", "rangemode": "tozero"},
            xaxis2=axis | {"showgrid": False, "anchor": "y2"},
            yaxis2=axis | {"domain": [0, 0.44], "anchor": "x2"},
            yaxis3=axis | {"overlaying": "y2", "side": "right", "anchor": "x2", "showgrid": False, "visible": False},
        ),
    }
