"""Kicks and their repairs, one per thread; they are independent, since none changes the tour.

A thread does what `solvers.algorithms.lin_kernighan.kernels.chain_cpu` does for one kick, on its own overlay of the
common tour (`solvers.algorithms.lin_kernighan.kernels.overlay_cuda`). It does so in one flat loop, so that all lanes of
a warp evaluate candidates at the same time, even if they are at different kicks, cities or levels.
"""

from typing import Any

import numpy as np
from numba import int32, int64, uint32

from solvers.algorithms.lin_kernighan.kernels.overlay_cuda import (
    BEST_CUT,
    BEST_END,
    CLOSING,
    CODE,
    CUT,
    END,
    GAIN,
    LOG,
    LOG_WORDS,
    MAX_PIECES,
    NEIGHBOURS,
    OPTION,
    QUEUE,
    RING,
    START,
    STATE,
    WORDS,
    build_overlay,
)
from solvers.kernels.device_cuda import INT32_MAX, SIMULATED, cuda, device
from solvers.kernels.distances_cuda import build_metric

#: Number of threads per block.
THREADS = 2 if SIMULATED else 128
#: Maximum number of exchanges that a kick and its repair may evaluate.
MAX_EVALUATED = 10_000
#: Words of a result: the kick's number in its launch, the change in length, and the number of words for exchanges. From
#: `HEADER` on, each exchange has its number of edges, and the two cities t_1, t_2, ... of each edge. The first exchange
#: is the double bridge.
HEADER = 3
RESULT = HEADER + LOG_WORDS
#: Indices into `counts`. `NEXT_KICK`: the next kick. `RESULTS`, `EVALUATED`, `ABANDONED`: the numbers of results,
#: evaluated exchanges and abandoned kicks. `FIRST`: the number of the batch's first kick. `EACH`: the number of kicks
#: per tour, one tour after another. `BEGIN`, `KICKS_END`: where the launch starts and ends within the batch. `ORIGIN`,
#: `ORIGINS`: the first city where kicks begin, and the number of such cities.
NEXT_KICK, RESULTS, EVALUATED, ABANDONED, FIRST, EACH, BEGIN, KICKS_END, ORIGIN, ORIGINS, COUNTS = range(11)
#: Bytes of shared memory per block.
SHARED = 4 * WORDS * THREADS
_FAR = np.int32(INT32_MAX)


