"""Solvers of the Travelling Salesman Problem. `SOLVERS` lists all of them, in the order of the menu.

A solver that is not ``listed`` can be run from a spec, but is in no menu. Importing this package imports neither Numba
nor Dash.

The modules at the root define the contracts: `solver` (a solver, its variants, a job), `events`, `params`, `spec`,
`stop` (budgets), `run` (runs a spec from its first stage to `Finished`), `preflight` (the resources that a run would
need), `result`, `errors`; `registry` holds all solvers. Several families use `devices`, `memory`, `neighbours`,
`kernel_distances` (an instance's distances as arrays for kernels) and `sources` (citations). Each family of algorithms
has a folder: `two_opt`, `lin_kernighan`, `annealing`, `tabu`, `ants`, `genetic`, `swarms`, `held_karp`,
`branch_and_cut`, `construction`, `reference`; the lower bound of Held and Karp is in `bounds`. Shared folders:
`kernels`, `gpu`, `parallel`, `worker`, `reporting`, `mpi`, `drawing`, `cli`. For users' own solvers: `own` is what they
are written with, `user_files` loads them, `check` holds them against the contract.
"""

from collections.abc import Sequence

from data.suggest import unknown
from solvers.annealing.solver import SimulatedAnnealing
from solvers.ants.acs.solver import AntColonySystem
from solvers.ants.ant_system.solver import AntSystem
from solvers.ants.max_min.solver import MaxMinAntSystem
from solvers.branch_and_cut.solver import BranchAndCut
from solvers.construction.christofides import Christofides
from solvers.construction.given import Given
from solvers.construction.greedy import Greedy
from solvers.construction.insertion import CheapestInsertion, FarthestInsertion, NearestInsertion
from solvers.construction.nearest_neighbour import NearestNeighbour
from solvers.construction.random_tours import RandomTours
from solvers.construction.savings import Savings
from solvers.construction.space_filling_curve import SpaceFillingCurve
from solvers.errors import InvalidParams
from solvers.genetic.solver import GeneticAlgorithm
from solvers.held_karp.solver import HeldKarp
from solvers.lin_kernighan.solver import LinKernighan
from solvers.reference.elkai import Elkai
from solvers.reference.fast_tsp import FastTsp
from solvers.reference.or_tools import OrTools
from solvers.reference.pyvrp import PyVrp
from solvers.registry import Registry
from solvers.solver import Solver
from solvers.swarms.bees.solver import ArtificialBeeColony
from solvers.swarms.particles.solver import ParticleSwarm
from solvers.tabu.solver import TabuSearch
from solvers.two_opt.solver import TwoOpt
from solvers.user_files.solver_file import inherited

#: The program's own; those of users' files come after them in `SOLVERS`.
BUILT_IN: tuple[Solver, ...] = (
    TwoOpt(), LinKernighan(), SimulatedAnnealing(), TabuSearch(), AntSystem(), MaxMinAntSystem(), AntColonySystem(),
    GeneticAlgorithm(), ParticleSwarm(), ArtificialBeeColony(), HeldKarp(), BranchAndCut(), Greedy(),
    NearestNeighbour(), FarthestInsertion(), NearestInsertion(), CheapestInsertion(), Savings(), Christofides(),
    SpaceFillingCurve(), RandomTours(), FastTsp(), Elkai(), OrTools(), PyVrp(), Given(),
)  # fmt: skip
SOLVERS = Registry(BUILT_IN, inherited())


def find(name: str, solvers: Sequence[Solver] | None = None) -> Solver:
    """Return the solver of that name among `solvers`; by default, among `SOLVERS`.

    Raises
    ------
    InvalidParams
        If there is no solver of that name.
    """
    solvers = SOLVERS if solvers is None else solvers
    for solver in solvers:
        if solver.name == name:
            return solver
    if isinstance(solvers, Registry):
        if faults := solvers.faults():  # it may be that of a file
            raise InvalidParams("algorithm", name, "an algorithm of a file without faults", faults[0])
        if isinstance(name, str) and (gone := solvers.absent(name)):  # a form may hold anything
            return gone
    names = [solver.name for solver in solvers if solver.listed]
    raise InvalidParams("algorithm", name, f"one of {', '.join(names)}", unknown("algorithm", name, names))
