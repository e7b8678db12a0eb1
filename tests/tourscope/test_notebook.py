"""Runs in a notebook: the widget's data, and the message if there is no widget."""

import json
import sys

import numpy as np
import pytest

import tourscope as ts
from tests.saved.releases import RELEASES, unpack
from tests.solvers.user_files.mine import changed_template
from tourscope import notebook
from tourscope.solving import FrameLog

pytestmark = pytest.mark.slow


def test_widget_contains_a_run():
    run = ts.run("burma14", ts.TwoOpt(climbers=3, variant="sequential"), seed=1)
    widget = ts.view(run, height=400)
    answer = json.loads(widget.embedded)
    assert answer["run"]["held"] == answer["run"]["climbers"] == 3
    assert answer["run"]["spec"]["stages"][0]["params"]["climbers"] == 3
    assert max(at + size for at, size in answer["parts"].values()) == len(widget.block)
    assert widget.height == 400
    assert "export default { render }" in widget._esm
    again = ts.view(run)
    assert json.loads(again.embedded) == answer, "a run that has ended can be shown again"


def test_widget_contains_a_saved_run_and_a_damaged_one_is_refused(tmp_path):
    path = unpack(RELEASES[0], "runs/greedy.tourscope", tmp_path / "run.tourscope")
    assert json.loads(ts.view(path).embedded)["run"]["adopted"] is True
    path.write_bytes(b"nothing")
    with pytest.raises(ts.TourScopeError):
        ts.view(str(path))


@pytest.mark.long
def test_a_race_has_the_tours_of_each_lane():
    widget = ts.race("burma14", [ts.Greedy(), [ts.NearestNeighbour(), ts.TwoOpt(climbers=2)]], seed=1)
    answer = json.loads(widget.embedded)
    assert [lane["algorithms"] for lane in answer["lanes"]] == [["greedy"], ["nearest-neighbour", "two-opt"]]
    assert [view["letter"] for view in answer["views"]] == ["A", "B"]
    assert {"head", "lanes/0", "lanes/1"} <= set(answer["parts"])


@pytest.mark.long
def test_widget_and_race_contain_an_own_solver(tmp_path):
    path = changed_template(tmp_path)
    answer = json.loads(ts.view(ts.run("burma14", ts.Own(path, climbers=3), seed=1)).embedded)
    assert answer["run"]["spec"]["stages"][0]["params"]["climbers"] == 3
    lanes = json.loads(ts.race("burma14", [ts.Own(path, climbers=2), ts.Greedy()], seed=1).embedded)["lanes"]
    assert lanes[1]["algorithms"] == ["greedy"]
    assert lanes[0]["algorithms"] == [answer["run"]["spec"]["stages"][0]["algorithm"]]


def test_invalid_run_or_race_is_refused():
    with pytest.raises(TypeError, match="not a ndarray"):
        ts.view(np.zeros(3))
    with pytest.raises(ValueError, match="2 to 4"):
        ts.race("burma14", [ts.Greedy()])


def test_missing_anywidget_says_what_to_install(monkeypatch):
    notebook._import_widget_class.cache_clear()
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(ts.TourScopeError, match="pip install anywidget"):
        ts.view("a saved run, which is not read")
    notebook._import_widget_class.cache_clear()


def test_stored_part_of_a_run_is_bounded(monkeypatch):
    monkeypatch.setattr("tourscope.solving._MAX_BYTES", 100)
    saved = FrameLog()
    for kind in ("moves", "moves", "tour", "field", "finished"):
        saved.add(notebook.Frame(kind, {}, {}, bytes(60)))
    assert len(saved.frames) == 3, "one of the moves, and what a run cannot be shown without"
