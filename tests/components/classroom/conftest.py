"""A shared server, with browsers of its host and visitors."""

import pytest
from starlette.testclient import TestClient

from runs.web.guard import Guard, GuardConfig
from runs.web.join_codes import JOIN_BYTES, JoinCodes
from tests.runs.made_up_runs import CREATED
from tests.runs.served import BASE, serving

JOIN, HOST = "J" * (JOIN_BYTES * 4 // 3 + 1), "the-host-s-own-code"


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch, serving(tmp_path_factory.mktemp("home"), patch, shared=True) as service:
        yield service


@pytest.fixture
def run_service(served):
    *_, run_service = served.behind
    yield run_service
    run_service.lecture.stop()


@pytest.fixture
def codes():
    """Join codes of a server that started before the synthetic runs."""
    return JoinCodes(JOIN, HOST, b"key", started_at=CREATED)


@pytest.fixture
def browser(served, codes):
    """Creates browsers that have joined with a code."""

    def make(code: str) -> TestClient:
        guarded = Guard(served.server, "0.0.0.0", codes, GuardConfig())
        client = TestClient(guarded, base_url="http://127.0.0.1:8050", headers={"accept": "text/html"})
        client.get(BASE, params={"join": code})
        client.get(BASE)
        return client

    return make
