"""The definition of "nothing lost": the one check for all faults.

For each run, with what a viewer was told before the fault and what is answered after it:

- the numbers that the viewer had came once and in order, and are the first that there are now, with the same bytes;
- the file has every number from 1 to its last, once;
- every tour that was shown is a permutation of the cities and as long as was said, and the best of them is in the file;
- no run is called running or paused that has no worker.
"""

import contextlib
import hashlib
import sqlite3
from pathlib import Path

import numpy as np

from data.distances import tour_length
from runs.store.reader import RunReader
from runs.store.run_file import FINAL
from solvers.worker.frames import decode, decode_instance
from tests.viewer import Seen


def lost_events(path: Path, *answer: Seen) -> str:
    """The events that viewers received and the run's file lacks; empty if nothing is lost.

    Parameters
    ----------
    path : Path
        The file of a finished run, after the fault.
    *told : Seen
        The messages to each viewer.
    """
    with RunReader(path) as reader:
        meta, instance = reader.meta(), decode_instance(decode(reader.instance()))
        log = {row[0]: bytes(row[2]) for row in reader.log(0, 1 << 62)}
        tours = [decode(raw) for raw in reader.read_frames("tour")]
    with contextlib.closing(sqlite3.connect(path)) as connection:
        everything = [row[0] for row in connection.execute("SELECT seq FROM events ORDER BY seq")]
    if meta.state not in FINAL:
        return f"it is called {meta.state}"
    if everything != list(range(1, len(everything) + 1)):
        return "numbers are missing or twice in the file"
    visible = min((tour.values["length"] for tour in tours), default=None)
    for seen in answer:
        if why := _of_viewer(seen, log, instance, visible):
            return why
    return ""


def _of_viewer(seen: Seen, log: dict[int, bytes], instance, saved: int | None) -> str:
    numbers = list(log)
    if seen.seqs != numbers[: len(seen.seqs)]:
        return f"told {seen.seqs[-5:]}, and there are {numbers[-5:]}"
    if wrong := [number for number, frame in seen.frames.items() if log[number] != frame]:
        return f"{len(wrong)} events are not as they were told, first {wrong[0]}"
    best = None
    for frame in map(decode, seen.frames.values()):
        if frame.kind == "tour":
            if why := _of_tour(instance, frame.values["length"], frame.arrays["order"]):
                return why
            best = min(frame.values["length"], best or frame.values["length"])
    if best is not None and (saved is None or saved > best):
        return f"a tour of {best} was shown, and the best that is kept is {saved}"
    for length, order in dict(seen.tours).items():
        if why := _of_tour(instance, length, order):
            return why
    return ""


def _of_tour(instance, length: int, order: np.ndarray) -> str:
    if sorted(order.tolist()) != list(range(instance.n)):
        return f"a tour of {length} does not visit each city once"
    measured = tour_length(instance, order)
    return "" if measured == length else f"a tour of {measured} was shown as {length}"


def digests(folder: Path) -> dict[str, str]:
    """The SHA-256 of every file below a folder, by its path."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
