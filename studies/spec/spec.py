"""StudySpec: the definition of a study as small JSON. The page, the command line and the study file share it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from data.collection.instance_reference import parse
from solvers.errors import InvalidParams
from solvers.spec import VERSION, RunSpec, Stage, check_object
from solvers.stop import Budget

#: Limits of a study: instances, entries, seeds, runs, threads of a run.
MOST_INSTANCES = 200
MOST_ENTRIES = 100
MOST_SEEDS = 1000
MOST_CELLS = 100_000
MOST_THREADS = 256
#: Most characters of texts.
LONGEST = {"title": 200, "label": 80}
_FIELDS = frozenset({"v", "title", "instances", "entries", "seeds", "budget", "device", "threads"})


@dataclass(frozen=True, slots=True)
class Entry:
    """One contestant: algorithms in sequence with their parameters, under a label."""

    label: str
    stages: tuple[Stage, ...]


@dataclass(frozen=True, slots=True)
class Seeds:
    """A range of consecutive seeds: the first, and how many."""

    first: int = 1
    count: int = 10

    def __iter__(self):
        return iter(range(self.first, self.first + self.count))


@dataclass(frozen=True, slots=True)
class StudySpec:
    """The runs of a study: every entry on every instance with every seed.

    Attributes
    ----------
    instances : tuple of dict
        References as in a `RunSpec`, all different.
    entries : tuple of Entry
        With distinct labels.
    title : str
    seeds : Seeds
    budget : Budget
        Budget of each run.
    device : str
        ``auto``, ``cpu`` or ``cuda``.
    threads : int
        Threads that a run on the CPU may use.
    """

    instances: tuple[dict[str, Any], ...]
    entries: tuple[Entry, ...]
    title: str = ""
    seeds: Seeds = field(default_factory=Seeds)
    budget: Budget = field(default_factory=Budget)
    device: str = "auto"
    threads: int = 1

    @classmethod
    def from_json(cls, value: Any) -> Self:
        """Validate a decoded JSON value, and build the spec.

        Raises
        ------
        InvalidParams
            If a field is missing, unknown or malformed, the version is not supported, or there are too many runs. Names
            of algorithms and their parameters are checked by `studies.spec.matrix.prepared`.
        InvalidInstance
            If a reference to an instance has no known form.
        """
        check_object("study", value, _FIELDS)
        instances, entries = _instances(value.get("instances")), _entries(value.get("entries"))
        seeds = _seeds(value.get("seeds", {}))
        if (runs := len(instances) * len(entries) * seeds.count) > MOST_CELLS:
            raise InvalidParams("study", f"{runs:,} runs", f"at most {MOST_CELLS:,} runs")
        common = [_as_run(value, instances[0], entry["stages"], seeds) for entry in entries]
        return cls(
            title=_text("title", value.get("title", ""), empty=True),
            instances=instances,
            entries=tuple(Entry(entry["label"], run.stages) for entry, run in zip(entries, common, strict=True)),
            seeds=seeds,
            budget=common[0].budget,
            device=common[0].device,
            threads=_whole("threads", value.get("threads", 1), 1, MOST_THREADS),
        )

    def to_json(self) -> dict[str, Any]:
        """The spec as a JSON value; `from_json` gives the same spec back."""
        return {
            "v": VERSION,
            "title": self.title,
            "instances": [dict(reference) for reference in self.instances],
            "entries": [{"label": entry.label, "stages": stages_json(entry.stages)} for entry in self.entries],
            "seeds": asdict(self.seeds),
            "budget": {name: limit for name, limit in asdict(self.budget).items() if limit is not None},
            "device": self.device,
            "threads": self.threads,
        }

    def same_runs(self, other: "StudySpec") -> bool:
        """Whether both have the same runs, regardless of their titles."""
        return {**self.to_json(), "title": ""} == {**other.to_json(), "title": ""}


def stages_json(stages: tuple[Stage, ...]) -> list[dict[str, Any]]:
    """Stages as a JSON value."""
    return [{"algorithm": stage.algorithm, "params": dict(stage.params)} for stage in stages]


def _as_run(value: Mapping[str, Any], instance: dict[str, Any], stages: Any, seeds: Seeds) -> RunSpec:
    """The last run of an entry; building it checks the fields that runs and studies share."""
    shared = {name: value[name] for name in ("v", "budget", "device") if name in value}
    last = seeds.first + seeds.count - 1
    return RunSpec.from_json({"instance": instance, "stages": stages, "seed": last, **shared})


def _instances(value: Any) -> tuple[dict[str, Any], ...]:
    if not isinstance(value, list) or not 1 <= len(value) <= MOST_INSTANCES:
        raise InvalidParams("instances", value, f"a list of 1 to {MOST_INSTANCES} instances")
    for k, reference in enumerate(value):
        parse(reference)
        if reference in value[:k]:
            raise InvalidParams("instances", reference, "there only once")
    return tuple(dict(reference) for reference in value)


def _entries(value: Any) -> list[dict[str, Any]]:
    if not isinstance(value, list) or not 1 <= len(value) <= MOST_ENTRIES:
        raise InvalidParams("entries", value, f"a list of 1 to {MOST_ENTRIES} entries")
    for entry in value:
        if not isinstance(entry, Mapping) or set(entry) != {"label", "stages"}:
            raise InvalidParams("entries", entry, "objects with 'label' and 'stages'")
    labels = [_text("label", entry["label"]) for entry in value]
    for label in labels:
        if labels.count(label) > 1:
            raise InvalidParams("label", label, "of one entry alone")
    return [dict(entry) for entry in value]


def _seeds(value: Any) -> Seeds:
    if not isinstance(value, Mapping) or set(value) - {"first", "count"}:
        raise InvalidParams("seeds", value, "an object such as {'first': 1, 'count': 10}")
    count = _whole("seeds", value.get("count", Seeds().count), 1, MOST_SEEDS)
    return Seeds(_whole("seed", value.get("first", Seeds().first), 0, 2**53 - count), count)


def _whole(name: str, value: Any, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InvalidParams(name, value, f"a whole number from {low} to {high:,}")
    return value


def _text(name: str, value: Any, empty: bool = False) -> str:
    """A line that is safe to show: no control characters, and no bidirectional formatting characters."""
    longest = LONGEST[name]
    if not isinstance(value, str) or len(value) > longest or not (value.strip() or (empty and not value)):
        raise InvalidParams(name, value, f"a text of at most {longest} characters")
    if not value.isprintable():
        raise InvalidParams(name, value, "a text of one line, of characters that can be shown")
    return value
