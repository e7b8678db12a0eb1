"""The page: its layout, made anew for each load, and all of its callbacks."""

import json
from collections.abc import Sequence
from typing import Any

import dash
from dash import ClientsideFunction, Input, html

from components.algorithm import form, requirements, variant_table
from components.instances import picker, section
from components.shell import facts, header, ids, scaffold
from components.shell.controls import attributes
from components.shell.texts import common
from components.shell.texts import watch as text
from components.watch import address, exports, launch, numbers, recent, tour
from components.watch.panels import Panel
from solvers import SOLVERS


def build(app: dash.Dash, run_service, panels: Sequence[Panel] = (), frames: bool = False) -> None:
    """Give `app` the page.

    Parameters
    ----------
    app : dash.Dash
        With its document (`components.watch.document`), without a layout. Callbacks are registered on it alone.
    run_service : runs.service.RunService
        The callbacks' source of instances and runs.
    panels : sequence of Panel
        More panels, below the numbers.
    frames : bool
        Whether pages of other sites may show runs in a frame.
    """
    base_path = app.config.requests_pathname_prefix
    app.layout = lambda: layout(run_service.status(), base_path, panels, frames)
    for panel in (section, form, launch, requirements, address.BAR, numbers, recent.MENU):
        panel.register(app, run_service)
    for panel in (tour, exports, header, variant_table):
        panel.register(app)
    for more in panels:
        more.register(app)
    app.clientside_callback(ClientsideFunction("watch", "open"), Input(ids.RUN, "data"))
    app.clientside_callback(
        ClientsideFunction("watch", "preview"), Input(ids.INSTANCE, "value"), prevent_initial_call=False
    )


def layout(status: dict[str, Any], base_path: str, panels: Sequence[Panel] = (), frames: bool = False) -> html.Div:
    """The whole page, as a first visitor sees it.

    Parameters
    ----------
    status : dict
        What `RunService.status` returns.
    base_path : str
        Path under which the app is served, with a slash at its end.
    panels : sequence of Panel
    frames : bool
        As in `build`.
    """
    setup = html.Section(
        [
            html.Div([picker.panel(), *form.panel(status), *launch.settings(status)], className="settings"),
            launch.controls(),
            exports.panel(),
        ],
        className="panel setup",
        **attributes(aria_label=text("setup.label")),
    )
    units = {solver.name: facts.units(solver) for solver in SOLVERS}
    parts = [
        *scaffold.address(),
        *scaffold.stores(
            ids.RUN,
            ids.PERMALINK,
            ids.HINT_WORDS,
            ids.WRONG,
            ids.WEIGHED,
            ids.VARIANTS_HERE,
            ids.PROGRESS,
            ids.ROWS,
            ids.PICTURE,
        ),
        *section.stores(),
        scaffold.main(
            "",
            scaffold.lesson(),
            setup,
            tour.panel(),
            numbers.panel([panel.layout() for panel in panels]),
            title=common("page.watch"),
        ),
        *section.dialogs(),
        variant_table.dialog(),
    ]
    framed = {"data_frames": "true"} if frames else {}
    menu, skip = recent.MENU.panel(), text("tour.skip")
    return scaffold.page(status, base_path, "watch", menu, parts, skip, data_units=json.dumps(units), **framed)
