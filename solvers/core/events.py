"""The events that solvers yield: small frozen records of numbers and arrays, in batches of columns.

Arrays are copies, so receivers may store them. Lengths are exact integers according to TSPLIB 95, computed in 64 bits.
All events are in one file because the installed package loads this file alone, as ``tourscope.events``.
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
        Whether only a run's last stage reports events of this type, because they count climbers or iterations.
    is_climb : bool
        Whether the event records the construction of a tour. Such events are stored apart from the log, appear as steps
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
        Totals since the start of the run, in the units that the solver declares; they never decrease.
    elapsed : ndarray, shape (k,), float64
        Seconds on the run's clock.
    best, current : ndarray, shape (k,), int64
        Best length so far, and length at the end of this iteration.
    mean : ndarray, shape (k,), float64
        Mean of the lengths at the end of each iteration so far.
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
        The tour's exact length.
    climber : int
        The climber, ant or start that found the tour.
    """

    order: np.ndarray
    length: int
    climber: int


@dataclass(frozen=True, slots=True, eq=False)
class Moves(ClimbEvent):
    """Parts of climbs, move by move. A climb is a start tour and the 2-opt moves that follow.

    A snapshot is a part without moves that does not begin where the climb's previous part ends: the current tour of a
    climb that is not recorded (`solvers.reporting.snapshots`).

    A move (i, j), i < j, reverses positions i+1 to j of the tour: it removes edges (i, i+1) and (j, j+1) and adds edges
    (i, j) and (i+1, j+1), where positions are those before the move.

    Attributes
    ----------
    climber : ndarray, shape (p,), int32
        The climber to which each part belongs.
    first : ndarray, shape (p,), int32
        Index of the part's first move within its climb.
    count : ndarray, shape (p,), int32
        Number of moves in the part: the next `count` rows of the move columns, in order of the parts.
    length : ndarray, shape (p,), int64
        Tour length before the part's first move.
    last : ndarray, shape (p,), bool
        Whether the climb ends with this part.
    tour : ndarray, shape (p,), int32
        Row of `tours` with the tour before the part's first move, or -1. A climb's first part has a tour, and later
        there is a tour at least every 256 moves.
    tours : ndarray, shape (t, n), int32
    i, j, delta : ndarray, shape (m,), int32
        The moves; `delta` is the change in length, negative if the tour gets shorter.
    step : ndarray, shape (m,) or (0,), int64
        For algorithms that draw or choose their moves: the number of annealing's draw, or of tabu search's step, that
        made the move, counted from 1 in each climb. 0 for moves back to the best tour, -1 for moves of the local search
        that follows.
    control : ndarray, shape (m,) or (0,), float64
        The control parameter at that step: annealing's temperature, or tabu search's tenure in moves; otherwise 0.
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
        """Whether the event consists only of snapshots."""
        return not self.i.size and bool(((self.first > 0) & (self.tour >= 0)).all())


@dataclass(frozen=True, slots=True, eq=False)
class Edges(ClimbEvent):
    """The construction of a tour: its n edges in the order in which they were chosen.

    Attributes
    ----------
    climber : int
        Index of the construction, for example its start city.
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
    """Numbers that explain how a tour was constructed; yielded before the climber's `Edges`.

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
        The probability of exploitation; 0 if ants never exploit.
    order : ndarray, shape (n,), int32
        The tour as the ant built it, before local search.
    city : ndarray, shape (n - 1, c), int32
        The cities with the greatest shares, in descending order, or -1. If the chosen city is not among these, it
        replaces the last.
    share : ndarray, shape (n - 1, c), float32
    luck : ndarray, shape (n - 1, c), float32
        The random number by which each share was multiplied (if the greatest product decided) or divided (in a race); 0
        for cities that did not take part. If choices are made in another way, the shape is (n - 1, 0).
    chosen : ndarray, shape (n - 1,), float32
        The chosen city's share.
    mode : ndarray, shape (n - 1,), uint8
        How the city was chosen: an index into `CHOICE_MODES`.
    draws : ndarray, shape (n - 1,), uint8
        Number of draws on the wheel, or of races, including the last; the earlier ones fell on visited cities. 0 if
        there was neither.
    q : ndarray, shape (n - 1,), float32
        The random number that decided between exploitation and exploration; -1 if there was none.
    draw, low, high : ndarray, shape (n - 1,), float32
        The position of the draw on the wheel, from 0 to 1, and where the chosen city's part of the wheel begins and
        ends; -1 without a wheel.
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
    """How a generation's best tour combines its two parents, if it has any.

    The child has replaced the first parent. Edges that neither parent has come from joined subtours, cuts or mutation.

    Attributes
    ----------
    climber : int
        The generation, counted from 0.
    first, second : int
        The parents, by their indices in the population, counted from 0.
    first_length, second_length : int
        The parents' lengths.
    children : int
        Number of children that the pair had.
    origin : ndarray, shape (n,), uint8
        Which parents have each edge, in the order of `Edges`: 1 for the first parent only, 2 for the second only, 3 for
        both, 0 for neither.
    removed : ndarray, shape (r, 2), int32
        The first parent's edges that the child lacks.
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
    """A construction in steps that may also remove edges. After the last step, the edges are those of `Edges`.

    Before the last step the edges need not form a tour or part of one, and an edge may occur twice.

    Attributes
    ----------
    climber : int
    changed : ndarray, shape (m, 2), int32
        The edges that are removed or added, as pairs of cities, step by step.
    lengths : ndarray, shape (m,), int32
        The length of each of these edges.
    leaves : ndarray, shape (m,), bool
        Whether each edge is removed.
    ends : ndarray, shape (s,), int32
        Number of edges changed by the end of each step.
    phase : ndarray, shape (s,), uint8
        The phase of the construction to which each step belongs, counted from 0.
    excess : int
        By how much at most a distance exceeds a detour through a third city; 0 if the triangle inequality holds, -1 if
        it was not checked.
    """

    changed: np.ndarray
    lengths: np.ndarray
    leaves: np.ndarray
    ends: np.ndarray
    phase: np.ndarray
    excess: int


