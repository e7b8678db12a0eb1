"""The command lines ``check FILE`` and ``check --template FILE``."""

import sys
from collections.abc import Sequence
from pathlib import Path

from commands.arguments import Parser, UsageError, parse_number
from data.command_line import format_command, name_command
from solvers import SOLVERS
from solvers.check.contract import Contract
from solvers.kernels.cache import use_cache
from solvers.user_files.declarations import find_faults
from solvers.user_files.loading import FaultySolver, load
from solvers.user_files.solver_file import SolverFile

#: The file that ``--template`` writes.
TEMPLATE = Path(__file__).resolve().parents[1] / "solvers" / "own" / "template.py"
_ABOUT = "Holds a solver of your own against the contract; a sentence for each fault."


def main(arguments: Sequence[str]) -> int:
    """Execute a command line that begins with ``check``.

    Returns
    -------
    int
        Exit status: 0 if there is no fault, 1 if there is one, 2 for an invalid argument.
    """
    parser = Parser(prog=f"{name_command('solvers')} check", description=_ABOUT, allow_abbrev=False)
    parser.add_argument("file", metavar="FILE", help="a file with a solver, or FILE:CLASS")
    parser.add_argument("--template", action="store_true", help="write a solver to start from to FILE, a new file")
    parser.add_argument("--cities", default="500", metavar="N", help="size of the instance that is timed (default 500)")
    try:
        options = parser.parse_args(list(arguments))
        if options.template:
            return _write_template(Path(options.file))
        cities = parse_number(options.cities, "cities")
        if not (isinstance(cities, int) and 10 <= cities <= 5000):
            raise UsageError(f"cities is {options.cities:.80}, but must be a whole number from 10 to 5,000.")
    except UsageError as error:
        print(error, file=sys.stderr)
        return 2
    return _check(options.file, cities)


def _write_template(path: Path) -> int:
    if path.suffix != ".py":
        raise UsageError(f"{path!s:.200} must end in .py.")
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(TEMPLATE.read_text(encoding="utf-8").replace("THIS_FILE", path.name))
    except FileExistsError as error:
        raise UsageError(f"{path!s:.200} exists already; name a new file.") from error
    except OSError as error:
        raise UsageError(f"{path!s:.200} cannot be written: {error.strerror}.") from error
    tool = format_command("solvers")
    print(f"{path} is written. Next: {tool} check {path}")
    return 0


def _check(name: str, cities: int) -> int:
    use_cache()
    file = SolverFile(name)
    faults_found: list[str] = []
    try:
        faults_found = list(find_faults(load(file.path, file.kind)))
        for fault in faults_found:
            print(fault, flush=True)
        if not faults_found:
            if any(solver.name == file.solver.name for solver in SOLVERS):
                faults_found.append(f"The name {file.solver.name} is taken by another solver; change it.")
                print(faults_found[0], flush=True)
            contract = Contract(file.solver, lambda sentence: print(sentence, flush=True), cities)
            contract.check()
            count = len(faults_found) + contract.faults
            print(f"{file.path.name}: {_format_count(count)} in {contract.runs} runs.")
            return int(count > 0)
    except FaultySolver as fault:
        print(fault)
        return 1
    print(f"{file.path.name}: {_format_count(len(faults_found))}.")
    return 1


def _format_count(count: int) -> str:
    return "no fault" if not count else "1 fault" if count == 1 else f"{count} faults"
