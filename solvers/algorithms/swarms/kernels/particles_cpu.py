"""Discrete particle swarm optimisation on one core: particles are tours, velocities are sequences of swaps.

M. Clerc, "Discrete Particle Swarm Optimization, illustrated by the Traveling Salesman Problem" (2004), sections 3 and
4; K.-P. Wang, L. Huang, C.-G. Zhou and W. Pang, "Particle swarm optimization for traveling salesman problem" (2003).
"""

from typing import NamedTuple

import numpy as np

from solvers.algorithms.swarms.kernels.span_cpu import (
    CURRENT,
    LAST,
    SEARCHING,
    draw,
    measure_tour,
    rotate_to_first,
    shorten,
    uniform,
)
from solvers.algorithms.swarms.kernels.swaps_cpu import add, compress, subtract
from solvers.kernels.compiler import njit


class MoveSettings(NamedTuple):
    """Settings of the particles' moves.

    Attributes
    ----------
    inertia, cognitive, social : float
        Weights of the velocity, of the way to the particle's own best tour, and of the way to the swarm's.
    by_chance : bool
        See `scale`.
    """

    inertia: float
    cognitive: float
    social: float
    by_chance: bool


class Particles(NamedTuple):
    """The swarm between two iterations.

    Attributes
    ----------
    tour, own : ndarray, shape (m, n), int32
        Current tour of each particle, and its best one so far; city 0 comes first.
    length, own_length : ndarray, shape (m,), int64
    swaps : ndarray, shape (m, n, 2), int32
        Velocities.
    moves : ndarray, shape (m,), int32
        Number of swaps of each velocity.
    leader : ndarray, shape (n,), int32
        The swarm's best tour at the end of the last iteration.
    """

    tour: np.ndarray
    own: np.ndarray
    length: np.ndarray
    own_length: np.ndarray
    swaps: np.ndarray
    moves: np.ndarray
    leader: np.ndarray


@njit(cache=True, nogil=True)
def scale(swaps, first, last, weight, by_chance, seed, stream, step):
    """Multiply a velocity by a number from 0 to 1 in place; return its new end.

    Parameters
    ----------
    swaps : ndarray, shape (s, 2), int32
        The velocity is the rows `first` to `last` - 1.
    first, last : int
    weight : float
        The number; values greater than 1 count as 1.
    by_chance : bool
        Whether each swap is kept with probability `weight` (Wang, Huang, Zhou and Pang, 2003); otherwise the first
        swaps are kept, and `weight` is their share (Clerc, 2004, section 3.5).
    seed, stream, step : uint64
        Random stream, used from `step` on.
    """
    if not by_chance:
        return first + np.int64(min(weight, 1.0) * (last - first))
    end = first
    for at in range(first, last):
        if uniform(draw(seed, stream, step + np.uint64(at - first))) < weight:
            swaps[end] = swaps[at]
            end += 1
    return end


@njit(cache=True, nogil=True)
def accelerate(particles, settings, k, seed, iteration, scratch, joined):
    """Compute particle k's velocity: inertia v + cognitive r1 (own - x) + social r2 (leader - x), section 4.

    r1 and r2 are random numbers. A difference multiplied by more than 1 remains as it is. A sum is one sequence after
    the other (section 3.4). A sequence of more than n - 1 swaps is replaced by an equivalent one of at most that many.

    Parameters
    ----------
    scratch : ndarray, shape (3, n), int32
    joined : ndarray, shape (3 * n, 2), int32
        Working memory.
    """
    tour, n = particles.tour[k], particles.tour.shape[1]
    step = np.uint64(iteration) * np.uint64(3 * n + 2)
    count = np.int64(particles.moves[k])
    joined[:count] = particles.swaps[k, :count]
    count = scale(joined, 0, count, settings.inertia, settings.by_chance, seed, k, step + np.uint64(2))
    for way in range(2):
        goal = particles.leader if way else particles.own[k]
        weight = (settings.social if way else settings.cognitive) * uniform(draw(seed, k, step + np.uint64(way)))
        scratch[2] = tour
        end = count + subtract(goal, scratch[2], scratch[0], joined, count)
        count = scale(joined, count, end, weight, settings.by_chance, seed, k, step + np.uint64((1 + way) * n + 2))
    if count > n - 1:
        count = compress(joined, count, scratch[0], scratch[1], scratch[2])
    particles.swaps[k, :count] = joined[:count]
    particles.moves[k] = count


@njit(cache=True, nogil=True)
def take(particles, k, length):
    """Set the length of particle k's tour, and update its best tour."""
    particles.length[k] = length
    if length < particles.own_length[k]:
        particles.own_length[k] = length
        particles.own[k] = particles.tour[k]


@njit(cache=True, nogil=True)
def move(particles, settings, local, shortens, span, seed, iteration, scratch, joined, work):
    """Move a range of particles for one slice.

    Parameters
    ----------
    particles : Particles
        Changed in place; the result depends neither on slices nor on the order of particles.
    local : Local
    shortens : bool or None
        Whether tours are shortened by local search. None instead of False, so that Numba does not compile it.
    span : ndarray, shape (SPAN,), int64
        Changed in place.
    work : int
        The slice ends with the particle that reaches this limit of swaps, or of work in local search.
    """
    used, n = np.int64(0), particles.tour.shape[1]
    while span[CURRENT] < span[LAST] and used < work:
        k = span[CURRENT]
        tour = particles.tour[k]
        if span[SEARCHING] == 0:
            accelerate(particles, settings, k, seed, iteration, scratch, joined)
            add(tour, particles.swaps[k], particles.moves[k])
        if shortens is not None:
            if not shorten(tour, local, span, work):
                return
            rotate_to_first(tour, scratch[0])
            used += 16 * n
        take(particles, k, measure_tour(local.distance, tour))
        used += 8 * n
        span[CURRENT] += 1
