"""Empty charts of runs and races, to which the pages' scripts add curves and words."""

from components.figures.canvas import MUTED, Figure, Part, bare_axis, bare_layout
from components.shell.numbers import decimal_mark
from components.shell.texts import watch as text
from components.types import Json
from runs.language import per_language


def ants_figure() -> Figure:
    """Return the empty figure of a colony or a population, to which their scripts add curves and text.

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


#: Names of the traces, in the order in which the scripts number them.
_NAMES = ("iterations", "best", "optimum", "climbs", "climb", "here", "last", "bound")
TRACES = per_language(lambda: tuple(text(f"chart.{name}") for name in _NAMES))

_ACCENT, _GOOD, _BOUND = "#1f6feb", "#12805c", "#8f3f97"


def convergence_figure() -> Figure:
    """Return the empty convergence chart.

    Returns
    -------
    dict
        A figure with the traces of `TRACES`, without points.
    """
    axis = bare_axis(5, separatethousands=True)
    return {
        "data": [
            _markers(TRACES()[0], {"size": 3, "color": MUTED, "opacity": 0.4}),
            _line(TRACES()[1], {"color": _ACCENT, "width": 2.2, "shape": "hv"}),
            _line(TRACES()[2], {"color": _GOOD, "width": 1.4, "dash": "4px,4px"}),
            _line(TRACES()[3], {"color": MUTED, "width": 1}, opacity=0.28),
            _line(TRACES()[4], {"color": _ACCENT, "width": 2.2}),
            _markers(TRACES()[5], {"size": 9, "color": _ACCENT}),
            _line(TRACES()[6], {"color": MUTED, "width": 1.6, "shape": "hv"}, opacity=0.5),
            _line(TRACES()[7], {"color": _BOUND, "width": 2, "shape": "hv"}),
        ],
        "layout": bare_layout(
            margin={"l": 8, "r": 10, "t": 24, "b": 8},
            separators=f"{decimal_mark()} ",
            xaxis=axis | {"showgrid": False},
            yaxis=axis,
        ),
    }


def _trace(name: str, mode: str, **more: Json) -> Part:
    return {"type": "scatter", "x": [], "y": [], "name": name, "mode": mode, **more}


def _markers(name: str, marker: Part) -> Part:
    return _trace(name, "markers", marker=marker)


def _line(name: str, line: Part, opacity: float = 1) -> Part:
    return _trace(name, "lines", line=line, opacity=opacity, connectgaps=False)
