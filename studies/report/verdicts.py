"""Verdicts on pairs of entries: which is better, on which instances, and how significantly."""

from dataclasses import dataclass, replace

import numpy as np

from studies.stats.compare import LEVEL, Comparisons
from studies.stats.rank_test import effect_name

#: Possible verdicts on the first entry; ``split`` means better on some instances and worse on others.
OUTCOMES = ("better", "worse", "split", "none", "alike")
_OPPOSITE = {"better": "worse", "worse": "better"}


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict of a comparison between two entries.

    Attributes
    ----------
    outcome : str
        One of `OUTCOMES`; ``none`` if no difference is shown, ``alike`` if all runs have the same length.
    instances, wins, losses : int
        Number of instances on which both have runs, and of those on which the first is better or worse.
    a12 : float
        Probability that a run of the first ends shorter: median over the decisive instances, or over all.
    p : float
        Corrected p-value: the greatest of the decisive ones, or the least if no difference is shown.
    difference : float
        Median length of the first minus that of the second; NaN over several instances.
    """

    outcome: str
    instances: int
    wins: int
    losses: int
    a12: float
    p: float
    difference: float

    @property
    def effect(self) -> str:
        """Name of the effect size; see `studies.stats.rank_test.effect_name`."""
        return effect_name(self.a12)

    def swap(self) -> "Verdict":
        """Return the verdict as seen by the second entry."""
        return replace(
            self, outcome=_OPPOSITE.get(self.outcome, self.outcome), wins=self.losses, losses=self.wins,
            a12=1 - self.a12, difference=-self.difference,
        )  # fmt: skip


def list_verdicts(
    comparisons: Comparisons, instance: int | None = None, level: float = LEVEL
) -> dict[tuple[int, int], Verdict]:
    """Return the verdict on every ordered pair of entries with common instances.

    Parameters
    ----------
    comparisons : Comparisons
    instance : int, optional
        Code of a single instance; by default all instances count.
    level : float
        A corrected p-value below this counts as a difference.
    """
    selection = np.arange(comparisons.p.size) if instance is None else np.flatnonzero(comparisons.instance == instance)
    pairs = np.stack([comparisons.first[selection], comparisons.second[selection]], axis=1)
    unique, position = np.unique(pairs, axis=0, return_inverse=True)
    order = np.argsort(position.ravel(), kind="stable")
    ends = np.cumsum(np.bincount(position.ravel(), minlength=len(unique)))
    result = {}
    for (first, second), rows in zip(unique.tolist(), np.split(selection[order], ends[:-1]), strict=False):
        verdict = _make_verdict(comparisons, rows, level)
        result[first, second], result[second, first] = verdict, verdict.swap()
    return result


def _make_verdict(comparisons: Comparisons, rows: np.ndarray, level: float) -> Verdict:
    """Return the verdict of comparisons between the same two entries."""
    a12, p = comparisons.a12[rows], comparisons.corrected[rows]
    won, lost = (p < level) & (a12 > 0.5), (p < level) & (a12 < 0.5)
    wins, losses = int(won.sum()), int(lost.sum())
    counts = won | lost
    if wins and losses:
        outcome = "split"
    elif wins or losses:
        outcome = "better" if wins else "worse"
    else:
        outcome = "alike" if comparisons.all_equal[rows].all() else "none"
    return Verdict(
        outcome, rows.size, wins, losses,
        float(np.median(a12[counts] if outcome in _OPPOSITE else a12)),
        float(p[counts].max() if counts.any() else p.min()),
        float(comparisons.difference[rows[0]]) if rows.size == 1 else np.nan,
    )  # fmt: skip
