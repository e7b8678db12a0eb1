"""Describes a tuning study: trials, parameters' importances, and whether the result holds on other runs."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from studies.file.reader import StudyReader
from studies.report.cautions import join_names
from studies.report.verdicts import list_verdicts
from studies.stats.compare import LEVEL, compare
from studies.stats.references import BEST_HERE, BEST_KNOWN, OPTIMUM, References
from studies.stats.table import Table
from studies.tuning.trials import Trial, find_best, mean_gap
from studies.tuning.tuner import NOTHING_FOUND, TUNED_ENTRY

#: Maximum number of trials listed on the terminal.
_MAX_LISTED = 10
_ABOVE = {
    OPTIMUM: "the optimum",
    BEST_KNOWN: "the best tour known",
    BEST_HERE: "the best tour of all trials, as no better one is known",
}


def format_tuning(reader: StudyReader) -> list[str]:
    """Format a tuning study's trials for a terminal; empty for other studies."""
    tune = reader.spec.tune
    if tune is None:
        return []
    trials = reader.trials()
    reference = reader.trial_references(trials)
    lines = [f"{describe_trials(trials, tune.trials)} {describe_references(reference, reader)}", ""]
    ranked = sorted((t for t in trials if t.state == "complete"), key=lambda t: (mean_gap(t, reference), t.number))
    lines += [*_format_trials(ranked[:_MAX_LISTED], reference), ""]
    shares, count = reader.importances()
    if shares:
        listing = ", ".join(f"{name} {100 * share:.0f} %" for name, share in shares.items())
        lines += [f"Share in the differences between trials, from {count} complete trials: {listing}.", ""]
    lines += [*describe_conclusion(reader.table(), trials, reference, tune.trials), ""]
    return lines


def describe_trials(trials: Sequence[Trial], total: int) -> str:
    """Describe how many trials there were, and how they ended."""
    states = Counter(trial.state for trial in trials)
    ends = [f"{states[state]} {state}" for state in ("complete", "pruned", "failed") if states[state]]
    return f"{sum(trial.is_final for trial in trials)} of {total} trials" + (f": {', '.join(ends)}." if ends else ".")


def describe_references(reference: References, reader: StudyReader) -> str:
    """Describe what the trials' gaps refer to, and the runs that they average."""
    tune = reader.spec.tune
    assert tune is not None
    names = [row.name for row in reader.training]
    parts = []
    for kind, words in _ABOVE.items():
        on = [name for name, each in zip(names, reference.kind, strict=True) if each == kind]
        if on:
            parts.append(words if len(on) == len(names) else f"{words} ({join_names(on)})")
    last = tune.seeds.first + tune.seeds.count - 1
    seeds = f"seeds {tune.seeds.first} to {last}" if tune.seeds.count > 1 else f"seed {last}"
    runs = f"{tune.steps} runs: {join_names(names)}, {seeds}"
    return f"Gaps are means of {runs}" + (f", in % above {' or '.join(parts)}." if parts else ".")


def _format_trials(trials: Sequence[Trial], reference: References) -> list[str]:
    """Format a table of trials, with aligned parameters."""
    if not trials:
        return []
    heads = ["trial", "gap in %", *trials[0].params]
    cells = [
        [str(trial.number), f"{mean_gap(trial, reference):.3f}", *(format_value(v) for v in trial.params.values())]
        for trial in trials
    ]
    widths = [max(len(row[k]) for row in [heads, *cells]) for k in range(len(heads))]
    return ["  ".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True)) for row in [heads, *cells]]


def format_value(value: Any) -> str:
    """Format a parameter value as on the command line."""
    return value if isinstance(value, str) else json.dumps(value)


def describe_conclusion(table: Table, trials: Sequence[Trial], reference: References, total: int) -> list[str]:
    """Describe the trials' result and whether it holds on unseen runs, one sentence each.

    Parameters
    ----------
    table : Table
        The study's own runs: with the original parameters, and with the tuned ones.
    trials : sequence of Trial
    reference : References
        Reference lengths of the trials.
    total : int
        Total number of trials.
    """
    best_trial = find_best(trials, reference)
    if len(trials) < total or not all(trial.is_final for trial in trials):
        return ["The comparison with your settings follows once all trials are over."]
    if best_trial is None:
        return [NOTHING_FOUND]
    return [describe_training(trials, best_trial, reference), describe_test(table)]


def describe_training(trials: Sequence[Trial], best_trial: Trial, reference: References) -> str:
    """Describe the best trial's improvement over the first on training runs."""
    first = trials[0]
    gap = f"Of the other trials, trial {best_trial.number} was the best: {mean_gap(best_trial, reference):.3f} %"
    if first.state != "complete":
        return f"{gap}. The trial with your settings was not completed."
    initial_values = mean_gap(first, reference)
    if mean_gap(best_trial, reference) >= initial_values:
        return f"No trial was better than your settings, {initial_values:.3f} %. {gap}."
    return (
        f"{gap}, against {initial_values:.3f} % with your settings. It was chosen by these runs, so they prove nothing."
    )


def describe_test(table: Table) -> str:
    """Describe whether the difference holds on other runs, by the study's own comparison."""
    comparisons = compare(table)
    verdict = list_verdicts(comparisons).get((TUNED_ENTRY, 0))
    if verdict is None:
        return "The test on other runs has not begun."
    waiting = table.plan is not None and bool((table.counts(table.runs) + table.plan.failed < table.plan.planned).any())
    test_instances = f"{verdict.instances} test instance{'s' if verdict.instances > 1 else ''}"
    opening = "So far, in" if waiting else "In"
    if verdict.outcome == "alike":
        return f"{opening} test runs with new seeds, both found equally short tours on {test_instances}."
    if verdict.outcome == "none":
        return (
            f"{opening} test runs with new seeds, there is no significant difference on {test_instances} (corrected p "
            f"at least {verdict.p:.2g}): the gain of the trials may be chance."
        )
    sentence = f"the tuned parameters are better on {verdict.wins} and worse on {verdict.losses} of {test_instances}"
    return (
        f"{opening} test runs with new seeds, {sentence} (corrected p below {LEVEL:g}); the others show no difference."
    )


def tuning_to_json(reader: StudyReader) -> dict[str, Any]:
    """Convert a tuning study's trials to JSON; empty for other studies."""
    tune = reader.spec.tune
    if tune is None:
        return {}
    trials = reader.trials()
    reference = reader.trial_references(trials)
    shares, count = reader.importances()
    best_trial = find_best(trials, reference)
    return {
        "trials": [
            {
                "number": trial.number,
                "params": trial.params,
                "state": trial.state,
                "runs": min(trial.counted, trial.count),
                "mean_gap_percent": gap if np.isfinite(gap := mean_gap(trial, reference)) else None,
                **({"sentence": trial.sentence} if trial.sentence else {}),
            }
            for trial in trials
        ],
        "trial_references": [
            {"instance": row.name, "length": int(length), "kind": kind}
            for row, length, kind in zip(reader.training, reference.length, reference.kind, strict=True)
        ],
        "importances": {"shares": shares, "trials": count},
        "best": None if best_trial is None else best_trial.number,
        "conclusion": describe_conclusion(reader.table(), trials, reference, tune.trials),
    }
