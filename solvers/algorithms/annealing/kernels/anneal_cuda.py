"""Simulated annealing on a GPU, one warp per chain: each lane evaluates one of the chain's next draws.

Most draws change nothing, and fewer and fewer do as the chain cools. So the lanes of a warp evaluate the next 32 draws
at once, all on the same tour, and the warp makes the first accepted move; it evaluates the draws after that again, on
the new tour. The chain is bit for bit the same as in `solvers.algorithms.annealing.kernels.anneal_cpu`. The idea, with
processors as lanes, comes from E. E. Witte, R. D. Chamberlain and M. A. Franklin, "Parallel Simulated Annealing Using
Speculative Computation" (IEEE Transactions on Parallel and Distributed Systems 2, 1991).

In Numba's simulator a warp is one thread wide, and no draw is evaluated ahead.
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
from solvers.kernels.device_cuda import SIMULATED, WARP, cuda, device
from solvers.kernels.distances_cuda import build_metric
from solvers.kernels.local_search_cuda import reverse
from solvers.kernels.warp_cuda import broadcast_word, sync_warp, warp_sum

#: Threads per block: one warp, which runs one chain.
THREADS = WARP
#: Limit on registers per thread, so that many blocks fit on a multiprocessor; the simulator has no registers.
_OPTIONS = {} if SIMULATED else {"max_registers": 56}
_0, _1 = np.uint32(0), np.uint32(1)
_ALL = 0xFFFFFFFF


if SIMULATED:

    @device
    def _ballot(condition):
        """Return a bit mask of the lanes whose condition holds, uint32."""
        return uint32(1 if condition else 0)

    @device
    def _lowest(ballot):
        """Return the lowest lane that is set in a ballot."""
        return _0

else:

    @device
    def _ballot(condition):
        """Return a bit mask of the lanes whose condition holds, uint32."""
        return uint32(cuda.ballot_sync(_ALL, condition))

    @device
    def _lowest(ballot):
        """Return the lowest lane that is set in a ballot."""
        return uint32(cuda.ffs(ballot)) - _1


@device
def _copy(source, target, n):
    """Copy a tour with the whole warp."""
    p = uint32(cuda.threadIdx.x)
    while p < n:
        target[p] = source[p]
        p = uint32(p + uint32(WARP))


@device
def _move(order, position, p, q, n):
    """Apply the move of positions p < q by reversing the shorter side.

    Returns whether the shorter side was the inner one, and the number of reversed cities.
    """
    inside = uint32(q - p) <= uint32(n - (q - p))
    first = uint32(p + _1) if inside else (uint32(q + _1) if q + _1 < n else _0)
    count = uint32(q - p) if inside else uint32(n - (q - p))
    sync_warp()
    reverse(order, position, first, count, n)
    return inside, count


def build(policy: int):
    """Build the kernel for one distance policy.

    In ``anneal(plan, chains, log, seed, bounds)``, block b continues the chain of slot b for about ``bounds[0]`` units
    of work, or until it has made ``bounds[1]`` draws (int64), or until it is cold: then its ``LEVEL`` is ``plan.end``.
    The chain does not depend on where launches stop. Chain 0 records its moves and rows, and also stops when the log is
    full. The kernel is long because a chain's state stays in registers between draws.
    """
    draw_move = build_draw_move(build_metric(policy))

    @cuda.jit(fastmath=True, **_OPTIONS)
    def anneal(plan, chains, log, seed, bounds):
        words = cuda.shared.array(0, uint16)
        slot, thread, n = uint32(cuda.blockIdx.x), uint32(cuda.threadIdx.x), plan.n
        climber = chains.climber[slot]
        if climber < 0:
            return
        order, position, tour, best, state = words, words[n:], chains.order[slot], chains.best[slot], chains.state[slot]
        p = thread
        while p < n:
            city = tour[p]
            order[p], position[city] = city, uint16(p)
            p = uint32(p + uint32(WARP))
        sync_warp()
        level, at, length, shortest = int32(state[LEVEL]), state[LEVEL_DRAWS], state[LENGTH], state[BEST]
        moves, step, worse, worse_sum = state[MOVES], state[EVALUATIONS], state[WORSE], state[WORSE_SUM]
        sign, shift, temperature = int32(state[SIGN]), int32(state[SHIFT]), chains.temperature[slot]
        recording, written, rows, used = climber == 0, int32(0), int64(0), int32(0)
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
                accepted = _ballot(verdict == ACCEPTED)
                before = min(int32(WARP), last - done) if accepted == _0 else int32(_lowest(accepted))
                if level == SAMPLE:
                    counts = verdict == WORSENED and int32(thread) < before
                    worse += warp_sum(int64(1 if counts else 0))
                    worse_sum += warp_sum(int64(delta if counts else 0))
                used, done = used + int32(ROUND), done + before
                if accepted != _0:
                    lane = uint32(before)
                    p, q, delta = (
                        broadcast_word(p, lane),
                        broadcast_word(q, lane),
                        int32(broadcast_word(uint32(delta), lane)),
                    )
                    if delta > 0 and length <= shortest:
                        shortest = length
                        _copy(order, best, n)
                    inside, count = _move(order, position, p, q, n)
                    i, j, sign, shift = recorded_move(sign, shift, p, q, inside, n)
                    if recording:
                        if thread == _0:
                            log.i[written], log.j[written], log.delta[written] = i, j, delta
                            log.step[written], log.control[written] = step + int64(done + 1), temperature
                        written += int32(1)
                    done, moves, length = done + int32(1), moves + int64(1), length + int64(delta)
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

    return anneal
