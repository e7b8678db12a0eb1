"""Solvers of the Travelling Salesman Problem. `SOLVERS` lists all of them, in the order of the menu.

A solver that is not ``listed`` can be run from a spec, but is in no menu. Importing this package loads no algorithm
until one is requested, and never Numba or Dash.

The modules at the root define the contracts: `solver` (a solver, its variants, a job), `events`, `params`, `spec`,
`stop` (budgets), `plan` (which variant runs on a `machine`, or why none can), `run` (from its first stage to
`Finished`), `result`, `errors`; `registry` holds all solvers. Several families use `devices`, `memory`, `neighbours`,
`kernel_distances` (an instance's distances as arrays for kernels) and `sources` (citations). Each family of algorithms
has a folder: `two_opt`, `lin_kernighan`, `annealing`, `tabu`, `ants`, `genetic`, `swarms`, `held_karp`,
`branch_and_cut`, `construction`, `reference`; the lower bound of Held and Karp is in `bounds`. Shared folders:
`kernels`, `gpu`, `parallel`, `worker`, `reporting`, `mpi`, `drawing`, `cli`. For users' own solvers: `own` is the
library they are written with, `user_files` loads them, `check` tests them against the contract.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from solvers.registry import BUILT_IN, SOLVERS, find

__all__ = ["BUILT_IN", "SOLVERS", "find"]


def __getattr__(name: str) -> Any:
    # importing a contract alone does not load all solvers
    if name in __all__:
        from solvers import registry

        return getattr(registry, name)
    raise AttributeError(name)
