"""Events yielded by solvers: small frozen records of numbers and arrays, in batches of columns.

Arrays are copies, so receivers may store them. Lengths are exact integers according to TSPLIB 95, recomputed in 64
bits. All events are in one file because the installed package loads it alone, as ``tourscope.events``.
"""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """Base class of all events; frames and run files use the lower-case class name.

    Attributes
    ----------
    of_last_stage : bool
        Whether only the last stage of a run reports events of this type, because they count climbers or iterations.
    is_climb : bool
        Whether it records the construction of a tour. Such events are stored separately from the log, appear as steps
        in the player, and are reproduced by `Solver.replay`.
    """

    of_last_stage: ClassVar[bool] = False
    is_climb: ClassVar[bool] = False


@dataclass(frozen=True, slots=True, eq=False)
class LastStageEvent(Event):
    """An event that only a run's last stage reports."""

    of_last_stage: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, eq=False)
class ClimbEvent(LastStageEvent):
    """An event that records the construction of a tour."""

    is_climb: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, eq=False)
class Compiling(Event):
    """The solver is preparing until `Started`; the run's clock stops while kernels are compiled or loaded."""


@dataclass(frozen=True, slots=True, eq=False)
class Started(Event):
    """The solver starts its work; the run's clock runs until the end or the next `Compiling`."""

    algorithm: str
    variant: str
    device: str
    threads: int
    compile_seconds: float
    repeatable: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Progress(Event):
    """Progress columns, one row per iteration, thinned for long runs.

    Attributes
    ----------
    iteration, evaluations : ndarray, shape (k,), int64
        Counted from the start of the run, in the solver's declared units, never decreasing.
    elapsed : ndarray, shape (k,), float64
        Seconds on the run's clock.
    best, current : ndarray, shape (k,), int64
        Best length so far, and the length at the end of this iteration.
    mean : ndarray, shape (k,), float64
        Mean of the lengths at the ends of all iterations so far.
    """

    iteration: np.ndarray
    evaluations: np.ndarray
    elapsed: np.ndarray
    best: np.ndarray
    current: np.ndarray
    mean: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Tour(Event):
    """A new best tour.

    Attributes
    ----------
    order : ndarray, shape (n,), int32
        The cities in visiting order, counted from 0.
    length : int
        Its exact length.
    climber : int
        The climber, ant or start that found the tour.
    """

    order: np.ndarray
    length: int
    climber: int


@dataclass(frozen=True, slots=True, eq=False)
class Moves(ClimbEvent):
    """Parts of climbs, move by move. A climb is a start tour and the 2-opt moves that follow.

    A part without moves that does not begin where the previous one ends is a snapshot: the current tour of a climb that
    is not recorded (`solvers.reporting.snapshots`).

    A move (i, j), i < j, reverses positions i+1 to j of the tour: it removes edges (i, i+1) and (j, j+1) and adds edges
    (i, j) and (i+1, j+1), named by the positions before the move.

    Attributes
    ----------
    climber : ndarray, shape (p,), int32
        The climber of each part.
    first : ndarray, shape (p,), int32
        Index, within its climb, of the part's first move.
    count : ndarray, shape (p,), int32
        Number of moves of the part: the next `count` rows of the move columns, in order of the parts.
    length : ndarray, shape (p,), int64
        Tour length before the part's first move.
    last : ndarray, shape (p,), bool
        Whether the climb ends with this part.
    tour : ndarray, shape (p,), int32
        Row of `tours` with the tour before the part's first move, or -1. The first part of a climb has a tour, and
        after it at least one in every 256 moves.
    tours : ndarray, shape (t, n), int32
    i, j, delta : ndarray, shape (m,), int32
        The moves; `delta` is the change in length, negative if the tour gets shorter.
    step : ndarray, shape (m,) or (0,), int64
        For algorithms that draw or choose their moves: the number of the draw of annealing, or of the step of tabu
        search, that made the move, from 1 in each climb. 0 for moves back to the best tour, -1 for moves of the local
        search after it.
    control : ndarray, shape (m,) or (0,), float64
        The control parameter at that step: the temperature of annealing, or the tenure of tabu search in moves; else 0.
    """

    climber: np.ndarray
    first: np.ndarray
    count: np.ndarray
    length: np.ndarray
    last: np.ndarray
    tour: np.ndarray
    tours: np.ndarray
    i: np.ndarray
    j: np.ndarray
    delta: np.ndarray
    step: np.ndarray = field(default_factory=lambda: np.empty(0, np.int64))
    control: np.ndarray = field(default_factory=lambda: np.empty(0))

    @property
    def is_snapshot(self) -> bool:
        """Whether the event consists of snapshots only."""
        return not self.i.size and bool(((self.first > 0) & (self.tour >= 0)).all())


