"""Which cards can run a kernel, by their compute capability. Plain Python: tables of variants may read it."""

from solvers.devices import Device

#: What every card has that Numba's compiler knows, and from where on a warp's lanes reduce a value by one instruction
#: (PTX ``redux.sync``) and copies to shared memory go past registers (``cp.async``).
EVERY_CARD, WARP_REDUCTIONS = (0, 0), (8, 0)


def too_old(what: str, least: tuple[int, int], card: Device) -> str:
    """Why a card cannot run something, one sentence; empty if it can. The simulator has no compute capability.

    Parameters
    ----------
    what : str
        What is to run.
    least : tuple of int
        The compute capability that it needs, as ``docs/kernels.md`` has it from the assembler.
    card : Device
    """
    found = card.compute_capability
    if not found or tuple(map(int, found.split("."))) >= least:
        return ""
    return f"{what} needs a card of compute capability {least[0]}.{least[1]}, {card.name} has {found}; take the CPU."
