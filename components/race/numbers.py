"""The right of the race page: one chart of all lanes, the table of their places, and how two of their tours differ."""

import dash
import dash_bootstrap_components as dbc
from dash import ClientsideFunction, Input, dcc, html

from components.figures.canvas import CONFIG
from components.figures.race import race_figure
from components.race import ids
from components.race.lanes import LETTERS
from components.shell.controls import attributes

_COLUMNS = ("", "lane", "length", "gap", "best at", "compile")
_X = {"seconds": "Seconds", "iterations": "Iterations", "evaluations": "Evaluations"}
_Y = {"gap": "Gap", "length": "Length"}


def panel() -> html.Section:
    """The card of the numbers."""
    graph = dcc.Graph(id=ids.CHART, figure=race_figure(), config=CONFIG)
    return html.Section(
        [
            _chart_head(),
            html.Div([graph, html.Div(id=ids.HERE, className="race-here", hidden=True)], className="chart race-chart"),
            html.P(id=ids.CHART_SAYS, className="visually-hidden", **attributes(aria_live="off")),
            _table(),
            html.Div(
                "Sorted by the gap at the moment that the player shows; equal gaps by who was there first.",
                className="note",
            ),
            _difference(),
        ],
        className="panel race-numbers",
        **attributes(aria_label="Numbers"),
    )


def _chart_head() -> html.Div:
    x = [{"value": value, "label": label} for value, label in _X.items()]
    y = [{"value": value, "label": label} for value, label in _Y.items()]
    log = dbc.Switch(id=ids.CHART_LOG, value=True, label="log", class_name="overlay-switch")
    return html.Div(
        [
            dbc.RadioItems(id=ids.CHART_Y, options=y, value="gap", inline=True, class_name="segments tight"),
            log,
            dbc.RadioItems(id=ids.CHART_X, options=x, value="seconds", inline=True, class_name="segments tight"),
        ],
        className="chart-head",
    )


def _table() -> html.Table:
    heads = html.Thead(html.Tr([html.Th(head, scope="col") for head in _COLUMNS]))
    return html.Table(
        [heads, html.Tbody(id=ids.TABLE)], className="race-table", **attributes(aria_label="Lanes by gap")
    )


def _difference() -> html.Div:
    options = [{"value": str(k), "label": letter} for k, letter in enumerate(LETTERS)]
    switch = dbc.Switch(id=ids.DIFFER, value=False, label="Where tours differ", class_name="overlay-switch")
    choices = [
        html.Label("First lane", htmlFor=ids.DIFFER_A, className="visually-hidden"),
        dbc.Select(id=ids.DIFFER_A, options=options, value="0"),
        html.Span("and"),
        html.Label("Second lane", htmlFor=ids.DIFFER_B, className="visually-hidden"),
        dbc.Select(id=ids.DIFFER_B, options=options, value="1"),
    ]
    said = html.Div(id=ids.DIFFER_SAYS, className="note", **attributes(aria_live="off"))
    return html.Div([html.Div([switch, *choices], className="differ-row"), said], className="differ")


def register(app: dash.Dash) -> None:
    """Connect the choices with the scripts."""
    for function, chosen in (
        ("setX", (ids.CHART_X,)),
        ("setY", (ids.CHART_Y,)),
        ("setLog", (ids.CHART_LOG,)),
        ("differ", (ids.DIFFER, ids.DIFFER_A, ids.DIFFER_B)),
    ):
        app.clientside_callback(ClientsideFunction("race", function), *(Input(each, "value") for each in chosen))
