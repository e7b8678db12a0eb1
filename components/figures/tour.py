"""The tour's figure: five empty traces in a fixed order, on a canvas without axes."""

import plotly.graph_objects as go

from components.figures.canvas import bare_layout

#: The traces by name, in the order in which the scripts number them.
TRACES = ("optimal tour", "tour", "removed edges", "added edges", "cities")

_TOUR, _ADDED, _REMOVED, _OPTIMAL = "#1f6feb", "#12805c", "#d1453b", "#c58b00"
_LINES = {
    "optimal tour": {"color": _OPTIMAL, "width": 5},
    "tour": {"color": _TOUR, "width": 2},
    "removed edges": {"color": _REMOVED, "width": 2.5, "dash": "5px,5px"},
    "added edges": {"color": _ADDED, "width": 4},
}


def tour_figure() -> go.Figure:
    """The empty figure of a tour.

    Returns
    -------
    plotly.graph_objects.Figure
        Traces as `TRACES` names them, without points. x and y have one scale; nothing else is drawn.
    """
    traces = [_line(name) for name in TRACES[:-1]] + [_cities()]
    hidden = {"visible": False, "showgrid": False, "zeroline": False, "fixedrange": False}
    return go.Figure(
        traces,
        bare_layout(
            margin={"l": 0, "r": 0, "t": 0, "b": 0, "pad": 0},
            xaxis=hidden,
            yaxis=hidden | {"scaleanchor": "x", "scaleratio": 1},
            dragmode="pan",
        ),
    )


def _line(name: str) -> go.Scatter:
    opacity = 0.35 if name == "optimal tour" else 1
    return go.Scatter(
        x=[], y=[], name=name, mode="lines", line=_LINES[name], opacity=opacity, hoverinfo="skip", connectgaps=False
    )


def _cities() -> go.Scatter:
    marker = {"size": 7, "color": "#ffffff", "line": {"color": "#1b2330", "width": 1.6}}
    return go.Scatter(x=[], y=[], name="cities", mode="markers", marker=marker, hoverinfo="skip")
