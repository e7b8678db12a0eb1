"""Memory layout of the arrays from which ants on the CPU choose cities."""

import numpy as np

from solvers.algorithms.ants.kernels import choice_cpu as selections
from solvers.algorithms.ants.kernels.draw_cpu import GROUPS, LANES, SEGMENT
from solvers.algorithms.ants.kernels.walk_cpu import STATE
from solvers.algorithms.ants.variants import TRIALS
from solvers.core.neighbours import neighbours

#: The number that stands in kernels for each selection of `solvers.algorithms.ants.variants.SELECTIONS`, and ``lists``.
NUMBERS = {
    "without-compression": selections.WITHOUT_COMPRESSION,
    "with-compression": selections.WITH_COMPRESSION,
    "stochastic-trial": selections.STOCHASTIC_TRIAL,
    "hybrid": selections.HYBRID,
    "nearest-first": selections.NEAREST_FIRST,
    "lists": selections.LISTS,
    "i-roulette": selections.I_ROULETTE,
}
#: Selections that consider the nearest cities first.
NEAREST = ("nearest-first", "lists")


def allocate_choice(
    distances: np.ndarray, selection: str, candidates: int, trials: int = 1, switch: float = 100.0
) -> selections.Choice:
    """Allocate the arrays of a selection rule; rows are padded to a multiple of `LANES`.

    Parameters
    ----------
    distances : ndarray, shape (n, n), int32
    selection : str
        One of `NUMBERS`.
    candidates : int
        Number of nearest cities that ants consider first, if the selection is one of `NEAREST`.
    trials : int
    switch : float
        Percentage of visited cities above which ``hybrid`` reads only the unvisited ones.
    """
    n = len(distances)
    stride = row_stride(n)
    slots = pad(neighbours(distances, candidates if selection in NEAREST else 0))
    reach = slots.size // n
    prefixes = n * stride if selection in TRIALS else 0
    return selections.Choice(
        fitness=np.zeros(n * stride, np.float32),
        prefix=np.zeros(prefixes, np.float32),
        coarse=np.zeros(prefixes // SEGMENT, np.float32),
        neighbours=slots,
        near=np.zeros(n * reach, np.float32),
        others=np.zeros(n, np.float32),
        n=n,
        stride=stride,
        reach=reach,
        trials=trials,
        switch=int(np.ceil(switch / 100.0 * n)),
    )


def row_stride(n: int) -> int:
    """Return the padded length of a row of n cities, a multiple of `LANES`."""
    return -(-n // LANES) * LANES


def pad(lists: np.ndarray) -> np.ndarray:
    """Pad each city's list with the city itself, to a positive multiple of `GROUPS` entries.

    Parameters
    ----------
    lists : ndarray, shape (n, k), int32

    Returns
    -------
    ndarray, shape (n * reach,), int32
    """
    n, k = lists.shape
    slots = np.repeat(np.arange(n, dtype=np.int32)[:, None], max(1, -(-k // GROUPS)) * GROUPS, axis=1)
    slots[:, :k] = lists
    return slots.reshape(-1)


def allocate_walker(n: int, stride: int, trials: int = 1) -> selections.Walker:
    """Allocate one thread's workspace for walks; see `solvers.algorithms.ants.kernels.choice_cpu.Walker`."""
    return selections.Walker(
        open_=np.zeros(stride, np.float32),
        unvisited=np.zeros(n, np.int32),
        values=np.zeros(stride + GROUPS, np.float32),
        lanes=np.zeros(LANES + GROUPS, np.float32),
        trials=np.zeros(trials + 1, np.int64),
        state=np.zeros(STATE, np.int64),
    )
