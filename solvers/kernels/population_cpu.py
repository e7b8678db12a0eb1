"""How diverse a population is: the number of distinct edges, and of edges in common with the best tour."""

from solvers.kernels.compiler import njit


@njit(cache=True, nogil=True)
def link(orders, links):
    """Write each city's two neighbours in each tour to ``links`` (m, n, 2) int32, given ``orders`` (m, n) int32."""
    for k in range(orders.shape[0]):
        n = orders.shape[1]
        for place in range(n):
            city = orders[k, place]
            links[k, city, 0] = orders[k, place - 1 if place else n - 1]
            links[k, city, 1] = orders[k, place + 1 if place + 1 < n else 0]


@njit(cache=True, nogil=True)
def count_edges(links, best, first, last, seen):
    """Count the edges from cities `first` to `last` - 1 to cities of a higher index.

    Parameters
    ----------
    links : ndarray, shape (m, n, 2), int32
        The two neighbours of each city in each tour.
    best : int
        Index of the tour with which the others are compared.
    first, last : int
    seen : ndarray, shape (n,), int32
        Working memory; -1 before the first call.

    Returns
    -------
    distinct, own, shared : int
        Number of distinct edges in all tours; number of edges in the best tour; number of edges, counted once per tour,
        that other tours have in common with the best one.
    """
    distinct, own, shared = 0, 0, 0
    for city in range(first, last):
        one, other = links[best, city, 0], links[best, city, 1]
        for k in range(links.shape[0]):
            for side in range(2):
                to = links[k, city, side]
                if to <= city or (side == 1 and to == links[k, city, 0]):
                    continue
                if seen[to] != city:
                    seen[to] = city
                    distinct += 1
                if to in (one, other):
                    shared += k != best
                    own += k == best
    return distinct, own, shared
