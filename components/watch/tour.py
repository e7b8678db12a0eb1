"""The middle of the page: the length, the tour or another view of the run, its legend and the player."""

from typing import Any

import dash
import dash_bootstrap_components as dbc
from dash import ClientsideFunction, Input, dcc, html

from components.figures.canvas import CONFIG
from components.figures.tour import tour_figure
from components.shell import ids
from components.shell.controls import attributes, button
from components.watch import views

TOUR_CONFIG: Any = CONFIG | {"scrollZoom": True, "doubleClick": "reset"}


def panel() -> html.Section:
    """The card of the tour."""
    return html.Section(
        [
            html.Div(id=ids.HINT, className="hint"),
            _hud(),
            views.tabs(),
            _canvas(),
            _legend(),
            views.foot(),
            _player(),
        ],
        className="panel stage",
        **attributes(aria_label="Tour", data_view="tour"),
    )


def _hud() -> html.Div:
    return html.Div(
        [
            html.Span("\u2013", id=ids.HUD_LENGTH, className="hud-length"),
            html.Span(id=ids.HUD_GAP, className="hud-gap"),
            html.Span(id=ids.HUD_WHERE, className="hud-where"),
        ],
        className="hud",
    )


def _canvas() -> html.Div:
    graph = dcc.Graph(id=ids.TOUR, figure=tour_figure(), config=TOUR_CONFIG)
    return html.Div([graph, *views.views()], className="canvas")


def _legend() -> html.Div:
    optimal = dbc.Switch(id=ids.SHOW_OPTIMAL, value=False, label="Show the optimal tour", class_name="overlay-switch")
    return html.Div(
        [
            html.Span([html.I(className="swatch removed"), html.Span("two edges out, two in", id=ids.LEGEND_MOVE)]),
            html.Span([html.I(className="swatch added"), "two edges enter"], className="entering"),
            html.Span([html.I(className="swatch tour"), "tour"]),
            optimal,
        ],
        id=ids.LEGEND,
        className="legend",
    )


def _player() -> html.Div:
    steps = html.Div(
        [
            button(ids.HOME, "To the start of the climb (Home)", "home"),
            button(ids.BACK, "One move back (Left arrow)", "back"),
            button(ids.PLAY, "Play or pause (Space)", "play", style="primary"),
            button(ids.FORWARD, "One move forward (Right arrow)", "forward"),
            button(ids.END, "To the end of the climb (End)", "end"),
        ],
        className="steps",
    )
    scrubs = html.Div(
        [
            _scrub(ids.CLIMB_SCRUB, ids.CLIMB_NAME, ids.CLIMB_LABEL, "Climb"),
            _scrub(ids.MOVE_SCRUB, ids.MOVE_NAME, ids.MOVE_LABEL, "Move"),
        ],
        className="scrubs",
    )
    speed = html.Div(
        [
            html.Label("Speed", htmlFor=ids.SPEED),
            _range(ids.SPEED),
            html.Span(id=ids.SPEED_LABEL, className="speed-label"),
        ],
        className="speed",
    )
    live = html.Button(
        [html.I(className="dot"), "live"], id=ids.LIVE, type="button", className="button quiet live",
        title="Follow the run as it goes", **attributes(aria_pressed="false"),
    )  # fmt: skip
    return html.Div(
        [steps, scrubs, speed, live], id=ids.PLAYER, className="player", role="group", **attributes(aria_label="Player")
    )


def _scrub(scrub_id: str, name_id: str, label_id: str, name: str) -> html.Div:
    label = html.Span("\u2013", id=label_id, className="scrub-label")
    return html.Div([html.Label(name, id=name_id, htmlFor=scrub_id), _range(scrub_id), label], className="scrub")


def _range(range_id: str) -> dbc.Input:
    """A bare range; `assets/player.js` gives it its ends."""
    return dbc.Input(id=range_id, type="range", min=0, max=0, step=1, value=0, class_name="slider")


def register(app: dash.Dash) -> None:
    """Connect the overlay of the optimal tour, and the other views."""
    views.register(app)
    app.clientside_callback(ClientsideFunction("tourscope", "showOptimal"), Input(ids.SHOW_OPTIMAL, "value"))
