"""The papers' page: every table and figure of the five papers, published and measured."""

from dash import Dash, html

from components.document.dash_page import configure
from components.papers import cards, ids
from components.shell import header, scaffold
from components.shell.controls import hyphenate_names
from components.shell.export_row import picture_menu
from components.shell.texts import common
from components.shell.texts import papers as text
from components.types import JsonObject
from runs.service import RunService


def build(app: Dash, run_service: RunService, base_path: str) -> None:
    """Set up the page in `app`.

    Parameters
    ----------
    app : dash.Dash
        Application without a layout, at its own paths. Callbacks are registered only on it.
    run_service : runs.service.RunService
    base_path : str
        Path under which the application is served, with a trailing slash.
    """
    configure(app, base_path, "papers", title=lambda: text("page.title"))
    app.layout = lambda: layout(run_service.status(), base_path)
    header.register(app)


def layout(status: JsonObject, base_path: str) -> html.Div:
    """Return the whole page; scripts fill in the entries of the paper in the address.

    Parameters
    ----------
    status : dict
        Result of `RunService.status`.
    base_path : str
        Path under which the application is served, with a trailing slash.
    """
    title = html.Div([html.H2(id=ids.HEADING), picture_menu(gif=False)], className="papers-head")
    paper = html.Section(
        [title, html.Div(id=ids.ABOUT), html.Div(id=ids.ENTRIES)],
        className="panel papers-main",
        **hyphenate_names(aria_labelledby=ids.HEADING),
    )
    parts = [scaffold.main("papers", cards.panel(), paper, title=common("page.papers"))]
    return scaffold.page(status, base_path, "papers", html.Span(hidden=True), parts)
