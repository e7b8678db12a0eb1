"""Trails of Ant Colony System on one core: the raised edges, their levels, and the weights of choices.

Equations are numbered as in M. Dorigo and L. M. Gambardella, "Ant Colony System: A Cooperative Learning Approach to the
Traveling Salesman Problem" (1997). Trails are in units of tau_0. `edges` is always a
`solvers.algorithms.ants.acs.trails_cpu.RaisedEdges`.
"""

import numpy as np

from solvers.kernels.compiler import njit

#: A trail counts towards the branching factor if it exceeds the minimum by this share of the range.
_LAMBDA = 0.05
_ZERO, _ONE = np.float32(0.0), np.float32(1.0)
#: The slot of the direction that a directed edge lacks.
_NO_SIDE = -2


@njit(cache=True, nogil=True)
def slot_between(neighbours, reach, current, neighbour):
    """Return the slot of `neighbour` among the nearest cities of `current`, or -1."""
    first = np.int64(current) * np.int64(reach)
    for slot in range(first, first + np.int64(reach)):
        if neighbours[slot] == neighbour:
            return slot
    return np.int64(-1)


@njit(cache=True, nogil=True)
def far_record(ends, link, head, current, neighbour):
    """Return the record of an edge to a city that is not near, or -1."""
    entry = head[current]
    while entry >= 0:
        if ends[entry >> 1, 1 - (entry & 1)] == neighbour:
            return np.int64(entry >> 1)
        entry = link[entry]
    return np.int64(-1)


@njit(cache=True, nogil=True)
def record_between(neighbours, raised, ends, link, head, reach, current, neighbour):
    """Return the record of an edge, or -1."""
    slot = slot_between(neighbours, reach, current, neighbour)
    return np.int64(raised[slot]) if slot >= 0 else far_record(ends, link, head, current, neighbour)


@njit(cache=True, nogil=True)
def show(near, eta, fitness, far_eta, ends, slots, trail, stride, record, level):
    """Set the trail that ants see on a record's edge, in each of its directions."""
    trail[record] = level
    for side in range(2):
        slot = slots[record, side]
        if slot >= 0:
            near[slot] = level * eta[slot]
        elif slot != _NO_SIDE:
            row, city = np.uint64(ends[record, side]), np.uint64(ends[record, 1 - side])
            fitness[row * np.uint64(stride) + city] = level * far_eta[record, side]


@njit(cache=True, nogil=True)
def local_update(near, eta, fitness, far_eta, ends, slots, trail, stride, record, keep):
    """Apply the local update to a record's trail (equation 5): u becomes 1 + (u - 1) * keep."""
    level = _ONE + (trail[record] - _ONE) * keep
    show(near, eta, fitness, far_eta, ends, slots, trail, stride, record, level)


@njit(cache=True, nogil=True)
def power(base, exponent):
    """Raise `base` to a non-negative integer power, rounded identically on every processor."""
    result = 1.0
    while exponent > 0:
        if exponent & 1:
            result *= base
        base *= base
        exponent >>= 1
    return result


@njit(cache=True, nogil=True)
def local_updates(edges, visits, keep):
    """Apply all local updates of an iteration (equation 5): u becomes 1 + (u - 1) * keep**visits, in whatever order.

    Parameters
    ----------
    edges : RaisedEdges
        Its levels are changed in place.
    visits : ndarray, shape (cap,), int32
        Number of ants that took each record's edge.
    keep : float64
        1 - rho.
    """
    for record in range(edges.records[0]):
        edges.level[record] = 1.0 + (edges.level[record] - 1.0) * power(keep, np.int64(visits[record]))


@njit(cache=True, nogil=True)
def add(edges, current, neighbour):
    """Add a record at level 1 for a new edge; return its index, or -1 if there is no space."""
    record = edges.records[0]
    if record == edges.level.size:
        return np.int64(-1)
    edges.records[0] += 1
    edges.level[record] = _ONE
    for side in range(2):
        row, city = (current, neighbour) if side == 0 else (neighbour, current)
        edges.ends[record, side] = row
        if side == edges.sides:
            edges.slots[record, side] = _NO_SIDE
            break
        slot = slot_between(edges.neighbours, edges.reach, row, city)
        edges.slots[record, side] = slot
        if slot >= 0:
            edges.raised[slot] = record
        else:
            edges.far_eta[record, side] = edges.fitness[np.int64(row) * edges.stride + city]
            edges.link[2 * record + side] = edges.head[row]
            edges.head[row] = 2 * record + side
    return record


