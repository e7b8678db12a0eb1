"""Which algorithms and variants take directed instances and those of very many cities; what is said of the others."""

from collections.abc import Sequence

from data.instance import Instance
from data.limits import MAX_CITIES
from solvers import SOLVERS
from solvers.params import Params
from solvers.solver import Solver, Variant, choose_variant, vast_sentence
from solvers.spec import RunSpec


def refusal(spec: RunSpec, stages: Sequence[tuple[Solver, Params]], instance: Instance) -> str:
    """Why a run cannot have an instance, which is directed or has too many cities, in one sentence; empty if it can.

    Parameters
    ----------
    spec : RunSpec
    stages : sequence of (Solver, Params)
        Of the run.
    instance : Instance

    Raises
    ------
    DeviceUnavailable
        If no variant of a stage runs on the requested device.
    """
    if why := directed_refusal(spec, stages, instance):
        return why
    for solver, params in stages if instance.n > MAX_CITIES else ():
        if not choose_variant(solver, params, spec.device, instance.directed).vast:
            return vast_sentence(solver.title)
    return ""


def takes_directed(solver: Solver) -> bool:
    """Whether a variant of the algorithm takes directed instances."""
    return any(variant.directed for variant in solver.variants)


def directed_sentence(solver: Solver, variant: Variant) -> str:
    """What is said of a variant that takes no directed instances: what it needs, and what to take instead."""
    own = [each.name for each in solver.variants if each.directed]
    if own:
        return (
            f"{variant.name} needs the same distance in both directions; for a directed instance take {_either(own)}."
        )
    others = [each.title for each in SOLVERS if each.listed and takes_directed(each)]
    return f"{solver.title} needs the same distance in both directions; for a directed instance take {_either(others)}."


def directed_refusal(spec: RunSpec, stages: Sequence[tuple[Solver, Params]], instance: Instance) -> str:
    """Why a run cannot have a directed instance, in one sentence; empty if it can."""
    for solver, params in stages if instance.directed else ():
        wanted = getattr(params, "variant", "auto")
        fitting = [
            variant
            for variant in solver.variants
            if wanted in ("auto", variant.name) and spec.device in ("auto", variant.device)
        ]
        if not any(variant.directed for variant in fitting):
            return directed_sentence(solver, choose_variant(solver, params, spec.device))
    return ""


def _either(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} or {last}" if first else last
