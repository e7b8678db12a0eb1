"""Measures a run's variant, energy and GPU bandwidth."""

from typing import Any

from solvers import find
from solvers.core.events import Event, Finished, Started
from solvers.gpu.energy import EnergyMeter
from solvers.gpu.peaks import Peaks


class Measurements:
    """Reduces a run's events to its result's field ``measured``.

    The energy is that of the whole GPU from the start of the last stage to the end of the run.
    """

    def __init__(self) -> None:
        self._variant, self._device = "", "cpu"
        self._meter: EnergyMeter | None = None
        self._joules: float | None = None

    def take(self, event: Event) -> None:
        """Start measuring at a stage's start, and stop at the run's end."""
        if isinstance(event, Started):
            self._variant = event.variant
            variants = {variant.name: variant.device for variant in find(event.algorithm).variants}
            self._device = variants.get(event.variant, "cpu")
            self._meter = EnergyMeter(self._device)
        elif isinstance(event, Finished) and self._meter is not None:
            self._joules = self._meter.joules()

    def as_result(self) -> dict[str, Any]:
        """Return the measurements as a result's field ``measured``."""
        values: dict[str, Any] = {"variant": self._variant, "joules": self._joules, "memory": self._memory()}
        return {"measured": values | {"no_energy": self._meter.reason if self._meter else ""}}

    def _memory(self) -> float | None:
        """Return the GPU's peak memory bandwidth in bytes per second; None on the CPU, or if unknown."""
        from solvers.kernels.device_cuda import SIMULATED

        return None if self._device != "cuda" or SIMULATED else Peaks.from_device().memory or None