@njit(cache=True, nogil=True)
def reward(edges, order, target, alpha):
    """Apply the global update (equation 4) to a tour: u becomes (1 - alpha) u + alpha * target, at least 1.

    Parameters
    ----------
    edges : RaisedEdges
        Changed in place.
    order : ndarray, shape (n,), int32
    target : float64
        n * L_nn / L, where L is the tour's length: 1 / L in units of tau_0.
    alpha : float64
    """
    n = order.size
    for place in range(n if n > 2 else n - 1):
        current, neighbour = order[place], order[place + 1 if place + 1 < n else 0]
        record = record_between(
            edges.neighbours, edges.raised, edges.ends, edges.link, edges.head, edges.reach, current, neighbour
        )
        if record < 0:
            record = add(edges, current, neighbour)
        if record >= 0:
            edges.level[record] = max(1.0, (1.0 - alpha) * edges.level[record] + alpha * target)


@njit(cache=True, nogil=True)
def show_all(edges):
    """Copy the levels of all records to the trails that ants see."""
    for record in range(edges.records[0]):
        show(
            edges.near, edges.eta, edges.fitness, edges.far_eta, edges.ends, edges.slots, edges.trail, edges.stride,
            record, edges.level[record],
        )  # fmt: skip


@njit(cache=True, nogil=True)
def bound_rows(edges, first, last):
    """Update the bounds of rows `first` to `last` - 1: the sorted slots, and the sum and maximum of the other cities.

    The other cities' weights have changed only if the row contains the far side of a record.
    """
    for row in range(first, last):
        begin, end = row * edges.reach, (row + 1) * edges.reach
        # Insertion sort, since the order has hardly changed since the previous iteration.
        for at in range(begin, end):
            slot, k = edges.ranked[at], at
            weight, city = edges.near[slot], edges.neighbours[slot]
            while k > begin:
                before = edges.ranked[k - 1]
                if edges.near[before] > weight or (edges.near[before] == weight and edges.neighbours[before] <= city):
                    break
                edges.ranked[k], edges.bound[k] = before, edges.near[before]
                k -= 1
            edges.ranked[k], edges.bound[k] = slot, weight
        if edges.head[row] >= 0:
            total, greatest = 0.0, _ZERO
            for weight in edges.fitness[row * edges.stride : (row + 1) * edges.stride]:
                total += weight
                greatest = max(greatest, weight)
            edges.others[row], edges.greatest[row] = total, greatest


@njit(cache=True, nogil=True)
def describe(edges, entropy, branching):
    """Compute each city's entropy in bits and its lambda-branching factor; only raised trails differ from 1.

    L. M. Gambardella and M. Dorigo, "Ant-Q: A Reinforcement Learning Approach to the Traveling Salesman Problem"
    (1995).

    Parameters
    ----------
    edges : RaisedEdges
    entropy, branching : ndarray, shape (n,), float64
        Written in place.
    """
    n, ends, level = edges.n, edges.ends, edges.level
    total, minimum, greatest, number = np.zeros(n), np.full(n, np.inf), np.ones(n), np.zeros(n, np.int64)
    entropy[:] = 0.0
    for record in range(edges.records[0]):
        u = np.float64(level[record])
        for side in range(edges.sides):
            city = ends[record, side]
            number[city] += 1
            total[city] += u
            entropy[city] += u * np.log2(u)
            minimum[city], greatest[city] = min(minimum[city], u), max(greatest[city], u)
    for city in range(n):
        default_count = n - 1 - number[city]
        total[city] += default_count
        entropy[city] = max(0.0, np.log2(total[city]) - entropy[city] / total[city]) if n > 1 else 0.0
        low = 1.0 if default_count else minimum[city]
        minimum[city] = low + _LAMBDA * (greatest[city] - low)
        branching[city] = default_count if low >= minimum[city] else 0
    for record in range(edges.records[0]):
        for side in range(edges.sides):
            city = ends[record, side]
            branching[city] += level[record] >= minimum[city]


@njit(cache=True, nogil=True)
def find_records(edges, order):
    """Return the record of each tour edge, (n,) int64; -1 for edges that have no record."""
    n = np.uint64(order.size)
    records = np.empty(order.size, np.int64)
    for k in range(n):
        current = np.uint64(order[k])
        neighbour = np.uint64(order[k + np.uint64(1) if k + np.uint64(1) < n else np.uint64(0)])
        records[k] = record_between(
            edges.neighbours,
            edges.raised,
            edges.ends,
            edges.link,
            edges.head,
            np.uint64(edges.reach),
            current,
            neighbour,
        )
    return records
