"""Simulated annealing on a GPU, one block per chain: all threads propose moves on the same tour.

The mapping of K.-C. Wei, C.-C. Wu and H.-L. Yu, "Mapping the Simulated Annealing Algorithm onto CUDA GPUs" (ISKE 2015),
as described by J. Utne and H. N. W. Hansen, "Solving TSP on the GPU based on heuristic algorithms" (2023), section 3.5:
a block has a tour, and each of its threads finds a neighbouring tour and accepts it or not by the Metropolis rule. They
do not say which of the accepted tours the block takes. Here it takes the shortest; ties go to the first thread. The
chain is bit for bit the same as in `solvers.algorithms.annealing.kernels.rounds_cpu`.
"""

import numpy as np
from numba import float32, int32, int64, uint16, uint32, uint64

from solvers.algorithms.annealing.kernels.chain_cpu import (
    BEST,
    EVALUATIONS,
    LENGTH,
    LEVEL,
    LEVEL_DRAWS,
    MOVES,
    RECORDED,
    ROWS,
    SAMPLE,
    SHIFT,
    SIGN,
    WORSE,
    WORSE_SUM,
)
from solvers.algorithms.annealing.kernels.chain_cuda import (
    ACCEPTED,
    FIRST,
    FOUR,
    REJECTED,
    ROUND,
    STRETCH,
    WORSENED,
    absorbed,
    build_draw_move,
    cool,
    recorded_move,
)
from solvers.kernels.device_cuda import SIMULATED, cuda, device
from solvers.kernels.distances_cuda import build_metric

#: Limit on registers per thread, so that blocks of 1,024 threads fit; the simulator has no registers.
REGISTERS = 64
_OPTIONS = {} if SIMULATED else {"max_registers": REGISTERS}
#: A proposal's key is its change in length, with the thread's number (below 1,024) in the lowest bits.
_BITS, _THREAD = np.int64(10), np.int64(1023)
#: The key if no proposal is accepted.
_NO_KEY = np.int64(1 << 62)
_0, _1 = np.uint32(0), np.uint32(1)


@device
def _copy(source, target, n):
    """Copy a tour with the whole block."""
    p = uint32(cuda.threadIdx.x)
    while p < n:
        target[p] = source[p]
        p = uint32(p + uint32(cuda.blockDim.x))


@device
def _wrap(p, n):
    """Return p modulo n, for p below 2 n."""
    return uint32(p - n if p >= n else p)


@device
def _move(order, position, p, q, n):
    """Apply the move of positions p < q by reversing the shorter side, with the whole block.

    Returns whether the shorter side was the inner one, and the number of reversed cities.
    """
    inside = uint32(q - p) <= uint32(n - (q - p))
    first = uint32(p + _1) if inside else (uint32(q + _1) if q + _1 < n else _0)
    count = uint32(q - p) if inside else uint32(n - (q - p))
    cuda.syncthreads()
    k, last = uint32(cuda.threadIdx.x), uint32(first + count)
    while k < count >> _1:
        low, high = _wrap(uint32(first + k), n), _wrap(uint32(last - k - _1), n)
        one, other = order[low], order[high]
        order[low], order[high] = other, one
        position[other], position[one] = uint16(low), uint16(high)
        k = uint32(k + uint32(cuda.blockDim.x))
    cuda.syncthreads()
    return inside, count


