"""A user's own solver in new worker interpreters: each state of its file, its errors, and its absence."""

import pytest

from runs.engine import process
from runs.engine.process import ProcessEngine
from runs.service import RunService
from runs.store.reader import RunReader
from runs.store.run_file import FINAL
from runs.store.summary import build_result
from solvers import SOLVERS
from tests.clock import wait_until
from tests.runs.conftest import two_opt_spec
from tests.solvers.user_files.mine import changed_template, empty_registry, join_and_bequeath

pytestmark = pytest.mark.slow


@pytest.fixture
def service(tmp_path, monkeypatch):
    monkeypatch.setattr(process, "AVAILABLE", False)
    empty_registry(monkeypatch)
    join_and_bequeath(changed_template(tmp_path))
    service = RunService(tmp_path / "home", ProcessEngine)
    yield service
    service.close()


def finish_run(service: RunService) -> tuple[str, tuple[str, str]]:
    """Finish a run; return its id, and its state with the reason."""
    stages = [{"algorithm": "my-solver", "params": {"climbers": 3}}]
    run = service.start(two_opt_spec("burma14", stages=stages))
    wait_until(lambda: service.channel(run).state[0] in FINAL)
    return run, service.channel(run).state


@pytest.mark.long
def test_each_run_uses_the_current_file(service, tmp_path):
    first, (state, _) = finish_run(service)
    assert state == "finished"
    changed_template(tmp_path, ("climb.end(evaluations)", "climb.end(1_000_000)"))
    second, _ = finish_run(service)
    with RunReader(service.path(first)) as before, RunReader(service.path(second)) as after:
        assert build_result(after)["evaluations"] >= 1_000_000 > build_result(before)["evaluations"]
        assert build_result(after)["versions"]["mine.py"] != build_result(before)["versions"]["mine.py"]
    changed_template(tmp_path, ("climb.end(evaluations)", "climb.end(nothing)"))
    _, (state, reason) = finish_run(service)
    assert (state, reason) == ("failed", "mine.py, line 55: NameError: name 'nothing' is not defined.")
    SOLVERS.files.clear()
    with RunReader(service.path(first)) as reader:
        assert build_result(reader)["length"] >= 3323
    assert service.summary(first)["title"] == "my-solver"
