"""Imports the current text of a user's file, and explains its errors in one sentence each."""

import importlib.util
import linecache
import logging
import re
import sys
import traceback
from pathlib import Path
from types import ModuleType

from solvers.core.solver import Solver

#: Maximum number of characters of an error message that a sentence quotes.
_MAX_MESSAGE = 240
_log = logging.getLogger("tourscope.solver")


class FaultySolver(ValueError):
    """A user's file cannot be used; the message is one sentence that begins with the file's name."""


def split_name(text: str) -> tuple[Path, str]:
    """Split ``FILE`` or ``FILE:CLASS`` into path and class; without a class, that is ""."""
    file, colon, name = text.rpartition(":")
    return (Path(file), name) if colon and file.endswith(".py") and name.isidentifier() else (Path(text), "")


def is_file_name(text: str) -> bool:
    """Return whether a text names a file, rather than ``MODULE:CLASS``."""
    return split_name(text)[0].suffix == ".py"


def load(path: Path, name: str = "") -> Solver:
    """Import a file and return its solver.

    The text is compiled here, because Python's import would reuse cached code if the file has the same size and was
    saved within the same second.

    Parameters
    ----------
    path : Path
    name : str, optional
        The name of the solver's class; not needed if the file has only one.

    Raises
    ------
    FaultySolver
    """
    module = _execute(path)
    solvers = {value.__name__: value for value in vars(module).values() if _is_solver(value, module)}
    if name and name not in solvers:
        raise FaultySolver(f"{path.name} has no solver {name}: {_list(solvers)}.")
    if len(solvers) != 1 and not name:
        several = f"several solvers: name one of them, as {path.name}:{next(iter(solvers), '')}"
        none = "no solver: a class derived from OwnSolver, with a name and a method solve"
        raise FaultySolver(f"{path.name} has {several if solvers else none}.")
    try:
        return solvers[name or next(iter(solvers))]()
    except Exception as error:
        raise FaultySolver(describe_fault(path, error)) from error


def describe_fault(path: Path, error: BaseException) -> str:
    """Describe in one sentence, with the line, an error that a file's code has raised."""
    line = error.lineno if isinstance(error, SyntaxError) and error.filename == str(path) else None
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.filename == str(path):
            line = frame.lineno
    detail = error.msg if isinstance(error, SyntaxError) else str(error)
    message = re.sub(r"\s+", " ", re.sub(r"\x1b\[[0-9;]*m", "", detail)).strip()
    message = message if len(message) <= _MAX_MESSAGE else f"{message[:_MAX_MESSAGE]}..."
    location = path.name if line is None else f"{path.name}, line {line}"
    return f"{location}: {type(error).__name__}{f': {message}' if message else ''}".rstrip(".") + "."


def log(path: Path, error: BaseException) -> None:
    """Log an error that a file's code has raised, with its traceback."""
    _log.error("%s raised an error.", path.name, exc_info=error)


def _execute(path: Path) -> ModuleType:
    try:
        source = path.read_bytes()
    except OSError as error:
        raise FaultySolver(f"{path.name} cannot be read: {error.strerror}.") from error
    linecache.checkcache(str(path))
    name = f"user_solver_{re.sub(r'[^0-9A-Za-z]', '_', path.stem)}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    if str(path.parent) not in sys.path:  # appended, since the program's folders take precedence
        sys.path.append(str(path.parent))
    sys.modules[name] = module
    try:
        exec(compile(source, str(path), "exec", dont_inherit=True), module.__dict__)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise FaultySolver(describe_fault(path, error)) from error
    return module


def _is_solver(each: object, module: ModuleType) -> bool:
    """Return whether an object is a complete solver class of this file; base classes have no name."""
    if not isinstance(each, type) or each.__module__ != module.__name__ or Solver not in each.__mro__:
        return False
    return isinstance(getattr(each, "name", None), str) or not each.__subclasses__()


def _list(solvers: dict[str, type]) -> str:
    return f"it has {', '.join(solvers)}" if solvers else "it has none"
