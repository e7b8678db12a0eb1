"""The processes that ``mpiexec`` has started together with this one, and the loop of ranks above 0."""

import os
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from solvers.core.devices import cpu_name, cpu_threads
from solvers.mpi.rank_task import RankTask
from solvers.worker.worker_io import USER_ERRORS

if TYPE_CHECKING:
    from solvers.mpi.mpi_communicator import MpiCommunicator

World = TypeVar("World")
#: Errors that all processes raise, or that process 0 raises after the others have left; process 0 reports them.
RUN_ERRORS = USER_ERRORS
_communicator: "list[MpiCommunicator]" = []


def join(windows: bool = True) -> "MpiCommunicator":
    """Start MPI in this process; all processes that were started with it must do the same.

    Parameters
    ----------
    windows : bool
        Whether the processes on one machine share memory.
    """
    # Open MPI's one-sided communication over UCX prints an error if there is no UCX; nothing here is one-sided.
    os.environ.setdefault("OMPI_MCA_osc", "^ucx")
    os.environ.setdefault("OMPI_MCA_mpi_yield_when_idle", "1")  # cores may be shared with other programs
    from mpi4py import MPI

    from solvers.mpi.mpi_communicator import MpiCommunicator

    _communicator.append(MpiCommunicator(MPI.COMM_WORLD, windows))
    return _communicator[-1]


def joined_communicator() -> "MpiCommunicator | None":
    """Return the communicator that this process has joined, if any."""
    return _communicator[-1] if _communicator else None


@contextmanager
def abort_all_on_error() -> Iterator[None]:
    """End all processes at once if one fails; at Python's normal exit they would wait for each other.

    Only errors of `RUN_ERRORS`, and any error after this process has left the run, are raised instead.
    """
    try:
        yield
    except RUN_ERRORS:
        raise
    except Exception:  # catches every error, since the other processes would wait for this one
        ranks = joined_communicator()
        if ranks is not None and ranks.rendezvous.over:
            raise
        traceback.print_exc()
        sys.stderr.flush()
        from mpi4py import MPI

        MPI.COMM_WORLD.Abort(1)


def create_in_processes(
    requested: int, join: "Callable[[MpiCommunicator], World]", start: Callable[[int], World]
) -> tuple[World, str, int]:
    """Create an object for several processes: those that were started with this one, or new ones.

    Parameters
    ----------
    requested : int
        Number of processes to start; 0 for one per core.
    join : callable
        Creates the object in this process; all other processes do the same.
    start : callable
        Starts a number of processes, and returns the object that controls them.

    Returns
    -------
    world : object
    device : str
        The device's description.
    count : int
        Number of processes.
    """
    ranks = joined_communicator()
    count = ranks.count if ranks else requested or cpu_threads()
    text = f"{cpu_name()}, {count} process{'es' if count != 1 else ''}"
    return start(count) if ranks is None else join(ranks), text, count


def follow(make: Callable[[], RankTask], ranks: "MpiCommunicator") -> None:
    """Do the work of a process other than 0 until process 0 ends the run.

    Parameters
    ----------
    make : callable
        Creates the process's task.
    ranks : MpiCommunicator

    Raises
    ------
    InvalidParams, InstanceTooLarge, RunFailed
        Raised in all processes when the task is created.
    """
    from solvers.mpi.rendezvous import RunOver

    try:
        task = make()
        try:
            while not task.finished:
                task.advance()
                ranks.rendezvous.check()
            ranks.rendezvous.wait()
        except RunOver:
            pass
        task.close()
    except RUN_ERRORS:
        ranks.close()
        raise
    ranks.close()
