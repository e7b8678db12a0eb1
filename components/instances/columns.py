"""The dialog for a table's columns: which are x and y, and how distances are measured."""

from dash import ClientsideFunction, Dash, Input, Output, html

from components.shell import facts, ids
from components.shell.callbacks import inputs, outputs
from components.shell.controls import button, filter_row, hyphenate_names, live_note
from components.shell.texts import instances as text
from runs.language import per_language

#: Kinds of distance for a table's cities; EXPLICIT matrices are not tables of coordinates.
KINDS = per_language(
    lambda: {
        "EUC_2D": text("columns.kind.EUC_2D"),
        "CEIL_2D": facts.MEASURES()["CEIL_2D"],
        "ATT": facts.MEASURES()["ATT"],
        "HAVERSINE_M": text("columns.kind.HAVERSINE_M"),
        "HAVERSINE_KM": text("columns.kind.HAVERSINE_KM"),
        "GEO": text("columns.kind.GEO"),
    }
)


def dialog() -> html.Dialog:
    """Return the closed dialog."""
    close = button("columns-close", text("dialog.close"), "close", style="quiet round")
    title = text("columns.use.title")
    use = button(ids.TABLE_USE, title, "check", text=text("columns.use"), style="primary")
    return html.Dialog(
        [
            html.Div([html.H2(text("columns.title")), close], className="sheet-head"),
            html.Div(
                [
                    html.Div(id="columns-facts", className="note"),
                    html.Div(id="columns-sample", className="sample", tabIndex=0, role="region",
                             **hyphenate_names(aria_label=text("columns.sample"))),
                    html.Div(
                        [filter_row(text("columns.x"), ids.TABLE_X, {}), filter_row(text("columns.y"), ids.TABLE_Y, {}),
                         filter_row(text("columns.distances"), ids.TABLE_KIND, KINDS())],
                        className="filters",
                    ),
                    live_note(ids.TABLE_NOTE, style="refusal"),
                    html.Canvas(className="thumbnail"),
                    use,
                ],
                className="sheet-body",
            ),
        ],
        id="columns",
        className="sheet columns-dialog",
        **hyphenate_names(aria_label=text("columns.label")),
    )  # fmt: skip


def register(app: Dash) -> None:
    """Show the uploaded table in the dialog, and close it once columns are chosen."""
    app.clientside_callback(
        ClientsideFunction("instances", "showTable"),
        *outputs("options", ids.TABLE_X, ids.TABLE_Y),
        *outputs("value", ids.TABLE_X, ids.TABLE_Y, ids.TABLE_KIND),
        Output(ids.TABLE_NOTE, "children", allow_duplicate=True),
        Input(ids.TABLE, "data"),
    )
    app.clientside_callback(
        ClientsideFunction("instances", "markColumns"),
        *inputs("value", ids.TABLE_X, ids.TABLE_Y, ids.TABLE_KIND),
    )