@dataclass(frozen=True, slots=True, eq=False)
class Edges(ClimbEvent):
    """The construction of a tour: its n edges in the order of choice.

    Attributes
    ----------
    climber : int
        Index of the construction (for example, of the start city).
    edges : ndarray, shape (n, 2), int32
        Pairs of cities.
    delta : ndarray, shape (n,), int32
        Length of each edge.
    """

    climber: int
    edges: np.ndarray
    delta: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Explanation(ClimbEvent):
    """Numbers that explain how a tour was constructed; sent before the climber's `Edges`.

    Attributes
    ----------
    climber : int
    """

    climber: int


@dataclass(frozen=True, slots=True, eq=False)
class Choices(Explanation):
    """The best ant's options, step by step. Step k chooses the city at position k + 1.

    A city's share is its fitness divided by the total fitness of all cities that the ant could choose, which is its
    probability if a draw decides.

    Attributes
    ----------
    climber : int
        The iteration, counted from 0.
    ant : int
        The ant, counted from 0.
    q0 : float
        The probability of exploitation; 0 for ants without one.
    order : ndarray, shape (n,), int32
        The tour as the ant built it, before local search.
    city : ndarray, shape (n - 1, c), int32
        The cities with the greatest shares, descending, or -1; the chosen one replaces the last if it is not among
        them.
    share : ndarray, shape (n - 1, c), float32
    luck : ndarray, shape (n - 1, c), float32
        The random number by which each share was multiplied (if the greatest product decided) or divided (in a race); 0
        for cities that did not take part; otherwise shape (n - 1, 0).
    chosen : ndarray, shape (n - 1,), float32
        Share of the chosen city.
    mode : ndarray, shape (n - 1,), uint8
        How the city was chosen: an index in `CHOICE_MODES`.
    draws : ndarray, shape (n - 1,), uint8
        Number of draws from the wheel, including this one, or of races; earlier ones fell on visited cities. 0 without
        either.
    q : ndarray, shape (n - 1,), float32
        The random number that decided between exploitation and exploration; -1 if there was none.
    draw, low, high : ndarray, shape (n - 1,), float32
        The position of the draw on the wheel, from 0 to 1, and where the chosen city's part begins and ends; -1 without
        a wheel.
    """

    ant: int
    q0: float
    order: np.ndarray
    city: np.ndarray
    share: np.ndarray
    luck: np.ndarray
    chosen: np.ndarray
    mode: np.ndarray
    draws: np.ndarray
    q: np.ndarray
    draw: np.ndarray
    low: np.ndarray
    high: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Crossover(Explanation):
    """How the best tour of a generation combines its two parents, if it has any.

    The child has replaced the first parent. Edges of neither parent come from joined subtours, cuts or mutation.

    Attributes
    ----------
    climber : int
        The generation, counted from 0.
    first, second : int
        The parents, by their indices in the population, counted from 0.
    first_length, second_length : int
        Their lengths.
    children : int
        Number of children of the pair.
    origin : ndarray, shape (n,), uint8
        Origin of each edge, in the order of `Edges`: 1 for the first parent only, 2 for the second only, 3 for both, 0
        for neither.
    removed : ndarray, shape (r, 2), int32
        The first parent's edges that the child does not have.
    """

    first: int
    second: int
    first_length: int
    second_length: int
    children: int
    origin: np.ndarray
    removed: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Steps(Explanation):
    """A construction in steps that may also remove edges. After the last step, the edges are the same as in `Edges`.

    Before the last step the edges need not form a tour or a part of one, and an edge may occur twice.

    Attributes
    ----------
    climber : int
    changed : ndarray, shape (m, 2), int32
        The edges that are removed or added, as pairs of cities, step by step.
    lengths : ndarray, shape (m,), int32
        Their lengths.
    leaves : ndarray, shape (m,), bool
        Whether each is removed.
    ends : ndarray, shape (s,), int32
        Number of changed edges by the end of each step.
    phase : ndarray, shape (s,), uint8
        The part of the construction that each step belongs to, counted from 0.
    excess : int
        Maximum excess of a distance over a detour through a third city; 0 if the triangle inequality holds, -1 if it
        was not checked.
    """

    changed: np.ndarray
    lengths: np.ndarray
    leaves: np.ndarray
    ends: np.ndarray
    phase: np.ndarray
    excess: int


