"""The trials of a tuning, their gaps, and which of them is the best."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from studies.spec.spec import StudySpec
from studies.stats.references import BEST_HERE, BEST_KNOWN, OPTIMUM, UNKNOWN, References, gap_percent

#: The states of a trial; the last three are final.
STATES = ("running", "complete", "pruned", "failed")


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """One trial.

    Attributes
    ----------
    number : int
        From 0, which has the parameters as they are set.
    params : dict
        Values of the parameters that vary.
    state : str
        One of `STATES`.
    counted : int
        Of a pruned trial, the runs after which it was; of others all runs.
    lengths : tuple of (int or None)
        Of each of its runs, in order: None where there is none (yet), 0 where it has no tour.
    took : float
        Seconds of its runs, one after the other, without compilation.
    sentence : str
        Why it failed.
    """

    number: int
    params: dict[str, Any]
    state: str
    counted: int
    lengths: tuple[int | None, ...]
    took: float = 0.0
    sentence: str = ""

    @property
    def over(self) -> bool:
        """Whether its state is final."""
        return self.state != "running"

    @property
    def count(self) -> int:
        """Number of its runs that have ended."""
        return sum(length is not None for length in self.lengths)


def references(spec: StudySpec, trials: Sequence[Trial], known: Sequence[tuple[int | None, bool]]) -> References:
    """The lengths from which a tuning's gaps are measured, one for each of its training instances.

    Parameters
    ----------
    spec : StudySpec
    trials : sequence of Trial
        Where no length is known, the shortest of theirs counts.
    known : sequence of (int or None, bool)
        Of each training instance the shortest length known, and whether it is proven to be the optimum.
    """
    assert spec.tune is not None
    lengths, kinds = [], []
    for k, (length, proven) in enumerate(known):
        steps = range(k, spec.tune.steps, len(known))
        found = [own for each in trials for step in steps if step < each.counted and (own := each.lengths[step])]
        lengths.append(length or min(found, default=0))
        here = BEST_HERE if found else UNKNOWN
        kinds.append(here if not length else OPTIMUM if proven else BEST_KNOWN)
    return References(np.array(lengths, np.int64), tuple(kinds))


def gaps(trial: Trial, reference: References) -> list[float]:
    """The gaps in per cent of a trial's runs that count, up to the first that has not ended.

    Infinite where there is no tour, NaN where there is nothing to measure it from.
    """
    counted = []
    for length in trial.lengths[: trial.counted]:
        if length is None:
            break
        counted.append(length)
    at = np.arange(len(counted)) % len(reference.kind)
    return gap_percent(np.array(counted, np.int64), reference.length[at]).tolist()


def mean_gap(trial: Trial, reference: References) -> float:
    """The score of a trial: the mean gap of its counted runs in percent; NaN before there are any."""
    found = gaps(trial, reference)
    return float(np.mean(found)) if found else float("nan")


def best(trials: Sequence[Trial], reference: References, *, without_first: bool = False) -> Trial | None:
    """The complete trial with the least mean gap, of equal ones the first; None if there is none.

    Parameters
    ----------
    trials : sequence of Trial
    reference : References
    without_first : bool
        Whether the trial with the parameters as they are set is left out.
    """
    complete = [each for each in trials if each.state == "complete" and not (without_first and each.number == 0)]
    return min(complete, key=lambda each: (mean_gap(each, reference), each.number), default=None)


def winner(spec: StudySpec, trials: Sequence[Trial], reference: References) -> Trial | None:
    """The trial whose parameters the tuned entry has: the best but the first, once all are over; None before."""
    assert spec.tune is not None
    if len(trials) < spec.tune.trials or not all(each.over for each in trials):
        return None
    return best(trials, reference, without_first=True)


def best_so_far(trials: Sequence[Trial], reference: References) -> list[tuple[int, float]]:
    """After each complete trial, in order: its number, and the least mean gap until then."""
    least, found = float("inf"), []
    for each in trials:
        if each.state == "complete":
            least = min(least, mean_gap(each, reference))
            found.append((each.number, least))
    return found


def history(trials: Sequence[Trial], reference: References) -> list[dict[str, Any]]:
    """Trials as `studies.tuning.advisor` takes them: ``params``, ``state`` and ``gaps``."""
    return [{"params": each.params, "state": each.state, "gaps": gaps(each, reference)} for each in trials]
