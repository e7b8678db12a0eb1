"""``python -m components.embed.pack``: packs runs for the notebook widget.

A process of `tourscope` writes frames to its input: a ``lane`` frame with the ``spec`` of a run, the instance and the
events of that run, then the next lane's; or a single ``file`` frame with the ``path`` of a run file. The output is one
frame: ``packed`` with the values ``embedded`` and ``player`` (the source of a function) and the array ``block``, or
``refused`` with a ``sentence``.
"""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from components.embed.__main__ import check_copy
from components.embed.embedded import embed_run
from components.embed.lanes import pack_race
from components.embed.script import build_player
from components.types import JsonObject
from data.errors import InvalidInstance
from runs.calls.own_solvers import OwnSolvers
from runs.embedding.recorder import Recorder
from solvers.core.errors import RunFailed
from solvers.core.params import VERSION
from solvers.spec import RunSpec
from solvers.worker.frames import decode, encode, read_frame, read_kind

#: Frames of the program's process that are not events of the run.
_ASIDE = ("failed", "refused", "over", "taken", "status", "state")


def main() -> None:
    """Answer a single call on standard input."""
    try:
        answer = _pack(list(_read_frames()))
    except (InvalidInstance, OSError, RunFailed, ValueError) as error:
        answer = encode("refused", {"sentence": str(error)}, {})
    sys.stdout.buffer.write(answer)
    sys.stdout.buffer.flush()


def _read_frames() -> Iterator[bytes]:
    while (raw := read_frame(sys.stdin.buffer)) is not None:
        yield raw


def _pack(frames: list[bytes]) -> bytes:
    first = decode(frames[0])
    with ExitStack() as stack:
        if first.kind == "file":
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            files = [check_copy(Path(first.values["path"]), folder)]
        else:
            files = [recorder.file() for recorder in _record(frames, stack)]
        data, block, *_ = embed_run(files[0]) if len(files) == 1 else pack_race(files)
    script = build_player("run" if len(files) == 1 else "race")
    return encode("packed", {"embedded": data, "player": script}, {"block": np.frombuffer(block, np.uint8)})


def _record(frames: list[bytes], stack: ExitStack) -> list[Recorder]:
    recorders: list[Recorder] = []
    specs = _replace_specs([decode(raw).values["spec"] for raw in frames if read_kind(raw) == "lane"])
    spec: JsonObject = {}
    for raw in frames:
        kind = read_kind(raw)
        if kind == "lane":
            spec = next(specs)
        elif kind == "instance":
            run_spec = RunSpec.from_json({"v": VERSION, "instance": {"name": "embedded"}, **spec})
            recorders.append(stack.enter_context(Recorder(run_spec, raw)))
        elif kind not in _ASIDE:
            recorders[-1].take_frame(raw)
    return recorders


def _replace_specs(specs: list[dict[str, Any]]) -> Iterator[JsonObject]:
    """Replace users' solver files in lanes' specs by the names registered in this process."""
    stages, _ = OwnSolvers().translate_stages([stage for spec in specs for stage in spec["stages"]])
    named = iter(stages)
    for spec in specs:
        yield {**spec, "stages": [next(named) for _ in spec["stages"]]}


if __name__ == "__main__":
    main()
