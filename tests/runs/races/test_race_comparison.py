"""Comparing finished runs: which ones are comparable, by cities instead of names, and how they differ."""

import io
import json

import numpy as np
import pytest
from fastapi import FastAPI
from PIL import Image
from starlette.testclient import TestClient

from data.collection import resolve
from data.instance import Instance
from runs.races.comparison import NotComparable, prepare_comparison
from runs.races.routes import add_race_routes
from runs.races.service import RaceService
from solvers.spec import RunSpec
from tests.tables import each_row


def make_spec(algorithm="greedy", instance=None, seed=1, **budget):
    stages = [{"algorithm": algorithm, "params": {}}]
    value = {"v": 1, "instance": instance or {"name": "berlin52"}, "stages": stages, "seed": seed, "budget": budget}
    return RunSpec.from_json(value)


@pytest.fixture(scope="module")
def finish_run(run_service, until):
    """Starts a run and waits for its end."""

    def make_run(*args, **kwargs):
        run = run_service.start(make_spec(*args, **kwargs))
        until(lambda: run_service.active_run(run) is None, 60)
        return run

    return make_run


@pytest.fixture(scope="module")
def greedy(finish_run):
    return finish_run()


@pytest.fixture(scope="module")
def other_run(finish_run):
    return finish_run("nearest-neighbour", seed=2, seconds=3.0)


def test_runs_of_one_instance_are_compared_with_unequal_conditions_named(run_service, greedy, other_run):
    found = prepare_comparison(run_service, [other_run, greedy])
    assert found.runs == (other_run, greedy)
    assert [lane["stages"][0]["algorithm"] for lane in found.lanes] == ["nearest-neighbour", "greedy"]
    assert {"seed", "start", "budget"} <= set(found.unequal)
    assert found.seconds > 0
    assert found.budget is None
    assert (found.instance.name, found.reference) == ("berlin52", {"name": "berlin52"})


def test_equal_runs_have_no_note(run_service, finish_run, greedy):
    assert prepare_comparison(run_service, [greedy, finish_run()]).unequal == ()
    assert (
        prepare_comparison(run_service, [finish_run(seconds=2.0), finish_run("nearest-neighbour", seconds=2.0)]).budget
        == 2.0
    )


def test_imported_tour_can_be_compared_without_its_cities(run_service, greedy, until):
    run = run_service.adopt_tour(b"\n".join(b"%d" % city for city in range(1, 53)), "mine.txt", {"name": "berlin52"})
    until(lambda: run_service.active_run(run) is None)
    found = prepare_comparison(run_service, [run, greedy])
    assert found.lanes[0]["stages"] == [{"algorithm": "given", "params": {}}]


def test_comparison_uses_cities_rather_than_names(run_service, finish_run, greedy):
    cities = resolve.load("berlin52").coordinates.tolist()
    same = finish_run(instance={"cities": cities})
    assert prepare_comparison(run_service, [greedy, same]).instance.name == "berlin52"
    cities[7] = [1.0, 2.0]
    moved = finish_run(instance={"cities": cities})
    with pytest.raises(NotComparable, match="different instances"):
        prepare_comparison(run_service, [greedy, moved])


def test_false_hash_is_not_believed(run_service, greedy, other_run, monkeypatch):
    honest = run_service.run_instance(greedy)
    lying = Instance(
        honest.name, honest.kind, honest.n, np.flip(honest.coordinates), None, honest.display, sha256=honest.sha256
    )
    answer = iter([honest, lying])
    monkeypatch.setattr(run_service, "run_instance", lambda _: next(answer))
    with pytest.raises(NotComparable, match="different instances"):
        prepare_comparison(run_service, [greedy, other_run])


@each_row(("count", "why"), [(0, "names none"), (1, "names 1"), (5, "names 5")])
def test_too_few_and_too_many_are_refused(run_service, greedy, count, why):
    with pytest.raises(NotComparable, match=why):
        prepare_comparison(run_service, [greedy] * count)


def test_duplicate_and_missing_runs_are_refused(run_service, greedy):
    with pytest.raises(NotComparable, match="twice"):
        prepare_comparison(run_service, [greedy, greedy])
    for unknown in ("abcdefghijkl", "../../../etc/passwd", "?"):
        with pytest.raises(NotComparable, match="not on this server"):
            prepare_comparison(run_service, [greedy, unknown])


@each_row("known", [True, False])
def test_run_with_a_damaged_file_is_refused_with_a_message(run_service, finish_run, greedy, known):
    run = finish_run(seed=5)
    run_service._summaries.pop(run, None)
    if known:
        run_service.summary(run)
    path = run_service.path(run)
    path.write_bytes(b"x" * path.stat().st_size)
    with pytest.raises(NotComparable, match="cannot be read"):
        prepare_comparison(run_service, [greedy, run])


def test_active_run_is_refused_until_cancelled(run_service, greedy, until):
    run = run_service.start(make_spec("simulated-annealing", seconds=60.0))
    with pytest.raises(NotComparable, match="still running"):
        prepare_comparison(run_service, [greedy, run])
    until(lambda: run_service.active_run(run).started, 60)
    run_service.command(run, "cancel")
    until(lambda: run_service.active_run(run) is None, 20)
    assert run_service.summary(run)["state"] == "cancelled"
    assert "budget" in prepare_comparison(run_service, [greedy, run]).unequal


def test_animation_shows_these_runs(run_service, greedy, other_run):
    app = FastAPI()
    styles = lambda lanes, _dark: [(f"lane {k}", "#0072b2") for k in range(len(lanes))]  # noqa: E731
    add_race_routes(app, RaceService(run_service), "/", styles, "components.race.ending:describe_result")
    visitor = TestClient(app, base_url="http://127.0.0.1/")
    answer = visitor.get(f"/compared.gif?runs={greedy},{other_run}")
    assert Image.open(io.BytesIO(answer.content)).format == "GIF"
    assert 'filename="berlin52-compared.gif"' in answer.headers["content-disposition"]
    refused = visitor.get(f"/compared.gif?runs={greedy}")
    assert refused.status_code == 400
    assert json.loads(refused.content)["sentence"].endswith(".")
