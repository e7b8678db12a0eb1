"""A GPU's resources, how many blocks they allow, and functions that free its memory.

The class is plain Python, so that pages and tables of variants can describe a GPU without using it; only the functions
that need a device import Numba.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True, slots=True)
class Limits:
    """A GPU's resources: multiprocessors, limits per multiprocessor and per block, and free memory.

    Attributes
    ----------
    multiprocessors : int
    threads, blocks, registers : int
        Maximum numbers per multiprocessor.
    shared : int
        Bytes of shared memory per multiprocessor.
    shared_per_block : int
        Maximum number of bytes for a block, if requested from the driver.
    free : int
        Bytes of free device memory; 0 if unknown.
    """

    multiprocessors: int = 0
    threads: int = 0
    blocks: int = 0
    registers: int = 0
    shared: int = 0
    shared_per_block: int = 0
    free: int = 0

    @classmethod
    def from_device(cls) -> "Limits":
        """Return the limits of the current GPU or of Numba's simulator."""
        from numba import cuda

        from solvers.kernels.device_cuda import SIMULATED

        if SIMULATED:
            return SIMULATOR
        device = cuda.get_current_device()
        return cls(
            device.MULTIPROCESSOR_COUNT,
            device.MAX_THREADS_PER_MULTIPROCESSOR,
            device.MAX_BLOCKS_PER_MULTIPROCESSOR,
            device.MAX_REGISTERS_PER_MULTIPROCESSOR,
            device.MAX_SHARED_MEMORY_PER_MULTIPROCESSOR,
            device.MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
            cuda.current_context().get_memory_info()[0],
        )

    @classmethod
    def from_report(cls, values: Any) -> "Limits":
        """Read the limits from a device's JSON report; `MINIMUM` if the report's numbers are impossible."""
        names = [field.name for field in fields(cls)]
        if not isinstance(values, Mapping) or any(type(values.get(name)) is not int for name in names):
            return MINIMUM
        limits = cls(*(values[name] for name in names))
        return limits if limits.shared_per_block > 0 else MINIMUM

    @property
    def shared_kib(self) -> int:
        """KiB of shared memory available to a block."""
        return self.shared_per_block >> 10


#: Limits of a device that is not a GPU, or that does not report any.
UNKNOWN = Limits()
#: The simulator counts as one small multiprocessor.
SIMULATOR = Limits(1, 64, 2, 65_536, 233_472, 232_448, 1 << 30)
#: The smallest limits of all GPUs that Numba supports (CUDA C++ Programming Guide, technical specifications).
MINIMUM = Limits(1, 1024, 16, 65_536, 65_536, 49_152)
#: An NVIDIA H200, on which the constants of `solvers.gpu.calibration` were tuned.
H200 = Limits(132, 2048, 32, 65_536, 233_472, 232_448)
#: Limits of a device with unlimited shared memory.
BOUNDLESS = Limits(132, 2048, 32, 65_536, 1 << 30, 1 << 30)


def find_free_memory(device: int) -> int:
    """Return the free memory of a GPU in bytes, given its number."""
    from numba import cuda

    with cuda.gpus[device]:
        return Limits.from_device().free


def count_resident_blocks(shared: int, threads: int, registers: int, limits: Limits) -> int:
    """Return how many blocks fit on a multiprocessor; registers come in eights, and shared memory with 1 KB more."""
    shared += 2048
    each = max(8, -(-registers // 8) * 8)
    return min(limits.threads // threads, limits.blocks, limits.registers // (each * threads), limits.shared // shared)


def free_unused_memory() -> None:
    """Free the unreferenced arrays, streams and events of the current GPU.

    Otherwise Numba would free these later, in whichever context is then current. Until then the device would report too
    little free memory.
    """
    from numba import cuda

    from solvers.kernels.device_cuda import SIMULATED

    if not SIMULATED:
        context = cuda.current_context()
        context.memory_manager.deallocations.clear()
        context.deallocations.clear()


def compile_kernel(kernel: Any, types: tuple, shared: int) -> int:
    """Compile a kernel with `shared` bytes of dynamic shared memory; return its number of registers per thread.

    If a kernel needs more than 48 KB, including static shared memory, it must request this from the driver.

    Raises
    ------
    RuntimeError
        If the driver refuses the request.
    """
    from cuda.bindings import driver
    from numba import cuda

    kernel.compile(types)
    (compiled,) = kernel.overloads.values()
    if shared > 32 << 10:
        attribute = driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
        handle = compiled._codelibrary.get_cufunc().handle
        (answer,) = driver.cuKernelSetAttribute(attribute, shared, handle, cuda.get_current_device().id)
        if int(answer) != 0:
            raise RuntimeError(f"the driver refuses {shared:,} bytes of shared memory: {answer.name}")
    return int(compiled.regs_per_thread)
