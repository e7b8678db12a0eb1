"""A tour of many cities, whose sections GPUs kick and cores change side by side. Imports Numba: for `solve()`."""

from collections.abc import Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from time import perf_counter

import numpy as np
from numba import cuda

from solvers.gpu.calibration import FEW_RESULTS, MOST_KICKS, SECTION_BATCHES, SECTION_KICKS, SECTIONS
from solvers.gpu.limits import give_memory_back
from solvers.kernels.device_cuda import SIMULATED
from solvers.lin_kernighan.cpu import LocalSearch, RoundResult, allocate
from solvers.lin_kernighan.cuda import GpuKicks, allocate_held, none_allowed, sequence_of
from solvers.lin_kernighan.kernels import search_cpu
from solvers.lin_kernighan.kernels.apply_cpu import apply_results
from solvers.lin_kernighan.kernels.tour_cpu import Cities
from solvers.lin_kernighan.params import LinKernighanParams
from solvers.lin_kernighan.pieces_cpu import Improved, enqueue, improve_pieces
from solvers.parallel.thread_team import ThreadTeam

#: Target seconds of a slice, and results that a thread makes in one call.
_SLICE_SECONDS, _MADE = 0.02, 256
#: Fewest cities of a tour that is improved in pieces first, and cities of a piece; exchanges looked at in a round after
#: that, for each city.
PIECED, PIECE, _LATER_DESCENT = 150_000, 50_000, 4


class Section:
    """Some positions of a tour: a GPU kicks there, and a thread makes the results that lie within.

    Its first and last city stay where they are. Results that change edges of other sections are dropped.

    Parameters
    ----------
    device : int
    kicks : GpuKicks
    n : int
        Cities of the tour.

    Attributes
    ----------
    batch : int
        Kicks of its next batches.
    """

    def __init__(self, device: int, kicks: GpuKicks, n: int) -> None:
        self.device, self._gpu, self._place = device, kicks, np.empty(n, np.int32)
        self.batch = min(SECTION_KICKS, n)

    def begin(self, order: np.ndarray, first: int, last: int, depth: int) -> None:
        """Take the positions from `first` to `last` of a tour, (n,) int32, which does not change meanwhile."""
        count = last - first
        self._whole, self._first = order, first
        tour, self._search, self._chain = allocate(np.arange(count, dtype=np.int32), 0, depth, 0, False)
        self._tour = tour._replace(order=order[first:last].copy(), place=self._place, held=allocate_held(count))
        self._ends = order[first], order[last - 1]
        self._place[:] = -1
        self._place[self._tour.order] = np.arange(count, dtype=np.int32)
        self.state = self._chain.state
        self.state[search_cpu.TARGET] = search_cpu.NO_TARGET
        self.evaluated = 0

    def kick(self, first: int, batches: int) -> Generator[None, None, None]:
        """Kick in batches, the first kick of all having number `first`; yields after each launch.

        The current device is the section's.
        """
        gpu, state = self._gpu, self.state
        gpu.take(self._whole, none_allowed()[:1])
        gpu.begin_at(np.flatnonzero(self._place >= 0).astype(np.int32))
        for number in range(batches):
            gpu.take_part(self._path(), self._first)
            begin, found = 0, list[np.ndarray]()
            while begin < self.batch:
                begin, results, evaluated = gpu.launch(first + number * self.batch, begin, self.batch)
                found.append(results)
                self.evaluated += evaluated
                yield
            results = np.concatenate(found)
            sequence, at = sequence_of(results), 0
            while at < sequence.size:
                state[search_cpu.RECORDED] = 0
                at = apply_results(self._tour, self._search, self._chain, results, sequence, at, _MADE)
        if state[search_cpu.ACCEPTED] < batches * self.batch >> FEW_RESULTS:
            self.batch = min(MOST_KICKS, 2 * self.batch)

    def _path(self) -> np.ndarray:
        """Its cities from the first to the last, which are beside each other in the array, wherever they are there."""
        order, begin = self._tour.order, int(self._place[self._ends[0]])
        if order[begin - 1] == self._ends[1]:
            return np.roll(order, -begin)
        return np.roll(order[::-1], begin + 1)

    def put_back(self) -> int:
        """Write its cities into the tour; returns how the length changes."""
        self._whole[self._first : self._first + self._tour.order.size] = self._path()
        return int(self.state[search_cpu.LENGTH])


