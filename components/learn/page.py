"""The lessons' page: a list of all lessons, or the worksheet of one."""

from dash import Dash, html
from dash.development.base_component import Component

from components.document.dash_page import configure
from components.learn import ids
from components.learn.collection import MAX_BYTES, ORDER, Faulty, Lessons
from components.learn.lesson import Lesson
from components.learn.view import make_step_address
from components.shell import assets, header, scaffold
from components.shell.controls import hyphenate_names
from components.shell.paths import CLASS
from components.shell.texts import common
from components.shell.texts import learn as text
from components.shell.upload_area import drop_area
from components.types import JsonObject
from runs.service import RunService
from runs.translation import translate
from runs.visitors import current_visitor
from solvers import find


def bundled_lessons(lessons: Lessons, base_path: str) -> list[Component]:
    """Return this release's lessons; the host also sees how to teach a class."""
    listed = [_card(lesson, base_path) for lesson in lessons.bundled_lessons()]
    about: list[str | Component] = [text("page.about")]
    if current_visitor().host:
        link = html.A(text("class.guide"), href=f"{base_path}docs/class.md")
        about += [" ", link, ": "]
        if current_visitor().is_shared_host:
            about += [html.A(text("class.code"), href=f"{base_path}{CLASS}"), "."]
        else:
            about += [f"{text('class.how')} ", html.Code(text("class.command")), "."]
    return [html.P(about, className="lessons-about"), html.Ol(listed, className="lesson-cards")]


def own_lessons(lessons: Lessons, base_path: str) -> list[Component]:
    """Return the data folder's lessons.

    The host also sees the folder's path, faulty files, how to write a lesson, and an area to drop a lesson's file on.
    """
    own, host = lessons.own_lessons(), current_visitor().host
    listed = [
        _fault(lesson) if isinstance(lesson, Faulty) else _card(lesson, base_path)
        for lesson in own
        if host or not isinstance(lesson, Faulty)
    ]
    cards = [html.Ul(listed, className="lesson-cards")] if listed else []
    if not host:
        return [html.H2(text("own.title.host")), *cards] if cards else []
    guide = html.A(text("own.guide"), href=f"{base_path}docs/lessons.md")
    about = html.P([text("own.about", folder=str(lessons.own_folder)), " ", guide], className="lessons-about")
    area = drop_area(ids.UPLOAD, ids.UPLOAD_NOTE, text("own.file"), MAX_BYTES)
    return [html.H2(text("own.title")), about, *cards, *area]


def _card(lesson: Lesson, base_path: str) -> html.Li:
    title = html.A(lesson.title, href=make_step_address(lesson, base_path), className="lesson-start")
    pages = [
        html.A(translate(find(name).title), href=f"{base_path}docs/algorithms/{name}.md", className="lesson-algorithm")
        for name in lesson.algorithms
    ]
    facts = [
        html.Span(text("card.minutes", count=lesson.minutes)),
        *pages,
        html.A(
            text("card.sheet"),
            href=f"?lesson={lesson.id}",
            **hyphenate_names(aria_label=text("card.sheet-of", title=lesson.title)),
        ),
    ]
    return html.Li(
        [
            *_picture(lesson.id, base_path),
            html.Div([html.H2(title), html.Span(className="lesson-progress")], className="lesson-head"),
            html.P(lesson.afterwards),
            html.Div(facts, className="lesson-facts"),
        ],
        className="lesson-card",
        **hyphenate_names(data_lesson=lesson.id, data_steps=str(len(lesson.steps))),
    )


def _picture(lesson_id: str, base_path: str) -> list[html.Span]:
    """Return a bundled lesson's picture; none for a lecturer's own."""
    if lesson_id not in ORDER:
        return []
    source = f"url({assets.address(base_path)}/learn/pictures/{lesson_id}.svg)"
    return [html.Span(className="lesson-picture", style={"--picture": source}, **hyphenate_names(aria_hidden="true"))]


def _fault(faulty: Faulty) -> html.Li:
    return html.Li([html.H2(faulty.file), html.P(faulty.sentence, className="refusal")], className="lesson-card faulty")


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
        [*bundled_lessons(lessons, base_path), *own_lessons(lessons, base_path)],
        id=ids.LIST,
        className="panel lessons",
    )
    sheet = html.Article(id=ids.SHEET, className="panel lesson-sheet", hidden=True)
    parts = [scaffold.main("learn", every, sheet, title=common("page.learn"))]
    return scaffold.page(status, base_path, "learn", html.Span(hidden=True), parts)
