"""The interface of an engine, which gives runs their workers.

`runs.engine.process` is the default engine; the workers of `runs.engine.ray` are on a cluster.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

from data.instance import Instance
from solvers.spec import RunSpec
from solvers.worker.process import Process

#: Commands to a run.
COMMANDS = ("pause", "resume", "step", "cancel")

#: ``{"devices": ..., "spare": "starting" | "compiling" | "ready", "kernels": {"done": int, "of": int}}``; ``kernels``
#: is only there while GPU kernels are compiled in the background. A cluster adds ``nodes``, an entry per machine, and
#: ``here``, the devices of this machine.
Status = dict[str, Any]


class Handle(Protocol):
    """A run in progress."""

    def frames(self) -> Iterator[bytes]:
        """Return the worker's frames as they arrive, until it exits or is free for another run; for one thread only."""
        ...

    def send(self, command: str) -> None:
        """Send the run one of `COMMANDS`, without waiting. A run that ignores ``cancel`` is killed."""
        ...

    def kill(self) -> None:
        """Kill the worker at once, from any thread, if it has not exited."""
        ...

    def wait(self) -> int:
        """Wait until the worker has finished the run.

        Return 0 if the worker is free for another run, otherwise its exit status as in `subprocess`.
        """
        ...

    @property
    def loss_reason(self) -> str:
        """Why the worker's machine was lost, in one sentence; empty if it was not."""
        ...

    def error_tail(self) -> str:
        """Return the last lines of the worker's error output."""
        ...


class Engine(Protocol):
    """Provides workers for runs."""

    def start(self, spec: RunSpec, instance: Instance, pictures: bool = True) -> Handle:
        """Start a run, without waiting; pheromone pictures are sent only with `pictures`."""
        ...

    def anticipate(self, spec: RunSpec, instance: Instance) -> None:
        """Let an idle worker compile and load this spec's kernels, without waiting.

        Only the newest spec counts. Preparation waits until no run is active, and never delays the start of a run.
        """
        ...

    def replay(
        self, spec: RunSpec, instance: Instance, climber: int, is_wanted: Callable[[], bool] = lambda: True
    ) -> list[bytes]:
        """Recompute a climber and return its ``moves`` or ``edges`` frames; stop once `is_wanted` returns false.

        Raises
        ------
        RunFailed
            If no worker could recompute it.
        """
        ...

    def start_process(self, module: str, environment: Mapping[str, str] | None = None) -> Process:
        """Start a program, ``main()`` of `module`, in a process of its own, with additional environment variables.

        Raises
        ------
        RunFailed
            If the engine is closed.
        """
        ...

    def start_local_process(self, module: str) -> Process:
        """Like `start_process`, but always on the server's machine."""
        ...

    def places(self) -> int:
        """Return how many runs can be active at a time; `listen` reports changes."""
        ...

    def cores(self) -> int:
        """Return how many cores a study's runs may use together."""
        ...

    def status(self) -> Status:
        """Return the machine's devices and the spare worker's state."""
        ...

    def listen(self, listener: Callable[[], None]) -> None:
        """Register `listener` to be called from any thread when `status` changes."""
        ...

    def close(self) -> None:
        """Kill every worker."""
        ...
