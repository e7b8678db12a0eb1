"""The layout shared by all pages."""

from dash import dcc, html
from dash.development.base_component import Component

from components.shell import header, ids
from components.shell.controls import hyphenate_names, live_note
from components.shell.texts import common as text
from components.types import JsonObject
from runs.visitors import current_visitor


def page(
    status: JsonObject, base_path: str, name: str, menu: Component, parts: list, stage: str = "", **more: str
) -> html.Div:
    """Return a page with its header.

    Parameters
    ----------
    status : dict
        Result of `RunService.status`.
    base_path : str
        Path under which the application is served, with a trailing slash.
    name : str
        One of `components.shell.paths.PAGES`.
    menu : Component
        The page's menu of recent entries.
    parts : list
        The components below the header, and the page's own stores.
    stage : str
        Text of a link that skips to `ids.STAGE`, on pages that have that panel.
    **more
        More attributes for the scripts, as in `hyphenate_names`.
    """
    shared = [dcc.Store(id=ids.THEME, storage_type="local"), dcc.Store(id=ids.STATUS, data=status)]
    places = {ids.MAIN: text("page.skip"), **({ids.STAGE: stage} if stage else {})}
    skips = [html.A(label, href=f"#{place}", className="skip") for place, label in places.items()]
    lecture = [html.Div(id="lecture", className="lecture")] if current_visitor().id else []
    return html.Div(
        [*shared, *skips, header.bar(status, base_path, name, menu), *lecture, *parts],
        id=ids.PAGE,
        **hyphenate_names(**more),
    )


def main(style: str, *parts: Component, title: str = "") -> html.Main:
    """Return the page's main part below the header; `title` is a heading for screen readers."""
    heading = [html.H1(title, className="visually-hidden")] if title else []
    return html.Main([*heading, *parts, _waiting()], id=ids.MAIN, className=f"columns {style}".strip(), tabIndex=-1)


def _waiting() -> html.Div:
    """Return the overlay that says why the page is waiting, filled by `assets/common/waiting.js`."""
    return html.Div(
        [live_note("waiting-sentence"), html.Div(className="waiting-bar")], id="waiting", className="waiting"
    )


def lesson() -> html.Section:
    """Return the placeholder of a lesson's panel, before the setup."""
    return html.Section(id=ids.LESSON, className="panel lesson", hidden=True)


def stores(*store_ids: str) -> list[dcc.Store]:
    """Return empty stores."""
    return [dcc.Store(id=store_id) for store_id in store_ids]


def address() -> list[Component]:
    """Return the elements that an `AddressBar` reads."""
    return [dcc.Location(id=ids.URL, refresh=False), *stores(ids.ADDRESS)]
