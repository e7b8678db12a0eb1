"""Sentences on a study's limits: too few seeds, no proven optimum, missing instances, different devices."""

import numpy as np

from studies.stats.axes import Grid
from studies.stats.compare import LEVEL, Comparisons
from studies.stats.rank_test import correct_by_holm, min_p, min_sign_p
from studies.stats.references import BEST_HERE, BEST_KNOWN, References
from studies.stats.seeds import Pairs, min_seeds
from studies.stats.table import Table


def describe_seeds(table: Table, comparisons: Comparisons, level: float = LEVEL) -> str:
    """Return a caution if some comparisons have too few seeds to show a difference; else "".

    The caution is based on the smallest p-value that this number of runs can give, corrected for the number of
    comparisons.
    """
    groups = table.groups()
    sizes, tests = [rows.size for _, _, rows in groups], comparisons.p.size
    smallest_p = min_possible_p(comparisons)
    if sizes and max(sizes) == 1:
        single_entry = len({entry for _, entry, _ in groups}) == 1
        differs = "another may end elsewhere." if single_entry else "what differs may be chance alone."
        start = f"One seed proves nothing: {differs}"
        return (
            start
            if single_entry or not smallest_p.any()
            else f"{start} {_describe_needed_seeds(table, comparisons, level)}"
        )
    corrected, undecided = correct_by_holm(smallest_p), comparisons.method != "certain"
    if not tests or corrected.max() < level:
        return ""
    if (corrected[undecided] < level).any():
        if min(sizes) == max(sizes):
            return (
                f"{max(sizes)} seeds are too few to show a difference from a deterministic algorithm, however large. "
                f"{_describe_needed_seeds(table, comparisons, level)}"
            )
        instance, entry, rows = min(groups, key=lambda group: group[2].size)
        return (
            f"Some runs are too few to show any difference, however large: the fewest are the {rows.size} of "
            f"{table.entries.labels[entry]} on {table.instances.names[instance]}."
        )
    minimum, after = smallest_p[undecided].min(), corrected[undecided].min()
    correction = f", {after:.2g} when corrected for {tests} comparisons" if tests > 1 else ""
    seed_counts = f"{min(sizes)} to {max(sizes)}" if min(sizes) < max(sizes) else f"{max(sizes)}"
    return (
        f"{seed_counts} seeds are too few to show any difference, however large: the lowest p that they can give is "
        f"{minimum:.2g}{correction}, and less than {level:g} is needed. "
        f"{_describe_needed_seeds(table, comparisons, level)}"
    )


def min_possible_p(comparisons: Comparisons) -> np.ndarray:
    """Return each comparison's smallest possible p-value, (c,), uncorrected."""
    return np.array([_compute_min_p(comparisons, row) for row in range(comparisons.p.size)])


def _compute_min_p(comparisons: Comparisons, row: int) -> float:
    """Return a comparison's smallest possible p-value, given its runs and its test."""
    first, second, method = int(comparisons.runs_first[row]), int(comparisons.runs_second[row]), comparisons.method[row]
    if method == "certain":
        return 0.0
    return min_sign_p(min(first, second)) if method == "sign" else min_p(first, second)


def _describe_needed_seeds(table: Table, comparisons: Comparisons, level: float) -> str:
    """Say how many seeds the study needs so that every comparison can show a difference."""
    return f"It takes {min_seeds(Pairs.count_study_pairs(table, comparisons), level)} seeds at least."


def describe_references(table: Table, references: References) -> str:
    """Return a caution about gaps to references other than a proven optimum; else ""."""
    sentences = []
    for kind, means in (
        (BEST_KNOWN, "the best tour known, which is not proven to be the shortest"),
        (BEST_HERE, "the best tour of this study, so 0 % means the best here and proves nothing"),
    ):
        names = [
            table.instances.names[code] for code in np.unique(table.runs.instance) if references.kind[code] == kind
        ]
        if names:
            sentences.append(f"Gaps of {join_names(names)} are measured from {means}.")
    return " ".join(sentences)


def describe_coverage(table: Table) -> str:
    """Return a caution if some entries lack instances, so that curves average different instances; else ""."""
    groups, all_instances = table.groups(), np.unique(table.runs.instance).size
    counts = {entry: 0 for _, entry, _ in groups}
    for _, entry, _ in groups:
        counts[entry] += 1
    incomplete = [
        f"{table.entries.labels[entry]} on {count}" for entry, count in counts.items() if count < all_instances
    ]
    if not incomplete:
        return ""
    return (
        f"Not every entry has runs on all {all_instances} instances ({join_names(incomplete)}), "
        "so curves over all of them are not of the same instances."
    )


def describe_devices(table: Table) -> str:
    """Return a caution if seconds were measured on different devices; else ""."""
    devices = np.unique(table.runs.device).tolist()
    if len(devices) < 2:
        return ""
    return f"Seconds compare machines as well as algorithms: runs were on {join_names(devices)}."


def describe_grid(grid: Grid) -> str:
    """Return a note if a curve is drawn at only some of the points where it may change; else ""."""
    return f"Drawn at {grid.x.size:,} of {grid.distinct:,} points where it may change." if grid.is_thinned else ""


def join_names(names: list[str]) -> str:
    """Join names, as in ``A, B and C``."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
