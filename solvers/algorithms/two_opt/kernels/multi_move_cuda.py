"""`multi-move`: 2-opt that applies many moves after each scan.

Every thread offers the best move of its strip. The best of these moves is made, then the best one that does not
conflict with it, and so on. If the reversed parts of the tour are disjoint or nested, moves change different edges, so
each gains as much after the others as before. The idea of several moves per scan comes from J. A. Robinson, S. V.
Vrbsky, X. Hong and B. P. Eddy, "Analysis of a high-performance TSP solver on the GPU" (ACM JEA 23, 2018); the choice of
simultaneous moves is our own. The moves differ from those of best improvement, but also lead to a local optimum.
"""

from numba import int32, uint32

from solvers.algorithms.two_opt.kernels.block_cuda import build, write_down
from solvers.algorithms.two_opt.kernels.strip_policy_cuda import build_policy
from solvers.algorithms.two_opt.kernels.strip_scan_cuda import Layout, build_layout
from solvers.kernels.device_cuda import INT32_MAX, cuda, device

#: Maximum number of moves after one scan.
MAX_MOVES = 32
#: Maximum number of threads per block: a candidate's key has ten bits for its thread.
_THREADS = 1024
#: All changes below this count as equal when candidates are ordered, since a key has only 21 bits for the change.
_LOWEST = -(2**21) + 1


@device
def _are_compatible(one, other):
    """Return whether two moves, each i << 16 | j, have no edge in common and are disjoint or nested."""
    a, b, c, d = one >> 16, one & 0xFFFF, other >> 16, other & 0xFFFF
    return b < c or d < a or (a < c and d < b) or (c < a and b < d)


@device
def _choose(change, move, keys, candidates):
    """Choose compatible moves among the threads' candidates, the best first; return their number.

    ``keys`` (MAX_MOVES,) must be filled with INT32_MAX; its first entries become the keys of the chosen moves.
    """
    thread = int32(cuda.threadIdx.x)
    candidates[thread] = move
    alive, count = change < 0, int32(0)
    while count < MAX_MOVES:
        if alive:
            cuda.atomic.min(keys, count, int32(max(change, int32(_LOWEST)) * int32(_THREADS) + thread))
        cuda.syncthreads()
        if keys[count] == INT32_MAX:
            break
        alive = alive and _are_compatible(move, candidates[keys[count] & (_THREADS - 1)])
        count += int32(1)
    return count


@device
def _sort(keys, candidates, chosen, count):
    """Sort the chosen moves by size: if smaller moves are made first, every move keeps its positions."""
    r = int32(cuda.threadIdx.x)
    if r < count:
        move = candidates[keys[r] & (_THREADS - 1)]
        size, position = (move & 0xFFFF) - (move >> 16), int32(0)
        for other_r in range(count):
            other = candidates[keys[other_r] & (_THREADS - 1)]
            smaller = (other & 0xFFFF) - (other >> 16)
            if smaller < size or (smaller == size and other_r < r):
                position += int32(1)
        chosen[position] = move


@device
def _make(city, capacity, chosen, count, n):
    """Move every city to the position that it has after all chosen moves."""
    p = uint32(cuda.threadIdx.x)
    while p < n:
        q = int32(p)
        for r in range(count):
            i, j = chosen[r] >> 16, chosen[r] & 0xFFFF
            if i < q and q <= j:
                q = int32(i + j + 1 - q)
        capacity[q] = city[p]
        p = uint32(p + uint32(cuda.blockDim.x))
    cuda.syncthreads()
    p = uint32(cuda.threadIdx.x)
    while p < n:
        city[p] = capacity[p]
        p = uint32(p + uint32(cuda.blockDim.x))


def _improve(parts: Layout):
    @device
    def improve(problem, order, scratch, n, write, recording):
        # The simulator identifies shared arrays by their source line.
        keys = cuda.shared.array(MAX_MOVES, int32)
        chosen = cuda.shared.array(MAX_MOVES, int32)
        along, edges, city, capacity, packed, candidates = parts.arrays(scratch, n)
        r = uint32(cuda.threadIdx.x)
        while r < uint32(MAX_MOVES):
            keys[r] = int32(INT32_MAX)
            r = uint32(r + uint32(cuda.blockDim.x))
        cuda.syncthreads()
        minimum, move = parts.walk(along, edges, capacity, n)
        count = _choose(minimum, move, keys, candidates)
        if count == 0:
            return int32(0)
        _sort(keys, candidates, chosen, count)
        cuda.syncthreads()
        if write:
            for r in range(count):
                i, j = chosen[r] >> 16, chosen[r] & 0xFFFF
                near = j - i <= int32(n) >> 1
                delta = parts.change(along, edges, uint32(i if near else j), uint32(j if near else i + int32(n)))
                write_down(i, j, delta, recording)
        _make(city, capacity, chosen, count, n)
        cuda.syncthreads()
        parts.lay(along, edges, city, packed, n)
        cuda.syncthreads()
        return count

    return improve


def build_multi_move(kind: str, n: int, threads: int, rows: int, exact: bool, in_shared: bool):
    """Build the kernel of ``multi-move``; the parameters are those of `strip_cuda.build_strip`."""
    parts = build_layout(kind, n, threads, rows, exact, True, in_shared)
    return build(build_policy(parts, _improve(parts), kind))
