"""Functions that processes of the tests compute."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from data.errors import InvalidInstance
from runs.computing.answer import Answer, NotRecorded


def echo(text: str) -> Answer:
    return Answer(text.encode(), "text/plain", {"X-Said": text})


def count(folder: str, seconds: float = 0.0) -> Answer:
    """The number of calls so far, each of which leaves a file."""
    calls = len(list(Path(folder).iterdir())) + 1
    (Path(folder) / str(calls)).write_text(str(os.getpid()))
    time.sleep(seconds)
    return Answer(str(calls).encode())


def steps(folder: str) -> Answer:
    """Yield a step immediately, and the second one once a file exists."""

    def each() -> Iterator[bytes]:
        yield b"one "
        while not (Path(folder) / "go").exists():
            time.sleep(0.01)
        yield b"two"

    return Answer(each(), in_steps=True)


def fail(kind: str) -> Answer:
    if kind == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if kind == "grow":
        return Answer(np.ones(1 << 31, np.uint8).tobytes())
    raise {"known": InvalidInstance("NAME", "It has no name."), "full": OSError(28, "No space"), "bug": KeyError("x")}[
        kind
    ]


def copy_recorded(again: str = "") -> Answer:
    if not again:
        raise NotRecorded
    return Answer(Path(again).read_bytes())


def tagged_answer() -> Answer:
    return Answer(b"body", headers={"ETag": '"tag"'})
