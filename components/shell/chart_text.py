"""Elements beside a chart: a description for screen readers, and buttons to save picture and numbers."""

from dash import html

from components.shell.controls import hyphenate_names
from components.shell.texts import common as text


def description(graph_id: str) -> html.P:
    """Return a chart's description in words, filled by `assets/common/charts/text.js`."""
    return html.P(
        id=f"{graph_id}-sentence",
        className="visually-hidden",
        **hyphenate_names(aria_live="off", data_sentence=graph_id),
    )


def save_buttons(graph_id: str, *, csv: bool = False) -> list[html.Button]:
    """Return the buttons to save the chart as a picture and, without a separate `csv_button`, its numbers."""
    return [
        html.Button(
            kind.upper(), type="button", className="save", title=text("save.chart", kind=kind.upper()),
            **hyphenate_names(data_chart=graph_id, data_save=kind),
        )
        for kind in (("csv",) if csv else ()) + ("png", "svg")
    ]  # fmt: skip


def csv_button(graph_id: str, name: str) -> html.Button:
    """Return the button to save the chart's data; `name` is part of the file name."""
    return html.Button(
        text("save.csv"), type="button", className="save chart-csv", title=text("chart.csv-title"),
        **hyphenate_names(data_csv=graph_id, data_name=name),
    )  # fmt: skip
