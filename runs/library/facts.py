"""Facts of a run, race or study, read from its file; valid until the file changes."""

import logging
import math
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from data.moments import check_moment, read_moment
from runs.library.entry import UNREADABLE
from runs.races.service import read_race
from runs.races.spec import Lane
from runs.store.reader import RunReader
from runs.store.summary import find_solver, summarise
from solvers import find
from solvers.core.errors import DeviceUnavailable, InvalidParams
from solvers.spec import Stage
from solvers.worker.frames import decode
from studies.errors import InvalidStudy
from studies.file.checks import reduce_to_line
from studies.file.reader import StudyReader
from studies.spec.title import make_study_title

_log = logging.getLogger(__name__)


class Facts(NamedTuple):
    """The fields of `runs.library.entry.Entry` that come from the file.

    ``name`` is the title of a study's spec. ``lanes`` are the ids of a race's runs, whose own facts have the race's
    instance, lengths and seconds. The state of a study is ``finished`` or ``stopped``; that of a race is ``finished``,
    and its lanes determine how it ended.
    """

    created: float = 0.0
    state: str = UNREADABLE
    name: str = ""
    instances: tuple[str, ...] = ()
    n: int = 0
    algorithms: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    length: int | None = None
    gap_percent: float | None = None
    proven: bool = False
    optimum_proven: bool = False
    seconds: float | None = None
    runs: int = 1
    total: int = 1
    lanes: tuple[str, ...] = ()
    seed: int | None = None
    requested: int | None = None


#: Upper bound on integers.
_INT64_LIMIT = 1 << 63
_TEXTS = ("instances", "algorithms", "titles", "uses", "lanes")
_TYPES: dict[str, tuple[type, ...]] = {
    "created": (float, int), "state": (str,), "name": (str,), "n": (int,), "length": (int, type(None)),
    "gap_percent": (float, int, type(None)), "proven": (bool,), "optimum_proven": (bool,),
    "seconds": (float, int, type(None)), "runs": (int,), "total": (int,),
    "seed": (int, type(None)), "requested": (int, type(None)), **dict.fromkeys(_TEXTS, (tuple,)),
}  # fmt: skip


def validate(facts: Facts) -> Facts:
    """Validate facts and return them.

    Raises
    ------
    ValueError
        If a fact has a wrong type or is out of range.
    """
    check_moment(facts.created)
    for name, value in facts._asdict().items():
        if not isinstance(value, _TYPES[name]) or (isinstance(value, bool) and bool not in _TYPES[name]):
            raise ValueError(f"{name} is of a wrong type")
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError(f"{name} is not finite")
        if isinstance(value, int) and not -_INT64_LIMIT <= value < _INT64_LIMIT:
            raise ValueError(f"{name} is out of range")
        if isinstance(value, tuple) and not all(isinstance(text, str) for text in value):
            raise ValueError(f"{name} must hold texts only")
    return facts


def read_facts(kind: str, path: Path) -> Facts:
    """Read a file's facts; if it is damaged or of another kind, the state is `UNREADABLE`, the name the file's."""
    try:
        return validate(_FACT_READERS[kind](path))
    except (InvalidStudy, DeviceUnavailable, OSError, sqlite3.Error, ValueError, TypeError, LookupError, AttributeError,
            ArithmeticError, RecursionError) as error:  # fmt: skip
        _log.warning("The library cannot read %s: %s", ascii(path.name), error)
        return Facts(created=read_moment(None, path), name=reduce_to_line(path.name), runs=0, total=0)


def _read_run(path: Path) -> Facts:
    with RunReader(path) as reader:
        summary, seconds = summarise(reader), _read_seconds(reader)
    stages = tuple(Stage(str(stage["algorithm"])) for stage in summary["spec"]["stages"])
    return Facts(
        created=summary["created"],
        state=summary["state"],
        instances=(reduce_to_line(summary["instance"]["name"]),),
        n=summary["instance"]["n"],
        length=summary["length"],
        gap_percent=summary["gap_percent"],
        proven=summary["proven"],
        optimum_proven=bool(summary["instance"]["proven"]),
        seconds=seconds,
        seed=summary["spec"]["seed"],
        requested=_find_requested_iterations(summary["spec"]["stages"][-1]),
        **_list_algorithms([stages]),
    )


