"""The list of the library: its search field, its table, and what a search finds."""

from typing import Any

import dash_bootstrap_components as dbc
from dash import html

from components.library import ids, trash
from components.library.query import search_arguments
from components.library.rows import facets, row
from components.shell.controls import attributes, button, choices, unseen_label
from components.shell.header import PAGES
from runs.library.search import ORDERS

#: The columns: label, sort order, CSS class, explanation.
_COLUMNS = (
    ("Name", "name", "name", "Its name or description"),
    ("Algorithm", "", "algorithm", ""),
    ("Instance", "", "instance", ""),
    ("Length", "length", "number", "Of the best tour"),
    ("Gap", "gap", "number", "How far the best tour is above the optimum, or the best known"),
    ("Time", "seconds", "number", "On the run\u2019s own clock, without compilation and pauses"),
    ("Size", "size", "number size", "Of its files"),
    ("When", "created", "when", "When it was started"),
    ("State", "", "state", ""),
)
_ORDER_WORDS = {
    "created": "When", "name": "Name", "gap": "Gap", "length": "Length", "seconds": "Time", "size": "Size",
}  # fmt: skip


def panel(base_path: str) -> list:
    """The head of the list, the list, and the texts that replace an empty list."""
    return [
        _head(),
        _table(),
        html.Div(id=ids.EMPTY, className="library-empty", role="status"),
        _nothing(base_path),
    ]


def _head() -> html.Div:
    search = dbc.Input(
        id=ids.SEARCH, type="search", placeholder="Search names, instances, algorithms, tags", maxlength=200,
        autocomplete="off", class_name="library-search",
    )  # fmt: skip
    label = unseen_label("Search the library; the key / leads here", ids.SEARCH)
    orders = choices({order: _ORDER_WORDS[order] for order in ORDERS})
    sort = dbc.Select(id=ids.SORT, options=orders, value="created")
    turn = button(ids.TURN, "Reverse", "turn", style="quiet round")
    sorting = [html.Label("Sort by", htmlFor=ids.SORT, className="field-label"), sort, turn]
    return html.Div(
        [
            html.H1("Library", className="visually-hidden"),
            label,
            search,
            html.Div(sorting, className="filter library-sorting"),
            html.Div(id=ids.COUNT, className="note", **attributes(aria_live="polite")),
        ],
        id=ids.HEAD,
        className="library-head",
    )


def _table() -> html.Div:
    unseen = html.Span("Tour", className="visually-hidden")
    all_of_them = html.Th(id=ids.ALL, scope="col", className="check")  # the scripts make its checkbox
    heads = [all_of_them, html.Th(unseen, scope="col", className="tour"), *(_head_cell(*each) for each in _COLUMNS)]
    table = html.Table(
        [html.Thead(html.Tr(heads)), html.Tbody(id=ids.BODY)],
        id=ids.TABLE,
        className="library-table",
        **attributes(aria_label="Runs, races and studies"),
    )
    more = button(ids.MORE, "Show more", "more", text="More")
    before = button(ids.BEFORE, "Previous", "back", text="Previous")
    after = button(ids.AFTER, "Next", "more", text="Next")
    return html.Div(
        [
            html.Div(before, className="library-more"),
            table,
            html.Div([more, after], className="library-more"),
        ],
        id=ids.LIST,
        className="library-list",
        tabIndex=0,
        role="region",
        **attributes(aria_label="The list"),
    )


def _head_cell(name: str, order: str, kind: str, explanation: str) -> html.Th:
    if not order:
        return html.Th(name, scope="col", className=kind)
    sorter = html.Button(name, type="button", title=explanation)
    return html.Th(sorter, scope="col", className=kind, **attributes(data_sort=order))


def _nothing(base_path: str) -> html.Section:
    """What the page is for, shown while the library is empty."""
    pages = {"Watch": "one run, move by move", "Race": "two to four side by side", "Study": "many, and what they show"}
    links = [html.Li([html.A(name, href=base_path + PAGES[name]), f" \u2013 {what}"]) for name, what in pages.items()]
    return html.Section(
        [
            html.H2("Everything that you run is saved here"),
            html.P(
                "Every run, race and study can be found again, named, tagged, compared with others and opened as it "
                "was. There are none yet: start one, or drop a file here."
            ),
            html.Ul(links),
        ],
        id=ids.NOTHING,
        className="library-nothing",
        hidden=True,
    )


def search_result(library, query: str, base_path: str) -> dict[str, Any]:
    """The result of a search, given the query of the page's address, as `assets/library/list.js` reads it."""
    page = library.search(**search_arguments(query))
    return {
        "entries": [row(entry, base_path) for entry in page.entries],
        "total": page.total,
        "pending": page.pending,
        "facets": facets(page.facets),
        "trash": trash.as_json(library.trash()),
    }
