"""Strict parsing of the study command line, with one-sentence errors."""

import hashlib
import json
import os
from argparse import Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from commands.arguments import Parser, UsageError
from data.command_line import name_command
from data.generators import SPELLINGS
from data.home.place import VARIABLE as HOME_VARIABLE
from data.instance import Instance
from solvers import SOLVERS, find
from solvers.presets.preset_file import SUFFIX as PRESET_SUFFIX
from solvers.spec import DEVICES
from solvers.user_files.loading import FaultySolver
from solvers.user_files.solver_file import SolverFile, pass_to_children
from solvers.worker.ray.options import add_options as add_cluster_options
from solvers.worker.ray.options import find_cluster_address
from studies.cli.flags import (
    BUDGET,
    CLIMBERS,
    build_climbers_spec,
    build_spec,
    build_tuning_spec,
    is_file,
    parse_integer,
    split_names,
)
from studies.file.reader import SUFFIX
from studies.spec.spec import MAX_THREADS, StudySpec
from studies.spec.tune import PRUNERS

#: Suffixes of the files that exist beside a study file in use.
_COMPANIONS = ("-wal", "-shm", "-journal", ".lock", ".part")


def check_exports(exports: Mapping[str, Path], study: Path | None, sources: Iterable[Path]) -> None:
    """Check before any run that the exports can be written.

    Parameters
    ----------
    exports : mapping of str to Path
        Paths by option name.
    study : Path or None
        The study file; None if it is temporary.
    sources : iterable of Path
        Files from which the study is read: its spec and instances.

    Raises
    ------
    UsageError
        If an export would overwrite one of these files, or cannot be written.
    """
    used = {source.resolve(): "a source of the study" for source in sources}
    if study is not None:
        used |= {study.with_name(study.name + suffix).resolve(): "a part of the study" for suffix in _COMPANIONS}
        used[study.resolve()] = "the study itself"
    for option, path in exports.items():
        argument, target = f"--{option} {path!s:.200}", path.resolve()
        if path.suffix == SUFFIX:
            raise UsageError(f"{argument} ends like a study: choose another extension.")
        if not path.absolute().parent.is_dir():
            raise UsageError(f"{argument} is not in a folder that exists.")
        if (conflict := _find_conflict(target, used)) is not None:
            raise UsageError(f"{argument} is {conflict}: choose another name.")
        if option == "iohprofiler" and path.exists():
            raise UsageError(f"{argument} already exists: choose a new folder.")
        if path.is_dir():
            raise UsageError(f"{argument} is a folder: choose the name of a file.")
        used[target] = f"also the path of --{option}"


def _find_conflict(target: Path, used: Mapping[Path, str]) -> str | None:
    """Return what a path is already used for, even under another name of the same file."""
    if target in used:
        return used[target]
    matches = [path for path in used if target.exists() and path.exists() and path.samefile(target)]
    return used[matches[0]] if matches else None


#: Export formats with their descriptions.
EXPORTS = {
    "csv": "one row per run",
    "parquet": "one row per run, as Parquet",
    "latex": "the median gaps as a table",
    "iohprofiler": "a folder for IOHanalyzer",
}
#: Maximum size of a spec in bytes.
_MAX_BYTES = 12 << 20
_DESCRIPTION = f"""\
A study runs every algorithm on every instance with every seed (10 seeds by default) and compares the results.

  {name_command("solvers")} study --instances kroA100,berlin52 --algorithms two-opt,ant-system:beta=3 --seconds 1
  {name_command("solvers")} study SPEC.json
  {name_command("solvers")} study FILE{SUFFIX}

Repeat a command to resume its study. The last form resumes a study file, or shows it if it is done.

Tune the parameters of an algorithm by trials (docs/tuning.md):

  {name_command("solvers")} study --tune ant-colony-system --instances kroA100,ch130 --iterations 50 --trials 40

See how many 2-opt climbers a given accuracy takes (docs/studies.md); saved only with --out:

  {name_command("solvers")} study INSTANCE [--climbers K,K,...] [--variant V] [--seeds S] [--device D]
"""


@dataclass(frozen=True, slots=True)
class StudyCommand:
    """A parsed command line.

    Attributes
    ----------
    path : Path or None
        Path of the study file; None if it is temporary.
    spec : StudySpec or None
        None to resume the study in the file.
    instances : tuple of Instance
        Instances that were read from files.
    cores : int or None
        Number of cores for the runs; None for all of the machine, or of the cluster.
    exports : dict of str to Path
        Paths by the keys of `EXPORTS`.
    json : bool
    show : bool
        Whether to show the study without running anything.
    climbers : bool
        Whether to report climbers against accuracy.
    preset : Path or None
        File for the preset found by a tuning study.
    cluster : str
        Address of the Ray cluster with the workers; empty for this machine.
    """

    path: Path | None
    spec: StudySpec | None
    instances: tuple[Instance, ...]
    cores: int | None
    exports: dict[str, Path]
    json: bool
    show: bool = False
    climbers: bool = False
    preset: Path | None = None
    cluster: str = ""


