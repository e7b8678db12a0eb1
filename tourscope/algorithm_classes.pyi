# The types of `algorithm_classes`, written by `python tests/tourscope/generate.py`: do not edit.
# fmt: off
# ruff: noqa: E501
from dataclasses import dataclass
from typing import Literal

from tourscope.algorithm import Algorithm

__all__ = [
    "AntColonySystem", "AntSystem", "ArtificialBeeColony", "BranchAndCut", "CheapestInsertion", "Christofides", "Elkai",
    "FarthestInsertion", "FastTsp", "GeneticAlgorithm", "Given", "Greedy", "HeldKarp", "LinKernighan",
    "MaxMinAntSystem", "NearestInsertion", "NearestNeighbour", "OrTools", "ParticleSwarm", "PyVrp", "RandomTours",
    "Savings", "SimulatedAnnealing", "SpaceFillingCurve", "TabuSearch", "TwoOpt",
]

@dataclass(frozen=True, kw_only=True)
class TwoOpt(Algorithm):
    climbers: int = 1000
    variant: Literal['auto', 'cpu', 'sequential', 'strip', 'multi-move', 'matr_s', 'matr_g', 'matr_g_ro', 'calc', 'intra', 'tile', 'tuned', 'array', 'original', 'hundred-cities', 'calculated'] = 'auto'
    exact: bool = True
    scan_rows: Literal['one', 'two'] = 'one'
    block_threads: Literal['trial', 'rule'] = 'trial'
    published: Literal['no', 'paper', 'program'] = 'no'
    gpus: Literal['one', 'all'] = 'one'

@dataclass(frozen=True, kw_only=True)
class LinKernighan(Algorithm):
    rounds: int = 1000
    kicks: int = 0
    tours: int = 24
    depth: int = 5
    neighbours: int = 8
    quadrants: int = 1
    alpha: int = 5
    walk: int = 30
    temperature: float = 0.03
    variant: Literal['auto', 'cpu', 'cuda'] = 'auto'
    gpus: Literal['one', 'all'] = 'one'

@dataclass(frozen=True, kw_only=True)
class SimulatedAnnealing(Algorithm):
    chains: int = 10
    moves_per_city: int = 500
    cool_after: Literal['moves-per-city', 'draw'] = 'moves-per-city'
    schedule: Literal['geometric', 'linear', 'logarithmic'] = 'geometric'
    cooling: float = 0.95
    acceptance: float = 0.01
    first_temperature: Literal['acceptance', 'cities-cubed', 'edges-cubed'] = 'acceptance'
    temperature: float = 0.0
    final_temperature_ratio: float = 0.05
    neighbours: int = 10
    far_move_rate: float = 0.0
    idle_rate: float = 0.0
    exchange_after: int = 50
    proposals: int = 128
    finish: Literal['none', 'best', '2-opt'] = '2-opt'
    gpus: Literal['one', 'all'] = 'one'
    variant: Literal['auto', 'cpu', 'sequential', 'replica-exchange', 'warp', 'wei-wu-yu'] = 'auto'

@dataclass(frozen=True, kw_only=True)
class TabuSearch(Algorithm):
    searches: int = 10
    steps_per_city: int = 200
    tenure: int = 0
    tenure_variation: float = 1.0
    added_tenure: int = 0
    tabu_if: Literal['any', 'both'] = 'any'
    neighbours: int = 10
    variant: Literal['auto', 'cpu', 'sequential'] = 'auto'

@dataclass(frozen=True, kw_only=True)
class AntSystem(Algorithm):
    iterations: int = 100
    ants: int = 0
    alpha: float = 1.0
    beta: float = 2.0
    rho: float = 0.5
    candidates: int = 32
    selection: Literal['auto', 'without-compression', 'with-compression', 'stochastic-trial', 'hybrid', 'nearest-first', 'i-roulette'] = 'auto'
    depositors: Literal['all', 'elitist', 'rank-based'] = 'all'
    elitists: int = 8
    rank_weights: int = 6
    trials: int = 8
    trials_at_once: Literal['warps', 'one'] = 'warps'
    switch: float = 85.0
    q: float = 1.0
    scaled_deposit: bool = False
    least_weight: float = 0.0
    rules: Literal['ant-system', 'utne-hansen'] = 'ant-system'
    initial: Literal['nearest-neighbour', 'one'] = 'nearest-neighbour'
    deposit: Literal['fixed-point', 'rows', 'histogram', 'float-atomic'] = 'fixed-point'
    graph: bool = True
    gpus: Literal['one', 'all'] = 'one'
    variant: Literal['auto', 'cpu', 'sequential', 'warp', 'block', 'worker', 'queen'] = 'auto'

@dataclass(frozen=True, kw_only=True)
class MaxMinAntSystem(Algorithm):
    iterations: int = 100
    ants: int = 0
    alpha: float = 1.0
    beta: float = 2.0
    rho: float = 0.5
    candidates: int = 32
    local_search: Literal['none', '2-opt', '2-opt+or-opt', '3-opt'] = '2-opt+or-opt'
    local_search_when: Literal['last', 'every'] = 'every'
    local_search_neighbours: int = 10
    lists: bool = True
    p_best: float = 0.05
    patience: int = 250
    colonies: int = 1
    gpus: Literal['one', 'all'] = 'one'
    variant: Literal['auto', 'cpu', 'sequential', 'warp', 'bai'] = 'auto'

