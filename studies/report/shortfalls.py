"""What runs of a study do not show, in sentences: they are missing, have ended early, or are all one run."""

import numpy as np

from studies.report.cautions import listed
from studies.stats.references import BEST_HERE, References
from studies.stats.table import Table

#: Cells that are named; of more, how many there are.
_NAMED = 5
#: The axes of a budget's limits, and the words for them, in the order in which one is chosen.
_SPENT = (("seconds", "s"), ("evaluations", "evaluations"), ("iterations", "iterations"))


def shortfalls_in_words(table: Table, held: References) -> list[str]:
    """All that there is to say of it."""
    told = (missing_in_words(table), unused_in_words(table), repeated_in_words(table, held))
    return [sentence for sentence in told if sentence]


def missing_in_words(table: Table) -> str:
    """Which runs failed, and how many are not done yet; every number is of the finished ones."""
    if table.plan is None:
        return ""
    finished, failed, planned = table.counts(table.runs), table.plan.failed, table.plan.planned
    told = [
        f"{table.entries.labels[e]} has {finished[i, e]} of {planned[i, e]} runs on {table.instances.names[i]}, "
        f"{failed[i, e]} failed"
        for i, e in np.argwhere(failed).tolist()
    ]
    sentences = []
    if told:
        more = [f"{len(told) - _NAMED} more have runs that failed"] if len(told) > _NAMED else []
        whole = "; ".join([*told[:_NAMED], *more])
        sentences.append(
            f"{whole}. Runs that failed have no length, so they are in no median and in no comparison; for targets and "
            "expected running times they count as runs without success that used up their budget."
        )
    total, left = int(planned.sum()), int((planned - finished - failed).sum())
    if left:
        sentences.append(f"{left:,} of {total:,} runs are not done: what is told here may change.")
    return " ".join(sentences)


def unused_in_words(table: Table) -> str:
    """Which entries ended by themselves before their budget was spent, and after how much of it.

    An entry without chance has done all it can when it ends, so it is not told of those.
    """
    limits = [] if table.plan is None else [(a, word, getattr(table.plan.budget, a)) for a, word in _SPENT]
    axis, word, limit = next((each for each in limits if each[2] is not None), ("", "", None))
    if limit is None:
        return ""
    told = []
    for entry in np.unique(table.runs.entry).tolist():
        rows = table.of_entry(entry)
        spent = getattr(table.runs, axis)[rows & (table.runs.stop_reason == "completed")]
        if spent.size and (not table.entries.chance or table.entries.chance[entry]):
            least, most = (
                f"{value:,.3g}" if axis == "seconds" else f"{value:,}" for value in (spent.min(), spent.max())
            )
            after = most if least == most else f"{least} to {most}"
            told.append(
                f"{table.entries.labels[entry]} ended by itself in {spent.size} of {rows.sum()} runs, "
                f"after {after} of {limit:,.10g} {word}"
            )
    return f"{'; '.join(told)}: what it could have done with the rest is not known." if told else ""


def repeated_in_words(table: Table, held: References) -> str:
    """Which entries came to one and the same length with every seed, though it is not known to be the best.

    Those that declare that there is no chance in them are compared as one run; of others, nobody knows.
    """
    lengths, told = table.runs.length, []
    for instance, entry, rows in table.groups():
        drawn = not table.entries.chance or table.entries.chance[entry]
        best = (
            held.length[instance]
            if held.kind[instance] != BEST_HERE
            else lengths[table.runs.instance == instance].min()
        )
        if drawn and rows.size > 1 and (lengths[rows] == lengths[rows[0]]).all() and lengths[rows[0]] > best:
            told.append(f"{table.entries.labels[entry]} on {table.instances.names[instance]}")
    if not told:
        return ""
    more = [f"{len(told) - _NAMED} more"] if len(told) > _NAMED else []
    return (
        f"Every seed gives the same length for {listed([*told[:_NAMED], *more])}: if no chance is in it, its runs are "
        "one run, and p is lower than it should be."
    )
