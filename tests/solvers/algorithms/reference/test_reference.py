"""Other projects' solvers: their common contract, tested with a stand-in package.

`test_reference_packages` calls those that are installed.
"""

import os
from importlib import invalidate_caches

import numpy as np
import psutil
import pytest

from commands.report import list_algorithms
from components.algorithm.form import panel
from data.collection.resolve import load
from data.distances import distance_matrix, edge_lengths, tour_length
from data.generators import uniform
from data.paths import ANY, open_order, with_path
from data.tsplib.normal_form import assemble
from runs.engine import warmup
from solvers import SOLVERS, find
from solvers.algorithms.reference.params import ReferenceParams, limit_call
from solvers.core.devices import Device
from solvers.core.errors import DeviceUnavailable, InstanceTooLarge, RunFailed
from solvers.core.events import Finished, Progress, Rows, Started, Tour
from solvers.run import prepare, run
from studies.pool.dispatch import build_claims
from tests.clock import wait_until
from tests.naive import shortest_path
from tests.solver_runs import collect_events, make_spec
from tests.tables import each_row

pytestmark = pytest.mark.slow

REFERENCE = [solver for solver in SOLVERS if solver.family == "reference"]

#: A package with fast-tsp's interface, which does what the variable TOLD says.
FAKE = """
import os, signal, time

def find_tour(distances, seconds, threads):
    told, n = os.environ.get("TOLD", ""), len(distances)
    print("a package may print")
    if told == "largest":
        raise ValueError(str(int(distances.max())))
    if told == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if told == "twice":
        return [0] * n
    if told == "few":
        return [0]
    if told == "nothing":
        return []
    if told == "hang":
        open(os.environ["TOLD_FILE"], "w").write(str(os.getpid()))
        time.sleep(3600)
    if told == "limits":
        open(os.environ["TOLD_FILE"], "a").write(f"{seconds} {threads}\\n")
        return list(range(n))
    at, left, order = 0, set(range(1, n)), [0]
    while left:
        at = min(left, key=lambda city: (distances[at][city], city))
        left.remove(at)
        order.append(at)
    return order
"""


@pytest.fixture
def package(tmp_path, monkeypatch):
    """The stand-in for fast-tsp in these tests; returns a function that sets its behaviour."""
    (tmp_path / "fast_tsp.py").write_text(FAKE)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")])))
    monkeypatch.setenv("TOLD_FILE", str(tmp_path / "told"))
    invalidate_caches()
    return lambda answer: monkeypatch.setenv("TOLD", answer)


@pytest.fixture
def no_packages(monkeypatch):
    """No package is installed."""
    monkeypatch.setattr("solvers.algorithms.reference.package.find_spec", lambda name: None)


def select_events(events, kind):
    return [event for event in events if isinstance(event, kind)]


def test_calls_are_streamed_measured_and_not_repeatable(package):
    instance = load("berlin52")
    events = collect_events(instance, make_spec("fast-tsp", calls=3, first_seconds=0.01))
    (started,) = select_events(events, Started)
    assert not started.repeatable
    assert started.device.startswith("fast-tsp")
    assert sum(event.climber.size for event in select_events(events, Rows)) == 3
    end = events[-1]
    assert end.stop_reason == "completed"
    assert "fast-tsp" in end.versions
    assert end.length == tour_length(instance, end.order) == select_events(events, Tour)[-1].length


