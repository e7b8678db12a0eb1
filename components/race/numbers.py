"""The right of the race page: one chart of all lanes, the table of their places, and how two of their tours differ."""

import dash
from dash import ClientsideFunction, Input, html

from components.figures.canvas import canvas
from components.figures.race import race_figure
from components.race import ids
from components.race.lanes import LETTERS
from components.shell.controls import attributes, choices, named_select, segments, switch

_COLUMNS = ("", "lane", "length", "gap", "best at", "compile")
_X = {"seconds": "Seconds", "iterations": "Iterations", "evaluations": "Evaluations"}
_Y = {"gap": "Gap", "length": "Length"}


def panel() -> html.Section:
    """The card of the numbers."""
    graph = canvas(ids.CHART, race_figure())
    return html.Section(
        [
            _chart_head(),
            html.Div([graph, html.Div(id=ids.HERE, className="race-here", hidden=True)], className="chart race-chart"),
            html.P(id=ids.CHART_SAYS, className="visually-hidden", **attributes(aria_live="off")),
            _table(),
            html.Div(
                "Sorted by the gap at the moment that the player shows; equal gaps by the earlier time.",
                className="note",
            ),
            _difference(),
        ],
        className="panel race-numbers",
        **attributes(aria_label="Numbers"),
    )


def _chart_head() -> html.Div:
    gap, seconds = segments(ids.CHART_Y, _Y, "gap", "tight"), segments(ids.CHART_X, _X, "seconds", "tight")
    return html.Div([gap, switch(ids.CHART_LOG, "log"), seconds], className="chart-head")


def _table() -> html.Table:
    heads = html.Thead(html.Tr([html.Th(head, scope="col") for head in _COLUMNS]))
    return html.Table(
        [heads, html.Tbody(id=ids.TABLE)], className="race-table", **attributes(aria_label="Lanes by gap")
    )


def _difference() -> html.Div:
    lanes = choices({str(k): letter for k, letter in enumerate(LETTERS)})
    first = named_select(ids.DIFFER_A, "First lane", lanes, "0")
    second = named_select(ids.DIFFER_B, "Second lane", lanes, "1")
    choice = [switch(ids.DIFFER, "Where tours differ", value=False), *first, html.Span("and"), *second]
    description = html.Div(id=ids.DIFFER_SAYS, className="note", **attributes(aria_live="off"))
    return html.Div([html.Div(choice, className="differ-row"), description], className="differ")


def register(app: dash.Dash) -> None:
    """Connect the choices with the scripts."""
    for function, chosen in (
        ("setX", (ids.CHART_X,)),
        ("setY", (ids.CHART_Y,)),
        ("setLog", (ids.CHART_LOG,)),
        ("differ", (ids.DIFFER, ids.DIFFER_A, ids.DIFFER_B)),
    ):
        app.clientside_callback(ClientsideFunction("race", function), *(Input(each, "value") for each in chosen))
