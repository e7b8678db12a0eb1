"""A study as flags of the command line describe it."""

from argparse import Namespace
from typing import Any

from data.instance import Instance
from solvers.arguments import UsageError, instance_of, number
from studies.over import over, value_of
from studies.spec import MOST_THREADS, VERSION, StudySpec, stages_json

#: Flags that are limits of each run's budget.
BUDGET = ("seconds", "iterations", "evaluations", "without-improvement")


def spec_of(given: Namespace) -> tuple[StudySpec, tuple[Instance, ...]]:
    """The study that flags describe, and the instances that were read from files.

    Raises
    ------
    UsageError, InvalidParams, InvalidInstance
        What is wrong with them, in one sentence.
    """
    if given.instances is None or given.algorithms is None:
        raise UsageError("A study needs --instances and --algorithms, or a file. See --help.")
    found = [instance_of(name) for name in given.instances.split(",")]
    value: dict[str, Any] = {
        "v": VERSION,
        "title": given.title or "",
        "instances": [reference for _, reference in found],
        "entries": [_entry(text) for text in given.algorithms.split(",")],
        "seeds": {
            name: number(text, option)
            for name, option, text in (("first", "first-seed", given.first_seed), ("count", "seeds", given.seeds))
            if text is not None
        },
        "budget": {
            option.replace("-", "_"): number(text, option)
            for option in BUDGET
            if (text := getattr(given, option.replace("-", "_"))) is not None
        },
    }
    value |= {} if given.device is None else {"device": given.device}
    value |= {} if given.threads is None else {"threads": whole(given.threads, "threads", MOST_THREADS)}
    spec = StudySpec.from_json(value)
    for text in given.over or ():
        name, equals, values = text.partition("=")
        if not equals:
            raise UsageError(f"--over is {text!r:.80}, but must be like --over beta=1,2,5.")
        entries = over(spec.entries, name.replace("-", "_"), [value_of(word) for word in values.split(",")])
        value["entries"] = [{"label": entry.label, "stages": stages_json(entry.stages)} for entry in entries]
        spec = StudySpec.from_json(value)
    return spec, tuple(instance for instance, reference in found if "sha256" in reference)


def _entry(text: str) -> dict[str, Any]:
    """An entry as somebody types it: ``algorithm:name=value:name=value``, several stages with ``/`` between them."""
    stages = []
    for part in text.split("/"):
        algorithm, *settings = part.split(":")
        params: dict[str, Any] = {}
        for setting in settings:
            name, equals, value = setting.partition("=")
            if not equals or name.replace("-", "_") in params:
                raise UsageError(f"{part!r:.80} should be like ant-system:beta=3:ants=50.")
            params[name.replace("-", "_")] = value_of(value)
        stages.append({"algorithm": algorithm, "params": params})
    return {"label": text.replace(":", " "), "stages": stages}


def whole(text: str, name: str, most: int) -> int:
    """A whole number from 1 to `most`, as somebody types it.

    Raises
    ------
    UsageError
        If it is none.
    """
    count = number(text, name)
    if not isinstance(count, int) or not 1 <= count <= most:
        raise UsageError(f"{name} is {text!r:.80}, but must be a whole number from 1 to {most:,}.")
    return count
