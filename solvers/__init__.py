"""Solvers of the Travelling Salesman Problem. `SOLVERS` is the list of all there are, in the order of the menu.

Those that are not `listed` run by a specification, but stand in no menu.

Importing this package imports neither Numba nor Dash.
"""

import difflib
from collections.abc import Sequence

from solvers.annealing import SimulatedAnnealing
from solvers.ant_colony_system import AntColonySystem
from solvers.ant_system import AntSystem
from solvers.errors import InvalidParams
from solvers.given import Given
from solvers.greedy import Greedy
from solvers.held_karp import HeldKarp
from solvers.max_min_ant_system import MaxMinAntSystem
from solvers.nearest_neighbour import NearestNeighbour
from solvers.random_tours import RandomTours
from solvers.solver import Solver
from solvers.two_opt import TwoOpt

SOLVERS: tuple[Solver, ...] = (
    TwoOpt(), SimulatedAnnealing(), AntSystem(), MaxMinAntSystem(), AntColonySystem(), HeldKarp(), Greedy(),
    NearestNeighbour(), RandomTours(), Given(),
)  # fmt: skip


def find(name: str, solvers: Sequence[Solver] = SOLVERS) -> Solver:
    """The solver of that name, among `solvers`.

    Raises
    ------
    InvalidParams
        If there is none.
    """
    for solver in solvers:
        if solver.name == name:
            return solver
    near = difflib.get_close_matches(str(name), [solver.name for solver in solvers], n=1)
    hint = f"{near[0]}, perhaps, or another" if near else "one"
    raise InvalidParams("algorithm", name, f"{hint} of {', '.join(solver.name for solver in solvers)}")
