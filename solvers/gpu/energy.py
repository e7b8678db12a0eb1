"""Measures a GPU's energy through NVML (NVIDIA's package nvidia-ml-py), if the driver supports this."""

import time
from collections.abc import Callable
from typing import Any

#: Minimum seconds for which work must last to be measurable, since drivers update their counters ten times a second.
MIN_SECONDS = 1.0


class EnergyUnknown(Exception):
    """The energy is unknown; the message is a sentence with the reason."""


def make_energy_counter(uuid: str) -> Callable[[], float]:
    """Return a function that reads the joules a GPU has used since its driver was loaded.

    Parameters
    ----------
    uuid : str
        The GPU's id, ``GPU-...``, which is the same in CUDA and NVML.

    Raises
    ------
    EnergyUnknown
        If the package is not installed, or the driver does not report the energy. Drivers do not for GPUs before Volta,
        nor for parts of a GPU.
    """
    try:
        import pynvml
    except ImportError:
        raise EnergyUnknown("Energy cannot be read: the package nvidia-ml-py is not installed.") from None
    try:
        pynvml.nvmlInit()
        device = pynvml.nvmlDeviceGetHandleByUUID(uuid)
        pynvml.nvmlDeviceGetTotalEnergyConsumption(device)
    except pynvml.NVMLError as error:
        raise EnergyUnknown(f"The driver does not report this GPU's energy: {error}.") from None
    return lambda: pynvml.nvmlDeviceGetTotalEnergyConsumption(device) / 1e3


class EnergyMeter:
    """Measures the energy of work on the current GPU.

    Parameters
    ----------
    device : str
        ``cuda`` or ``cpu``: the device that does the work.

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
            self._counter = self._find_counter(device)
            self._began = self._counter()
        except EnergyUnknown as unknown:
            self.reason = str(unknown)

    @staticmethod
    def _find_counter(device: str) -> Callable[[], float]:
        if device != "cuda":
            raise EnergyUnknown("Only GPU drivers report energy; this ran on the CPU.")
        from numba import cuda

        from solvers.kernels.device_cuda import SIMULATED

        if SIMULATED:
            raise EnergyUnknown("Numba's CUDA simulator does not use a GPU.")
        current: Any = cuda.get_current_device()
        return make_energy_counter(current.uuid)

    def joules(self) -> float | None:
        """Return the joules used since the meter was created; None if unknown, for example after less than a second."""
        if self._counter is None:
            return None
        if time.perf_counter() - self._since < MIN_SECONDS:
            self.reason = "The driver counts energy ten times a second: too seldom for a run of less than a second."
            return None
        return self._counter() - self._began