#: How a city was chosen. ``wheel``: by a wheel of all unvisited cities. ``trial``: by a trial on the wheel of all
#: cities, visited or not. ``after-trials``: by a wheel of all unvisited cities, after all trials had failed. ``list``:
#: by a wheel of the unvisited candidates. ``fallback``: by the greatest fitness, since no candidate was unvisited.
#: ``exploit``: by the greatest fitness. ``product``: by the greatest product of fitness and a random number. ``race``:
#: by the greatest quotient of fitness and an exponentially distributed random number, where all cities but the nearest
#: race as one. ``race-others``: by a wheel of these other cities, after they had won such a race.
CHOICE_MODES = ("wheel", "trial", "after-trials", "list", "fallback", "exploit", "product", "race", "race-others")


@dataclass(frozen=True, slots=True, eq=False)
class Deposits(Explanation):
    """The trail update after an iteration on the edges of its best tour, in the order of `Edges`.

    Attributes
    ----------
    climber : int
        The iteration, counted from 0.
    before, kept, after : ndarray, shape (n,), float32
        The trail of each edge before the update, after evaporation (of Ant Colony System: after the local updates), and
        after the deposits.
    ants : ndarray, shape (n,), int32
        Number of ants that deposited on the edge, each counted with its weight; in Ant Colony System, that took it.
    added : ndarray, shape (n,), bool
        Whether the edge got a deposit.
    length : int
        Length of the one tour that deposited; 0 if there were several.
    q : float
        An ant deposits this amount divided by the length of its tour.
    least, most : float
        Limits of the trails; 0 without such a limit.
    """

    before: np.ndarray
    kept: np.ndarray
    after: np.ndarray
    ants: np.ndarray
    added: np.ndarray
    length: int
    q: float
    least: float
    most: float


