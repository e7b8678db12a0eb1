"""A GPU's resources, how many blocks are resident at once, and freeing its memory."""

from dataclasses import dataclass

from numba import cuda

from solvers.kernels.device_cuda import SIMULATED


@dataclass(frozen=True, slots=True)
class Limits:
    """A device's resources: multiprocessors, limits of each and of a block; bytes of free memory."""

    multiprocessors: int
    threads: int
    blocks: int
    registers: int
    shared: int
    shared_per_block: int
    free: int

    @classmethod
    def of_device(cls) -> "Limits":
        """Return those of the current device; the simulator counts as one small multiprocessor."""
        if SIMULATED:
            return cls(1, 64, 2, 65_536, 233_472, 232_448, 1 << 30)
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


def blocks_at_once(shared: int, threads: int, registers: int, limits: Limits) -> int:
    """Return the resident blocks of a multiprocessor; registers come in eights, shared memory with 1 KB extra."""
    shared += 2048
    each = max(8, -(-registers // 8) * 8)
    return min(limits.threads // threads, limits.blocks, limits.registers // (each * threads), limits.shared // shared)


def give_memory_back() -> None:
    """Free the memory of unreferenced arrays on the current device.

    Numba would do so only later; until then the device reports too little free memory.
    """
    if not SIMULATED:
        cuda.current_context().memory_manager.deallocations.clear()


def compile_kernel(kernel, types: tuple, shared: int) -> int:
    """Compile a kernel, allow its blocks `shared` bytes of dynamic shared memory, and return a thread's registers.

    Above 48 KB, static shared memory included, the driver must be asked for each kernel.

    Raises
    ------
    RuntimeError
        If the driver refuses.
    """
    from cuda.bindings import driver

    kernel.compile(types)
    (compiled,) = kernel.overloads.values()
    if shared > 32 << 10:
        attribute = driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
        handle = compiled._codelibrary.get_cufunc().handle
        (answer,) = driver.cuKernelSetAttribute(attribute, shared, handle, cuda.get_current_device().id)
        if int(answer) != 0:
            raise RuntimeError(f"the driver refuses {shared:,} bytes of shared memory: {answer.name}")
    return int(compiled.regs_per_thread)