class SectionSearch(LocalSearch):
    """An iterated local search whose kicks GPUs make in sections of the tour, with borders that move after each round.

    The first local optimum is made by cores. A section has a GPU, or shares it with others: while cores make the
    results of one, it kicks the next. Which of them is faster changes nothing, but their number does.

    Parameters
    ----------
    cities, order, length, seed, params, target
        See `solvers.lin_kernighan.cpu.LocalSearch`.
    team : ThreadTeam
        Improves many cities in pieces, before all are a local optimum.
    devices : sequence of int
        The GPUs' numbers.

    Attributes
    ----------
    lost : list of int
        The numbers of the GPUs that have failed: the others go on.

    Raises
    ------
    InstanceTooLarge
        See `solvers.lin_kernighan.cuda.GpuKicks`.
    """

    _firsts: tuple[int, ...] = ()
    _pieces: Generator[bool, None, None] | None = None
    _pieced = False

    def __init__(
        self, cities: Cities, order: np.ndarray, length: int, seed: int, params: LinKernighanParams,
        target: int | None, team: ThreadTeam, devices: Sequence[int],
    ) -> None:  # fmt: skip
        n = order.size
        super().__init__(cities, order, length, seed, params, target)
        self._team, self._halted, self.lost = team, False, list[int]()
        self._running: list[Future[None]] = []
        if n >= PIECED:
            self._piece, self._firsts = n * _LATER_DESCENT, (0, PIECE // 2)
            self.start_round()
        self._sections: list[Section] = []
        for device in devices:
            with _on(device):
                beside: GpuKicks | None = None
                for _ in range(SECTIONS):
                    beside = GpuKicks(cities, seed, params, sharing=SECTIONS, beside=beside)
                    self._sections.append(Section(device, beside, n))
        self._pool = ThreadPoolExecutor(len(self._sections))

    @property
    def round_over(self) -> bool:
        """Whether the round has ended."""
        return not self._pieces if self._pieced else super().round_over

    def start_round(self) -> None:
        """Start the next round: pieces of the tour, exchanges, or some batches of each section."""
        super().start_round()
        self._pieced = bool(self._firsts)
        if self._pieced:
            first, *rest = self._firsts
            self._firsts, self._pieces = tuple(rest), self._improve_pieces(first)

    def end_round(self) -> RoundResult:
        """See `LocalSearch`; how a round that kicked changed the tour is not known."""
        if self._running:
            self._put_back()
        return super().end_round() if self.in_descent else RoundResult(self.length, self.order.copy(), None, 0)

    def close(self) -> None:
        """End the threads, and free the devices' memory."""
        self._halted = True
        self._pool.shutdown()
        devices = {section.device for section in self._sections}
        self._sections = []
        for device in devices:
            with _on(device):
                give_memory_back()

    def _descend(self, limit: int) -> None:
        """Work on the first local optimum for one slice."""
        if not self._pieced:
            super()._descend(limit)
            return
        self._team.deadline = perf_counter() + _SLICE_SECONDS
        if self._pieces and next(self._pieces, True):
            self._pieces = None

    def _improve_pieces(self, first: int) -> Generator[bool, None, None]:
        """Improve pieces of the tour; behind the last, cities with candidates in other pieces wait."""
        state, tour, chain = self._state, self._tour, self._chain
        steps = improve_pieces(self.cities, tour, first, PIECE, self._params.depth, self._team)
        while True:
            try:
                next(steps)
            except StopIteration as stop:
                found: Improved = stop.value
                break
            yield False
        state[search_cpu.LENGTH] += found.change
        state[search_cpu.BEST] = state[search_cpu.LENGTH]
        state[search_cpu.EVALUATED] += found.evaluated
        state[search_cpu.MADE] += found.move_count
        self._parts += found.record
        self._rows += sum(map(len, found.record))
        if not self._firsts:
            waiting = enqueue(self.cities, tour, first, PIECE)
            chain.queued[:] = False
            chain.queued[waiting] = True
            chain.queue[: waiting.size] = waiting
            state[search_cpu.QUEUED], state[search_cpu.HEAD] = waiting.size, 0

    def _kick(self, limit: int) -> None:
        """Kick for one slice: threads go on meanwhile."""
        if not self._running:
            self._begin()
        if not wait(self._running, timeout=_SLICE_SECONDS).not_done:
            self._put_back()

    def _begin(self) -> None:
        """Move the borders, and let a thread work in each section."""
        order, sections, first = self._tour.order, self._sections, int(self._state[search_cpu.KICKS])
        n, count = order.size, len(sections)
        order[:] = np.roll(order, np.random.default_rng((int(self._seed), first)).integers(n))
        batches = SECTION_BATCHES
        if self._params.kicks:
            each = max(1, self._params.kicks // count)
            batches = -(-each // MOST_KICKS)
            for section in sections:
                section.batch = -(-each // batches)
        for k, section in enumerate(sections):
            section.begin(order, n * k // count, n * (k + 1) // count, self._params.depth)
        self._next_kick = first
        for section in sections:
            steps = section.kick(self._next_kick, batches)
            self._running.append(self._pool.submit(self._run, section.device, steps))
            if SIMULATED:  # which runs one kernel at a time
                wait(self._running)
            self._next_kick += batches * section.batch

    def _run(self, device: int, steps: Generator[None, None, None]) -> None:
        """Work in a section until it is done, or all are to stop."""
        with _on(device):
            for _ in steps:
                if self._halted:
                    return

    def _put_back(self) -> None:
        """Make one tour of the sections, when threads have stopped."""
        self._halted = True
        wait(self._running)
        failed = {
            section.device: error
            for section, each in zip(self._sections, self._running, strict=True)
            if (error := each.exception())
        }
        self._running, self._halted = [], False
        state = self._state
        for section in self._sections:
            state[search_cpu.LENGTH] += section.put_back()
            state[search_cpu.EVALUATED] += section.evaluated
            state[search_cpu.ACCEPTED] += section.state[search_cpu.ACCEPTED]
        state[search_cpu.BEST] = state[search_cpu.LENGTH]
        state[search_cpu.KICKS] = self._until = self._next_kick
        self.lost += failed
        self._sections = [section for section in self._sections if section.device not in failed]
        if not self._sections:
            raise failed.popitem()[1]


def _on(device: int):
    return cuda.gpus[0 if SIMULATED else device]
