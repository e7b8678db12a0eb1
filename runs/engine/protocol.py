"""The engine interface: an engine gives a run a worker.

`runs.engine.process` is the default, `runs.engine.ray` has workers on a cluster.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

from data.instance import Instance
from solvers.spec import RunSpec
from solvers.worker.process import Process

#: Commands to a run.
COMMANDS = ("pause", "resume", "step", "cancel")

#: ``{"devices": ..., "spare": "starting" | "compiling" | "ready", "kernels": {"done": int, "of": int}}``, the last only
#: where kernels of a GPU are compiled in the background. One of several machines adds ``nodes``, an entry each, and
#: ``here``, the devices of this one.
Status = dict[str, Any]


class Handle(Protocol):
    """One run in progress."""

    def frames(self) -> Iterator[bytes]:
        """The worker's frames as they arrive, until it exits or is free for another run; for one thread only."""
        ...

    def send(self, command: str) -> None:
        """Send the run one of `COMMANDS`; returns immediately. A run that does not obey ``cancel`` is killed."""
        ...

    def kill(self) -> None:
        """Kill the worker immediately, from any thread; does nothing if it has exited."""
        ...

    def wait(self) -> int:
        """Wait until the worker has left the run: 0 if it is free for another, else its exit status as `subprocess`."""
        ...

    @property
    def lost(self) -> str:
        """Why the worker's machine was lost, in one sentence; empty if it is available."""
        ...

    def last_words(self) -> str:
        """The last lines that the worker wrote to its error output."""
        ...


class Engine(Protocol):
    """Provides workers for runs."""

    def start(self, spec: RunSpec, instance: Instance, pictures: bool = True) -> Handle:
        """Start a run; returns immediately. Without `pictures` it sends none of a colony's trails."""
        ...

    def anticipate(self, spec: RunSpec, instance: Instance) -> None:
        """Let an idle worker compile and load the kernels of this spec; returns immediately.

        The newest spec counts. It waits until no run is going on, and a run that is started does not wait for another
        one's preparation.
        """
        ...

    def replay(
        self, spec: RunSpec, instance: Instance, climber: int, wanted: Callable[[], bool] = lambda: True
    ) -> list[bytes]:
        """Recompute one climber: its ``moves`` or ``edges`` frames; ends early once it is not `wanted` any more.

        Raises
        ------
        RunFailed
            If no worker could do it.
        """
        ...

    def process(self, module: str, environment: Mapping[str, str] | None = None) -> Process:
        """Start another worker, whose program is ``main()`` of `module`, with these variables too.

        Raises
        ------
        RunFailed
            If the engine is closed.
        """
        ...

    def local_process(self, module: str) -> Process:
        """As `process`, on the machine of the server."""
        ...

    def places(self) -> int:
        """How many runs can be active at a time; it may change, and `listen` reports that."""
        ...

    def cores(self) -> int:
        """Cores that the runs of a study may use together."""
        ...

    def status(self) -> Status:
        """The machine's devices, and the state of the spare worker."""
        ...

    def listen(self, listener: Callable[[], None]) -> None:
        """Register `listener` to be called, from any thread, on each change of `status`."""
        ...

    def close(self) -> None:
        """Kill every worker."""
        ...
