"""The processes that this one was started with by ``mpiexec``, once it has joined them; and what those but 0 do."""

import os
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from data.errors import InvalidInstance
from solvers.devices import cpu_name, cpu_threads
from solvers.errors import DeviceUnavailable, InstanceTooLarge, InvalidParams, RunFailed
from solvers.mpi.rank_task import RankTask

if TYPE_CHECKING:
    from solvers.mpi.mpi_communicator import MpiCommunicator

Made = TypeVar("Made")
#: What all processes find alike, or process 0 alone after the others have left; process 0 tells it in one sentence.
KNOWN = (InvalidParams, InvalidInstance, DeviceUnavailable, InstanceTooLarge, RunFailed)
_joined: "list[MpiCommunicator]" = []


def join(windows: bool = True) -> "MpiCommunicator":
    """Start MPI in this process; all that were started with it must do so too.

    Parameters
    ----------
    windows : bool
        Whether processes of one machine share memory.
    """
    # Open MPI's one-sided messages over UCX print an error where there is no UCX; nothing here is one-sided.
    os.environ.setdefault("OMPI_MCA_osc", "^ucx")
    os.environ.setdefault("OMPI_MCA_mpi_yield_when_idle", "1")  # cores may be shared with others
    from mpi4py import MPI

    from solvers.mpi.mpi_communicator import MpiCommunicator

    _joined.append(MpiCommunicator(MPI.COMM_WORLD, windows))
    return _joined[-1]


def joined() -> "MpiCommunicator | None":
    """The processes that this one has joined, if any."""
    return _joined[-1] if _joined else None


@contextmanager
def or_all_end() -> Iterator[None]:
    """End all processes at once if one of them fails: Python's own exit would wait for others that wait for it.

    What is `KNOWN` is raised, and so is whatever happens after this process has left the run.
    """
    try:
        yield
    except KNOWN:
        raise
    except Exception:
        ranks = joined()
        if ranks is not None and ranks.rendezvous.over:
            raise
        traceback.print_exc()
        sys.stderr.flush()
        from mpi4py import MPI

        MPI.COMM_WORLD.Abort(1)


def in_processes(
    wanted: int, join: "Callable[[MpiCommunicator], Made]", start: Callable[[int], Made]
) -> tuple[Made, str, int]:
    """What works in several processes: those that this one was started with, else processes that it starts.

    Parameters
    ----------
    wanted : int
        How many to start; 0: one a core.
    join : callable
        Makes what works together with others that make the same.
    start : callable
        Starts so many processes, and makes what leads them.

    Returns
    -------
    made : object
    device : str
        In words.
    count : int
        How many processes.
    """
    ranks = joined()
    count = ranks.count if ranks else wanted or cpu_threads()
    text = f"{cpu_name()}, {count} process{'es' if count != 1 else ''}"
    return start(count) if ranks is None else join(ranks), text, count


def follow(make: Callable[[], RankTask], ranks: "MpiCommunicator") -> None:
    """Do what a process other than 0 does, until process 0 ends the run.

    Parameters
    ----------
    make : callable
        Makes what takes part.
    ranks : MpiCommunicator

    Raises
    ------
    InvalidParams, InstanceTooLarge, RunFailed
        As in all processes, when it is made.
    """
    from solvers.mpi.rendezvous import RunOver

    try:
        part = make()
        try:
            while not part.finished:
                part.advance()
                ranks.rendezvous.look()
            ranks.rendezvous.wait()
        except RunOver:
            pass
        part.close()
    except KNOWN:
        ranks.close()
        raise
    ranks.close()
