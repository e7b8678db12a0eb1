"""The race page's address bar: fills the setup, and opens the race in the query."""

from typing import cast
from urllib.parse import parse_qsl

from dash import Output

from components.algorithm.setup import DEFAULT_SEED, OUTPUTS, fill_instance, fill_limits
from components.instances.references import menu_value
from components.race import ids as race_ids_module
from components.race import lanes
from components.race.lanes import DEFAULT, lane
from components.race.setup import DEFAULT_INSTANCE, DEFAULT_SECONDS, race_to_store
from components.shell.address import AddressBar, Filled, parse_sequences, parse_short_link
from components.shell.facts import localise
from components.shell.texts import race as text
from components.types import ItemJson, Json, JsonObject
from runs.races.comparison import Comparison, NotComparable, prepare_comparison
from runs.races.errors import NoSuchRace
from runs.races.service import RaceService
from runs.races.spec import RaceSpec
from runs.service import RunService
from solvers.spec import VERSION, parse_value

#: Query key of the ids, which are separated by commas.
FIELD = "runs"


def parse_run_ids(query: dict[str, str]) -> list[str] | None:
    """Return the ids of the runs in an address's query; None if it lists none."""
    return None if FIELD not in query else [run for run in query[FIELD].split(",") if run]


def make_comparison_name(runs: list[str] | tuple[str, ...]) -> str:
    """Return a comparison's name, used as a race's id: the runs' ids, as in the address."""
    return ",".join(runs)


def read_comparison(run_service: RunService, runs: list[str]) -> Comparison:
    """Read runs to show side by side.

    Raises
    ------
    NotComparable
    """
    comparison = prepare_comparison(run_service, runs)
    if not lanes.is_valid(list(comparison.lanes)):
        raise NotComparable(text("compared.unknown-algorithm"))
    return comparison


def comparison_to_store(comparison: Comparison) -> JsonObject:
    """Return the runs as in the page's race store; ``compared`` is the sentence about unequal conditions."""
    return {
        "race": make_comparison_name(comparison.runs),
        "runs": list(comparison.runs),
        "lanes": lanes.describe_lanes(cast(list[ItemJson], comparison.lanes)),
        "state": "over",
        "alone": True,
        "instance": menu_value(comparison.reference),
        "seconds": comparison.seconds,
        "compared": describe_differences(comparison.unequal),
    }


def describe_differences(unequal: tuple[str, ...]) -> str:
    """Describe the conditions in which the runs differ."""
    *most, last = [text(f"compared.condition.{name}") for name in unequal] or [""]
    names = text("compared.and", conditions=", ".join(most), last=last) if most else last
    result = text("compared.unequal", conditions=names) if unequal else text("compared.equal")
    return f"{result} {text('compared.load')}"


def find_race_name(query: dict[str, str]) -> str | None:
    """Return the race's id, or a comparison's name if the address lists runs."""
    runs = parse_run_ids(query)
    return query.get("id") or None if runs is None else make_comparison_name(runs)


def open_race(races: RaceService, query: dict[str, str], options: Json) -> Filled | None:
    """Open an address's race or runs with the setup; None if this server lacks the race."""
    runs = parse_run_ids(query)
    try:
        if runs is not None:
            return open_comparison(read_comparison(races.run_service, runs), options)
        race = races.find(query["id"])
    except NotComparable as refusal:
        return {"note": localise(str(refusal))}
    except NoSuchRace:
        return None
    return fill(races, race.spec, options) | {
        "race": race_to_store(race, races.state(race.id), races.may_change(race.id))
    }


def open_comparison(comparison: Comparison, options: Json) -> Filled:
    """Open finished runs, with the setup of a race with the same lanes."""
    chosen = fill_instance(comparison.reference, comparison.instance, options)
    limits = fill_limits(comparison.seed, comparison.budget or max(1.0, round(comparison.seconds, 3)))
    return chosen | limits | {"lanes": list(comparison.lanes), "race": comparison_to_store(comparison)}


def fill_setup(races: RaceService, search: str, options: Json) -> Filled:
    """Fill the setup from an address.

    Raises
    ------
    InvalidParams, InvalidInstance, DeviceUnavailable
    """
    return fill(races, parse_spec(search), options)


def parse_spec(search: str) -> RaceSpec:
    """Return the race in a link: in full as JSON, or short such as ``?instance=kroA200&algorithms=two-opt,greedy``.

    Short links get the setup's defaults for missing values.

    Raises
    ------
    InvalidParams, DeviceUnavailable
    """
    if "race" in dict(parse_qsl(search.lstrip("?"), max_num_fields=64)):
        return RaceSpec.from_query(search)
    fields = parse_short_link(search, ("instance", "algorithms", "seconds", "seed"))
    lanes = [lane(*names) for names in parse_sequences(fields["algorithms"])] if "algorithms" in fields else DEFAULT
    return RaceSpec.from_json(
        {
            "v": VERSION,
            "instance": {"name": fields.get("instance", DEFAULT_INSTANCE)},
            "lanes": lanes,
            "seed": parse_value(fields.get("seed", str(DEFAULT_SEED))),
            "budget": {"seconds": parse_value(fields.get("seconds", str(DEFAULT_SECONDS)))},
        }
    )


def fill(races: RaceService, spec: RaceSpec, options: Json) -> Filled:
    """Return the setup's values for a race.

    Raises
    ------
    InvalidInstance
        If there is no such instance.
    """
    chosen = fill_instance(spec.instance, races.run_service.instance(spec.instance), options)
    return chosen | fill_limits(spec.seed, spec.budget.seconds) | {"lanes": spec.to_json()["lanes"]}


_OUTPUTS = OUTPUTS | {
    "lanes": Output(race_ids_module.LANES, "data"),
    "race": Output(race_ids_module.RACE, "data", allow_duplicate=True),
}
BAR = AddressBar("race", race_ids_module.RACE, _OUTPUTS, find_race_name, open_race, fill_setup)
