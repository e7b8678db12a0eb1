"""One climber per block, numbered moves: three variants of Utne and Hansen (2023), section 6.

Move number k is the k-th pair (i, j), i < n - 2, i + 2 <= j < n, in lexicographic order: the two loops are flattened.
The tour is in shared memory, where position n repeats the city of position 0. Every distance is read from the matrix.
"""

import math

import numpy as np
from numba import float32, int32, int64, uint16, uint32

from solvers.algorithms.two_opt.kernels.block_cuda import (
    BlockPolicy,
    build,
    build_best_improvement,
    shuffle_tour,
    swap_ends,
    write_down,
)
from solvers.kernels import scalar
from solvers.kernels.device_cuda import INT32_MAX, cuda, device

_next_draw = device(scalar.next_draw)


@device
def count_pairs(n):
    """Return the number of moves, uint32."""
    return uint32((n - uint32(1)) * (n - uint32(2))) // uint32(2) if n > uint32(2) else uint32(0)


@device
def triangle(c):
    """Return c (c + 1) / 2, uint32; c is at most 65,535."""
    return uint32(uint32(c * uint32(c + uint32(1))) >> uint32(1))


@device
def pair_from_table(table, k, n, total):
    """Look up move k in a table (section 6.3.1): i in the upper 16 bits, j - i - 2 in the lower."""
    word = uint32(table[k])
    i = uint32(word >> uint32(16))
    return i, uint32(uint32(word & uint32(0xFFFF)) + i + uint32(2))


@device
def pair_from_root(table, k, n, total):
    """Compute move k as in appendix A, exactly: the single-precision root is corrected in integers.

    The moves from k on, `left` in number, are in the last c rows of the triangle, where c is the smallest number with
    c (c + 1) / 2 >= left. The c that follows from the root is off by at most one.
    """
    pairs_left = uint32(total - k)
    root = np.float32(math.sqrt(float32(pairs_left) * float32(8) + float32(1)))
    c = np.uint32((root - np.float32(1)) * np.float32(0.5))
    for _ in range(2):
        c = uint32(c + uint32(1)) if triangle(c) < pairs_left else c
    c = uint32(c - uint32(1)) if triangle(uint32(c - uint32(1))) >= pairs_left else c
    i = uint32(n - uint32(2) - c)
    return i, uint32(i + uint32(2) + triangle(c) - pairs_left)


@device
def no_matrix_to_fill(points, matrix, scratch, n):
    """Do nothing, as the matrix stays in global memory."""


@device
def global_distance(matrix, n, a, b):
    """Read an entry of the matrix in global memory."""
    return matrix[uint32(a * n + b)]


def build_matrix_in_shared(city):
    """Build a function that copies the matrix to shared memory, behind the tour (section 6.4), and one to read it."""
    words = uint32(2 if city is int32 else 1)  # per city, for the tour and its working memory

    @device
    def fill_matrix(points, matrix, scratch, n):
        shared = cuda.shared.array(0, int32)
        k = uint32(cuda.threadIdx.x)
        while k < n * n:
            shared[words * (n + uint32(1)) + k] = matrix[k]
            k += uint32(cuda.blockDim.x)
        cuda.syncthreads()

    @device
    def shared_distance(matrix, n, a, b):
        return cuda.shared.array(0, int32)[uint32(words * (n + uint32(1)) + a * n + b)]

    return fill_matrix, shared_distance


def build_tour_in_shared(city, begin):
    """Build functions that copy a tour to shared memory and back, reverse a part of it, and shuffle it."""

    @device
    def lay(points, order, scratch, n):
        tour = cuda.shared.array(0, city)
        k = uint32(cuda.threadIdx.x)
        while k <= n:
            tour[k] = order[k if k < n else uint32(0)]
            k += uint32(cuda.blockDim.x)
        cuda.syncthreads()

    @device
    def save(order, scratch, n):
        tour = cuda.shared.array(0, city)
        k = uint32(cuda.threadIdx.x)
        while k < n:
            order[k] = int32(tour[k])
            k += uint32(cuda.blockDim.x)
        cuda.syncthreads()

    @device
    def reverse(order, scratch, n, i, j):
        swap_ends(cuda.shared.array(0, city), i, j)

    @device
    def shuffle(seed, climber, n, order, scratch):
        """Shuffle in shared memory, where a swap is ten times as fast."""
        room = cuda.shared.array(0, city)
        begin(seed, climber, n, room, room[n + uint32(1) :])
        save(order, scratch, n)

    return lay, save, reverse, shuffle


