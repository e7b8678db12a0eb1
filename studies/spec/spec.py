"""StudySpec: a study as small JSON, for the page, the command line and the study file."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Self

from solvers.core.errors import InvalidParams
from solvers.core.stop import Budget
from solvers.spec import VERSION, RunSpec, Stage, check_object
from studies.spec.fields import MAX_INSTANCES as MAX_INSTANCES
from studies.spec.fields import MAX_SEEDS as MAX_SEEDS
from studies.spec.fields import Seeds, parse_instances, parse_seeds, parse_whole_number
from studies.spec.tune import TUNED, Tune

#: Limits on a study: entries, runs, threads of a run; see `studies.spec.fields` for instances and seeds.
MAX_ENTRIES = 100
MAX_CELLS = 100_000
MAX_THREADS = 256
#: Maximum length of strings.
MAX_LENGTHS = {"title": 200, "label": 80}
_FIELDS = frozenset({"v", "title", "instances", "entries", "seeds", "budget", "device", "threads", "tune"})


@dataclass(frozen=True, slots=True)
class Entry:
    """A contestant: algorithms in sequence, with parameters and a label."""

    label: str
    stages: tuple[Stage, ...]


@dataclass(frozen=True, slots=True)
class StudySpec:
    """The runs of a study: every entry on every instance with every seed.

    Attributes
    ----------
    instances : tuple of dict
        Distinct references, as in a `RunSpec`.
    entries : tuple of Entry
        Entries with distinct labels.
    title : str
    seeds : Seeds
    budget : Budget
        Budget of each run.
    device : str
        ``auto``, ``cpu`` or ``cuda``.
    threads : int
        Maximum number of threads per run on the CPU.
    tune : Tune or None
        Settings of a tuning study. A tuning study has two entries: the original one and the tuned one, which has the
        original parameters until the trials have found others (`with_tuned`). The study's own runs compare the two.
    """

    instances: tuple[dict[str, Any], ...]
    entries: tuple[Entry, ...]
    title: str = ""
    seeds: Seeds = field(default_factory=Seeds)
    budget: Budget = field(default_factory=Budget)
    device: str = "auto"
    threads: int = 1
    tune: Tune | None = None

    @classmethod
    def from_json(cls, value: Any) -> Self:
        """Validate a decoded JSON value and return the spec.

        Raises
        ------
        InvalidParams
            If a field is missing, unknown or malformed, the version is not supported, or there are too many runs. Names
            of algorithms and their parameters are checked by `studies.spec.matrix.prepare_entries`.
        InvalidInstance
            If a reference to an instance has an unknown form.
        """
        check_object("study", value, _FIELDS)
        instances, entries = parse_instances("instances", value.get("instances")), _parse_entries(value.get("entries"))
        tune = Tune.from_json(value["tune"], instances) if "tune" in value else None
        seeds = parse_seeds(
            "seeds", value.get("seeds", {}), Seeds() if tune is None else _choose_default_seeds(tune.seeds)
        )
        if tune is not None:
            _check_tuned(entries, tune, seeds)
            entries = [*entries, {**entries[0], "label": TUNED}]
        runs = len(instances) * len(entries) * seeds.count + (0 if tune is None else tune.trials * tune.steps)
        if runs > MAX_CELLS:
            raise InvalidParams("study", f"{runs:,} runs", f"at most {MAX_CELLS:,} runs")
        common = [_to_run_spec(value, instances[0], entry["stages"], seeds) for entry in entries]
        return cls(
            title=_parse_text("title", value.get("title", ""), empty=True),
            instances=instances,
            entries=tuple(Entry(entry["label"], run.stages) for entry, run in zip(entries, common, strict=True)),
            seeds=seeds,
            budget=common[0].budget,
            device=common[0].device,
            threads=parse_whole_number("threads", value.get("threads", 1), 1, MAX_THREADS),
            tune=tune,
        )

    def to_json(self) -> dict[str, Any]:
        """Return the spec as JSON, the inverse of `from_json`."""
        entries = self.entries if self.tune is None else self.entries[:1]
        value = {
            "v": VERSION,
            "title": self.title,
            "instances": [dict(reference) for reference in self.instances],
            "entries": [{"label": entry.label, "stages": stages_to_json(entry.stages)} for entry in entries],
            "seeds": asdict(self.seeds),
            "budget": {name: limit for name, limit in asdict(self.budget).items() if limit is not None},
            "device": self.device,
            "threads": self.threads,
        }
        return value if self.tune is None else {**value, "tune": self.tune.to_json()}

    @property
    def all_instances(self) -> tuple[dict[str, Any], ...]:
        """The study's instances, then a tuning study's additional training instances."""
        training = () if self.tune is None else self.tune.instances
        return (*self.instances, *(reference for reference in training if reference not in self.instances))

    def training(self, step: int) -> tuple[int, int]:
        """Return a trial run's index in `all_instances`, and its seed."""
        assert self.tune is not None
        instance, seed = self.tune.step(step)
        return self.all_instances.index(self.tune.instances[instance]), seed

    def stages_with(self, params: Mapping[str, Any]) -> tuple[Stage, ...]:
        """Return a tuning study's stages with other parameter values."""
        *before, last = self.entries[0].stages
        return (*before, replace(last, params={**last.params, **params}))

    def with_tuned(self, params: Mapping[str, Any]) -> Self:
        """Return the tuning study with these parameters in its tuned entry."""
        base, tuned = self.entries
        return replace(self, entries=(base, replace(tuned, stages=self.stages_with(params))))

    def same_runs(self, other: "StudySpec") -> bool:
        """Return whether two specs have the same runs, regardless of titles."""
        return {**self.to_json(), "title": ""} == {**other.to_json(), "title": ""}


