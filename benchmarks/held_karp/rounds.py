"""Held-Karp by MPI: several rounds on several instances with a single start of its processes."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

from benchmarks.held_karp.variants import TimedVariant, TooLong, make_layer_plan
from data.instance import Instance
from solvers.core.errors import InstanceTooLarge, RunFailed
from solvers.mpi import launcher
from solvers.mpi.remote_run import check_ranks
from solvers.worker.frames import encode, encode_instance_frame
from solvers.worker.process import ROOT

#: Timeout in seconds for starting and ending all processes.
_START = 120.0
_RAISED: dict[str, type[Exception]] = {"InstanceTooLarge": InstanceTooLarge, "TooLong": TooLong}


class Rounds:
    """Times multi-process variants on several instances; the processes of each variant start only once.

    A start takes seconds, many with several processes per core, which is longer than the layers of all instances.

    Parameters
    ----------
    instances : sequence of Instance
    patience : float
        Timeout in seconds for the layers of a round, after which an instance gets no further rounds.
    count : int
        Number of rounds of each instance.
    """

    def __init__(self, instances: Sequence[Instance], patience: float, count: int) -> None:
        self._instances, self._patience, self._count = instances, patience, count
        self._results: dict[TimedVariant, list[dict]] = {}

    def bytes(self, variant: TimedVariant) -> int:
        """Return the bytes of the largest instance's layers, in the layout of a variant."""
        return max(make_layer_plan(instance, variant).peak_bytes for instance in self._instances)

    def times(self, instance: Instance, variant: TimedVariant) -> list[tuple[float, int]]:
        """Return the seconds of all layers without set-up, and the tour's length, for each round of an instance.

        The clock belongs to process 0, and excludes starting the processes and sending orders to them. The first call
        for a variant makes the rounds of all instances.

        Parameters
        ----------
        instance : Instance
            One of the instances of this object.
        variant : TimedVariant
            A variant that uses MPI.

        Raises
        ------
        DeviceUnavailable, InvalidParams, InstanceTooLarge, RunFailed
            See `solvers.mpi.remote_run.MpiRun`.
        TooLong
        """
        if variant not in self._results:
            self._results[variant] = self._start_processes(variant)
        rows = [result for result in self._results[variant] if result["instance"] in (instance.name, None)]
        for row in rows:
            if "error" in row:
                raise _RAISED.get(row["error"], RunFailed)(row["sentence"])
        return [(row["seconds"], row["length"]) for row in rows]

    def _start_processes(self, variant: TimedVariant) -> list[dict]:
        """Run a variant's processes, and return their reports on all rounds; a failure counts for all instances."""
        check_ranks(variant.count)
        about = {"variant": variant.row, "rounds": self._count, "patience": self._patience}
        with launcher.create_folder() as folder:
            job, output = Path(folder) / "job", Path(folder) / "told"
            job.write_bytes(encode("rounds", about, {}) + b"".join(map(encode_instance_frame, self._instances)))
            try:
                _run_processes(variant.count, job, output, 2 * self._patience * len(self._instances) + _START)
            except RunFailed as failure:
                return [{"instance": None, "error": "RunFailed", "sentence": str(failure)}]
            return [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]


def _run_processes(ranks: int, job: Path, output: Path, seconds: float) -> None:
    """Start the processes and wait for their end.

    Raises
    ------
    RunFailed
    """
    command = launcher.format_command(ranks, ["-m", "benchmarks.held_karp.ranks", str(job), str(output)])
    environment = launcher.make_environment(launcher.make_variables(str(job.parent)))
    try:
        subprocess.run(
            command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=seconds, check=True,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise RunFailed(f"{ranks} processes had not ended after {seconds:.0f} s.") from None
    except subprocess.CalledProcessError as error:
        raise RunFailed(f"{ranks} processes failed: {error.stderr[-1000:]}") from None
