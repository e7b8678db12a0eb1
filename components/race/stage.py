"""The middle of the race page: a panel with a tour per lane, and the player for all."""

import dash_bootstrap_components as dbc
from dash import html

from components.race import ids
from components.shell import ids as shell_ids
from components.shell import player
from components.shell.controls import card, choices, hyphenate_names, unseen_label
from components.shell.numbers import NONE
from components.shell.texts import race as text
from runs.races.spec import MAX_LANES

#: Replay speeds of a race, in race seconds per second, by slider position.
_SPEEDS = {"0.01": "1/100", "0.1": "1/10", "0.25": "1/4", "1": "1", "4": "4"}


def panel() -> html.Section:
    """Return the card of the lanes."""
    lanes = html.Div([_lane(number) for number in range(MAX_LANES)], id=ids.PANELS, className="lanes")
    return card(
        "race-stage",
        text("stage.label"),
        lanes,
        html.P(id=ids.ENDING, className="race-ending", **hyphenate_names(aria_live="polite")),
        _legend(),
        _player(),
        id=shell_ids.STAGE,
        tabIndex=-1,
    )


def _lane(number: int) -> html.Div:
    head = html.Div(
        [
            html.Span(className="lane-badge", **hyphenate_names(aria_hidden="true")),
            html.B(className="lane-title"),
            html.Span(className="lane-length"),
            html.Span(className="lane-gap"),
            html.Span(className="lane-state"),
        ],
        className="lane-head",
    )
    return html.Div(
        [head, html.Div(html.Canvas(**hyphenate_names(aria_hidden="true")), className="lane-canvas")],
        className="lane",
        role="group",
        **hyphenate_names(data_lane=str(number)),
    )


def _legend() -> html.Div:
    return html.Div(
        [
            html.Span([html.I(className="swatch"), text("legend.best")], className="usual"),
            html.Span([html.I(className="swatch thin"), text("legend.current")], className="usual"),
            html.Span([html.I(className="swatch"), text("legend.only")], className="differing"),
            html.Span([html.I(className="swatch thin"), text("legend.both")], className="differing"),
        ],
        className="legend",
    )


def _player() -> html.Div:
    buttons = (ids.HOME, ids.BACK, ids.PLAY, ids.FORWARD, ids.END)
    scrub = dbc.Input(id=ids.SCRUB, type="range", min=0, max=1000, step=1, value=0, class_name="slider")
    moment = unseen_label(text("player.scrub"), ids.SCRUB)
    clock = html.Span(NONE, id=ids.CLOCK, className="race-clock")
    options = choices({value: f"{speed} \u00d7" for value, speed in _SPEEDS.items()})
    speed = dbc.Select(id=ids.SPEED, options=options, value="1", class_name="race-speed")
    label = unseen_label(text("player.speed"), ids.SPEED)
    live = player.live(ids.LIVE, text("player.live"))
    steps = player.steps(buttons, text("player.what"), text("player.step"))
    return player.player([steps, moment, scrub, clock, label, speed, live], ids.PLAYER)
