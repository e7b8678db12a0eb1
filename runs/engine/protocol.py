"""What an engine is: whatever gives a run a worker. `runs.engine.process` is the one that comes with TourScope."""

from collections.abc import Callable, Iterator
from typing import Any, Protocol

from data.instance import Instance
from solvers.spec import RunSpec

#: What a run can be told.
COMMANDS = ("pause", "resume", "step", "cancel")

Status = dict[str, Any]  #: ``{"devices": ..., "spare": "starting" | "compiling" | "ready"}``


class Handle(Protocol):
    """One run at work."""

    def frames(self) -> Iterator[bytes]:
        """The worker's frames as they come, until it is gone; to be walked by one thread alone."""
        ...

    def send(self, command: str) -> None:
        """Tell the run one of `COMMANDS`; returns at once. A run that does not heed ``cancel`` is killed."""
        ...

    def kill(self) -> None:
        """End the worker at once, from any thread; nothing happens if it is gone."""
        ...

    def wait(self) -> int:
        """The worker's exit status, negative for the signal that killed it, once it is gone."""
        ...

    def last_words(self) -> str:
        """The last lines that the worker wrote to its error output."""
        ...


class Engine(Protocol):
    """Where runs work."""

    def start(self, spec: RunSpec, instance: Instance, pictures: bool = True) -> Handle:
        """Begin a run; returns at once. Without `pictures` it makes none of a colony's trails."""
        ...

    def replay(self, spec: RunSpec, instance: Instance, climber: int) -> list[bytes]:
        """The ``moves`` or ``edges`` frames of one climber, computed again.

        Raises
        ------
        RunFailed
            If no worker could do it.
        """
        ...

    def status(self) -> Status:
        """The devices there are, and how far the spare worker is."""
        ...

    def listen(self, listener: Callable[[], None]) -> None:
        """Have `listener` called, from any thread, at each change of `status`."""
        ...

    def close(self) -> None:
        """Kill every worker."""
        ...
