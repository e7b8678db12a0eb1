"""The library's list: search field, table and results."""

import dash_bootstrap_components as dbc
from dash import html

from components.library import filters, ids
from components.library.query import parse_query
from components.library.rows import entry_to_json, list_facets
from components.shell.controls import button, choices, hyphenate_names, region, unseen_label
from components.shell.paths import PAGES
from components.shell.texts import common
from components.shell.texts import library as text
from components.types import JsonObject
from runs.library.search import ORDERS
from runs.library.service import Library

#: Columns by their sort orders, if they have one: CSS class, and width in pixels unless it is flexible.
_COLUMNS = {
    "name": ("name", None), "algorithm": ("algorithm", 168), "instance": ("instance", 112), "length": ("number", 112),
    "gap": ("number", 80), "seconds": ("number", 80), "size": ("number size", 80), "created": ("when", 118),
    "state": ("state", 120),
}  # fmt: skip


def panel(base_path: str) -> list:
    """Return the list, its head, and the texts shown when it is empty."""
    return [
        _head(),
        _table(),
        html.Div(id="library-empty", className="library-empty", role="status"),
        _introduction(base_path),
    ]


def _head() -> html.Div:
    search = dbc.Input(
        id=ids.SEARCH, type="search", placeholder=text("head.search"), maxlength=200,
        autocomplete="off", class_name="library-search",
    )  # fmt: skip
    label = unseen_label(text("head.search.label"), ids.SEARCH)
    orders = choices({order: text(f"column.{order}") for order in ORDERS})
    sort = dbc.Select(id=ids.SORT, options=orders, value="created")
    turn = button("library-turn", text("head.turn"), "turn", style="quiet round")
    sorting = [html.Label(text("head.sort"), htmlFor=ids.SORT, className="field-label"), sort, turn]
    return html.Div(
        [
            label,
            search,
            html.Div(sorting, className="filter library-sorting"),
            html.Div(id="library-count", className="note", **hyphenate_names(aria_live="polite")),
        ],
        id="library-head",
        className="library-head",
    )


def _table() -> html.Div:
    all_of_them = html.Th(
        id="library-all", scope="col", className="check", style={"width": 44}
    )  # scripts create its checkbox
    unseen = html.Span(text("column.tour"), className="visually-hidden")
    tour = html.Th(unseen, scope="col", className="tour", style={"width": 72})
    heads = [all_of_them, tour, *(_head_cell(name, *look) for name, look in _COLUMNS.items())]
    table = html.Table(
        [html.Thead(html.Tr(heads)), html.Tbody(id="library-body")],
        id="library-table",
        className="library-table",
        **hyphenate_names(aria_label=text("list.title")),
    )
    more = button("library-more", text("more.show"), "more", text=text("more.show"))
    before = button("library-before", text("more.before"), "back", text=text("more.before"))
    after = button("library-after", text("more.after"), "more", text=text("more.after"))
    return region(
        "library-list",
        text("list.label"),
        [
            html.Div(before, className="library-more"),
            table,
            html.Div([more, after], className="library-more"),
        ],
        id="library-list",
    )


def _head_cell(name: str, kind: str, width: int | None) -> html.Th:
    label, style = text(f"column.{name}"), {"width": width} if width else {}
    if name not in ORDERS:
        return html.Th(label, scope="col", className=kind, style=style)
    sorter = html.Button(label, type="button", title=text(f"column.{name}.title"))
    return html.Th(sorter, scope="col", className=kind, style=style, **hyphenate_names(data_sort=name))


def _introduction(base_path: str) -> html.Section:
    """Return the introduction to an empty library."""
    links = [
        html.Li([html.A(common(f"page.{name}"), href=base_path + path), f" \u2013 {text(f'nothing.{name}')}"])
        for name, path in PAGES.items()
        if name in ("watch", "race", "study")  # the pages that save results
    ]
    return html.Section(
        [html.H2(text("nothing.title")), html.P(text("nothing.words")), html.Ul(links)],
        id="library-nothing",
        className="library-nothing",
        hidden=True,
    )


def search_result(library: Library, query: str, base_path: str) -> JsonObject:
    """Return a search result for `assets/library/list.js`, given the page address's query."""
    page = library.search(parse_query(query))
    return {
        "entries": [entry_to_json(entry, base_path, library.may_change(entry.key)) for entry in page.entries],
        "total": page.total,
        "pending": page.pending,
        "facets": list_facets(page.facets),
        "trash": filters.deletions_to_json(library.trash()),
    }
