"""The library's page: every saved run, race and study; its layout and all of its callbacks."""

from typing import Any

import dash
from dash import ClientsideFunction, Input, Output, dcc, html

from components.library import actions, comparison, filters, selection, table, thumbnails
from components.library import ids as library_ids
from components.shell import header, ids, scaffold
from components.shell.controls import attributes
from components.shell.document import ASSETS, configure_document

#: Below the path of the application.
PATH = "library/"
#: The scripts that are shared with other pages.
_SHARED = (
    "base.js", "clientside.js", "connect.js", "download.js", "faults.js", "format.js", "frames.js", "hotkeys.js",
    "pen.js", "stats.js", "stream.js", "studiessave.js", "studiestables.js", "theme.js", "upload.js",
)  # fmt: skip


def scripts() -> list[str]:
    """The scripts that the page loads."""
    return [*_SHARED, *(path.name for path in ASSETS.glob("catalogue*.js"))]


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
    configure_document(app, scripts(), "TourScope: library")
    app.layout = lambda: layout(run_service.status(), base_path)
    table.register(app, library, base_path)
    actions.register(app, library)
    comparison.register(app, library, run_service)
    thumbnails.register(app, library, run_service, races)
    adopted = Input(library_ids.ADOPTED, "data")
    app.clientside_callback(ClientsideFunction("catalogue", "adopted"), adopted, prevent_initial_call=False)
    header.register(app)
    app.clientside_callback(
        ClientsideFunction("catalogue", "shade"),
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