#: How a city was chosen. ``wheel``: on a wheel of all unvisited cities. ``trial``: by a trial on the wheel of all
#: cities, visited or not. ``after-trials``: on a wheel of all unvisited cities, after all trials had failed. ``list``:
#: on a wheel of the unvisited candidates. ``fallback``: by the greatest fitness, since no candidate was unvisited.
#: ``exploit``: by the greatest fitness. ``product``: by the greatest product of fitness and a random number. ``race``:
#: by the greatest quotient of fitness and an exponentially distributed random number, where all cities but the nearest
#: race as one. ``race-others``: on a wheel of those other cities, after they had won such a race.
CHOICE_MODES = ("wheel", "trial", "after-trials", "list", "fallback", "exploit", "product", "race", "race-others")


@dataclass(frozen=True, slots=True, eq=False)
class Deposits(Explanation):
    """How the update after an iteration changed the trails on its best tour's edges, in the order of `Edges`.

    Attributes
    ----------
    climber : int
        The iteration, counted from 0.
    before, kept, after : ndarray, shape (n,), float32
        The trail of each edge before the update, after evaporation (in Ant Colony System: after the local updates), and
        after the deposits.
    ants : ndarray, shape (n,), int32
        Number of ants that deposited on the edge, each counted with its weight; in Ant Colony System, number of ants
        that took the edge.
    added : ndarray, shape (n,), bool
        Whether the edge received a deposit.
    length : int
        Length of the one tour that deposited; 0 if there were several.
    q : float
        An ant deposits this amount divided by the length of its tour.
    least, most : float
        Limits on the trails; 0 if there is no such limit.
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
        Time that the climber took. In a batch of parallel or very short climbs, this is its share of the batch's
        measured time, in proportion to its evaluations.
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
        Lengths of this iteration's shortest and longest tour.
    mean : ndarray, shape (k,), float64
        Mean length of this iteration's tours.
    entropy : ndarray, shape (k,), float64
        Shannon entropy of a city's trails in bits, as a mean over the cities: log2(n - 1) if all trails are equal, 0 if
        one trail has all the pheromone.
    branching : ndarray, shape (k,), float64
        Lambda-branching factor of the trails with lambda = 0.05: how many of a city's trails exceed the minimum by at
        least a twentieth of the range, as a mean over the cities (L. M. Gambardella and M. Dorigo, "Ant-Q", 1995).
    trials : ndarray, shape (k, t), int64
        Number of choices of a city that took 1, 2, ... trials; the last column counts those made by a full roulette
        wheel. t is 0 if the selection makes no trials.
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
        Lengths of the population's shortest and longest tour at the end of the iteration.
    mean : ndarray, shape (k,), float64
        Mean length of the population's tours.
    edges : ndarray, shape (k,), int64
        Number of distinct edges in all tours together: n if all tours are the same (1 for two cities).
    shared : ndarray, shape (k,), float64
        Share of a tour's edges that the best tour also has, from 0 to 1, as a mean over the other tours; 1 if there are
        no others.
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
        Number of tours in the population.
    lengths : ndarray, shape (m,), int64
        The lengths in ascending order. Of more than 1,000 tours, 1,000 at evenly spaced ranks, including the shortest
        and the longest.
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
        Counted from 1; 0 stands for the time before the first.
    low, high : float
        The trails that the bytes 0 and 255 of `heat` stand for. The scale between these is logarithmic:
        trail = low * (high / low) ** (byte / 255). Trails below `low` have the byte 0.
    heat : ndarray, shape (b, b), uint8
        Mean trails between blocks of cities, b <= 256. Block k contains the cities at positions floor(k n / b) to
        floor((k + 1) n / b) - 1 of `order`. The diagonal (from a city to itself) does not count.
    order : ndarray, shape (n,), int32
        The cities along the optimal tour if one is known, otherwise along the best tour so far.
    edges : ndarray, shape (e, 2), int32
        The edges with the strongest trails, e <= 2,000, the strongest first; each edge has its lower city first.
    trail : ndarray, shape (e,), float32
        The trails on these edges.
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
        The search's index.
    step : int
        Number of moves that the search has made so far.
    length : int
        Length of the current tour.
    order : ndarray, shape (n,), int32
    removed : ndarray, shape (r, 2), int32
        Removed edges that must not be added again, the newest last; an edge may occur more than once.
    added : ndarray, shape (a, 2), int32
        Added edges that must not be removed, the newest last.
    """

    climber: int
    step: int
    length: int
    order: np.ndarray
    removed: np.ndarray
    added: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Phases(LastStageEvent):
    """How many milliseconds each phase took, in the measured iterations.

    Attributes
    ----------
    iteration : ndarray, shape (k,), int64
        Counted from 1.
    choice, construction, update, best : ndarray, shape (k,), float64
        Time for the weights of all edges; for the ants' tours; for evaporation and deposits; for the tours' lengths and
        the search for the best. The time of 2-opt is in `Shortened`.
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
        Mean length of the iteration's tours before and after 2-opt.
    milliseconds : ndarray, shape (k,), float64
        Time that 2-opt took; NaN if it was not measured.
    best : bool
        Whether only the run's best tour was shortened, at the end; then there is one row, with that tour's lengths.
    """

    iteration: np.ndarray
    before: np.ndarray
    after: np.ndarray
    milliseconds: np.ndarray
    best: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Replicas(LastStageEvent):
    """The replicas of a replica exchange by temperature, the hottest first.

    Attributes
    ----------
    evaluations : int
        Number of moves that all replicas have drawn so far.
    temperature : ndarray, shape (r,), float64
    replica : ndarray, shape (r,), int64
        The replica at each temperature.
    length : ndarray, shape (r,), int64
        Length of that replica's tour.
    acceptance : ndarray, shape (r,), float64
        Share of draws accepted since the previous event, by the replica that is now at the temperature.
    exchanges : ndarray, shape (r - 1,), float64
        Share of the exchanges with the next temperature that were accepted, of those tried since the previous event.
    """

    evaluations: int
    temperature: np.ndarray
    replica: np.ndarray
    length: np.ndarray
    acceptance: np.ndarray
    exchanges: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Layers(LastStageEvent):
    """An exact solver's work per layer of states, and its work for other numbers of cities.

    A layer consists of all sets with a given number of outer cities, each combined with every set of inner cities. The
    event is reported once, at the start.

    Attributes
    ----------
    inner, outer : int
        Number of inner and of outer cities, which do not include the first city. Layers have 0 to outer / 2 outer
        cities; if there are no inner cities, 0 to outer.
    item : int
        Number of bytes per state.
    memory : int
        Bytes of the device's memory that are available for the tables.
    subsets, states, transitions, bytes : ndarray, shape (layers,), int64
        For each layer: sets of cities, lengths stored or passed on, sums compared, and bytes in use during its
        computation.
    cities : ndarray, shape (w,), int64
        Numbers of cities in ascending order, including this instance's.
    cities_transitions, cities_bytes : ndarray, shape (w,), float64
        For each of these numbers, the total of transitions and the memory, at the same number of bytes per state.
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
        Number of outer cities of the layer that is being computed or has just been completed.
    subsets, states, transitions : ndarray, shape (k,), int64
        Number completed so far, in all layers together.
    elapsed : ndarray, shape (k,), float64
        Seconds on the run's clock.
    proven : bool
        Whether all layers are done, so that the best tour is proven optimal; true only in the last event.
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
        Number of open nodes, depth of the current node, cuts found so far, linear programs solved so far, and edges in
        the current one.
    bound, length : ndarray, shape (k,), int64
        No tour is shorter than `bound`; the best tour has this `length`.
    elapsed : ndarray, shape (k,), float64
        Seconds on the run's clock.
    proven : bool
        Whether no node is left, so that the best tour is proven optimal; true only in the last event.
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
    """The end of a run, with all that is needed to report and repeat the run.

    Attributes
    ----------
    order : ndarray, shape (n,), int32
    length : int
    iterations, evaluations : int
    seconds, seconds_to_best, compile_seconds : float
        Run time without compilation and pauses; time on the same clock at which the best tour was found; time of
        compilation.
    stop_reason : str
        ``completed``, ``time``, ``evaluations``, ``iterations``, ``no-improvement``, ``target``, ``cancelled``, or
        ``preparation`` if time ran out before the algorithm began.
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
