"""A variant of an algorithm: an implementation for one kind of device, and its limits."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from data.instance import Instance
from data.limits import MAX_CITIES, MAX_MATRIX
from solvers.gpu.capability import EVERY_GPU
from solvers.gpu.limits import BOUNDLESS, Limits


def large_sentence(name: str) -> str:
    """Return the refusal of an algorithm or variant limited to `data.limits.MAX_CITIES` cities."""
    return f"{name} takes at most {MAX_CITIES:,} cities; Lin-Kernighan and the space-filling curve take more."


def matrix_sentence(instance: Instance) -> str:
    """Return the refusal of an instance whose distance matrix would be too large; empty if it fits."""
    if instance.n <= MAX_MATRIX:
        return ""
    return f"{instance.name} has {instance.n:,} cities; with {instance.kind} distances at most {MAX_MATRIX:,} can run."


@dataclass(frozen=True, slots=True)
class Variant:
    """An implementation of an algorithm for one kind of device.

    Attributes
    ----------
    name : str
        The value of the parameter ``variant``.
    device : str
        ``cpu`` or ``cuda``.
    kernel : str
        The function that builds its kernel, as ``module:function``; imported only inside `Solver.solve`.
    note : str
        How it differs from other variants, in one sentence.
    source : str
        Paper and section; empty if there is nothing to cite.
    memory : str
        In which memory it stores each kind of data.
    key_idea : str
        Its key idea, in one sentence; empty if there is no idea to compare.
    needs : str
        ``mpi`` if it needs MPI besides its device, otherwise empty.
    shares : bool
        For a variant with MPI, whether the processes on a machine share tables; otherwise each has its own.
    capability : tuple of int
        The compute capability that a GPU needs.
    bound, shared_bound : str
        Reasons for the limit `max_cities`, each as a clause: one that does not depend on the GPU's shared memory, and
        one that does. ``{shared}`` stands for the KB that are available to a block.
    directed : bool
        Whether it supports directed instances; if not, distances must be the same in both directions.
    splits_across_gpus : bool
        Whether it splits its tables across several GPUs, so that it can use the memory of all of them.
    supports_large : bool
        Whether it supports more than `data.limits.MAX_CITIES` cities: its time and memory grow little faster than the
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
        """Return a sentence that says why the variant cannot run an instance; empty if it can.

        Parameters
        ----------
        kind : str
            The instance's type of distances, as TSPLIB names it.
        n : int
        limits : Limits
            The device's resources.
        memory : int
            The device's memory in bytes; 0 if unknown.
        """
        if n > MAX_CITIES and not self.supports_large:
            return large_sentence(self.name)
        maximum = self.max_cities(limits)
        if maximum is None or n <= maximum:
            return ""
        reason = self.limit_reason(limits)
        return f"{self.name} takes at most {maximum:,} cities on this device{f': {reason}' if reason else ''}."

    def needed(self, instance: Instance, memory: int) -> str:
        """Describe how much memory the variant needs, and how much is available; empty if `Solver.needs` does so.

        Parameters
        ----------
        instance : Instance
        memory : int
            Bytes that the device has, or that each process of an MPI run may use; 0 if unknown.
        """
        return ""

    def table_capacity(self, memory_sizes: Sequence[int]) -> int:
        """Return how many bytes of tables fit onto GPUs with these memory sizes, if the GPUs divide the tables."""
        return min(memory_sizes)

    def needed_of_each(self, instance: Instance, memory_sizes: Sequence[int]) -> str:
        """Describe how much memory a run needs on each of several GPUs, and how much each has, if they divide tables.

        Parameters
        ----------
        instance : Instance
        memory_sizes : sequence of int
            Bytes of memory of each GPU.
        """
        return ""

    def max_cities(self, limits: Limits) -> int | None:
        """Return the maximum number of cities on such a device; None if only its memory limits the number."""
        return None

    def limit_reason(self, limits: Limits) -> str:
        """Return the reason for the limit of `max_cities` as a clause; empty if there is none."""
        fixed = self.max_cities(limits) == self.max_cities(BOUNDLESS)
        return (self.bound if fixed else self.shared_bound).format(shared=limits.shared_kib)
