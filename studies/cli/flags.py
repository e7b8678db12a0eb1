"""Turns the flags of the command line into the spec of a study."""

import re
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from commands.arguments import UsageError, load_instance, parse_number
from data.instance import Instance
from data.tsplib.text import is_instance_file
from solvers.core.devices import cpu_threads
from solvers.spec import VERSION, Stage
from studies.spec.climbers import make_climbers_spec
from studies.spec.expand import parse_value, vary
from studies.spec.open_ended import extend_to_budget
from studies.spec.ranges import Range
from studies.spec.space import build_search_space, list_declarations, parse_range
from studies.spec.spec import MAX_LENGTHS, MAX_THREADS, Entry, StudySpec, stages_to_json

#: Flags for the limits of each run's budget, and what they limit.
BUDGET = {
    "seconds": "seconds of work",
    "iterations": "iterations",
    "evaluations": "evaluations",
    "without-improvement": "iterations in a row without a better tour",
}
#: Default numbers of climbers.
CLIMBERS = "1,10,100,1000"


def build_spec(options: Namespace) -> tuple[StudySpec, tuple[Instance, ...]]:
    """Build the study described by flags, with instances read from files.

    With a budget, runs end by the budget rather than by default numbers of iterations (`studies.spec.open_ended`).

    Raises
    ------
    UsageError, InvalidParams, InvalidInstance
        If the flags are invalid; the message is one sentence.
    """
    if options.instances is None or options.algorithms is None:
        raise UsageError("A study needs --instances and --algorithms or --tune, or a file. See --help.")
    instance_names = split_names(options.instances, "instances")
    if duplicate := next((name for k, name in enumerate(instance_names) if name in instance_names[:k]), None):
        raise UsageError(f"--instances names {duplicate:.80} twice: name each instance once.")
    instances = [load_instance(name) for name in instance_names]
    value: dict[str, Any] = {
        "v": VERSION,
        **_build_shared_fields(options, [reference for _, reference in instances]),
        "entries": _entries_to_json([_parse_entry(text) for text in split_names(options.algorithms, "algorithms")]),
        "budget": _build_budget(options),
    }
    entries = list(StudySpec.from_json(value).entries)
    for text in options.over or ():
        entries = _vary(entries, text)
    if value["budget"]:
        entries = [replace(entry, stages=extend_to_budget(entry.stages)) for entry in entries]
    spec = StudySpec.from_json({**value, "entries": _entries_to_json(entries)})
    return spec, tuple(instance for instance, reference in instances if "sha256" in reference)


def build_tuning_spec(options: Namespace) -> tuple[StudySpec, tuple[Instance, ...]]:
    """Build the tuning study described by flags, with instances read from files.

    Raises
    ------
    UsageError, InvalidParams, InvalidInstance
        If the flags are invalid; the message is one sentence.
    """
    if options.instances is None:
        raise UsageError("A tuning study needs --instances. See --help.")
    training = [load_instance(name) for name in split_names(options.instances)]
    test_instances = training
    if options.test_instances is not None:
        test_instances = [load_instance(name) for name in split_names(options.test_instances, "test-instances")]
    budget = _build_budget(options)
    entry = _parse_entry(options.tune)
    stages = extend_to_budget(entry.stages) if budget else entry.stages
    first = 1 if options.first_seed is None else parse_number(options.first_seed, "first-seed")
    train_seeds = 3 if options.train_seeds is None else parse_number(options.train_seeds, "train-seeds")
    counts = {"trials": options.trials, "batch": options.batch, "seed": options.sampler_seed}
    shared = _build_shared_fields(options, [reference for _, reference in test_instances])
    vary = [word for text in options.vary or () for word in split_names(text, "vary")]
    value = {
        "v": VERSION,
        **shared,
        "seeds": {"first": first + train_seeds, **{k: n for k, n in shared["seeds"].items() if k == "count"}},
        "entries": _entries_to_json([replace(entry, stages=stages)]),
        "budget": budget,
        "tune": {
            "vary": {each.name: each.to_json() for each in _parse_ranges(stages[-1].algorithm, vary)},
            "instances": [reference for _, reference in training],
            "seeds": {"first": first, "count": train_seeds},
            **{name: parse_number(text, name) for name, text in counts.items() if text is not None},
            **({} if options.pruner is None else {"pruner": options.pruner}),
        },
    }
    files = {reference["sha256"]: each for each, reference in (*training, *test_instances) if "sha256" in reference}
    return StudySpec.from_json(value), tuple(files.values())