def parse_command(arguments: Sequence[str]) -> StudyCommand:
    """Parse a command line that begins with ``study``.

    Raises
    ------
    UsageError, InvalidParams, InvalidInstance, ClusterRefused
        If the command line is invalid; the message is one sentence.
    """
    options = _build_parser().parse_args(list(arguments)[1:])
    if options.home is not None:
        os.environ[HOME_VARIABLE] = options.home  # for this process and its workers
    if options.solver:
        _register_solvers(options.solver)
    cores = None if options.cores is None else parse_integer(options.cores, "cores", MAX_THREADS)
    exports = {kind: Path(path) for kind in EXPORTS if (path := getattr(options, kind)) is not None}
    climbers = _is_instance_alone(options)
    path, spec, instances = _parse_climbers(options) if climbers else _read_study_source(options)
    check_exports(exports, path, _find_source_files(options))
    cluster = find_cluster_address(options)
    preset = None if options.save_preset is None else Path(options.save_preset)
    if preset is not None and preset.suffix != PRESET_SUFFIX:
        raise UsageError(f"--save-preset {options.save_preset!s:.200} is not a {PRESET_SUFFIX} file.")
    return StudyCommand(path, spec, instances, cores, exports, options.json, options.show, climbers, preset, cluster)


def _register_solvers(names: Sequence[str]) -> None:
    """Register users' solvers in this process and its workers."""
    try:
        for name in names:
            SOLVERS.join(SolverFile(name))
    except FaultySolver as fault:
        raise UsageError(str(fault)) from fault
    pass_to_children(SOLVERS.files)


def _find_source_files(options: Namespace) -> list[Path]:
    """Return the files from which a study is read."""
    files = [] if options.instances is None else [name for name in split_names(options.instances) if is_file(name)]
    return [Path(name) for name in (options.source or options.resume, *files) if name is not None]


def _is_instance_alone(options: Namespace) -> bool:
    """Return whether the argument is an instance, which requests climbers against accuracy, not a study file."""
    return options.source is not None and not options.show and not options.source.endswith((".json", SUFFIX))


def _parse_climbers(options: Namespace) -> tuple[Path | None, StudySpec, tuple[Instance, ...]]:
    """Like `_read_study_source`, but for climbers against accuracy."""
    others = ("resume", "instances", "algorithms", "over", "tune", *_TUNING_FLAGS, *BUDGET)
    if flags := [flag for flag in others if _is_given(options, flag)]:
        raise UsageError(f"--{flags[0]} does not go with an instance alone, {options.source:.80}. See --help.")
    spec, instances = build_climbers_spec(options)
    return None if options.out is None else _choose_output_path(options, Path(options.out)), spec, instances


def _is_given(options: Namespace, flag: str) -> bool:
    return getattr(options, flag.replace("-", "_")) is not None


def _read_study_source(options: Namespace) -> tuple[Path, StudySpec | None, tuple[Instance, ...]]:
    """Return the study file's path, a new study's spec, and instances read from files."""
    for flag in ("climbers", "variant"):
        if _is_given(options, flag):
            raise UsageError(f"--{flag} goes with an instance alone: study INSTANCE --{flag} ...")
    source = options.source or options.resume
    if options.tune is None:
        if flags := [flag for flag in _TUNING_FLAGS if _is_given(options, flag)]:
            raise UsageError(f"--{flags[0]} goes with --tune ALGORITHM.")
    elif options.algorithms is not None or options.over is not None:
        raise UsageError("--tune is of one algorithm: leave --algorithms and --over out.")
    if source is None:
        spec, instances = (build_spec if options.tune is None else build_tuning_spec)(options)
        return _choose_output_path(options, Path(_make_default_name(spec))), spec, instances
    if flags := [flag for flag in _DEFINING_FLAGS if _is_given(options, flag)]:
        raise UsageError(f"--{flags[0]} goes with --instances and --algorithms, not with a file.")
    if source.endswith(SUFFIX):
        if options.out is not None:
            raise UsageError(f"--out is for a new study: {source:.200} is an existing one.")
        return Path(source), None, ()
    return _choose_output_path(options, Path(source).with_suffix(SUFFIX)), _load_spec(Path(source)), ()


def _choose_output_path(options: Namespace, default: Path) -> Path:
    path = default if options.out is None else Path(options.out)
    if path.suffix != SUFFIX or path.is_dir() or not path.absolute().parent.is_dir():
        raise UsageError(f"--out {path!s:.200} is not a {SUFFIX} file in a folder that exists.")
    return path


