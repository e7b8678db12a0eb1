"""Trials of a tuning study, their gaps, and the best."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from studies.spec.spec import StudySpec
from studies.stats.references import BEST_HERE, BEST_KNOWN, OPTIMUM, UNKNOWN, References, gap_percent

#: States of a trial; the last three are final.
STATES = ("running", "complete", "pruned", "failed")


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """A trial of a tuning study.

    Attributes
    ----------
    number : int
        Number from 0; trial 0 has the original parameters.
    params : dict
        Values of the varying parameters.
    state : str
        One of `STATES`.
    counted : int
        Number of runs after which a trial was pruned; for other trials, all runs.
    lengths : tuple of (int or None)
        Length of each run in order: None if it is missing, 0 without a tour.
    seconds : float
        Total seconds of the trial's runs, without compilation.
    sentence : str
        Reason for a failure.
    """

    number: int
    params: dict[str, Any]
    state: str
    counted: int
    lengths: tuple[int | None, ...]
    seconds: float = 0.0
    sentence: str = ""

    @property
    def is_final(self) -> bool:
        """Whether the trial's state is final."""
        return self.state != "running"

    @property
    def count(self) -> int:
        """Number of the trial's completed runs."""
        return sum(length is not None for length in self.lengths)


def find_references(spec: StudySpec, trials: Sequence[Trial], optima: Sequence[tuple[int | None, bool]]) -> References:
    """Return the reference lengths for a tuning study's gaps, one per training instance.

    Parameters
    ----------
    spec : StudySpec
    trials : sequence of Trial
        Trials, whose shortest length is the reference if none is known.
    optima : sequence of (int or None, bool)
        Shortest known length of each training instance, and whether it is proven optimal.
    """
    assert spec.tune is not None
    lengths, kinds = [], []
    for k, (length, proven) in enumerate(optima):
        steps = range(k, spec.tune.steps, len(optima))
        measured_lengths = [
            run_length
            for trial in trials
            for step in steps
            if step < trial.counted and (run_length := trial.lengths[step])
        ]
        lengths.append(length or min(measured_lengths, default=0))
        note = BEST_HERE if measured_lengths else UNKNOWN
        kinds.append(note if not length else OPTIMUM if proven else BEST_KNOWN)
    return References(np.array(lengths, np.int64), tuple(kinds))


def compute_gaps(trial: Trial, reference: References) -> list[float]:
    """Return the gaps of a trial's counted runs in per cent, up to the first missing one.

    A gap is infinite without a tour, and NaN without a reference.
    """
    counted_lengths = []
    for length in trial.lengths[: trial.counted]:
        if length is None:
            break
        counted_lengths.append(length)
    at = np.arange(len(counted_lengths)) % len(reference.kind)
    return gap_percent(np.array(counted_lengths, np.int64), reference.length[at]).tolist()


def mean_gap(trial: Trial, reference: References) -> float:
    """Return a trial's score, the mean gap of its counted runs in per cent; NaN without runs."""
    run_gaps = compute_gaps(trial, reference)
    return float(np.mean(run_gaps)) if run_gaps else float("nan")


def find_best(trials: Sequence[Trial], reference: References) -> Trial | None:
    """Return the complete trial with the smallest mean gap, the first on ties; None if there is none.

    The trial with the original parameters, number 0, is left out.
    """
    complete = [trial for trial in trials if trial.state == "complete" and trial.number]
    return min(complete, key=lambda each: (mean_gap(each, reference), each.number), default=None)


def find_winner(spec: StudySpec, trials: Sequence[Trial], reference: References) -> Trial | None:
    """Return the trial that the tuned entry uses: the best one except the first, once all have ended.

    Return None before that.
    """
    assert spec.tune is not None
    if len(trials) < spec.tune.trials or not all(trial.is_final for trial in trials):
        return None
    return find_best(trials, reference)


def list_best_so_far(trials: Sequence[Trial], reference: References) -> list[tuple[int, float]]:
    """Return, for each complete trial in order, the number of the best trial so far."""
    smallest, result = float("inf"), []
    for trial in trials:
        if trial.state == "complete":
            smallest = min(smallest, mean_gap(trial, reference))
            result.append((trial.number, smallest))
    return result


def trials_to_json(trials: Sequence[Trial], reference: References) -> list[dict[str, Any]]:
    """Convert trials for `studies.tuning.advisor`: ``params``, ``state`` and ``gaps``."""
    return [{"params": trial.params, "state": trial.state, "gaps": compute_gaps(trial, reference)} for trial in trials]
