"""What is known of a run, a race or a study by its files alone: read once, and kept until the file changes."""

import logging
import math
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from data.moments import moment, moment_of
from runs.library.entry import UNREADABLE
from runs.races.service import read_race
from runs.store.reader import RunReader
from runs.store.summary import summarise, title_of
from solvers.errors import DeviceUnavailable
from solvers.spec import Stage
from solvers.worker.frames import decode
from studies.errors import InvalidStudy
from studies.file.checks import one_line
from studies.file.reader import StudyReader

_log = logging.getLogger(__name__)


class Facts(NamedTuple):
    """As `runs.library.entry.Entry` has them, but for what changes without the file.

    ``name`` is the title of a study's spec; ``lanes`` are the runs of a race, whose instance, lengths and seconds
    these tell. A state of a study is ``finished`` or ``stopped``, that of a race ``over``.
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


#: What no whole number is above.
_MOST = 1 << 63
_TEXTS = ("instances", "algorithms", "titles", "uses", "lanes")
_TYPES: dict[str, tuple[type, ...]] = {
    "created": (float, int), "state": (str,), "name": (str,), "n": (int,), "length": (int, type(None)),
    "gap_percent": (float, int, type(None)), "proven": (bool,), "optimum_proven": (bool,),
    "seconds": (float, int, type(None)), "runs": (int,), "total": (int,), **dict.fromkeys(_TEXTS, (tuple,)),
}  # fmt: skip


def checked(facts: Facts) -> Facts:
    """The same facts.

    Raises
    ------
    ValueError
        If one of them is of another type, or a number that is none.
    """
    moment(facts.created)
    for name, value in facts._asdict().items():
        if not isinstance(value, _TYPES[name]) or (isinstance(value, bool) and bool not in _TYPES[name]):
            raise ValueError(f"{name} is none")
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError(f"{name} is no number")
        if isinstance(value, int) and not -_MOST <= value < _MOST:
            raise ValueError(f"{name} is past all numbers")
        if isinstance(value, tuple) and not all(isinstance(text, str) for text in value):
            raise ValueError(f"{name} are no texts")
    return facts


def facts_of(kind: str, path: Path) -> Facts:
    """Read a file; one that is damaged, or no such file, has the state `UNREADABLE`, and is called as the file is."""
    try:
        return checked(_READERS[kind](path))
    except (InvalidStudy, DeviceUnavailable, OSError, sqlite3.Error, ValueError, TypeError, LookupError, AttributeError,
            ArithmeticError, RecursionError) as error:  # fmt: skip
        _log.warning("The library cannot read %s: %s", ascii(path.name), error)
        return Facts(created=moment_of(None, path), name=one_line(path.name), runs=0, total=0)


def _run(path: Path) -> Facts:
    with RunReader(path) as reader:
        summary, seconds = summarise(reader), _seconds(reader)
    stages = tuple(Stage(str(stage["algorithm"])) for stage in summary["spec"]["stages"])
    return Facts(
        created=summary["created"],
        state=summary["state"],
        instances=(one_line(summary["instance"]["name"]),),
        n=summary["instance"]["n"],
        length=summary["length"],
        gap_percent=summary["gap_percent"],
        proven=summary["proven"],
        optimum_proven=bool(summary["instance"]["proven"]),
        seconds=seconds,
        **_algorithms([stages]),
    )


def _seconds(reader: RunReader) -> float | None:
    """The run's clock, as it was last told."""
    if raw := reader.last("finished"):
        return float(decode(raw).values["seconds"])
    elapsed = decode(raw).arrays["elapsed"] if (raw := reader.last("progress")) else None
    return float(elapsed[-1]) if elapsed is not None and elapsed.size else None


def _race(path: Path) -> Facts:
    race = read_race(path)
    told, count = _algorithms([lane.stages for lane in race.spec.lanes]), len(race.runs)
    return Facts(created=race.created, state="over", runs=count, total=count, lanes=race.runs, **told)


def _study(path: Path) -> Facts:
    with StudyReader(path) as reader:
        counts, instances, spec = reader.counts(), reader.instances, reader.spec
        created = reader.created
    total = sum(counts.values())
    told = _algorithms([entry.stages for entry in spec.entries])
    return Facts(
        created=created,
        state="finished" if counts["finished"] + counts["failed"] == total else "stopped",
        name=spec.title,
        instances=tuple(row.name for row in instances),
        n=max(row.n for row in instances),
        runs=counts["finished"],
        total=total,
        **{**told, "titles": tuple(entry.label for entry in spec.entries)},
    )


_READERS: dict[str, Callable[[Path], Facts]] = {"run": _run, "race": _race, "study": _study}


def _algorithms(lanes: Sequence[Sequence[Stage]]) -> dict[str, Any]:
    """Of each of those that run side by side the first algorithm, and what all of its stages are called."""
    return {
        "algorithms": tuple(one_line(stages[0].algorithm) for stages in lanes),
        "titles": tuple(", then ".join(_short(stage) for stage in stages) for stages in lanes),
        "uses": tuple(dict.fromkeys(one_line(stage.algorithm) for stages in lanes for stage in stages)),
    }


def _short(stage: Stage) -> str:
    """An algorithm's title as the lanes of races have it."""
    return one_line(title_of(stage.algorithm)).partition(",")[0]
