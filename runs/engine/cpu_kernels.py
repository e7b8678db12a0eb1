"""Compiles all CPU kernels, in two processes if there are two cores and enough memory.

They are forks of one process that has imported Numba. They take part after part, so neither waits for the other. More
processes would gain little: tabu search alone takes more than a quarter of all processor time.
`solvers.worker.numba_cache` lets both write to the folder of compiled kernels.
"""

import os
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from runs.engine.warmup import kernels, list_algorithms
from solvers.core.devices import cpu_threads
from solvers.core.memory import COMPILER_BYTES, available_bytes
from solvers.core.solver import Solver
from solvers.kernels.cache import hash_sources
from solvers.worker.fork_server import AVAILABLE
from solvers.worker.fork_server_main import run_in_forks
from solvers.worker.worker_io import import_numba

#: Maximum number of processes that compile side by side.
MAX_PROCESSES = 2


def marker_path() -> Path:
    """Return the path of the file that marks all kernels as compiled by this version of Numba."""
    return Path(os.environ["NUMBA_CACHE_DIR"]) / f"compiled-{hash_sources()}-{sys.modules['numba'].__version__}"


def compile_all(niceness: int = 0) -> Iterator[None]:
    """Compile or load every CPU variant, then write `marker_path`; yield several times a second.

    Parameters
    ----------
    niceness : int, optional
        Niceness added to the compiling processes. On systems without such forks, this process compiles instead.
    """
    import_numba()
    if AVAILABLE:
        yield from _compile_in_forks(niceness)
    else:
        for _ in kernels(stop=lambda: False):
            yield
    marker_path().touch()


def _compile_in_forks(niceness: int) -> Iterator[None]:
    def compile_part(part: tuple[Solver, int]) -> None:
        for _ in kernels(stop=lambda: False, selection=[part]):
            continue

    count = max(1, min(MAX_PROCESSES, cpu_threads(), available_bytes() // COMPILER_BYTES))
    yield from run_in_forks([partial(compile_part, part) for part in list_algorithms()], count, niceness)
