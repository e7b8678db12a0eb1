"""A worker's actor, which starts the worker's program on a node, and passes input and output on.

Nodes receive this file by value, so it needs only Python there. The program is the node's own copy, at the same path as
on the requesting machine or in the installed package ``tourscope``. It must be the same to the last byte, so that all
nodes give the same results.
"""

import hashlib
import importlib.util
import os
import platform
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

#: Folders of the program from which workers import.
FOLDERS = ("data", "runs/engine", "solvers", "studies")
#: Maximum number of bytes in a part of the output: the size of a pipe, which Ray sends without its object store.
PIECE = 1 << 16
#: Maximum number of parts that wait for the reader. At this number the generator blocks, and the full pipe blocks the
#: worker.
PIECES_AHEAD = 16
#: The module that prints a node's devices as JSON.
_PROBE = "solvers.worker.ray.probe"


def fingerprint(root: Path) -> str:
    """Return a hash of the files that workers import, as 16 hexadecimal digits."""
    digest = hashlib.sha256()
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.py")):
            digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def find_program(root: str, expected: str) -> tuple[Path | None, str]:
    """Return the program's folder on this node, and why there is none if it is None.

    Parameters
    ----------
    root : str
        The folder on the requesting machine.
    expected : str
        The `fingerprint` of that folder.
    """
    package = importlib.util.find_spec("tourscope")
    installed = [Path(package.origin).parent] if package and package.origin else []
    places = [Path(root), *(folder / "_program" for folder in installed), *(folder.parent for folder in installed)]
    programs = [place for place in places if (place / "solvers" / "worker" / "frames.py").is_file()]
    for place in programs:
        if fingerprint(place) == expected:
            return place, ""
    name = platform.node()
    return (
        None,
        f"The node {name} has another version of TourScope." if programs else f"The node {name} lacks TourScope.",
    )


def node_devices(root: str, expected: str) -> tuple[str, str]:
    """Return this node's devices as JSON, and why it cannot run workers, if it cannot."""
    place, refusal = find_program(root, expected)
    if place is None:
        return "[]", refusal
    environment = {**os.environ, "PYTHONPATH": str(place)}
    environment.pop("CUDA_VISIBLE_DEVICES", None)
    done = subprocess.run(
        [sys.executable, "-m", _PROBE], cwd=place, env=environment, capture_output=True, text=True, check=False
    )
    return (done.stdout, "") if done.returncode == 0 else ("[]", (done.stderr.strip() or "?").splitlines()[-1])


class WorkerActor:
    """Hosts one worker's program."""

    def __init__(self) -> None:
        self._begun = threading.Event()
        self._process: Any = None

    def begin(
        self, root: str, expected: str, module: str, environment: Mapping[str, str], node: str
    ) -> tuple[int, str, str]:
        """Start ``main()`` of a module; return the process id, the node and, if it was not started, why.

        Parameters
        ----------
        root, expected : str
            See `find_program`.
        module : str
        environment : mapping
            Environment variables in addition to the node's own.
        node : str
            The node's id, if the caller knows it; otherwise Ray provides it.
        """
        if not node:
            import ray

            node = ray.get_runtime_context().get_node_id()
        place, refusal = find_program(root, expected)
        if place is not None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", module],
                cwd=place,
                env={**os.environ, "PYTHONPATH": str(place), **environment},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        self._begun.set()
        return (self._process.pid if self._process else 0), node, refusal

    def output(self) -> Iterator[bytes]:
        """Yield the program's output, part by part, until the output ends."""
        if process := self._wait_for_process():
            while piece := process.stdout.read1(PIECE):
                yield piece

    def errors(self) -> Iterator[bytes]:
        """Yield the lines of the program's error output."""
        if process := self._wait_for_process():
            # Ray sends values into generators, and a file behind `yield from` would not accept them.
            for line in process.stderr:  # noqa: UP028
                yield line

    def write(self, data: bytes) -> None:
        """Write to the program's input; empty bytes close it."""
        process = self._wait_for_process()
        if process is None:
            return
        try:
            process.stdin.write(data)
            process.stdin.flush()
            if not data:
                process.stdin.close()
        except (OSError, ValueError):  # the program has ended; whoever reads its output notices that
            return

    def ended(self) -> int:
        """Wait until the program has ended; return its exit status."""
        process = self._wait_for_process()
        return process.wait() if process else 1

    def _wait_for_process(self) -> Any:
        self._begun.wait()
        return self._process
