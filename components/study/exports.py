"""Downloads of a study."""

from dash import Dash, Input, Output, html

from components.shell import export_row
from components.shell.controls import hyphenate_names
from components.shell.texts import study as text
from components.study import ids
from components.study.address import find_open_study
from components.types import Json
from runs.translation import translate
from studies.export import parquet
from studies.file.reader import SUFFIX

#: Routes of the server, by the names of their texts.
KINDS = {
    "csv": "runs.csv", "parquet": "runs.parquet", "latex": "table.tex", "ioh": "iohprofiler.zip",
    "study": f"study{SUFFIX}",
}  # fmt: skip


def links(stored: Json, base_path: str) -> list:
    """Return the open study's download links, one per kind."""
    study = find_open_study(stored)
    if study is None:
        return []
    return [_link(kind, f"{base_path}studies/{study}/{name}") for kind, name in KINDS.items()]


def _link(kind: str, address: str) -> html.A | html.Span:
    """Return a link, or only its name if a required package is missing."""
    if kind == "parquet" and parquet.is_missing():
        reason = translate(parquet.MISSING)
        return html.Span(
            text("save.parquet"), className="save", title=reason, role="link", **hyphenate_names(aria_disabled="true")
        )
    explained = text(f"save-help.{kind}")
    return html.A(text(f"save.{kind}"), href=address, className="save", title=explained, download="")


def panel() -> html.Div:
    """Return the row of links."""
    return html.Div(
        [
            html.Span(text("save.label"), className="field-label"),
            html.Div(id=ids.SAVES, className="saves"),
            export_row.picture_menu(gif=False),
        ],
        className="studies-save",
    )


def register(app: Dash, base_path: str) -> None:
    """Update the links when a study is opened."""

    @app.callback(Output(ids.SAVES, "children"), Input(ids.OPEN, "data"), prevent_initial_call=False)
    def show(stored: Json) -> list:
        return links(stored, base_path)
