"""A fake bound process with scripted output."""

import os
import threading

from data.collection.bounds import KnownBound
from runs.bounds.board import BoundState
from tests.clock import PATIENCE


class ScriptedProcess:
    """See `solvers.worker.process.Process`."""

    pid = 0

    def __init__(self):
        pipes = [os.pipe() for _ in range(3)]
        self._ours = [os.fdopen(pipes[0][0], "rb"), *(os.fdopen(pipe[1], "wb") for pipe in pipes[1:])]
        self.stdin = os.fdopen(pipes[0][1], "wb")
        self.stdout, self.stderr = (os.fdopen(pipe[0], "rb") for pipe in pipes[1:])
        self.status, self.killed = None, 0
        self._over, self._lock = threading.Event(), threading.Lock()

    def say(self, *heights, ended=False):
        rows = tuple((float(k), k, height) for k, height in enumerate(heights))
        self.write(BoundState("computing", KnownBound(rows, 1.0, 5, ended)).frame(str))

    def write(self, raw):
        self._ours[1].write(raw)
        self._ours[1].flush()

    def end(self, status=0):
        with self._lock:
            if self.status is None:
                self.status = status
                for stream in self._ours:
                    stream.close()
                self._over.set()

    def poll(self):
        return self.status

    def wait(self):
        assert self._over.wait(PATIENCE)
        return self.status

    def kill(self):
        self.killed += 1
        self.end(-9)
