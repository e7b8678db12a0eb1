"""The lessons' page: a list of all, or the worksheet of one."""

from dash import Dash, html

from components.document.dash_page import configure
from components.learn import cards, ids
from components.learn.collection import Lessons
from components.shell import header, scaffold
from components.shell.texts import common
from components.shell.texts import learn as text
from components.types import JsonObject
from runs.service import RunService


def build(app: Dash, run_service: RunService, lessons: Lessons, base_path: str) -> None:
    """Set up the page in `app`.

    Parameters
    ----------
    app : dash.Dash
        Application without a layout, at its own paths. Callbacks are registered only on it.
    run_service : runs.service.RunService
    lessons : Lessons
    base_path : str
        Path under which the application is served, with a trailing slash.
    """
    configure(app, base_path, "learn", title=lambda: text("page.title"))
    app.layout = lambda: layout(run_service.status(), lessons, base_path)
    header.register(app)


def layout(status: JsonObject, lessons: Lessons, base_path: str) -> html.Div:
    """Return the whole page; scripts fill in the worksheet of the lesson in the address.

    Parameters
    ----------
    status : dict
        Result of `RunService.status`.
    lessons : Lessons
    base_path : str
        Path under which the application is served, with a trailing slash.
    """
    every = html.Div(
        [*cards.bundled_lessons(lessons, base_path), *cards.own_lessons(lessons, base_path)],
        id=ids.LIST,
        className="panel lessons",
    )
    sheet = html.Article(id=ids.SHEET, className="panel lesson-sheet", hidden=True)
    parts = [scaffold.main("learn", every, sheet, title=common("page.learn"))]
    return scaffold.page(status, base_path, "learn", html.Span(hidden=True), parts)
