"""Compute capabilities that kernels require. Plain Python: tables of variants may import it."""

from solvers.core.devices import Device

#: The capability that every GPU has that Numba supports; and the first capability with warp reductions in one
#: instruction (PTX ``redux.sync``) and with copies to shared memory that bypass registers (``cp.async``).
EVERY_GPU, WARP_REDUCTIONS = (0, 0), (8, 0)


def too_old_reason(program: str, minimum: tuple[int, int], gpu: Device) -> str:
    """Return a sentence that says why a GPU is too old for a program; empty if it is not, as in the simulator.

    Parameters
    ----------
    program : str
        Name of the program to be run.
    minimum : tuple of int
        The required compute capability; see ``docs/kernels.md``.
    gpu : Device
    """
    capability = gpu.compute_capability
    if not capability or tuple(map(int, capability.split("."))) >= minimum:
        return ""
    return (
        f"{program} needs a GPU of compute capability {minimum[0]}.{minimum[1]}, {gpu.name} has {capability}; "
        "use the CPU."
    )
