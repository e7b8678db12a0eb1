"""Strict parsing of command lines, with one-sentence errors."""

import argparse
import importlib
import re
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn

from commands.video import Video, add_options, parse_video
from data.collection.lookup import look_up
from data.command_line import name_command
from data.distance_kinds import DISTANCES, adjust
from data.errors import InvalidInstance
from data.generators import SPELLINGS
from data.instance import Instance
from data.paths import parse_edges
from data.suggest import describe_unknown
from exports.drawing import video_file
from exports.drawing.plotter import PAPERS
from exports.itinerary.files import ROUTE_FILES, check_route
from solvers import SOLVERS, find
from solvers.core.errors import DeviceUnavailable, InstanceTooLarge, InvalidParams
from solvers.core.machine import Machine
from solvers.core.params import Param
from solvers.core.solver import Solver
from solvers.plan import Plan, plan, prepare
from solvers.presets import preset_file
from solvers.presets.preset_file import SUFFIX, OwnPreset
from solvers.spec import DEVICES, VERSION, RunSpec
from solvers.user_files.loading import FaultySolver, is_file_name
from solvers.user_files.solver_file import SolverFile

#: Kinds of output files; each is also an option, such as --png.
OUTPUTS = {
    "tour": "best tour as TSPLIB text",
    "png": "picture of the best tour",
    "svg": "picture of the best tour",
    "gif": "animation of the climb that led to the best tour",
    "video": "same animation as .mp4 or .webm",
    "pdf": "best tour as PDF",
    "tikz": "best tour as TikZ",
    "gpx": "best tour as a GPX route",
    "geojson": "best tour as GeoJSON",
    "kml": "best tour as KML",
    "csv": "best tour's cities and distances as CSV",
    "html": "run as a page that plays without a server",
    "plotter": "best tour as one SVG line for a pen plotter",
}


#: Messages of argparse for a value that is not among the choices, and for an unknown option.
_CHOICE = re.compile(r"argument (\S+): invalid choice: '(.*)' \(choose from (.*)\)")
_STRAY = re.compile(r"unrecognized arguments: (-\S+).*")
_NAME = r"[\w-]+"
#: Arguments that `argparse` reports besides options.
_UNOFFERED = ("command", "instance", "algorithm", "engine")


class UsageError(Exception):
    """An argument is invalid; the message is a sentence."""


#: The errors that end a command line before it has any effect.
USAGE_ERRORS = (UsageError, InvalidParams, InvalidInstance, DeviceUnavailable, InstanceTooLarge)


class Parser(argparse.ArgumentParser):
    """A parser that raises `UsageError` instead of printing its usage and exiting."""

    def error(self, message: str) -> NoReturn:
        if choice := _CHOICE.fullmatch(message):
            argument, value, names = choice.groups()
            choices = re.findall(_NAME, names)
            if not argument.startswith("-"):  # studies have their own parser
                raise UsageError(f"{describe_unknown('command', value, [*choices, 'check', 'study'])} See --help.")
            raise UsageError(f"{describe_unknown(argument.lstrip('-'), value, choices)} See --help.")
        if stray := _STRAY.fullmatch(message):
            options = [name for action in self._actions for name in action.option_strings]
            raise UsageError(f"{describe_unknown('option', stray[1], (), options)} See --help.")
        sentence = message[:1].upper() + message[1:]
        raise UsageError(f"{sentence.rstrip('.')}. See --help.")


@dataclass(frozen=True, slots=True)
class Command:
    """A parsed command line.

    Attributes
    ----------
    name : str
        ``list``, ``run`` or ``bound``.
    json : bool
    solvers : tuple of Solver
        The registered solvers, followed by the user's own, if any.
    spec : RunSpec or None
    instance : Instance or None
    outputs : dict of str to Path
        Files to write, by kind; see `OUTPUTS`.
    seconds : float or None
        The time limit of ``bound``.
    device : str
        The device for ``bound``.
    paper : str
        The paper size of a plotter's file, one of `exports.drawing.plotter.PAPERS`.
    video : Video or None
        The settings of a video among the outputs.
    """

    name: str
    json: bool
    solvers: tuple[Solver, ...]
    spec: RunSpec | None = None
    instance: Instance | None = None
    outputs: dict[str, Path] | None = None
    seconds: float | None = None
    device: str = "auto"
    paper: str = "a4"
    video: Video | None = None

    def plan(self) -> Plan:
        """Plan the command ``run`` on this machine.

        Raises
        ------
        InvalidParams, DeviceUnavailable
        """
        assert self.spec is not None
        assert self.instance is not None
        return plan(prepare(self.spec, self.solvers), self.instance, Machine())


