"""Downloads of a study."""

import dash
from dash import Input, Output, html

from components.study import ids
from components.study.address import open_study
from studies.file.reader import SUFFIX

#: The server's routes, with their labels and titles.
KINDS = (
    ("runs.csv", "CSV", "One row per run, as CSV"),
    ("runs.parquet", "Parquet", "One row per run, as Parquet"),
    ("table.tex", "LaTeX", "Median gaps as a table for LaTeX"),
    ("iohprofiler.zip", "IOHanalyzer", "A folder that IOHanalyzer opens, as zip"),
    (f"study{SUFFIX}", "Study file", "The whole study: open it here, or resume it from the command line"),
)


def links(stored: object, base_path: str) -> list:
    """A link for each kind, of the open study."""
    study = open_study(stored)
    if study is None:
        return []
    return [
        html.A(text, href=f"{base_path}studies/{study}/{name}", className="save", title=title, download="")
        for name, text, title in KINDS
    ]


def panel() -> html.Div:
    """The row of links."""
    return html.Div(
        [html.Span("Save", className="field-label"), html.Div(id=ids.SAVES, className="saves")],
        className="studies-save",
    )


def register(app: dash.Dash, base_path: str) -> None:
    """Update the links when a study is opened."""

    @app.callback(Output(ids.SAVES, "children"), Input(ids.OPEN, "data"), prevent_initial_call=False)
    def show(stored):
        return links(stored, base_path)