@dataclass(frozen=True, kw_only=True)
class AntColonySystem(Algorithm):
    iterations: int = 100
    ants: int = 128
    local_search: Literal['none', '2-opt', '2-opt+or-opt', '3-opt', '2-opt-of-best'] = '2-opt+or-opt'
    local_search_when: Literal['last', 'every'] = 'every'
    local_search_neighbours: int = 10
    q0: float = 0.9
    beta: float = 2.0
    local_update: Literal['deferred', 'lockstep', 'racy', 'compare-and-swap'] = 'deferred'
    rho: float = 0.1
    alpha: float = 0.1
    lists: bool = True
    candidates: int = 15
    ranks: int = 0
    gpus: Literal['one', 'all'] = 'one'
    variant: Literal['auto', 'cpu', 'sequential', 'mpi', 'qin-han-openmp', 'qin-han-mpi', 'warp', 'block'] = 'auto'

@dataclass(frozen=True, kw_only=True)
class GeneticAlgorithm(Algorithm):
    crossover: Literal['edge-assembly', 'order'] = 'edge-assembly'
    population: int = 300
    offspring: int = 30
    generations: int = 300
    mutation: float = 0.2
    initial: Literal['2-opt+or-opt', 'random'] = '2-opt+or-opt'
    selection: Literal['greedy', 'entropy'] = 'greedy'
    e_set: Literal['single', 'random'] = 'single'
    neighbours: int = 10
    variant: Literal['auto', 'cpu', 'sequential'] = 'auto'

@dataclass(frozen=True, kw_only=True)
class ParticleSwarm(Algorithm):
    iterations: int = 1000
    local_search: Literal['none', 'every'] = 'none'
    variant: Literal['auto', 'cpu', 'sequential'] = 'auto'
    particles: int = 100
    inertia: float = 0.3
    cognitive: float = 2.0
    social: float = 0.1
    share: Literal['first', 'random'] = 'random'

@dataclass(frozen=True, kw_only=True)
class ArtificialBeeColony(Algorithm):
    iterations: int = 10000
    local_search: Literal['none', 'every'] = 'none'
    variant: Literal['auto', 'cpu', 'sequential'] = 'auto'
    sources: int = 50
    limit: int = 0
    change: Literal['swap', 'insertion', 'reversal', 'mixed'] = 'mixed'

@dataclass(frozen=True, kw_only=True)
class HeldKarp(Algorithm):
    ranks: int = 0
    variant: Literal['auto', 'cpu', 'sequential', 'mpi', 'qin-han-openmp', 'qin-han-sequential', 'qin-han-mpi', 'cuda', 'qin-han'] = 'auto'
    gpus: Literal['one', 'all'] = 'one'

@dataclass(frozen=True, kw_only=True)
class BranchAndCut(Algorithm):
    variant: Literal['auto', 'cpu'] = 'auto'

@dataclass(frozen=True, kw_only=True)
class Greedy(Algorithm):
    ...

@dataclass(frozen=True, kw_only=True)
class NearestNeighbour(Algorithm):
    starts: int = 1

@dataclass(frozen=True, kw_only=True)
class FarthestInsertion(Algorithm):
    starts: int = 1

@dataclass(frozen=True, kw_only=True)
class NearestInsertion(Algorithm):
    starts: int = 1

@dataclass(frozen=True, kw_only=True)
class CheapestInsertion(Algorithm):
    starts: int = 1

@dataclass(frozen=True, kw_only=True)
class Savings(Algorithm):
    hubs: int = 1

@dataclass(frozen=True, kw_only=True)
class Christofides(Algorithm):
    ...

@dataclass(frozen=True, kw_only=True)
class SpaceFillingCurve(Algorithm):
    ...

@dataclass(frozen=True, kw_only=True)
class RandomTours(Algorithm):
    samples: int = 1000

@dataclass(frozen=True, kw_only=True)
class FastTsp(Algorithm):
    calls: int = 8
    first_seconds: float = 0.05
    growth: float = 2.0
    variant: Literal['auto', 'cpu', 'sequential'] = 'auto'

@dataclass(frozen=True, kw_only=True)
class Elkai(Algorithm):
    calls: int = 8
    first_seconds: float = 0.05
    growth: float = 2.0

@dataclass(frozen=True, kw_only=True)
class OrTools(Algorithm):
    calls: int = 8
    first_seconds: float = 0.05
    growth: float = 2.0

@dataclass(frozen=True, kw_only=True)
class PyVrp(Algorithm):
    calls: int = 8
    first_seconds: float = 0.05
    growth: float = 2.0

@dataclass(frozen=True, kw_only=True)
class Given(Algorithm):
    tour: tuple[int, ...] = ()
