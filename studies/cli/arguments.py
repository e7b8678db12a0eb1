"""The arguments of a study from the command line, read strictly: what is wrong is told in one sentence."""

import hashlib
import json
from argparse import Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from data.instance import Instance
from solvers import find
from solvers.cli.arguments import Parser, UsageError
from solvers.devices import cpu_threads
from solvers.spec import DEVICES
from studies.cli.flags import BUDGET, CLIMBERS, climbers_spec_of, is_file, names, spec_of, whole
from studies.export.paths import check_exports
from studies.file.reader import SUFFIX
from studies.spec.spec import MOST_THREADS, StudySpec

#: Ways to write a study down, and what each is called.
EXPORTS = {
    "csv": "a row a run",
    "parquet": "the same as Parquet",
    "latex": "median gaps as a table",
    "iohprofiler": "a folder for IOHanalyzer",
}
#: Bytes of a spec.
_MOST = 12 << 20
_ABOUT = f"""\
A study: every algorithm on every instance with every seed.

  python -m solvers study --instances kroA100,berlin52 --algorithms two-opt,ant-system:beta=3 --seconds 1
  python -m solvers study SPEC.json
  python -m solvers study FILE{SUFFIX}

The same command resumes a study that was ended; the last form resumes it, or shows it if it is done.

Climbers of two-opt against accuracy, see docs/study.md; it is kept if --out says where:

  python -m solvers study INSTANCE [--climbers K,K,...] [--variant V] [--seeds S] [--device D]
"""


@dataclass(frozen=True, slots=True)
class StudyCommand:
    """A command line that makes sense so far.

    Attributes
    ----------
    path : Path or None
        Of the study file; None if it is kept for no longer than the command takes.
    spec : StudySpec or None
        None where the file is to be gone on with, whatever it holds.
    given : tuple of Instance
        Those that were read from files.
    cores : int
        That runs may keep busy.
    exports : dict of str to Path
        What to write, by the keys of `EXPORTS`.
    json : bool
    show : bool
        Whether to show the study as it stands, and do nothing of it.
    climbers : bool
        Whether to tell of climbers against accuracy.
    """

    path: Path | None
    spec: StudySpec | None
    given: tuple[Instance, ...]
    cores: int
    exports: dict[str, Path]
    json: bool
    show: bool = False
    climbers: bool = False


def read(arguments: Sequence[str]) -> StudyCommand:
    """Read a command line, the word ``study`` first.

    Raises
    ------
    UsageError, InvalidParams, InvalidInstance
        What is wrong with it, in one sentence.
    """
    given = _parser().parse_args(list(arguments)[1:])
    cores = cpu_threads() if given.cores is None else whole(given.cores, "cores", MOST_THREADS)
    exports = {kind: Path(path) for kind in EXPORTS if (path := getattr(given, kind)) is not None}
    climbers = _names_an_instance(given)
    path, spec, instances = _climbers(given) if climbers else _what(given)
    check_exports(exports, path, _sources(given))
    return StudyCommand(path, spec, instances, cores, exports, given.json, given.show, climbers)


def _sources(given: Namespace) -> list[Path]:
    """The files that a study is made from."""
    named = [] if given.instances is None else [name for name in names(given.instances) if is_file(name)]
    return [Path(name) for name in (given.source or given.resume, *named) if name is not None]


def _names_an_instance(given: Namespace) -> bool:
    """Whether what is named is the instance of a study of climbers, and no file of a study."""
    return given.source is not None and not given.show and not given.source.endswith((".json", SUFFIX))


def _climbers(given: Namespace) -> tuple[Path | None, StudySpec, tuple[Instance, ...]]:
    """As `_what`, of climbers against accuracy."""
    if flags := [flag for flag in ("resume", "instances", "algorithms", "over", *BUDGET) if _is_given(given, flag)]:
        raise UsageError(f"--{flags[0]} does not go with an instance alone, {given.source:.80}. See --help.")
    spec, instances = climbers_spec_of(given)
    return None if given.out is None else _out(given, Path(given.out)), spec, instances


def _is_given(given: Namespace, flag: str) -> bool:
    return getattr(given, flag.replace("-", "_")) is not None


