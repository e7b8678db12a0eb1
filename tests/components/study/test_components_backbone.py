"""The map of how often each edge occurs in the tours of a study."""

import base64

import numpy as np
import pytest

from components.figures.backbone import make_bands
from components.study import backbone
from data.tour_edges import edge_keys
from studies.file.reader import StudyReader
from tests.studies.small_study import ENTRIES, finish_study, tiny_study
from tests.tables import each_row

SHOWN = {"study": "abc", "version": "1"}


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    entries = [{"label": name, "stages": ENTRIES[name]} for name in ("2-opt", "nearest")]
    spec = tiny_study(instances=[{"name": "berlin52"}, {"generate": "uniform", "n": 30, "seed": 1}], entries=entries,
                seeds={"first": 1, "count": 6})  # fmt: skip
    return finish_study(tmp_path_factory.mktemp("backbone") / "s.tourstudy", spec, cores=2)


def test_nothing_is_read_before_the_map_is_requested(studies):
    drawn = backbone.draw(studies, SHOWN, "all", "all", False, "light")
    assert studies.opened == []
    assert (drawn.figure["data"], "off" in drawn.style) == ([], True)
    assert len(drawn.entries) == 3


def read_keys(path, instance, entry=None):
    with StudyReader(path) as reader:
        return [set(edge_keys(order, False).tolist()) for _, order in reader.tours(instance, entry)]


def test_map_counts_edges_of_one_entry_or_all(studies, path):
    for entry, tours in (("all", 12), ("0", 6), ("1", 6)):
        drawn = backbone.draw(studies, SHOWN, "0", entry, True, "dark")
        sets = read_keys(path, 0, None if entry == "all" else int(entry))
        everywhere, ever = set.intersection(*sets), set.union(*sets)
        assert f"{len(everywhere)} of 52 edges are in all {tours} tours" in drawn.description
        assert f"{len(ever)} different edges" in drawn.description
        assert "are in the optimal tour." in drawn.description
        lines = [trace for trace in drawn.figure["data"] if trace["mode"] == "lines"]
        ends = [np.frombuffer(base64.b64decode(trace["x"]["bdata"]), "<f8") for trace in lines]
        assert sum(np.isnan(x).sum() for x in ends) == len(ever), "each edge is drawn once"
        counts = [int(trace["name"].rpartition(" ")[2]) for trace in lines]
        assert sum(counts) == len(ever)


def test_first_instance_is_drawn_and_named_if_all_are_selected(studies):
    assert "first instance" in backbone.draw(studies, SHOWN, "all", "all", True, "light").description
    other = backbone.draw(studies, SHOWN, "1", "all", True, "light")
    assert "first instance" not in other.description
    assert "optimal" not in other.description, "nobody knows its optimal tour"


def test_csv_of_the_map_counts_tours_by_edge(studies, path):
    figure = backbone.draw(studies, SHOWN, "0", "all", True, "light").figure
    columns = figure["layout"]["meta"]["columns"]
    values = {name: np.frombuffer(base64.b64decode(each["bdata"]), "<f8") for name, each in columns.items()}
    sets = read_keys(path, 0)
    keys = ((values["from"] - 1) * 52 + values["to"] - 1).astype(int)
    assert [sum(key in each for each in sets) for key in keys] == values["tours"].astype(int).tolist()


@each_row("tours", [1, 2, 3, 5, 7, 20, 101])
def test_classes_cover_every_number_of_tours_once(tours):
    held = [number for band in make_bands(tours) for number in range(band.minimum, band.maximum + 1)]
    assert held == list(range(1, tours + 1))
