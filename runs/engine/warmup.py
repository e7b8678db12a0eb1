"""Loads every kernel in advance: each algorithm runs once on a few cities."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any

from data.generators import uniform
from solvers import SOLVERS
from solvers.devices import probe
from solvers.solver import Job, Solver, Variant
from solvers.stop import Budget
from solvers.worker.own_end import import_numba

_CITIES = 16
_log = logging.getLogger(__name__)


def kernels(stop: Callable[[], bool]) -> Iterator[str]:
    """Import Numba and compile or load every CPU variant, most used first; yields the name of each before it begins.

    Parameters
    ----------
    stop : callable
        Called between kernels; true stops early because a run is waiting.
    """
    import_numba()
    for solver in SOLVERS:
        for variant in solver.variants:
            if stop():
                return
            if variant.device == "cpu" and not variant.needs:  # else it shares another variant's kernels
                yield f"{solver.name} {variant.name}"
                try:
                    _run_once(solver, variant)
                except Exception:  # noqa: BLE001 - reported when it is run; the other algorithms must still load
                    _log.exception("%s %s could not be loaded", solver.name, variant.name)


def devices() -> list[dict[str, Any]]:
    """The devices of this machine as JSON; see `solvers.devices.Device`."""
    return [asdict(device) for device in probe()]


def _run_once(solver: Solver, variant: Variant) -> None:
    names = {declared.name for declared in solver.params.schema()}
    params = solver.params.from_mapping({"variant": variant.name} if "variant" in names else {})
    counter = Budget(iterations=1).start()
    job = Job(uniform(_CITIES, 1), params, 1, "cpu", counter)
    for _ in solver.solve(job):
        continue
    for _ in solver.replay(job, 0):
        continue
