"""A run's proof applies to its instance afterwards, in earlier and later runs, unless the run was imported."""

import numpy as np
import pytest

from runs.library.search import Query
from runs.library.service import Library
from runs.races.service import RaceService
from runs.service import RunService
from runs.study_jobs.service import StudyService
from solvers.core.events import Front
from solvers.spec import RunSpec, Stage
from tests.clock import wait_until
from tests.runs.scripted import ScriptedEngine

pytestmark = pytest.mark.slow


def make_spec(seed: int, algorithm: str = "held-karp", **params) -> RunSpec:
    return RunSpec({"generate": "uniform", "n": 9, "seed": seed}, (Stage(algorithm, params),))


def wait_for_run(run_service: RunService, spec: RunSpec) -> str:
    run = run_service.start(spec)
    wait_until(lambda: run_service.active_run(run) is None)
    return run


def proofs(run_service: RunService) -> list[str]:
    folder = run_service.home.folder / "proofs"
    return [path.stem for path in folder.iterdir()] if folder.is_dir() else []


def test_proof_adds_gaps_to_runs_before_and_after_it(run_service):
    before = wait_for_run(run_service, make_spec(1, "random", samples=3))
    assert run_service.summary(before)["gap_percent"] is None
    exact = wait_for_run(run_service, make_spec(1))
    after = wait_for_run(run_service, make_spec(1, "random", samples=3))
    optimum = run_service.summary(exact)["length"]
    for run in (before, exact, after):
        summary = run_service.summary(run)
        assert (summary["instance"]["optimum"], summary["instance"]["proven"]) == (optimum, True)
        assert summary["gap_percent"] == pytest.approx(100 * (summary["length"] - optimum) / optimum)
        assert run_service.run_instance(run).optimal_tour is not None
    assert run_service.instance(make_spec(1).instance).optimum == optimum
    assert run_service.instance(make_spec(2).instance).optimum is None


def test_imported_run_proves_nothing(run_service, tmp_path, process_engine, read_here):
    exact = wait_for_run(run_service, make_spec(3))
    other = RunService(tmp_path, ScriptedEngine)
    try:
        folder = other.home.incoming / "upload"
        folder.mkdir()
        with run_service.open_reader(exact) as reader:
            reader.backup(folder / "run")
        adopted = other.adopt_run(folder / "run")
        assert other.summary(adopted)["gap_percent"] is None
        assert other.instance(make_spec(3).instance).optimum is None
        assert proofs(other) == []
    finally:
        other.close()


def test_wrong_length_proves_nothing(scripted):
    run_service, engine = scripted
    run = run_service.start(make_spec(1))
    one = np.ones(1, np.int64)
    engine.handles[0].say(Front(one, one, one, one, np.ones(1), proven=True))
    engine.handles[0].finish(length=5, n=9)
    wait_until(lambda: run_service.active_run(run) is None)
    assert run_service.summary(run)["proven"]
    assert proofs(run_service) == []


def test_library_rereads_runs_after_a_proof(run_service, tmp_path):
    races = RaceService(run_service)
    studies = StudyService(run_service, tmp_path, [])
    library = Library(run_service.home.folder, run_service, races, studies)
    try:
        before = f"run:{wait_for_run(run_service, make_spec(5, 'random', samples=3))}"

        def entry():
            return {each.key: each for each in library.search(Query(limit=None)).entries}.get(before)

        wait_until(lambda: entry() is not None)
        assert entry().gap_percent is None
        wait_for_run(run_service, make_spec(5))
        wait_until(lambda: entry().gap_percent is not None)
        assert entry().optimum_proven
    finally:
        library.close()
        studies.close()


def test_instance_of_an_imported_run_is_stored_for_proofs(run_service, tmp_path, read_here):
    exact = wait_for_run(run_service, make_spec(7, "random", samples=3))
    reference = run_service.find_reference({"sha256": "0" * 64}, run_service.run_instance(exact))
    assert reference == {"sha256": run_service.run_instance(exact).sha256}
    assert run_service.instance(reference).n == 9
    assert run_service.reference_to(exact) == make_spec(7).instance
