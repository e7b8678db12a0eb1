"""The study page: many runs and their statistics; layout and callbacks."""

import dash_bootstrap_components as dbc
from dash import ClientsideFunction, Dash, Input, Output, State, dcc, html

from components.algorithm import several, variant_table
from components.document.dash_page import configure
from components.instances import columns, own_instances, uploads
from components.shell import header, ids, scaffold
from components.shell.controls import card, hyphenate_names, live_note, region
from components.shell.texts import study as text
from components.study import (
    address,
    backbone,
    curves,
    distribution,
    entries,
    entry_dialog,
    exports,
    landscape,
    rates,
    recent,
    setup,
    tables,
    tests,
    tune_setup,
    tuning,
)
from components.study import ids as study_ids
from components.study import status as study_status
from components.types import JsonObject
from runs.study_jobs.service import StudyService


def build(app: Dash, studies: StudyService, base_path: str) -> None:
    """Set up the page in `app`.

    Parameters
    ----------
    app : dash.Dash
        Application without a layout, at its own paths. Callbacks are registered only on it.
    studies : runs.study_jobs.service.StudyService
        Source of studies; its run service is the source of instances.
    base_path : str
        Path under which the application is served, with a trailing slash.
    """
    configure(app, base_path, "study", title=lambda: text("page.title"), early="study.js")
    app.layout = lambda: layout(studies.run_service.status(), base_path)
    for part in (
        setup, address.BAR, study_status, curves, distribution, tables, tests, rates,
        backbone, landscape, recent, tune_setup,
    ):  # fmt: skip
        part.register(app, studies)
    exports.register(app, base_path)
    tuning.register(app, studies, base_path)
    entries.register(app)
    entry_dialog.register(app, studies.run_service)
    own_instances.register(app, studies.run_service, study_ids.INSTANCES)
    uploads.register(app, studies.run_service, tours=False, menu=study_ids.INSTANCES, has_dialog=False)
    columns.register(app)
    header.register(app)
    variant_table.register(app)
    app.clientside_callback(
        ClientsideFunction("theme", "seen"),
        Output(study_ids.SHADE, "data"),
        Input(ids.THEME, "data"),
        prevent_initial_call=False,
    )
    # The form of an entry shows the requirements of its variants on the first instance.
    app.clientside_callback(
        ClientsideFunction("study", "instance"),
        Output(ids.INSTANCE, "value"),
        Input(study_ids.INSTANCES, "value"),
        prevent_initial_call=False,
    )
    app.clientside_callback(
        ClientsideFunction("study", "forget"),
        Output(study_ids.CHOSEN, "value"),
        Input(study_ids.OPEN, "data"),
        State(study_ids.CHOSEN, "value"),
    )
    app.clientside_callback(
        ClientsideFunction("study", "ahead"),
        Output(study_ids.SHOWN, "data", allow_duplicate=True),
        Input(ids.URL, "search"),
        State(study_ids.SHOWN, "data"),
        prevent_initial_call="initial_duplicate",
    )


def layout(status: JsonObject, base_path: str) -> html.Div:
    """Return the whole page in its initial state.

    Parameters
    ----------
    status : dict
        Result of `RunService.status`.
    base_path : str
        Path under which the application is served, with a trailing slash.
    """
    parts = [
        *scaffold.address(),
        dcc.Store(id=study_ids.ENTRIES, data=entries.DEFAULT),
        *scaffold.stores(study_ids.OPEN, study_ids.SHOWN, study_ids.SHADE, study_ids.LATER, study_ids.MARK),
        *scaffold.stores(ids.FILE, ids.TABLE),
        dbc.Input(id=ids.INSTANCE, type="hidden", value=setup.INSTANCES[0]),
        *several.stores(),
        own_instances.store(),
        scaffold.main("studies", setup.panel(base_path), recent.introduction(base_path), _results()),
        entry_dialog.dialog(status),
        variant_table.dialog(),
        columns.dialog(),
    ]
    return scaffold.page(status, base_path, "study", recent.MENU.panel(), parts)


def _results() -> html.Section:
    """Return all results of the open study in reading order."""
    label = hyphenate_names(aria_label=text("matrix.label"))
    matrix = html.Table(id=study_ids.MATRIX, className="studies-matrix", **label)
    times, accuracy = tables.panels()
    anytime, targets = curves.panels()
    return card(
        "studies-results none",
        text("page.results"),
        study_status.panel(),
        html.P(id=study_ids.FINDING, className="studies-finding", **hyphenate_names(aria_live="polite")),
        exports.panel(),
        tuning.panel(),
        region("studies-scroll", text("matrix.region"), matrix),
        dcc.Store(id=study_ids.store(study_ids.MATRIX)),
        live_note(study_ids.MATRIX_NOTE),
        curves.bar(),
        html.Div([anytime, targets], className="studies-charts"),
        tests.panel(),
        distribution.slider(),
        html.Div([distribution.panel(), times], className="studies-charts"),
        distribution.sweep_panel(),
        rates.panel(),
        accuracy,
        backbone.panel(),
        landscape.panel(),
        id=study_ids.RESULTS,
    )