@device
def program_tour(seed, climber, n, order, swaps):
    """Write `tours_cpu.program_tour` to ``order[:n]`` with one thread."""
    if cuda.threadIdx.x == 0:
        for k in range(n):
            order[k] = k
        bits = int64(climber) + int64(climber) // int64(cuda.blockDim.x) + int64(seed) - int64(1)
        for k in range(1, n):
            bits = _next_draw(bits)
            other = max(int64(1), bits % int64(n))
            order[k], order[other] = order[other], order[k]
    cuda.syncthreads()


@device
def weigh(points, matrix, order, n, k):
    """Return the length of the edge from position k."""
    following = order[k + uint32(1) if k + uint32(1) < n else uint32(0)]
    return matrix[uint32(order[k]) * n + uint32(following)]


def _scan(pair, distance, city):
    @device
    def exchange_change(matrix, n, i, j):
        tour = cuda.shared.array(0, city)
        a, b = uint32(tour[i]), uint32(tour[uint32(i + uint32(1))])
        c, d = uint32(tour[j]), uint32(tour[uint32(j + uint32(1))])
        added = int32(distance(matrix, n, a, c) + distance(matrix, n, b, d))
        return int32(added - int32(distance(matrix, n, a, b) + distance(matrix, n, c, d)))

    @device
    def scan(matrix, order, scratch, table, n):
        total = count_pairs(n)
        best, rank = int32(0), uint32(INT32_MAX)
        k = uint32(cuda.threadIdx.x)
        while k < total:
            i, j = pair(table, k, n, total)
            change = exchange_change(matrix, n, i, j)
            if change < best:
                best, rank = change, k
            k = uint32(k + uint32(cuda.blockDim.x))
        i, j = pair_from_root(table, rank if rank < total else uint32(0), n, total)
        return best, int32(rank), int32(i), int32(j)

    return scan


def build_program_improvement(scan, reverse, threads: int):
    """Build an `improve` with the reduction of the authors' program; see `program_cpu.reduce_changes`."""
    first_half = threads // 2

    @device
    def improve(problem, order, scratch, n, write, recording):
        changes = cuda.shared.array(threads, int32)
        ranks = cuda.shared.array(threads, int32)
        thread = int32(cuda.threadIdx.x)
        change, rank, _, _ = scan(problem.matrix, order, scratch, problem.table, n)
        changes[thread], ranks[thread] = change, rank if change < 0 else int32(0)
        half = int32(first_half)
        while half > 0:
            cuda.syncthreads()
            if thread < half:
                other = int32(thread + half)
                if changes[other] < changes[thread]:
                    changes[thread], ranks[thread] = changes[other], ranks[other]
                elif changes[other] == changes[thread] and ranks[other] <= ranks[thread]:
                    changes[thread], ranks[thread] = int32(0), int32(0)
            half = int32(half >> int32(1))
        cuda.syncthreads()
        best, rank = changes[0], ranks[0]
        if best >= 0:
            return int32(0)
        first, second = pair_from_root(problem.table, uint32(rank), n, count_pairs(n))
        i, j = int32(first), int32(second)
        reverse(order, scratch, n, i, j)
        if write:
            write_down(i, j, best, recording)
        cuda.syncthreads()
        return int32(1)

    return improve


def _kernel(pair, in_shared: bool, threads: int, form: str):
    city = int32 if form == "no" else uint16
    fill, distance = build_matrix_in_shared(city) if in_shared else (no_matrix_to_fill, global_distance)
    program = form == "program"
    lay, save, reverse, shuffle = build_tour_in_shared(city, program_tour if program else shuffle_tour)
    improvement = build_program_improvement if program else build_best_improvement
    return build(
        BlockPolicy(fill, lay, improvement(_scan(pair, distance, city), reverse, threads), save, weigh, shuffle)
    )


def build_original(kind: str, n: int, threads: int, form: str = "no"):
    """Build the kernel of ``original``; `form` is the value of the parameter ``published``."""
    return _kernel(pair_from_table, False, threads, form)


def build_hundred_cities(kind: str, n: int, threads: int, form: str = "no"):
    """Build the kernel of ``hundred-cities``."""
    return _kernel(pair_from_table, True, threads, form)


def build_calculated(kind: str, n: int, threads: int, form: str = "no"):
    """Build the kernel of ``calculated``."""
    return _kernel(pair_from_root, False, threads, form)
