"""Makes the processes of a run wait for each other and end together, by MPI. Imports mpi4py, which starts MPI.

Process 0 may pause between two slices of its work for any length of time, and may end the run there. So before data is
exchanged, all other processes tell process 0 that they are ready, and wait, mostly asleep, until it answers "go" or
"end". The collective operation that follows then never waits long.
"""

import os
import time
from collections.abc import Generator

import numpy as np
from mpi4py import MPI

_GO, _END = 1, 2
_READY, _BYE = 1, 2
#: Seconds to wait without sleeping. After that, the length of each sleep as a share of the wait so far, and the longest
#: sleep in seconds.
_POLL_SECONDS, _SLEEP_SHARE, _MAX_SLEEP = 0.001, 0.05, 0.005


class RunOver(Exception):
    """Process 0 has ended the run; raised in the other processes."""


class Rendezvous:
    """Makes the processes of a communicator wait for each other; rank 0 coordinates them.

    Parameters
    ----------
    comm : mpi4py.MPI.Comm
        The processes' communicator, which nothing else uses.

    Attributes
    ----------
    over : bool
        Whether this process has left the run.
    """

    def __init__(self, comm: MPI.Comm) -> None:
        self._comm, self._is_root = comm, comm.Get_rank() == 0
        self.over, self._parent = comm.Get_size() == 1, os.getppid()
        self._others = range(1, comm.Get_size()) if self._is_root else range(0)
        self._inbox = np.zeros((comm.Get_size(), 1), np.uint8)
        self._from_others = {k: comm.Irecv(self._inbox[k], source=k) for k in self._others}
        self._message = np.zeros(1, np.uint8)
        self._from_root = comm.Irecv(self._message, source=0) if not (self.over or self._is_root) else MPI.REQUEST_NULL
        self._awaiting_root = False  # process 0's message, awaited by a suspended `wait_for_all`

    def wait_for_all(self) -> Generator[None, None, None]:
        """Wait until all processes have called this, and yield meanwhile.

        Raises
        ------
        RunOver
            In a process other than 0, if process 0 has ended the run.
        """
        if self.over:
            return
        if not self._is_root:
            self._send_to_root(_READY)
            yield from self._await_root()
            return
        for k in self._others:
            yield from _poll(self._from_others[k])
            self._receive(k)
        self._send_to_all(_GO)

    def check(self) -> None:
        """Raise `RunOver` if the run is over; processes other than 0 call this between slices."""
        _check_parent(self._parent)
        if not self._awaiting_root and self._from_root.Test():
            self._handle()

    def wait_for(self, request: MPI.Request) -> None:
        """Wait for an MPI request, asleep most of the time."""
        for _ in _poll(request):
            _check_parent(self._parent)

    def wait(self) -> None:
        """Wait for the run to end, in processes other than 0."""
        try:
            for _ in self._await_root():
                _check_parent(self._parent)
        except RunOver:
            return

    def close(self) -> None:
        """End the run: process 0 notifies the others and waits until they have left."""
        if self.over:
            return
        self.over = True
        if not self._is_root:
            self._send_to_root(_BYE)
            return
        self._send_to_all(_END)
        for k in self._others:
            kind = 0
            while kind != _BYE:
                self.wait_for(self._from_others[k])
                kind = self._receive(k)

    def _await_root(self) -> Generator[None, None, None]:
        """Wait for process 0's message, and yield meanwhile."""
        self._awaiting_root = True
        for _ in _poll(self._from_root):
            _check_parent(self._parent)
            yield
        self._awaiting_root = False
        self._handle()

    def _handle(self) -> None:
        if self._message[0] == _END:
            raise RunOver
        self._from_root = self._comm.Irecv(self._message, source=0)

    def _send_to_root(self, kind: int) -> None:
        self._comm.Send(np.array([kind], np.uint8), dest=0)

    def _send_to_all(self, message: int) -> None:
        for k in self._others:
            self._comm.Send(np.array([message], np.uint8), dest=k)

    def _receive(self, k: int) -> int:
        """Return a process's message, and start to receive its next one unless it has left."""
        kind = int(self._inbox[k, 0])
        if kind != _BYE:
            self._from_others[k] = self._comm.Irecv(self._inbox[k], source=k)
        return kind


def _poll(request: MPI.Request) -> Generator[None, None, None]:
    """Wait for a message, at first by polling, later mostly asleep; yield after each check."""
    start_time = time.perf_counter()
    while not request.Test():
        waited = time.perf_counter() - start_time
        if waited > _POLL_SECONDS:
            time.sleep(min(_SLEEP_SHARE * waited, _MAX_SLEEP))
        elif hasattr(os, "sched_yield"):
            os.sched_yield()
        yield


def _check_parent(parent: int) -> None:
    """End this process at once if its parent has ended, since nothing else would end it."""
    if os.getppid() != parent:
        os._exit(1)
