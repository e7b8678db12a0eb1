"""Compiles all kernels of the CPU, by two processes where there are two cores and the memory for both.

They are forks of one process that has imported Numba, and take one part after the other from a pipe, so that none
waits for the other. More would gain little: tabu search alone takes more than a quarter of all processor time.
`solvers.worker.numba_cache` lets both write the folder of compiled kernels.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from runs.engine.warmup import kernels, parts
from solvers.devices import cpu_threads
from solvers.kernels.cache import sources_hash
from solvers.memory import COMPILER_BYTES, available_bytes
from solvers.worker.fork_server import AVAILABLE
from solvers.worker.fork_server_main import steps_of_forks
from solvers.worker.worker_io import import_numba

#: At most how many processes compile side by side.
MOST = 2


def marker() -> Path:
    """The file that says that all are compiled, of these sources by this Numba, which is imported."""
    return Path(os.environ["NUMBA_CACHE_DIR"]) / f"compiled-{sources_hash()}-{sys.modules['numba'].__version__}"


def compile_all(nicer: int = 0) -> Iterator[None]:
    """Compile or load every CPU variant, and yield some times a second until that is done, which `marker` says.

    Parameters
    ----------
    nicer : int, optional
        How much lower than this process's the priority of those that compile is. There is no such process where the
        system has no forks of this kind: there this one compiles.
    """
    import_numba()
    if AVAILABLE:
        yield from _by_forks(nicer)
    else:
        for _ in kernels(stop=lambda: False):
            yield
    marker().touch()


def _by_forks(nicer: int) -> Iterator[None]:
    chosen = parts()
    taken, offered = os.pipe()
    os.write(offered, bytes(range(len(chosen))))
    os.close(offered)

    def work() -> None:
        os.nice(nicer)
        while number := os.read(taken, 1):  # one process gets each byte
            for _ in kernels(stop=lambda: False, chosen=[chosen[number[0]]]):
                continue

    try:
        yield from steps_of_forks(work, max(1, min(MOST, cpu_threads(), available_bytes() // COMPILER_BYTES)))
    finally:
        os.close(taken)
