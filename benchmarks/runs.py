"""Runs of one algorithm on one instance."""

from collections.abc import Iterator
from typing import Any

from data.instance import Instance
from solvers.core.events import Event, Finished
from solvers.core.stop import Budget
from solvers.run import prepare, run
from solvers.spec import RunSpec, Stage


def run_stage(
    instance: Instance, algorithm: str, params: dict[str, Any], seed: int = 1, device: str = "auto",
    pictures: bool = True, **limits: Any,
) -> Iterator[Event]:  # fmt: skip
    """Run an algorithm and yield its events; `limits` are the limits of a `Budget`."""
    spec = RunSpec({"name": instance.name}, (Stage(algorithm, params),), seed, Budget(**limits), device)
    return run(prepare(spec), instance, pictures=pictures)


def run_to_end(instance: Instance, algorithm: str, params: dict[str, Any], **options: Any) -> Finished:
    """Run an algorithm and return its last event; `options` are passed to `run_stage`."""
    *_, end = run_stage(instance, algorithm, params, **options)
    assert isinstance(end, Finished)
    return end
