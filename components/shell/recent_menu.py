"""The header's menu of recent runs, races or studies, with the area to drop a saved file on."""

from collections.abc import Callable
from typing import Any, NamedTuple

import dash
from dash import Input, Output, State, dcc, html

from components.shell.callbacks import in_thread
from components.shell.controls import icon
from components.shell.upload_area import drop_area
from runs.imports.launch import MAX_RUN_BYTES

#: Most entries of a menu.
MOST = 12


class RecentIds(NamedTuple):
    """The ids of a menu and of its parts."""

    menu: str
    opener: str
    entries: str
    upload: str
    note: str


def menu(ids: RecentIds, what: str, plural: str, *more: Any) -> html.Details:
    """The menu, closed; `what` and `plural` name its entries."""
    summary = html.Summary([icon("clock"), html.Span(f"Recent {plural}")], id=ids.opener, className="button quiet")
    area = drop_area(ids.upload, ids.note, f"{what} file", MAX_RUN_BYTES)
    parts = [
        html.Div(none_yet(plural), id=ids.entries, className="recent-list"),
        html.Div(area, className="menu-foot"),
        *more,
    ]
    return html.Details([summary, html.Div(parts, className="menu")], id=ids.menu, className="recent")


def none_yet(plural: str) -> html.Div:
    """The text of a list without entries."""
    return html.Div(f"No {plural} yet.", className="note")


def link(lines: list, href: str, here: bool, style: str = "") -> dcc.Link:
    """An entry, marked if it is the one that is shown."""
    return dcc.Link(lines, href=href, className=f"recent-run{style}{' shown' if here else ''}")


def register(
    app: dash.Dash, ids: RecentIds, entries: Callable[..., list], store: str, shown: Callable[[Any], str | None]
) -> None:
    """Fill the menu when it is opened.

    Parameters
    ----------
    app : dash.Dash
    ids : RecentIds
    listed : callable
        Returns the entries; takes the page's own path and the id of the one that is shown.
    store : str
        Id of the store that names what is shown.
    shown : callable
        Returns that id; takes the store's data.
    """

    def fill(_, stored):
        return entries(app.config.requests_pathname_prefix, shown(stored))

    app.callback(Output(ids.entries, "children"), Input(ids.opener, "n_clicks"), State(store, "data"))(in_thread(fill))


def adopting(app: dash.Dash, store: str, url: str, address_of: Callable[[Any], Any]) -> None:
    """Open the file that was uploaded last; `address_of` makes its address from the store's data."""
    app.callback(Output(url, "search", allow_duplicate=True), Input(store, "data"))(in_thread(address_of))
