"""The command line: ``python -m solvers list``, ``run INSTANCE ALGORITHM`` and ``bound INSTANCE``."""

import json
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import Protocol

from commands.arguments import OUTPUTS, USAGE_ERRORS, Command, make_option, parse_command, requests_mpi
from commands.bound import bound
from commands.interrupt import on_ctrl_c
from commands.mpi import run_with_mpi
from commands.progress_bar import Bar
from commands.report import describe_instance, format_run_result, list_algorithms, list_route, print_warnings
from commands.video import write_video
from data.command_line import exit_on_broken_pipe
from data.instance import Instance
from data.tsplib.exchange import format_route
from data.tsplib.instances import format_tour
from exports.drawing.image_files import Album
from exports.drawing.paper_files import PAPER_FILES
from exports.drawing.plotter import tour_plotter
from exports.itinerary.files import ROUTE_FILES, route_file
from solvers.core.devices import probe
from solvers.core.errors import DeviceUnavailable, RunFailed
from solvers.core.events import Event, Finished, shows_proof
from solvers.core.params import Params
from solvers.core.solver import Solver
from solvers.plan import Plan
from solvers.result import build_result
from solvers.run import execute
from solvers.spec import RunSpec


class Recording(Protocol):
    """Records a run's events for its HTML page."""

    def take(self, event: Event) -> None:
        """Record an event."""

    def page(self) -> bytes:
        """Return the page, after the last event."""


#: Type of a function that starts recording a run.
Record = Callable[[RunSpec, Instance], AbstractContextManager[Recording]]


@exit_on_broken_pipe
def main(arguments: Sequence[str] | None = None, record: Record | None = None) -> int:
    """Execute a command line.

    Parameters
    ----------
    arguments : sequence of str, optional
        The arguments of the command line, by default those of this process.
    record : callable, optional
        Records a run for ``--html``; supplied by the program, since pages are not part of this package.

    Returns
    -------
    int
        Exit status: 0 for success; 1 for a fault of the program or the machine; 2 for an invalid argument, reported in
        one sentence on standard error; 130 after Ctrl-C, which still prints the result so far.
    """
    try:
        if requests_mpi(arguments):
            return run_with_mpi(arguments, partial(_run, record=record))
        command = parse_command(arguments)
        does: dict[str, Callable[[Command], int]] = {"list": _list, "bound": _print_bound}
        does["run"] = lambda command: _run(command, command.plan(), record)
        return does[command.name](command)
    except USAGE_ERRORS as error:
        print(error, file=sys.stderr)
        return 2
    except BrokenPipeError:
        raise
    except (RunFailed, OSError) as error:
        print(error, file=sys.stderr)
        return 1


def _list(command: Command) -> int:
    entries = list_algorithms(command.solvers, probe())
    if command.json:
        print(json.dumps(entries, indent=2))
        return 0
    for reason in dict.fromkeys(reason for entry in entries for reason in entry["lacking"]):
        print(reason)
    for entry in entries:
        print(f"{entry['name']:<20}{entry['title']} ({', '.join(entry['devices'])}) {entry['reason']}".rstrip())
        for declared in entry["params"]:
            print(f"    {make_option(declared['name']):<26}{declared['help']} (default {declared['default']})")
        for preset in entry["presets"]:
            print(f"    --preset {preset['name']:<22}{preset['source']}")
    return 0


def _print_bound(command: Command) -> int:
    assert command.instance is not None
    if not command.json:
        print_warnings(command.instance)
    return bound(command.instance, command.seconds, command.json, command.device)


def _run(command: Command, plan: Plan, record: Record | None) -> int:
    assert command.outputs is not None
    spec, instance, (stage,) = plan.spec, plan.instance, plan.stages
    solver, params, counter = stage.solver, stage.params, spec.budget.start()
    about = f"{solver.title} \u00b7 seed {spec.seed}"
    album = Album(instance, bool({"gif", "video"} & {*command.outputs}), about)
    end, proven = None, False
    if not command.json:
        print_warnings(instance)
    if not command.json and (needed := stage.needs()):
        print(needed, file=sys.stderr)
    recorded = record(spec, instance) if record and "html" in command.outputs else nullcontext()
    with recorded as recording:
        with on_ctrl_c(counter.cancel), Bar(instance, solver, params, counter) as bar:
            try:
                for event in execute(plan, counter, pictures=recording is not None):
                    bar.take(event)
                    album.take(event)
                    if recording:
                        recording.take(event)
                    proven |= shows_proof(event)
                    end = event
            except DeviceUnavailable as error:
                raise DeviceUnavailable(f"{error}{suggest_cores(solver, params)}") from None
        assert isinstance(end, Finished)
        _write(command, instance, end, album, recording)
    outcome = build_result(spec, instance, params, end, proven) | describe_instance(instance)
    written = [f"Wrote {path}: the {_describe_file(kind, path)}." for kind, path in command.outputs.items()]
    lines = [format_run_result(outcome, solver, instance), *list_route(instance, end.order), *written]
    print(json.dumps(outcome, indent=2) if command.json else "\n".join(lines))
    return 130 if end.stop_reason == "cancelled" else 0


#: Parameter values that only GPUs support, and the nearest alternative on the CPU.
_ON_CORES = {("local_update", "compare-and-swap"): "lockstep", ("local_search", "2-opt-of-best"): "2-opt"}


def suggest_cores(solver: Solver, params: Params) -> str:
    """Return a sentence saying how to run a GPU variant on the CPU; empty for other variants."""
    variant = {variant.name: variant for variant in solver.variants}.get(getattr(params, "variant", ""))
    names = [variant.name for variant in solver.variants if variant.device == "cpu"]
    if variant is None or variant.device != "cuda" or not names:
        return ""
    nearest = next((name for name in names if name.startswith(f"{variant.name}-")), names[0])
    options = {"variant": nearest}
    options |= {name: value for (name, gpu_value), value in _ON_CORES.items() if getattr(params, name, "") == gpu_value}
    return f" Without a GPU, add {' '.join(f'{make_option(name)} {value}' for name, value in options.items())}."


def _describe_file(kind: str, path: Path) -> str:
    return "best tour as a CVRPLIB solution" if kind == "tour" and path.suffix == ".sol" else OUTPUTS[kind]


def _write(command: Command, instance: Instance, end: Finished, album: Album, recording: Recording | None) -> None:
    """Write the requested files."""
    assert command.outputs is not None
    for kind, path in command.outputs.items():
        if kind == "tour":
            format_text = format_route if path.suffix == ".sol" else format_tour
            path.write_text(format_text(instance, end.order, end.length), encoding="utf-8")
        elif kind == "video":
            assert command.video is not None
            write_video(command.video, album.animation, path)
        elif kind in PAPER_FILES:
            path.write_bytes(PAPER_FILES[kind](instance, end.order, end.length))
        elif kind in ROUTE_FILES:
            path.write_bytes(route_file(kind, instance, end.order, end.length))
        elif kind == "plotter":
            path.write_bytes(tour_plotter(instance, end.order, command.paper))
        elif kind == "html":
            assert recording
            path.write_bytes(recording.page())
        else:
            path.write_bytes(album.picture(kind, end.order))
