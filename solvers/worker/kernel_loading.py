"""Loads a run's kernels; where possible, several processes share the work of compiling missing ones.

Imports Numba: for use inside `solve()`.
"""

import gc
import os
import sys
from collections.abc import Callable, Container, Generator, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from importlib import import_module
from itertools import chain, islice
from time import perf_counter
from typing import Any

import numpy as np

from data.distances import tour_length
from solvers.core.devices import cpu_threads
from solvers.core.events import Compiling, Event, Started, Tour
from solvers.core.memory import COMPILER_BYTES, available_bytes
from solvers.core.solver import Job
from solvers.kernels.compiling import pause_collection, progress
from solvers.worker.fork_server import AVAILABLE
from solvers.worker.fork_server_main import SHARES, run_in_forks

#: Maximum number of forks that help to compile a run's kernels.
MAX_FORKS = 3


def load_kernels(calls: Iterable[Callable[[], object]], on_gpu: Container[Callable[[], object]] = ()) -> None:
    """Call functions that each compile or load kernels; see `load_in_turn`."""
    for _ in load_in_turn(calls, on_gpu):
        continue


def load_in_two_parts(
    calls: Iterable[Callable[[], object]], first: int, on_gpu: Container[Callable[[], object]] = ()
) -> Generator[None, None, None]:
    """Call functions like `load_in_turn`, but yield only once, after the `first` calls, if kernels must be compiled."""
    before, loading = progress.count, load_in_turn(calls, on_gpu, first)
    for _ in islice(loading, first):
        continue
    for _ in chain([None], loading):
        if progress.count > before:
            yield
            break
    for _ in loading:
        continue


def is_stored(kernel: str) -> bool:
    """Return whether a kernel, ``module:name``, was ever compiled; true for functions that need no compilation."""
    module, _, name = kernel.partition(":")
    function: Any = getattr(import_module(module), name)
    return not hasattr(function, "is_stored") or function.is_stored()


def load_first_part(loading: Iterator[None]) -> Callable[[Started], Iterator[Event]] | None:
    """Load the kernels of the start tour; return a function that loads the others, or None if there are no others.

    Parameters
    ----------
    loading : iterator
        See `load_in_two_parts`.
    """
    return partial(_finish_loading, loading) if [*islice(loading, 1)] else None


def load_and_begin(
    job: Job, calls: Iterable[Callable[[], object]], first: int, start: Callable[[], Started],
    make_tour: Callable[[], np.ndarray | None],
) -> Iterator[Event]:  # fmt: skip
    """Load kernels and yield `Started`; if the variant was never compiled, show a first tour while it compiles.

    Parameters
    ----------
    job : Job
    calls : iterable of callable
        See `load_in_turn`.
    first : int
        Number of calls before the first tour.
    start : callable
        Called after the `first` calls.
    make_tour : callable
        Makes the first tour, (n,) int32, if the kernels of the `first` calls can; not called in later stages of a run.
    """
    stored = is_stored(job.variant.kernel)
    with closing(load_in_turn(calls, first=first)) as loading:
        for _ in islice(loading, None if stored else first):
            continue
        yield (started := start())
        if stored:
            return
        if job.start is None and (order := make_tour()) is not None:
            yield Tour(order, tour_length(job.instance, order), 0)
        yield from _finish_loading(loading, started)


def _finish_loading(loading: Iterator[None], started: Started) -> Iterator[Event]:
    """After the start tour, load the other kernels while the run's clock is stopped."""
    yield Compiling()
    start_time = perf_counter()
    for _ in loading:
        continue
    yield replace(started, compile_seconds=perf_counter() - start_time)


def load_in_turn(
    calls: Iterable[Callable[[], object]], on_gpu: Container[Callable[[], object]] = (), first: int = 0
) -> Generator[None, None, None]:
    """Call functions that each compile or load kernels; yield after each.

    As soon as one function has compiled a kernel, forks of this process call the other functions too: first the `first`
    ones, then the rest in reverse order. The processes share the work: none compiles a kernel that another is
    compiling, but waits for it (`solvers.kernels.compiler`).

    Parameters
    ----------
    calls : iterable of callable
        The functions, the one with the least work first; none may depend on another.
    on_gpu : container of callable, optional
        Those of the functions that touch a GPU, which a fork must not do.
    first : int, optional
        Number of functions that are needed before the others.
    """
    left, before = list(calls), progress.count
    urgent = left[:first]
    with pause_collection():
        while left and progress.count == before:
            left.pop(0)()
            yield
        can_fork = AVAILABLE and SHARES not in os.environ and "mpi4py" not in sys.modules
        of_forks = [partial(_call_in_fork, call) for call in reversed(left) if call not in on_gpu]
        count = min(MAX_FORKS, cpu_threads() - 1, available_bytes() // COMPILER_BYTES, len(left) - 1, len(of_forks))
        of_forks.sort(key=lambda call: call.args[0] not in urgent)
        with closing(run_in_forks(of_forks, count if can_fork and left else 0)) as steps:
            next(steps, None)
            for call in left:
                call()
                yield
            for _ in steps:
                continue


def _call_in_fork(call: Callable[[], object]) -> None:
    gc.disable()  # the fork ends soon, and must not free a GPU's memory
    with suppress(Exception):  # this process will get the same error
        call()
