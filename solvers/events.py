"""What a solver says while it works: small frozen records of numbers and arrays, in batches of columns.

Arrays are copies that the receiver may keep. Lengths are exact integers after TSPLIB 95, recomputed in 64 bits.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """What every kind of event is; frames and run files call a kind by its class's name in lower case.

    Attributes
    ----------
    of_last_stage : bool
        Whether it counts in climbers or iterations, which are those of a run's last stage: the same of a stage before
        it is not reported.
    is_climb : bool
        Whether it tells how a tour came to be: kept apart from the log, a step of the player, and what `Solver.replay`
        yields again.
    """

    of_last_stage: ClassVar[bool] = False
    is_climb: ClassVar[bool] = False


@dataclass(frozen=True, slots=True, eq=False)
class Compiling(Event):
    """The solver's kernels are being compiled or loaded; the run's clock stands until `Started`."""


@dataclass(frozen=True, slots=True, eq=False)
class Started(Event):
    """The solver begins to work; the run's clock goes on from here."""

    algorithm: str
    variant: str
    device: str
    threads: int
    compile_seconds: float
    repeatable: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Progress(Event):
    """Columns of progress, one row an iteration (thinned where there are very many).

    Attributes
    ----------
    iteration, evaluations : ndarray, shape (k,), int64
        Counted from the start of the run, in the solver's declared units, never falling.
    elapsed : ndarray, shape (k,), float64
        Seconds on the run's clock.
    best, current : ndarray, shape (k,), int64
        Best length so far, and the length that this iteration ended with.
    mean : ndarray, shape (k,), float64
        Mean of the lengths that iterations ended with so far.
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
        The cities in the order of the visit, from 0.
    length : int
        Its exact length.
    climber : int
        Which climber, ant or start found it.
    """

    order: np.ndarray
    length: int
    climber: int


@dataclass(frozen=True, slots=True, eq=False)
class Moves(Event):
    """Pieces of climbs, move by move. A climb is a start tour and the 2-opt moves made from it.

    A piece without moves that does not begin where the one before it ends is a glimpse: the tour at which a climb is
    that is not written down, for who watches (`solvers.reporting.snapshots`).

    A move (i, j), i < j, reverses positions i+1 to j of the tour: edges (i, i+1) and (j, j+1) leave, edges (i, j)
    and (i+1, j+1), named by the positions before the move, enter.

    Attributes
    ----------
    climber : ndarray, shape (p,), int32
        Whose climb the piece belongs to.
    first : ndarray, shape (p,), int32
        Index, within its climb, of the piece's first move.
    count : ndarray, shape (p,), int32
        How many moves the piece has: the next `count` rows of the move columns, in order of the pieces.
    length : ndarray, shape (p,), int64
        Tour length before the piece's first move.
    last : ndarray, shape (p,), bool
        Whether the climb ends with this piece.
    tour : ndarray, shape (p,), int32
        Row of `tours` that holds the tour before the piece's first move, or -1. The first piece of a climb has one,
        and so has at least one in every 256 moves after it.
    tours : ndarray, shape (t, n), int32
    i, j, delta : ndarray, shape (m,), int32
        The moves; `delta` is the change of length, negative where the tour got shorter.
    """

    of_last_stage: ClassVar[bool] = True
    is_climb: ClassVar[bool] = True

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

    @property
    def glimpse(self) -> bool:
        """Whether the event has glimpses alone."""
        return not self.i.size and bool(((self.first > 0) & (self.tour >= 0)).all())


