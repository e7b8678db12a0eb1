"""The response of `GET instances`: facts, and positions that match the canvas of the tour."""

import json
import sys

import dash
import fastapi
import numpy as np
import pytest
from fastapi.testclient import TestClient

from components.instances import own_instances
from components.instances.picker import describe, instance_options
from components.instances.references import menu_value
from data.collection import resolve
from runs.computing.computations import Computations
from runs.web.instances import MAX_CITIES, SIDE, card_frame, positions
from runs.web.routes import add_routes
from solvers.worker.frames import decode
from solvers.worker.process import spawn
from tests.tables import each_row


@pytest.fixture
def client(run_service, tmp_path):
    run_service.instance_folders = tmp_path, tmp_path
    run_service.computations = Computations(tmp_path, lambda module: spawn([sys.executable, "-m", module]))
    server = fastapi.FastAPI()
    add_routes(server, run_service, "/below/")
    yield TestClient(server, base_url="http://127.0.0.1/below")
    run_service.computations.close()


@each_row(
    ("asked", "found"), [("1000", ["pr1002", "pcb1173"]), ("1002", ["pr1002"]), ("440", ["pr439", "pcb442", "rbg443"])]
)
def test_round_number_finds_nearby_sizes(asked, found):
    assert [each["value"] for each in instance_options() if asked in each["search"].split()] == found


def test_instance_facts_are_listed_and_notes_are_sentences():
    assert describe(resolve.load("berlin52")) == "52 locations in Berlin · Euclidean"
    facts, note = describe(resolve.load("br17")).split(". ")
    assert facts.split(" · ") == ["17 cities", "distance matrix", "directed"]
    assert note.startswith("The instance has no coordinates: ")


def read_rows(frame, k=0):
    starts = frame.arrays["starts"]
    return frame.arrays["positions"][starts[k] : starts[k + 1]]


def test_every_instance_is_listed_once_with_its_cities(client):
    answer = client.get("/instances")
    frame = decode(answer.content)
    cards = resolve.instance_list()
    assert [card["reference"] for card in frame.values["cards"]] == [{"name": card.name} for card in cards]
    for k, (entry, card) in enumerate(zip(frame.values["cards"], cards, strict=True)):
        assert (entry["n"], entry["kind"], entry["optimum"]) == (card.n, card.kind, card.optimum)
        assert len(read_rows(frame, k)) == min(card.n, MAX_CITIES)
        assert entry["scaled"] == bool(resolve.load(card.name).display_note)
    assert len(answer.content) < 150_000
    tag = answer.headers["etag"]
    again = client.get("/instances", headers={"if-none-match": tag})
    assert (again.status_code, again.content) == (304, b"")


def test_folder_file_is_described_by_its_header_and_read_on_request(client, tmp_path, monkeypatch):
    text = "NAME: x\nCOMMENT: two far off\nTYPE: TSP\nDIMENSION: 2\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n"
    (tmp_path / "<b>pair.tsp").write_text(text + "1 0 0\n2 3 4\nEOF\n")
    (tmp_path / "cut.tsp").write_text(text + "1 0 0\nEOF\n")
    monkeypatch.setenv("TOURSCOPE_DATA", str(tmp_path))
    frame = decode(client.get("/instances").content)
    answer = {card["name"]: (k, card) for k, card in enumerate(frame.values["cards"]) if card["source"] == "folder"}
    k, card = answer["<b>pair"]
    assert card["comment"] == "two far off"
    assert len(read_rows(frame, k)) == 0
    one = decode(client.get("/instances", params={"ref": json.dumps(card["reference"])}).content)
    assert read_rows(one).tolist() == [[0, 0], [round(SIDE * 0.75), SIDE]]
    refused = client.get("/instances", params={"ref": '{"name":"cut"}'})
    assert refused.status_code == 400
    assert refused.json()["sentence"]


def test_invalid_reference_is_refused_with_a_message(client):
    for ref in ("", "{", "5", "[" * 9000, '{"generate":"uniform","n":0,"seed":1}', '{"name":"no"}'):
        answer = client.get("/instances", params={"ref": ref})
        assert answer.status_code == 400, ref[:40]
        assert answer.json()["sentence"], ref[:40]


def test_north_is_up_east_is_right_and_degrees_have_equal_length_both_ways():
    """Gibraltar is west and south of Istanbul; a degree of longitude shrinks with latitude."""
    instance = resolve.load("gr202")
    drawn, display = positions(instance).astype(float), instance.display[instance.optimal_tour]
    order = np.argsort(display[:, 0])
    assert (np.diff(drawn[order, 0]) >= 0).all()
    ratio = np.ptp(drawn[:, 1]) / np.ptp(drawn[:, 0]) * np.ptp(display[:, 0]) / np.ptp(display[:, 1])
    middle = np.radians((display[:, 1].min() + display[:, 1].max()) / 2)
    assert ratio == pytest.approx(1 / np.cos(middle), rel=1e-3)


def test_known_tour_orders_the_cities():
    frame = decode(card_frame({"name": "berlin52"}, instance := resolve.load("berlin52")))
    drawn = read_rows(frame).astype(float)
    ring = np.hypot(*(drawn - np.roll(drawn, -1, axis=0)).T).sum() * np.ptp(instance.display, axis=0).max() / SIDE
    assert frame.values["cards"][0]["closed"]
    assert ring == pytest.approx(7544.4, abs=2)


def test_large_instance_always_shows_the_same_cities(run_service):
    instance = run_service.instance({"generate": "clustered", "n": 5000, "seed": 2})
    drawn = positions(instance)
    assert drawn.shape == (MAX_CITIES, 2)
    assert (drawn == positions(instance)).all()
    assert len(np.unique(drawn, axis=0)) > 0.9 * MAX_CITIES


def test_one_city_and_coincident_cities_can_be_drawn(run_service):
    for cities in ([[5, 5]], [[7, 7], [7, 7]], [[0, 0], [9, 0]]):
        drawn = positions(run_service.instance({"cities": cities}))
        assert drawn[:, 1].tolist() == [0] * len(cities)


def test_missing_menu_options_are_added_and_deleted_instances_omitted(run_service):
    options = instance_options()
    random = menu_value({"generate": "uniform", "n": 9, "seed": 1})
    gone = menu_value({"sha256": "0" * 64})
    added = own_instances.add(run_service, [gone, random], options)
    assert {option["value"] for option in added} - {option["value"] for option in options} == {random}
    assert own_instances.add(run_service, [gone], added) is dash.no_update
    assert own_instances.add(run_service, "nonsense", added) is dash.no_update
