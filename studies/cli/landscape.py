"""``python -m solvers landscape INSTANCE``: shows how local optima of 2-opt surround the best tour."""

import csv
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from commands.arguments import USAGE_ERRORS, Parser, UsageError, load_instance
from commands.report import print_warnings
from data.command_line import name_command
from data.errors import InvalidInstance
from data.generators import SPELLINGS
from data.instance import Instance
from solvers.core.events import Finished
from solvers.run import prepare, run
from solvers.spec import VERSION, RunSpec
from studies.cli.flags import parse_integer
from studies.stats.landscape import (
    Autocorrelation,
    Distances,
    compute_autocorrelation,
    count_steps,
    has_walk,
    measure_distances,
    random_walk,
)

_MAX_OPTIMA, _MAX_STEPS, _MAX_SEED = 100_000, 10_000_000, 2**31


def main(arguments: Sequence[str]) -> int:
    """Execute the command line after ``landscape``; return the exit status."""
    try:
        options = _build_parser().parse_args(list(arguments))
        instance, reference = load_instance(options.instance)
        print_warnings(instance)
        if instance.directed:
            raise UsageError(f"{instance.name} is directed: a landscape needs the same distance in both directions.")
        count = parse_integer(options.optima, "optima", _MAX_OPTIMA)
        seed = parse_integer(options.seed, "seed", _MAX_SEED)
        steps = count_steps(instance.n) if options.steps is None else parse_integer(options.steps, "steps", _MAX_STEPS)
        targets = [Path(path) for path in (options.csv, options.walk_csv) if path is not None]
        if existing := [path for path in targets if path.exists()]:
            raise UsageError(f"{existing[0]!s:.200} exists already.")
        result = measure_distances(instance, list(_find_optima(instance, reference, count, seed)))
        walk = compute_autocorrelation(random_walk(instance, steps, seed), instance.n) if has_walk(instance) else None
        if options.csv is not None:
            _write(Path(options.csv), _list_optima_rows(result, seed))
        if options.walk_csv is not None:
            if walk is None:
                raise UsageError(f"{instance.name} has no random walk: it has too few cities.")
            _write(Path(options.walk_csv), _walk_rows(walk))
    except (*USAGE_ERRORS, InvalidInstance) as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        print(f"The file could not be written: {error.strerror}.", file=sys.stderr)
        return 1
    print(json.dumps(_to_json(instance, result, walk), indent=2) if options.json else _describe(instance, result, walk))
    return 0


def _build_parser() -> Parser:
    parser = Parser(
        prog=f"{name_command('solvers')} landscape", allow_abbrev=False,
        description="How far local optima of 2-opt are from the best tour, and how fast random walks forget lengths.",
    )  # fmt: skip
    add = parser.add_argument
    add("instance", metavar="INSTANCE", help=f"a name, a .tsp file, {', '.join(SPELLINGS)}")
    add("--optima", metavar="K", default="100", help="climbs of 2-opt, each from a random tour (default 100)")
    add("--steps", metavar="S", help="steps of the random walk (default 200 a city, 20,000 to 400,000)")
    add("--seed", metavar="S", default="1", help="seed of the first climb and of the walk (default 1)")
    add("--csv", metavar="FILE", help="write length and distance of each local optimum")
    add("--walk-csv", metavar="FILE", help="write the autocorrelation of the walk")
    add("--json", action="store_true", help="print JSON")
    return parser


def _find_optima(instance: Instance, reference: dict[str, Any], count: int, seed: int) -> Iterator[np.ndarray]:
    """Yield local optima of 2-opt, from a climb per seed."""
    stage = {"algorithm": "two-opt", "params": {"climbers": 1}}
    for run_seed in range(seed, seed + count):
        spec = RunSpec.from_json(
            {"v": VERSION, "instance": reference, "stages": [stage], "seed": run_seed, "budget": {}, "device": "cpu"}
        )
        *_, end = run(prepare(spec), instance, pictures=False)
        assert isinstance(end, Finished)
        yield end.order


def _list_optima_rows(result: Distances, seed: int) -> Iterator[Sequence[Any]]:
    yield "seed", "length", "edges_not_shared"
    for k, (length, distance) in enumerate(zip(result.length.tolist(), result.distance.tolist(), strict=True)):
        yield seed + k, length, distance


def _walk_rows(walk: Autocorrelation) -> Iterator[Sequence[Any]]:
    yield "lag", "autocorrelation", "expected"
    yield from zip(walk.lag.tolist(), walk.measured.tolist(), walk.expected.tolist(), strict=True)


def _write(path: Path, rows: Iterator[Sequence[Any]]) -> None:
    with path.open("x", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)


def _to_json(instance: Instance, result: Distances, walk: Autocorrelation | None) -> dict[str, Any]:
    return {
        "instance": instance.name,
        "n": instance.n,
        "local_optima": len(result.length),
        "reference_length": result.reference,
        "reference": _name_reference(instance, result),
        "edges_not_shared": {
            "least": int(result.distance.min()),
            "median": float(np.median(result.distance)),
            "most": int(result.distance.max()),
        },
        "correlation": _finite_or_none(result.correlation),
        "walk_steps": walk.steps if walk else None,
        "correlation_length": _finite_or_none(walk.length) if walk else None,
        "instance_sha256": instance.sha256,
    }


def _finite_or_none(value: float) -> float | None:
    return value if np.isfinite(value) else None


def _name_reference(instance: Instance, result: Distances) -> str:
    if not result.known:
        return "shortest of these"
    return "optimal tour" if instance.proven else "best known tour"


def _describe(instance: Instance, result: Distances, walk: Autocorrelation | None) -> str:
    row = _to_json(instance, result, walk)
    far = row["edges_not_shared"]
    correlation = row["correlation"]
    lines = [
        f"{instance.name}, {instance.n:,} cities: {row['local_optima']:,} local optima of 2-opt have {far['least']:,} "
        f"to {far['most']:,} edges, median {far['median']:,.0f}, that the {row['reference']} has not "
        f"(its length: {result.reference:,})",
        "correlation of length and distance: "
        + ("not defined, as all have one length or one distance" if correlation is None else f"{correlation:.2f}"),
    ]
    if walk is None:
        lines.append("no random walk: it has too few cities.")
    else:
        length = row["correlation_length"]
        lines.append(
            f"random walk of {walk.steps:,} moves: correlation length "
            + ("not defined" if length is None else f"{length:,.0f} moves")
        )
    return "\n".join(lines)
