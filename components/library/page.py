"""The library's page: every saved run, race and study; its layout and all of its callbacks."""

from typing import Any

import dash
from dash import ClientsideFunction, Input, Output, dcc, html

from components.library import actions, comparison, filters, selection, table, thumbnails
from components.library import ids as library_ids
from components.shell import document, header, ids, scaffold
from components.shell.controls import attributes

#: Below the path of the application.
PATH = "library/"


def build(app: dash.Dash, library, run_service, races, base_path: str) -> None:
    """Give `app` the page.

    Parameters
    ----------
    app : dash.Dash
        Without a layout, its paths below `PATH`. Callbacks are registered on it alone.
    library : runs.library.service.Library
    run_service : runs.service.RunService
    races : runs.races.service.RaceService
        Source of the tours that are drawn and compared.
    base_path : str
        Path under which the application is served, with a slash at its end.
    """
    document.configure(app, base_path, "library", title="TourScope: library")
    app.layout = lambda: layout(run_service.status(), base_path)
    table.register(app, library, base_path)
    actions.register(app, library)
    comparison.register(app, library, run_service)
    thumbnails.register(app, library, run_service, races)
    adopted = Input(library_ids.ADOPTED, "data")
    app.clientside_callback(ClientsideFunction("library", "adopted"), adopted, prevent_initial_call=False)
    header.register(app)
    app.clientside_callback(
        ClientsideFunction("theme", "seen"),
        Output(library_ids.SHADE, "data"),
        Input(ids.THEME, "data"),
        prevent_initial_call=False,
    )


def layout(status: dict[str, Any], base_path: str) -> html.Div:
    """The whole page, as a first visitor sees it.

    Parameters
    ----------
    status : dict
        What `RunService.status` returns.
    base_path : str
        Path under which the application is served, with a slash at its end.
    """
    stores = ("ASK", "PAGE", "DO", "DONE", "COMPARE", "WANTED", "PICTURES", "SHADE", "ADOPTED")
    main = html.Section(
        [*table.panel(base_path), comparison.panel(), selection.bar()],
        className="panel catalogue-main",
        **attributes(aria_label="Runs, races and studies"),
    )
    parts = [
        *scaffold.stores(*(getattr(library_ids, name) for name in stores)),
        dcc.Download(id=library_ids.EXPORT),
        html.Main([filters.panel(), main], className="columns catalogue"),
        selection.toast(),
    ]
    return scaffold.page(status, base_path, "Library", html.Span(hidden=True), parts)
