"""The study page: many runs, and what they show; its layout and all of its callbacks."""

import re
from typing import Any

import dash
import dash_bootstrap_components as dbc
from dash import Input, Output, State, dcc, html

from components import (
    compare_panel,
    header,
    ids,
    studies_address,
    studies_charts,
    studies_compare,
    studies_entries,
    studies_first,
    studies_form,
    studies_ids,
    studies_recent,
    studies_save,
    studies_setup,
    studies_spread,
    studies_state,
    studies_tables,
)
from components.controls import attributes, live_note
from components.document import ASSETS, dress_alone

#: Below the path of the application.
PATH = "study/"
#: The scripts that are not the studies' alone.
_SHARED = (
    "base.js", "clientside.js", "connect.js", "download.js", "faults.js", "format.js", "frames.js", "hotkeys.js",
    "stats.js", "stream.js", "theme.js", "upload.js", "ways.js",
)  # fmt: skip


def scripts() -> list[str]:
    """The scripts that the page loads."""
    return [*_SHARED, *(path.name for path in ASSETS.glob("studies*.js"))]


def build(app: dash.Dash, studies, base_path: str) -> None:
    """Give `app` the page.

    Parameters
    ----------
    app : dash.Dash
        Without a layout, its paths below `PATH`. Callbacks are registered on it alone.
    studies : runs.studies.Studies
        Asked by the callbacks for studies, and its desk for instances.
    base_path : str
        Path under which the application is served, with a slash at its end.
    """
    dress_alone(app, scripts(), "TourScope: study")
    app.index_string = early(app.index_string)
    studies_first.add_route(app.server, studies, base_path + PATH)
    app.layout = lambda: layout(studies.desk.status(), base_path)
    for part in (
        studies_setup, studies_address, studies_state, studies_charts, studies_spread, studies_tables, studies_compare,
        studies_recent,
    ):  # fmt: skip
        part.register(app, studies)
    studies_save.register(app, base_path)
    studies_entries.register(app)
    studies_form.register(app, studies.desk)
    header.register_bar(app)
    app.clientside_callback(
        dash.ClientsideFunction("studies", "shade"), Output(studies_ids.SHADE, "data"), Input(ids.THEME, "data")
    )
    # The form of an entry says what its ways need: on the first of the instances.
    app.clientside_callback(
        dash.ClientsideFunction("studies", "instance"),
        Output(ids.INSTANCE, "value"),
        Input(studies_ids.INSTANCES, "value"),
    )
    app.clientside_callback(
        dash.ClientsideFunction("studies", "forget"),
        Output(studies_ids.CHOSEN, "value"),
        Input(studies_ids.OPEN, "data"),
        State(studies_ids.CHOSEN, "value"),
        prevent_initial_call=True,
    )
    app.clientside_callback(
        dash.ClientsideFunction("studies", "ahead"),
        Output(studies_ids.SHOWN, "data", allow_duplicate=True),
        Input(ids.URL, "search"),
        State(studies_ids.SHOWN, "data"),
        prevent_initial_call="initial_duplicate",
    )

    @app.callback(
        Output(studies_ids.WAYS_PLACE, "children"),
        Input(studies_ids.EDITED, "data"),
        State(studies_ids.WAYS_PLACE, "children"),
        prevent_initial_call=True,
    )
    def compare_ways(_edited, there):
        return dash.no_update if there else compare_panel.dialog()


def early(document: str) -> str:
    """A document whose first script asks for the study and has Plotly fetched, which is left to `studiesplots.js`.

    Parameters
    ----------
    document : str
        As `components.document.dress` makes it, with Plotly's script by name.
    """
    plotly = re.search(r'<script src="([^"]*/plotly[^"]*)"></script>', document)
    theme = re.search(r'<script src="([^"]*/early/)theme\.js"></script>', document)
    if plotly is None or theme is None:
        raise ValueError("The document names neither Plotly nor the theme's script.")
    place = f'<link as="script" href="{plotly[1]}" data-plotly>'
    document = document.replace(plotly[0], "")
    return document.replace(theme[0], f'{theme[0]}{place}<script src="{theme[1]}studies.js"></script>')


def layout(status: dict[str, Any], base_path: str) -> html.Div:
    """The whole page, as the first visit sees it.

    Parameters
    ----------
    status : dict
        What `Desk.status` tells.
    base_path : str
        Path under which the application is served, with a slash at its end.
    """
    return html.Div(
        [
            dcc.Location(id=ids.URL, refresh=False),
            dcc.Store(id=ids.THEME, storage_type="local"),
            dcc.Store(id=ids.STATUS, data=status),
            dcc.Store(id=studies_ids.ENTRIES, data=studies_entries.DEFAULT),
            dcc.Store(id=studies_ids.OPEN),
            dcc.Store(id=studies_ids.SHOWN),
            dcc.Store(id=studies_ids.SHADE),
            dcc.Store(id=studies_ids.LATER),
            dcc.Store(id=studies_ids.MARK),
            dbc.Input(id=ids.INSTANCE, type="hidden", value=studies_setup.INSTANCES[0]),
            *studies_form.stores(),
            header.bar(status, base_path, "Study", studies_recent.menu()),
            html.Main([studies_setup.panel(), studies_recent.empty(), _results()], className="columns studies"),
            studies_form.dialog(status),
            html.Div(id=studies_ids.WAYS_PLACE),
        ],
        id=ids.PAGE,
        **attributes(data_base_path=base_path),
    )


def _results() -> html.Section:
    """Everything of the open study, in the order in which it is read."""
    matrix = html.Div(
        html.Table(id=studies_ids.MATRIX, className="studies-matrix", **attributes(aria_label="Median gaps")),
        className="studies-scroll", tabIndex=0, role="region", **attributes(aria_label="The matrix"),
    )  # fmt: skip
    times, accuracy = studies_tables.panels()
    anytime, targets = studies_charts.panels()
    return html.Section(
        [
            studies_state.panel(),
            studies_save.panel(),
            matrix,
            dcc.Store(id=studies_ids.store(studies_ids.MATRIX)),
            live_note(studies_ids.MATRIX_NOTE),
            studies_charts.bar(),
            html.Div([anytime, targets], className="studies-charts"),
            studies_compare.panel(),
            studies_spread.slider(),
            html.Div([studies_spread.panel(), times], className="studies-charts"),
            studies_spread.sweep_panel(),
            accuracy,
        ],
        id=studies_ids.RESULTS,
        className="panel studies-results none",
        **attributes(aria_label="Results"),
    )
