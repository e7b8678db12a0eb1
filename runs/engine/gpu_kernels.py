"""Worker program that compiles all GPU variants' kernels, so that runs find them on disk.

A kernel takes a second or more to compile, and each variant has its own. This program briefly runs each variant on a
small instance. `runs.engine.kernel_builds` starts several of them side by side, and suspends them while a run is
active.
"""

import logging
import os
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from data.collection.resolve import instance_list, resolve
from runs.engine.kernel_builds import SHARE
from runs.engine.warmup import list_other_choices, run_briefly
from solvers import BUILT_IN
from solvers.core.devices import cuda_devices
from solvers.core.solver import Solver, Variant, is_exact
from solvers.gpu.limits import BOUNDLESS
from solvers.spec import RunSpec, Stage
from solvers.worker.worker_io import import_numba, start_reading

#: For each distance type with its own kernels, the most common first: an instance and its number of cities.
_INSTANCES = {"EUC_2D": ("berlin52", 52), "ATT": ("att48", 48), "GEO": ("ulysses22", 22), "EXPLICIT": ("swiss42", 42)}
#: Cities too far apart to be a grid (`solvers.core.kernel_distances.GRID_DIAGONAL`), for which annealing and
#: Lin-Kernighan have other kernels than for EUC_2D's instance above.
_FAR = {"generate": "uniform", "n": 52, "seed": 1}
#: Algorithms whose kernels compute distances; all others read a matrix.
_COMPUTE_DISTANCES = ("two-opt", "simulated-annealing", "lin-kernighan")
#: The algorithm with a separate kernel for each number of cities.
_SPECIALISED = "two-opt"
#: Parameters whose choices share one kernel.
_SAME_KERNEL = (
    "variant", "gpus", "graph", "initial", "schedule", "cool_after", "first_temperature", "finish",
)  # fmt: skip
#: Few cities, so that an exact algorithm needs little memory; its kernels are the same for all numbers of cities.
_SMALL_INSTANCE = {"generate": "uniform", "n": 12, "seed": 1}
_log = logging.getLogger("tourscope.worker")


def list_runs(solvers: Sequence[Solver] = BUILT_IN) -> list[RunSpec]:
    """List runs that together need every kernel, starting with each algorithm's defaults.

    Kernels specialised for the number of cities are compiled for the instances of the list.
    """
    cases = [
        (min(rank, 1), min(number, 1), RunSpec(instance, (_make_stage(solver, variant, params),), device="cuda"))
        for solver in solvers
        if solver.listed
        for number, variant in enumerate(variant for variant in solver.variants if variant.device == "cuda")
        for rank, (instance, params) in enumerate(_list_cases(solver, variant))
    ]
    cards = {(card.kind, card.n): card.name for card in instance_list()}.values()
    specialised = [RunSpec({"name": name}, (Stage(_SPECIALISED),), device="cuda") for name in cards]
    return [spec for _, _, spec in sorted(cases, key=lambda case: case[:2])] + specialised


def _list_cases(solver: Solver, variant: Variant) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """List the instances and parameters for which a variant has separate kernels, defaults first."""
    kinds = list(_INSTANCES) if solver.name in _COMPUTE_DISTANCES else ["EUC_2D"]
    references: list[dict[str, Any]] = [{"name": _INSTANCES[kind][0]} for kind in kinds if _fits(variant, kind)]
    if solver.name in _COMPUTE_DISTANCES and solver.name != _SPECIALISED:
        references.append(_FAR)
    if is_exact(solver):
        references = [_SMALL_INSTANCE]
    yield from ((instance, {}) for instance in references)
    if references:
        yield from ((references[0], params) for params in list_other_choices(solver, _SAME_KERNEL))


def _make_stage(solver: Solver, variant: Variant, params: dict[str, Any]) -> Stage:
    return Stage(solver.name, {"variant": variant.name, **params})


def _fits(variant: Variant, kind: str) -> bool:
    return not variant.unavailable_reason(kind, _INSTANCES[kind][1], BOUNDLESS)


def _make_marker_path(share: str) -> Path:
    """Return the path of the file that marks this share of the kernels as compiled for this machine's GPU."""
    capability = cuda_devices()[0].compute_capability
    name = f"gpu-{version('numba-cuda')}-{capability}-{share.replace('/', 'of')}"
    return Path(os.environ["NUMBA_CACHE_DIR"]) / name


def main() -> None:
    """Compile this process's share of the kernels, reporting progress after each run."""
    logging.basicConfig(stream=sys.stderr, format="%(message)s")
    writer = start_reading(lambda frames: [None for _ in frames])
    index, total = map(int, (share := os.environ[SHARE]).split("/"))
    import_numba()
    marker = _make_marker_path(share)
    own_runs = [] if marker.exists() else list_runs()[index::total]
    for count, spec in enumerate(own_runs):
        writer.send("kernels", done=count, of=len(own_runs))
        try:
            run_briefly(spec, resolve(spec.instance, uploads=None))
        except Exception as error:  # noqa: BLE001 - a run that needs it reports the error
            _log.info("Kernels of %s could not be compiled: %s", spec.stages[0], error)
    writer.send("kernels", done=len(own_runs), of=len(own_runs))
    marker.touch()
    os._exit(0)


if __name__ == "__main__":
    main()
