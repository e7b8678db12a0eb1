"""Sentences about runs that are missing, identical, or ended before their budget."""

import numpy as np

from studies.report.cautions import join_names
from studies.stats.references import BEST_HERE, References
from studies.stats.table import Table

#: Maximum number of cells named.
_MAX_NAMED = 5
#: The axes of a budget's limits with their units; only the first one with a limit is reported.
_AXES = (("seconds", "s"), ("evaluations", "evaluations"), ("iterations", "iterations"))


def describe_shortfalls(table: Table, references: References) -> list[str]:
    """Return all of this module's sentences that apply."""
    all_sentences = (describe_missing(table), describe_unused(table), describe_repeated(table, references))
    return [sentence for sentence in all_sentences if sentence]


def describe_missing(table: Table) -> str:
    """Describe which runs failed, and how many are missing."""
    if table.plan is None:
        return ""
    finished, failed, planned = table.counts(table.runs), table.plan.failed, table.plan.planned
    affected = [
        f"{table.entries.labels[e]} has {finished[i, e]} of {planned[i, e]} runs on {table.instances.names[i]}, "
        f"{failed[i, e]} failed"
        for i, e in np.argwhere(failed).tolist()
    ]
    sentences = []
    if affected:
        rest = [f"{len(affected) - _MAX_NAMED} more have runs that failed"] if len(affected) > _MAX_NAMED else []
        text = "; ".join([*affected[:_MAX_NAMED], *rest])
        sentences.append(
            f"{text}. Runs that failed have no length, so they are in no median and in no comparison; for targets and "
            "expected running times they count as runs without success that used up their budget."
        )
    total, remaining = int(planned.sum()), int((planned - finished - failed).sum())
    if remaining:
        sentences.append(f"{remaining:,} of {total:,} runs are not done: these results may change.")
    return " ".join(sentences)


def describe_unused(table: Table) -> str:
    """Describe which entries ended before their budget, and how much of it they used.

    Deterministic entries are left out, since they have nothing left to do when they end.
    """
    limits = [] if table.plan is None else [(a, word, getattr(table.plan.budget, a)) for a, word in _AXES]
    axis, word, limit = next((limit for limit in limits if limit[2] is not None), ("", "", None))
    if limit is None:
        return ""
    affected = []
    for entry in np.unique(table.runs.entry).tolist():
        rows = table.entry_mask(entry)
        amounts = getattr(table.runs, axis)[rows & (table.runs.stop_reason == "completed")]
        if amounts.size and (not table.entries.random or table.entries.random[entry]):
            least, most = (
                f"{value:,.3g}" if axis == "seconds" else f"{value:,}" for value in (amounts.min(), amounts.max())
            )
            after = most if least == most else f"{least} to {most}"
            affected.append(
                f"{table.entries.labels[entry]} ended by itself in {amounts.size} of {rows.sum()} runs, "
                f"after {after} of {limit:,.10g} {word}"
            )
    return f"{'; '.join(affected)}: what it could have done with the rest is not known." if affected else ""


def describe_repeated(table: Table, references: References) -> str:
    """Describe which entries found the same length with every seed, although it is not known to be optimal.

    Entries declared deterministic are compared as a single run; others may be deterministic without declaring it.
    """
    lengths, affected = table.runs.length, []
    for instance, entry, rows in table.groups():
        is_random = not table.entries.random or table.entries.random[entry]
        best = (
            references.length[instance]
            if references.kind[instance] != BEST_HERE
            else lengths[table.runs.instance == instance].min()
        )
        if is_random and rows.size > 1 and (lengths[rows] == lengths[rows[0]]).all() and lengths[rows[0]] > best:
            affected.append(f"{table.entries.labels[entry]} on {table.instances.names[instance]}")
    if not affected:
        return ""
    rest = [f"{len(affected) - _MAX_NAMED} more"] if len(affected) > _MAX_NAMED else []
    return (
        f"Every seed gives the same length for {join_names([*affected[:_MAX_NAMED], *rest])}: if it is deterministic, "
        "its runs are one run, and p is lower than it should be."
    )
