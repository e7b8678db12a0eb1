"""The filters of the library's list, the upload area and the trash."""

from dash import html

from components.library.rows import format_count
from components.shell import facts
from components.shell.controls import hyphenate_names, icon, switch
from components.shell.texts import library as text
from components.shell.upload_area import drop_area
from components.types import JsonObject
from runs.imports import MAX_RUN_BYTES
from runs.library.service import Deletion

#: Maximum number of names listed for a deletion.
_NAMED = 2


def trash_panel() -> html.Section:
    """Return the list's element, which scripts fill, and hide while it is empty."""
    return html.Section(
        id="library-trash", className="library-trash", hidden=True, **hyphenate_names(aria_label=text("trash.title"))
    )


def deletions_to_json(trash: list[Deletion]) -> list[JsonObject]:
    """Return the deletions, latest first: undo token, names and time."""
    return [
        {"token": each.token, "names": _format_names(each), "when": facts.format_local_time(each.deleted_at)}
        for each in sorted(trash, key=lambda each: each.deleted_at, reverse=True)
    ]


def _format_names(each: Deletion) -> str:
    """Return the names of the deleted entries.

    If there are several, their number comes first, since a narrow column shows no more.
    """
    if len(each.names) == 1:
        return each.names[0]
    more = len(each.names) - _NAMED
    values = {"entries": format_count(each.keys), "names": ", ".join(each.names[:_NAMED])}
    return text("trash.names.more", count=more, **values) if more > 0 else text("trash.names", **values)


def panel() -> html.Aside:
    """Return the panel, which `assets/library/facets.js` fills with values and counts."""
    lanes = switch("library-lanes", text("filters.lanes"), value=False)
    area = drop_area("library-upload", "library-upload-note", text("filters.files"), MAX_RUN_BYTES)
    details = html.Details(
        [
            html.Summary([icon("filter"), html.Span(text("filters.title"))], className="button quiet"),
            html.Div([html.Div(id="library-facets"), lanes], className="library-filter-list"),
        ],
        id="library-filters",
        open=True,
    )
    return html.Aside(
        [
            html.Div([details, trash_panel()], className="library-scroll"),
            html.Div(area, className="menu-foot"),
        ],
        className="panel library-filters",
        **hyphenate_names(aria_label=text("filters.title")),
    )
