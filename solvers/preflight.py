"""What a run would take on this machine and what is there, told before it starts."""

from data.instance import Instance
from solvers.devices import cuda_devices
from solvers.errors import DeviceUnavailable
from solvers.memory import available_bytes, shared_bytes
from solvers.params import Params
from solvers.solver import Solver, Variant, choose_variant, is_automatic

#: Shared memory of a block is not what is asked for here.
_ANY = 1 << 30


def requirements(solver: Solver, params: Params, device: str, instance: Instance) -> str:
    """What the solver says that it needs, in one sentence; empty if that is nothing, or more than there is.

    What there is too little of, the run itself refuses with a sentence of its own.

    Raises
    ------
    DeviceUnavailable
        If no variant fits `params` and `device`.
    """
    row = choose_variant(solver, params, device)
    memory = memory_now(row)
    cards = [each for each in solver.variants if each.device == "cuda"]
    if row in cards or (cards and is_automatic(params, device)):
        row, memory = _on_card(row, cards, memory)
    if row.unavailable_reason(instance.kind, instance.n, _ANY, memory):
        return ""
    return solver.needs(instance, row.device, memory)


def memory_now(row: Variant) -> int:
    """Bytes that a way that runs on the CPU can have at this moment, at least 1; 0 where that is not known.

    Processes of MPI have their tables in shared memory, of which there may be less than there is memory.
    """
    free = available_bytes()
    if row.needs != "mpi":
        return free
    return min((known for known in (free, shared_bytes()) if known), default=0)


def _on_card(row: Variant, cards: list[Variant], memory: int) -> tuple[Variant, int]:
    """The row and the memory by which a run goes that may take a card, or has to: those of a card if there is one."""
    try:
        return row if row in cards else cards[0], cuda_devices()[0].memory
    except DeviceUnavailable:
        return row, 0 if row in cards else memory
