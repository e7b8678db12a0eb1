"""The machine for which a run is planned, from its own devices or a worker's report."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import cached_property
from typing import Any

from solvers.core.devices import Device, cpu_threads, cuda_devices
from solvers.core.errors import DeviceUnavailable
from solvers.core.memory import available_bytes, shared_bytes
from solvers.core.variant import Variant
from solvers.gpu.capability import too_old_reason
from solvers.gpu.limits import MINIMUM, Limits, find_free_memory
from solvers.mpi.launcher import unavailable_reason


class Machine:
    """A machine; its GPUs are detected on first use.

    Parameters
    ----------
    devices : sequence of Device, optional
        The machine's devices; by default this machine's own. An empty sequence means that they are not known yet: then
        no run is refused because of devices, and ``auto`` chooses the CPU.
    taken : int
        Bytes of main memory that are now in use but will be free when the run starts.
    """

    def __init__(self, devices: Sequence[Device] | None = None, taken: int = 0) -> None:
        self._devices, self._taken = devices, taken

    @classmethod
    def from_report(cls, devices: Sequence[Mapping[str, Any]], taken: int = 0) -> "Machine":
        """Create the machine from the devices that a worker reported as JSON."""
        field_names, reported_devices = {field.name for field in fields(Device)}, []
        for device in devices:
            values = {name: value for name, value in device.items() if name in field_names}
            reported_devices.append(
                Device(**{"name": "", **values, "limits": Limits.from_report(device.get("limits"))})
            )
        return cls(reported_devices, taken)

    @property
    def is_known(self) -> bool:
        """Whether the devices are known."""
        return self._devices is None or len(self._devices) > 0

    @cached_property
    def _cuda(self) -> tuple[tuple[Device, ...], str]:
        """The machine's GPUs, and a sentence that says why there are none."""
        if self._devices is None:
            try:
                return cuda_devices(), ""
            except DeviceUnavailable as reason:
                return (), str(reason)
        gpus = [device for device in self._devices if device.kind == "cuda"]
        return tuple(gpu for gpu in gpus if gpu.available), next((gpu.reason for gpu in gpus), "")

    @property
    def gpus(self) -> tuple[Device, ...]:
        """The usable GPUs."""
        return self._cuda[0]

    @property
    def limits(self) -> Limits:
        """The first GPU's resources; if there is no GPU, the minimum that all GPUs have."""
        return self.gpus[0].limits if self.gpus else MINIMUM

    @property
    def threads(self) -> int:
        """Number of threads that a run may use."""
        return next((device.threads for device in self._devices or () if device.threads), 0) or cpu_threads()

    def lacks(self, algorithm: str, variant: Variant) -> str:
        """Return a sentence saying why the machine has no device for a variant; empty if it has one."""
        if variant.device == "cuda":
            if not self.gpus:
                return self._cuda[1] or f"{algorithm} needs a CUDA GPU, and there is none here."
            name = algorithm if variant.name == variant.device else f"{algorithm}/{variant.name}"
            return too_old_reason(name, variant.capability, self.gpus[0])
        if variant.needs != "mpi":
            return ""
        if self._devices is None:
            return unavailable_reason()
        return next((device.reason for device in self._devices if device.kind == "mpi" and not device.available), "")

    def memory_sizes(self, variant: Variant, several: bool = False) -> list[int]:
        """Return the bytes of memory that a variant's run has on each device that it uses; 0 if unknown.

        On the CPU this is the memory that is free now. On a GPU it is all of the GPU's memory, or each GPU's if the
        variant divides its tables among `several`. MPI processes that share tables keep them in shared memory, which
        may be smaller than all memory.
        """
        if variant.device == "cuda":
            return [gpu.memory for gpu in self.gpus[: None if several and variant.splits_across_gpus else 1]] or [0]
        if not self.is_known:
            return [0]
        if free := available_bytes():
            free += self._taken
        if variant.needs != "mpi" or not variant.shares:
            return [free]
        return [min((size for size in (free, shared_bytes()) if size), default=0)]

    def free_memory(self, variant: Variant, several: bool = False) -> list[int]:
        """Like `memory_sizes`, but only what is free now; GPUs are measured only on this machine."""
        if variant.device == "cpu" or self._devices is not None:
            return self.memory_sizes(variant, several)
        return (
            [find_free_memory(number) for number in range(len(self.memory_sizes(variant, several)))]
            if self.gpus
            else [0]
        )
