"""The energy that a GPU has used, if its driver reports it: NVML, by NVIDIA's package nvidia-ml-py."""

import time
from collections.abc import Callable
from typing import Any

#: Seconds of work whose energy can be told: drivers renew their counters ten times a second.
LEAST_SECONDS = 1.0


class EnergyUnknown(Exception):
    """The energy is unknown; the message gives the reason in one sentence."""


def energy_counter(uuid: str) -> Callable[[], float]:
    """Return a function for the joules that a GPU has used since its driver was loaded, for all its work.

    Parameters
    ----------
    uuid : str
        Of the GPU: ``GPU-...``, as CUDA and NVML both have it.

    Raises
    ------
    EnergyUnknown
        If the package is not installed, or the driver does not tell it, as of GPUs before Volta and of parts of a GPU.
    """
    try:
        import pynvml
    except ImportError:
        raise EnergyUnknown("The package nvidia-ml-py is not installed, which asks the driver for energy.") from None
    try:
        pynvml.nvmlInit()
        device = pynvml.nvmlDeviceGetHandleByUUID(uuid)
        pynvml.nvmlDeviceGetTotalEnergyConsumption(device)
    except pynvml.NVMLError as error:
        raise EnergyUnknown(f"The driver does not tell the energy of this GPU: {error}.") from None
    return lambda: pynvml.nvmlDeviceGetTotalEnergyConsumption(device) / 1e3


class EnergyMeter:
    """The energy of one piece of work on the current CUDA device.

    Parameters
    ----------
    device : str
        ``cuda`` or ``cpu``: what works.

    Attributes
    ----------
    reason : str
        Why the energy is unknown, in one sentence; empty if it is known.
    """

    def __init__(self, device: str) -> None:
        self.reason = ""
        self._counter: Callable[[], float] | None = None
        self._began, self._since = 0.0, time.perf_counter()
        try:
            self._counter = self._of(device)
            self._began = self._counter()
        except EnergyUnknown as unknown:
            self.reason = str(unknown)

    @staticmethod
    def _of(device: str) -> Callable[[], float]:
        if device != "cuda":
            raise EnergyUnknown("Only drivers of GPUs tell energy; this ran on cores.")
        from numba import cuda

        from solvers.kernels.device_cuda import SIMULATED

        if SIMULATED:
            raise EnergyUnknown("Numba's simulator of CUDA takes no energy of a GPU.")
        current: Any = cuda.get_current_device()
        return energy_counter(current.uuid)

    def joules(self) -> float | None:
        """Return the joules since the meter was created; None if they are unknown, as of work of less than a second."""
        if self._counter is None:
            return None
        if time.perf_counter() - self._since < LEAST_SECONDS:
            self.reason = "The driver counts energy ten times a second: too seldom for a run of less than a second."
            return None
        return self._counter() - self._began
