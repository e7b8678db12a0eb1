"""Zones and moats as a frame, and as the answer of a route."""

import numpy as np
import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from data.collection.resolve import load
from runs.bounds.moats import moats_frame
from runs.web.routes import add_routes
from solvers.bounds.moats import find_moats
from solvers.worker.frames import decode
from tests.clock import wait_until


def test_a_frame_has_every_step():
    instance = load("berlin52")
    frame, steps = decode(moats_frame(instance)), list(find_moats(instance))
    first, start, cities = (frame.arrays[name] for name in ("first", "start", "cities"))
    assert (frame.kind, frame.values) == ("moats", {"scale": 1.0, "ended": True})
    assert frame.arrays["bound"].tolist() == [step.bound for step in steps]
    for k, step in enumerate(steps):
        assert np.array_equal(frame.arrays["radii"][k], step.radii)
        own = range(first[k], first[k + 1])
        assert np.array_equal(frame.arrays["widths"][first[k] : first[k + 1]], step.widths)
        inside = [cities[start[moat] : start[moat + 1]].tolist() for moat in own]
        assert inside == [np.flatnonzero(each).tolist() for each in step.inside]
    assert (first[-1], start[-1]) == (len(frame.arrays["widths"]), len(cities))


def test_interrupted_bound_says_so():
    frame = decode(moats_frame(load("kroA100"), seconds=0))
    assert frame.arrays["bound"].tolist() == [17_087]
    assert not frame.values["ended"]


@pytest.mark.slow
def test_route_answers_with_the_frame_or_a_sentence(run_service, make_spec):
    plane, globe = (run_service.start(make_spec(name)) for name in ("berlin52", "burma14"))
    wait_until(lambda: not any(run_service.active_run(run) for run in (plane, globe)))
    app = FastAPI()
    add_routes(app, run_service, "/")
    with TestClient(app) as client:
        frame = decode(client.get(f"/runs/{plane}/moats").content)
        refused = client.get(f"/runs/{globe}/moats")
    assert frame.arrays["bound"].tolist()[-1] == 7542
    assert refused.status_code == 400
    assert "straight lines in the plane" in refused.json()["sentence"]
