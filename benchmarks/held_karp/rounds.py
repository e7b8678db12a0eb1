"""Held-Karp by MPI, measured several times with one start of its processes."""

import json
import subprocess
from pathlib import Path

from benchmarks.held_karp.variants import TooLong, Way
from data.instance import Instance
from solvers.errors import InstanceTooLarge, RunFailed
from solvers.mpi import launcher
from solvers.mpi.remote_run import check_ranks
from solvers.worker.frames import encode, instance_frame
from solvers.worker.process import ROOT

#: Most seconds of the start and the end of all processes.
_START = 120.0
_RAISED: dict[str, type[Exception]] = {"InstanceTooLarge": InstanceTooLarge, "TooLong": TooLong}


def rounds_time(instance: Instance, way: Way, patience: float, rounds: int) -> list[tuple[float, int]]:
    """Seconds of all layers without their beginning and the length of the tour, of each round after one start.

    The clock is that of process 0: what starts the processes, and orders to them, are no part of it.

    Parameters
    ----------
    instance : Instance
    way : Way
        By MPI.
    patience : float
        Seconds after which the layers of a round are cut, and after which no further round begins.
    rounds : int

    Raises
    ------
    DeviceUnavailable, InvalidParams, InstanceTooLarge, RunFailed
        See `solvers.mpi.remote_run.MpiRun`.
    TooLong
    """
    check_ranks(way.count)
    about = {"variant": way.row, "rounds": rounds, "patience": patience}
    with launcher.folder() as folder:
        job, told = Path(folder) / "job", Path(folder) / "told"
        job.write_bytes(encode("rounds", about, {}) + instance_frame(instance))
        _run(way.count, job, told, 2 * patience + _START)
        rows = [json.loads(line) for line in told.read_text(encoding="utf-8").splitlines()]
    for each in rows:
        if "error" in each:
            raise _RAISED.get(each["error"], RunFailed)(each["sentence"])
    return [(each["seconds"], each["length"]) for each in rows]


def _run(ranks: int, job: Path, told: Path, seconds: float) -> None:
    """Start the processes, and wait for their end.

    Raises
    ------
    RunFailed
    """
    command = launcher.command(ranks, ["-m", "benchmarks.held_karp.ranks", str(job), str(told)])
    environment = launcher.environment(launcher.variables(str(job.parent)))
    try:
        subprocess.run(
            command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=seconds, check=True,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise RunFailed(f"{ranks} processes had not ended after {seconds:.0f} s.") from None
    except subprocess.CalledProcessError as error:
        raise RunFailed(f"{ranks} processes failed: {error.stderr[-1000:]}") from None
