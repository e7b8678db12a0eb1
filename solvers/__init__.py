"""Solvers of the Travelling Salesman Problem. `SOLVERS` lists all of them, in the order of the menu.

A solver that is not ``listed`` can be run from a spec, but is in no menu. Importing this package loads no algorithm
until one is requested, and never Numba or Dash.

The modules at the root make up a run: `registry` holds all solvers, `spec` describes the run, `plan` chooses the
variants for a machine, or says why none can run, `run` executes the stages, `verification` measures tours again,
`result` formats the outcome. Packages:

- `core`: the contracts, and code that several families of algorithms share.
- `algorithms`: a folder for each family.
- `bounds`: the lower bound of Held and Karp.
- `kernels`, `gpu`, `parallel`, `mpi`, `worker`, `reporting`: tools to run algorithms and record what they do.
- `own` is the library for users' solvers, `user_files` loads them, `check` tests them against the contract.
"""

from typing import TYPE_CHECKING, Any

from solvers import former_modules

if TYPE_CHECKING:
    from solvers.registry import BUILT_IN, SOLVERS, find

__all__ = ["BUILT_IN", "SOLVERS", "find"]

former_modules.install()


def __getattr__(name: str) -> Any:
    # so that importing a contract alone does not load all solvers
    if name in __all__:
        from solvers import registry

        return getattr(registry, name)
    raise AttributeError(name)