def _find_requested_iterations(stage: dict[str, Any]) -> int | None:
    """Return the number of climbers or iterations requested for a run; None if its spec has none."""
    try:
        param = find(stage["algorithm"]).iterations_param()
    except InvalidParams:
        return None
    value = param and stage.get("params", {}).get(param.name)
    return value if isinstance(value, int) else None


def _read_seconds(reader: RunReader) -> float | None:
    """Return the last time on the run's clock, in seconds."""
    if raw := reader.last("finished"):
        return float(decode(raw).values["seconds"])
    elapsed = decode(raw).arrays["elapsed"] if (raw := reader.last("progress")) else None
    return float(elapsed[-1]) if elapsed is not None and elapsed.size else None


def _read_race_facts(path: Path) -> Facts:
    race = read_race(path)
    facts, count = _list_algorithms([lane.stages for lane in race.spec.lanes]), len(race.runs)
    facts["titles"] = _make_distinct_titles(facts["titles"], race.spec.lanes)
    return Facts(created=race.created, state="finished", runs=count, total=count, lanes=race.runs, **facts)


def _read_study(path: Path) -> Facts:
    with StudyReader(path) as reader:
        counts, instances, spec = reader.counts(), reader.instances, reader.spec
        created, training = reader.created, [row.name for row in reader.training]
    name = spec.title if spec.tune is None else make_study_title(spec, [row.name for row in instances], training)
    total = sum(counts.values())
    algorithms = _list_algorithms([entry.stages for entry in spec.entries])
    return Facts(
        created=created,
        state="finished" if counts["finished"] + counts["failed"] == total else "stopped",
        name=name,
        instances=tuple(row.name for row in instances),
        n=max(row.n for row in instances),
        runs=counts["finished"],
        total=total,
        **{**algorithms, "titles": tuple(entry.label for entry in spec.entries)},
    )


_FACT_READERS: dict[str, Callable[[Path], Facts]] = {"run": _read_run, "race": _read_race_facts, "study": _read_study}


def _list_algorithms(lanes: Sequence[Sequence[Stage]]) -> dict[str, Any]:
    """Return the facts ``algorithms``, ``titles`` and ``uses`` of a run, a race's lanes or a study's entries."""
    return {
        "algorithms": tuple(reduce_to_line(stages[0].algorithm) for stages in lanes),
        "titles": tuple(", then ".join(_shorten_title(stage) for stage in stages) for stages in lanes),
        "uses": tuple(dict.fromkeys(reduce_to_line(stage.algorithm) for stages in lanes for stage in stages)),
    }


def _make_distinct_titles(titles: Sequence[str], lanes: Sequence[Lane]) -> tuple[str, ...]:
    """Return the lanes' titles; lanes with the same algorithms also list the settings that differ."""
    distinct = []
    for title, lane in zip(titles, lanes, strict=True):
        same_title = [other for other, other_title in zip(lanes, titles, strict=True) if other_title == title]
        settings = [
            reduce_to_line(_format_setting(stage, name, value))
            for position, stage in enumerate(lane.stages)
            for name, value in stage.params.items()
            if any(other.stages[position].params.get(name) != value for other in same_title)
        ]
        if any(other.device != lane.device for other in same_title):
            settings.append(lane.device)
        distinct.append(f"{title} ({', '.join(settings)})" if settings else title)
    return tuple(distinct)


def _format_setting(stage: Stage, name: str, value: Any) -> str:
    """Format a parameter and its value, as in "ants 50"."""
    labels = {param.name: param.label.lower() for param in find(stage.algorithm).params.schema()}
    label = labels.get(name, name)  # a user's solver may have changed since; only the name is known then
    if isinstance(value, bool):
        return f"{label} {'on' if value else 'off'}"
    return label if isinstance(value, list | tuple) else f"{label} {value}"


def _shorten_title(stage: Stage) -> str:
    """Return an algorithm's title up to its comma, as on race lanes."""
    return reduce_to_line(find_solver(stage.algorithm).title).partition(",")[0]
