"""The command line in processes started by ``mpiexec``: rank 0 coordinates and reports, the others follow."""

import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext, redirect_stdout
from functools import partial
from io import StringIO
from typing import TYPE_CHECKING

from commands.arguments import USAGE_ERRORS, Command, UsageError, parse_command
from data.command_line import format_command
from solvers.core.errors import DeviceUnavailable
from solvers.mpi import launcher
from solvers.mpi.world import RUN_ERRORS, abort_all_on_error, follow, join
from solvers.plan import Plan

if TYPE_CHECKING:
    from solvers.mpi.mpi_communicator import MpiCommunicator


def run_with_mpi(arguments: Sequence[str] | None, run_root: Callable[[Command, Plan], int]) -> int:
    """Execute a command line with ``--mpi``.

    Parameters
    ----------
    arguments : sequence of str or None
    run_root : callable
        Executes the planned command on rank 0 and returns the exit status.

    Returns
    -------
    int
        Exit status.

    Raises
    ------
    UsageError
        If this process was not started by ``mpiexec``.
    DeviceUnavailable
        If MPI is not available.
    """
    if reason := launcher.unavailable_reason():
        raise DeviceUnavailable(reason)
    if not launcher.was_launched():
        line = f"mpiexec -n 4 {format_command('solvers')} run ... --mpi"
        raise UsageError(f"--mpi is for processes that mpiexec starts: {line}")
    with abort_all_on_error():
        return _run_if_valid(join(), arguments, run_root)


def _run_if_valid(
    ranks: "MpiCommunicator", arguments: Sequence[str] | None, run_root: Callable[[Command, Plan], int]
) -> int:
    """Run as root on rank 0 and as worker elsewhere, unless a process finds the command invalid."""
    if ranks.rank:
        for ignored in (signal.SIGINT, signal.SIGTERM):
            signal.signal(ignored, signal.SIG_IGN)  # only rank 0 ends the run
    wrong: Exception | None = None
    try:
        with redirect_stdout(StringIO()) if ranks.rank else nullcontext():  # only rank 0 prints --help
            command = parse_command(arguments)
        planned = command.plan()
        planned.check()
    except USAGE_ERRORS as error:
        wrong = error
    if (first := ranks.lowest_rank(wrong is not None)) is not None:
        if first == ranks.rank:
            print(wrong, file=sys.stderr)
        return 2
    if ranks.rank:
        return _follow(ranks, planned)
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))  # launchers forward Ctrl-C as SIGTERM
    try:
        status = run_root(command, planned)
    except (*RUN_ERRORS, KeyboardInterrupt):
        ranks.close()
        raise
    ranks.close()
    return status


def _follow(ranks: "MpiCommunicator", planned: Plan) -> int:
    (stage,) = planned.stages
    job = stage.job(planned.spec.seed, planned.spec.budget.start(), pictures=False)
    try:
        follow(partial(stage.solver.part, job, ranks), ranks)
    except RUN_ERRORS:
        return 2  # the same status as rank 0, which reports the error
    return 0
