"""Climber per block, moves numbered: `original`, `hundred-cities`, `calculated` of Utne and Hansen (2023), section 6.

Move number k is the k-th pair (i, j), i < n - 2, i + 2 <= j < n, in lexical order: the two loops flattened. The tour
is in shared memory, and position n repeats the city of position 0; every distance is read from the matrix.
"""

import math

import numpy as np
from numba import float32, int32, uint32

from solvers.kernels.device_cuda import INT32_MAX, cuda, device
from solvers.two_opt.kernels.block_cuda import BlockPolicy, best_improvement, build, shuffle_tour, swap_ends


@device
def pairs_of(n):
    """The number of moves, uint32."""
    return uint32((n - uint32(1)) * (n - uint32(2))) // uint32(2) if n > uint32(2) else uint32(0)


@device
def triangle(c):
    """c (c + 1) / 2, uint32; c at most 65,535."""
    return uint32(uint32(c * uint32(c + uint32(1))) >> uint32(1))


@device
def pair_from_table(table, k, n, total):
    """Section 6.3.1: i in the upper 16 bits, j - i - 2 in the lower."""
    word = uint32(table[k])
    i = uint32(word >> uint32(16))
    return i, uint32(uint32(word & uint32(0xFFFF)) + i + uint32(2))


@device
def pair_from_root(table, k, n, total):
    """Appendix A, exact: the single-precision root is corrected in integers.

    The moves from k on are in the last c rows of the triangle: c is the least number with
    c (c + 1) / 2 >= left. The root is at most one off.
    """
    left = uint32(total - k)
    root = np.float32(math.sqrt(float32(left) * float32(8) + float32(1)))
    c = np.uint32((root - np.float32(1)) * np.float32(0.5))
    for _ in range(2):
        c = uint32(c + uint32(1)) if triangle(c) < left else c
    c = uint32(c - uint32(1)) if triangle(uint32(c - uint32(1))) >= left else c
    i = uint32(n - uint32(2) - c)
    return i, uint32(i + uint32(2) + triangle(c) - left)


@device
def no_matrix_to_fill(points, matrix, scratch, n):
    """The matrix stays in global memory."""


@device
def fill_matrix(points, matrix, scratch, n):
    """Section 6.4: copy the matrix to shared memory, after the tour."""
    shared = cuda.shared.array(0, int32)
    k = uint32(cuda.threadIdx.x)
    while k < n * n:
        shared[uint32(2) * n + uint32(2) + k] = matrix[k]
        k += uint32(cuda.blockDim.x)
    cuda.syncthreads()


@device
def global_distance(matrix, n, a, b):
    """The entry of the matrix in global memory."""
    return matrix[uint32(a * n + b)]


@device
def shared_distance(matrix, n, a, b):
    """The entry of the matrix in shared memory."""
    return cuda.shared.array(0, int32)[uint32(uint32(2) * n + uint32(2) + a * n + b)]


@device
def lay_in_shared(points, order, scratch, n):
    """Copy the tour into shared memory."""
    tour = cuda.shared.array(0, int32)
    k = uint32(cuda.threadIdx.x)
    while k <= n:
        tour[k] = order[k if k < n else uint32(0)]
        k += uint32(cuda.blockDim.x)
    cuda.syncthreads()


@device
def save_from_shared(order, scratch, n):
    """Copy the tour back."""
    tour = cuda.shared.array(0, int32)
    k = uint32(cuda.threadIdx.x)
    while k < n:
        order[k] = tour[k]
        k += uint32(cuda.blockDim.x)
    cuda.syncthreads()


@device
def turn_in_shared(order, scratch, n, i, j):
    """Reverse the cities."""
    swap_ends(cuda.shared.array(0, int32), i, j)


@device
def shuffle_in_shared(seed, climber, n, order, scratch):
    """Shuffle in shared memory, where a swap takes a tenth of the time."""
    room = cuda.shared.array(0, int32)
    shuffle_tour(seed, climber, n, room, room[n + uint32(1) :])
    save_from_shared(order, scratch, n)


@device
def weigh(points, matrix, order, n, k):
    """Length of an edge."""
    following = order[k + uint32(1) if k + uint32(1) < n else uint32(0)]
    return matrix[uint32(order[k]) * n + uint32(following)]


def _scan(pair, distance):
    @device
    def change_of(matrix, n, i, j):
        tour = cuda.shared.array(0, int32)
        a, b = uint32(tour[i]), uint32(tour[uint32(i + uint32(1))])
        c, d = uint32(tour[j]), uint32(tour[uint32(j + uint32(1))])
        added = int32(distance(matrix, n, a, c) + distance(matrix, n, b, d))
        return int32(added - int32(distance(matrix, n, a, b) + distance(matrix, n, c, d)))

    @device
    def scan(matrix, order, scratch, table, n):
        total = pairs_of(n)
        best, rank = int32(0), uint32(INT32_MAX)
        k = uint32(cuda.threadIdx.x)
        while k < total:
            i, j = pair(table, k, n, total)
            change = change_of(matrix, n, i, j)
            if change < best:
                best, rank = change, k
            k = uint32(k + uint32(cuda.blockDim.x))
        i, j = pair_from_root(table, rank if rank < total else uint32(0), n, total)
        return best, int32(rank), int32(i), int32(j)

    return scan


def _kernel(fill, pair, distance, threads: int):
    improve = best_improvement(_scan(pair, distance), turn_in_shared, threads)
    return build(BlockPolicy(fill, lay_in_shared, improve, save_from_shared, weigh, shuffle_in_shared))


def original(kind: str, n: int, threads: int):
    """The kernel of ``original``."""
    return _kernel(no_matrix_to_fill, pair_from_table, global_distance, threads)


def hundred_cities(kind: str, n: int, threads: int):
    """The kernel of ``hundred-cities``."""
    return _kernel(fill_matrix, pair_from_table, shared_distance, threads)


def calculated(kind: str, n: int, threads: int):
    """The kernel of ``calculated``."""
    return _kernel(no_matrix_to_fill, pair_from_root, global_distance, threads)