def test_order_of_the_file_is_hidden_from_the_package(package, monkeypatch):
    package("limits")  # returns the cities as it got them
    instance = load("berlin52")
    first, again, other = (
        collect_events(instance, make_spec("fast-tsp", seed, calls=1))[-1].order.tolist() for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other
    assert first != list(range(52))


def test_limits_rise_and_fit_the_budget(package, tmp_path):
    package("limits")
    collect_events(
        load("berlin52"), make_spec("fast-tsp", calls=4, first_seconds=0.01, growth=3.0, variant="sequential")
    )
    lines = [line.split() for line in (tmp_path / "told").read_text().splitlines()]
    assert [float(seconds) for seconds, _ in lines] == pytest.approx([0.01, 0.03, 0.09, 0.27])
    assert {threads for _, threads in lines} == {"1"}
    params = ReferenceParams(first_seconds=0.5)
    assert params.time_limit(1) == 1.0
    assert params.time_limit(1, previous_seconds=3.0) == 3.0
    assert limit_call(1.0, None) == limit_call(1.0, 100.0) == 1.0
    assert limit_call(1.0, 0.5) < 0.5
    assert limit_call(1.0, 0.0) > 0


def test_distances_beyond_the_package_are_divided_with_a_note(package):
    points = np.array([[0, 0], [300_000, 0], [300_000, 10], [0, 10]], float)
    instance = assemble("far", "EUC_2D", "inline", coordinates=points)
    events = collect_events(instance, make_spec("fast-tsp", calls=1))
    assert "distances divided by 5" in select_events(events, Started)[0].device
    assert events[-1].length == 600_020
    package("largest")
    with pytest.raises(RunFailed, match="60000"):
        collect_events(instance, make_spec("fast-tsp", calls=1))


@pytest.mark.parametrize(
    ("expected", "why"),
    [
        ("crash", "ended unexpectedly"),
        ("twice", "no tour"),
        ("few", "no tour of 52 cities"),
        ("nothing", "No call found a tour"),
    ],
)
def test_misbehaving_package_ends_with_a_message(package, expected, why):
    package(expected)
    with pytest.raises(RunFailed, match=why):
        collect_events(load("berlin52"), make_spec("fast-tsp", calls=1))


def started_hanging(package, tmp_path, budget=None):
    """A run whose package call takes an hour: its events, its counter, and the process's id."""
    package("hang")
    spec = make_spec("fast-tsp", budget=budget)
    counter = spec.budget.start()
    events = run(prepare(spec), load("berlin52"), counter)
    while not isinstance(next(events), Started):
        continue
    wait_until(lambda: next(events) is not None and (tmp_path / "told").exists() and (tmp_path / "told").read_text())
    return events, counter, int((tmp_path / "told").read_text())


def test_cancel_does_not_wait_for_the_package(package, tmp_path):
    events, counter, pid = started_hanging(package, tmp_path)
    counter.cancel()
    rest = list(events)
    assert rest[-1].stop_reason == "cancelled"
    assert sum(isinstance(event, Progress) and not event.iteration.size for event in rest) <= 1
    assert rest[-1].order.tolist() == list(range(52)), "no call has answered: the order of the file"
    assert not psutil.pid_exists(pid)


def test_the_budget_ends_a_call_that_ignores_its_limit(package, tmp_path):
    events, _, pid = started_hanging(package, tmp_path, {"seconds": 0.3})
    assert list(events)[-1].stop_reason == "time"
    assert not psutil.pid_exists(pid)


def test_closing_a_run_kills_its_process(package, tmp_path):
    events, _, pid = started_hanging(package, tmp_path)
    events.close()
    assert not psutil.pid_exists(pid)


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="reads a process's state from /proc")
def test_paused_run_suspends_the_process(package, tmp_path):
    events, _, pid = started_hanging(package, tmp_path)
    state = lambda: open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[0]  # noqa: E731, SIM115
    next(events)
    wait_until(lambda: state() == "T")
    events.close()


@pytest.mark.parametrize("n", [1, 2])
def test_few_cities_need_no_package(package, n):
    package("crash")
    end = collect_events(uniform(n, 1), make_spec("fast-tsp"))[-1]
    assert isinstance(end, Finished)
    assert end.order.tolist() == list(range(n))


def test_too_many_cities_are_refused(package):
    with pytest.raises(InstanceTooLarge, match=r"at most 20,000 cities.*matrix of all distances"):
        collect_events(uniform(20_001, 1), make_spec("fast-tsp"))


def small_instance(weights):
    return assemble("small", "EXPLICIT", "inline", weights=np.array(weights, np.int32))


NEGATIVE = [[0, -1, 2, 3], [-1, 0, 4, 2], [2, 4, 0, 1], [3, 2, 1, 0]]


@each_row("solver", [each for each in REFERENCE if not each.package.negative])
def test_negative_distances_are_refused_if_a_package_gets_them_wrong(solver, monkeypatch):
    monkeypatch.setattr("solvers.algorithms.reference.package.find_spec", lambda name: True)
    with pytest.raises(InstanceTooLarge, match=r"^[\w -]+ takes no negative distances: add the same number to all"):
        collect_events(small_instance(NEGATIVE), make_spec(solver.name))
    assert not solver.refusal(small_instance(np.abs(NEGATIVE)), None, "cpu")
    assert not solver.refusal(load("berlin52"), None, "cpu")