def build_repair(jit, between, add, threads: int):
    """Build the function that each thread runs, for one compiler and kind of distance.

    That function is long because kicks, cities and levels are one flat loop; see the module's docstring.

    Parameters
    ----------
    jit : callable
        Compiles a function.
    between : callable
        ``(where, n, a, b)``: return the distance between two cities, int32.
    add : callable
        ``(array, position, value)``: add atomically, and return the previous value.
    threads : int
        Number of columns of `words`.

    Returns
    -------
    callable
        ``repair(where, near, node, n, width, depth, max_evaluated, chosen, stride, allowed, counts, results, words,
        state, thread)``: makes kicks until none are left. `near` contains each city's `width` candidates, distance <<
        32 | city; `node` contains each city's position and two neighbours, in four words per city, one tour after
        another; a kick evaluates at most `max_evaluated` exchanges; `chosen` contains the four cities of each kick, by
        position; every `stride`-th kick may lengthen the tour by less than `allowed`; `counts` describes the kicks to
        make; `state` is the thread's memory, see `overlay_cuda`. The function writes `counts` and `results`, see
        `RESULT`.
    """
    wide = np.uint32(threads)
    locate, walk, last_edges, exchange = build_overlay(jit, threads)

    @jit
    def breadth(level, last_level):
        """Return how many alternatives are tried at a level."""
        if level >= last_level:
            return int32(0)
        return int32(3 - level) if level < 2 else int32(1)

    @jit
    def first_option(level):
        """Return the index of a level's first alternative."""
        return int32(OPTION + 2 * (3 * level if level < 2 else 3 + level))

    @jit
    def wait(state, head, waiting, city):
        """Queue a city unless it is already queued; return the queue's length, or -1 if the queue is full."""
        for each in range(waiting):
            if state[QUEUE + ((head + each) & (RING - 1))] == city:
                return waiting
        if waiting == RING:
            return int32(-1)
        state[QUEUE + ((head + waiting) & (RING - 1))] = city
        return int32(waiting + 1)

    @jit
    def kick(where, node, row, n, chosen, at, words, state, thread):
        """Apply a kick's double bridge; return the base from which positions are counted, and the change in length."""
        position, a, b = state[NEIGHBOURS : NEIGHBOURS + 4], state[END : END + 4], state[END + 4 : END + 8]
        for i in range(4):
            a[i] = chosen[4 * at + i]
            b[i] = node[uint32(row + uint32(4 * a[i] + 2))]
        base = int32(node[uint32(row + uint32(4 * a[0]))] + 1)
        base = int32(0) if base == n else base
        for i in range(4):
            q = int32(node[uint32(row + uint32(4 * a[i]))] - base)
            position[i] = int32(q + n) if q < 0 else q
        for row in range(MAX_PIECES + 1):
            words[uint32(uint32(START + row) * wide + thread)] = n
        words[uint32(uint32(START) * wide + thread)] = int32(0)
        off = int32(n - 1 - position[3])
        words[uint32(uint32(CODE + 3) * wide + thread)] = int32(0)
        for i in range(3):
            words[uint32(uint32(START + 1 + i) * wide + thread)] = int32(position[i + 1] + 1)
            j = 2 - i
            words[uint32(uint32(CODE + j) * wide + thread)] = int32(2 * off)
            off = int32(off + position[j + 1] - (position[j] if j > 0 else -1))
        change = int32(0)
        state[LOG] = int32(4)
        for i in range(4):
            across = a[(i + 2) & 3]
            change = int32(change + between(where, n, across, b[i]) - between(where, n, a[i], b[i]))
            state[LOG + 1 + 2 * i], state[LOG + 2 + 2 * i] = a[i], b[i]
        for j in range(4):
            state[NEIGHBOURS + 2 * j], state[NEIGHBOURS + 2 * j + 1] = a[(j + 2) & 3], b[(j + 3) & 3]
        return base, change

    @jit
    def keep(words, state, thread, k):
        """Store the current exchange as the best so far."""
        for i in range(k):
            state[BEST_CUT + i] = words[uint32(uint32(CUT + i) * wide + thread)]
            state[BEST_END + 2 * i], state[BEST_END + 2 * i + 1] = state[END + 2 * i], state[END + 2 * i + 1]

    @jit
    def report(results, counts, state, at, change, used):
        """Write a result."""
        row = add(counts, RESULTS, 1)
        results[row, 0], results[row, 1], results[row, 2] = at, change, used
        for each in range(used):
            results[row, HEADER + each] = state[LOG + each]

    @jit
    def repair(
        where,
        near,
        node,
        n,
        width,
        depth,
        max_evaluated,
        chosen,
        stride,
        allowed,
        counts,
        results,
        words,
        state,
        thread,
    ):
        at: Any
        i: Any
        level: Any
        side: Any
        waiting: Any
        abandoned: Any
        nth: Any
        at, base, change, pieces, used = int32(-1), int32(0), int32(0), int32(0), int32(0)
        head, waiting, evaluated, abandoned = int32(0), int32(0), int32(0), False
        city, side, level, best_depth, best = int32(0), int32(2), int32(-1), int32(0), int32(0)
        even, best_even, picked, row = uint32(0), uint32(0), uint32(0), uint32(0)
        last, last_level, total_evaluated = int32(counts[KICKS_END]), int32(depth - 2), int64(0)
        while True:
            if level < 0:
                if side > 1:
                    if waiting == 0:
                        if at >= 0:
                            total_evaluated += evaluated
                            if abandoned:
                                add(counts, ABANDONED, 1)
                            elif change < 0 or (at % stride == 0 and 0 < change < allowed[at // stride]):
                                report(results, counts, state, at, change, used)
                        at = int32(add(counts, NEXT_KICK, 1))
                        if at >= last:
                            break
                        row = uint32(uint32(at // int32(counts[EACH])) * uint32(4 * n))
                        base, change = kick(where, node, row, n, chosen, at, words, state, thread)
                        pieces, used, head, evaluated, abandoned = int32(4), int32(9), int32(0), int32(0), False
                        for i in range(8):
                            waiting = wait(state, head, waiting, state[LOG + 1 + i])
                    city = state[QUEUE + head]
                    head, waiting, side = int32((head + 1) & (RING - 1)), int32(waiting - 1), int32(0)
                p, before, after = locate(words, state, node, thread, row, base, n, city)
                other = after if side == 0 else before
                words[uint32(uint32(CUT) * wide + thread)] = (
                    p if side == 0 else (int32(p - 1) if p > 0 else int32(n - 1))
                )
                even = uint32(1 - side)
                state[END], state[END + 1] = city, other
                state[GAIN] = between(where, n, city, other)
                level, best_depth, best, picked = int32(0), int32(0), int32(0), uint32(0)
            # Find this level's alternatives.
            current, total = state[END + 2 * level + 1], state[GAIN + level]
            _, before, after = locate(words, state, node, thread, row, base, n, current)
            maximum, i = breadth(level, last_level), int32(level + 1)
            c0 = words[uint32(uint32(CUT) * wide + thread)]
            c1 = words[uint32(uint32(CUT + 1) * wide + thread)] if i > 1 else _FAR
            c2 = words[uint32(uint32(CUT + 2) * wide + thread)] if i > 2 else _FAR
            c3 = words[uint32(uint32(CUT + 3) * wide + thread)] if i > 3 else _FAR
            c4 = words[uint32(uint32(CUT + 4) * wide + thread)] if i > 4 else _FAR
            fits, sides = maximum > 0, uint32(0)
            if maximum == 0:
                fits, sides = last_edges(c0, c1, c2, c3, c4, _FAR, even, i)
            reach, closings, minimum = int32(0), int32(0), int32(total - best)
            value_0, value_1, value_2 = int32(0), int32(0), int32(0)
            code_0, code_1, code_2 = int32(0), int32(0), int32(0)
            while fits and reach < width:
                pair = near[int32(current * width + reach)]
                added = int32(pair >> 32)
                if added >= minimum:
                    break
                reach = int32(reach + 1)
                a = int32(pair & 0xFFFFFFFF)
                if a == before or a == after:  # noqa: SIM109 - a tuple takes memory on a GPU
                    continue
                q, a_before, a_behind = locate(words, state, node, thread, row, base, n, a)
                rest = int32(total - added)
                for back in range(2):
                    cut = int32(q - back)
                    cut = int32(cut + n) if cut < 0 else cut
                    fine = cut != c0 and cut != c1 and cut != c2 and cut != c3 and cut != c4
                    b = a_before if back == 1 else a_behind
                    if maximum == 0:
                        r = int32(
                            int32(c0 < cut) + int32(c1 < cut) + int32(c2 < cut) + int32(c3 < cut) + int32(c4 < cut) - 1
                        )
                        r = int32(i - 1) if r < 0 else r
                        fine = fine and (sides >> uint32(4 * r + back)) & uint32(1) == uint32(1)
                        evaluated = int32(evaluated + int32(fine))
                    else:
                        evaluated = int32(evaluated + 1)
                    if not fine:
                        continue
                    value = int32(rest + between(where, n, a, b))
                    gain = int32(value - between(where, n, b, city))
                    if maximum > 0:
                        code = int32(2 * a + back)
                        if value > value_0:
                            value_2, code_2, value_1, code_1 = value_1, code_1, value_0, code_0
                            value_0, code_0 = value, code
                        elif value > value_1:
                            value_2, code_2, value_1, code_1 = value_1, code_1, value, code
                        elif value > value_2:
                            value_2, code_2 = value, code
                        if level == 0 and back == side:
                            continue
                    if gain > best:
                        state[CLOSING + 2 * closings], state[CLOSING + 2 * closings + 1] = gain, int32(2 * a + back)
                        closings = int32(closings + 1)
            # Whether closing makes a tour is checked after the loop, so that all lanes that check it run together.
            nth = int32(0)
            while nth < closings:
                gain, code = state[CLOSING + 2 * nth], state[CLOSING + 2 * nth + 1]
                nth = int32(nth + 1)
                if gain <= best:
                    continue
                a, back = int32(code >> 1), int32(code & 1)
                q, a_before, a_behind = locate(words, state, node, thread, row, base, n, a)
                cut = int32(q - back)
                cut = int32(cut + n) if cut < 0 else cut
                ways = uint32((even & ~(uint32(1) << uint32(i))) | (uint32(1 - back) << uint32(i)))
                is_tour = True
                if maximum > 0:
                    is_tour, _, _ = walk(
                        c0, cut if i == 1 else c1, cut if i == 2 else c2, cut if i == 3 else c3,
                        cut if i == 4 else c4, cut if i == 5 else _FAR, ways, int32(i + 1),
                    )  # fmt: skip
                if is_tour:
                    words[uint32(uint32(CUT + i) * wide + thread)] = cut
                    state[END + 2 * i], state[END + 2 * i + 1] = a, (a_before if back == 1 else a_behind)
                    best_depth, best, best_even = int32(i + 1), gain, ways
                    keep(words, state, thread, best_depth)
            option = first_option(level)
            if maximum > 0:
                state[option], state[option + 1] = value_0, code_0
            if maximum > 1:
                state[option + 2], state[option + 3] = value_1, code_1
            if maximum > 2:
                state[option + 4], state[option + 5] = value_2, code_2
            picked = uint32(picked & ~(uint32(15) << uint32(4 * level)))
            # Take the best remaining alternative of the deepest level that has one.
            value, code = int32(0), int32(0)
            while level >= 0:
                tried = int32((picked >> uint32(4 * level)) & uint32(15))
                if tried < breadth(level, last_level):
                    option = int32(first_option(level) + 2 * tried)
                    value, code = state[option], state[option + 1]
                    if value > best:
                        break
                level = int32(level - 1)
            if level >= 0:
                picked = uint32(picked + (uint32(1) << uint32(4 * level)))
                i, a, back = int32(level + 1), int32(code >> 1), int32(code & 1)
                q, before, after = locate(words, state, node, thread, row, base, n, a)
                cut = int32(q - back)
                words[uint32(uint32(CUT + i) * wide + thread)] = int32(cut + n) if cut < 0 else cut
                even = uint32((even & ~(uint32(1) << uint32(i))) | (uint32(1 - back) << uint32(i)))
                state[END + 2 * i], state[END + 2 * i + 1] = a, (before if back == 1 else after)
                state[GAIN + i] = value
                level = i
            elif best_depth == 0:
                side = int32(side + 1)
            else:
                change, side = int32(change - best), int32(0)
                pieces = exchange(words, state, node, thread, row, base, n, pieces, best_depth, best_even)
                abandoned = pieces < 0 or used + 1 + 2 * best_depth > LOG_WORDS
                if not abandoned:
                    state[LOG + used] = best_depth
                    for each in range(2 * best_depth):
                        state[LOG + used + 1 + each] = state[BEST_END + each]
                        waiting = wait(state, head, waiting, state[BEST_END + each])
                        abandoned = abandoned or waiting < 0
                        waiting = max(waiting, int32(0))
                    used = int32(used + 1 + 2 * best_depth)
            if level < 0 and (abandoned or evaluated > max_evaluated):
                waiting, side, abandoned = int32(0), int32(2), True
        add(counts, EVALUATED, total_evaluated)

    return repair


@device
def _add(array, position, value):
    return cuda.atomic.add(array, position, value)


def build(policy: int, registers: int):
    """Build the kernel for one distance policy and number of registers; see `build_repair`."""
    repair = build_repair(device, build_metric(policy), _add, THREADS)
    options = {} if SIMULATED else {"max_registers": registers}

    @cuda.jit(fastmath=True, **options)
    def repair_kicks(where, near, node, n, width, depth, max_evaluated, chosen, stride, allowed, counts, results):
        words = cuda.shared.array(0, int32)
        state = cuda.local.array(STATE, int32)
        thread = uint32(cuda.threadIdx.x)
        repair(
            where,
            near,
            node,
            n,
            width,
            depth,
            max_evaluated,
            chosen,
            stride,
            allowed,
            counts,
            results,
            words,
            state,
            thread,
        )

    return repair_kicks


def build_nodes():
    """Build the kernel that lays out tours: each city's position, predecessor and successor."""

    @cuda.jit
    def lay_out(order, n, node):
        at = cuda.grid(1)
        if at < order.size:
            first: Any = at // n * n
            p: Any = at - first
            word: Any = 4 * (first + order[at])
            node[word] = p
            node[word + 1] = order[first + (p - 1 if p > 0 else n - 1)]
            node[word + 2] = order[first + (p + 1 if p + 1 < n else 0)]

    return lay_out
