"""The middle of the page: length, tour or another view, legend and player."""

import dash_bootstrap_components as dbc
from dash import ClientsideFunction, Dash, Input, html

from components.shell import ids, player
from components.shell.callbacks import inputs
from components.shell.controls import card, hyphenate_names, icon, live_note, plain_button, switch
from components.shell.numbers import NONE
from components.shell.texts import common as shared
from components.shell.texts import watch as text
from components.watch import by_hand, guide, predict, views


def panel() -> html.Section:
    """Return the card of the tour."""
    return card(
        "stage",
        text("tour.label"),
        guide.panel(),
        html.Div(id=ids.HINT, className="hint"),
        html.Div(shared("hint.refused"), className="hint refused"),
        _hud(),
        views.tabs(),
        _canvas(),
        html.Div([_sentence_line(), _legend()], className="under"),
        views.foot(),
        _player(),
        id=ids.STAGE,
        tabIndex=-1,
        data_view="tour",
    )


def _hud() -> html.Div:
    """Return the current run and three lengths: of the tour on the map, the best tour, and the lower bound."""
    names = [html.Div(id="hud-run", className="hud-run"), html.Span(id="hud-where", className="hud-where")]
    line = html.Div(names, className="stage-line")
    number = [html.B(NONE, id="hud-length", className="hud-length"), html.Span(id="hud-unit", className="hud-unit")]
    now = [html.Small(text("tiles.now")), html.Span(number), html.Span(id="hud-gap", className="hud-gap")]
    best = [
        html.Small(text("tiles.best"), id="tile-best-label"),
        html.Span([html.B(NONE, id=ids.TILE_BEST), _prove()]),
        html.Span(id=ids.TILE_GAP, className="hud-gap", title=text("tiles.gap.tip")),
    ]
    figures = [html.Div(now, className="tile"), html.Div(best, className="tile"), _bound()]
    return html.Div([line, html.Div(figures, className="tiles")], className="hud")


def _sentence_line() -> html.Div:
    """Return the line above the tour: its end, a question about it, or an explanation of its step."""
    end = [icon("check"), live_note("ending-sentence", style="ending-sentence")]
    explain = html.P(id="explain", className="explain", **hyphenate_names(aria_live="polite"))
    parts = [predict.panel(), by_hand.panel(), explain, html.Div(end, id="ending", className="ending")]
    return html.Div(parts, className="reading")


def _prove() -> html.Span:
    """Return the offer to prove the optimum, hidden until the server makes it (`components.watch.proving`)."""
    start = plain_button("prove-start", text("prove.start"), title=text("prove.title"))
    link = html.A(text("prove.watch"), id="prove-run", href="", hidden=True)
    sentence = html.Span(id="prove-sentence", **hyphenate_names(aria_live="polite"))
    live_text = html.Span(id="prove-announcement", className="visually-hidden", **hyphenate_names(aria_live="polite"))
    return html.Span([html.Span([start, sentence, link], id="prove", className="prove", hidden=True), live_text])


def _bound() -> html.Div:
    """Return the offer to compute a lower bound, hidden until a run is shown (`assets/watch/bound/bound_button.js`)."""
    start = plain_button("bound-start", text("bound.start"), title=text("bound.title"))
    sentence = html.Span(id="bound-sentence", className="hud-gap")
    button = plain_button("bound-why", text("bound.why"), title=text("bound.why.title"), hidden=True)  # fmt: skip
    live_text = html.Span(id="bound-announcement", className="visually-hidden", **hyphenate_names(aria_live="polite"))
    length = html.Span([html.B(id="bound-length"), start, button])
    parts = [html.Small(text("bound.label")), length, sentence, live_text]
    return html.Div(parts, id="bound", className="tile", hidden=True)


def _canvas() -> html.Div:
    tour = html.Canvas(id=ids.TOUR, className="map", **hyphenate_names(role="img", aria_label=text("tour.map")))
    return html.Div([tour, *views.views()], className="canvas")


def _legend() -> html.Div:
    return html.Div(
        [
            html.Span([html.I(className="swatch removed"), html.Span(text("legend.out"), id="legend-move")]),
            html.Span(
                [html.I(className="swatch added"), html.Span(text("legend.in"), id="legend-entering")],
                className="entering",
            ),
            html.Span([html.I(className="swatch tour"), text("legend.tour")], className="one-tour"),
            *_comparison_legend(),
            html.Span(
                [html.I(className="swatch candidates"), text("legend.candidates")],
                id="legend-candidates",
                className="key",
                **hyphenate_names(data_shown="false"),
            ),
            html.Span(
                [
                    switch(ids.SHOW_OPTIMAL, text("legend.optimal"), value=False),
                    switch(ids.SHOW_SHARED, text("legend.shared"), value=False),
                    switch(ids.SHOW_MOATS, text("legend.moats"), value=False, style="moats-switch"),
                ],
                className="overlays",
            ),
        ],
        id=ids.LEGEND,
        className="legend",
    )


def _comparison_legend() -> list[html.Span]:
    """Return the legend of a tour compared with the optimal tour (`assets/watch/tour/shared_edges.js`)."""
    keys = (
        ("shared", html.Span(id="legend-shared")),
        ("own", text("legend.shared.own")),
        ("missing", html.Span(id="legend-missing")),
    )
    return [html.Span([html.I(className=f"swatch {name}"), label], className="compared") for name, label in keys]


def _player() -> html.Div:
    buttons = (ids.HOME, ids.BACK, ids.PLAY, ids.FORWARD, ids.END)
    scrubs = html.Div(
        [
            _scrub("player-climb", ids.CLIMB_NAME, "player-climb-label", text("player.climb"), "scrub scrub-first"),
            _scrub("player-move", ids.MOVE_NAME, "player-move-label", text("player.move")),
        ],
        className="scrubs",
    )
    speed = html.Div(
        [
            html.Label(text("player.speed"), htmlFor=ids.SPEED),
            _range(ids.SPEED),
            html.Span(id="player-speed-label", className="speed-label"),
        ],
        className="speed",
    )
    live = player.live_button(ids.LIVE, text("player.live"))
    steps = player.steps(buttons, text("player.walk"), text("player.step", step=text("where.move")))
    more = html.Div([predict.switch(), by_hand.opener(), live], className="player-more")
    return player.player([steps, scrubs, speed, more], ids.PLAYER)


def _scrub(scrub_id: str, name_id: str, label_id: str, name: str, style: str = "scrub") -> html.Div:
    label = html.Span(NONE, id=label_id, className="scrub-label")
    return html.Div([html.Label(name, id=name_id, htmlFor=scrub_id), _range(scrub_id), label], className=style)


def _range(range_id: str) -> dbc.Input:
    """Return a plain range input, whose limits `assets/watch/player/player.js` sets."""
    return dbc.Input(id=range_id, type="range", min=0, max=0, step=1, value=0, class_name="slider")


def register(app: Dash) -> None:
    """Connect the switches of optimal tour and zones, the other views, and the current run's name."""
    views.register(app)
    app.clientside_callback(ClientsideFunction("watch", "showOptimal"), Input(ids.SHOW_OPTIMAL, "value"))
    app.clientside_callback(ClientsideFunction("watch", "showShared"), Input(ids.SHOW_SHARED, "value"))
    app.clientside_callback(ClientsideFunction("watch", "showMoats"), Input(ids.SHOW_MOATS, "value"))
    app.clientside_callback(
        ClientsideFunction("watch", "chosen"),
        *inputs("value", ids.ALGORITHM, ids.SEED),
        prevent_initial_call=False,
    )
