"""The algorithms and their parameters.

Written by ``python tests/tourscope/generate.py``: do not edit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from tourscope.algorithm import Algorithm

__all__ = [
    "AntColonySystem",
    "AntSystem",
    "ArtificialBeeColony",
    "BranchAndCut",
    "CheapestInsertion",
    "Christofides",
    "Elkai",
    "FarthestInsertion",
    "FastTsp",
    "GeneticAlgorithm",
    "Given",
    "Greedy",
    "HeldKarp",
    "LinKernighan",
    "MaxMinAntSystem",
    "NearestInsertion",
    "NearestNeighbour",
    "OrTools",
    "ParticleSwarm",
    "PyVrp",
    "RandomTours",
    "Savings",
    "SimulatedAnnealing",
    "SpaceFillingCurve",
    "TabuSearch",
    "TwoOpt",
]


@dataclass(frozen=True, kw_only=True)
class TwoOpt(Algorithm):
    """2-opt, random restarts.

    Each climber starts from a random tour and always makes the exchange of two edges that shortens it most.

    Parameters
    ----------
    climbers : int, default 1000
        How many random tours are improved by 2-opt. A whole number from 1 to 10,000,000.
    variant : str, default 'auto'
        Where it runs: on a GPU by one of many kernels, on all cores, or in one thread.
    exact : bool, default True
        Whether strip and multi-move use TSPLIB's distances. If off, faster, but a few float32 distances differ from
        TSPLIB's.
    scan_rows : str, default 'one'
        Of matr_s, matr_g, matr_g_ro and calc. One, as in their paper: three distances a move. Two share one: five for
        two moves, and matr_s keeps tours as bytes in shared memory. The moves are the same.
    block_threads : str, default 'trial'
        How the size of tuned's blocks is chosen: by a trial on the GPU, or by the rule of slide 38 alone.
    published : str, default 'no'
        Of original, hundred-cities and calculated. paper: blocks of up to 1,024 threads, tours of 16 bits. program:
        also its authors' reduction, which can lose the best move where two are equal, so that a climb ends too early,
        and their start tours; the CPU climbs alike.
    gpus : str, default 'one'
        Whether one GPU climbs, or all of them share the climbers.

    References
    ----------
    G. A. Croes, "A Method for Solving Traveling-Salesman Problems" (1958); as M. A. O'Neil and M. Burtscher,
    "Rethinking the Parallelization of Random-Restart Hill Climbing" (2015), and J. Utne and H. N. W. Hansen, "Solving
    TSP on the GPU based on heuristic algorithms" (2023), section 3.1.1
    """

    name: ClassVar[str] = "two-opt"
    title: ClassVar[str] = "2-opt, random restarts"

    climbers: int = 1000
    variant: Literal[
        "auto",
        "cpu",
        "sequential",
        "strip",
        "multi-move",
        "matr_s",
        "matr_g",
        "matr_g_ro",
        "calc",
        "intra",
        "tile",
        "tuned",
        "array",
        "original",
        "hundred-cities",
        "calculated",
    ] = "auto"
    exact: bool = True
    scan_rows: Literal["one", "two"] = "one"
    block_threads: Literal["trial", "rule"] = "trial"
    published: Literal["no", "paper", "program"] = "no"
    gpus: Literal["one", "all"] = "one"


@dataclass(frozen=True, kw_only=True)
class LinKernighan(Algorithm):
    """Lin-Kernighan with kicks.

    Chains of edge exchanges shorten the tour; then kicks change four near edges, and stay if the repaired tour is
    hardly longer.

    Parameters
    ----------
    rounds : int, default 1000
        The tour is reported after each; the first ones make a local optimum, the others kick and cross. A whole number
        from 1 to 10,000,000.
    kicks : int, default 0
        How many kicks a round has; 0 takes their number from that of the cities. A whole number from 0 to 10,000,000.
    tours : int, default 24
        How many tours are made side by side and crossed; 0 kicks one tour alone, as above 20,000 cities (50,000 with a
        GPU). A whole number from 0 to 1,000.
    depth : int, default 5
        How many edges a step replaces at most: 2 is 2-opt, 3 is 3-opt, 5 as Helsgaun has it. A whole number from 2 to
        6.
    neighbours : int, default 8
        An edge that is added joins a city with one of this many near ones. A whole number from 1 to 30.
    quadrants : int, default 1
        How many of them are the nearest in each of the four directions, so that clusters are joined. A whole number
        from 0 to 5.
    alpha : int, default 5
        How many of them cores keep: those whose edge makes the minimum 1-tree least longer; 0 keeps all. A whole number
        from 0 to 30.
    walk : int, default 30
        A kick's four edges are found by walks of so many steps, each to a random neighbour. A whole number from 1 to
        1,000.
    temperature : float, default 0.03
        What a kick may lengthen the tour by on average, in mean edges; 0 accepts no longer tour. A number from 0 to 10.
    variant : str, default 'auto'
        Where it runs: on cores, or on a GPU and a core.

    References
    ----------
    S. Lin and B. W. Kernighan, "An Effective Heuristic Algorithm for the Traveling-Salesman Problem" (1973); K.
    Helsgaun, "An Effective Implementation of the Lin-Kernighan Traveling Salesman Heuristic" (2000); kicks: O. Martin,
    S. W. Otto and E. W. Felten, "Large-Step Markov Chains for the Traveling Salesman Problem" (1991); D. Applegate, W.
    Cook and A. Rohe, "Chained Lin-Kernighan for Large Traveling Salesman Problems" (2003); crossing: Y. Nagata and S.
    Kobayashi, "A Powerful Genetic Algorithm Using Edge Assembly Crossover for the Traveling Salesman Problem" (2013)
    """

    name: ClassVar[str] = "lin-kernighan"
    title: ClassVar[str] = "Lin-Kernighan with kicks"

    rounds: int = 1000
    kicks: int = 0
    tours: int = 24
    depth: int = 5
    neighbours: int = 8
    quadrants: int = 1
    alpha: int = 5
    walk: int = 30
    temperature: float = 0.03
    variant: Literal["auto", "cpu", "cuda"] = "auto"


@dataclass(frozen=True, kw_only=True)
class SimulatedAnnealing(Algorithm):
    """Simulated annealing.

    Each chain makes random exchanges of two edges, accepts longer tours while hot, and cools to a local optimum.

    Parameters
    ----------
    chains : int, default 10
        How many tours are annealed, each starting from a random tour. A whole number from 1 to 1,000,000.
    moves_per_city : int, default 500
        How many moves are drawn for each city at each temperature; with more, tours get shorter. A whole number from 1
        to 100,000.
    cool_after : str, default 'moves-per-city'
        When the temperature changes: after the moves per city, or after each draw, as Utne and Hansen do.
    schedule : str, default 'geometric'
        How the temperature falls: by a factor, by a difference, or as 1 / ln t. All have as many temperatures.
    cooling : float, default 0.95
        Factor from each temperature to the next in the geometric schedule; gives their number in all of them. A number
        from 0.5 to 0.9999.
    acceptance : float, default 0.01
        The probability at the first temperature of accepting a move that lengthens a local optimum by the mean. A
        number from 0.0001 to 0.99.
    first_temperature : str, default 'acceptance'
        The first acceptance, the cube of the number of cities, or that of the number of edges n(n - 1)/2.
    temperature : float, default 0.0
        In units of length; 0 computes it as the menu above says. A number from 0 to 1,000,000,000,000.
    final_temperature_ratio : float, default 0.05
        As a share of the first temperature; below it only moves that shorten the tour are accepted. A number from 1e-15
        to 1.
    neighbours : int, default 10
        A move joins a city with one of this many nearest cities. A whole number from 1 to 50.
    far_move_rate : float, default 0.0
        The share of moves that join a city with any other one. A number from 0 to 1.
    idle_rate : float, default 0.0
        The share of draws that change nothing, but count for the cooling. A number from 0 to 1.
    exchange_after : int, default 50
        Moves drawn for each city between two exchanges of temperatures in the variant replica-exchange. A whole number
        from 1 to 100,000.
    proposals : int, default 128
        Threads of a block in the variant wei-wu-yu: so many moves are drawn on the same tour, one is made. A whole
        number from 2 to 1,024.
    finish : str, default '2-opt'
        What follows the last temperature: nothing, the chain's best tour, or 2-opt from its best tour.
    gpus : str, default 'one'
        Whether one GPU anneals, or all of them share the chains.
    variant : str, default 'auto'
        Where it runs: on a GPU, on all cores, or in one thread.

    References
    ----------
    S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, "Optimization by Simulated Annealing" (1983); V. Cerny,
    "Thermodynamical Approach to the Traveling Salesman Problem" (1985); with the neighbour lists of D. S. Johnson and
    L. A. McGeoch, "The Traveling Salesman Problem: A Case Study in Local Optimization" (1997)
    """

    name: ClassVar[str] = "simulated-annealing"
    title: ClassVar[str] = "Simulated annealing"

    chains: int = 10
    moves_per_city: int = 500
    cool_after: Literal["moves-per-city", "draw"] = "moves-per-city"
    schedule: Literal["geometric", "linear", "logarithmic"] = "geometric"
    cooling: float = 0.95
    acceptance: float = 0.01
    first_temperature: Literal["acceptance", "cities-cubed", "edges-cubed"] = "acceptance"
    temperature: float = 0.0
    final_temperature_ratio: float = 0.05
    neighbours: int = 10
    far_move_rate: float = 0.0
    idle_rate: float = 0.0
    exchange_after: int = 50
    proposals: int = 128
    finish: Literal["none", "best", "2-opt"] = "2-opt"
    gpus: Literal["one", "all"] = "one"
    variant: Literal["auto", "cpu", "sequential", "replica-exchange", "warp", "wei-wu-yu"] = "auto"


@dataclass(frozen=True, kw_only=True)
class TabuSearch(Algorithm):
    """Tabu search.

    Each step makes the best exchange of two edges, even if the tour gets longer; recently removed edges may not return.

    Parameters
    ----------
    searches : int, default 10
        How many searches run, each starting from a random tour. A whole number from 1 to 1,000,000.
    steps_per_city : int, default 200
        How many moves a search makes for each city before it ends. A whole number from 1 to 100,000.
    tenure : int, default 0
        The number of steps for which a removed edge may not return; 0 derives it from n. A whole number from 0 to
        10,000.
    tenure_variation : float, default 1.0
        The tenure varies at random by up to this share in both directions. A number from 0 to 1.
    added_tenure : int, default 0
        The number of steps for which an added edge must stay; 0 for none. A whole number from 0 to 10,000.
    tabu_if : str, default 'any'
        Whether a move is tabu if any edge that it adds is tabu, or only if both are.
    neighbours : int, default 10
        A move joins a city with one of this many nearest cities; 0 tries all moves. A whole number from 0 to 50.
    variant : str, default 'auto'
        Where it runs: on all cores, or in one thread.

    References
    ----------
    F. Glover, "Tabu Search, Part I" (1989) and "Part II" (1990); for the TSP J. Knox, "Tabu Search Performance on the
    Symmetric Traveling Salesman Problem" (1994); with the varying tenure of E. Taillard, "Robust Taboo Search for the
    Quadratic Assignment Problem" (1991)
    """

    name: ClassVar[str] = "tabu-search"
    title: ClassVar[str] = "Tabu search"

    searches: int = 10
    steps_per_city: int = 200
    tenure: int = 0
    tenure_variation: float = 1.0
    added_tenure: int = 0
    tabu_if: Literal["any", "both"] = "any"
    neighbours: int = 10
    variant: Literal["auto", "cpu", "sequential"] = "auto"


@dataclass(frozen=True, kw_only=True)
class AntSystem(Algorithm):
    """Ant System.

    Ants build tours city by city, by distance and pheromone; shorter tours deposit more pheromone.

    Parameters
    ----------
    iterations : int, default 100
        How often all ants build a tour each, guided by the pheromone left so far. A whole number from 1 to 1,000,000.
    ants : int, default 0
        Tours built in an iteration; 0: as many ants as cities. A whole number from 0 to 65,536.
    alpha : float, default 1.0
        The exponent of the pheromone in an ant's choice. A number from 0 to 5.
    beta : float, default 2.0
        The exponent of 1 / distance in an ant's choice. A number from 0 to 10.
    rho : float, default 0.5
        The share of the pheromone that evaporates in each iteration. A number from 0.001 to 1.
    candidates : int, default 32
        How many nearest cities an ant considers before all others. A whole number from 1 to 32.
    selection : str, default 'auto'
        How an ant draws its next city; all have the same probabilities but i-roulette, which favours the best.
    depositors : str, default 'all'
        All ants; all ants, and the best tour so far as often as there are elitist ants; or only the iteration's best
        ants, more the higher their rank, and most of all the best tour so far.
    elitists : int, default 8
        With elitist, the best tour so far deposits like this many additional ants. A whole number from 1 to 65,536.
    rank_weights : int, default 6
        With rank-based, the best tour so far deposits as so many ants, the best ant of the iteration as one fewer, and
        so on down to one. A whole number from 1 to 100.
    trials : int, default 8
        How often a stochastic trial is repeated before a full roulette decides. A whole number from 1 to 64.
    trials_at_once : str, default 'warps'
        Of the variant block: each warp makes a trial at the same time; or one follows the other, as in their paper. The
        cities are the same.
    switch : float, default 85.0
        Per cent of cities visited from which hybrid reads only the unvisited ones. A number from 0 to 100.
    q : float, default 1.0
        Each ant deposits this much, divided by the length of its tour. A number from 0.001 to 10,000.
    scaled_deposit : bool, default False
        Whether tours that deposit are measured in the longest distance of two cities, as Bitner does; so Q is
        multiplied by that distance.
    least_weight : float, default 0.0
        No city's weight, trail^α / distance^β, is less than this; on cores. It is 0.0001 in Utne and Hansen's program,
        more than any weight of swiss42, so that its ants walk at random. A number from 0 to 1.
    rules : str, default 'ant-system'
        As in Ant System; or as in Utne and Hansen's program: trails begin at 0.01, stay from 0.0001 to 100,000, and
        evaporate once for each ant. On cores.
    initial : str, default 'nearest-neighbour'
        n over the length of the nearest-neighbour tour, or 1 everywhere.
    deposit : str, default 'fixed-point'
        How ants' pheromone is added: whole numbers in any order, row by row, or after sorting each row; with float-
        atomic the order changes the sum, and the same seed may give another tour.
    graph : bool, default True
        Whether an iteration's kernels are launched as one CUDA graph.
    gpus : str, default 'one'
        Whether one GPU runs the ants, or each GPU its own colony; colonies exchange their best tours.
    variant : str, default 'auto'
        Where it runs: on a GPU by one of several kernels, on all cores, or in one thread.

    References
    ----------
    M. Dorigo, V. Maniezzo and A. Colorni, "Ant System: Optimization by a Colony of Cooperating Agents" (1996); rank-
    based after B. Bullnheimer, R. F. Hartl and C. Strauss, "A New Rank Based Version of the Ant System" (1999); as A.
    Uchida, Y. Ito and K. Nakano, "An Efficient GPU Implementation of Ant Colony Optimization for the Traveling Salesman
    Problem" (2012), and S. Bitner, "ACOTSP" (2025)
    """

    name: ClassVar[str] = "ant-system"
    title: ClassVar[str] = "Ant System"

    iterations: int = 100
    ants: int = 0
    alpha: float = 1.0
    beta: float = 2.0
    rho: float = 0.5
    candidates: int = 32
    selection: Literal[
        "auto", "without-compression", "with-compression", "stochastic-trial", "hybrid", "nearest-first", "i-roulette"
    ] = "auto"
    depositors: Literal["all", "elitist", "rank-based"] = "all"
    elitists: int = 8
    rank_weights: int = 6
    trials: int = 8
    trials_at_once: Literal["warps", "one"] = "warps"
    switch: float = 85.0
    q: float = 1.0
    scaled_deposit: bool = False
    least_weight: float = 0.0
    rules: Literal["ant-system", "utne-hansen"] = "ant-system"
    initial: Literal["nearest-neighbour", "one"] = "nearest-neighbour"
    deposit: Literal["fixed-point", "rows", "histogram", "float-atomic"] = "fixed-point"
    graph: bool = True
    gpus: Literal["one", "all"] = "one"
    variant: Literal["auto", "cpu", "sequential", "warp", "block", "worker", "queen"] = "auto"


@dataclass(frozen=True, kw_only=True)
class MaxMinAntSystem(Algorithm):
    """MAX-MIN Ant System.

    As Ant System, but only the best ant deposits pheromone, within limits that keep the search diverse.

    Parameters
    ----------
    iterations : int, default 100
        How often all ants build a tour each, guided by the pheromone left so far. A whole number from 1 to 1,000,000.
    ants : int, default 0
        Tours built in an iteration; 0: as many ants as cities. A whole number from 0 to 65,536.
    alpha : float, default 1.0
        The exponent of the pheromone in an ant's choice. A number from 0 to 5.
    beta : float, default 2.0
        The exponent of 1 / distance in an ant's choice. A number from 0 to 10.
    rho : float, default 0.5
        The share of the pheromone that evaporates in each iteration. A number from 0.001 to 1.
    candidates : int, default 32
        How many nearest cities an ant considers before all others. A whole number from 1 to 32.
    local_search : str, default '2-opt+or-opt'
        How tours are shortened: not at all, by replacing two edges (2-opt), also by moving up to three cities (Or-opt),
        or by replacing up to three edges (3-opt).
    local_search_when : str, default 'every'
        The best tour, after the last iteration, or all ants' tours in every iteration.
    local_search_neighbours : int, default 10
        How many nearest cities local search joins a city with; 0: all cities. A whole number from 0 to 1,000.
    lists : bool, default True
        Whether an ant goes to a candidate as long as one is unvisited. If off, any unvisited city is possible.
    p_best : float, default 0.05
        Sets the lower pheromone limit: the probability that a converged colony builds its best tour again. A number
        from 0.001 to 0.999.
    patience : int, default 250
        Iterations without a better tour after which a converged colony restarts; 0: never. A whole number from 0 to
        1,000,000.
    colonies : int, default 1
        The number of colonies, each with its own pheromone; bai runs all at once, other variants in turn. A whole
        number from 1 to 32.
    gpus : str, default 'one'
        Whether one GPU runs the ants, or all GPUs share them; with several colonies, each GPU has its own.
    variant : str, default 'auto'
        Where it runs: on a GPU, on all cores, or in one thread.

    References
    ----------
    T. Stützle and H. H. Hoos, "MAX-MIN Ant System" (2000); several colonies after H. Bai, D. OuYang, X. Li, L. He and
    H. Yu, "MAX-MIN Ant System on GPU with CUDA" (2009)
    """

    name: ClassVar[str] = "max-min-ant-system"
    title: ClassVar[str] = "MAX-MIN Ant System"

    iterations: int = 100
    ants: int = 0
    alpha: float = 1.0
    beta: float = 2.0
    rho: float = 0.5
    candidates: int = 32
    local_search: Literal["none", "2-opt", "2-opt+or-opt", "3-opt"] = "2-opt+or-opt"
    local_search_when: Literal["last", "every"] = "every"
    local_search_neighbours: int = 10
    lists: bool = True
    p_best: float = 0.05
    patience: int = 250
    colonies: int = 1
    gpus: Literal["one", "all"] = "one"
    variant: Literal["auto", "cpu", "sequential", "warp", "bai"] = "auto"


@dataclass(frozen=True, kw_only=True)
class AntColonySystem(Algorithm):
    """Ant Colony System.

    Ants mostly take the best edge, which loses pheromone as they use it; only the best tour so far is rewarded.

    Parameters
    ----------
    iterations : int, default 100
        How often all ants build a tour each, guided by the pheromone left so far. A whole number from 1 to 1,000,000.
    ants : int, default 128
        Tours built in an iteration; 0: as many ants as cities. A whole number from 0 to 65,536.
    local_search : str, default '2-opt+or-opt'
        How tours are shortened: not at all, by replacing two edges (2-opt), also by moving up to three cities (Or-opt),
        or by replacing up to three edges (3-opt); or only the best ant's tour by 2-opt among all pairs of edges, a
        change a launch (2-opt-of-best, on a GPU, as Qin and Han have it).
    local_search_when : str, default 'every'
        The best tour, after the last iteration, or all ants' tours in every iteration.
    local_search_neighbours : int, default 10
        How many nearest cities local search joins a city with; 0: all cities. A whole number from 0 to 1,000.
    q0 : float, default 0.9
        The probability that an ant takes the best city; else it draws one at random. A number from 0 to 1.
    beta : float, default 2.0
        The exponent of 1 / distance in an ant's choice. A number from 0 to 10.
    local_update : str, default 'deferred'
        When an ant sees the others' local updates, the point of this algorithm: deferred, not before the next
        iteration; lockstep, after each step of all ants; racy, at once, though some may be lost; compare-and-swap, at
        once, and none is lost (variant block). The last two are not repeatable.
    rho : float, default 0.1
        The share of an edge's pheromone that evaporates each time an ant takes it. A number from 0 to 1.
    alpha : float, default 0.1
        The share of the pheromone on the best tour that is renewed after each iteration. A number from 0.001 to 1.
    lists : bool, default True
        Whether an ant goes to a candidate as long as one is unvisited. If off, any unvisited city is possible.
    candidates : int, default 15
        How many nearest cities an ant considers before all others, at most 31 on a GPU; 0: all cities at each step. A
        whole number from 0 to 32.
    ranks : int, default 0
        Processes of the variant mpi; 0 for one per core. A whole number from 0 to 256.
    gpus : str, default 'one'
        Whether one GPU runs the ants, or each GPU its own colony; colonies exchange their best tours.
    variant : str, default 'auto'
        Where it runs: on a GPU, on all cores, in one thread, or in MPI processes.

    References
    ----------
    M. Dorigo and L. M. Gambardella, "Ant Colony System: A Cooperative Learning Approach to the Traveling Salesman
    Problem" (1997); as Y. Qin and D. Han, "Parallel TSP Solvers" (2022)
    """

    name: ClassVar[str] = "ant-colony-system"
    title: ClassVar[str] = "Ant Colony System"

    iterations: int = 100
    ants: int = 128
    local_search: Literal["none", "2-opt", "2-opt+or-opt", "3-opt", "2-opt-of-best"] = "2-opt+or-opt"
    local_search_when: Literal["last", "every"] = "every"
    local_search_neighbours: int = 10
    q0: float = 0.9
    beta: float = 2.0
    local_update: Literal["deferred", "lockstep", "racy", "compare-and-swap"] = "deferred"
    rho: float = 0.1
    alpha: float = 0.1
    lists: bool = True
    candidates: int = 15
    ranks: int = 0
    gpus: Literal["one", "all"] = "one"
    variant: Literal["auto", "cpu", "sequential", "mpi", "qin-han-openmp", "qin-han-mpi", "warp", "block"] = "auto"


@dataclass(frozen=True, kw_only=True)
class GeneticAlgorithm(Algorithm):
    """Genetic algorithm.

    Pairs of tours have children made of both; the best child takes its parent's place if it is shorter.

    Parameters
    ----------
    crossover : str, default 'edge-assembly'
        edge-assembly exchanges edges of which the parents differ; order takes a part of one parent, and the other
        cities in the order of the other parent.
    population : int, default 300
        The number of tours in a generation. A whole number from 2 to 10,000.
    offspring : int, default 30
        How many children a pair of parents has; the best may take its parent's place. A whole number from 1 to 1,000.
    generations : int, default 300
        The number of generations; the first one has no parents. A whole number from 1 to 100,000.
    mutation : float, default 0.2
        Order crossover only: the probability that a random part of a child is reversed, which is a 2-opt move. A number
        from 0 to 1.
    initial : str, default '2-opt+or-opt'
        Random tours, shortened by 2-opt and Or-opt or left as they are.
    selection : str, default 'greedy'
        Edge assembly only: greedy keeps the shortest child; entropy weighs gain against lost diversity, which takes
        more generations and ends with shorter tours.
    e_set : str, default 'single'
        Edge assembly only: a child takes the edges of one AB-cycle, or those of each with probability 1/2.
    neighbours : int, default 10
        How many nearest cities 2-opt and the merging of subtours consider. A whole number from 1 to 50.
    variant : str, default 'auto'
        Where it runs: on all cores, or in one thread.

    References
    ----------
    J. H. Holland, "Adaptation in Natural and Artificial Systems" (1975); edge assembly crossover: Y. Nagata, "Edge
    Assembly Crossover: A High-power Genetic Algorithm for the Traveling Salesman Problem" (1997), in the local form of
    Y. Nagata and S. Kobayashi, "A Powerful Genetic Algorithm Using Edge Assembly Crossover for the Traveling Salesman
    Problem" (2013); order crossover: L. Davis, "Applying Adaptive Algorithms to Epistatic Domains" (1985)
    """

    name: ClassVar[str] = "genetic-algorithm"
    title: ClassVar[str] = "Genetic algorithm"

    crossover: Literal["edge-assembly", "order"] = "edge-assembly"
    population: int = 300
    offspring: int = 30
    generations: int = 300
    mutation: float = 0.2
    initial: Literal["2-opt+or-opt", "random"] = "2-opt+or-opt"
    selection: Literal["greedy", "entropy"] = "greedy"
    e_set: Literal["single", "random"] = "single"
    neighbours: int = 10
    variant: Literal["auto", "cpu", "sequential"] = "auto"


@dataclass(frozen=True, kw_only=True)
class ParticleSwarm(Algorithm):
    """Particle swarm.

    Tours move by swaps of cities towards their own best tour and the swarm's; far worse than 2-opt from random tours in
    the same time.

    Parameters
    ----------
    iterations : int, default 1000
        How many iterations the swarm makes. A whole number from 1 to 10,000,000.
    local_search : str, default 'none'
        Whether tours are shortened by 2-opt and by moving up to three cities. The papers do without.
    variant : str, default 'auto'
        Where it runs: on all cores, or in one thread.
    particles : int, default 100
        How many tours move. A whole number from 1 to 10,000.
    inertia : float, default 0.3
        The share of its velocity that a particle keeps. A number from 0 to 1.
    cognitive : float, default 2.0
        How far a particle goes towards its own best tour. A number from 0 to 4.
    social : float, default 0.1
        How far a particle goes towards the swarm's best tour. A number from 0 to 4.
    share : str, default 'random'
        What a velocity times a number below 1 keeps: its first swaps, or each swap with that probability.

    References
    ----------
    J. Kennedy and R. Eberhart, "Particle Swarm Optimization" (1995); for the TSP M. Clerc, "Discrete Particle Swarm
    Optimization, illustrated by the Traveling Salesman Problem" (2004)
    """

    name: ClassVar[str] = "particle-swarm"
    title: ClassVar[str] = "Particle swarm"

    iterations: int = 1000
    local_search: Literal["none", "every"] = "none"
    variant: Literal["auto", "cpu", "sequential"] = "auto"
    particles: int = 100
    inertia: float = 0.3
    cognitive: float = 2.0
    social: float = 0.1
    share: Literal["first", "random"] = "random"


@dataclass(frozen=True, kw_only=True)
class ArtificialBeeColony(Algorithm):
    """Artificial bee colony.

    Bees try random changes of tours, more often of shorter ones, and give up tours that do not improve; worse than
    2-opt from random tours in the same time.

    Parameters
    ----------
    iterations : int, default 10000
        How many iterations the swarm makes. A whole number from 1 to 10,000,000.
    local_search : str, default 'none'
        Whether tours are shortened by 2-opt and by moving up to three cities. The papers do without.
    variant : str, default 'auto'
        Where it runs: on all cores, or in one thread.
    sources : int, default 50
        How many tours the colony keeps; each has an employed bee, and there are as many onlookers. A whole number from
        1 to 10,000.
    limit : int, default 0
        The number of failed trials after which a scout replaces a food source; 0 for sources times cities. A whole
        number from 0 to 1,000,000,000.
    change : str, default 'mixed'
        What a bee tries: to swap two cities, to move one, to reverse a part, or one of these at random.

    References
    ----------
    D. Karaboga and B. Basturk, "A powerful and efficient algorithm for numerical function optimization: artificial bee
    colony (ABC) algorithm" (2007); for the TSP M. S. Kiran, H. Iscan and M. Gunduz, "The analysis of discrete
    artificial bee colony algorithm with neighborhood operator on traveling salesman problem" (2013)
    """

    name: ClassVar[str] = "artificial-bee-colony"
    title: ClassVar[str] = "Artificial bee colony"

    iterations: int = 10000
    local_search: Literal["none", "every"] = "none"
    variant: Literal["auto", "cpu", "sequential"] = "auto"
    sources: int = 50
    limit: int = 0
    change: Literal["swap", "insertion", "reversal", "mixed"] = "mixed"


@dataclass(frozen=True, kw_only=True)
class HeldKarp(Algorithm):
    """Held-Karp.

    Finds a proven shortest tour, by the shortest path through every set of cities: each further city doubles the work.

    Parameters
    ----------
    ranks : int, default 0
        Processes of the variant mpi; 0 for one per core. A whole number from 0 to 256.
    variant : str, default 'auto'
        Where it runs: on all cores, one thread, MPI processes, or a GPU; auto takes a GPU with enough memory.
    gpus : str, default 'one'
        Whether one GPU computes the layers of the variant cuda, or all GPUs share them.

    References
    ----------
    M. Held and R. M. Karp, "A Dynamic Programming Approach to Sequencing Problems" (1962); R. Bellman, "Dynamic
    Programming Treatment of the Travelling Salesman Problem" (1962); in parallel after Y. Qin and D. Han, "Parallel TSP
    Solvers" (2022)
    """

    name: ClassVar[str] = "held-karp"
    title: ClassVar[str] = "Held-Karp"

    ranks: int = 0
    variant: Literal[
        "auto", "cpu", "sequential", "mpi", "qin-han-openmp", "qin-han-sequential", "qin-han-mpi", "cuda", "qin-han"
    ] = "auto"
    gpus: Literal["one", "all"] = "one"


@dataclass(frozen=True, kw_only=True)
class BranchAndCut(Algorithm):
    """Branch-and-cut.

    Finds a proven shortest tour of up to a few hundred cities: a linear program bounds all tours from below, cuts raise
    the bound, and what is left is split in two.

    Parameters
    ----------
    variant : str, default 'auto'
        Where it runs: on one core.

    References
    ----------
    G. Dantzig, R. Fulkerson and S. Johnson, "Solution of a Large-Scale Traveling-Salesman Problem" (1954); M. Padberg
    and G. Rinaldi, "A Branch-and-Cut Algorithm for the Resolution of Large-Scale Symmetric Traveling Salesman Problems"
    (1991); D. L. Applegate, R. E. Bixby, V. Chvátal and W. J. Cook, "The Traveling Salesman Problem" (2006)
    """

    name: ClassVar[str] = "branch-and-cut"
    title: ClassVar[str] = "Branch-and-cut"

    variant: Literal["auto", "cpu"] = "auto"


@dataclass(frozen=True, kw_only=True)
class Greedy(Algorithm):
    """Greedy edges.

    Adds the shortest edge that makes no branch and closes no cycle, until the tour is complete.

    References
    ----------
    J. L. Bentley, "Fast Algorithms for Geometric Traveling Salesman Problems" (ORSA Journal on Computing 4, 1992)
    """

    name: ClassVar[str] = "greedy"
    title: ClassVar[str] = "Greedy edges"


@dataclass(frozen=True, kw_only=True)
class NearestNeighbour(Algorithm):
    """Nearest neighbour.

    Goes from city to city, each time to the nearest one that has not been visited.

    Parameters
    ----------
    starts : int, default 1
        The number of start cities, in an order that the seed decides; at most all. A whole number from 1 to 200,000.

    References
    ----------
    D. J. Rosenkrantz, R. E. Stearns and P. M. Lewis, "An Analysis of Several Heuristics for the Traveling Salesman
    Problem" (SIAM Journal on Computing 6, 1977)
    """

    name: ClassVar[str] = "nearest-neighbour"
    title: ClassVar[str] = "Nearest neighbour"

    starts: int = 1


@dataclass(frozen=True, kw_only=True)
class FarthestInsertion(Algorithm):
    """Farthest insertion.

    Inserts the city that is farthest from the tour so far, where it lengthens that least.

    Parameters
    ----------
    starts : int, default 1
        The number of start cities, in an order that the seed decides; at most all. A whole number from 1 to 200,000.

    References
    ----------
    D. J. Rosenkrantz, R. E. Stearns and P. M. Lewis, "An Analysis of Several Heuristics for the Traveling Salesman
    Problem" (SIAM Journal on Computing 6, 1977)
    """

    name: ClassVar[str] = "farthest-insertion"
    title: ClassVar[str] = "Farthest insertion"

    starts: int = 1


@dataclass(frozen=True, kw_only=True)
class NearestInsertion(Algorithm):
    """Nearest insertion.

    Inserts the city that is nearest to the tour so far, where it lengthens that least.

    Parameters
    ----------
    starts : int, default 1
        The number of start cities, in an order that the seed decides; at most all. A whole number from 1 to 200,000.

    References
    ----------
    D. J. Rosenkrantz, R. E. Stearns and P. M. Lewis, "An Analysis of Several Heuristics for the Traveling Salesman
    Problem" (SIAM Journal on Computing 6, 1977)
    """

    name: ClassVar[str] = "nearest-insertion"
    title: ClassVar[str] = "Nearest insertion"

    starts: int = 1


@dataclass(frozen=True, kw_only=True)
class CheapestInsertion(Algorithm):
    """Cheapest insertion.

    Inserts the city that lengthens the tour least, at the place where it does so.

    Parameters
    ----------
    starts : int, default 1
        The number of start cities, in an order that the seed decides; at most all. A whole number from 1 to 200,000.

    References
    ----------
    D. J. Rosenkrantz, R. E. Stearns and P. M. Lewis, "An Analysis of Several Heuristics for the Traveling Salesman
    Problem" (SIAM Journal on Computing 6, 1977)
    """

    name: ClassVar[str] = "cheapest-insertion"
    title: ClassVar[str] = "Cheapest insertion"

    starts: int = 1


@dataclass(frozen=True, kw_only=True)
class Savings(Algorithm):
    """Savings.

    Goes from a hub to each city and back, then repeatedly joins the two tours that save most.

    Parameters
    ----------
    hubs : int, default 1
        The number of hubs to try, in an order that the seed decides; at most all. A whole number from 1 to 200,000.

    References
    ----------
    G. Clarke and J. W. Wright, "Scheduling of Vehicles from a Central Depot to a Number of Delivery Points" (Operations
    Research 12, 1964)
    """

    name: ClassVar[str] = "savings"
    title: ClassVar[str] = "Savings"

    hubs: int = 1


@dataclass(frozen=True, kw_only=True)
class Christofides(Algorithm):
    """Christofides.

    Joins all cities by a shortest tree, pairs the cities with an odd number of its edges, and walks along both.

    References
    ----------
    N. Christofides, "Worst-Case Analysis of a New Heuristic for the Travelling Salesman Problem" (Carnegie-Mellon
    University, Report 388, 1976)
    """

    name: ClassVar[str] = "christofides"
    title: ClassVar[str] = "Christofides"


@dataclass(frozen=True, kw_only=True)
class SpaceFillingCurve(Algorithm):
    """Space-filling curve.

    Visits the cities in the order in which one line through the whole map meets them.

    References
    ----------
    L. K. Platzman and J. J. Bartholdi, "Spacefilling Curves and the Planar Travelling Salesman Problem" (Journal of the
    ACM 36, 1989)
    """

    name: ClassVar[str] = "space-filling-curve"
    title: ClassVar[str] = "Space-filling curve"


@dataclass(frozen=True, kw_only=True)
class RandomTours(Algorithm):
    """Random tours.

    Visits the cities in random order, again and again, and keeps the shortest tour.

    Parameters
    ----------
    samples : int, default 1000
        How many random tours are measured. A whole number from 1 to 10,000,000.

    References
    ----------
    R. Durstenfeld, "Algorithm 235: Random permutation" (CACM 7, 1964)
    """

    name: ClassVar[str] = "random"
    title: ClassVar[str] = "Random tours"

    samples: int = 1000


@dataclass(frozen=True, kw_only=True)
class FastTsp(Algorithm):
    """fast-tsp.

    The package fast-tsp, iterated Lin-Kernighan in Rust, for comparison: called with rising time limits, of which each
    shows its final tour only. It keeps its limit, and takes no seed.

    Parameters
    ----------
    calls : int, default 8
        How often the package is called, each time from the beginning. A whole number from 1 to 1,000.
    first_seconds : float, default 0.05
        The time limit of the first call. A number from 0.01 to 3,600.
    growth : float, default 2.0
        Each further call gets this many times the seconds of the one before. A number from 1 to 10.
    variant : str, default 'auto'
        Where it runs: on all cores, or in one thread.

    References
    ----------
    S. Mulvad, fast-tsp (https://github.com/shmulvad/fast-tsp); Lin-Kernighan moves with candidates after K. Helsgaun,
    "An effective implementation of the Lin-Kernighan traveling salesman heuristic" (2000)
    """

    name: ClassVar[str] = "fast-tsp"
    title: ClassVar[str] = "fast-tsp"

    calls: int = 8
    first_seconds: float = 0.05
    growth: float = 2.0
    variant: Literal["auto", "cpu", "sequential"] = "auto"


@dataclass(frozen=True, kw_only=True)
class Elkai(Algorithm):
    """LKH (elkai).

    LKH, the strongest published heuristic, by the package elkai, for comparison: called with rising time limits, of
    which each shows its final tour only. It ends early on few cities; for 1,000 it needs a second more than its limit.

    Parameters
    ----------
    calls : int, default 8
        How often the package is called, each time from the beginning. A whole number from 1 to 1,000.
    first_seconds : float, default 0.05
        The time limit of the first call. A number from 0.01 to 3,600.
    growth : float, default 2.0
        Each further call gets this many times the seconds of the one before. A number from 1 to 10.

    References
    ----------
    K. Helsgaun, "An effective implementation of the Lin-Kernighan traveling salesman heuristic" (2000), by F.
    Dimitrovski's package elkai (https://github.com/fikisipi/elkai); free for non-commercial use only
    """

    name: ClassVar[str] = "elkai"
    title: ClassVar[str] = "LKH (elkai)"

    calls: int = 8
    first_seconds: float = 0.05
    growth: float = 2.0


@dataclass(frozen=True, kw_only=True)
class OrTools(Algorithm):
    """OR-Tools routing.

    Google's solver for vehicle routing with a single vehicle, for comparison: called with rising time limits, of which
    each shows its final tour only. What it prepares comes on top of a limit: a third of a second for 3,000 cities.

    Parameters
    ----------
    calls : int, default 8
        How often the package is called, each time from the beginning. A whole number from 1 to 1,000.
    first_seconds : float, default 0.05
        The time limit of the first call. A number from 0.01 to 3,600.
    growth : float, default 2.0
        Each further call gets this many times the seconds of the one before. A number from 1 to 10.

    References
    ----------
    L. Perron and V. Furnon, OR-Tools (https://developers.google.com/optimization); guided local search after C.
    Voudouris and E. Tsang, "Guided local search and its application to the traveling salesman problem" (1999)
    """

    name: ClassVar[str] = "or-tools"
    title: ClassVar[str] = "OR-Tools routing"

    calls: int = 8
    first_seconds: float = 0.05
    growth: float = 2.0


@dataclass(frozen=True, kw_only=True)
class PyVrp(Algorithm):
    """PyVRP.

    PyVRP, a solver for vehicle routing, with a single vehicle, for comparison: called with rising time limits, of which
    each shows its final tour only. What it prepares comes on top of a limit: nearly a second for 3,000 cities.

    Parameters
    ----------
    calls : int, default 8
        How often the package is called, each time from the beginning. A whole number from 1 to 1,000.
    first_seconds : float, default 0.05
        The time limit of the first call. A number from 0.01 to 3,600.
    growth : float, default 2.0
        Each further call gets this many times the seconds of the one before. A number from 1 to 10.

    References
    ----------
    N. A. Wouda, L. Lan and W. Kool, "PyVRP: a high-performance VRP solver package" (2024),
    https://github.com/PyVRP/PyVRP
    """

    name: ClassVar[str] = "pyvrp"
    title: ClassVar[str] = "PyVRP"

    calls: int = 8
    first_seconds: float = 0.05
    growth: float = 2.0


@dataclass(frozen=True, kw_only=True)
class Given(Algorithm):
    """Your tour.

    Shows a tour that you provide; other algorithms can start from it.

    Parameters
    ----------
    tour : tuple of int, default ()
        The cities in the order of the visit, from 0; left out, that of the instance's file. A list of at most 200,000
        cities, counted from 0.

    References
    ----------
    Whoever sent it; the tour in the order of the file is the canonical one of G. Reinelt, "TSPLIB 95" (1995)
    """

    name: ClassVar[str] = "given"
    title: ClassVar[str] = "Your tour"

    tour: tuple[int, ...] = ()
