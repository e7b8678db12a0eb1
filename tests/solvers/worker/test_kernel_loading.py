"""What `solvers.worker.kernel_loading` tells of kernels that are compiled after a start tour."""

from solvers.core.events import Compiling, Started
from solvers.worker.kernel_loading import load_first_part

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
