"""No route computes in the server itself: all long work goes through `runs.computing`, or a bounded pool."""

import asyncio
import json
import re
import time
from urllib.parse import quote

import numpy as np
import pytest
from fastapi.responses import Response

from data.generators import GENERATORS
from runs.computing.computations import Computations
from runs.store.run_file import Entry, RunWriter
from runs.web import downloads
from runs.web.openapi import load_description
from solvers.core.events import Finished, Tour
from solvers.spec import RunSpec
from solvers.worker.frames import encode, encode_event_frame, encode_instance_frame
from tests.clock import is_within_bound
from tests.load import downloads as attacks
from tests.runs.made_up_runs import CREATED, new_id
from tests.runs.served import BASE, serving

pytestmark = pytest.mark.slow

#: With fewer cities, what is computed by mistake would not be told from the rest: the tour's stops take 0.4 s.
CITIES, SECONDS = 100_000, 0.1
COMPUTED = b"computed"
REFERENCE = {"generate": "uniform", "n": CITIES, "seed": 1}
#: What stands in paths for what the folder has.
PARTS = {"name": "0", "iteration": "1", "paper": "x", "path": "index.md", "release": "x", "preset": "abcdefghijkl"}


def write_large_run(path):
    instance, order = GENERATORS["uniform"](CITIES, 1), np.arange(CITIES, dtype=np.int32)
    spec = RunSpec.from_json({"v": 1, "instance": REFERENCE, "stages": [{"algorithm": "greedy"}]})
    writer = RunWriter.create(path, path.stem, CREATED, json.dumps(spec.to_json()), encode_instance_frame(instance))
    end = Finished(
        order=order, length=10**9, iterations=1, evaluations=1, threads=1, seconds=1.0, seconds_to_best=1.0,
        compile_seconds=0.0, stop_reason="completed", device="CPU", versions={},
    )  # fmt: skip
    told = encode("state", {"state": "finished", "reason": "completed", "at": CREATED}, {})
    frames = {
        "tour": encode_event_frame(Tour(order, 10**9, 0), CREATED),
        "finished": encode_event_frame(end, CREATED),
        "state": told,
    }
    writer.append([Entry(CREATED, kind, raw) for kind, raw in frames.items()], ("finished", "completed"))
    writer.finish()


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch, serving(tmp_path_factory.mktemp("home"), patch) as found:
        patch.setattr(Computations, "answer", lambda *_, **__: Response(COMPUTED))
        runs = found.behind[-1].home
        found.large = [new_id(), new_id()]
        write_large_run(runs.new_path(found.large[0]))
        runs.new_path(found.large[1]).write_bytes(runs.new_path(found.large[0]).read_bytes())
        yield found


def requests(served):
    """Yield each GET route with a request to it, about the large run if the route is about a run."""
    run, other = served.large
    queries = {
        "instance": f"ref={quote(json.dumps(REFERENCE))}", "instances": f"ref={quote(json.dumps(REFERENCE))}",
        "compared.gif": f"runs={run},{other}", "library/thumbnails": f"key=run:{run}", "prove": f"run={run}",
    }  # fmt: skip
    for path, methods in load_description()["paths"].items():
        if "get" in methods:
            filled = path[1:].format(run=run, race=served.race, study=served.study, **PARTS)
            yield path[1:], filled, queries.get(filled, "")


def seconds(served, path, query):
    """Processor seconds of the server for an answer, after warm-up answers."""
    asyncio.run(served.ask("GET", f"{BASE}{path}", query=query))
    began = time.process_time()
    asyncio.run(served.ask("GET", f"{BASE}{path}", query=query))
    return time.process_time() - began


def test_no_route_computes_in_the_server(served):
    asked = list(requests(served))
    assert len(asked) > 45
    slow = [(path, query) for _, path, query in asked if not is_within_bound(seconds(served, path, query), SECONDS)]
    again = {path: seconds(served, path, query) for path, query in slow}  # threads may have worked beside the first
    assert not {path: took for path, took in again.items() if not is_within_bound(took, SECONDS)}


def test_every_computed_route_is_requested_by_many(served, tmp_path):
    (tmp_path / "studies").mkdir()
    attacked = {
        path.partition("?")[0] for _, path in attacks.routes(tmp_path, *served.large, REFERENCE, served.large[0])
    }
    answers = {
        route: asyncio.run(served.ask("GET", f"{BASE}{path}", query=query)).body
        for route, path, query in requests(served)
    }
    computed = {
        route: re.sub(r"\\{.*?}", "[^/]+", re.escape(route)) for route, body in answers.items() if body == COMPUTED
    }
    assert len(computed) > 25
    assert [route for route, like in computed.items() if not any(re.fullmatch(like, path) for path in attacked)] == []


def test_route_that_computes_in_the_server_is_found(served):
    path = str(served.behind[-1].path(served.large[0]))
    server = served.server
    server.get(f"{BASE}planted")(lambda: Response(downloads.best_file(path, "stops.json").content))
    routes = server.router.routes
    routes.insert(0, routes.pop())
    assert not is_within_bound(seconds(served, "planted", ""), SECONDS)
