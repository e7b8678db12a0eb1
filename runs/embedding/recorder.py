"""Writes a run's events to a temporary run file, for callers that need only the file."""

import json
import tempfile
import time
from contextlib import AbstractContextManager
from pathlib import Path

from data.instance import Instance
from runs.store.climb import list_piece_keys
from runs.store.pheromone import find_iteration
from runs.store.run_file import Entry, RunWriter, make_state_entry
from solvers.core.events import Event
from solvers.spec import RunSpec
from solvers.worker.frames import decode, encode_event_frame, encode_instance_frame

#: Id of the recorded run; no data folder has such a run.
_ID = "embedded-run"
#: Number of events written in one transaction.
_BATCH = 64


class Recorder(AbstractContextManager["Recorder"]):
    """Writes a run file event by event; a context manager that deletes the file on exit.

    Parameters
    ----------
    spec : RunSpec
    instance : Instance or bytes
        The instance or its frame.
    """

    def __init__(self, spec: RunSpec, instance: Instance | bytes) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._path = Path(self._folder.name) / "run.tourscope"
        text = json.dumps(spec.to_json(), separators=(",", ":"))
        raw = instance if isinstance(instance, bytes) else encode_instance_frame(instance)
        self._writer = RunWriter.create(self._path, _ID, time.time(), text, raw)
        self._batch: list[Entry] = []
        self._state = ("interrupted", "")

    def __exit__(self, *_: object) -> None:
        self._writer.close()
        self._folder.cleanup()

    def take(self, event: Event) -> None:
        """Write an event of the run."""
        self.take_frame(encode_event_frame(event, time.time()))

    def take_frame(self, raw: bytes) -> None:
        """Write an event that is already encoded as a frame."""
        frame = decode(raw)
        if frame.kind == "finished":
            reason = frame.values["stop_reason"]
            self._state = ("cancelled", "") if reason == "cancelled" else ("finished", reason)
        self._batch.append(Entry(frame.values["at"], frame.kind, raw, list_piece_keys(frame), find_iteration(frame)))
        if len(self._batch) >= _BATCH:
            self._flush()

    def file(self) -> Path:
        """Finish and return the run file, after the last event."""
        self._batch.append(make_state_entry(*self._state))
        self._flush()
        self._writer.finish()
        return self._path

    def _flush(self) -> None:
        self._writer.append(self._batch, self._state)
        self._batch = []
