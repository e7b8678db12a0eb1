"""The header's menu of recent runs, races or studies, with a drop area for saved files."""

from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from dash import Dash, Input, NoUpdate, Output, State, dcc, html, no_update

from components.shell import ids
from components.shell.callbacks import find_stored_id, in_thread
from components.shell.controls import hyphenate_names, icon
from components.shell.errors import REFUSALS
from components.shell.facts import translate_word
from components.shell.texts import common as text
from components.shell.upload_area import drop_area
from components.types import Json
from runs.imports import MAX_RUN_BYTES

#: Maximum number of entries of a menu.
MAX_ENTRIES = 12


class Entry(NamedTuple):
    """A run, race or study in a menu.

    Attributes
    ----------
    id : str
    query : str
        Query of the address that opens it.
    lines : list
        Lines of text.
    style : str
        An additional class.
    """

    id: str
    query: str
    lines: list
    style: str = ""


class ListsRecent(Protocol):
    """A service that lists its latest entries."""

    def recent(self, limit: int, /) -> Sequence[Any]:
        """Return the latest entries, newest first."""


Service = TypeVar("Service", bound=ListsRecent)


class RecentMenu(NamedTuple, Generic[Service]):
    """Describes a page's menu.

    Attributes
    ----------
    kind, plural : str
        Words for its entries; `kind` is also the key of an id in the page's stores.
    store : str
        Id of the store with the open object.
    make_entry : callable
        Returns an `Entry`; takes the page's service, and a result of its `recent`.
    find_address : callable
        Returns the query that opens an upload, None if it does not exist; takes the service and an id.
    """

    kind: str
    plural: str
    store: str
    make_entry: Callable[[Service, Any], Entry]
    find_address: Callable[[Service, str], str | None]

    def panel(self) -> html.Details:
        """Return the closed menu."""
        label = html.Span(text("recent.label", plural=translate_word(self.plural)))
        what = text("recent.file", what=translate_word(self.kind))
        area = drop_area("recent-upload", "recent-upload-note", what, MAX_RUN_BYTES)
        parts = [
            html.Div(self._none(), id=ids.RECENT_LIST, className="recent-list"),
            html.Div(area, className="menu-foot"),
            dcc.Store(id=ids.ADOPTED),
        ]
        kind = hyphenate_names(data_kind=self.kind)
        summary = html.Summary([icon("clock"), label], id=ids.RECENT_OPEN, className="button quiet")
        return html.Details([summary, html.Div(parts, className="menu")], id="recent", className="recent", **kind)

    def _none(self) -> html.Div:
        return html.Div(text("recent.none", plural=translate_word(self.plural)), className="note")

    def links(self, service: Service, path: str, shown: str | None = None) -> list:
        """Return links below `path` to the latest entries, with the `shown` one marked."""
        listed = [self.make_entry(service, summary) for summary in service.recent(MAX_ENTRIES)]
        return [_link(entry, path, entry.id == shown) for entry in listed] or [self._none()]

    def upload_address(self, service: Service, uploaded: Json) -> str | NoUpdate:
        """Return an uploaded entry's address, or no update."""
        name = find_stored_id(uploaded, self.kind)
        try:
            return (self.find_address(service, name) if name else None) or no_update
        except REFUSALS:
            return no_update

    def register(self, app: Dash, service: Service) -> None:
        """Fill the menu when it opens, and open uploaded entries."""

        def fill(_: Json, stored: Json) -> list:
            return self.links(service, app.config.requests_pathname_prefix, find_stored_id(stored, self.kind))

        def adopt(uploaded: Json) -> str | NoUpdate:
            return self.upload_address(service, uploaded)

        app.callback(
            Output(ids.RECENT_LIST, "children"), Input(ids.RECENT_OPEN, "n_clicks"), State(self.store, "data")
        )(in_thread(fill))  # fmt: skip
        search = Output(ids.URL, "search", allow_duplicate=True)
        app.callback(search, Input(ids.ADOPTED, "data"))(in_thread(adopt))


def _link(entry: Entry, path: str, is_current: bool) -> dcc.Link:
    style = f"recent-run{entry.style}{' shown' if is_current else ''}"
    return dcc.Link(entry.lines, href=path + entry.query, className=style)
