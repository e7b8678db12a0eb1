"""The figure of an exact solution: each layer's states as bars, and time against cities."""

from components.figures.canvas import Figure, bare_axis, bare_layout
from components.shell.numbers import decimal_mark


def layers_figure() -> Figure:
    """Return the empty figure; `assets/watch/exact/layers.js` and `assets/watch/exact/growth.js` draw traces and words.

    Returns
    -------
    dict
        A figure without traces. Axes x and y belong to the layers, x2 and y2 to the time, on a logarithmic scale.
    """
    axis = bare_axis(8)
    return {
        "data": [],
        "layout": bare_layout(
            margin={"l": 8, "r": 12, "t": 46, "b": 8},
            separators=f"{decimal_mark()} ",
            barmode="overlay",
            bargap=0.16,
            hovermode="closest",
            xaxis=axis | {"showgrid": False, "anchor": "y"},
            yaxis=axis | {"anchor": "x", "rangemode": "tozero", "nticks": 6},
            xaxis2=axis | {"showgrid": False, "anchor": "y2"},
            yaxis2=axis | {"anchor": "x2", "type": "log", "tickmode": "array"},
        ),
    }
