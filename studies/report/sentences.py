"""Sentences about a study's limits and the ranking of its entries."""

import numpy as np

from studies.report.cautions import describe_coverage, describe_devices, describe_references, describe_seeds, join_names
from studies.report.shortfalls import describe_shortfalls
from studies.stats.compare import LEVEL, Comparisons
from studies.stats.ranks import Ranks
from studies.stats.references import References
from studies.stats.table import Table

#: Maximum number of instances named.
_MAX_NAMED = 5


def list_cautions(table: Table, references: References, comparisons: Comparisons, level: float = LEVEL) -> list[str]:
    """Describe the limits of a study's results, one sentence each."""
    sentences = [
        describe_seeds(table, comparisons, level),
        describe_references(table, references),
        describe_coverage(table),
        *describe_shortfalls(table, references),
        describe_devices(table),
    ]
    return [sentence for sentence in sentences if sentence]


def _choose_level(p: float, level: float) -> str:
    """Return the smallest customary level above a corrected p-value, at most `level`; `p` must be below `level`."""
    return f"{min(bound for bound in (0.001, 0.01, level) if p < bound):g}"


def describe_ranks(table: Table, ranks: Ranks) -> str:
    """Describe average ranks, best first, omitted instances, and whether ranks differ; empty for one entry."""
    if ranks.entries.size < 2:
        return ""
    if not ranks.instances.size:
        return "No instance has runs of every entry, so there are no ranks."
    count, order = ranks.instances.size, np.argsort(ranks.average, kind="stable")
    placed = join_names([f"{table.entries.labels[ranks.entries[k]]} {ranks.average[k]:.2f}" for k in order])
    text = f"Average ranks over {count} instance{'s' if count > 1 else ''}: {placed}.{_describe_omitted(table, ranks)}"
    if np.isnan(ranks.p):
        return f"{text} Ranks are tested from three entries and two instances on."
    if ranks.p >= ranks.level:
        return " ".join((text, describe_friedman(ranks)))
    return (
        f"{text} They differ by Friedman's test (p < {_choose_level(ranks.p, ranks.level)}), "
        f"any two that are {ranks.critical_difference:.2f} apart by Nemenyi's."
    )


def describe_friedman(ranks: Ranks) -> str:
    """Say that the overall test shows no difference; empty if it shows one, or if there was no test."""
    if np.isnan(ranks.p) or ranks.p < ranks.level:
        return ""
    return f"Over all instances together, Friedman's test shows no difference (p = {ranks.p:.2g})."


def _describe_omitted(table: Table, ranks: Ranks) -> str:
    """Say which instances do not count and which entries lack runs; the text starts with a space, or is empty."""
    counts, left_out = table.counts(table.runs), []
    for instance in np.setdiff1d(np.unique(table.runs.instance), ranks.instances).tolist():
        lacking = [table.entries.labels[entry] for entry in ranks.entries if not counts[instance, entry]]
        left_out.append(f"{table.instances.names[instance]} (no run of {join_names(lacking)})")
    if not left_out:
        return ""
    rest = [f"{len(left_out) - _MAX_NAMED} more"] if len(left_out) > _MAX_NAMED else []
    return f" Left out: {join_names([*left_out[:_MAX_NAMED], *rest])}."