def parse_command(arguments: Sequence[str] | None) -> Command:
    """Parse a command line.

    Raises
    ------
    UsageError, InvalidParams, InvalidInstance
        If the command line is invalid; the message is one sentence.
    """
    options, rest = _build_parser().parse_known_args(arguments)
    if options.command == "bound":
        return _parse_bound(options, rest)
    own = (_load_own_solver(options.solver),) if options.solver else ()
    if options.command == "list":
        if rest:
            raise UsageError(f"{describe_unknown('option', rest[0], ('--solver', '--json'))} See --help.")
        return Command("list", options.json, (*(solver for solver in SOLVERS if solver.listed), *own))
    solvers = (*SOLVERS, *own)
    solver = find(options.algorithm, solvers)
    own_params = _parse_params(solver, rest, [make_option(name) for name in vars(options) if name not in _UNOFFERED])
    params = _find_preset_params(solver, options.preset) | own_params
    if options.mpi or options.engine == "mpi":
        params |= _make_mpi_params(solver, own_params)
    outputs = {kind: _check_writable(kind, path) for kind in OUTPUTS if (path := getattr(options, kind)) is not None}
    video = parse_video(options, options.video)
    if options.video is not None and (reason := video_file.find_missing()):
        raise UsageError(reason)
    instance, reference = _adjust(options)
    for kind in set(outputs) & set(ROUTE_FILES):
        check_route(kind, instance)
    budget = {} if options.time is None else {"seconds": parse_number(options.time, "time")}
    spec = RunSpec.from_json(
        {
            "v": VERSION,
            "instance": reference,
            "stages": [{"algorithm": solver.name, "params": params}],
            "seed": parse_number(options.seed, "seed"),
            "budget": budget,
            "device": options.device,
            "threads": 0 if options.threads is None else parse_number(options.threads, "threads"),
        }
    )
    return Command("run", options.json, solvers, spec, instance, outputs, paper=options.paper, video=video)


def _parse_bound(options: argparse.Namespace, rest: list[str]) -> Command:
    if rest:
        flags = ("--seconds", "--device", "--distances", "--scale", "--start", "--end", "--fixed", "--json")
        raise UsageError(f"{describe_unknown('option', rest[0], flags)} See --help.")
    seconds = None if options.time is None else parse_number(options.time, "time")
    if seconds is not None and not seconds > 0:
        raise UsageError(f"time is {options.time!r:.80}, but must be more than 0.")
    instance = _adjust(options)[0]
    return Command("bound", options.json, (), instance=instance, seconds=seconds, device=options.device)


def requests_mpi(arguments: Sequence[str] | None) -> bool:
    """Return whether a command line requests a run in several processes that mpiexec started."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    return "--mpi" in words or "--engine=mpi" in words or ("--engine", "mpi") in pairwise(words)


def _make_mpi_params(solver: Solver, options: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters that ``--mpi`` adds to the given ones.

    Raises
    ------
    UsageError
        If the solver has no variant ``mpi``, or the given parameters contradict it.
    """
    parallel = {variant.name for variant in solver.variants if "mpi" in (variant.needs, variant.name)}
    if "mpi" not in parallel:
        raise UsageError(f"{solver.name} has no variant mpi, so that --mpi is not for it.")
    if (variant := options.get("variant", "mpi")) not in parallel:
        raise UsageError(f"--mpi runs --variant mpi, not {variant}: leave one of them out.")
    if "ranks" in options:
        raise UsageError("--mpi uses all processes that mpiexec has started: leave --ranks out.")
    return {"variant": variant}


