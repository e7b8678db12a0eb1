"""Parameters of branch-and-cut."""

from dataclasses import dataclass

from solvers.core.params import Params, variant_param


@dataclass(frozen=True)
class BranchAndCutParams(Params):
    """Parameters of `BranchAndCut`."""

    variant: str = variant_param(("cpu",), "Where it runs: on one core.")
