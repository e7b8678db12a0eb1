"""Pages generated from the code: the Python interface, parameters of algorithms, and the command line."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import tourscope
from solvers import SOLVERS
from solvers.core.params import Param
from solvers.core.solver import Solver

ROOT = Path(__file__).resolve().parents[1]
#: Paths of the pages by title, in order.
PAGES = {
    "The Python interface, name by name": "reference/python.md",
    "Parameters of the algorithms": "reference/parameters.md",
    "Commands and their options": "reference/commands.md",
}
_COMMANDS = (
    (), ("run",), ("race",), ("study",), ("landscape",), ("list",), ("bound",), ("site",), ("papers",), ("data",),
    ("data", "list"), ("data", "show"), ("data", "check"), ("data", "export"), ("data", "fetch"), ("data", "backup"),
    ("data", "restore"), ("bench",),
)  # fmt: skip


def build_pages() -> dict[str, str]:
    """Text of each page in Markdown, by path."""
    return dict(zip(PAGES.values(), (format_python(), format_parameters(), format_commands()), strict=True))


def format_python() -> str:
    """Public names of `tourscope`, to be filled in by mkdocstrings from their docstrings."""
    algorithms = {name for name in tourscope.__all__ if _is_algorithm(name)}
    names = [name for name in tourscope.__all__ if name not in algorithms and name != "events"]
    parts = [
        "# The Python interface, name by name",
        "`import tourscope as ts` has these names; [Solve from Python](../python-api.md) shows how they are used. The "
        "classes of the algorithms, such as `ts.TwoOpt`, take the [parameters](parameters.md) of each.",
        *(f"::: tourscope.{name}" for name in names),
        "## Events\n\n::: tourscope.events\n    options:\n      heading_level: 3\n      show_root_heading: false",
    ]
    return "\n\n".join(parts) + "\n"


def _is_algorithm(name: str) -> bool:
    value = getattr(tourscope, name)
    return isinstance(value, type) and issubclass(value, tourscope.Algorithm) and value is not tourscope.Algorithm


def format_parameters() -> str:
    """All parameters of all algorithms, from their declarations."""
    head = (
        "# Parameters of the algorithms\n\nAs the form, the command line (`tourscope run INSTANCE ALGORITHM --name "
        "VALUE`), links and the Python interface take them. What GPUs alone use is marked."
    )
    return "\n\n".join([head, *map(_format_algorithm, SOLVERS)]) + "\n"


def _format_algorithm(solver: Solver) -> str:
    head = f"## {solver.title}\n\n`{solver.name}`: {solver.summary} [How it works](../algorithms/{solver.name}.md)."
    rows = [_format_row(param) for param in solver.params.schema()]
    if not rows:
        return f"{head}\n\nIt has no parameters."
    return "\n".join([head, "", "| name | what it does | default | values |", "|---|---|---|---|", *rows])


def _format_row(param: Param) -> str:
    symbol = f" {param.symbol}" if param.symbol else ""
    gpu = " *(GPU)*" if param.gpu else ""
    default = (
        "" if param.kind == "tour" else f"`{str(param.default).lower() if param.kind == 'bool' else param.default}`"
    )
    cells = (f"`{param.name}`{symbol}{gpu}", f"**{param.label}**: {param.help}", default, _format_values(param))
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _format_values(param: Param) -> str:
    if param.kind == "tour":
        return "cities"
    if param.kind == "bool":
        return "`true`, `false`"
    if param.kind == "choice":
        return ", ".join(f"`{choice}`" for choice in param.choices)
    return f"{param.low:g} to {param.high:g}"


def format_commands() -> str:
    """The ``--help`` output of each command."""
    with ThreadPoolExecutor() as pool:
        helps = list(pool.map(_read_help, _COMMANDS))
    parts = ["# Commands and their options"]
    for command, text in zip(_COMMANDS, helps, strict=True):
        parts.append(f"## {' '.join(('tourscope', *command))}\n\n```text\n{text}\n```")
    return "\n\n".join(parts) + "\n"


def _read_help(command: tuple[str, ...]) -> str:
    home = {"HOME": "/home/you", "USERPROFILE": "/home/you", "COLUMNS": "100"}
    unset = ("TOURSCOPE_HOME", "TOURSCOPE_DATA")
    inherited = {name: value for name, value in os.environ.items() if name not in unset}
    done = subprocess.run(
        [sys.executable, "-m", "tourscope", *command, "--help"], cwd=ROOT, env={**inherited, **home},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout.strip()