def _build_parser() -> Parser:
    about = "Solvers of the Travelling Salesman Problem."
    more = (
        "check: tests a solver of your own; see 'check --help'. "
        "study: runs many algorithms on many instances; see 'study --help'"
    )
    parser = Parser(prog=name_command("solvers"), description=about, epilog=more, allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", required=True, metavar="{list,run,bound,check,study}")
    listing = commands.add_parser("list", help="list the algorithms", allow_abbrev=False)
    running = commands.add_parser(
        "run",
        help="run one algorithm on one instance",
        allow_abbrev=False,
        epilog="Every parameter of the algorithm is an option too: --climbers 1000, for instance; see 'list'.",
    )
    running.add_argument("instance", metavar="INSTANCE", help=f"a name, a file, {', '.join(SPELLINGS)}")
    running.add_argument("algorithm", metavar="ALGORITHM", help="a name that 'list' prints, such as two-opt")
    running.add_argument("--seed", default="1", metavar="S", help="the same seed gives the same run (default 1)")

    running.add_argument("--threads", metavar="N", help="CPU threads at most (default: one per core)")
    running.add_argument(
        "--mpi", action="store_true", help="this process was started by mpiexec, and shares the work with the others"
    )
    running.add_argument(
        "--engine", default="auto", choices=("auto", "mpi"), help=argparse.SUPPRESS
    )  # names of older releases
    running.add_argument(
        "--preset", metavar="P|FILE", help="a paper's parameters (see 'list'), or a preset of your own"
    )
    for kind, description in OUTPUTS.items():
        running.add_argument(f"--{kind}", metavar="FILE", help=f"write the {description} to FILE")
    running.add_argument("--paper", default="a4", choices=tuple(PAPERS), help="paper size for --plotter (default a4)")
    add_options(running)
    bounding = commands.add_parser(
        "bound", help="a lower bound on the length of every tour (Held and Karp)", allow_abbrev=False
    )
    bounding.add_argument("instance", metavar="INSTANCE", help="as for 'run'")
    for subparser in (running, bounding):
        limit = "stop after T seconds (default: run to the end)"
        subparser.add_argument("--seconds", "--time", dest="time", metavar="T", help=limit)
        subparser.add_argument("--device", default="auto", metavar="D", help="auto, cpu or cuda", choices=DEVICES)
        measures = f"how coordinates are measured: {', '.join(DISTANCES)} (default: as the file says)"
        subparser.add_argument("--distances", metavar="D", help=measures)
        subparser.add_argument(
            "--scale", metavar="F", help="multiply coordinates by F; 1000 turns kilometres into metres"
        )
        subparser.add_argument("--start", metavar="C", help="find a path from this city: name, number or any")
        subparser.add_argument("--end", metavar="C", help="find a path to this city; with --start, one between both")
        subparser.add_argument("--fixed", metavar="E", default="", help="use these edges: 'Rome, Milan; 3, 4'")
    for subparser in (listing, running):
        subparser.add_argument("--solver", metavar="FILE", help="add a solver of your own: a file, or MODULE:CLASS")
    for subparser in (listing, running, bounding):
        subparser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _find_preset_params(solver: Solver, name: str | None) -> dict[str, Any]:
    """Return a preset's parameters; `parse_command` lets explicit parameters override them."""
    presets = {preset.name: preset.params for preset in solver.presets}
    if name is None:
        return {}
    if name not in presets and (own := _load_own_preset(solver, name)) is not None:
        return dict(own.params)
    if name not in presets:
        listed = [preset.name for preset in solver.presets if preset.listed]
        raise UsageError(describe_unknown("preset", name, listed) if listed else f"{solver.name} has no presets.")
    return dict(presets[name])


def _load_own_preset(solver: Solver, name: str) -> OwnPreset | None:
    """Load a user's preset from a file, or by name from the data folder; None if there is none.

    Raises
    ------
    UsageError
        If the preset belongs to another algorithm.
    """
    if name.endswith(SUFFIX) or Path(name).is_file():
        own = preset_file.read(Path(name))
        if own.algorithm != solver.name:
            raise UsageError(f"{name:.200} is a preset of {own.algorithm}, not of {solver.name}.")
        return own
    return next((preset for _, preset in preset_file.list_presets(solver.name) if preset.name == name), None)


def _parse_params(solver: Solver, rest: list[str], more: Collection[str]) -> dict[str, Any]:
    """Parse the algorithm's options under their current names; `solvers.run.prepare` checks the values.

    Parameters
    ----------
    solver : Solver
    rest : list of str
        Arguments unknown to the command.
    more : collection of str
        The command's own options, suggested in case of a typo.
    """
    schema = {make_option(declared.name): declared for declared in solver.params.schema()}
    declared_by_name = schema | {
        make_option(name): declared for declared in schema.values() for name in declared.former
    }
    values, queue = {}, list(rest)
    while queue:
        flag, equals, text = queue.pop(0).partition("=")
        if flag not in declared_by_name:
            raise UsageError(describe_unknown("option", flag, schema, more))
        if not equals:
            if not queue:
                raise UsageError(f"{flag} needs a value.")
            text = queue.pop(0)
        values[declared_by_name[flag].name] = _parse_value(declared_by_name[flag], text)
    return values


def make_option(name: str) -> str:
    """Return a parameter's option, such as ``--moves-per-city``."""
    return f"--{name.replace('_', '-')}"


def _parse_value(declared: Param, text: str) -> Any:
    if declared.kind == "bool" and text in ("true", "false"):
        return text == "true"
    if declared.kind in ("int", "float"):
        parsed = _parse_decimal(text)
        return text if parsed is None else parsed
    return text


def parse_number(text: str, name: str) -> int | float:
    """Parse a number as typed by a user.

    Raises
    ------
    UsageError
        If the text is not a number.
    """
    if (parsed := _parse_decimal(text)) is None:
        raise UsageError(f"{name} is {text!r:.80}, but must be a number.")
    return parsed


def _parse_decimal(text: str) -> int | float | None:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return None


def _load_own_solver(name: str) -> Solver:
    """Load a solver from a file or an importable module."""
    if is_file_name(name):
        return load_file_solver(name)
    module, _, cls = name.partition(":")
    try:
        return getattr(importlib.import_module(module), cls)()
    except (ImportError, AttributeError, ValueError, TypeError) as error:
        raise UsageError(f"--solver {name:.80} cannot be loaded as MODULE:CLASS: {error}.") from error


def load_file_solver(name: str) -> Solver:
    """Load a user's solver file in this process.

    Raises
    ------
    UsageError
        If the file cannot be used.
    """
    try:
        solver = SolverFile(name).solver
    except FaultySolver as fault:
        raise UsageError(str(fault)) from fault
    if any(each.name == solver.name for each in SOLVERS):
        raise UsageError(f"{name:.200}: the name {solver.name} is taken by another solver; change it.")
    return solver


def load_instance(text: str) -> tuple[Instance, dict[str, Any]]:
    """Return the instance that a text refers to, and its reference for a `RunSpec`.

    Parameters
    ----------
    text : str
        A name, ``uniform:N:SEED`` or another form of `data.generators.SPELLINGS`, else a file; see
        `data.recognition.read`.

    Raises
    ------
    UsageError, InvalidInstance
        If there is no such instance, or its file is unreadable or invalid.
    """
    try:
        return look_up(text, Path(text))
    except InvalidInstance as error:
        if error.code == "UNREADABLE":
            raise UsageError(error.sentence.replace("The file", f"{text:.200}", 1)) from None
        raise


def _adjust(options: argparse.Namespace) -> tuple[Instance, dict[str, Any]]:
    """Apply a command line's distances and scale to its instance; return it and its reference."""
    instance, reference = load_instance(options.instance)
    factor = None if options.scale is None else parse_number(options.scale, "scale")
    adjusted = adjust(instance, options.distances, factor, options.start, options.end, parse_edges(options.fixed))
    return adjusted, reference if adjusted is instance else {"sha256": adjusted.sha256}


def _check_writable(kind: str, text: str) -> Path:
    path = Path(text)
    if path.is_dir() or not path.parent.is_dir():
        raise UsageError(f"--{kind} {text:.200} is not a file in a folder that exists.")
    return path
