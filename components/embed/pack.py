"""``python -m components.embed.pack``: packs runs for the notebook widget.

A process of `tourscope` writes frames to this program's input: a ``lane`` frame with the ``spec`` of a run, the
instance and the events of that run, then the next lane's; or a single ``file`` frame with the ``path`` of a run file.
The output is one frame: ``packed`` with the values ``embedded`` and ``player`` (the source of a function) and the array
``block``, or ``refused`` with a ``sentence``.
"""

import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from components.embed.__main__ import check_copy
from components.embed.embedded import add_land, embed_run
from components.embed.script import build_player
from components.shell import palette
from components.types import JsonObject
from data.errors import InvalidInstance
from runs.calls.own_solvers import OwnSolvers
from runs.embedding.parts import Parts, pack
from runs.embedding.recorder import Recorder
from runs.embedding.run import merge_progress, pack_instance
from runs.store.reader import RunReader
from runs.store.summary import find_solver
from runs.store.tour_timeline import build_film
from solvers.core.errors import RunFailed
from solvers.core.params import VERSION
from solvers.spec import RunSpec
from solvers.worker.frames import Frame, decode, encode, read_frame, read_kind

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


_LETTERS = "ABCD"
#: Maximum number of tours of a lane.
_MAX_TOURS = 240


def pack_race(files: Sequence[Path]) -> tuple[JsonObject, bytes]:
    """Pack a race's run files: ``EmbeddedRace`` of `assets/embed/types.d.ts`, and its parts' bytes.

    Raises
    ------
    ValueError, sqlite3.Error
        If a file is not a run file.
    """
    parts, lanes, algorithms = Parts(), list[JsonObject](), list[list[str]]()
    for number, path in enumerate(files):
        with RunReader(path) as reader:
            meta, instance = reader.meta(), pack_instance(decode(reader.instance()))
            log = [decode(raw) for kind in ("started", "finished") if (raw := reader.last(kind))]
            parts.add(f"lanes/{number}", pack([*merge_progress(reader), *log, _thin_film(decode(build_film(path)))]))
        algorithms.append([stage["algorithm"] for stage in meta.spec["stages"]])
        about: JsonObject = {"state": meta.state, "reason": meta.reason, "seed": meta.spec["seed"]}
        lanes.append({**about, "algorithms": algorithms[-1]})
    parts.add("head", pack([instance]))
    add_land(instance.values, parts)
    return {"lanes": lanes, "views": _views(algorithms), "parts": parts.places}, parts.block()


def _thin_film(film: Frame) -> Frame:
    """Thin a timeline evenly, keeping its last tour."""
    count = len(film.arrays["at"])
    rows = np.unique(np.linspace(0, count - 1, min(count, _MAX_TOURS)).round().astype(int)) if count else slice(0)
    return Frame(film.kind, film.values, {name: array[rows] for name, array in film.arrays.items()})


def _views(lanes: Sequence[Sequence[str]]) -> list[JsonObject]:
    styles = palette.choose_styles([algorithms[0] for algorithms in lanes])
    return [
        {
            "letter": _LETTERS[k],
            "title": " \u2192 ".join(find_solver(algorithm).title for algorithm in algorithms),
            "facts": "",
            **styles[k],
            "iteration": find_solver(algorithms[-1]).iteration_unit,
            "evaluation": "",
        }
        for k, algorithms in enumerate(lanes)
    ]


if __name__ == "__main__":
    main()
