"""CPU kernels compiled at the first start: which process compiles which kernels, and in which order."""

import os
import sys
import time
from collections import Counter
from functools import partial
from pkgutil import resolve_name
from types import SimpleNamespace

import pytest

from runs.engine import cpu_kernels, warmup
from runs.engine.cpu_kernels import compile_all
from solvers import BUILT_IN, find
from solvers.algorithms.lin_kernighan.params import LinKernighanParams
from solvers.algorithms.lin_kernighan.schedule import POPULATIONS, Schedule
from solvers.worker.fork_server import AVAILABLE
from tests.tables import each_row

#: Seconds that the first algorithm takes at most, until another process has begun with the second.
PATIENCE = 5.0
NAMES = [f"algorithm-{number}" for number in range(8)]
with_forks = pytest.mark.skipif(not AVAILABLE, reason="this system has no forks of this kind")


@pytest.fixture
def compiled_by(tmp_path, tmp_path_factory, monkeypatch):
    """The process that compiled each algorithm, and its niceness; the first process waits for another one to start."""

    def take(stop, selection):
        for solver, _ in selection:
            with (tmp_path / solver.name).open("x") as file:  # fails if another has it as well
                file.write(f"{os.getpid()} {os.nice(0)}")
            end = time.monotonic() + PATIENCE
            while len(list(tmp_path.iterdir())) < 2 and time.monotonic() < end:
                time.sleep(0.01)
            yield solver.name

    monkeypatch.setattr(cpu_kernels, "list_algorithms", lambda: [(SimpleNamespace(name=name), 16) for name in NAMES])
    monkeypatch.setattr(cpu_kernels, "kernels", take)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))

    def by_name() -> dict[str, tuple[int, int]]:
        return {path.name: tuple(map(int, path.read_text().split())) for path in tmp_path.iterdir()}

    return by_name


@with_forks
def test_two_processes_split_the_algorithms(compiled_by, monkeypatch):
    monkeypatch.setattr(cpu_kernels, "cpu_threads", lambda: 16)
    monkeypatch.setattr(cpu_kernels, "available_bytes", lambda: 64 << 30)
    for _ in compile_all():
        continue
    assert sorted(compiled_by()) == NAMES
    processes = {pid for pid, _ in compiled_by().values()}
    assert len(processes) == 2
    assert os.getpid() not in processes
    assert cpu_kernels.marker_path().exists()


@with_forks
@pytest.mark.parametrize(("cores", "memory"), [(1, 64 << 30), (16, 2 << 30)])
def test_on_one_core_or_with_little_memory_one_process_compiles(cores, memory, compiled_by, monkeypatch):
    monkeypatch.setattr(cpu_kernels, "cpu_threads", lambda: cores)
    monkeypatch.setattr(cpu_kernels, "available_bytes", lambda: memory)
    monkeypatch.setattr(sys.modules[__name__], "PATIENCE", 0.0)
    for _ in compile_all():
        continue
    assert sorted(compiled_by()) == NAMES
    assert len({pid for pid, _ in compiled_by().values()}) == 1


@with_forks
def test_server_compiles_after_its_runs(compiled_by):
    before = os.nice(0)
    for _ in compile_all(niceness=3):
        continue
    assert {niceness for _, niceness in compiled_by().values()} == {min(19, before + 3)}
    assert os.nice(0) == before


def test_process_compiles_itself_without_forks(monkeypatch):
    monkeypatch.setattr(cpu_kernels, "AVAILABLE", False)
    monkeypatch.setattr(cpu_kernels, "kernels", lambda stop: iter(NAMES))
    assert len(list(compile_all())) == len(NAMES)


@each_row("cards", [False, True])
def test_kernels_of_gpu_runs_come_first_if_there_may_be_a_gpu(cards, monkeypatch):
    monkeypatch.setattr(warmup, "_can_have_gpu", lambda: cards)
    monkeypatch.setattr(warmup, "_run_once", lambda solver, variant, n: None)
    loaded = []
    monkeypatch.setattr(warmup, "resolve_name", lambda name: resolve_name(name) and partial(loaded.append, name))
    names = [each.split()[0] for each in warmup.kernels(lambda: False)]
    order = list(dict.fromkeys(names))
    algorithms = [each for each in BUILT_IN if each.family != "reference"]
    of_cores = [each.name for each in algorithms if any(variant.device == "cpu" for variant in each.variants)]
    assert sorted(order) == sorted(of_cores)
    if not cards:
        assert order == of_cores
        assert not loaded, "without a GPU nobody needs it"
        return
    of_gpu = [each.name for each in BUILT_IN if any(variant.device == "cuda" for variant in each.variants)]
    assert {"simulated-annealing", "ant-system", "held-karp"} < set(of_gpu)
    assert order[: len(of_gpu)] == of_gpu, "in the order of the menu"
    assert {*loaded} == {*warmup._BESIDE_GPU.values()}


def test_kernels_for_many_cities_come_last_and_complete_the_set(monkeypatch):
    """Populations of Lin-Kernighan compiled for a minute at the first run with 150 cities."""
    ran = []
    monkeypatch.setattr(warmup, "_run_once", lambda solver, variant, n: ran.append((solver.name, n)))
    for _ in warmup.kernels(lambda: False):
        continue
    many = [(name, n) for name, n in ran if n > 16]
    assert ran[-len(many) :] == many == [("lin-kernighan", 200), ("lin-kernighan", 9000)]
    few, many = (Schedule.for_cities(LinKernighanParams(), n) for n in (200, 9000))
    ways = [(each.kind, each.builds_in_one_call, each.uses_matrix) for each in (few, many)]
    assert ways == [(POPULATIONS, True, True), (POPULATIONS, False, False)], "between them both ways of each"
    assert many.chained_rounds, "tours that are merged before there is a table"


def test_warm_up_runs_are_short(monkeypatch):
    """Replica exchange ends all climbers together, so its first iteration took seconds at each start."""
    annealing, answer = find("simulated-annealing"), Counter()
    for name in ("solve", "replay"):
        work = getattr(type(annealing), name)

        def count_events(self, job, *more, work=work):
            for event in work(self, job, *more):
                answer[job.params.variant, work.__name__] += 1
                yield event

        monkeypatch.setattr(type(annealing), name, count_events)
    for _ in warmup.kernels(lambda: False, [(annealing, annealing.kernel_cities[0])]):
        continue
    assert {("replica-exchange", "solve"), ("replica-exchange", "replay"), ("cpu", "solve")} <= {*answer}
    assert max(answer.values()) < 1000
