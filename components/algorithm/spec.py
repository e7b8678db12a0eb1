"""Builds a spec from the values of a form, for Start and for preparing a run."""

from components.instances.references import parse_reference
from components.types import Json, JsonObject
from solvers.spec import VERSION, RunSpec


def build_spec(
    instance: Json,
    algorithm: Json,
    params: JsonObject,
    seed: Json,
    seconds: Json,
    device: Json,
    threads: Json = None,
) -> RunSpec:
    """Return the spec of a form's values; `threads` None means all cores.

    Raises
    ------
    InvalidParams, InvalidInstance
        If a value is invalid.
    """
    budget = {} if seconds is None else {"seconds": seconds}
    fields = {name: "" if value is None else value for name, value in params.items()}
    stages = [{"algorithm": algorithm, "params": fields}]
    reference = parse_reference(instance)
    fixed = {"seed": seed, "device": device, "threads": 0 if threads is None else threads}
    return RunSpec.from_json({"v": VERSION, "instance": reference, "stages": stages, "budget": budget, **fixed})
