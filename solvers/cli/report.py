"""What a run came to, for people and as JSON; and the list of what can be run."""

import math
from dataclasses import asdict
from typing import Any

from data.instance import Instance
from solvers.devices import Device
from solvers.result import NOT_PROVEN
from solvers.solver import Solver, is_exact, plural

_SHOWN = ("name", "kind", "default", "low", "high", "step", "choices", "label", "help")


def sentences(found: dict[str, Any], solver: Solver, instance: Instance) -> str:
    """A run's result in a few lines."""
    if found["gap_percent"] is None:
        gap = "no optimum known"
    else:
        known = "optimum" if instance.proven else "best known"
        gap = f"{found['gap_percent']:.2f} % above the {known}, {found['optimum']:,}"
    if is_exact(solver):
        gap = "proven optimal" if found["proven"] else f"{NOT_PROVEN}; {gap}"
    pace = found["evaluations_per_second"]
    speed = f", {pace:,.0f} a second" if pace else ""
    return (
        f"{found['instance']}, {found['n']:,} cities: length {found['length']:,} ({gap})\n"
        f"{solver.title}, seed {found['seed']}: {found['evaluations']:,} {plural(solver.evaluation_unit)} evaluated in "
        f"{found['seconds']:.3f} s{speed}\n"
        f"{found['device']}; stopped by: {found['stop_reason']}"
    )


def listing(solvers: tuple[Solver, ...], devices: tuple[Device, ...]) -> list[dict[str, Any]]:
    """Every algorithm, where it can run, and its parameters, as a JSON value."""
    return [_entry(solver, devices) for solver in solvers]


def _entry(solver: Solver, devices: tuple[Device, ...]) -> dict[str, Any]:
    kinds = sorted({row.device for row in solver.variants})
    here = [device for device in devices if device.kind in kinds]
    available = any(device.available for device in here)
    return {
        "name": solver.name,
        "title": solver.title,
        "family": solver.family,
        "source": solver.source,
        "devices": kinds,
        "available": available,
        "reason": "" if available else " ".join(device.reason for device in here),
        "lacking": _lacking(solver, devices),
        "params": [{name: getattr(declared, name) for name in _SHOWN} for declared in solver.params.schema()],
        "presets": [asdict(preset) for preset in solver.presets],
    }


def _lacking(solver: Solver, devices: tuple[Device, ...]) -> list[str]:
    """Why some of its variants cannot run here, a sentence each."""
    needs = {need for row in solver.variants for need in (row.device, row.needs) if need}
    ready = {device.kind for device in devices if device.available}
    return list(dict.fromkeys(one.reason for one in devices if one.kind in needs - ready))


#: Columns of a study's table: heading, name of the value, how it is written.
_STUDY_COLUMNS = (
    ("lowest", "length", ",.1f"),
    ("accuracy %", "accuracy_percent", ".3f"),
    ("within 1 %", "within_1_percent", ".2f"),
    ("within 2 %", "within_2_percent", ".2f"),
    ("within 5 %", "within_5_percent", ".2f"),
    ("seconds", "seconds", ".4f"),
    ("scans", "scans", ".1f"),
)


def study_table(found: dict[str, Any], solver: Solver) -> str:
    """A study as text: for each number of climbers the median, least and greatest of every value over the seeds."""
    heading = "".join(f"{text:>13}" for text, _, _ in _STUDY_COLUMNS)
    lines = [f"{_study_title(found)}; {solver.title}", "", f"{'climbers':>10}{'seeds':>7}  {'':6}{heading}"]
    for row in found["rows"]:
        lines += _study_lines(row)
    return "\n".join([*lines, "", *_study_notes(found), *_study_end(found)])


def _study_title(found: dict[str, Any]) -> str:
    known = "no optimum known"
    if found["optimum"]:
        known = f"{'optimum' if found['proven'] else 'best known'} {found['optimum']:,}"
    first, last = found["seeds"][0], found["seeds"][-1]
    seeds = f"seeds {first} to {last}" if last > first else f"seed {first}"
    return f"{found['instance']}, {found['n']:,} cities, {known}; {seeds}"


def _study_lines(row: dict[str, Any]) -> list[str]:
    """The three lines of one number of climbers."""
    lines = []
    for name in ("median", "min", "max"):
        first = f"{row['climbers']:>10,}{row['seeds']:>7}" if name == "median" else " " * 17
        cells = [_study_cell(column, row[column], name, form) for _, column, form in _STUDY_COLUMNS]
        lines.append(f"{first}  {name:6}" + "".join(f"{cell:>13}" for cell in cells))
    return lines


def _study_cell(column: str, spread: dict[str, float] | None, name: str, form: str) -> str:
    if spread is None:
        return "unknown" if column == "accuracy_percent" and name == "median" else ""
    value = spread[name]
    if column == "accuracy_percent":  # cut, not rounded: only the optimum itself is 100 %
        value = math.floor(1000 * value) / 1000
    text = f"{value:{form}}"
    return text.replace(".0", "  ") if column == "length" else text


def _study_notes(found: dict[str, Any]) -> list[str]:
    """What the columns are."""
    accuracy = "accuracy: 100 optimum / lowest; within: share of the climbers, in %, at most so far above the optimum."
    if not found["optimum"]:
        accuracy = "No optimum is known for this instance, so its accuracy is unknown."
    return [
        "median, min and max are those of the seeds.",
        accuracy,
        "seconds: until so many climbers had finished, compilation apart; scans: of all moves, a climber on average.",
    ]


def _study_end(found: dict[str, Any]) -> list[str]:
    """What ran, and how far it came."""
    runs = found["runs"]
    told = sorted({f"{each['variant']} on {each['device']}" for each in runs})
    if found["stopped"]:
        cut = [each for each in runs if each["stop_reason"] != "completed"]
        told.append(f"stopped after {len(runs) - len(cut)} of {len(found['seeds'])} seeds")
        told += [f"seed {each['seed']} got to {each['finished']:,} climbers" for each in cut]
    return ["; ".join(told)]
