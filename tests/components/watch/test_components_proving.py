"""Proofs: the offer for a run, its requirements, and refusals."""

import json

import fastapi
import pytest
from starlette.testclient import TestClient

from components.watch import proving
from components.watch.proving import Prover
from data.collection.resolve import resolve
from data.distances import distance_matrix
from data.generators import GENERATORS
from runs.store.open_run import NoSuchRun
from solvers.algorithms.held_karp.plan import format_bytes, plan_for
from solvers.core.errors import InstanceTooLarge
from tests.tables import each_row


class Service:
    """A run service with one run on a generated instance; the test ends its proofs."""

    def __init__(self, n: int, instance=None):
        self.reference = {"generate": "uniform", "n": n, "seed": 1}
        self._instance = instance or GENERATORS["uniform"](n, 1)
        self.started, self.active, self.summaries = [], set(), {}

    def existing_summary(self, run):
        if run != "abcdefghijkl":
            raise NoSuchRun
        return {"instance": {"n": self._instance.n, "proven": self._instance.proven}}

    def run_instance(self, run):
        if self._instance.n > 30:
            raise AssertionError("a large instance is read for nothing")
        return self._instance

    def reference_to(self, run):
        return self.reference

    def instance(self, reference):
        return resolve(reference, None)

    def start(self, spec, owner=""):
        self.started.append(spec)
        self.active.add("theproofsrun")
        return "theproofsrun"

    def active_run(self, run):
        return run if run in self.active else None

    def summary(self, run):
        return self.summaries.get(run)

    def status(self):
        cpu = {"kind": "cpu", "name": "Some CPU", "available": True, "reason": ""}
        gpu = {"kind": "cuda", "name": "CUDA", "available": False, "reason": "None was found."}
        return {"devices": [cpu, gpu], "spare": "ready"}


RUN = "abcdefghijkl"


def test_few_cities_are_offered_with_memory_and_time():
    memory = format_bytes(plan_for(distance_matrix(GENERATORS["uniform"](12, 1))).peak_bytes)
    says = f"Held-Karp, under 1 s, {memory}"
    assert Prover(Service(12)).offer(RUN) == {"state": "offered", "says": says, "by": None}
    offer = Prover(Service(28)).offer(RUN)
    assert offer["says"].startswith("Held-Karp, about ")
    assert offer["says"].endswith("B")


@each_row("n", [3, 31])
def test_too_few_and_too_many_cities_are_not_offered(n):
    assert Prover(Service(n)).offer(RUN)["state"] == "none"


def test_proven_optimum_is_not_offered():
    assert Prover(Service(17, resolve({"name": "gr17"}, None))).offer(RUN)["state"] == "known"


def test_machine_without_the_memory_refuses_with_a_message(monkeypatch):
    monkeypatch.setattr("solvers.core.machine.available_bytes", lambda: 1 << 20)
    prover = Prover(Service(28))
    offer = prover.offer(RUN)
    assert offer["state"] == "refused"
    assert "memory" in offer["says"]
    with pytest.raises(InstanceTooLarge):
        prover.start(RUN)


def test_one_proof_per_instance_is_started_and_its_failure_reported():
    service = Service(10)
    prover = Prover(service)
    assert prover.start(RUN)["state"] == "proving"
    assert prover.start(RUN) == {"state": "proving", "says": "Held-Karp is finding the optimum.", "by": "theproofsrun"}
    assert [spec.stages[0].algorithm for spec in service.started] == ["held-karp"]
    service.active.clear()
    service.summaries["theproofsrun"] = {"state": "failed", "reason": "The memory is full."}
    assert prover.offer(RUN)["says"] == "The memory is full."
    service.summaries["theproofsrun"] = {"state": "cancelled", "reason": ""}
    assert prover.offer(RUN)["says"] == "It was stopped before it finished."
    assert prover.offer(RUN)["state"] == "offered"


def test_routes_accept_only_posts_of_the_page():
    app, service = fastapi.FastAPI(), Service(10)
    proving.add_prove_routes(app, service, "/below/")
    client = TestClient(app)
    assert client.get("/below/prove", params={"run": RUN}).json()["state"] == "offered"
    for body in (b"", b"{", b"[]", b"null", b'{"run": 1}', b'{"run": null}', b'{"run": "a", "more": 1}', b"[" * 9999):
        answer = client.post("/below/prove", content=body)
        assert (answer.status_code, list(answer.json())) == (400, ["sentence"])
    assert service.started == []
    assert client.post("/below/prove", content=json.dumps({"run": RUN})).json()["state"] == "proving"
