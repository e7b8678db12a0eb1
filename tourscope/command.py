"""The command ``tourscope``: the programs of the checkout under one name.

Without a command it serves the page and opens it in the browser; options are those of ``app.py``.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tourscope.program import PROGRAM, environment

#: Arguments passed to Python for each command.
_COMMANDS = {
    "run": ("-m", "solvers", "run"),
    "list": ("-m", "solvers", "list"),
    "bound": ("-m", "solvers", "bound"),
    "study": ("-m", "solvers", "study"),
    "landscape": ("-m", "solvers", "landscape"),
    "check": ("-m", "solvers", "check"),
    "export": ("-m", "components.embed"),
    "site": ("-m", "components.site"),
    "kernels": ("-m", "runs.engine.kernel_package"),
    "papers": ("-m", "papers"),
    "data": ("-m", "data"),
    "bench": ("-m", "benchmarks"),
    "race": (str(PROGRAM / "app.py"), "--open", "race"),
}
_SERVE_ARGUMENTS = (str(PROGRAM / "app.py"), "--open")
#: Commands that find a user's own solver in the working directory.
_WITH_OWN_SOLVERS = ("run", "list", "study")
_USAGE = Path(__file__).with_name("usage.txt").read_text("utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command in a process of the program; returns the exit status unless the process replaces this one."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    name = words[0] if words and not words[0].startswith("-") else ""
    if name and name not in _COMMANDS:
        print(f"Unknown command {name!r:.40}: there are {', '.join(_COMMANDS)}; without one the page is served.",
              file=sys.stderr)  # fmt: skip
        return 2
    if words in (["--help"], ["-h"]):
        print(_USAGE, flush=True)
    line = [sys.executable, *(_COMMANDS[name] if name else _SERVE_ARGUMENTS), *words[1 if name else 0 :]]
    variables = environment([os.getcwd()] if name in _WITH_OWN_SOLVERS else [])
    if os.name == "posix":
        os.execve(sys.executable, line, variables)  # signals are sent to the program itself
    return _wait(line, variables)


def _wait(line: list[str], variables: dict[str, str]) -> int:
    with subprocess.Popen(line, env=variables) as process:
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:  # the program receives the signal too, and handles it
                continue
