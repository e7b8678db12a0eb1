"""The description of a run as small JSON, for form, permalink, command line and run file."""

import json
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self
from urllib.parse import parse_qsl, urlencode

from data import plain_json
from data.suggest import describe_unknown
from solvers import SOLVERS
from solvers.core.errors import InvalidParams
from solvers.core.params import RESERVED as RESERVED
from solvers.core.params import VERSION as VERSION
from solvers.core.stop import Budget

DEVICES = ("auto", "cpu", "cuda")
_MAX_THREADS = 1024
_LIMITS = {"seconds": 86_400.0, "iterations": 1e15, "evaluations": 1e18, "without_improvement": 1e15, "target": 1e15}


@dataclass(frozen=True, slots=True)
class Stage:
    """An algorithm and its parameters: either only those that differ from the defaults, or all of them.

    Parameters may have the names of an older release; `RunSpec.from_json` translates them to current names.
    """

    algorithm: str
    params: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RunSpec:
    """The description of a run.

    Attributes
    ----------
    instance : dict
        ``{"name"}``, ``{"generate", "n", "seed"}``, ``{"places", "n"}``, ``{"sha256"}``, ``{"cities"}`` or
        ``{"drawn", "cities"}``; see `data.collection.resolve.resolve`.
    stages : tuple of Stage
        The stages, which are executed one after another, each from the best tour of the stage before.
    seed : int
        0 <= seed < 2**53, so that JavaScript represents the seed exactly.
    budget : Budget
    device : str
        ``auto``, ``cpu`` or ``cuda``.
    threads : int
        The maximum number of CPU threads; 0 for one per core.
    """

    instance: dict[str, Any]
    stages: tuple[Stage, ...]
    seed: int = 1
    budget: Budget = field(default_factory=Budget)
    device: str = "auto"
    threads: int = 0

    @classmethod
    def from_json(cls, value: Any) -> Self:
        """Check a decoded JSON value and return the spec.

        Raises
        ------
        InvalidParams
            If a field is missing, unknown or malformed, or the version is not supported. Algorithm names and
            parameters are checked by `solvers.run.prepare`.
        """
        version = check_object("spec", value, ("v", "instance", "stages", "seed", "budget", "device", "threads"))
        instance, stages = value.get("instance"), value.get("stages")
        if not isinstance(instance, Mapping):
            raise InvalidParams("instance", instance, "an object such as {'name': 'berlin52'}")
        if not isinstance(stages, list) or not 1 <= len(stages) <= 8:
            raise InvalidParams("stages", stages, "a list of 1 to 8 algorithms")
        return cls(
            instance=dict(instance),
            stages=tuple(_stage(stage, version) for stage in stages),
            seed=_seed(value.get("seed", 1)),
            budget=_parse_budget(value.get("budget", {})),
            device=_parse_device(value.get("device", "auto")),
            threads=_parse_threads(value.get("threads", 0)),
        )

    def to_json(self) -> dict[str, Any]:
        """Return the spec as JSON, the inverse of `from_json`."""
        return {
            "v": VERSION,
            "instance": self.instance,
            "stages": [{"algorithm": stage.algorithm, "params": dict(stage.params)} for stage in self.stages],
            "seed": self.seed,
            "budget": {name: limit for name, limit in asdict(self.budget).items() if limit is not None},
            "device": self.device,
            **({"threads": self.threads} if self.threads else {}),
        }

    def to_query(self) -> str:
        """Return the spec as a permalink's query; empty if the spec contains a tour, which is too long for a URL."""
        if any(isinstance(value, list | tuple) for stage in self.stages for value in stage.params.values()):
            return ""
        spec = self.to_json()
        instance = (
            spec["instance"].get("name") if set(spec["instance"]) == {"name"} else _encode_compact(spec["instance"])
        )
        query = {"v": str(VERSION), "instance": instance}
        if len(self.stages) == 1:
            query["algorithm"] = self.stages[0].algorithm
            query |= {name: _format_value(value) for name, value in self.stages[0].params.items()}
        else:
            query["stages"] = _encode_compact(spec["stages"])
        query |= {"seed": str(self.seed), "device": self.device}
        query |= {"device.threads": str(self.threads)} if self.threads else {}
        query |= {f"budget.{name}": _format_value(limit) for name, limit in spec["budget"].items()}
        return urlencode(query)

    @classmethod
    def from_query(cls, query: str) -> Self:
        """Return the spec that a permalink's query describes, with or without the question mark.

        Raises
        ------
        InvalidParams
            See `from_json`.
        """
        fields = dict(parse_qsl(query.lstrip("?"), max_num_fields=64))
        instance = fields.get("instance", "")
        params = {name: parse_value(text) for name, text in fields.items() if name not in RESERVED and "." not in name}
        stages = [{"algorithm": fields.get("algorithm", ""), "params": params}]
        return cls.from_json(
            {
                "v": parse_value(fields.get("v", "1")),  # links of the first version may lack it
                "instance": parse_value(instance) if instance.startswith("{") else {"name": instance},
                "stages": parse_value(fields["stages"]) if "stages" in fields else stages,
                "seed": parse_value(fields.get("seed", "1")),
                "budget": {
                    k.removeprefix("budget."): parse_value(v) for k, v in fields.items() if k.startswith("budget.")
                },
                "device": fields.get("device", "auto"),
                "threads": parse_value(fields.get("device.threads", "0")),
            }
        )