def _make_default_name(spec: StudySpec) -> str:
    """Return a file name that depends only on the runs, so that a command finds its file in every release."""
    value, first = spec.to_json(), spec.to_json()
    for entry in first["entries"]:
        for stage in entry["stages"]:
            stage["params"] = find(stage["algorithm"]).params.first_named(stage["params"])
    if StudySpec.from_json(first | {"v": 1}) == spec:  # the first version could write such runs too
        value = first | {"v": 1}
    runs = orjson.dumps({**value, "title": ""}, option=orjson.OPT_SORT_KEYS)
    return f"study-{hashlib.sha256(runs).hexdigest()[:10]}{SUFFIX}"


def _load_spec(path: Path) -> StudySpec:
    try:
        with path.open("rb") as file:
            raw = file.read(_MAX_BYTES + 1)
        if len(raw) > _MAX_BYTES:
            raise UsageError(f"{path.name:.200} has more than {_MAX_BYTES >> 20} MiB, the maximum of a spec.")
        return StudySpec.from_json(json.loads(raw))
    except OSError as error:
        raise UsageError(f"{path!s:.200} cannot be read: {error.strerror}.") from error
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"{path.name:.200} is not JSON.") from error


#: Flags that only tuning studies accept, and flags that define a study.
_TUNING_FLAGS = ("vary", "trials", "train-seeds", "test-instances", "sampler-seed", "batch", "pruner")
_DEFINING_FLAGS = (
    "instances", "algorithms", "over", "tune", *_TUNING_FLAGS, "seeds", "first-seed", *BUDGET, "device", "threads",
    "title",
)  # fmt: skip


def _build_parser() -> Parser:
    parser = Parser(
        prog=f"{name_command('solvers')} study", description=_DESCRIPTION, allow_abbrev=False,
        formatter_class=RawDescriptionHelpFormatter,
    )  # fmt: skip
    add = parser.add_argument
    add(
        "source", nargs="?", metavar="INSTANCE|FILE",
        help=f"an instance, for climbers against accuracy; or a file: a spec (.json) or a study to resume ({SUFFIX})",
    )  # fmt: skip
    add("--resume", metavar=f"FILE{SUFFIX}", help="the study to resume")
    add("--instances", metavar="I,I,...", help=f"names, .tsp or .csv files, {', '.join(SPELLINGS)}")
    add(
        "--algorithms",
        metavar="A,A,...",
        help="names from 'list', with parameters: A:beta=3:ants=50; A/B starts B from A's tour; NAME=A gives a name",
    )
    add("--over", action="append", metavar="P=V,V,...", help="vary parameter P: one entry per value")
    add("--tune", metavar="A", help="look for better parameters of one algorithm, written as in --algorithms")
    add(
        "--vary",
        action="append",
        metavar="P,P=LOW..HIGH,P=A|B",
        help="parameters that --tune varies (default: the main ones)",
    )
    add("--trials", metavar="T", help="number of trials (default 50)")
    add("--train-seeds", metavar="S", help="seeds of each trial on each instance (default 3)")
    add("--test-instances", metavar="I,I,...", help="instances of the final comparison (default: --instances)")
    add("--sampler-seed", metavar="S", help="the same seed proposes the same trials (default 1)")
    add("--batch", metavar="B", help="trials proposed at a time (default 4)")
    add("--pruner", metavar="P", help="wilcoxon, median or none (default wilcoxon)", choices=PRUNERS)
    add("--save-preset", metavar=f"FILE{PRESET_SUFFIX}", help="write the best parameters as a preset")
    add("--climbers", metavar="K,K,...", help=f"numbers of climbers on INSTANCE (default {CLIMBERS})")
    add("--variant", metavar="V", help="variant of two-opt for INSTANCE; see 'list'")
    add("--seeds", metavar="S", help="number of seeds (default 10)")
    add("--first-seed", metavar="S", help="first seed (default 1)")
    for option, help_text in BUDGET.items():
        add(
            f"--{option}",
            *(["--time"] if option == "seconds" else []),
            metavar="X",
            help=f"budget of each run: {help_text}",
        )
    add("--device", metavar="D", help="auto, cpu or cuda", choices=DEVICES)
    add("--threads", metavar="T", help="CPU threads of each run (default 1; with INSTANCE alone, all)")
    add("--cores", metavar="C", help="cores to keep busy (default: all)")
    add_cluster_options(parser)
    add("--solver", action="append", metavar="FILE", help="add a solver of your own; repeatable")
    add("--home", metavar="FOLDER", help="data folder with your own instances (default: that of the page)")
    add("--title", metavar="TEXT", help="title of the study")
    add("--out", metavar=f"FILE{SUFFIX}", help="path of the study file")
    for kind, help_text in EXPORTS.items():
        add(f"--{kind}", metavar="DIR" if kind == "iohprofiler" else "FILE", help=f"write {help_text}")
    add("--show", action="store_true", help="show the study without running anything")
    add("--json", action="store_true", help="print JSON")
    return parser
