"""The figures: traces in the order that the scripts rely on, empty, on nothing but the page."""

import re
from pathlib import Path

import pytest

from components.figures import convergence, tour
from components.figures.convergence import convergence_figure
from components.figures.tour import tour_figure

ASSETS = Path(__file__).resolve().parents[3] / "assets"


@pytest.mark.parametrize(("figure", "names"), [(tour_figure, tour.TRACES), (convergence_figure, convergence.TRACES)])
def test_traces_are_empty_and_in_order(figure, names):
    made = figure()
    assert tuple(trace.name for trace in made.data) == names
    assert all(len(trace.x) == 0 for trace in made.data)
    assert made.layout.paper_bgcolor == "rgba(0, 0, 0, 0)"


@pytest.mark.parametrize(
    ("script", "count"), [("tour.js", len(tour.TRACES)), ("convergence.js", len(convergence.TRACES))]
)
def test_scripts_number_as_many_traces(script, count):
    [numbering] = re.findall(r"const TRACE = \{([^}]*)\}", (ASSETS / script).read_text())
    assert sorted(map(int, re.findall(r"\d+", numbering))) == list(range(count))


def test_tour_has_one_scale_and_no_axes():
    layout = tour_figure().layout
    assert layout.yaxis.scaleanchor == "x"
    assert layout.xaxis.visible is False
    assert layout.yaxis.visible is False
    assert (layout.margin.l, layout.margin.r, layout.margin.t, layout.margin.b) == (0, 0, 0, 0)


def test_figures_are_new_each_time():
    assert tour_figure() is not tour_figure()
