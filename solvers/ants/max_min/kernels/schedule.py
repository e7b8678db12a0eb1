"""Who leaves pheromone in MAX-MIN Ant System, within which limits, and when a colony restarts: for every compiler.

T. Stuetzle and H. H. Hoos, "MAX-MIN Ant System", Future Generation Computer Systems 16 (2000), sections 3 to 5.
"""

import numpy as np

#: Up to how many iterations after a restart the best tour since then leaves its pheromone every so often; then always.
SCHEDULE = ((25, 25), (75, 5), (125, 3), (250, 2))
#: Without local search it does so every 25th iteration.
PLAIN = 25
#: Iterations without a better tour since the restart after which the best of all takes its place.
LATE = 50
#: Trails a city above a twentieth of the range where a colony has converged: those of its tour's two edges.
CONVERGED = np.float64(2.0 + 1e-5)
#: Whose pheromone is left: that of the iteration's best tour, of the best since the restart, of the best of all.
OF_ITERATION, SINCE_RESTART, OF_ALL = range(3)


def depositor(iteration, restart, found, scheduled):
    """Whose pheromone is left after an iteration.

    Parameters
    ----------
    iteration, restart, found : int
        The iteration, the one of the last restart, and the one that found the best tour since; counted from 1.
    scheduled : bool
        Whether `SCHEDULE` holds, for colonies with local search.
    """
    every = PLAIN
    if scheduled:
        every = 1
        for until, period in SCHEDULE[::-1]:
            if iteration - restart < until:
                every = period
    if iteration % every != 0:
        return OF_ITERATION
    return OF_ALL if every == 1 and iteration - found > LATE else SINCE_RESTART


def upper_limit(rho, length):
    """The upper limit of the trails where the best tour has a length: 1 / (rho C), their section 3.2; float32."""
    return np.float32(1.0 / (np.float64(np.float32(rho)) * max(1, length)))


def is_over(iteration, found, patience, branches, n):
    """Whether a colony of n cities, whose trails have so many branches, has converged and finds nothing better."""
    return 0 < patience <= iteration - found and branches <= CONVERGED * n
