"""The route that makes runs from a hand-drawn tour."""

import json

import fastapi
import pytest
from starlette.testclient import TestClient

from components.watch.routes import add_hand_route
from data.collection.resolve import load

DRAWN = {"what": "tour", "instance": {"name": "burma14"}, "tour": [*range(14)][::-1], "seed": 3}


@pytest.fixture
def post(run_service):
    app = fastapi.FastAPI()
    add_hand_route(app, run_service, "/below/")
    client = TestClient(app)
    return lambda body: client.post("/below/by-hand", content=body if isinstance(body, bytes) else json.dumps(body))


@pytest.mark.parametrize(
    ("what", "algorithms"), [("tour", ["given"]), ("race", ["two-opt"]), ("improve", ["given", "two-opt"])]
)
def test_drawn_tour_runs_races_and_is_improved(post, run_service, what, algorithms):
    answer = post(DRAWN | {"what": what})
    assert answer.status_code == 200, answer.text
    spec = run_service.runs[answer.json()["run"]]
    assert [stage.algorithm for stage in spec.stages] == algorithms
    assert spec.instance == {"name": "burma14"}
    assert spec.seed == 3
    for stage in spec.stages:
        if stage.algorithm == "given":
            assert [*stage.params["tour"]] == DRAWN["tour"]
        else:
            assert stage.params["climbers"] == 1
    assert answer.json()["search"].endswith(f"run={answer.json()['run']}")


@pytest.mark.parametrize(
    "wrong",
    [
        {"what": "tours"}, {"what": []}, {"tour": [*range(13)]}, {"tour": [*range(13), 0]}, {"tour": [*range(13), 14]},
        {"tour": [*range(13), -1]}, {"tour": "0123"}, {"tour": [0.5] * 14}, {"tour": [[0]] * 14}, {"tour": None},
        {"tour": [2**70] * 14}, {"tour": [True] * 14}, {"seed": -1}, {"seed": "x"}, {"instance": "burma14"},
        {"instance": {"name": "no such"}}, {"instance": None}, {"more": 1},
    ],
)  # fmt: skip
def test_invalid_drawn_tour_is_refused_with_a_message(post, run_service, wrong):
    answer = post(DRAWN | wrong)
    assert answer.status_code == 400
    assert answer.json()["note"].endswith((".", "?"))
    assert run_service.runs == {}


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'{"what": "tour"}', b"\xff"])
def test_malformed_form_is_refused(post, run_service, body):
    assert post(body).status_code == 400
    assert run_service.runs == {}


def test_offered_instances_can_be_drawn(run_service):
    from components.watch.by_hand import SMALLER

    for name in SMALLER:
        instance = load(name)
        assert 5 <= instance.n <= 60
        assert not instance.directed
