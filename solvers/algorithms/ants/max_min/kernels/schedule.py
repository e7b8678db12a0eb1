"""The schedule of MAX-MIN Ant System, in plain Python for any compiler: depositing tour, trail limits, restarts.

T. Stuetzle and H. H. Hoos, "MAX-MIN Ant System", Future Generation Computer Systems 16 (2000), sections 3 to 5.
"""

import numpy as np

#: Pairs (iterations since the restart, period): up to that many iterations, the best tour since the restart deposits
#: once per period; after the last pair, it always deposits.
SCHEDULE = ((25, 25), (75, 5), (125, 3), (250, 2))
#: The period without local search.
PLAIN = 25
#: After this many iterations since the restart without a better tour, the best tour of all deposits instead.
LATE = 50
#: Branching factor of a converged colony: each city has strong trails only on its two tour edges.
CONVERGED = np.float64(2.0 + 1e-5)
#: Kinds of depositing tours: the iteration's best, the best since the restart, and the best of all.
OF_ITERATION, SINCE_RESTART, OF_ALL = range(3)


def depositor(iteration, restart, best_iteration, scheduled):
    """Return which tour deposits after an iteration.

    Parameters
    ----------
    iteration, restart, best_iteration : int
        The current iteration, and the iterations of the last restart and of the best tour since then; counted from 1.
    scheduled : bool
        Whether `SCHEDULE` applies, as it does for colonies with local search.
    """
    every = PLAIN
    if scheduled:
        every = 1
        for until, period in SCHEDULE[::-1]:
            if iteration - restart < until:
                every = period
    if iteration % every != 0:
        return OF_ITERATION
    return OF_ALL if every == 1 and iteration - best_iteration > LATE else SINCE_RESTART


def upper_limit(rho, length):
    """Return the upper trail limit for a best tour of length C: 1 / (rho C), section 3.2; float32."""
    return np.float32(1.0 / (np.float64(np.float32(rho)) * max(1, length)))


def is_over(iteration, best_iteration, patience, branches, n):
    """Return whether a colony has stopped improving and, by its n cities' branching factors, converged."""
    return 0 < patience <= iteration - best_iteration and branches <= CONVERGED * n
