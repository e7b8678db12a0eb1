"""Loads kernels in advance, by running each CPU algorithm on a few cities, or a given spec."""

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from importlib import import_module
from importlib.util import find_spec
from pkgutil import resolve_name
from typing import Any

from data.generators import uniform
from data.instance import Instance
from solvers import BUILT_IN
from solvers.core.devices import probe
from solvers.core.events import Started
from solvers.core.solver import Job, Solver, Variant
from solvers.core.stop import Budget
from solvers.run import prepare, run
from solvers.spec import RunSpec
from solvers.worker.small_memory import load_typing
from solvers.worker.worker_io import import_numba

#: Seconds for which a run continues after its kernels are compiled.
_RUN_SECONDS = 0.2
#: Functions that load CPU kernels which only GPU runs call: they explain ants, and apply the GPU's results.
_BESIDE_GPU = {
    "ant-system": "solvers.algorithms.ants.retracing:load_all",
    "lin-kernighan": "solvers.algorithms.lin_kernighan.load:load_applying",
}
#: Parameters that keep the first iteration short: a chain of annealing, or the whole run of a replica exchange.
_SHORT = {"moves_per_city": 1}
_log = logging.getLogger(__name__)


def list_algorithms() -> list[tuple[Solver, int]]:
    """Return the built-in algorithms in compilation order, each with a number of cities.

    If there may be a GPU, algorithms that run on it come first: they run parts of their work on cores, with the same
    kernels as without a GPU. Kernels specialised for many cities come last. Reference solvers have no kernels, and
    their calls cannot be replayed.
    """
    solvers = sorted(BUILT_IN, key=lambda solver: not _list_gpu_variants(solver)) if _can_have_gpu() else list(BUILT_IN)
    small = [(solver, n) for solver in solvers for n in solver.kernel_cities[:1]]
    return small + [(solver, n) for solver in solvers for n in solver.kernel_cities[1:]]


def _can_have_gpu() -> bool:
    """Return whether Numba supports a GPU here; each fork must look for devices itself."""
    return find_spec("numba_cuda") is not None


def _list_gpu_variants(solver: Solver) -> list[Variant]:
    return [variant for variant in solver.variants if variant.device == "cuda"]


def kernels(stop: Callable[[], bool], selection: Sequence[tuple[Solver, int]] = ()) -> Iterator[str]:
    """Import Numba and compile or load every CPU variant, most used first; yield each name before compiling it.

    Parameters
    ----------
    stop : callable
        Called between kernels; returns true to stop early because a run is waiting.
    selection : sequence of tuple of Solver and int, optional
        Solvers whose variants to load, with a number of cities; all of `list_algorithms` by default.
    """
    import_numba()
    load_typing()
    for solver, n in selection or list_algorithms():
        if solver.name in _BESIDE_GPU and _can_have_gpu():
            if stop():
                return
            yield f"{solver.name} beside a GPU"
            resolve_name(_BESIDE_GPU[solver.name])()
        for variant in solver.variants:
            if stop():
                return
            if variant.device == "cpu" and not variant.needs:  # otherwise it shares another variant's kernels
                yield f"{solver.name} {variant.name}"
                try:
                    _run_once(solver, variant, n)
                except Exception:  # noqa: BLE001 - reported by its first run; the other algorithms must still load
                    _log.exception("%s %s could not be loaded", solver.name, variant.name)


def report_devices() -> list[dict[str, Any]]:
    """Return the devices of this machine as JSON; see `solvers.core.devices.Device`."""
    return [asdict(device) for device in probe()]


def import_gpu_kernels() -> None:
    """Import GPU variants' modules if Numba supports a GPU, without touching devices: each fork must do so itself."""
    if not _can_have_gpu():
        return
    for solver in BUILT_IN:
        of_gpu = [variant.kernel.partition(":")[0] for variant in _list_gpu_variants(solver)]
        for name in (*of_gpu, *([f"{type(solver).__module__.rpartition('.')[0]}.cuda"] if of_gpu else ())):
            import_module(name)


def run_briefly(spec: RunSpec, instance: Instance) -> None:
    """Run a spec briefly and discard its events, to compile and load all its kernels.

    Raises
    ------
    Exception
        Any error of the run.
    """
    counter = Budget().start()
    for event in run(prepare(spec), instance, counter):
        if isinstance(event, Started):  # before that, a limit would end the run before its kernels are loaded
            counter.budget = Budget(seconds=counter.clock.seconds + _RUN_SECONDS)


def list_other_choices(solver: Solver, same_kernel: Sequence[str] = ()) -> Iterator[dict[str, Any]]:
    """Yield each choice other than the default, for parameters not in `same_kernel`."""
    for param in solver.params.schema():
        others = param.choices if param.kind == "choice" else (not param.default,) if param.kind == "bool" else ()
        if param.name not in same_kernel:
            yield from ({param.name: value} for value in others if value not in ("auto", param.default))


def load_beside_gpu() -> None:
    """Compile or load the CPU kernels that only GPU runs call."""
    for name in _BESIDE_GPU.values():
        resolve_name(name)()


def _run_once(solver: Solver, variant: Variant, n: int) -> None:
    names = {param.name for param in solver.params.schema()}
    values = {"variant": variant.name} | _SHORT
    params = solver.params.from_mapping({name: value for name, value in values.items() if name in names})
    counter = Budget(iterations=1).start()
    job = Job(uniform(n, 1), params, 1, "cpu", counter, variant=variant)
    for _ in solver.solve(job):
        continue
    for _ in solver.replay(job, 0):
        continue
    solver.load_rare_kernels()
