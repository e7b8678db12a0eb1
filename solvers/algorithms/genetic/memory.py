"""The memory a population needs, and its limit. Plain Python: pages may import it."""

from data.limits import MAX_MATRIX

#: Maximum size of distances and tours in bytes.
MEMORY = 4_000_000_000
#: Bytes per city and tour: two neighbours in two generations, and the position in the first tour.
_BYTES_PER_CITY = 20


def too_large_reason(name: str, n: int, population: int, doubled: bool = False) -> str:
    """Return in one sentence why a population does not fit into memory; empty if it does.

    Parameters
    ----------
    name : str
        The instance's name.
    n, population : int
    doubled : bool
        Whether tours and distances of pairs are stored as well; see `solvers.core.doubled_cities`.
    """
    if n > MAX_MATRIX:
        return f"{name} has {n:,} cities; with distances between all of them at most {MAX_MATRIX:,} can run."
    times = 2 if doubled else 1
    needed = 4 * n * n * (1 + 4 * doubled) + _BYTES_PER_CITY * population * n * times
    if needed <= MEMORY:
        return ""
    return (
        f"{name} has {n:,} cities; distances and a population of {population:,} need {needed / 1e9:.1f} GB, and "
        f"{MEMORY / 1e9:.0f} GB is the most: use fewer cities or tours."
    )
