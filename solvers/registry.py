"""The registry: built-in solvers in the order of the menu, followed by users' own.

`solvers` exports `BUILT_IN`, `SOLVERS` and `find` under the same names.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import overload

from data.suggest import describe_unknown
from solvers.algorithms.annealing.solver import SimulatedAnnealing
from solvers.algorithms.ants.acs.solver import AntColonySystem
from solvers.algorithms.ants.ant_system.solver import AntSystem
from solvers.algorithms.ants.max_min.solver import MaxMinAntSystem
from solvers.algorithms.branch_and_cut.solver import BranchAndCut
from solvers.algorithms.construction.christofides import Christofides
from solvers.algorithms.construction.given import Given
from solvers.algorithms.construction.greedy import Greedy
from solvers.algorithms.construction.insertion import CheapestInsertion, FarthestInsertion, NearestInsertion
from solvers.algorithms.construction.nearest_neighbour import NearestNeighbour
from solvers.algorithms.construction.random_tours import RandomTours
from solvers.algorithms.construction.savings import Savings
from solvers.algorithms.construction.space_filling_curve import SpaceFillingCurve
from solvers.algorithms.genetic.solver import GeneticAlgorithm
from solvers.algorithms.held_karp.solver import HeldKarp
from solvers.algorithms.lin_kernighan.solver import LinKernighan
from solvers.algorithms.reference.elkai import Elkai
from solvers.algorithms.reference.fast_tsp import FastTsp
from solvers.algorithms.reference.or_tools import OrTools
from solvers.algorithms.reference.pyvrp import PyVrp
from solvers.algorithms.swarms.bees.solver import ArtificialBeeColony
from solvers.algorithms.swarms.particles.solver import ParticleSwarm
from solvers.algorithms.tabu.solver import TabuSearch
from solvers.algorithms.two_opt.solver import TwoOpt
from solvers.core.errors import InvalidParams
from solvers.core.solver import Solver
from solvers.user_files.absent import AbsentSolver, make_absent
from solvers.user_files.loading import FaultySolver
from solvers.user_files.solver_file import SolverFile, list_inherited_files

#: Limits on the missing solvers that are tolerated: length of a name, and number of names.
_MAX_NAME, _MAX_ABSENT = 80, 1000


class Registry(Sequence[Solver]):
    """All solvers of this process.

    A process has only one registry, to which many modules hold references. Files may be added after these modules have
    been imported, and a file's declarations may change while the server runs.

    Parameters
    ----------
    built_in : iterable of Solver
    files : iterable of SolverFile, optional

    Attributes
    ----------
    built_in : tuple of Solver
        The solvers that come with the program.
    files : list of SolverFile
    """

    def __init__(self, built_in: Iterable[Solver], files: Iterable[SolverFile] = ()) -> None:
        self.built_in = tuple(built_in)
        self.files = list(files)
        self._absent: dict[str, AbsentSolver] = {}

    def join(self, file: SolverFile) -> None:
        """Add a user's file.

        Raises
        ------
        FaultySolver
            If the file cannot be loaded, or another solver already has the same name.
        """
        if any(solver.name == file.solver.name for solver in self):
            raise FaultySolver(f"{file.path.name}: the name {file.solver.name} is taken by another solver; change it.")
        self.files.append(file)

    def tolerate(self, names: Iterable[object]) -> None:
        """Accept these names, which occur in a saved file, even if their solvers are missing."""
        names_here = {solver.name for solver in self}
        for name in names:
            if (
                isinstance(name, str)
                and name not in names_here
                and len(name) <= _MAX_NAME
                and len(self._absent) < _MAX_ABSENT
            ):
                self._absent[name] = make_absent(name)

    def absent(self, name: str) -> AbsentSolver | None:
        """Return the substitute for a missing solver with a tolerated name, otherwise None."""
        return self._absent.get(name)

    def fingerprint(self) -> str:
        """Return a string that changes whenever a user's file changes; empty if there are no files."""
        return " ".join(file.fingerprint() for file in self.files)

    def faults(self) -> list[str]:
        """Return a sentence for each user's file that cannot be loaded here, with the reason."""
        return [fault for file in self.files if (fault := file.fault())]

    def __iter__(self) -> Iterator[Solver]:
        yield from self.built_in
        for file in self.files:  # loaded only if the search gets past all built-in solvers
            if not file.fault():
                yield file.solver

    def __len__(self) -> int:
        return sum(1 for _ in self)

    @overload
    def __getitem__(self, at: int) -> Solver: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[Solver, ...]: ...

    def __getitem__(self, at: int | slice) -> Solver | tuple[Solver, ...]:
        if isinstance(at, int) and 0 <= at < len(self.built_in):
            return self.built_in[at]
        return tuple(self)[at]

    def __iadd__(self, more: Iterable[Solver]) -> "Registry":
        self.built_in += tuple(more)
        return self


#: The built-in solvers; in `SOLVERS`, solvers from users' files follow them.
BUILT_IN: tuple[Solver, ...] = (
    TwoOpt(), LinKernighan(), SimulatedAnnealing(), TabuSearch(), AntSystem(), MaxMinAntSystem(), AntColonySystem(),
    GeneticAlgorithm(), ParticleSwarm(), ArtificialBeeColony(), HeldKarp(), BranchAndCut(), Greedy(),
    NearestNeighbour(), FarthestInsertion(), NearestInsertion(), CheapestInsertion(), Savings(), Christofides(),
    SpaceFillingCurve(), RandomTours(), FastTsp(), Elkai(), OrTools(), PyVrp(), Given(),
)  # fmt: skip
SOLVERS = Registry(BUILT_IN, list_inherited_files())


def find(name: object, solvers: Sequence[Solver] | None = None) -> Solver:
    """Return the solver with this name among `solvers`, by default among `SOLVERS`.

    Raises
    ------
    InvalidParams
        If there is no such solver.
    """
    solvers = SOLVERS if solvers is None else solvers
    for solver in solvers:
        if solver.name == name:
            return solver
    if isinstance(solvers, Registry):
        if faults := solvers.faults():  # the name may belong to a file that cannot be loaded
            raise InvalidParams("algorithm", name, "an algorithm of a file without faults", faults[0])
        if isinstance(name, str) and (placeholder := solvers.absent(name)):  # a form may send any type
            return placeholder
    names = [solver.name for solver in solvers if solver.listed]
    raise InvalidParams("algorithm", name, f"one of {', '.join(names)}", describe_unknown("algorithm", name, names))