def _what(given: Namespace) -> tuple[Path, StudySpec | None, tuple[Instance, ...]]:
    """The study file, the study that it is to be, and instances from files."""
    for flag in ("climbers", "variant"):
        if _is_given(given, flag):
            raise UsageError(f"--{flag} goes with an instance alone: study INSTANCE --{flag} ...")
    source = given.source or given.resume
    if source is None:
        spec, instances = spec_of(given)
        return _out(given, Path(_name(spec))), spec, instances
    if flags := [flag for flag in _SPECIFYING if _is_given(given, flag)]:
        raise UsageError(f"--{flags[0]} goes with --instances and --algorithms, not with a file.")
    if source.endswith(SUFFIX):
        if given.out is not None:
            raise UsageError(f"--out is for a new study: {source:.200} is one already.")
        return Path(source), None, ()
    return _out(given, Path(source).with_suffix(SUFFIX)), _from_file(Path(source)), ()


def _out(given: Namespace, usual: Path) -> Path:
    path = usual if given.out is None else Path(given.out)
    if path.suffix != SUFFIX or path.is_dir() or not path.absolute().parent.is_dir():
        raise UsageError(f"--out {path!s:.200} is not a {SUFFIX} file in a folder that exists.")
    return path


def _name(spec: StudySpec) -> str:
    """A name that the same runs always get, in every release, so that the same command finds its file again."""
    value = spec.to_json()
    for entry in value["entries"]:
        for stage in entry["stages"]:
            stage["params"] = find(stage["algorithm"]).params.first_named(stage["params"])
    runs = orjson.dumps({**value, "title": ""}, option=orjson.OPT_SORT_KEYS)
    return f"study-{hashlib.sha256(runs).hexdigest()[:10]}{SUFFIX}"


def _from_file(path: Path) -> StudySpec:
    try:
        with path.open("rb") as file:
            raw = file.read(_MOST + 1)
        if len(raw) > _MOST:
            raise UsageError(f"{path.name:.200} has more than {_MOST >> 20} MiB, which no study needs.")
        return StudySpec.from_json(json.loads(raw))
    except OSError as error:
        raise UsageError(f"{path!s:.200} cannot be read: {error.strerror}.") from error
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"{path.name:.200} is not JSON.") from error


#: Flags that say what a study is.
_SPECIFYING = ("instances", "algorithms", "over", "seeds", "first-seed", *BUDGET, "device", "threads", "title")


def _parser() -> Parser:
    parser = Parser(
        prog="python -m solvers study", description=_ABOUT, allow_abbrev=False,
        formatter_class=RawDescriptionHelpFormatter,
    )  # fmt: skip
    add = parser.add_argument
    add("source", nargs="?", metavar="FILE", help=f"a spec, or a study to resume ({SUFFIX}), or an INSTANCE")
    add("--resume", metavar=f"FILE{SUFFIX}", help="the same")
    add("--instances", metavar="I,I,...", help="names, .tsp files, uniform:N:SEED or clustered:N:SEED")
    add(
        "--algorithms",
        metavar="A,A,...",
        help="each with parameters, A:beta=3:ants=50; A/B is B from the tour of A; NAME=A",
    )
    add("--over", action="append", metavar="P=V,V,...", help="vary parameter a parameter")
    add("--climbers", metavar="K,K,...", help=f"how many, of INSTANCE (default {CLIMBERS})")
    add("--variant", metavar="V", help="a variant of two-opt, of INSTANCE; see 'list'")
    add("--seeds", metavar="S", help="how many (default 10)")
    add("--first-seed", metavar="S", help="the first of them (default 1)")
    for option in BUDGET:
        add(f"--{option}", metavar="X", help="the budget of each run")
    add("--device", metavar="D", help="auto, cpu or cuda", choices=DEVICES)
    add("--threads", metavar="T", help="threads of each run on the CPU (default 1; of INSTANCE all)")
    add("--cores", metavar="C", help="cores to keep busy (default: all)")
    add("--title", metavar="TEXT", help="what the study is called")
    add("--out", metavar=f"FILE{SUFFIX}", help="where the study is kept")
    for kind, what in EXPORTS.items():
        add(f"--{kind}", metavar="DIR" if kind == "iohprofiler" else "FILE", help=f"write {what} there")
    add("--show", action="store_true", help="show the study as it stands, and run nothing")
    add("--json", action="store_true", help="print JSON")
    return parser