def _parse_ranges(algorithm: str, words: Sequence[str]) -> list[Range]:
    """Parse the parameters to vary, optionally with limits or choices: ``beta=1..5``, ``a=b|c``."""
    params, ranges = list_declarations(algorithm), []
    for word in words:
        name, _, values = word.partition("=")
        (usual,) = build_search_space(algorithm, [name.strip().replace("-", "_")])
        ranges.append(parse_range(params[usual.name], values))
    return ranges or list(build_search_space(algorithm))


def build_climbers_spec(options: Namespace) -> tuple[StudySpec, tuple[Instance, ...]]:
    """Build the study of climbers against accuracy described by flags; each run uses the whole machine.

    Raises
    ------
    UsageError, InvalidParams, InvalidInstance
        If the flags are invalid; the message is one sentence.
    """
    climbers = CLIMBERS if options.climbers is None else options.climbers
    variant = "auto" if options.variant is None else options.variant
    instance, reference = load_instance(options.source)
    shared = {"threads": min(cpu_threads(), MAX_THREADS), **_build_shared_fields(options, [reference])}
    spec = make_climbers_spec([parse_number(text, "climbers") for text in climbers.split(",")], variant, shared)
    return spec, (instance,) if "sha256" in reference else ()


def _build_budget(options: Namespace) -> dict[str, Any]:
    """Return each run's budget as JSON."""
    return {
        option.replace("-", "_"): parse_number(text, option)
        for option in BUDGET
        if (text := getattr(options, option.replace("-", "_"))) is not None
    }


def _build_shared_fields(options: Namespace, instances: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the fields that both kinds of studies share as JSON, without defaults."""
    seeds = (("first", "first-seed", options.first_seed), ("count", "seeds", options.seeds))
    value: dict[str, Any] = {
        "title": options.title or "",
        "instances": instances,
        "seeds": {name: parse_number(text, option) for name, option, text in seeds if text is not None},
    }
    value |= {} if options.device is None else {"device": options.device}
    return value | (
        {} if options.threads is None else {"threads": parse_integer(options.threads, "threads", MAX_THREADS)}
    )


def split_names(text: str, option: str = "instances") -> list[str]:
    """Split at commas and strip spaces.

    Raises
    ------
    UsageError
        If a part is empty.
    """
    parts = [name.strip() for name in text.split(",")]
    if not all(parts):
        raise UsageError(f"--{option} is {text!r:.80}: a name beside a comma is missing.")
    return parts


def is_file(name: str) -> bool:
    """Return whether an instance is given as a path."""
    return is_instance_file(name)


def _vary(entries: Sequence[Entry], text: str) -> list[Entry]:
    """Vary a parameter as given on the command line, such as ``beta=1,2,5``."""
    name, equals, values = text.partition("=")
    if not equals:
        raise UsageError(f"--over is {text!r:.80}, but must be like --over beta=1,2,5.")
    return list(
        vary(entries, name.strip().replace("-", "_"), [parse_value(word) for word in split_names(values, "over")])
    )


def _entries_to_json(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """Convert entries to JSON; truncate long labels, and number them if that makes two equal."""
    values: list[dict[str, Any]] = []
    for entry in entries:
        label, count = entry.label, 1
        while len(label) > MAX_LENGTHS["label"] or (count > 1 and label in [other["label"] for other in values]):
            end = "…" if count == 1 else f"… ({count})"
            label, count = entry.label[: MAX_LENGTHS["label"] - len(end)] + end, count + 1
        values.append({"label": label, "stages": stages_to_json(entry.stages)})
    return values


def _parse_entry(text: str) -> Entry:
    """Parse an entry: ``algorithm:name=value:name=value``, stages separated by ``/``, optionally ``NAME=`` first."""
    head = re.split("[:/]", text, maxsplit=1)[0]
    name, has_name, _ = head.rpartition("=")
    rest = text[len(name) + 1 :] if has_name else text
    stages = []
    for part in rest.split("/"):
        algorithm, *settings = part.strip().split(":")
        params: dict[str, Any] = {}
        for setting in settings:
            key, equals, value = setting.partition("=")
            if not equals or key.replace("-", "_") in params:
                raise UsageError(f"{part!r:.80} should be like ant-system:beta=3:ants=50.")
            params[key.replace("-", "_")] = parse_value(value)
        stages.append(Stage(algorithm, params))
    return Entry(name.strip() if has_name else rest.replace(":", " "), tuple(stages))


def parse_integer(text: str, name: str, maximum: int) -> int:
    """Parse a whole number from 1 to `maximum`.

    Raises
    ------
    UsageError
        If the text is not such a number.
    """
    count = parse_number(text, name)
    if not isinstance(count, int) or not 1 <= count <= maximum:
        raise UsageError(f"{name} is {text!r:.80}, but must be a whole number from 1 to {maximum:,}.")
    return count
