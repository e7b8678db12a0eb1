"""The Watch page: its layout, built per load, and its callbacks."""

import json
from collections.abc import Sequence

from dash import ClientsideFunction, Dash, Input, dcc, html

from components.algorithm import form, recommending, requirements, variant_table
from components.instances import DEFAULT, picker, section
from components.shell import facts, header, ids, scaffold
from components.shell.texts import common
from components.shell.texts import watch as text
from components.types import JsonObject
from components.watch import address, launch, numbers, recent, tour
from components.watch.panels import Panel
from runs.service import RunService
from solvers import SOLVERS


def build(app: Dash, run_service: RunService, panels: Sequence[Panel] = (), frames: bool = False) -> None:
    """Set up the page in `app`.

    Parameters
    ----------
    app : dash.Dash
        Application with its document (`components.watch.document`), but without a layout. Callbacks are registered only
        on it.
    run_service : runs.service.RunService
        Source of instances and runs.
    panels : sequence of Panel
        Additional panels below the numbers.
    frames : bool
        Whether other sites may embed runs in a frame.
    """
    base_path = app.config.requests_pathname_prefix

    def make_layout() -> html.Div:
        # results of the callbacks for the initial choices: otherwise each would cost a request while the page loads
        note = picker.describe_choice(run_service, DEFAULT)
        hint = form.choose_hints(run_service, DEFAULT, SOLVERS[0].name)
        return layout(run_service.status(), base_path, panels, frames, note, hint)

    app.layout = make_layout
    section.register(app, run_service, has_note=True)
    for panel in (form, recommending, launch, requirements, address.BAR, numbers, recent.MENU):
        panel.register(app, run_service)
    for part in (tour, launch.EXPORTS, header, variant_table):
        part.register(app)
    for more in panels:
        more.register(app)
    app.clientside_callback(ClientsideFunction("watch", "open"), Input(ids.RUN, "data"))
    app.clientside_callback(
        ClientsideFunction("watch", "preview"), Input(ids.INSTANCE, "value"), prevent_initial_call=False
    )


def layout(
    status: JsonObject,
    base_path: str,
    panels: Sequence[Panel] = (),
    frames: bool = False,
    note: str = "",
    hint: dict[str, str | None] | None = None,
) -> html.Div:
    """Return the whole page in its initial state.

    Parameters
    ----------
    status : dict
        Result of `RunService.status`.
    base_path : str
        Path under which the app is served, with a trailing slash.
    panels : sequence of Panel
    frames : bool
        As in `build`.
    note : str
        Note on the initial instance; see `components.instances.picker.describe_choice`.
    hint : dict, optional
        Hint for this instance and the first algorithm; see `components.algorithm.form.choose_hints`.
    """
    setup = launch.panel(status, [picker.panel(note=note), *form.panel(status)])
    units = {solver.name: facts.units(solver) for solver in SOLVERS}
    parts = [
        *scaffold.address(),
        *scaffold.stores(
            ids.RUN,
            ids.PERMALINK,
            ids.WRONG,
            ids.WEIGHED,
            ids.VARIANTS_HERE,
            ids.WHICH_QUESTION,
            ids.WHICH_ANSWER,
            ids.PROGRESS,
            ids.ROWS,
            ids.PICTURE,
        ),
        dcc.Store(id=ids.HINT_WORDS, data=hint),
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