@dataclass(frozen=True, slots=True, eq=False)
class Rows(LastStageEvent):
    """Finished climbers (ants, starts, samples) as columns of the page's table, in order.

    Attributes
    ----------
    climber, moves : ndarray, shape (k,), int32
    length, evaluations : ndarray, shape (k,), int64
    seconds : ndarray, shape (k,), float64
        Time of the climber; in a batch of parallel or very short climbs, its share of the batch's measured time, by
        evaluations.
    """

    climber: np.ndarray
    length: np.ndarray
    moves: np.ndarray
    evaluations: np.ndarray
    seconds: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Colony(LastStageEvent):
    """Statistics of a colony's ants and trails, one row per iteration, thinned like `Progress`.

    Attributes
    ----------
    iteration : ndarray, shape (k,), int64
        Counted from 1.
    best, worst : ndarray, shape (k,), int64
        Shortest and longest tour of this iteration's ants.
    mean : ndarray, shape (k,), float64
        Mean length of this iteration's ants.
    entropy : ndarray, shape (k,), float64
        Shannon entropy of a city's trails in bits, as a mean over the cities: log2(n - 1) if all trails are equal, 0 if
        one has all the pheromone.
    branching : ndarray, shape (k,), float64
        Lambda branching factor of the trails, lambda = 0.05: how many of a city's trails exceed its minimum by at least
        a twentieth of the range, as a mean over the cities (L. M. Gambardella and M. Dorigo, "Ant-Q", 1995).
    trials : ndarray, shape (k, t), int64
        Number of choices of a city that took 1, 2, ... trials; in the last column those made by a full roulette wheel.
        t is 0 if the selection makes no trials.
    """

    iteration: np.ndarray
    best: np.ndarray
    mean: np.ndarray
    worst: np.ndarray
    entropy: np.ndarray
    branching: np.ndarray
    trials: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Ants(LastStageEvent):
    """The tour lengths of all ants in an iteration.

    Attributes
    ----------
    iteration : int
        Counted from 1.
    lengths : ndarray, shape (m,), int64
    """

    iteration: int
    lengths: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Population(LastStageEvent):
    """Statistics of a population of tours, one row per iteration, thinned like `Colony`.

    Attributes
    ----------
    iteration : ndarray, shape (k,), int64
        Counted from 1.
    best, worst : ndarray, shape (k,), int64
        Shortest and longest tour of the population at the end of the iteration.
    mean : ndarray, shape (k,), float64
        Mean length of its tours.
    edges : ndarray, shape (k,), int64
        Number of distinct edges of all tours: n if all tours are the same (1 for two cities).
    shared : ndarray, shape (k,), float64
        Share of a tour's edges that the best tour also has, from 0 to 1, as a mean over the other tours; 1 if there is
        no other.
    """

    iteration: np.ndarray
    best: np.ndarray
    mean: np.ndarray
    worst: np.ndarray
    edges: np.ndarray
    shared: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Individuals(LastStageEvent):
    """The tour lengths of a population after an iteration.

    Attributes
    ----------
    iteration : int
        Counted from 1.
    size : int
        Number of tours of the population.
    lengths : ndarray, shape (m,), int64
        Ascending. With more than 1,000 tours, 1,000 of them at even ranks, including the shortest and the longest.
    """

    iteration: int
    size: int
    lengths: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Field(LastStageEvent):
    """The pheromone after an iteration: a heatmap of all trails, and the strongest trails.

    Attributes
    ----------
    iteration : int
        Counted from 1; 0 is before the first.
    low, high : float
        The trails of the bytes 0 and 255 of `heat`. The scale between them is logarithmic: trail = low * (high / low)
        ** (byte / 255). Trails below `low` are 0.
    heat : ndarray, shape (b, b), uint8
        Mean trails between blocks of cities, b <= 256. Block k contains the cities at positions floor(k n / b) to
        floor((k + 1) n / b) - 1 of `order`. The diagonal (a city to itself) is not counted.
    order : ndarray, shape (n,), int32
        Cities along the optimal tour if one is known, otherwise along the best one so far.
    edges : ndarray, shape (e, 2), int32
        The strongest edges, e <= 2,000, the strongest first; the lower city first.
    trail : ndarray, shape (e,), float32
        Their pheromone.
    """

    iteration: int
    low: float
    high: float
    heat: np.ndarray
    order: np.ndarray
    edges: np.ndarray
    trail: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Tabu(LastStageEvent):
    """A snapshot of a tabu search: its current tour and its tabu edges.

    Attributes
    ----------
    climber : int
        The search.
    step : int
        Number of its moves so far.
    length : int
        Length of the tour.
    order : ndarray, shape (n,), int32
    removed : ndarray, shape (r, 2), int32
        Removed edges that may not be added again, the newest last; an edge may occur more than once.
    added : ndarray, shape (a, 2), int32
        Added edges that may not be removed, the newest last.
    """

    climber: int
    step: int
    length: int
    order: np.ndarray
    removed: np.ndarray
    added: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Phases(LastStageEvent):
    """Time of each phase in milliseconds, for the measured iterations.

    Attributes
    ----------
    iteration : ndarray, shape (k,), int64
        Counted from 1.
    choice, construction, update, best : ndarray, shape (k,), float64
        Weights of all edges; construction of the ants' tours; evaporation and deposit; lengths and the search for the
        best. The time of 2-opt is in `Shortened`.
    """

    iteration: np.ndarray
    choice: np.ndarray
    construction: np.ndarray
    update: np.ndarray
    best: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Shortened(LastStageEvent):
    """How much 2-opt improved the ants' tours, thinned like `Colony`.

    Attributes
    ----------
    iteration : ndarray, shape (k,), int64
        Counted from 1.
    before, after : ndarray, shape (k,), float64
        Mean length of the ants' tours of the iteration before and after 2-opt.
    milliseconds : ndarray, shape (k,), float64
        Time of 2-opt, or NaN if it was not measured.
    best : bool
        Whether only the best tour so far was shortened, at the end of the run; then there is one row with its lengths.
    """

    iteration: np.ndarray
    before: np.ndarray
    after: np.ndarray
    milliseconds: np.ndarray
    best: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Replicas(LastStageEvent):
    """The replicas of a replica exchange by temperature, hottest first.

    Attributes
    ----------
    evaluations : int
        Moves drawn so far, by all replicas.
    temperature : ndarray, shape (r,), float64
    replica : ndarray, shape (r,), int64
        The replica at each temperature.
    length : ndarray, shape (r,), int64
        Length of that replica's tour.
    acceptance : ndarray, shape (r,), float64
        Share of accepted draws since the previous event, for the replica currently at the temperature.
    exchanges : ndarray, shape (r - 1,), float64
        Share of accepted exchanges with the next temperature among those tried since the previous event.
    """

    evaluations: int
    temperature: np.ndarray
    replica: np.ndarray
    length: np.ndarray
    acceptance: np.ndarray
    exchanges: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Layers(LastStageEvent):
    """An exact solver's work per layer of states, and for other numbers of cities.

    A layer consists of all sets with a given number of outer cities, each with every set of the inner ones. Reported
    once, at the start. Without inner cities no layer is left out.

    Attributes
    ----------
    inner, outer : int
        Number of cities of either kind, besides the first. Layers have 0 to outer / 2 outer cities; without inner
        cities, 0 to outer.
    item : int
        Bytes of a state.
    memory : int
        Bytes of the device available for the tables.
    subsets, states, transitions, bytes : ndarray, shape (layers,), int64
        For each layer: sets of cities, lengths stored or passed on, sums compared, and memory during its computation.
    cities : ndarray, shape (w,), int64
        Numbers of cities, ascending, this instance's included.
    cities_transitions, cities_bytes : ndarray, shape (w,), float64
        The sum of transitions and the memory for each of them, with the same number of bytes per state.
    """

    inner: int
    outer: int
    item: int
    memory: int
    subsets: np.ndarray
    states: np.ndarray
    transitions: np.ndarray
    bytes: np.ndarray
    cities: np.ndarray
    cities_transitions: np.ndarray
    cities_bytes: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Front(LastStageEvent):
    """Progress through the layers, one row per piece of work.

    Attributes
    ----------
    layer : ndarray, shape (k,), int64
        The current or just completed layer: its number of outer cities.
    subsets, states, transitions : ndarray, shape (k,), int64
        Completed so far, in all layers.
    elapsed : ndarray, shape (k,), float64
        Seconds on the run's clock.
    proven : bool
        Whether all layers are done, so that the best tour is proven optimal; only in the last event.
    """

    layer: np.ndarray
    subsets: np.ndarray
    states: np.ndarray
    transitions: np.ndarray
    elapsed: np.ndarray
    proven: bool


