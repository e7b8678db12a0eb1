"""The route that starts a run: its request and its responses."""

import json

import fastapi
import pytest
from starlette.testclient import TestClient

from components.shell import ids
from components.watch.routes import add_start_route
from tests.faults.visits import form

#: The tests of faults and of load post the same one to their servers.
FORM = form("berlin52")


@pytest.fixture
def post(run_service):
    app = fastapi.FastAPI()
    add_start_route(app, run_service, "/below/")
    client = TestClient(app)
    return lambda body: client.post("/below/start", content=body if isinstance(body, bytes) else json.dumps(body))


def test_form_starts_its_run(post, run_service):
    answer = post(FORM | {"params": {"climbers": 7}})
    data = answer.json()
    assert answer.status_code == 200
    assert run_service.runs[data["run"]].stages[0].params["climbers"] == 7
    assert data["search"].startswith("?")
    assert data["search"].endswith(f"run={data['run']}")


def test_refusal_names_the_field(post, run_service):
    answer = post(FORM | {"seed": -1})
    assert (answer.status_code, answer.json()["wrong"]) == (400, ids.SEED)
    assert answer.json()["note"].startswith("Seed: ")
    assert run_service.runs == {}


@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"[]", b"null", b"1e999", b'"' + b"a" * 1000, b"[" * 100_000, b'{"seed": NaN}',
        {}, FORM | {"more": 1}, {**FORM, "params": []}, {**FORM, "params": None}, {**FORM, "algorithm": ["two-opt"]},
        {**FORM, "algorithm": {}}, {**FORM, "algorithm": None}, {**FORM, "instance": {"name": "berlin52"}},
        {**FORM, "instance": "\ud800"}, {**FORM, "params": {"climbers": [1]}}, {**FORM, "params": {"variant": {}}},
        {**FORM, "seed": "1"}, {**FORM, "seed": True}, {**FORM, "seconds": []}, {**FORM, "device": ["cpu"]},
        {name: value for name, value in FORM.items() if name != "seed"},
    ],
    ids=lambda body: str(body)[:40],
)  # fmt: skip
def test_malformed_post_is_refused_with_a_message(post, run_service, body):
    answer = post(body)
    assert answer.status_code == 400
    assert answer.json()["note"].endswith(".")
    assert run_service.runs == {}
