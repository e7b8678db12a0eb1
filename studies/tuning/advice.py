"""The parent's side of the process that proposes trials, `studies.tuning.advisor`."""

import subprocess
import sys
import threading
from collections.abc import Sequence
from math import isfinite
from typing import Any

import orjson

from solvers.worker.process import child_environment
from studies.pool.process import NoWorker
from studies.spec.spec import StudySpec
from studies.stats.references import References
from studies.tuning.trials import Trial, compute_gaps, trials_to_json

_COMMAND = (sys.executable, "-m", "studies.tuning.advisor")


class AdvisorProcess:
    """Proposes and prunes a tuning study's trials; its process starts with the first request.

    Parameters
    ----------
    spec : StudySpec
    """

    def __init__(self, spec: StudySpec) -> None:
        assert spec.tune is not None
        self._tune, self._lock, self._closed = spec.tune, threading.Lock(), False
        self._process: subprocess.Popen[bytes] | None = None

    def batch(self, number: int, count: int, trials: Sequence[Trial], reference: References) -> dict[str, Any]:
        """Request the parameters of the next ``trials``, and each parameter's importance so far (``importances``).

        Parameters
        ----------
        number, count : int
            Number of the batch, and number of its trials.
        trials : sequence of Trial
            All trials of the earlier batches.
        reference : References

        Raises
        ------
        NoWorker
        """
        return self._request(
            do="propose", batch=number, count=count, seed=self._tune.seed, pruner=self._tune.pruner,
            vary={range_.name: range_.to_json() for range_ in self._tune.vary}, trials=trials_to_json(trials,
            reference),
        )  # fmt: skip

    def prunes(self, trial: Trial, reference: References) -> bool:
        """Return whether to prune a trial of the current batch after the runs counted so far.

        Raises
        ------
        NoWorker
        """
        trial_gaps = compute_gaps(trial, reference)
        if self._tune.pruner == "none" or not all(isfinite(gap) for gap in trial_gaps):
            return False
        instances = len(self._tune.instances)
        return self._request(do="prune", pruner=self._tune.pruner, instances=instances, gaps=trial_gaps)

    def close(self) -> None:
        """End the process from any thread; pending and later requests raise `NoWorker`."""
        with self._lock:
            self._closed, process = True, self._process
        if process is not None:
            process.kill()
            process.wait()

    def _request(self, **question: Any) -> Any:
        process = self._start()
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(orjson.dumps(question) + b"\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except (OSError, ValueError):
            line = b""
        if not line:
            raise NoWorker(f"The process that proposes trials has ended with status {process.wait()}.")
        return orjson.loads(line)

    def _start(self) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._closed:
                raise NoWorker("The process that proposes trials was stopped.")
            if self._process is None:
                pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
                self._process = subprocess.Popen(_COMMAND, **pipes, **child_environment(None))
            return self._process
