"""Compiles all GPU kernels in the background, once per program version and kind of GPU.

The programs that compile (`runs.engine.gpu_kernels`) divide the list of runs among them. They are suspended while a run
is active or being prepared, because they would compete with it for cores and GPU. Windows cannot suspend a process by a
signal: there they continue at their low priority.
"""

import contextlib
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Mapping

from solvers.core.devices import cpu_threads
from solvers.worker.frames import decode, read_kind
from solvers.worker.process import Process, WorkerProcess

#: Environment variable with a program's share of the list: "1/4" is the first of four.
SHARE = "TOURSCOPE_SHARE"
#: The program's module, the maximum number of processes, and the number of the machine's threads required per process.
PROGRAM = "runs.engine.gpu_kernels"
MAX_PROCESSES, THREADS = 8, 2
_log = logging.getLogger("tourscope.worker")


class KernelBuilds:
    """The programs that compile kernels, started by `begin`.

    Parameters
    ----------
    process : callable
        Starts a worker's program by its module and environment; see `runs.engine.protocol.Engine.start_process`.
    report : callable
        Called with ``{"done": int, "of": int}`` on each change, in other threads.

    Attributes
    ----------
    started : bool
        Whether the programs were started, or never will be.
    """

    def __init__(
        self, process: Callable[[str, Mapping[str, str]], Process], report: Callable[[dict[str, int]], object]
    ) -> None:
        self._process, self._report = process, report
        self._lock = threading.Lock()
        self._programs: list[WorkerProcess] = []
        self._counts: dict[int, tuple[int, int]] = {}  # number of the program -> done, of
        self._is_suspended = self._closed = self.started = False

    def begin(self) -> None:
        """Start the programs; a second call does nothing."""
        with self._lock:
            if self.started:
                return
            self.started = True
        count = max(1, min(MAX_PROCESSES, cpu_threads() // THREADS))
        shares = [{SHARE: f"{number}/{count}"} for number in range(count)]
        programs = [WorkerProcess(self._process(PROGRAM, share), self._log_line) for share in shares]
        for program in programs:
            program.pid  # noqa: B018 - waits for its fork, outside the lock
        with self._lock:
            self._programs = programs
            self._end() if self._closed else self._suspend_or_resume()
        for number, program in enumerate(programs):
            threading.Thread(target=self._read, args=(number, program), name="kernels", daemon=True).start()

    def set_suspended(self, is_suspended: bool) -> None:
        """Suspend or resume the programs."""
        with self._lock:
            if is_suspended != self._is_suspended:
                self._is_suspended = is_suspended
                self._suspend_or_resume()

    def close(self) -> None:
        """End the programs permanently."""
        with self._lock:
            self.started = self._closed = True
            self._end()

    def _end(self) -> None:
        for program in self._programs:
            program.kill()

    def _suspend_or_resume(self) -> None:
        if sys.platform == "win32":
            return
        for program in self._programs:
            if program.alive():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(program.pid, signal.SIGSTOP if self._is_suspended else signal.SIGCONT)

    def _read(self, number: int, program: WorkerProcess) -> None:
        for frame in program.frames():
            if read_kind(frame) == "kernels":
                values = decode(frame).values
                with self._lock:
                    self._counts[number] = values["done"], values["of"]
                    is_complete = len(self._counts) == len(self._programs)
                    done, total = (sum(column) for column in zip(*self._counts.values(), strict=True))
                if is_complete:
                    self._report({"done": done, "of": total})
        program.close()

    @staticmethod
    def _log_line(line: str) -> None:
        _log.info("kernels: %s", line)
