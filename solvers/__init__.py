"""Solvers of the Travelling Salesman Problem. `SOLVERS` lists all of them, in the order of the menu.

A solver that is not ``listed`` can be run from a spec, but is in no menu. Importing this package loads no algorithm
until one is requested, and never Numba or Dash.

At the root is what a run is made by: `registry` holds all solvers, `spec` says what to run, `plan` which variant runs
on a machine, or why none can, `run` executes the stages, `verification` measures tours again, `result` is what they
found. Rooms:

- `core`: the contracts, and what several families of algorithms use.
- `algorithms`: a folder for each family.
- `bounds`: the lower bound of Held and Karp.
- `kernels`, `gpu`, `parallel`, `mpi`, `worker`, `reporting`: what algorithms are computed and recorded with.
- `own` is the library for users' solvers, `user_files` loads them, `check` tests them against the contract.
"""

from typing import TYPE_CHECKING, Any

from solvers import former_modules

if TYPE_CHECKING:
    from solvers.registry import BUILT_IN, SOLVERS, find

__all__ = ["BUILT_IN", "SOLVERS", "find"]

former_modules.install()


def __getattr__(name: str) -> Any:
    # importing a contract alone does not load all solvers
    if name in __all__:
        from solvers import registry

        return getattr(registry, name)
    raise AttributeError(name)
