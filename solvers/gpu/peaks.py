"""A GPU's peak rates, computed from its attributes: memory bytes, operations and square roots per second."""

from dataclasses import dataclass
from typing import Any, Self

#: Number of float32 units of a multiprocessor by compute capability, for all later ones, and square roots per clock
#: (NVIDIA, CUDA C++ Programming Guide, table of arithmetic throughput).
_UNITS = {(7, 0): 64, (7, 5): 64, (8, 0): 64}
_UNITS_SINCE = 128
ROOTS = 16


@dataclass(frozen=True, slots=True)
class Peaks:
    """Upper bounds on a GPU's rates.

    Attributes
    ----------
    memory : float
        Memory bandwidth in bytes per second, from clock and bus width; 0 if the driver does not report these.
    float32 : float
        Single-precision additions or multiplications per second; a fused operation counts as two.
    roots : float
        Single-precision square roots per second.
    """

    memory: float
    float32: float
    roots: float

    @classmethod
    def from_device(cls) -> Self:
        """Return the current GPU's rates."""
        from cuda.bindings import driver
        from numba import cuda

        device, attribute = cuda.get_current_device(), driver.CUdevice_attribute
        kilohertz = _read_attribute(driver, attribute.CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, device.id)
        bits = _read_attribute(driver, attribute.CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, device.id)
        return cls.from_attributes(
            device.MULTIPROCESSOR_COUNT, device.CLOCK_RATE, tuple(device.compute_capability), kilohertz, bits
        )

    @classmethod
    def from_attributes(
        cls, multiprocessors: int, clock: int, capability: tuple[int, ...], memory_clock: int, bus: int
    ) -> Self:
        """Return the rates of a GPU with these attributes; clocks are in kHz, the bus width is in bits.

        GPU memory transfers data twice per clock.
        """
        clocks = 1e3 * clock * multiprocessors
        units = _UNITS.get((capability[0], capability[1]), _UNITS_SINCE)
        return cls(2 * 1e3 * memory_clock * bus / 8, 2 * units * clocks, ROOTS * clocks)


def _read_attribute(driver: Any, attribute: Any, device: int) -> int:
    status, value = driver.cuDeviceGetAttribute(attribute, device)
    return int(value) if int(status) == 0 else 0