@dataclass(frozen=True, slots=True, eq=False)
class Edges(Event):
    """The construction of one tour: its n edges in the order in which they were chosen.

    Attributes
    ----------
    climber : int
        Which construction (start city, for instance) this is.
    edges : ndarray, shape (n, 2), int32
        Pairs of cities.
    delta : ndarray, shape (n,), int32
        Length of each edge.
    """

    of_last_stage: ClassVar[bool] = True
    is_climb: ClassVar[bool] = True

    climber: int
    edges: np.ndarray
    delta: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Rows(Event):
    """Finished climbers (ants, starts, samples) as columns of the page's table, in order of the climber.

    Attributes
    ----------
    climber, moves : ndarray, shape (k,), int32
    length, evaluations : ndarray, shape (k,), int64
    seconds : ndarray, shape (k,), float64
        Time that the climber took; in a batch of parallel or very short climbs its share, by evaluations, of the
        batch's measured time.
    """

    of_last_stage: ClassVar[bool] = True

    climber: np.ndarray
    length: np.ndarray
    moves: np.ndarray
    evaluations: np.ndarray
    seconds: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Colony(Event):
    """Columns of what a colony's ants and trails are like, one row an iteration (thinned as `Progress` is).

    Attributes
    ----------
    iteration : ndarray, shape (k,), int64
        Counted from 1.
    best, worst : ndarray, shape (k,), int64
        Shortest and longest tour of this iteration's ants.
    mean : ndarray, shape (k,), float64
        Mean length of this iteration's ants.
    entropy : ndarray, shape (k,), float64
        Shannon entropy of a city's trails in bits, mean over the cities: log2(n - 1) where all are alike, 0 where one
        holds everything.
    branching : ndarray, shape (k,), float64
        Lambda branching factor of the trails, lambda = 0.05: how many of a city's trails exceed its least one by at
        least a twentieth of the range, mean over the cities (L. M. Gambardella and M. Dorigo, "Ant-Q", 1995).
    trials : ndarray, shape (k, t), int64
        How many choices of a city took 1, 2, ... trials; in the last column those that a full roulette had to make.
        t is 0 where the selection makes no trials.
    """

    of_last_stage: ClassVar[bool] = True

    iteration: np.ndarray
    best: np.ndarray
    mean: np.ndarray
    worst: np.ndarray
    entropy: np.ndarray
    branching: np.ndarray
    trials: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Ants(Event):
    """The tour lengths of all ants of one iteration.

    Attributes
    ----------
    iteration : int
        Counted from 1.
    lengths : ndarray, shape (m,), int64
    """

    of_last_stage: ClassVar[bool] = True

    iteration: int
    lengths: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Field(Event):
    """The pheromone after one iteration: a picture of all trails, and the strongest of them with their values.

    Attributes
    ----------
    iteration : int
        Counted from 1; 0 is before the first.
    low, high : float
        The trails that the bytes 0 and 255 of `heat` stand for; the bytes between divide them evenly on a logarithmic
        scale: trail = low * (high / low) ** (byte / 255). Trails below `low` are 0.
    heat : ndarray, shape (b, b), uint8
        Means of the trails of blocks of cities, b <= 256; cities in the order `order`, block k being its places
        floor(k n / b) to floor((k + 1) n / b) - 1. A trail from a city to itself is none and counts for nothing.
    order : ndarray, shape (n,), int32
        Cities along the optimal tour where one is known, else along the best one so far.
    edges : ndarray, shape (e, 2), int32
        The strongest edges, e <= 2,000, the strongest first; the lower city first.
    trail : ndarray, shape (e,), float32
        Their pheromone.
    """

    of_last_stage: ClassVar[bool] = True

    iteration: int
    low: float
    high: float
    heat: np.ndarray
    order: np.ndarray
    edges: np.ndarray
    trail: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Phases(Event):
    """Columns of where an iteration's time goes, in milliseconds, for the iterations at which that was measured.

    Attributes
    ----------
    iteration : ndarray, shape (k,), int64
        Counted from 1.
    choice, construction, update, best : ndarray, shape (k,), float64
        Fitness of all edges; the ants' tours as they build them; evaporation and deposit; lengths and the search for
        the best. What 2-opt takes is in `Shortened`.
    """

    of_last_stage: ClassVar[bool] = True

    iteration: np.ndarray
    choice: np.ndarray
    construction: np.ndarray
    update: np.ndarray
    best: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Shortened(Event):
    """Columns of what 2-opt took off tours that ants had built (thinned as `Colony` is).

    Attributes
    ----------
    iteration : ndarray, shape (k,), int64
        Counted from 1.
    before, after : ndarray, shape (k,), float64
        Mean length of the ants' tours of the iteration as they were built, and once they were shortened.
    milliseconds : ndarray, shape (k,), float64
        Time that it took, or NaN where it was not measured.
    best : bool
        Whether it was the best tour so far alone, at the end of the run: then there is one row, of its lengths.
    """

    of_last_stage: ClassVar[bool] = True

    iteration: np.ndarray
    before: np.ndarray
    after: np.ndarray
    milliseconds: np.ndarray
    best: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Layers(Event):
    """What an exact solution by layers of states is to do, and what it would be for other numbers of cities.

    A layer has all sets of so many outer cities, each with every set of the inner ones; it is told once, at the start.

    Attributes
    ----------
    inner, outer : int
        How many cities of either kind there are, beside the first; layers have 0 to outer / 2 outer cities.
    item : int
        Bytes of a state.
    memory : int
        Bytes that the device has for it.
    subsets, states, transitions, bytes : ndarray, shape (outer / 2 + 1,), int64
        Of each layer: sets of cities, lengths that are kept or passed on, sums that are compared for them, and memory
        while it is worked on.
    cities : ndarray, shape (w,), int64
        Other numbers of cities, ascending, with this one among them.
    cities_transitions, cities_bytes : ndarray, shape (w,), float64
        The same of all layers for them, with as many bytes a state.
    """

    of_last_stage: ClassVar[bool] = True

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
class Front(Event):
    """Columns of how far the layers have come, one row a piece of work.

    Attributes
    ----------
    layer : ndarray, shape (k,), int64
        The layer under way, or just done: its outer cities.
    subsets, states, transitions : ndarray, shape (k,), int64
        Done so far, of all layers.
    elapsed : ndarray, shape (k,), float64
        Seconds on the run's clock.
    proven : bool
        Whether all is done, and the best tour is proven to be the shortest; in the last row's event alone.
    """

    of_last_stage: ClassVar[bool] = True

    layer: np.ndarray
    subsets: np.ndarray
    states: np.ndarray
    transitions: np.ndarray
    elapsed: np.ndarray
    proven: bool


@dataclass(frozen=True, slots=True, eq=False)
class Finished(Event):
    """The end of a run: everything that is needed to report it and to run it again.

    Attributes
    ----------
    order : ndarray, shape (n,), int32
    length : int
    iterations, evaluations : int
    seconds, seconds_to_best, compile_seconds : float
        Run time without compilation and pauses; the moment of the best tour on the same clock; compilation apart.
    stop_reason : str
        ``completed``, ``time``, ``evaluations``, ``iterations``, ``no-improvement``, ``target`` or ``cancelled``.
    device : str
        What ran, in words.
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
