"""The tuning part of a study's spec: the varied parameters, and the runs that judge each trial."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from solvers.core.errors import InvalidParams
from studies.spec.fields import Seeds, parse_instances, parse_seeds, parse_whole_number
from studies.spec.ranges import Range

#: Limits on a tuning study: trials, trials per batch, parameters.
MAX_TRIALS = 1000
MAX_BATCH = 64
MAX_VARIED = 40
#: Pruners, which end trials early; see `studies.tuning.advisor`.
PRUNERS = ("wilcoxon", "median", "none")
#: Label of the tuned entry.
TUNED = "tuned"
#: Default number of seeds of a trial.
TRAINING_SEEDS = Seeds(1, 3)
_FIELDS = frozenset({"vary", "trials", "batch", "seed", "pruner", "instances", "seeds"})


@dataclass(frozen=True, slots=True)
class Tune:
    """Settings of a tuning study: how it proposes and judges trials.

    Attributes
    ----------
    vary : tuple of Range
        The varied parameters of the entry's last algorithm, with their ranges.
    instances : tuple of dict
        References to the training instances.
    seeds : Seeds
        Training seeds, distinct from the seeds of the study's own runs.
    trials : int
        Total number of trials; the first has the original parameters.
    batch : int
        Number of trials proposed together, from the results of all earlier batches.
    seed : int
        Seed of the sampler: the same seed and results give the same proposals.
    pruner : str
        One of `PRUNERS`.
    """

    vary: tuple[Range, ...]
    instances: tuple[dict[str, Any], ...]
    seeds: Seeds = field(default_factory=lambda: TRAINING_SEEDS)
    trials: int = 50
    batch: int = 4
    seed: int = 1
    pruner: str = "wilcoxon"

    @property
    def steps(self) -> int:
        """Number of runs in a trial that is not pruned."""
        return len(self.instances) * self.seeds.count

    @property
    def batches(self) -> int:
        """Number of batches."""
        return -(-self.trials // self.batch)

    def step(self, number: int) -> tuple[int, int]:
        """Return a trial run's instance, counted from 0, and seed.

        All instances with the first seed come first.
        """
        seed, instance = divmod(number, len(self.instances))
        return instance, self.seeds.first + seed

    @classmethod
    def from_json(cls, value: Any, instances: tuple[dict[str, Any], ...]) -> Self:
        """Validate a decoded JSON value; training instances default to `instances`.

        Raises
        ------
        InvalidParams, InvalidInstance
        """
        if not isinstance(value, Mapping) or (unknown := sorted(set(value) - _FIELDS)):
            raise InvalidParams("tune", value, f"an object without {unknown[0]!r}" if value else "an object")
        vary = value.get("vary")
        if not isinstance(vary, Mapping) or not 1 <= len(vary) <= MAX_VARIED:
            raise InvalidParams("vary", vary, f"1 to {MAX_VARIED} parameters with their ranges")
        pruner = value.get("pruner", "wilcoxon")
        if pruner not in PRUNERS:
            raise InvalidParams("pruner", pruner, f"one of {', '.join(PRUNERS)}")
        return cls(
            vary=tuple(Range.from_json(name, range_) for name, range_ in vary.items()),
            instances=parse_instances("instances", value["instances"]) if "instances" in value else instances,
            seeds=parse_seeds("seeds", value.get("seeds", {}), TRAINING_SEEDS),
            trials=parse_whole_number("trials", value.get("trials", 50), 2, MAX_TRIALS),
            batch=parse_whole_number("batch", value.get("batch", 4), 1, MAX_BATCH),
            seed=parse_whole_number("seed", value.get("seed", 1), 0, 2**31),
            pruner=pruner,
        )

    def to_json(self) -> dict[str, Any]:
        """Return the settings as JSON, the inverse of `from_json`."""
        return {
            "vary": {range_.name: range_.to_json() for range_ in self.vary},
            "trials": self.trials,
            "batch": self.batch,
            "seed": self.seed,
            "pruner": self.pruner,
            "instances": [dict(reference) for reference in self.instances],
            "seeds": asdict(self.seeds),
        }
