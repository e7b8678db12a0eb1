"""Command lines as users type them: ``tourscope data``; to copy from a checkout, ``python -m data``."""

import os
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import ParamSpec

_P = ParamSpec("_P")
#: Whether this is the copy inside an installed package `tourscope`, rather than a checkout.
INSTALLED = Path(__file__).resolve().parents[1].name == "_program"
#: Modules whose commands in ``tourscope`` have other names.
_COMMANDS = {
    "app.py": "tourscope",
    "solvers": "tourscope",
    "benchmarks": "tourscope bench",
    "components.embed": "tourscope export",
    "components.site": "tourscope site",
    "runs.engine.kernel_package": "tourscope kernels",
}


def name_command(module: str) -> str:
    """Return the name that the help gives to the command of a module or ``app.py``."""
    return _COMMANDS.get(module, f"tourscope {module}")


def format_command(module: str) -> str:
    """Return the start of a command line that runs a module here, even in a checkout that is not installed."""
    return name_command(module) if INSTALLED else f"python -m {module}"


def format_install_command(*packages: str) -> str:
    """Return the command line that adds packages to this environment, even one made by pipx or uv."""
    environment = Path(sys.prefix)
    if "pipx" in environment.parts:
        return " ".join([f"pipx inject {environment.name}", *packages])
    if environment.parts[-3:-1] == ("uv", "tools"):
        return " ".join(["uv tool install", environment.name, *(f"--with {package}" for package in packages)])
    return " ".join(["python -m pip install", *packages])


def exit_on_broken_pipe(main: Callable[_P, int]) -> Callable[_P, int]:
    """Decorator: exit with status 1, without a traceback, when the output's reader is gone."""

    @wraps(main)
    def run(*args: _P.args, **kwargs: _P.kwargs) -> int:
        try:
            status = main(*args, **kwargs)
            sys.stdout.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes again at exit
            return 1
        return status

    return run
