"""What a study does not show, in sentences: too few seeds, no proven optimum, runs that are missing, other devices."""

import numpy as np

from studies.stats.axes import Grid
from studies.stats.compare import LEVEL, Comparisons
from studies.stats.rank_test import least_p, least_sign_p
from studies.stats.references import BEST_HERE, BEST_KNOWN, References
from studies.stats.table import Table


def seeds_in_words(table: Table, found: Comparisons, level: float = LEVEL) -> str:
    """That there are too few seeds to show anything, or too few of some entry on some instance, if so.

    By the least p that so many runs can give; where all comparisons are concerned, corrected for their number.
    """
    groups = table.groups()
    sizes, tests = [rows.size for _, _, rows in groups], found.p.size
    leasts = np.array([_least(found, row) for row in range(tests)])
    if sizes and max(sizes) == 1:
        alone = len({entry for _, entry, _ in groups}) == 1
        differs = "another may end elsewhere." if alone else "what differs may be chance alone."
        start = f"One seed proves nothing: {differs}"
        return start if alone or not leasts.any() else f"{start} {_needed(found, level)}"
    if not tests or (leasts.max() < level and leasts.min() * tests < level):
        return ""
    if (least := float(leasts.min())) * tests < level:
        instance, entry, rows = min(groups, key=lambda group: group[2].size)
        return (
            f"Some runs are too few to show any difference, however large: the fewest are the {rows.size} of "
            f"{table.entries.labels[entry]} on {table.instances.names[instance]}."
        )
    corrected = f", {min(1.0, least * tests):.2g} when corrected for {tests} comparisons" if tests > 1 else ""
    few = f"{min(sizes)} to {max(sizes)}" if min(sizes) < max(sizes) else f"{max(sizes)}"
    return (
        f"{few} seeds are too few to show any difference, however large: the least p that they can give is "
        f"{least:.2g}{corrected}, and less than {level:g} is needed. {_needed(found, level)}"
    )


def _least(found: Comparisons, row: int) -> float:
    """The least p that a comparison could have had, by its numbers of runs and by how it is tested."""
    first, second, method = int(found.runs_first[row]), int(found.runs_second[row]), found.method[row]
    if method == "certain":
        return 0.0
    return least_sign_p(min(first, second)) if method == "sign" else least_p(first, second)


def _needed(found: Comparisons, level: float) -> str:
    """How many seeds could show a difference, by the test that asks for most."""
    tests, signs = max(found.p.size, 1), "sign" in found.method
    least = least_sign_p if signs else lambda seeds: least_p(seeds, seeds)
    return f"It takes {next(seeds for seeds in range(2, 100) if least(seeds) * tests < level)} seeds at least."


def held_in_words(table: Table, held: References) -> str:
    """What gaps are held against where that is not a proven optimum."""
    told = []
    for kind, means in (
        (BEST_KNOWN, "the best tour known, which is not proven to be the shortest"),
        (BEST_HERE, "the best tour of this study, so 0 % means the best here and proves nothing"),
    ):
        names = [table.instances.names[code] for code in np.unique(table.runs.instance) if held.kind[code] == kind]
        if names:
            told.append(f"Gaps of {listed(names)} are held against {means}.")
    return " ".join(told)


def coverage_in_words(table: Table) -> str:
    """Which entries lack instances that others have, so that curves over all instances mix different ones."""
    groups, all_instances = table.groups(), np.unique(table.runs.instance).size
    counts = {entry: 0 for _, entry, _ in groups}
    for _, entry, _ in groups:
        counts[entry] += 1
    lacking = [f"{table.entries.labels[entry]} on {count}" for entry, count in counts.items() if count < all_instances]
    if not lacking:
        return ""
    return (
        f"Not every entry has runs on all {all_instances} instances ({listed(lacking)}), "
        "so curves over all of them are not of the same instances."
    )


def devices_in_words(table: Table) -> str:
    """That seconds were measured on different devices."""
    devices = np.unique(table.runs.device).tolist()
    if len(devices) < 2:
        return ""
    return f"Seconds compare machines as well as algorithms: runs were on {listed(devices)}."


def grid_in_words(grid: Grid) -> str:
    """That a curve is drawn at a part of its places, if so."""
    return f"Drawn at {grid.x.size:,} of {grid.distinct:,} places where it may change." if grid.thinned else ""


def listed(names: list[str]) -> str:
    """Names with commas, and the last with an and."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
