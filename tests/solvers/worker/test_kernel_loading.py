"""What `solvers.worker.kernel_loading` tells of kernels that are compiled after a start tour."""

from functools import partial

import numpy as np

from data.generators import uniform
from solvers.core.events import Compiling, Started, Tour
from solvers.core.solver import Job
from solvers.core.stop import Budget
from solvers.kernels import shipped, tours_cpu
from solvers.kernels.compiling import progress
from solvers.registry import find
from solvers.worker import kernel_loading
from solvers.worker.kernel_loading import load_and_begin, load_first_part, load_in_turn
from tests.tables import each_row

STARTED = Started("two-opt", "cpu", "a core", 1, 2.0)


def test_a_pause_is_followed_by_the_others_and_another_start():
    steps = []

    def load():
        steps.append("of the start tour")
        yield
        steps.append("others")

    load_rest = load_first_part(load())
    assert steps == ["of the start tour"]
    compiling, started = load_rest(STARTED)
    assert steps == ["of the start tour", "others"]
    assert isinstance(compiling, Compiling)
    assert isinstance(started, Started)
    assert (started.algorithm, started.compile_seconds != STARTED.compile_seconds) == (STARTED.algorithm, True)


def test_without_a_pause_nothing_is_left():
    assert load_first_part(iter(())) is None


def test_forks_begin_with_what_is_needed_first(monkeypatch):
    calls, of_forks = [progress.begin, *(partial(list, (number,)) for number in range(4))], []

    def record(calls, count):
        yield of_forks.extend(call.args[0] for call in calls)

    monkeypatch.setattr(kernel_loading, "run_in_forks", record)
    assert len(list(load_in_turn(calls, first=3))) == 5
    assert of_forks == [calls[2], calls[1], calls[4], calls[3]]


@each_row(
    ("stored", "later", "shown"),
    [
        (False, False, [Started, Tour, Compiling, Started]),
        (True, False, [Started]),
        (False, True, [Started, Compiling, Started]),
    ],
)
def test_a_tour_is_shown_while_the_main_kernel_is_compiled(stored, later, shown, monkeypatch):
    monkeypatch.setattr(kernel_loading, "is_stored", lambda kernel: stored)
    order, steps = np.arange(5, dtype=np.int32), []
    job = Job(
        uniform(5, 1), None, 1, "cpu", Budget().start(), order if later else None, variant=find("two-opt").variants[0]
    )

    def start():
        assert steps == (["tours", "others"] if stored else ["tours"])
        return STARTED

    calls = [lambda: steps.append("tours"), lambda: steps.append("others")]
    events = [*load_and_begin(job, calls, 1, start, lambda: order)]
    assert [type(event) for event in events] == shown
    assert steps == ["tours", "others"]


def test_a_kernelis_stored_once_it_is_compiled_for_some_types(monkeypatch):
    kernel = tours_cpu.random_tours
    kernel(np.uint64(1), 0, np.zeros((1, 3), np.int32))
    monkeypatch.setattr(shipped, "find_usable_build", lambda: None)
    monkeypatch.setattr(kernel, "overloads", {})
    assert kernel.is_stored(), "on disk"
    monkeypatch.setattr(kernel._cache._cache_file, "_load_index", dict)
    assert not kernel.is_stored()
