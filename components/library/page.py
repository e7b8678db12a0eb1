"""The library page: layout and callbacks."""

from dash import ClientsideFunction, Dash, Input, Output, html

from components.document.dash_page import configure
from components.library import comparison, filters, selection, table
from components.library import ids as library_ids
from components.shell import header, ids, scaffold
from components.shell.controls import card
from components.shell.texts import common
from components.shell.texts import library as text
from components.types import JsonObject
from runs.library.service import Library
from runs.service import RunService


def build(app: Dash, library: Library, run_service: RunService, base_path: str) -> None:
    """Set up the page in `app`.

    Parameters
    ----------
    app : dash.Dash
        Application without a layout, at its own paths. Callbacks are registered only on it.
    library : runs.library.service.Library
    run_service : runs.service.RunService
        Source of the runs to compare.
    base_path : str
        Path under which the application is served, with a trailing slash.
    """
    configure(app, base_path, "library", title=lambda: text("page.title"))
    app.layout = lambda: layout(run_service.status(), base_path)
    comparison.register(app, library, run_service)
    header.register(app)
    app.clientside_callback(
        ClientsideFunction("theme", "seen"),
        Output(library_ids.SHADE, "data"),
        Input(ids.THEME, "data"),
        prevent_initial_call=False,
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
    main = card("library-main", text("list.title"), *table.panel(base_path), comparison.panel(), selection.bar())
    parts = [
        *scaffold.stores(library_ids.COMPARE, library_ids.SHADE),
        scaffold.main("library waiting", filters.panel(), main, title=common("page.library")),
        selection.toast(),
    ]
    return scaffold.page(status, base_path, "library", html.Span(hidden=True), parts)
