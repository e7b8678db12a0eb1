"""The process that forks workers: ``python -m solvers.worker.fork_server_main DESCRIPTOR MODULE``.

It loads all workers' modules by the steps of ``MODULE.preload()``, and never starts a thread or touches a GPU, so that
a fork inherits everything within milliseconds. The parent's side is `solvers.worker.fork_server`.
"""

import ctypes
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
import time
import traceback
from collections.abc import Callable, Generator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from solvers.worker.small_memory import return_memory
from solvers.worker.worker_io import lower_priority

#: Maximum number of bytes and of file descriptors per message.
MESSAGE_BYTES, DESCRIPTORS = 1 << 16, 3
#: Environment variable that `run_in_forks` sets in its forks, which must not fork again.
SHARES = "TOURSCOPE_SHARES_WORK"
#: The step of a preload during which forks compile; these end when something else needs the processor.
COMPILING = "compiling"
#: Seconds between two checks whether a fork has ended.
_PAUSE = 0.02
_PR_SET_PDEATHSIG = 1


class _ForkLoop:
    """Answers the parent's requests, and reports when workers end.

    Parameters
    ----------
    parent : socket.socket
        A socket of type ``SOCK_SEQPACKET``: a message is one packet of JSON.
    """

    def __init__(self, parent: socket.socket) -> None:
        self._parent = parent
        self._pids: dict[int, int] = {}  # request number -> process, until its end is reported
        self._numbers: dict[int, int] = {}  # process descriptor -> request number
        self._poll = select.poll()
        self._poll.register(parent, select.POLLIN)
        self._idle_from = 0.0  # start time of the next step of the preload

    def serve(self, preload: Callable[[], Generator[str, None, None]]) -> None:
        """Load the modules while answering the parent, then serve requests until it ends.

        Forks that compile are killed rather than suspended: a run may need the very kernel that such a fork compiles.
        """
        steps = preload()
        while (step := next(steps, None)) is not None:
            self._tell(stage="compiling")
            self._answer(0.0)
            if step == COMPILING and self._idle_from > time.monotonic():
                steps.close()
                steps = preload()
            while (hold := self._idle_from - time.monotonic()) > 0:
                self._answer(hold)
        gc.collect()
        return_memory()
        gc.freeze()  # otherwise garbage collection in a fork would copy every page that it visits
        self._tell(stage="ready")
        while True:
            self._answer(None)

    def _answer(self, seconds: float | None) -> None:
        """Wait up to `seconds` for requests, and answer all pending ones."""
        for descriptor, _ in self._poll.poll(None if seconds is None else 1000 * seconds):
            if descriptor == self._parent.fileno():
                self._take()
            else:
                self._reap(descriptor)

    def _take(self) -> None:
        raw, descriptors, _, _ = socket.recv_fds(self._parent, MESSAGE_BYTES, DESCRIPTORS)
        if not raw:  # the parent has ended
            os._exit(0)
        message = json.loads(raw)
        if "hold" in message:
            self._idle_from = time.monotonic() + message["hold"]
        elif "fork" in message:
            self._fork(message["fork"], message["module"], message["environment"], descriptors)
            for descriptor in descriptors:
                os.close(descriptor)
        elif message["kill"] in self._pids:
            os.kill(self._pids[message["kill"]], signal.SIGKILL)

    def _fork(self, number: int, module: str, environment: dict[str, str], descriptors: list[int]) -> None:
        parent = os.getpid()
        try:
            pid = os.fork()
        except OSError as error:
            print(f"No worker could be forked: {error}", file=sys.stderr, flush=True)
            self._tell(ended=number, status=1)
            return
        if pid == 0:
            self._parent.close()
            _do_and_exit(partial(_become, module, environment, descriptors), parent)
        self._pids[number] = pid
        descriptor = os.pidfd_open(pid)
        self._numbers[descriptor] = number
        self._poll.register(descriptor, select.POLLIN)
        self._tell(forked=number, pid=pid)

    def _reap(self, descriptor: int) -> None:
        self._poll.unregister(descriptor)
        os.close(descriptor)
        number = self._numbers.pop(descriptor)
        _, status = os.waitpid(self._pids.pop(number), 0)
        self._tell(ended=number, status=os.waitstatus_to_exitcode(status))

    def _tell(self, **values: Any) -> None:
        try:
            self._parent.send(json.dumps(values).encode())
        except OSError:  # the parent has ended
            os._exit(0)


def run_in_forks(calls: Sequence[Callable[[], object]], count: int, niceness: int = 0) -> Generator[None, None, None]:
    """Call at most 256 functions in `count` forks, which take them one by one; yield several times a second."""
    parent = os.getpid()
    pids = []
    read_end, write_end = os.pipe()
    os.write(write_end, bytes(range(len(calls))))
    os.close(write_end)

    def work() -> None:
        os.nice(niceness)
        while number := os.read(read_end, 1):  # one process reads each byte
            calls[number[0]]()

    try:
        for _ in range(count):
            pids.append(pid := os.fork())
            if pid == 0:
                os.environ[SHARES] = "1"
                signal.signal(signal.SIGINT, signal.SIG_IGN)  # the fork ends together with its parent
                _do_and_exit(work, parent)
        while pids:
            while os.waitpid(pids[-1], os.WNOHANG)[0] == 0:
                yield
                time.sleep(_PAUSE)
            pids.pop()
    finally:  # if the caller abandons the generator
        os.close(read_end)
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def _do_and_exit(work: Callable[[], object], parent: int) -> NoReturn:
    """Run `work` in a fork and then exit; exit at the latest when the parent ends."""
    status = 1
    try:
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() == parent:  # otherwise the parent has already ended
            work()
            status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001 - no error may return into the parent's loop
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _become(module: str, environment: dict[str, str], descriptors: list[int]) -> None:
    """Become a worker that runs ``main()`` of `module`."""
    os.setsid()  # signals to the server's group must not reach the worker
    for target, descriptor in enumerate(descriptors):
        os.dup2(descriptor, target)
        os.close(descriptor)
    os.environ.update(environment)
    Path("/proc/self/comm").write_text(module[:15], encoding="ascii")  # the name shown by ps and top
    importlib.import_module(module).main()


def main() -> None:
    """Serve until the parent ends."""
    parent = socket.socket(fileno=int(sys.argv[1]))
    os.dup2(2, 1)  # libraries may print to the standard output
    lower_priority()  # workers inherit this
    _ForkLoop(parent).serve(importlib.import_module(sys.argv[2]).preload)


if __name__ == "__main__":
    main()
