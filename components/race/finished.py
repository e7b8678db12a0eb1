"""Comparison of finished runs on the race page: addresses that list runs, and differing conditions."""

from typing import cast

from components.instances.references import menu_value
from components.race import lanes
from components.shell.texts import race as text
from components.types import ItemJson, JsonObject
from runs.races.comparison import Comparison, NotComparable, prepare_comparison
from runs.service import RunService

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
