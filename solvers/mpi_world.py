"""The processes that this one was started with by ``mpiexec``, once it has joined them; and what those but 0 do."""

import os
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from data.errors import InvalidInstance
from solvers.errors import DeviceUnavailable, InstanceTooLarge, InvalidParams, RunFailed

if TYPE_CHECKING:
    from solvers.ant_colony_system_cpu import AntColonySystemColony
    from solvers.ranks_mpi import MpiRanks

#: What all processes find alike, or process 0 alone after the others have left; process 0 tells it in one sentence.
KNOWN = (InvalidParams, InvalidInstance, DeviceUnavailable, InstanceTooLarge, RunFailed)
_joined: "list[MpiRanks]" = []


def join(windows: bool = True) -> "MpiRanks":
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

    from solvers.ranks_mpi import MpiRanks

    _joined.append(MpiRanks(MPI.COMM_WORLD, windows))
    return _joined[-1]


def joined() -> "MpiRanks | None":
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
        if ranks is not None and ranks.meeting.over:
            raise
        traceback.print_exc()
        sys.stderr.flush()
        from mpi4py import MPI

        MPI.COMM_WORLD.Abort(1)


def follow(make: "Callable[[], AntColonySystemColony]", ranks: "MpiRanks", iterations: int) -> None:
    """Do what a process other than 0 does, until process 0 ends the run.

    Parameters
    ----------
    make : callable
        Makes the colony.
    ranks : MpiRanks
    iterations : int
        How many there are to be.

    Raises
    ------
    InstanceTooLarge, RunFailed
        As in all processes, when the colony is made.
    """
    from solvers.mpi_meeting import RunOver

    try:
        colony = make()
        try:
            while colony.finished < iterations:
                colony.advance(iterations)
                ranks.meeting.look()
            ranks.meeting.wait()
        except RunOver:
            pass
        colony.close()
    except KNOWN:
        ranks.close()
        raise
