"""Loads the kernels of a run; two processes, where possible, share the compilation of missing ones.

Imports Numba: for use inside `solve()`.
"""

import os
import sys
from collections.abc import Callable, Generator, Iterable
from contextlib import closing, suppress

from solvers.core.devices import cpu_threads
from solvers.core.memory import COMPILER_BYTES, available_bytes
from solvers.kernels.compiling import progress
from solvers.worker.fork_server import AVAILABLE
from solvers.worker.fork_server_main import SHARES, steps_of_forks


def load_kernels(calls: Iterable[Callable[[], object]], may_fork: bool = True) -> None:
    """Call functions that each compile or load some kernels; see `load_in_turn`."""
    for _ in load_in_turn(calls, may_fork):
        continue


def load_in_turn(calls: Iterable[Callable[[], object]], may_fork: bool = True) -> Generator[None, None, None]:
    """Call functions that each compile or load some kernels; yield after each.

    As soon as one function has compiled a kernel, a fork of this process calls the others in reverse order. The two
    processes share the work: neither compiles a kernel that the other is compiling (`solvers.kernels.compiler`), but
    waits for it.

    Parameters
    ----------
    calls : iterable of callable
        The functions, the one with the least work first; none may depend on another.
    may_fork : bool, optional
        Whether a fork is allowed, because no function touches a GPU.
    """
    left, before = list(calls), progress.count
    while left and progress.count == before:
        left.pop(0)()
        yield
    can_fork = AVAILABLE and SHARES not in os.environ and "mpi4py" not in sys.modules
    may_fork = may_fork and can_fork and cpu_threads() > 1 and available_bytes() > COMPILER_BYTES

    def compile_last() -> None:
        with suppress(Exception):  # this process will get the same error
            for call in reversed(left):
                call()

    with closing(steps_of_forks(compile_last, int(may_fork and len(left) > 1))) as steps:
        next(steps, None)
        for call in left:
            call()
            yield
        for _ in steps:
            continue
