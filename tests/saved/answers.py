"""The server's answers on saved things as JSON, to compare releases.

Nothing here imports the project. Frames are read by a reader of their own, so that a change of the form in which they
are saved is seen.
"""

import contextlib
import hashlib
import io
import json
import struct
from collections import defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from typing import Any

import numpy as np

#: Climbs of a run that are looked at: the first ones, and the last.
CLIMBS = 4
#: Seconds after which a log does not come any more.
PATIENCE = 60.0
#: How far floats may lie apart, relatively; those of 32 bits by their rounding.
RELATIVE, FLOAT32 = 1e-9, 2.0**-22
#: What instances have come to say of their directions and missing edges, and that of all before.
_SAID_SINCE = {"directed": False, "missing": 0, "missing_weight": 0}
_FINAL = ("finished", "cancelled", "failed", "interrupted")

Frame = tuple[str, dict[str, Any], dict[str, np.ndarray]]


def decoded(raw: bytes) -> Frame:
    """Kind, values and arrays of a frame, in the first release's format."""
    size, header_size = struct.unpack_from("<II", raw)
    assert size == len(raw)
    values, body = json.loads(raw[8 : 8 + header_size]), raw[8 + header_size :]
    arrays = {}
    for name, (dtype, shape, offset) in values.pop("arrays").items():
        count = int(np.prod(shape))
        arrays[name] = np.frombuffer(body, dtype, count, offset).reshape(shape)
    return values.pop("kind"), values, arrays


def split(stream: bytes) -> Iterator[bytes]:
    """The frames in concatenated bytes."""
    at = 0
    while at < len(stream):
        (size,) = struct.unpack_from("<I", stream, at)
        yield stream[at : at + size]
        at += size


def digest(*parts: Any) -> str:
    """A short hash of bytes, arrays, texts and JSON values."""
    found = hashlib.sha256()
    for part in parts:
        if isinstance(part, np.ndarray):
            found.update(f"{part.dtype.str}{part.shape}".encode())
            found.update(np.ascontiguousarray(part).tobytes())
        else:
            found.update(part if isinstance(part, bytes) else json.dumps(part, sort_keys=True).encode())
    return found.hexdigest()[:16]


def frame_digest(frame: Frame, without: tuple[str, ...] = ()) -> str:
    """A hash of a frame's contents that does not depend on their order."""
    kind, values, arrays = frame
    stored = {name: value for name, value in values.items() if name not in without}
    return digest(
        kind, stored, *(part for name in sorted(arrays) if name not in without for part in (name, arrays[name]))
    )


