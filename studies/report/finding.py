"""A study's finding in a sentence or two: the best entry, its lead, and significance."""

import numpy as np

from studies.report.cautions import join_names, min_possible_p
from studies.report.sentences import describe_friedman
from studies.report.verdicts import Verdict, list_verdicts
from studies.stats.compare import LEVEL, Comparisons, compare
from studies.stats.quantiles import compute_quantiles
from studies.stats.rank_test import correct_by_holm
from studies.stats.ranks import Ranks, rank_entries
from studies.stats.references import BEST_HERE, References, find_references, gap_percent
from studies.stats.table import Table

#: Average ranks that differ by less are equal up to rounding.
_TOLERANCE = 1e-9


def describe_study_finding(table: Table) -> str:
    """Return a whole study's finding; empty if there is none."""
    return describe_finding(table, find_references(table), compare(table), rank_entries(table))


def describe_finding(table: Table, references: References, comparisons: Comparisons, ranks: Ranks) -> str:
    """Describe which entry ranks best, and whether its lead is significant.

    Empty while runs are missing, for a single entry, and if no instance has runs of every entry or the best of them has
    no tour.
    """
    if ranks.entries.size < 2 or not ranks.instances.size or not _is_complete(table):
        return ""
    order = np.argsort(ranks.average, kind="stable")
    average = ranks.average[order]
    best = ranks.entries[order[average - average[0] < _TOLERANCE]].tolist()
    if not np.isfinite(_compute_median_gap(table, references, ranks, best[0])):
        return ""
    scope = _describe_instances(table, ranks)
    if len(best) > 1:
        return _describe_tie(table, comparisons, ranks, best, scope)
    return (
        f"{_describe_lead(table, references, ranks, order, scope)} {_describe_significance(comparisons, ranks, order)}"
    )


def _is_complete(table: Table) -> bool:
    """Return whether all runs have ended."""
    plan = table.plan
    return plan is None or bool((table.counts(table.runs) + plan.failed >= plan.planned).all())


def _describe_instances(table: Table, ranks: Ranks) -> str:
    """Describe the ranked instances, on which every entry has runs."""
    count, every = ranks.instances.size, np.unique(table.runs.instance).size
    if count == 1:
        name = table.instances.names[ranks.instances[0]]
        return f"on {name}" if every == 1 else f"on {name}, the only instance that every entry has runs of"
    return (
        f"on {count} instances"
        if count == every
        else f"on the {count} of {every} instances that every entry has runs of"
    )


def _describe_lead(table: Table, references: References, ranks: Ranks, order: np.ndarray, scope: str) -> str:
    """Describe the first entry's lead in `order`: by gaps, or by rank if gaps do not suffice."""
    best, following = (table.entries.labels[ranks.entries[k]] for k in order[:2])
    first, second = (_compute_median_gap(table, references, ranks, int(ranks.entries[k])) for k in order[:2])
    everywhere = bool((ranks.ranks[:, order[0]] == 1).all())
    if everywhere and first < second and _format_gap(first) != _format_gap(second):
        if all(references.kind[code] == BEST_HERE for code in ranks.instances):
            return (
                f"{best} has the shortest tours {scope}: median gap to the best tour of this study "
                f"{_format_gap(first)} "
                f"%, before {following} with {_format_gap(second)} %."
            )
        return (
            f"{best} has the shortest tours {scope}: median gap {_format_gap(first)} %, "
            f"before {following} with {_format_gap(second)} %."
        )
    one, two = ranks.average[order[:2]]
    if everywhere:
        return f"{best} has the shortest tours {scope}, before {following}."
    return f"{best} ranks best on average {scope}: {one:.2f}, before {following} with {two:.2f}."


def _compute_median_gap(table: Table, references: References, ranks: Ranks, entry: int) -> float:
    """Return an entry's median gap over all runs on these instances, as at the end of its gap curve.

    NaN without a tour.
    """
    rows = table.entry_mask(entry) & np.isin(table.runs.instance, ranks.instances)
    gaps = gap_percent(table.runs.length[rows], references.length[table.runs.instance[rows]])
    return float(compute_quantiles(gaps, (0.5,))[0])


def _format_gap(gap: float) -> str:
    """Format a gap, never rounding a non-zero one to zero."""
    return f"{gap:.2f}" if gap >= 0.005 else f"{gap:.1g}" if gap >= 1e-4 else "0" if gap == 0 else "less than 0.0001"


def _describe_tie(table: Table, comparisons: Comparisons, ranks: Ranks, best: list[int], scope: str) -> str:
    """Describe a tie of several best entries, with or without equal lengths in all runs."""
    names = join_names([table.entries.labels[entry] for entry in sorted(best)])
    if comparisons.all_equal[_find_pairs(comparisons, ranks, best)].all():
        return f"All runs of {names} end with tours of the same length {scope}."
    return f"No entry comes first {scope}: {names} share the best average rank."


def _describe_significance(comparisons: Comparisons, ranks: Ranks, order: np.ndarray) -> str:
    """Say whether the first two entries of `order` differ significantly, or why this is unknown."""
    first, second = ranks.entries[order[:2]].tolist()
    pair = _find_pairs(comparisons, ranks, [first, second])
    if (comparisons.method[pair] == "certain").all():
        return "Both are deterministic: chance has no part in it."
    verdict = list_verdicts(comparisons.take(pair))[first, second]
    if verdict.wins or verdict.losses:
        return " ".join(filter(None, (_describe_verdict(verdict), describe_friedman(ranks))))
    if correct_by_holm(min_possible_p(comparisons))[pair].min() >= LEVEL:
        return "The seeds are too few to show whether that is more than chance."
    return "That may be chance: the difference is not significant."


def _find_pairs(comparisons: Comparisons, ranks: Ranks, entries: list[int]) -> np.ndarray:
    """Return a mask of comparisons between two of these entries on ranked instances, (c,) bool."""
    is_pair = np.isin(comparisons.first, entries) & np.isin(comparisons.second, entries)
    return is_pair & np.isin(comparisons.instance, ranks.instances)


def _describe_verdict(verdict: Verdict) -> str:
    """Describe on how many instances the difference is significant."""
    if verdict.losses:
        return (
            f"Its tours are significantly shorter on {verdict.wins} of {verdict.instances} instances, "
            f"and longer on {verdict.losses}."
        )
    if verdict.instances == 1:
        return f"The difference is significant (p < {LEVEL:g})."
    return f"The difference is significant on {verdict.wins} of {verdict.instances} instances."
