"""Uncrosses weighted sets of cities, so that any two sets are nested or disjoint."""


def uncross(n: int, weights: dict[int, int]) -> dict[int, int]:
    """Replace crossing sets by others of the same total weight.

    For every edge, the total weight of the sets that it leaves does not grow, so a dual solution remains valid. Each
    replacement lowers the sum of weight · size · (n − size), so the work comes to an end.

    G. Cornuéjols, J. Fonlupt and D. Naddef, "The Traveling Salesman Problem on a Graph and Some Related Integer
    Polyhedra" (1985).

    Parameters
    ----------
    n : int
        Number of cities.
    weights : dict of int to int
        Positive weights of sets; bit c of a set is 1 if the set contains city c.

    Returns
    -------
    dict of int to int
        Weights of sets of at most n / 2 cities; a set may be a single city.
    """
    laminar: dict[int, int] = {}
    pending = [(_choose_smaller_side(n, inside), weight) for inside, weight in weights.items()]
    while pending:
        inside, weight = pending.pop()
        other = next((member for member in laminar if _are_crossing(inside, member)), None)
        if other is None:
            laminar[inside] = laminar.get(inside, 0) + weight
            continue
        common = min(weight, laminar[other])
        laminar[other] -= common
        if not laminar[other]:
            del laminar[other]
        # Either pair would do. If a union has more than half of the cities, its complement stands for it.
        union, shared = inside | other, inside & other
        pair = (shared, union) if 2 * union.bit_count() <= n else (inside & ~other, other & ~inside)
        pending += [(_choose_smaller_side(n, member), common) for member in pair]
        if weight > common:
            pending.append((inside, weight - common))
    return laminar


def _choose_smaller_side(n: int, inside: int) -> int:
    """Return the smaller of a set and its complement; of two halves, the one with city 0."""
    size = inside.bit_count()
    return inside if 2 * size < n or (2 * size == n and inside & 1) else inside ^ ((1 << n) - 1)


def _are_crossing(one: int, other: int) -> bool:
    """Return whether two sets of at most half of the cities are neither nested nor disjoint."""
    shared = one & other
    return shared not in (0, one, other)
