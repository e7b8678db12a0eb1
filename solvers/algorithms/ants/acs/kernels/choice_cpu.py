"""Choice of an ant's next city in Ant Colony System on one core.

M. Dorigo and L. M. Gambardella, "Ant Colony System: A Cooperative Learning Approach to the Traveling Salesman Problem"
(1997), equation 3: with probability q0 an ant goes to the city with the greatest weight, else it draws one. The arrays
of `solvers.algorithms.ants.acs.trails_cpu.RaisedEdges` are separate arguments: reading them from that record at each
choice would make it take half as long again, since Numba counts references.
"""

from typing import NamedTuple

import numpy as np

from solvers.algorithms.ants.acs.kernels.trails_cpu import far_record, record_between
from solvers.algorithms.ants.kernels.choice_cpu import lists, nearest_first
from solvers.algorithms.ants.kernels.draw_cpu import heaviest_open, uniform
from solvers.kernels.compiler import njit

_CLOSED, _ZERO = np.float32(0.0), np.float32(0.0)
_NO_RECORD = np.int64(-1)


class Rule(NamedTuple):
    """How the ants of an iteration choose, and how they change trails.

    Attributes
    ----------
    listed : bool
        Whether ants go only to nearest cities while one of these is unvisited.
    seed : uint64
    first_stream : uint64
        Random stream of ant 0; ant a uses stream `first_stream` + a.
    q0 : float32
    keep : float32
        1 - rho.
    racy : bool
        Whether ants update trails as they walk. Even then, the result does not depend on where slices end.
    """

    listed: bool
    seed: np.uint64
    first_stream: np.uint64
    q0: np.float32
    keep: np.float32
    racy: bool


@njit(forceinline=True)
def find_best_near(neighbours, near, ranked, bound, open_, first, last):
    """Return the slot of the unvisited near city with the greatest weight, or -1, and the weight.

    Ties go to the lowest city.

    Slots are searched in descending order of their weights at the start of the iteration. Since weights only decrease
    during an iteration, the search ends where no remaining slot can reach the best weight found.
    """
    best_slot, best = _NO_RECORD, _ZERO
    for k in range(first, last):
        if bound[k] < best or bound[k] == _ZERO:
            break
        slot = np.uint64(ranked[k])
        city = np.uint64(neighbours[slot])
        if open_[city] > _CLOSED:
            weight = near[slot]
            if weight > best or (weight == best and city < np.uint64(neighbours[np.uint64(best_slot)])):
                best_slot, best = np.int64(slot), weight
    return best_slot, best


@njit(forceinline=True)
def exploit(neighbours, near, ranked, bound, fitness, greatest, open_, values, current, stride, reach, listed):
    """Return the unvisited city with the greatest weight, and its slot or -1; ties go to the lowest city.

    With candidate lists (`listed`), the row is read only if all near cities are visited. Otherwise it is read only if
    its greatest weight, be that city visited or not, is at least the greatest weight of the unvisited near cities.
    """
    first = current * reach
    slot, best = find_best_near(neighbours, near, ranked, bound, open_, first, first + reach)
    if slot < 0 or (not listed and greatest[current] >= best):
        city = heaviest_open(fitness, current * stride, open_, stride, values)
        weight = values[city]
        if weight > best or (weight == best and slot >= 0 and city < np.uint64(neighbours[slot])):
            return city, _NO_RECORD
    return np.uint64(neighbours[slot]), slot


@njit(forceinline=True)
def choose(
    neighbours, near, ranked, bound, raised, fitness, others, greatest, ends, link, head, open_, values, lanes, current,
    stride, reach, rule, stream, step,
):  # fmt: skip
    """Choose the ant's next city; return it, the record of its edge or -1, and the maximum number of weights read."""
    seed = rule.seed
    if uniform(seed, stream, step) <= rule.q0:
        next_city, slot = exploit(
            neighbours, near, ranked, bound, fitness, greatest, open_, values, current, stride, reach, rule.listed
        )
        if slot >= 0:
            return next_city, np.int64(raised[slot]), np.int64(reach)
        return next_city, far_record(ends, link, head, current, next_city), np.int64(stride)
    first_draw = step + np.uint64(1)
    if rule.listed:
        next_city = lists(
            fitness, neighbours, near, open_, values, current, stride, reach, uniform(seed, stream, first_draw)
        )
    else:
        next_city = nearest_first(
            fitness, neighbours, near, others, open_, values, lanes, current, stride, reach, seed, stream, first_draw
        )
    return next_city, record_between(neighbours, raised, ends, link, head, reach, current, next_city), np.int64(stride)