def check_object(what: str, value: Any, fields: Collection[str]) -> int:
    """Check that a value is an object with known fields, and of a version up to `VERSION`; return the version.

    Raises
    ------
    InvalidParams
    """
    if not isinstance(value, Mapping):
        raise InvalidParams(what, value, "a JSON object")
    version = value.get("v")
    # check the version before unknown fields, since a newer release may have more fields
    if type(version) is int and version > VERSION:
        newer = f"This {what} has version {version}, of a newer release: this one reads versions up to {VERSION}."
        raise InvalidParams("v", version, f"at most {VERSION}", newer)
    if strange := sorted(map(str, set(value) - set(fields))):
        allowed = f"left out: a {what} has no such field"
        raise InvalidParams(strange[0], value.get(strange[0]), allowed, describe_unknown("field", strange[0], fields))
    if type(version) is not int or version < 1:
        raise InvalidParams("v", version, f"a whole number from 1 to {VERSION}, the versions that this release reads")
    return version


def _stage(value: Any, version: int) -> Stage:
    if not isinstance(value, Mapping) or set(value) - {"algorithm", "params"}:
        raise InvalidParams("stages", value, "objects with 'algorithm' and 'params'")
    algorithm, params = value.get("algorithm"), value.get("params", {})
    if not isinstance(algorithm, str) or not isinstance(params, Mapping):
        raise InvalidParams("algorithm", algorithm, "the name of an algorithm, with an object of parameters")
    solver = next((solver for solver in SOLVERS if solver.name == algorithm), None)
    return Stage(algorithm, dict(params) if solver is None else solver.params.renamed(params, version))


def _seed(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**53:
        raise InvalidParams("seed", value, "a whole number from 0 to 9,007,199,254,740,991")
    return value


def _parse_budget(value: Any) -> Budget:
    if not isinstance(value, Mapping):
        raise InvalidParams("budget", value, "an object such as {'seconds': 10}")
    for name, limit in value.items():
        if name not in _LIMITS:
            raise InvalidParams(
                "budget", name, "one of " + ", ".join(_LIMITS), describe_unknown("limit", name, _LIMITS)
            )
        # a number within the limits is finite
        number = isinstance(limit, int | float) and not isinstance(limit, bool) and 0 < limit <= _LIMITS[name]
        if not number or (name != "seconds" and limit != int(limit)):
            raise InvalidParams(name, limit, f"more than 0 and at most {_LIMITS[name]:,g}")
    limits: dict[str, Any] = {name: float(v) if name == "seconds" else int(v) for name, v in value.items()}
    return Budget(**limits)


def _parse_device(value: Any) -> str:
    if value not in DEVICES:
        raise InvalidParams("device", value, "one of " + ", ".join(DEVICES), describe_unknown("device", value, DEVICES))
    return value


def _parse_threads(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _MAX_THREADS:
        raise InvalidParams("threads", value, f"a whole number from 1 to {_MAX_THREADS:,}, or 0 for all cores")
    return value


def _encode_compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _format_value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def parse_value(text: str) -> Any:
    """Parse a parameter's value that a user has typed: as JSON if possible, otherwise as text."""
    try:
        return plain_json.loads(text)
    except ValueError:
        return text
