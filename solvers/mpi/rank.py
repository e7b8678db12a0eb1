"""The program of the processes that `solvers.mpi.remote_run` starts: ``python -m solvers.mpi.rank``.

Process 0 carries out requests from the connection, one slice of work at a time; the others follow.
"""

import os
import queue
import socket
import sys
import threading
from functools import partial
from multiprocessing.connection import Connection

import solvers
from solvers.core.solver import ONE_THREAD, Job, Solver
from solvers.core.stop import Budget
from solvers.mpi.connection import make_connection
from solvers.mpi.launcher import ADDRESS
from solvers.mpi.rank_task import RankTask
from solvers.mpi.world import RUN_ERRORS, abort_all_on_error, follow, join
from solvers.worker.frames import Frame, decode, decode_instance, encode, split

_FAULT = "A process of the run failed; the log has the details."


class RootConnection:
    """Process 0's end of the connection.

    Parameters
    ----------
    link : Connection

    Attributes
    ----------
    begin : bytes
        The first message, which describes the run.
    """

    def __init__(self, link: Connection) -> None:
        self._link, self.begin = link, link.recv_bytes()
        self._requests: queue.Queue[Frame] = queue.Queue()
        threading.Thread(target=self._listen, name="orders", daemon=True).start()

    def _listen(self) -> None:
        """Queue requests; when the connection ends, this process ends too, and the launcher ends the others."""
        try:
            while (request := decode(self._link.recv_bytes())).kind != "close":
                self._requests.put(request)
            self._requests.put(request)
        except (EOFError, OSError):
            os._exit(1)

    def serve(self, task: RankTask) -> None:
        """Carry out requests until the run ends."""
        self._link.send_bytes(encode("ready", {}, {}))
        while (request := self._requests.get()).kind != "close":
            self._link.send_bytes(encode("answer", *task.answer(request)))

    def report_failure(self, error: Exception) -> None:
        """Report an error to the user, in one sentence."""
        sentence = str(error) if isinstance(error, RUN_ERRORS) else _FAULT
        self._link.send_bytes(encode("failed", {"error": type(error).__name__, "sentence": sentence}, {}))


def connect() -> Connection:
    """Connect to the process that started this one."""
    port, _, password = os.environ[ADDRESS].partition(":")
    link = socket.create_connection(("127.0.0.1", int(port)))
    link.sendall(password.encode())
    return make_connection(link)


def read_job(begin: Frame, instance: Frame, solver: Solver) -> Job:
    """Build the job from the first message's two frames."""
    values, stop = begin.values, Budget().start()
    params = solver.params.from_mapping(values["params"])
    variant = next((variant for variant in solver.variants if variant.name == values["variant"]), ONE_THREAD)
    return Job(decode_instance(instance), params, values["seed"], "cpu", stop, pictures=False, variant=variant)


def join_run(windows: bool) -> None:
    """Serve the connection as process 0, or follow process 0."""
    ranks = join(windows)
    connection = RootConnection(connect()) if ranks.rank == 0 else None
    begin, instance = map(decode, split(ranks.broadcast(connection.begin if connection else b"")))
    solver = solvers.find(begin.values["algorithm"], solvers.SOLVERS)
    make = partial(solver.part, read_job(begin, instance, solver), ranks)
    if connection is None:
        follow(make, ranks)
        return
    try:
        task = make()
        connection.serve(task)
        task.close()
    except Exception as error:
        connection.report_failure(error)
        if isinstance(error, RUN_ERRORS):
            ranks.close()
        raise
    ranks.close()


def main() -> None:
    """Take part in the run."""
    try:
        with abort_all_on_error():
            join_run("--no-windows" not in sys.argv)
    except RUN_ERRORS:
        return  # process 0 has already reported the error


if __name__ == "__main__":
    main()
