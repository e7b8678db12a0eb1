"""The race page, two to four runs on one instance: layout and callbacks."""

import dash_bootstrap_components as dbc
from dash import ClientsideFunction, Dash, Input, dcc, html

from components.algorithm import several, variant_table
from components.document.dash_page import configure
from components.figures.canvas import canvas
from components.figures.live_charts import race_figure
from components.instances import section
from components.race import address, ids, lane_dialog, lanes, recent
from components.race import setup as race_setup_module
from components.race.lanes import LETTERS
from components.shell import header, player, scaffold
from components.shell import ids as shell_ids
from components.shell.controls import card, choices, hyphenate_names, named_select, segments, switch, unseen_label
from components.shell.numbers import NONE
from components.shell.texts import common
from components.shell.texts import race as text
from components.types import JsonObject
from runs.language import per_language
from runs.races.service import RaceService
from runs.races.spec import MAX_LANES


def build(app: Dash, races: RaceService, base_path: str) -> None:
    """Set up the page in `app`.

    Parameters
    ----------
    app : dash.Dash
        Application without a layout, at its own paths. Callbacks are registered only on it.
    races : runs.races.service.RaceService
        Source of races; its run service is the source of instances.
    base_path : str
        Path under which the application is served, with a trailing slash.
    """
    configure(app, base_path, "race", title=lambda: text("page.title"))
    app.layout = lambda: layout(races.run_service.status(), base_path)
    for part in (race_setup_module, address.BAR, recent.MENU):
        part.register(app, races)
    for alone in (lanes, race_setup_module.EXPORTS, variant_table):
        alone.register(app)
    register_numbers(app)
    lane_dialog.register(app, races.run_service)
    section.register(app, races.run_service, tours=False)
    header.register(app)


def layout(status: JsonObject, base_path: str) -> html.Div:
    """Return the whole page in its initial state.

    Parameters
    ----------
    status : dict
        Result of `RunService.status`.
    base_path : str
        Path under which the application is served, with a trailing slash.
    """
    setup = race_setup_module.panel(status)
    parts = [
        *scaffold.address(),
        dcc.Store(id=ids.LANES, data=lanes.DEFAULT),
        dcc.Store(id=ids.VIEWS, data=lanes.describe_lanes(lanes.DEFAULT)),
        *scaffold.stores(ids.RACE),
        *several.stores(),
        *section.stores(),
        scaffold.main("race", scaffold.lesson(), setup, stage(), numbers_panel(), title=common("page.race")),
        lane_dialog.dialog(status),
        variant_table.dialog(),
        *section.dialogs(),
    ]
    return scaffold.page(status, base_path, "race", recent.MENU.panel(), parts, text("stage.skip"))


#: Replay speeds of a race, in race seconds per second, by slider position.
_SPEEDS = {"0.01": "1/100", "0.1": "1/10", "0.25": "1/4", "1": "1", "4": "4"}


def stage() -> html.Section:
    """Return the card of the lanes."""
    lanes = html.Div([_lane(number) for number in range(MAX_LANES)], id="race-panels", className="lanes")
    return card(
        "race-stage",
        text("stage.label"),
        lanes,
        html.P(id="race-ending", className="race-ending", **hyphenate_names(aria_live="polite")),
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
    buttons = (shell_ids.HOME, shell_ids.BACK, shell_ids.PLAY, shell_ids.FORWARD, shell_ids.END)
    scrub = dbc.Input(id=ids.SCRUB, type="range", min=0, max=1000, step=1, value=0, class_name="slider")
    moment = unseen_label(text("player.scrub"), ids.SCRUB)
    clock = html.Span(NONE, id="race-clock", className="race-clock")
    options = choices({value: f"{speed} \u00d7" for value, speed in _SPEEDS.items()})
    speed = dbc.Select(id=shell_ids.SPEED, options=options, value="1", class_name="race-speed")
    label = unseen_label(text("player.speed"), shell_ids.SPEED)
    live = player.live_button(shell_ids.LIVE, text("player.live"))
    steps = player.steps(buttons, text("player.what"), text("player.step"))
    return player.player([steps, moment, scrub, clock, label, speed, live], shell_ids.PLAYER)


_COLUMNS = per_language(lambda: tuple(text(f"table.{column}") for column in ("lane", "length", "gap", "at", "compile")))
_X = per_language(lambda: {value: text(f"chart.x.{value}") for value in ("seconds", "iterations", "evaluations")})
_Y = per_language(lambda: {value: text(f"chart.y.{value}") for value in ("gap", "length")})


def numbers_panel() -> html.Section:
    """Return the card of the numbers."""
    cursor = html.Div(id="race-here", className="race-here", hidden=True)
    return card(
        "race-numbers",
        text("numbers.label"),
        _chart_head(),
        html.Div([canvas(ids.CHART, race_figure()), cursor], className="chart race-chart"),
        html.Div(id=ids.CHART_NOTE, className="note"),
        html.P(id=ids.CHART_SENTENCE, className="visually-hidden", **hyphenate_names(aria_live="off")),
        _table(),
        html.Div(text("table.order"), className="note"),
        _difference(),
    )


def _chart_head() -> html.Div:
    gap = segments(ids.CHART_Y, text("chart.y"), _Y(), "gap", "tight")
    seconds = segments(ids.CHART_X, text("chart.x"), _X(), "seconds", "tight")
    return html.Div([gap, switch(ids.CHART_LOG, text("chart.log")), seconds], className="chart-head")


def _table() -> html.Table:
    letter = html.Th(html.Span(text("table.letter"), className="visually-hidden"), scope="col")
    lane, length, *others = _COLUMNS()
    cells = [html.Th(lane, scope="col"), html.Th(length, id="race-table-length", scope="col")]
    heads = html.Thead(html.Tr([letter, *cells, *(html.Th(head, scope="col") for head in others)]))
    label = hyphenate_names(aria_label=text("table.label"))
    return html.Table([heads, html.Tbody(id="race-table")], className="race-table", **label)


def _difference() -> html.Div:
    lanes = choices({str(k): letter for k, letter in enumerate(LETTERS)})
    first = named_select(ids.DIFFER_A, text("differ.first"), lanes, "0")
    second = named_select(ids.DIFFER_B, text("differ.second"), lanes, "1")
    choice = [switch(ids.DIFFER, text("differ.label"), value=False), *first, html.Span(text("differ.and")), *second]
    description = html.Div(id="race-differ-sentence", className="note", **hyphenate_names(aria_live="off"))
    return html.Div([html.Div(choice, className="differ-row"), description], className="differ")


def register_numbers(app: Dash) -> None:
    """Connect the controls to the scripts."""
    for function, chosen in (
        ("setAxes", (ids.CHART_X, ids.CHART_Y, ids.CHART_LOG)),
        ("differ", (ids.DIFFER, ids.DIFFER_A, ids.DIFFER_B)),
    ):
        app.clientside_callback(ClientsideFunction("race", function), *(Input(each, "value") for each in chosen))
