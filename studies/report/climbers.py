"""Climbers against accuracy: the best length of k random restarts for several k and seeds."""

import math
from collections.abc import Iterable, Iterator
from statistics import median
from typing import Any

from solvers import find
from studies.file.checks import as_invalid_study, reduce_to_line
from studies.file.reader import InstanceRow, StudyReader
from studies.pool.run_log import WITHIN
from studies.spec.climbers import ALGORITHM, list_climber_counts
from studies.spec.matrix import list_cells, make_run_spec

#: Columns of the table: heading, name of the value, format.
_COLUMNS = (
    ("lowest", "length", ",.1f"),
    ("accuracy %", "accuracy_percent", ".3f"),
    *((f"within {percent} %", f"within_{percent}_percent", ".2f") for percent in WITHIN),
    ("seconds", "seconds", ".4f"),
    ("scans", "scans", ".1f"),
)
_RUN = ("device", "threads", "seconds", "compile_seconds", "stop_reason", "versions")


def convert_climbers(reader: StudyReader) -> dict[str, Any]:
    """Convert a study of `studies.spec.climbers.make_climbers_spec` to JSON, with the runs finished so far.

    Each of its ``values`` describes a run: its ``climbers`` (k), the lowest ``length``, ``accuracy_percent`` (100
    optimum / length) and ``within_1_percent`` etc. (share of the climbers that end at most this far above the optimum),
    None without a known optimum, ``seconds`` on the run's clock, and ``scans``, the mean number of scans per climber:
    the paper's while-iterations.
    """
    spec, instance, counts = reader.spec, reader.instances[0], list_climber_counts(reader.spec)
    all_cells = list_cells(spec)
    results_by_seed: dict[int, list[dict[str, Any]]] = {seed: [] for seed in spec.seeds}
    with as_invalid_study(reader.path.name):
        for number, result in reader.results():
            results_by_seed[all_cells[number].seed].append(result)
        runs = [_run_json(seed, results, instance) for seed, results in results_by_seed.items() if results]
    return {
        "instance": instance.name,
        "n": instance.n,
        "optimum": instance.optimum,
        "proven": instance.proven,
        "instance_sha256": instance.sha256,
        "algorithm": ALGORITHM,
        "climbers": list(counts),
        "seeds": list(spec.seeds),
        "stopped": reader.counts()["waiting"] > 0,
        "rows": [row for k in counts if (row := _convert_row(k, runs))],
        "runs": runs,
        "spec": make_run_spec(spec, all_cells[len(counts) - 1]).to_json(),
    }


def _run_json(seed: int, results: list[dict[str, Any]], instance: InstanceRow) -> dict[str, Any]:
    """Return one seed's runs, with the machine and the end of the longest."""
    longest = results[-1]
    machine = {name: longest[name] for name in _RUN}
    values = [_convert_value(result, instance) for result in results]
    return {
        "seed": seed,
        "variant": reduce_to_line(longest["climbs"]["variant"]),
        **machine,
        "finished": longest["iterations"],
        "values": values,
    }


def _convert_value(result: dict[str, Any], instance: InstanceRow) -> dict[str, Any]:
    k, optimum, moves_a_scan = result["iterations"], instance.optimum, (instance.n - 1) * (instance.n - 2) // 2
    within = zip(WITHIN, result["climbs"]["within"], strict=True)
    return {
        "climbers": k,
        "length": result["length"],
        "accuracy_percent": 100.0 * optimum / result["length"] if optimum and result["length"] else None,
        **{f"within_{percent}_percent": 100.0 * count / k if optimum else None for percent, count in within},
        "seconds": result["seconds"],
        # from evaluations, since a variant may make several moves per scan; one or two cities have no moves
        "scans": result["evaluations"] / moves_a_scan / k if moves_a_scan else 1.0,
    }


def _convert_row(k: int, runs: Iterable[dict[str, Any]]) -> dict[str, Any] | None:
    """Return median, minimum and maximum of each value over the seeds that reached k."""
    values = [value for run in runs for value in run["values"] if value["climbers"] == k]
    if not values:
        return None
    spread = {
        name: _compute_median_range([value[name] for value in values]) for name in values[0] if name != "climbers"
    }
    return {"climbers": k, "seeds": len(values), **spread}


def _compute_median_range(values: list[Any]) -> dict[str, float] | None:
    if None in values:
        return None
    return {"median": median(values), "min": min(values), "max": max(values)}


def format_climbers(reader: StudyReader) -> str:
    """Format `convert_climbers` as text: median, minimum and maximum over seeds, by number of climbers."""
    report = convert_climbers(reader)
    heading = "".join(f"{text:>13}" for text, _, _ in _COLUMNS)
    lines = [f"{_make_title(report)}; {find(ALGORITHM).title}", "", f"{'climbers':>10}{'seeds':>7}  {'':6}{heading}"]
    for row in report["rows"]:
        lines += _format_lines(row)
    failures = [f"{count:,} run{'s' * (count > 1)} failed: {reason}" for reason, count in reader.failures()]
    return "\n".join([*lines, "", *_explain_columns(report), *_describe_end(report), *failures])


def _make_title(report: dict[str, Any]) -> str:
    optimum = "no optimum known"
    if report["optimum"]:
        optimum = f"{'optimum' if report['proven'] else 'best known'} {report['optimum']:,}"
    first, last = report["seeds"][0], report["seeds"][-1]
    seeds = f"seeds {first} to {last}" if last > first else f"seed {first}"
    return f"{report['instance']}, {report['n']:,} cities, {optimum}; {seeds}"


def _format_lines(row: dict[str, Any]) -> Iterator[str]:
    """Yield the three lines for a number of climbers."""
    for name in ("median", "min", "max"):
        first = f"{row['climbers']:>10,}{row['seeds']:>7}" if name == "median" else " " * 17
        cells = [_format_cell(column, row[column], name, form) for _, column, form in _COLUMNS]
        yield f"{first}  {name:6}" + "".join(f"{cell:>13}" for cell in cells)


def _format_cell(column: str, spread: dict[str, float] | None, name: str, form: str) -> str:
    if spread is None:
        return "unknown" if column == "accuracy_percent" and name == "median" else ""
    value = spread[name]
    if column == "accuracy_percent":  # truncated, since only the optimum itself is 100 %
        value = math.floor(1000 * value) / 1000
    text = f"{value:{form}}"
    return text.replace(".0", "  ") if column == "length" else text


def _explain_columns(report: dict[str, Any]) -> list[str]:
    """Explain the columns."""
    accuracy = "accuracy: 100 optimum / lowest; within: share of the climbers, in %, at most so far above the optimum."
    if not report["optimum"]:
        accuracy = "No optimum is known for this instance, so its accuracy is unknown."
    return [
        "median, min and max are those of the seeds.",
        accuracy,
        "seconds: of a run of so many climbers, without compilation; scans: mean number of scans per climber.",
    ]


def _describe_end(report: dict[str, Any]) -> list[str]:
    """Return the runs' variants and devices, and where the study was stopped."""
    runs, maximum = report["runs"], report["climbers"][-1]
    lines = sorted({f"{run['variant']} on {run['device']}" for run in runs})
    if report["stopped"]:
        incomplete = [run for run in runs if run["finished"] < maximum]
        lines.append(f"stopped after {len(runs) - len(incomplete)} of {len(report['seeds'])} seeds")
        lines += [f"seed {run['seed']} got to {run['finished']:,} climbers" for run in incomplete]
    return ["; ".join(lines)]
