"""How much memory colonies need on the CPU, and the limit on it. Plain Python: pages may import it."""

from data.limits import MAX_MATRIX
from solvers.algorithms.ants.variants import TRIALS

#: The maximum size of matrices and tours together, in bytes.
MEMORY = 4_000_000_000
#: Bytes per pair of cities: with the prefix sums of whole rows, which trials need, and without them.
_PREFIXED = 20
_PLAIN = 16


def matrices_size(n: int, selection: str) -> int:
    """Return the bytes of the matrices for n cities: distances, trails, fitness, eta, and any prefix sums."""
    return (_PREFIXED if selection in TRIALS else _PLAIN) * n * n


def too_large_reason(name: str, n: int, ants: int, matrices: int, colonies: int = 1) -> str:
    """Return a sentence saying why a run's colonies do not fit into memory; empty if they do.

    Parameters
    ----------
    name : str
        The instance's name.
    n : int
    ants : int
        Number of ants in one colony.
    matrices : int
        Size of one colony in bytes, without its tours.
    colonies : int
    """
    if n > MAX_MATRIX:
        return f"{name} has {n:,} cities; with trails between all of them at most {MAX_MATRIX:,} can run."
    needed = colonies * (matrices + 4 * ants * n)
    if needed <= MEMORY:
        return ""
    return (
        f"{name} has {n:,} cities; with {colonies * ants:,} ants, trails, distances and tours need "
        f"{needed / 1e9:.1f} GB, and {MEMORY / 1e9:.0f} GB is the most: use fewer cities or ants."
    )