def read_log(client: Any, run: str) -> tuple[list[bytes], list[bytes], list[int]]:
    """The frames sent when a run is opened, those of its log, and the iterations with a picture."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(_log, client, run).result(PATIENCE)


def _log(client: Any, run: str) -> tuple[list[bytes], list[bytes], list[int]]:
    opening: list[bytes] = []
    log: list[bytes] = []
    fields: list[int] = []
    # the end of the socket cancels what serves it, and the client of tests says so
    with contextlib.suppress(CancelledError), client.websocket_connect("/stream") as socket:
        socket.send_json({"op": "open", "run": run, "after": 0})
        while not log or decoded(log[-1])[0] != "state" or decoded(log[-1])[1]["state"] not in _FINAL:
            first, *frames = split(socket.receive_bytes())
            kind, values, _ = decoded(first)
            assert kind in ("status", "message"), values
            if kind == "status":
                continue
            socket.send_json({"op": "ack", "message": values["message"]})
            if values["what"] == "instance":
                opening = [json.dumps(values["spec"]).encode(), *frames]
            elif values["what"] == "log":
                log += frames
                fields += values["fields"]
    return opening, log, fields


def collect_answers(client: Any, run: str, gif: bool, instance: bytes | None = None) -> dict[str, Any]:
    """A server's data on a run, without its id there.

    A picture of a climb is told if it is wanted (`gif`); `instance` is the frame of which the server's own instance was
    made, if it was made anew.
    """
    summary = client.get(f"/runs/{run}").json()
    opening, log, fields = read_log(client, run)
    climbers = sorted({*range(min(CLIMBS, summary["recorded"])), max(0, summary["recorded"] - 1)})
    result = client.get(f"/runs/{run}/result.json")
    tour = client.get(f"/runs/{run}/best.tour")
    return {
        "summary": {name: value for name, value in summary.items() if name not in ("id", "title")},
        "opened_with": json.loads(opening[0]),
        "instance": _instance(decoded(opening[1]), None if instance is None else decoded(instance)),
        "log": _by_kind(log),
        "climbs": {str(climber): _climb(client, run, climber, gif and climber == 0) for climber in climbers},
        "pictures": {str(at): _pictures(client, run, at) for at in fields},
        "film": _film(client.get(f"/runs/{run}/film").content),
        "climbers.csv": digest(client.get(f"/runs/{run}/climbers.csv").content),
        "result": result.json(),
        "best.tour": tour.text if tour.status_code == 200 else tour.status_code,
    }


def _instance(now: Frame, then: Frame | None) -> str:
    """A hash of an instance; values that are to be drawn in floating point match to the bit, or are close to `then`.

    Cities without coordinates are laid out anew where a file is imported, by routines of linear algebra that end in
    other last digits on another processor. What instances have come to say is left out where they say what all were.
    """
    kind, values, arrays = now
    values = {name: value for name, value in values.items() if name not in _SAID_SINCE or value != _SAID_SINCE[name]}
    drawn = {} if then is None else {name: then[2][name] for name in ("display",) if name in then[2]}
    for name, then_at in drawn.items():
        if np.allclose(arrays[name], then_at, rtol=0.0, atol=RELATIVE * np.abs(then_at).max()):
            arrays = {**arrays, name: then_at}
    return frame_digest((kind, values, arrays), ("source",))


def _by_kind(log: Iterable[bytes]) -> dict[str, list[Any]]:
    """The number of events of each kind, and a hash of all of them."""
    kinds: dict[str, list[str]] = defaultdict(list)
    for raw in log:
        frame = decoded(raw)
        kinds[frame[0]].append(frame_digest(frame))
    return {kind: [len(found), digest(found)] for kind, found in sorted(kinds.items())}


def without_proofs(frames: Iterable[bytes]) -> dict[str, list[Any]]:
    """The number of events that say whether something is proven, and a hash of them as if none were; by kind as in a
    log.
    """
    kinds: dict[str, list[str]] = defaultdict(list)
    for kind, values, arrays in map(decoded, frames):
        if "proven" in values:
            kinds[kind].append(frame_digest((kind, {**values, "proven": False}, arrays)))
    return {kind: [len(found), digest(found)] for kind, found in kinds.items()}


def _climb(client: Any, run: str, climber: int, gif: bool) -> dict[str, Any]:
    answer = client.get(f"/runs/{run}/climbs/{climber}")
    if answer.status_code != 200:
        return {"status": answer.status_code}
    frame = decoded(answer.content)
    steps = frame[2]["delta"].size
    output = {"steps": int(steps), "complete": frame[1]["complete"], "holds": frame_digest(frame)}
    return {**output, "gif": animation(client.get(f"/runs/{run}/climbs/{climber}.gif").content)} if gif else output


def _pictures(client: Any, run: str, at: int) -> str:
    return digest([frame_digest(decoded(raw)) for raw in split(client.get(f"/runs/{run}/fields/{at}").content)])


def _film(raw: bytes) -> dict[str, Any]:
    frame = decoded(raw)
    return {"tours": len(frame[2]["at"]), "seconds": frame[1]["seconds"], "holds": frame_digest(frame)}


def animation(raw: bytes) -> dict[str, Any]:
    """The number of pictures of an animation, their size, and its duration."""
    from PIL import Image

    with Image.open(io.BytesIO(raw)) as picture:
        milliseconds = 0
        for number in range(picture.n_frames):
            picture.seek(number)
            milliseconds += picture.info["duration"]
        return {"pictures": picture.n_frames, "size": list(picture.size), "milliseconds": milliseconds}


def is_as_good(now: dict[str, Any], then: dict[str, Any]) -> bool:
    """Whether an animation is at least as large as an earlier release's, and its duration equal within two pictures."""
    larger = all(side >= before for side, before in zip(now["size"], then["size"], strict=True))
    return larger and abs(now["pictures"] - then["pictures"]) <= 2


