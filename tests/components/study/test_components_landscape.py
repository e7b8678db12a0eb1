"""The two charts of a study's landscape."""

import base64

import numpy as np
import pytest

from components.study import landscape
from data.collection.resolve import load
from data.tour_edges import shared_edges
from studies.file.reader import StudyReader
from studies.stats import landscape as stats
from tests.studies.small_study import ENTRIES, finish_study, tiny_study

SHOWN = {"study": "abc", "version": "1"}


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    entries = [{"label": name, "stages": ENTRIES[name]} for name in ("2-opt", "nearest")]
    instances = [{"name": "berlin52"}, {"generate": "uniform", "n": 4, "seed": 1}]
    spec = tiny_study(instances=instances, entries=entries, seeds={"first": 1, "count": 5})
    return finish_study(tmp_path_factory.mktemp("landscape") / "s.tourstudy", spec, cores=2)


def numbers(packed):
    return np.frombuffer(base64.b64decode(packed["bdata"]), "<f8")


def test_nothing_is_computed_before_it_is_requested(studies, monkeypatch):
    monkeypatch.setattr(landscape, "random_walk", lambda *_: pytest.fail("nobody has asked"))
    drawn = landscape.draw(studies, SHOWN, "0", False, "light")
    assert studies.opened == []
    assert (drawn.distance["data"], drawn.walk["data"], "off" in drawn.style) == ([], [], True)


def test_each_run_is_a_point_at_its_distance_and_gap(studies, path):
    drawn = landscape.draw(studies, SHOWN, "0", True, "light")
    optimal = load("berlin52").optimal_tour
    with StudyReader(path) as reader:
        results = dict(reader.results())
        for entry, trace in enumerate(drawn.distance["data"]):
            expected = [
                (52 - shared_edges(order, optimal), 100 * (results[number]["length"] - 7542) / 7542)
                for number, order in reader.tours(0, entry)
            ]
            drawn_at = np.stack((numbers(trace["x"]), numbers(trace["y"])), axis=1)
            assert drawn_at == pytest.approx(np.array(expected))
    assert len(drawn.distance["data"]) == 2
    titles = [drawn.distance["layout"][axis]["title"]["text"] for axis in ("xaxis", "yaxis")]
    assert titles == ["edges not in the optimal tour", "gap to optimum"]
    assert "the best tours of 10 runs" in drawn.distance_description
    for letter, trace in zip("AB", drawn.distance["data"], strict=True):
        r = np.corrcoef(numbers(trace["x"]), numbers(trace["y"]))[0, 1]
        assert f"{letter} {r:.2f}".replace("-", "\u2212") in drawn.distance_description


def test_walk_is_drawn_beside_its_expectation(studies):
    drawn = landscape.draw(studies, SHOWN, "0", True, "dark")
    expected, measured = (numbers(trace["y"]) for trace in drawn.walk["data"])
    assert expected[1] == pytest.approx(stats.expected_decay(52))
    assert np.abs(expected - measured).max() < 0.3
    titles = [drawn.walk["layout"][axis]["title"]["text"] for axis in ("xaxis", "yaxis")]
    assert titles == ["2-opt moves between the two tours", "autocorrelation of the length"]
    assert "Each move changes 2 of 52 edges." in drawn.walk_description


def test_first_instance_is_shown_if_all_are_selected_and_small_ones_have_no_walk(studies):
    assert "first instance" in landscape.draw(studies, SHOWN, "all", True, "light").distance_description
    small = landscape.draw(studies, SHOWN, "1", True, "light")
    assert small.walk["data"] == []
    assert "5 to" in small.walk_description
    assert "not defined" in small.distance_description
