"""A worker whose fork server has Numba alone: it would load all kernels, of which a file's tests use few."""

from collections.abc import Iterator

from runs.engine.worker import main
from solvers.worker.worker_io import import_numba

__all__ = ("main", "preload")


def preload() -> Iterator[str]:
    """Load what every run needs."""
    import_numba()
    yield "Numba"
