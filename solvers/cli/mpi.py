"""The command line in all processes that ``mpiexec`` has started: one of them tells, the others follow."""

import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext, redirect_stdout
from functools import partial
from io import StringIO
from typing import TYPE_CHECKING

from data.errors import InvalidInstance
from solvers.cli.arguments import Command, UsageError, read
from solvers.errors import DeviceUnavailable, InstanceTooLarge, InvalidParams
from solvers.mpi import launcher
from solvers.mpi.rank_task import rank_task
from solvers.mpi.world import KNOWN, follow, join, or_all_end
from solvers.run import Prepared, prepare
from solvers.solver import Job

if TYPE_CHECKING:
    from solvers.mpi.mpi_communicator import MpiCommunicator

WRONG = (UsageError, InvalidParams, InvalidInstance, DeviceUnavailable, InstanceTooLarge)


def together(arguments: Sequence[str] | None, lead: Callable[[Command], int]) -> int:
    """Do what a command line with ``--mpi`` says.

    Parameters
    ----------
    arguments : sequence of str or None
    lead : callable
        What process 0 does with the command; returns the exit status.

    Raises
    ------
    UsageError, DeviceUnavailable
        If this process was not started by ``mpiexec``, or there is no MPI.
    """
    if why := launcher.unavailable_reason():
        raise DeviceUnavailable(why)
    if not launcher.launched():
        raise UsageError("--mpi is for processes that mpiexec starts: mpiexec -n 4 python -m solvers run ... --mpi")
    with or_all_end():
        return _agreed(join(), arguments, lead)


def _agreed(ranks: "MpiCommunicator", arguments: Sequence[str] | None, lead: Callable[[Command], int]) -> int:
    """Lead or follow, if no process finds fault with the command."""
    if ranks.rank:
        for ignored in (signal.SIGINT, signal.SIGTERM):
            signal.signal(ignored, signal.SIG_IGN)  # process 0 ends the run
    wrong: Exception | None = None
    try:
        with redirect_stdout(StringIO()) if ranks.rank else nullcontext():  # --help is for process 0 to say
            command = read(arguments)
        assert command.spec is not None
        prepared = prepare(command.spec, command.solvers)
    except WRONG as error:
        wrong = error
    if (first := ranks.first(wrong is not None)) is not None:
        if first == ranks.rank:
            print(wrong, file=sys.stderr)
        return 2
    if ranks.rank:
        return _follow(ranks, command, prepared)
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))  # as launchers pass Ctrl-C on
    try:
        found = lead(command)
    except (*KNOWN, KeyboardInterrupt):
        ranks.close()
        raise
    ranks.close()
    return found


def _follow(ranks: "MpiCommunicator", command: Command, prepared: Prepared) -> int:
    assert command.spec is not None
    assert command.instance is not None
    solver, params = prepared.stages[0]
    job = Job(command.instance, params, command.spec.seed, "cpu", command.spec.budget.start(), pictures=False)
    try:
        follow(partial(rank_task, solver, job, ranks), ranks)
    except KNOWN:
        return 2  # as process 0, which tells it
    return 0
