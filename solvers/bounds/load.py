"""Chooses the device for a bound, and compiles or loads its kernels. Imports Numba: for use inside `solve()`."""

import numpy as np

from data.instance import Instance
from data.tsplib.normal_form import assemble
from solvers.bounds.lower_bound import compute_lower_bounds
from solvers.bounds.problem import build_problem
from solvers.core.devices import cuda_devices
from solvers.core.errors import DeviceUnavailable
from solvers.gpu.calibration import BOUND_CITIES


def choose_device(instance: Instance, requested: str = "auto") -> str:
    """Return the device for an instance's bound, ``cpu`` or ``cuda``.

    Parameters
    ----------
    instance : Instance
    requested : str
        ``cpu``, ``cuda``, or ``auto`` for the GPU if there is one and the instance is large enough.

    Raises
    ------
    DeviceUnavailable
        If ``cuda`` is requested and there is no GPU.
    """
    if requested == "cpu" or (requested == "auto" and instance.n < BOUND_CITIES):
        return "cpu"
    try:
        cuda_devices()
    except DeviceUnavailable:
        if requested == "cuda":
            raise
        return "cpu"
    return "cuda"


def load(instance: Instance | None = None, device: str = "cpu") -> None:
    """Run the kernels on a few cities, so that their compilation does not count towards a run.

    Parameters
    ----------
    instance : Instance, optional
        A GPU has one kernel for each kind of distances; the one for this instance is compiled too.
    device : str
        ``cpu`` or ``cuda``.
    """
    if device == "cuda" and instance is not None:
        from solvers.bounds.cuda import GpuTreeSolver, coarsen

        GpuTreeSolver(coarsen(build_problem(instance))).close()
    for _ in compute_lower_bounds(_make_square(), device=device):
        continue


def _make_square() -> Instance:
    corners = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    return assemble("square", "EUC_2D", "inline", coordinates=corners)
