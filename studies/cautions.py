"""What a study does not show, in sentences: too few seeds, no proven optimum, runs that are missing, other devices."""

import numpy as np

from studies.axes import Grid
from studies.compare import LEVEL, Comparisons
from studies.rank_test import least_p
from studies.references import BEST_HERE, BEST_KNOWN, References
from studies.table import Table


def seeds_in_words(table: Table, found: Comparisons, level: float = LEVEL) -> str:
    """That there are too few seeds to show anything, if so: by the least p that so many runs can give, corrected."""
    most = max((rows.size for _, _, rows in table.groups()), default=0)
    tests = found.p.size
    sizes = np.unique(np.stack([found.runs_first, found.runs_second], axis=1), axis=0).tolist()
    least = min((least_p(first, second) for first, second in sizes), default=0.0)
    if most == 1:
        start = "One seed proves nothing: what differs may be chance alone."
    elif least * tests >= level:
        corrected = f", {min(1.0, least * tests):.2g} when corrected for {tests} comparisons" if tests > 1 else ""
        start = (
            f"{most} seeds are too few to show any difference, however large: the least p that they can give is "
            f"{least:.2g}{corrected}, and less than {level:g} is needed."
        )
    else:
        return ""
    needed = next(seeds for seeds in range(2, 100) if least_p(seeds, seeds) * max(tests, 1) < level)
    return f"{start} It takes {needed} seeds at least."


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
