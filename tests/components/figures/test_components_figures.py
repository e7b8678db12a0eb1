"""The figures: their traces have the order that the scripts rely on, are empty, and have transparent backgrounds."""

import json
import re
from pathlib import Path

import plotly.graph_objects as go

from components.figures import live_charts
from components.figures.canvas import canvas
from components.figures.live_charts import ants_figure, convergence_figure, layers_figure, race_figure
from tests.tables import each_row

ASSETS = Path(__file__).resolve().parents[3] / "assets"


def test_traces_are_empty_and_in_order():
    figure_json = convergence_figure()
    assert tuple(trace["name"] for trace in figure_json["data"]) == live_charts.TRACES()
    assert all(trace["x"] == trace["y"] == [] for trace in figure_json["data"])
    assert figure_json["layout"]["paper_bgcolor"] == "rgba(0, 0, 0, 0)"


@each_row("figure", [convergence_figure, race_figure, layers_figure, ants_figure])
def test_plotly_accepts_all_properties_of_a_figure(figure):
    """Plotly's own classes, which validate every value, are too slow for the page."""
    figure_json = figure()
    known = go.Figure(figure_json).to_plotly_json()
    assert [{**each} for each in known["data"]] == figure_json["data"]
    assert {name: value for name, value in known["layout"].items() if name != "template"} == figure_json["layout"]


def test_scripts_number_the_same_traces():
    [numbering] = re.findall(
        r"const TRACE = \{([^}]*)\}", (ASSETS / "watch" / "convergence" / "convergence.js").read_text()
    )
    assert sorted(map(int, re.findall(r"\d+", numbering))) == list(range(len(live_charts.TRACES())))


def test_canvas_holds_its_figure_for_the_scripts():
    figure_json = canvas("convergence", convergence_figure()).to_plotly_json()["props"]
    assert len(json.loads(figure_json["data-figure"])["data"]) == len(live_charts.TRACES())
    assert json.loads(figure_json["data-config"])["displayModeBar"] is False


def test_figures_are_new_each_time():
    assert convergence_figure() is not convergence_figure()
