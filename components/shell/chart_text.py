"""Elements beside a chart: its description for screen readers, and the buttons that save it and its numbers."""

from dash import html

from components.shell.controls import attributes
from components.shell.texts import common as text


def description(graph_id: str) -> html.P:
    """The chart's description in words; `assets/common/charts/text.js` fills it."""
    return html.P(id=f"{graph_id}-says", className="visually-hidden", **attributes(aria_live="off", data_says=graph_id))


def save_buttons(graph_id: str, *, csv: bool = False) -> list[html.Button]:
    """Buttons that save the chart as a picture, and its numbers if there is no separate `csv_button`."""
    return [
        html.Button(
            kind.upper(), type="button", className="save", title=text("save.chart", kind=kind.upper()),
            **attributes(data_chart=graph_id, data_save=kind),
        )
        for kind in (("csv",) if csv else ()) + ("png", "svg")
    ]  # fmt: skip


def csv_button(graph_id: str, name: str) -> html.Button:
    """The button that saves the chart's data; `name` is part of the file's name."""
    return html.Button(
        text("save.csv"), type="button", className="save chart-csv", title=text("chart.csv-title"),
        **attributes(data_csv=graph_id, data_name=name),
    )  # fmt: skip
