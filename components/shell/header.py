"""The header: the name, the recent runs, the device and the theme."""

import asyncio
from typing import Any

import dash
from dash import ClientsideFunction, Input, Output, State, dcc, html, no_update

from components.algorithm.devices import chip_text, known_devices
from components.shell import ids, text
from components.shell.callbacks import in_thread
from components.shell.controls import attributes, button, icon
from components.shell.upload_area import drop_area
from components.watch.address import spec_of
from components.watch.launch import address, shown_run
from runs.imports.launch import MAX_RUN_BYTES
from solvers.errors import InvalidParams
from solvers.spec import RunSpec

RECENT_RUNS = 12
#: The pages by name, and their paths below that of the application.
PAGES = {"Watch": "", "Race": "race/", "Study": "study/", "Library": "library/"}


def bar(status: dict[str, Any], base_path: str, page: str = "Watch", menu: Any = None) -> html.Header:
    """The header of one of the `PAGES`, with the menu of what was last done there; that of runs by default.

    A page without a menu gives an empty element for it.
    """
    return html.Header(
        [
            html.Div([html.Span(className="mark"), html.Span(["Tour", html.B("Scope")])], className="brand"),
            html.Nav([_link(name, base_path, name == page) for name in PAGES], **attributes(aria_label="Pages")),
            _recent() if menu is None else menu,
            html.Div(chip(status), id=ids.DEVICE_CHIP, className="chip"),
            button(ids.THEME_TOGGLE, "Light or dark", "theme", style="quiet round"),
        ],
        className="bar",
    )


def _link(name: str, base_path: str, here: bool) -> html.A:
    marked = {"className": "on", **attributes(aria_current="page")} if here else {}
    return html.A(name, href=base_path + PAGES[name], **marked)


def chip(status: dict[str, Any] | None) -> list:
    """What there is to compute on, with a light that says whether that is known."""
    known = known_devices(status) is not None
    return [html.I(className="dot" if known else "dot waiting"), html.Span(chip_text(status))]


def _recent() -> html.Details:
    summary = html.Summary([icon("clock"), html.Span("Recent runs")], id=ids.RECENT_OPEN, className="button quiet")
    menu = [
        html.Div(html.Div("No runs yet.", className="note"), id=ids.RECENT_LIST, className="recent-list"),
        html.Div(drop_area(ids.RUN_UPLOAD, ids.RUN_UPLOAD_NOTE, "run file", MAX_RUN_BYTES), className="menu-foot"),
    ]
    return html.Details([summary, html.Div(menu, className="menu")], id=ids.RECENT, className="recent")


def recent_list(run_service, path: str, shown: str | None = None) -> list:
    """An entry for each of the last runs, a link that opens it; the one that is `shown` is marked."""
    entries = [_entry(run, run_service.summary(run["id"]), path, shown) for run in run_service.recent(RECENT_RUNS)]
    return entries or [html.Div("No runs yet.", className="note")]


def _entry(run: dict[str, Any], summary: dict[str, Any] | None, path: str, shown: str | None) -> dcc.Link:
    spec = _spec(summary)
    proven = bool(summary and summary["instance"]["proven"])
    query = address(spec, run["id"]) if spec else f"?run={run['id']}"
    mark = " shown" if run["id"] == shown else ""
    lines = [
        html.Span([html.B(run["instance"]), html.Span(run["title"], className="option-fact")], className="option"),
        html.Small(text.choices(spec) if spec else ""),
        html.Small(text.recent_line(run, proven), className="outcome"),
    ]
    return dcc.Link(lines, href=path + query, className=f"recent-run state-{run['state']}{mark}")


def _spec(summary: dict[str, Any] | None) -> RunSpec | None:
    """What a run was to do; None of one that is gone, or of another release."""
    try:
        return spec_of(summary) if summary else None
    except InvalidParams:
        return None


def address_of(run_service, adopted: Any) -> Any:
    """The address of a run that was uploaded; that of no run is left as it is."""
    run = shown_run(adopted)
    summary = run_service.summary(run) if run else None
    spec = _spec(summary)
    return address(spec, run) if spec else no_update


def register(app: dash.Dash, run_service) -> None:
    """Connect the recent runs, the upload, the device and the theme."""

    @app.callback(Output(ids.RECENT_LIST, "children"), Input(ids.RECENT_OPEN, "n_clicks"), State(ids.RUN, "data"))
    async def recent(_, shown):
        return await asyncio.to_thread(recent_list, run_service, app.config.requests_pathname_prefix, shown_run(shown))

    adopted_address = Output(ids.URL, "search", allow_duplicate=True)

    app.callback(adopted_address, Input(ids.ADOPTED, "data"))(in_thread(address_of, run_service))

    register_bar(app)


def register_bar(app: dash.Dash) -> None:
    """Connect what the header has on every page: the device and the theme."""

    @app.callback(Output(ids.DEVICE_CHIP, "children"), Input(ids.STATUS, "data"))
    def tell_devices(status):
        return chip(status)

    app.clientside_callback(
        ClientsideFunction("tourscope", "toggleTheme"), Output(ids.THEME, "data"), Input(ids.THEME_TOGGLE, "n_clicks")
    )
    app.clientside_callback(
        ClientsideFunction("tourscope", "theme"), Input(ids.THEME, "data"), prevent_initial_call=False
    )