def test_lkh_supports_negative_distances_and_their_magnitude_counts(package, tmp_path):
    (tmp_path / "elkai").mkdir()
    (tmp_path / "elkai" / "__init__.py").touch()
    (tmp_path / "elkai" / "_elkai.py").write_text(
        "def solve_problem(settings, problem):\n    raise ValueError(min(map(int, problem.split()[-16:])))\n"
    )
    invalidate_caches()
    with pytest.raises(RunFailed, match="failed: -10000000"):
        collect_events(small_instance(np.where(np.array(NEGATIVE) < 0, -30_000_000, NEGATIVE)), make_spec("elkai"))


#: A package with elkai's interface, which tries all tours of the matrix that it reads.
TRYING_ALL = """
from itertools import permutations

def solve_problem(settings, problem):
    *_, rows = problem.split("EDGE_WEIGHT_SECTION\\n")
    weights = [[*map(int, row.split())] for row in rows.splitlines()]
    rest = permutations(range(1, len(weights)))
    length = lambda order: sum(weights[a][b] for a, b in zip((0, *order), (*order, 0)))
    return [1, *(city + 1 for city in min(rest, key=length))]
"""


@pytest.mark.parametrize("ends", [(2, 5), (2, None), (ANY, 5), (ANY, ANY)])
def test_directed_package_finds_paths_of_coordinates(package, tmp_path, ends):
    """It receives a matrix whose tours are as long as the paths, with an additional city if both ends are open."""
    (tmp_path / "elkai").mkdir()
    (tmp_path / "elkai" / "__init__.py").touch()
    (tmp_path / "elkai" / "_elkai.py").write_text(TRYING_ALL)
    invalidate_caches()
    cities = uniform(7, 3)
    instance = with_path(cities, *ends)
    end = collect_events(instance, make_spec("elkai", calls=1))[-1]
    assert end.length == shortest_path(distance_matrix(cities).tolist(), *ends)
    order = open_order(instance, end.order)
    assert end.length == sum(edge_lengths(cities, order[:-1], order[1:]))
    assert all(city in (None, ANY, int(order[at])) for city, at in zip(ends, (0, -1), strict=True))


def test_directed_distances_are_refused_by_packages_that_read_half_of_them(package):
    with pytest.raises(DeviceUnavailable, match="same distance in both directions"):
        collect_events(small_instance([[0, 1, 2], [2, 0, 1], [1, 2, 0]]), make_spec("fast-tsp"))


@pytest.mark.parametrize("solver", REFERENCE, ids=lambda solver: solver.name)
def test_missing_package_is_reported_with_its_command(no_packages, solver):
    why = solver.missing()
    assert f"pip install {solver.package.distribution}." in why
    assert solver.package.licence in why
    with pytest.raises(DeviceUnavailable, match="pip install"):
        collect_events(load("berlin52"), make_spec(solver.name))
    with pytest.raises(DeviceUnavailable, match="pip install"):
        build_claims([prepare(make_spec(solver.name))], 1, 1, 0)
    (entry,) = list_algorithms((solver,), (Device("cpu", "CPU"),))
    assert not entry["available"]
    assert entry["reason"] == why
    assert f"'value': '{solver.name}'" in str(panel({}))


def test_menu_omits_algorithms_with_missing_packages(no_packages):
    options = next(each for each in _menus(panel({})) if {"fast-tsp", "two-opt"} <= {o["value"] for o in each})
    offered = {option["value"]: option for option in options}
    assert offered["fast-tsp"]["disabled"]
    assert "pip install fast-tsp" in offered["fast-tsp"]["title"]
    assert not offered["two-opt"]["disabled"]


def _menus(parts):
    for part in parts:
        for child in part._traverse():
            if isinstance(getattr(child, "options", None), list):
                yield child.options


def test_call_is_not_replayed():
    with pytest.raises(RunFailed, match="cannot be repeated"):
        find("fast-tsp").replay(None, 0)


def test_no_package_is_called_to_load_kernels(package, tmp_path, monkeypatch, caplog):
    """They have none, and calls cannot be replayed: each start of a process logged a traceback per package."""
    package("limits")  # a call would write its limits
    monkeypatch.setattr(warmup, "BUILT_IN", (*REFERENCE, find("space-filling-curve")))
    assert {name.split()[0] for name in warmup.kernels(lambda: False)} == {"space-filling-curve"}
    assert not caplog.records
    assert not (tmp_path / "told").exists()
