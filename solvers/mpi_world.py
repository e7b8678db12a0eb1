"""The processes that this one was started with by ``mpiexec``, once it has joined them; and what those but 0 do."""

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from solvers.ant_colony_system_cpu import AntColonySystemColony
    from solvers.ranks_mpi import MpiRanks

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


def follow(colony: "AntColonySystemColony", ranks: "MpiRanks", iterations: int) -> None:
    """Do what a process other than 0 does, until process 0 ends the run."""
    from solvers.mpi_meeting import RunOver

    try:
        while colony.finished < iterations:
            colony.advance(iterations)
            ranks.meeting.look()
        ranks.meeting.wait()
    except RunOver:
        pass
    except Exception as error:  # noqa: BLE001 - process 0 tells it, and ends the run
        ranks.meeting.fail(f"Process {ranks.rank} failed: {error}")
    finally:
        colony.close()
