"""Edge assembly crossover for many cities: a child applies several AB-cycles, each the best of a group.

Y. Nagata and S. Kobayashi, "A Powerful Genetic Algorithm Using Edge Assembly Crossover for the Traveling Salesman
Problem" (INFORMS Journal on Computing 25, 2013): there, a child takes only one AB-cycle, so the number of generations
grows with the number of cities.
"""

from solvers.algorithms.genetic.kernels.ab_cycles_cpu import trace
from solvers.algorithms.genetic.kernels.draws_cpu import draw, stream_key
from solvers.algorithms.genetic.kernels.edge_assembly_cpu import make_child, rate_child
from solvers.algorithms.genetic.kernels.pairs import BEST, CHILDREN, CHILDREN_MADE, CYCLES, HAS_BEGUN, LAST, PAIR
from solvers.algorithms.genetic.kernels.tour_links_cpu import undo, walk
from solvers.algorithms.lin_kernighan.kernels.merge_cpu import is_left
from solvers.kernels.compiler import njit


@njit(cache=True, nogil=True)
def cross_in_groups(
    breeding, groups, parents, lengths, sequence, stream, children, new_lengths, child_counts, crossing, budget
):
    """Cross a range of pairs for one slice.

    The AB-cycles of a pair are processed in random order, in groups whose size is the number of children. The best
    AB-cycle of each group is applied to tour A if it shortens that tour.

    Parameters
    ----------
    breeding, parents, lengths, sequence, stream, children, new_lengths, child_counts, crossing, budget
        See `solvers.algorithms.genetic.kernels.edge_assembly_cpu.cross_pairs`.
    groups : int
        Maximum number of groups per pair.
    """
    n, m, span, used = parents.shape[1], sequence.size, crossing.span, 0
    cycles, segments = crossing.cycles, crossing.segments
    while span[PAIR] < span[LAST] and used < budget:
        pair = span[PAIR]
        mother, father = sequence[pair], sequence[pair + 1 if pair + 1 < m else 0]
        links, key = children[mother], stream_key(breeding.seed, stream + pair)
        if span[HAS_BEGUN] == 0:
            links[:] = parents[mother]
            walk(links, segments.order, segments.position)
            count, draws = trace(links, parents[father], cycles, crossing.tracing, key)
            for k in range(count):
                other = draw(key, draws + k, k + 1)
                crossing.sequence[k], crossing.sequence[other] = crossing.sequence[other], k
            span[HAS_BEGUN], span[CHILDREN_MADE], span[BEST], span[CYCLES] = 1, 0, -1, count
            span[CHILDREN] = min(groups * breeding.children, count)
            crossing.value[0] = 0.0
            new_lengths[mother], child_counts[mother] = lengths[mother], 0
            used += 32 * n
        while span[CHILDREN_MADE] < span[CHILDREN] and used < budget:
            cycle = crossing.sequence[span[CHILDREN_MADE]]
            if is_left(links, cycles.city, cycles.start[cycle], cycles.start[cycle + 1]):
                crossing.chosen[0] = cycle
                change, work = make_child(breeding.distance, breeding.near, links, crossing, 1)
                worth = rate_child(breeding, links, crossing, -change)
                if worth > crossing.value[0]:
                    crossing.value[0], span[BEST] = worth, cycle
                undo(links, crossing.changes)
                child_counts[mother] += 1
                used += 8 * work + 64
            span[CHILDREN_MADE] += 1
            if span[BEST] >= 0 and (
                span[CHILDREN_MADE] % breeding.children == 0 or span[CHILDREN_MADE] == span[CHILDREN]
            ):
                crossing.chosen[0] = span[BEST]
                change, _ = make_child(breeding.distance, breeding.near, links, crossing, 1)
                new_lengths[mother] += change
                walk(links, segments.order, segments.position)
                span[BEST], crossing.value[0] = -1, 0.0
                used += 16 * n
        if span[CHILDREN_MADE] == span[CHILDREN]:
            span[PAIR] += 1
            span[HAS_BEGUN] = 0