def stages_to_json(stages: tuple[Stage, ...]) -> list[dict[str, Any]]:
    """Return stages as a JSON value."""
    return [{"algorithm": stage.algorithm, "params": dict(stage.params)} for stage in stages]


def _to_run_spec(value: Mapping[str, Any], instance: dict[str, Any], stages: Any, seeds: Seeds) -> RunSpec:
    """Return the spec of an entry's last run; this validates the fields common to runs and studies."""
    shared = {name: value[name] for name in ("v", "budget", "device") if name in value}
    last = seeds.first + seeds.count - 1
    return RunSpec.from_json({"instance": instance, "stages": stages, "seed": last, **shared})


def _choose_default_seeds(training: Seeds) -> Seeds:
    """Return default seeds for a tuning study's comparison: as many as usual, after the training seeds."""
    return Seeds(training.first + training.count)


def _check_tuned(entries: list[dict[str, Any]], tune: Tune, seeds: Seeds) -> None:
    """Raise an error if a tuning study has several entries, or tests on its training seeds.

    Raises
    ------
    InvalidParams
    """
    if len(entries) > 1:
        raise InvalidParams("entries", len(entries), "a single one in a tuning study")
    if entries[0]["label"] == TUNED:
        raise InvalidParams("label", TUNED, "another one: it is that of what the trials find")
    if tune.seeds.overlaps(seeds):
        raise InvalidParams("seeds", asdict(seeds), "others than the training seeds, so that the test is fair")


def _parse_entries(value: Any) -> list[dict[str, Any]]:
    if not isinstance(value, list) or not 1 <= len(value) <= MAX_ENTRIES:
        raise InvalidParams("entries", value, f"a list of 1 to {MAX_ENTRIES} entries")
    for entry in value:
        if not isinstance(entry, Mapping) or set(entry) != {"label", "stages"}:
            raise InvalidParams("entries", entry, "objects with 'label' and 'stages'")
    labels = [_parse_text("label", entry["label"]) for entry in value]
    for label in labels:
        if labels.count(label) > 1:
            raise InvalidParams("label", label, "of one entry alone")
    return [dict(entry) for entry in value]


def _parse_text(name: str, value: Any, empty: bool = False) -> str:
    """Validate a line of text without control or bidirectional formatting characters."""
    longest = MAX_LENGTHS[name]
    if not isinstance(value, str) or len(value) > longest or not (value.strip() or (empty and not value)):
        raise InvalidParams(name, value, f"a text of at most {longest} characters")
    if not value.isprintable():
        raise InvalidParams(name, value, "a text of one line, of characters that can be shown")
    return value
