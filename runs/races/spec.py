"""RaceSpec: a race's lanes as small JSON, for the form, the permalink and the race file."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import parse_qsl, urlencode

from data import plain_json
from solvers import SOLVERS
from solvers.core.errors import InvalidParams
from solvers.core.stop import Budget
from solvers.run import prepare
from solvers.spec import VERSION, RunSpec, Stage, check_object

#: Minimum and maximum number of lanes of a race.
MIN_LANES, MAX_LANES = 2, 4
#: Maximum length of a race in a URL.
_MAX_TEXT = 16_000
_FIELDS = ("v", "instance", "lanes", "seed", "budget")


@dataclass(frozen=True, slots=True)
class Lane:
    """A lane: algorithms in sequence, each starting from the previous one's best tour, and a device."""

    stages: tuple[Stage, ...]
    device: str = "auto"


@dataclass(frozen=True, slots=True)
class RaceSpec:
    """Two to four lanes on one instance, with one seed and one budget.

    Attributes
    ----------
    instance : dict
        As in a `RunSpec`.
    lanes : tuple of Lane
    seed : int
        Seed of all lanes; lanes with the same algorithm start from the same tours.
    budget : Budget
        Each lane's budget, on its own clock.
    """

    instance: dict[str, Any]
    lanes: tuple[Lane, ...]
    seed: int = 1
    budget: Budget = field(default_factory=Budget)

    @classmethod
    def from_json(cls, value: Any, stored: bool = False) -> Self:
        """Validate a decoded JSON value and return the spec.

        Parameters
        ----------
        value : object
        stored : bool, optional
            Whether the value was stored on this server; users' solvers in it may have changed or be gone by now.

        Raises
        ------
        InvalidParams
            If a field is missing, unknown or malformed, an algorithm or a parameter does not exist or is out of range,
            or the version is not supported.
        DeviceUnavailable
            If an algorithm has no variant for its lane's device.
        """
        check_object("race", value, _FIELDS)
        lanes = value.get("lanes")
        if not isinstance(lanes, list) or not MIN_LANES <= len(lanes) <= MAX_LANES:
            raise InvalidParams("lanes", lanes, f"a list of {MIN_LANES} to {MAX_LANES} lanes")
        runs = [_run(value, lane, stored) for lane in lanes]
        all_lanes = tuple(Lane(run.stages, run.device) for run in runs)
        return cls(runs[0].instance, all_lanes, runs[0].seed, runs[0].budget)

    def runs(self) -> tuple[RunSpec, ...]:
        """Return the spec of each lane's run."""
        return tuple(RunSpec(self.instance, lane.stages, self.seed, self.budget, lane.device) for lane in self.lanes)

    def to_json(self) -> dict[str, Any]:
        """Return the race as JSON, the inverse of `from_json`."""
        runs = [run.to_json() for run in self.runs()]
        lanes = [{"stages": run["stages"], "device": run["device"]} for run in runs]
        return {"v": VERSION, "instance": self.instance, "lanes": lanes, "seed": self.seed, "budget": runs[0]["budget"]}

    def to_query(self) -> str:
        """Return the race as a permalink query; empty if too long for a URL."""
        text = json.dumps(self.to_json(), separators=(",", ":"))
        return urlencode({"race": text}) if len(text) <= _MAX_TEXT else ""

    @classmethod
    def from_query(cls, query: str) -> Self:
        """Return the race in a permalink query, with or without the question mark.

        Raises
        ------
        InvalidParams, DeviceUnavailable
            As `from_json`.
        """
        text = dict(parse_qsl(query.lstrip("?"), max_num_fields=8)).get("race", "")
        try:
            value = plain_json.loads(text[:_MAX_TEXT])
        except ValueError:
            raise InvalidParams("race", text, "a race as JSON") from None
        return cls.from_json(value)


def _run(race: Mapping[str, Any], lane: Any, stored: bool) -> RunSpec:
    """Validate a lane and return the spec of its run."""
    if not isinstance(lane, Mapping) or set(lane) - {"stages", "device"}:
        raise InvalidParams("lanes", lane, "objects with 'stages' and 'device'")
    shared = {name: race[name] for name in ("v", "instance", "seed", "budget") if name in race}
    run = RunSpec.from_json({**shared, **lane})
    if stored:
        SOLVERS.tolerate(stage.algorithm for stage in run.stages)
    else:
        prepare(run)
    return run
