"""A variant of an algorithm: an implementation for one kind of device, and which instances it can run."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from data.instance import Instance
from data.limits import MAX_CITIES
from solvers.gpu.capability import EVERY_GPU
from solvers.gpu.limits import BOUNDLESS, Limits


def vast_sentence(name: str) -> str:
    """The refusal of an algorithm or a variant that does not take more than `data.limits.MAX_CITIES`."""
    return f"{name} takes at most {MAX_CITIES:,} cities; Lin-Kernighan and the space-filling curve take more."


@dataclass(frozen=True, slots=True)
class Variant:
    """One variant of an algorithm: an implementation for one kind of device.

    Attributes
    ----------
    name : str
        Value of the ``variant`` parameter.
    device : str
        ``cpu`` or ``cuda``.
    kernel : str
        Its kernel factory as ``module:function``, imported only inside `Solver.solve`.
    note : str
        How it differs from the other variants, in one sentence.
    source : str
        Paper and section; empty if there is nothing to cite.
    memory : str
        Which data it keeps in which memory.
    key_idea : str
        Its key idea, in one sentence; empty if it has none to compare.
    needs : str
        ``mpi`` if it needs MPI besides its device, else empty.
    shares : bool
        Whether processes of a machine share their tables, if it needs MPI; else each has its own.
    capability : tuple of int
        The compute capability that a GPU needs.
    bound, shared_bound : str
        Why `most_cities` is the most, as a clause: regardless of the GPU's shared memory, and because of it;
        ``{shared}`` stands for the KB that a block may have.
    directed : bool
        Whether it takes directed instances; if not, it needs distances that are the same in both directions.
    splits_across_gpus : bool
        Whether several GPUs divide its tables, so that it has the memory of all of them.
    supports_large : bool
        Whether it takes more than `data.limits.MAX_CITIES`: its time and its memory grow little faster than the
        number of cities.
    """

    name: str
    device: str
    kernel: str
    note: str
    source: str = ""
    memory: str = ""
    key_idea: str = ""
    needs: str = field(default="", kw_only=True)
    shares: bool = field(default=True, kw_only=True)
    capability: tuple[int, int] = field(default=EVERY_GPU, kw_only=True)
    bound: str = field(default="", kw_only=True)
    shared_bound: str = field(default="", kw_only=True)
    directed: bool = field(default=False, kw_only=True)
    splits_across_gpus: bool = field(default=False, kw_only=True)
    supports_large: bool = field(default=False, kw_only=True)

    def unavailable_reason(self, kind: str, n: int, limits: Limits, memory: int = 0) -> str:
        """Return why it cannot run an instance, in one sentence; empty if it can.

        Parameters
        ----------
        kind : str
            The instance's type of distances, as TSPLIB names it.
        n : int
        limits : Limits
            The device's resources.
        memory : int
            Bytes of memory that the device has; 0 if unknown.
        """
        if n > MAX_CITIES and not self.supports_large:
            return vast_sentence(self.name)
        most = self.most_cities(limits)
        if most is None or n <= most:
            return ""
        why = self.limit_reason(limits)
        return f"{self.name} takes at most {most:,} cities on this device{f': {why}' if why else ''}."

    def needed(self, instance: Instance, memory: int) -> str:
        """Describe what a run by this variant needs and what is available; empty if `Solver.needs` says so for all
        variants.

        Parameters
        ----------
        instance : Instance
        memory : int
            Bytes that the device has, or each process of a run by MPI; 0 if unknown.
        """
        return ""

    def room(self, memories: Sequence[int]) -> int:
        """Return the bytes of tables that several GPUs with this much memory each have room for, if they divide
        them."""
        return min(memories)

    def needed_of_each(self, instance: Instance, memories: Sequence[int]) -> str:
        """Describe what a run needs of each of several GPUs that divide its tables, and what is available.

        Parameters
        ----------
        instance : Instance
        memories : sequence of int
            Bytes that each GPU has.
        """
        return ""

    def most_cities(self, limits: Limits) -> int | None:
        """Return the most cities on such a device; None if only the device's memory is the limit."""
        return None

    def limit_reason(self, limits: Limits) -> str:
        """Return why these are the most cities on such a device, as a clause; empty if there is no reason to give."""
        fixed = self.most_cities(limits) == self.most_cities(BOUNDLESS)
        return (self.bound if fixed else self.shared_bound).format(shared=limits.shared_kib)
