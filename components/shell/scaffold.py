"""The part that the layouts of all pages share."""

from typing import Any

from dash import dcc, html

from components.shell import header, ids
from components.shell.controls import attributes, live_note
from components.shell.texts import common as text
from runs.visitors import visitor


def page(
    status: dict[str, Any], base_path: str, name: str, menu: Any, parts: list, stage: str = "", **more: str
) -> html.Div:
    """A page under its header.

    Parameters
    ----------
    status : dict
        What `RunService.status` returns.
    base_path : str
        Path under which the application is served, with a slash at its end.
    name : str
        One of `components.shell.paths.PAGES`.
    menu : Component
        The page's menu of recent entries.
    parts : list
        The components below the header, and the page's own stores.
    stage : str
        The words of a link that skips to `ids.STAGE`, where the page has that panel.
    **more
        More attributes for the scripts, as `attributes` takes them.
    """
    shared = [dcc.Store(id=ids.THEME, storage_type="local"), dcc.Store(id=ids.STATUS, data=status)]
    places = {ids.MAIN: text("page.skip"), **({ids.STAGE: stage} if stage else {})}
    skips = [html.A(label, href=f"#{place}", className="skip") for place, label in places.items()]
    lecture = [html.Div(id=ids.LECTURE, className="lecture")] if visitor().id else []
    return html.Div(
        [*shared, *skips, header.bar(status, base_path, name, menu), *lecture, *parts],
        id=ids.PAGE,
        **attributes(**more),
    )


def main(style: str, *parts: Any, title: str = "") -> html.Main:
    """The part of the page below the header; `title` is a heading for screen readers."""
    heading = [html.H1(title, className="visually-hidden")] if title else []
    return html.Main([*heading, *parts, _waiting()], id=ids.MAIN, className=f"columns {style}".strip(), tabIndex=-1)


def _waiting() -> html.Div:
    """What the page waits for, over what it shows; `assets/common/waiting.js` fills it."""
    return html.Div(
        [live_note(ids.WAITING_SAYS), html.Div(className="waiting-bar")], id=ids.WAITING, className="waiting"
    )


def lesson() -> html.Section:
    """The place of a lesson's panel, before the setup."""
    return html.Section(id=ids.LESSON, className="panel lesson", hidden=True)


def stores(*store_ids: str) -> list[dcc.Store]:
    """Empty stores."""
    return [dcc.Store(id=store_id) for store_id in store_ids]


def address() -> list[Any]:
    """The elements that an `AddressBar` reads."""
    return [dcc.Location(id=ids.URL, refresh=False), *stores(ids.ADDRESS)]