def build(policy: int):
    """Build the kernel for one distance policy.

    In ``anneal_in_rounds(plan, chains, log, seed, bounds)``, block b continues the chain of slot b, as in
    `solvers.algorithms.annealing.kernels.anneal_cuda.build`; a block has one thread per draw of a round. The kernel is
    long because a chain's state stays in registers between rounds.
    """
    draw_move = build_draw_move(build_metric(policy))

    @cuda.jit(fastmath=True, **_OPTIONS)
    def anneal_in_rounds(plan, chains, log, seed, bounds):
        words = cuda.shared.array(0, uint16)
        # Three sets of keys take turns, so that a round without a move needs only one barrier: while some threads still
        # read the last round's keys, others may write this round's, and the first thread clears the next round's.
        keys = cuda.shared.array(3, int64)
        counts = cuda.shared.array(3, int64)
        sums = cuda.shared.array(3, int64)
        chosen = cuda.shared.array(2, uint32)
        slot, thread, threads, n = uint32(cuda.blockIdx.x), uint32(cuda.threadIdx.x), int32(cuda.blockDim.x), plan.n
        climber = chains.climber[slot]
        if climber < 0:
            return
        order, position, tour, best, state = words, words[n:], chains.order[slot], chains.best[slot], chains.state[slot]
        p = thread
        while p < n:
            city = tour[p]
            order[p], position[city] = city, uint16(p)
            p = uint32(p + uint32(threads))
        if thread == _0:
            for k in range(3):
                keys[k], counts[k], sums[k] = _NO_KEY, int64(0), int64(0)
        cuda.syncthreads()
        level, at, length, shortest = int32(state[LEVEL]), state[LEVEL_DRAWS], state[LENGTH], state[BEST]
        moves, step, worse, worse_sum = state[MOVES], state[EVALUATIONS], state[WORSE], state[WORSE_SUM]
        sign, shift, temperature = int32(state[SIGN]), int32(state[SHIFT]), chains.temperature[slot]
        recording, written, rows, used, turn = climber == 0, int32(0), int64(0), int32(0), int32(0)
        work, maximum, stream = int32(bounds[0]), bounds[1], absorbed(absorbed(uint64(0), seed), uint64(climber))
        room, lines = int32(log.i.size), int64(log.rows.shape[0])
        while used < work and level < plan.end and step < maximum and written < room and rows < lines:
            draws = plan.draws_per_level if level >= 0 and level < plan.levels else plan.quench_draws
            inverse, done = float32(0.0), int32(0)
            last = int32(min(min(draws - at, maximum - step), STRETCH))
            first = FIRST + FOUR * uint64(step + int64(thread))
            if temperature > 0.0:
                inverse = float32(1.0 / temperature)
            while done < last and used < work and written < room:
                verdict, p, q, delta = draw_move(
                    plan, order, position, stream, first + uint64(uint32(done) << uint32(2)), temperature, inverse
                )
                if done + int32(thread) >= last:
                    verdict = int32(REJECTED)
                if verdict == ACCEPTED:
                    cuda.atomic.min(keys, turn, int64(delta) << _BITS | int64(thread))
                if level == SAMPLE and verdict == WORSENED:
                    cuda.atomic.add(counts, turn, int64(1))
                    cuda.atomic.add(sums, turn, int64(delta))
                following = int32(turn + 1 if turn < 2 else 0)
                if thread == _0:
                    keys[following], counts[following], sums[following] = _NO_KEY, int64(0), int64(0)
                cuda.syncthreads()
                key, worse, worse_sum = keys[turn], worse + counts[turn], worse_sum + sums[turn]
                before = done
                turn, used, done = following, used + int32(ROUND), min(last, done + threads)
                if key != _NO_KEY:
                    if int64(thread) == key & _THREAD:
                        chosen[0], chosen[1] = p, q
                    delta = int32(key >> _BITS)
                    if delta > 0 and length <= shortest:
                        shortest = length
                        _copy(order, best, n)
                    cuda.syncthreads()
                    p, q = chosen[0], chosen[1]
                    inside, count = _move(order, position, p, q, n)
                    i, j, sign, shift = recorded_move(sign, shift, p, q, inside, n)
                    if recording:
                        if thread == _0:
                            log.i[written], log.j[written], log.delta[written] = i, j, delta
                            log.step[written] = step + int64(before + 1) + (key & _THREAD)
                            log.control[written] = temperature
                        written += int32(1)
                    moves, length = moves + int64(1), length + int64(delta)
                    used += int32(count >> uint32(6))
            at, step = at + int64(done), step + int64(done)
            if at >= draws:
                if recording:
                    if thread == _0:
                        log.rows[rows, 0], log.rows[rows, 1], log.rows[rows, 2] = step, length, min(length, shortest)
                    rows += int64(1)
                temperature = cool(plan, level, temperature, worse, worse_sum)
                level, at, worse, worse_sum = int32(level + 1), int64(0), int64(0), int64(0)
        if length <= shortest:
            shortest = length
            _copy(order, best, n)
        _copy(order, tour, n)
        if thread == _0:
            state[LEVEL], state[LEVEL_DRAWS], state[LENGTH], state[BEST] = level, at, length, shortest
            state[MOVES], state[EVALUATIONS], state[WORSE], state[WORSE_SUM] = moves, step, worse, worse_sum
            state[SIGN], state[SHIFT], state[RECORDED], state[ROWS] = sign, shift, written, rows
            chains.temperature[slot] = temperature

    return anneal_in_rounds
