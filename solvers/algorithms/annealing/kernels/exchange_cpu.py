"""Temperature exchanges between replicas.

R. H. Swendsen and J.-S. Wang, "Replica Monte Carlo Simulation of Spin-Glasses" (Physical Review Letters 57, 1986);
C. J. Geyer, "Markov Chain Monte Carlo Maximum Likelihood" (Computing Science and Statistics, 1991); K. Hukushima and K.
Nemoto, "Exchange Monte Carlo Method and Application to Spin Glass Simulations" (Journal of the Physical Society of
Japan 65, 1996).
"""

import numpy as np

from solvers.algorithms.annealing.kernels import acceptance
from solvers.kernels import scalar
from solvers.kernels.compiler import njit

_random_bits = njit(scalar.random_bits)
_boltzmann, _uniform = njit(acceptance.boltzmann), njit(acceptance.uniform)
_HOPELESS = acceptance.HOPELESS
#: The random stream that decides exchanges; no chain has this index.
_STREAM = np.uint64(1 << 62)


@njit(cache=True, nogil=True)
def exchange(temperatures, lengths, replica_at, seed, period, attempts, exchanges):
    """Exchange the replicas at neighbouring temperatures, each pair with probability min(1, exp(delta)).

    delta = (1 / T_k - 1 / T_(k + 1)) (L_k - L_(k + 1)), where L_k is the tour length of the replica at temperature T_k.
    Even periods try the pairs (0, 1), (2, 3), ...; odd ones try (1, 2), (3, 4), ...

    Parameters
    ----------
    temperatures : ndarray, shape (r,), float64
        All above 0.
    lengths : ndarray, shape (r,), int64
        Tour length of each replica.
    replica_at : ndarray, shape (r,), int64
        The replica at each temperature; changed in place.
    seed : uint64
    period : int
    attempts, exchanges : ndarray, shape (r - 1,), int64
        Number of attempts and of exchanges for each pair of temperatures; incremented in place.
    """
    count = temperatures.size
    for k in range(period & 1, count - 1, 2):
        gap = 1.0 / temperatures[k] - 1.0 / temperatures[k + 1]
        x = -gap * (lengths[replica_at[k]] - lengths[replica_at[k + 1]])
        attempts[k] += 1
        if x > 0.0:
            step = np.uint64(period) * np.uint64(count) + np.uint64(k)
            if x > _HOPELESS or _uniform(_random_bits(seed, _STREAM, step)) >= _boltzmann(x):
                continue
        replica_at[k], replica_at[k + 1] = replica_at[k + 1], replica_at[k]
        exchanges[k] += 1