def differences(then: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """The differences between two stories; see `story` for the compared values."""
    found = [name for name in {**then, **now} if name != "floats" and then.get(name) != now.get(name)]
    for name in {**then["floats"], **now["floats"]}:
        values = [np.concatenate([np.ravel(part) for part in entry["floats"].get(name, [[]])]) for entry in (then, now)]
        if values[0].shape != values[1].shape or not _close(*values):
            found.append(name)
    return found


def _close(then: np.ndarray, now: np.ndarray) -> bool:
    if then.dtype != now.dtype:
        return False
    if then.dtype == np.uint8:  # a trail's brightness: a number rounded to a level
        return bool((np.abs(then.astype(int) - now) <= 1).all())
    relative = FLOAT32 if then.dtype == np.float32 else RELATIVE
    return bool(np.allclose(now, then, rtol=relative, atol=0.0, equal_nan=True))


def story(frames: Iterable[bytes]) -> dict[str, Any]:
    """All that is the same whenever a run is repeated: everything but times, and how events are batched.

    Integers are held to the bit: tours, lengths, moves, counts. What is measured in floating point (trails, means,
    entropies) stands in ``floats`` and is held to `RELATIVE`: another processor may fuse a product and a sum, or have
    another ``pow``, and end in other last digits. Such a digit could also decide for another city of an ant, or another
    move of a chain, where two are as good as equal, and then tours differ. They are compared exactly all the same, as
    the golden lengths of all algorithms are. These runs are short, which makes it unlikely; it has not been tried on
    every kind of processor.
    """
    columns: dict[str, dict[str, list[Any]]] = defaultdict(lambda: defaultdict(list))
    answer: dict[str, Any] = {"started": [], "tours": [], "edges": [], "pictures": []}
    climbs: dict[int, list[Any]] = defaultdict(list)
    floats: dict[str, list[np.ndarray]] = defaultdict(list)
    for raw in frames:
        kind, values, arrays = decoded(raw)
        if kind in _COLUMNS:
            for name in _COLUMNS[kind]:
                columns[kind][name] += arrays[name].tolist()
            for name in _FLOATS.get(kind, ()):
                floats[f"{kind} {name}"].append(arrays[name])
        elif kind == "started":
            answer["started"].append([values["algorithm"], values["variant"], values["repeatable"]])
        elif kind == "tour":
            answer["tours"].append([values["climber"], values["length"], digest(arrays["order"])])
        elif kind == "edges":
            answer["edges"].append([kind, frame_digest((kind, values, arrays), ("at",))])
        elif kind in ("ants", "field"):
            at = values["iteration"]
            answer["pictures"].append([kind, at, frame_digest((kind, values, arrays), ("at", *_MEASURED))])
            for name in _MEASURED:
                if name in values or name in arrays:
                    floats[f"{kind} {at} {name}"].append(np.asarray(arrays.get(name, values.get(name))))
        elif kind == "moves":
            _join(climbs, arrays)
        elif kind == "layers":
            answer["layers"] = frame_digest((kind, values, arrays), ("at", "memory"))
        elif kind == "front":
            last = {name: arrays[name][-1:].tolist() for name in ("layer", "subsets", "states", "transitions")}
            answer["front"] = [last, values["proven"]]
        elif kind == "finished":
            answer["end"] = {name: values[name] for name in ("length", "iterations", "evaluations", "stop_reason")}
            answer["end"]["tour"] = arrays["order"].tolist()
    answer["climbs"] = {str(climber): [len(moves), digest(moves)] for climber, moves in sorted(climbs.items()) if moves}
    answer["best lengths"] = [length for _, length, _ in answer["tours"]]
    answer["pictures"].sort()
    return {**answer, **{kind: dict(each) for kind, each in columns.items()}, "floats": dict(floats)}


#: Of each kind of event that comes in columns, those of integers, and those of floats that are no times.
_COLUMNS = {
    "progress": ("iteration", "evaluations", "best", "current"),
    "rows": ("climber", "length", "moves", "evaluations"),
    "colony": ("iteration", "best", "worst", "trials"),
    "shortened": ("iteration",),
}
_FLOATS = {"progress": ("mean",), "colony": ("mean", "entropy", "branching"), "shortened": ("before", "after")}
#: What a picture of a colony has of the floats of its trails.
_MEASURED = ("low", "high", "heat", "trail")


def _join(climbs: dict[int, list[Any]], arrays: dict[str, np.ndarray]) -> None:
    """Add the moves of an event's pieces to their climbs; a climb begins with its start tour."""
    ends = np.cumsum(arrays["count"])
    moves = np.stack([arrays[name] for name in ("i", "j", "delta")], axis=1)
    for row, climber in enumerate(arrays["climber"].tolist()):
        if arrays["first"][row] == 0 and not climbs[climber]:
            climbs[climber] += [arrays["tours"][arrays["tour"][row]].tolist(), int(arrays["length"][row])]
        climbs[climber] += moves[ends[row] - arrays["count"][row] : ends[row]].tolist()