@dataclass(frozen=True, slots=True, eq=False)
class Tree(LastStageEvent):
    """Progress of branch-and-cut, one row per finished node or piece of work.

    Attributes
    ----------
    node : ndarray, shape (k,), int64
        Number of finished nodes.
    open, depth, cuts, relaxations, columns : ndarray, shape (k,), int64
        Open nodes, depth of the current node, cuts found so far, linear programs solved so far, and edges of the
        current one.
    bound, length : ndarray, shape (k,), int64
        No tour is shorter than `bound`; the best tour has length `length`.
    elapsed : ndarray, shape (k,), float64
        Seconds on the run's clock.
    proven : bool
        Whether no node is left, so that the best tour is proven optimal; only in the last event.
    """

    node: np.ndarray
    open: np.ndarray
    depth: np.ndarray
    cuts: np.ndarray
    relaxations: np.ndarray
    columns: np.ndarray
    bound: np.ndarray
    length: np.ndarray
    elapsed: np.ndarray
    proven: bool


def shows_proof(event: Event) -> bool:
    """Return whether an exact solver's event says that its best tour is proven optimal."""
    return isinstance(event, Front | Tree) and event.proven


@dataclass(frozen=True, slots=True, eq=False)
class Finished(Event):
    """The end of a run, with all that is needed to report and repeat it.

    Attributes
    ----------
    order : ndarray, shape (n,), int32
    length : int
    iterations, evaluations : int
    seconds, seconds_to_best, compile_seconds : float
        Run time without compilation and pauses; time of the best tour on the same clock; time of compilation.
    stop_reason : str
        ``completed``, ``time``, ``evaluations``, ``iterations``, ``no-improvement``, ``target``, ``cancelled``, or
        ``preparation`` if the time was up before the algorithm began.
    device : str
        Description of the device.
    threads : int
    versions : dict of str to str
    """

    order: np.ndarray
    length: int
    iterations: int
    evaluations: int
    seconds: float
    seconds_to_best: float
    compile_seconds: float
    stop_reason: str
    device: str
    threads: int
    versions: dict[str, str]
