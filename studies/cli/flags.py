"""A study as flags of the command line describe it."""

import re
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from data.instance import Instance
from solvers.cli.arguments import UsageError, instance_of, number
from solvers.devices import cpu_threads
from solvers.spec import Stage
from studies.spec.climbers import climbers_spec
from studies.spec.expand import over, value_of
from studies.spec.open_ended import enough
from studies.spec.spec import LONGEST, MOST_THREADS, VERSION, Entry, StudySpec, stages_json

#: Flags that are limits of each run's budget.
BUDGET = ("seconds", "iterations", "evaluations", "without-improvement")
#: How many climbers a study of them has, where that is not said.
CLIMBERS = "1,10,100,1000"


def spec_of(given: Namespace) -> tuple[StudySpec, tuple[Instance, ...]]:
    """The study that flags describe, and the instances that were read from files.

    Where there is a budget, it ends the runs, and not what their algorithms do by default (`studies.spec.open_ended`).

    Raises
    ------
    UsageError, InvalidParams, InvalidInstance
        What is wrong with them, in one sentence.
    """
    if given.instances is None or given.algorithms is None:
        raise UsageError("A study needs --instances and --algorithms, or a file. See --help.")
    wanted = names(given.instances, "instances")
    if doubled := next((name for k, name in enumerate(wanted) if name in wanted[:k]), None):
        raise UsageError(f"--instances names {doubled:.80} twice: name each instance once.")
    found = [instance_of(name) for name in wanted]
    value: dict[str, Any] = {
        "v": VERSION,
        **_shared(given, [reference for _, reference in found]),
        "entries": _json([_entry(text) for text in names(given.algorithms, "algorithms")]),
        "budget": {
            option.replace("-", "_"): number(text, option)
            for option in BUDGET
            if (text := getattr(given, option.replace("-", "_"))) is not None
        },
    }
    entries = list(StudySpec.from_json(value).entries)
    for text in given.over or ():
        entries = _over(entries, text)
    if value["budget"]:
        entries = [replace(entry, stages=enough(entry.stages)) for entry in entries]
    spec = StudySpec.from_json({**value, "entries": _json(entries)})
    return spec, tuple(instance for instance, reference in found if "sha256" in reference)


def climbers_spec_of(given: Namespace) -> tuple[StudySpec, tuple[Instance, ...]]:
    """The study of climbers against accuracy that flags describe, with the whole machine for each run.

    Raises
    ------
    UsageError, InvalidParams, InvalidInstance
        What is wrong with them, in one sentence.
    """
    climbers = CLIMBERS if given.climbers is None else given.climbers
    variant = "auto" if given.variant is None else given.variant
    instance, reference = instance_of(given.source)
    shared = {"threads": min(cpu_threads(), MOST_THREADS), **_shared(given, [reference])}
    spec = climbers_spec([number(text, "climbers") for text in climbers.split(",")], variant, shared)
    return spec, (instance,) if "sha256" in reference else ()


def _shared(given: Namespace, instances: list[dict[str, Any]]) -> dict[str, Any]:
    """What studies of both kinds have, as JSON; what is left out keeps its default."""
    seeds = (("first", "first-seed", given.first_seed), ("count", "seeds", given.seeds))
    value: dict[str, Any] = {
        "title": given.title or "",
        "instances": instances,
        "seeds": {name: number(text, option) for name, option, text in seeds if text is not None},
    }
    value |= {} if given.device is None else {"device": given.device}
    return value | ({} if given.threads is None else {"threads": whole(given.threads, "threads", MOST_THREADS)})


def names(text: str, option: str = "instances") -> list[str]:
    """What stands between commas, without the spaces around it.

    Raises
    ------
    UsageError
        If nothing stands there.
    """
    found = [name.strip() for name in text.split(",")]
    if not all(found):
        raise UsageError(f"--{option} is {text!r:.80}: there is a comma with nothing beside it.")
    return found


def is_file(name: str) -> bool:
    """Whether an instance is named by its file."""
    return name.endswith((".tsp", ".tsp.gz"))


def _over(entries: Sequence[Entry], text: str) -> list[Entry]:
    """Entries over a parameter as somebody types it: ``beta=1,2,5``."""
    name, equals, values = text.partition("=")
    if not equals:
        raise UsageError(f"--over is {text!r:.80}, but must be like --over beta=1,2,5.")
    return list(over(entries, name.strip().replace("-", "_"), [value_of(word) for word in names(values, "over")]))


def _json(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """Entries as a JSON value; labels that are longer than they may be are cut, and numbered where that makes two."""
    told: list[dict[str, Any]] = []
    for entry in entries:
        label, count = entry.label, 1
        while len(label) > LONGEST["label"] or (count > 1 and label in [other["label"] for other in told]):
            end = "…" if count == 1 else f"… ({count})"
            label, count = entry.label[: LONGEST["label"] - len(end)] + end, count + 1
        told.append({"label": label, "stages": stages_json(entry.stages)})
    return told


def _entry(text: str) -> Entry:
    """An entry as somebody types it: ``algorithm:name=value:name=value``, stages with ``/`` between them.

    A name of its own, ``NAME=``, may stand before it.
    """
    head = re.split("[:/]", text, maxsplit=1)[0]
    name, named, _ = head.rpartition("=")
    rest = text[len(name) + 1 :] if named else text
    stages = []
    for part in rest.split("/"):
        algorithm, *settings = part.strip().split(":")
        params: dict[str, Any] = {}
        for setting in settings:
            key, equals, value = setting.partition("=")
            if not equals or key.replace("-", "_") in params:
                raise UsageError(f"{part!r:.80} should be like ant-system:beta=3:ants=50.")
            params[key.replace("-", "_")] = value_of(value)
        stages.append(Stage(algorithm, params))
    return Entry(name.strip() if named else rest.replace(":", " "), tuple(stages))


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
