"""Uploaded tables and tours: read by limited processes, stored or shown; refused ones leave nothing behind."""

import gzip

import pytest

from data.collection.resolve import load
from data.errors import InvalidInstance
from data.tsplib.instances import format_tour
from runs.store.reader import RunReader
from runs.store.summary import build_result, find_best_tour
from solvers.spec import RunSpec
from solvers.worker.frames import decode
from tests.runs.climbs import read_climb

pytestmark = pytest.mark.slow

TOWNS = b"town;lat;lon\nBerlin;52,52;13,405\nParis;48,8566;2,3522\nOslo;59,9139;10,7522\n"
BERLIN = {"name": "berlin52"}


@pytest.fixture
def stored_sizes(run_service):
    """All files in the data folder, with their sizes."""
    return lambda: {path: path.stat().st_size for path in run_service.home.folder.rglob("*") if path.is_file()}


@pytest.fixture
def wait_for_intake(run_service, until):
    def wait(run):
        until(lambda: run_service.summary(run)["state"] in ("finished", "failed"))
        return run_service.summary(run)

    return wait


def test_table_is_peeked_at_without_storing(run_service, stored_sizes):
    before = stored_sizes()
    table = run_service.peek_table(TOWNS)
    assert (table.rows, table.header, table.guess, table.kind) == (3, True, (1, 2), "HAVERSINE_KM")
    assert table.columns[0].sample == ("Berlin", "Paris", "Oslo")
    assert stored_sizes() == before


def test_columns_of_a_table_become_an_instance(read_here, run_service):
    instance = run_service.adopt_table(TOWNS, "towns.csv", 1, 2, "HAVERSINE_KM")
    assert (instance.name, instance.n, instance.kind) == ("towns", 3, "HAVERSINE_KM")
    assert instance.warnings == ("Commas were read as decimal points.",)
    reference = {"sha256": instance.sha256}
    assert run_service.instance(reference) is instance, "the last few are not read again"
    for side in range(1, 5):
        run_service.adopt_table(f"0,0\n0,{side}\n".encode(), "small.csv", 0, 1, "EUC_2D")
    saved = run_service.instance(reference)
    assert saved is not instance
    assert saved.sha256 == instance.sha256
    assert saved.names == instance.names == ("Berlin", "Paris", "Oslo")
    assert saved.display.round(9).tolist() == [[13.405, 52.52], [2.3522, 48.8566], [10.7522, 59.9139]]


def test_refused_upload_is_not_stored(read_here, run_service, stored_sizes):
    before = stored_sizes()
    optimal = format_tour(load("berlin52"), load("berlin52").optimal_tour, 7542).encode()
    refusals = {
        "NUMBER": lambda: run_service.adopt_table(TOWNS, "x.csv", 0, 1, "EUC_2D"),
        "COLUMNS": lambda: run_service.adopt_table(TOWNS, "x.csv", 1, "2" * 300_000, "GEO"),
        "NOT_TEXT": lambda: run_service.peek_table(b"PK\x03\x04\0\0"),
        "NOT_A_TOUR": lambda: run_service.adopt_tour(optimal, "x.tour", {"name": "eil51"}),
        "GZIP": lambda: run_service.adopt_tour(gzip.compress(optimal)[:-9], "x.tour.gz", BERLIN),
        "UNKNOWN": lambda: run_service.adopt_tour(optimal, "x.tour", {"sha256": "0" * 64}),
    }
    for code, refused in refusals.items():
        with pytest.raises(InvalidInstance) as caught:
            refused()
        assert caught.value.code == code
    assert stored_sizes() == before


def test_tolerated_tour_reports_why(read_here, run_service, wait_for_intake):
    warnings = []
    raw = ", ".join(map(str, range(52))).encode()
    assert wait_for_intake(run_service.adopt_tour(gzip.compress(raw), "list.txt", BERLIN, warnings))["length"] == 22205
    assert warnings == ["The cities of the list were counted from 0."]


def test_a_tour_is_shown_as_a_run(run_service, wait_for_intake):
    order = load("berlin52").optimal_tour
    warnings = []
    run = run_service.adopt_tour(format_tour(load("berlin52"), order, 7542).encode(), "mine.opt.tour", BERLIN, warnings)
    visible = wait_for_intake(run)
    assert (visible["state"], visible["algorithm"], visible["length"], visible["gap_percent"]) == (
        "finished",
        "given",
        7542,
        0,
    )
    assert visible["spec"]["stages"][0]["params"] == {"tour": []}, "a summary, of which many are kept, is small"
    assert RunSpec.from_json(visible["spec"]).to_query() == ""
    assert decode(read_climb(run_service, run, 0)).arrays["edges"][:, 0].tolist() == order.tolist()
    with RunReader(run_service.path(run)) as reader:
        assert find_best_tour(reader).arrays["order"].tolist() == order.tolist()
        assert build_result(reader)["params"]["tour"] == tuple(order.tolist())
        assert build_result(reader)["spec"] == run_service.opening(run)[0].spec


def test_algorithm_continues_from_a_tour(run_service, wait_for_intake):
    order = load("berlin52").optimal_tour.tolist()
    stages = [
        {"algorithm": "given", "params": {"tour": order}},
        {"algorithm": "two-opt", "params": {"climbers": 50}},
    ]
    run = run_service.start(RunSpec.from_json({"v": 1, "instance": BERLIN, "stages": stages}))
    visible = wait_for_intake(run)
    assert (visible["algorithm"], visible["length"], visible["reason"]) == ("two-opt", 7542, "completed")
    first = decode(read_climb(run_service, run, 0))
    assert (first.values["walk"], first.arrays["tours"][0].tolist()) == ("moves", order)
    recorded = decode(read_climb(run_service, run, 5))
    with RunReader(run_service.path(run)) as reader:
        spec = RunSpec.from_json(reader.meta().spec)
    again = [decode(frame) for frame in run_service.engine.replay(spec, load("berlin52"), 5)]
    assert again[0].arrays["delta"].tolist() == recorded.arrays["delta"].tolist()
    again = [decode(frame) for frame in run_service.engine.replay(spec, load("berlin52"), 0)]
    assert again[0].arrays["tours"][0].tolist() == order


def test_a_tour_of_another_instance_fails_in_one_sentence(run_service, wait_for_intake):
    stages = [{"algorithm": "given", "params": {"tour": [0, 1, 2]}}]
    visible = wait_for_intake(run_service.start(RunSpec.from_json({"v": 1, "instance": BERLIN, "stages": stages})))
    assert (visible["state"], visible["reason"]) == ("failed", "The tour names 3 cities and the instance has 52.")
