"""One of the processes of a run that `solvers.mpi.remote_run` has started: ``python -m solvers.mpi.rank``.

Process 0 carries out orders from the connection, a slice of work at a time; the others follow.
"""

import os
import queue
import socket
import sys
import threading
from functools import partial

import numpy as np

import solvers
from data.instance import Instance
from solvers.mpi.connection import Connection, Message, decode, encode
from solvers.mpi.launcher import ADDRESS
from solvers.mpi.rank_task import RankTask, rank_task
from solvers.mpi.world import KNOWN, follow, join, or_all_end
from solvers.solver import Job, Solver
from solvers.stop import Budget

_FAULT = "A process of the run failed; the log has the details."


class RootConnection:
    """Process 0's end of the connection.

    Parameters
    ----------
    link : Connection

    Attributes
    ----------
    begin : bytearray
        The first message, which describes the run.
    """

    def __init__(self, link: Connection) -> None:
        self._link, self.begin = link, link.receive()
        self._orders: queue.Queue[Message] = queue.Queue()
        threading.Thread(target=self._listen, name="orders", daemon=True).start()

    def _listen(self) -> None:
        """Queue the orders; the end of the connection ends this process, and the launcher then ends the others."""
        try:
            while (order := decode(self._link.receive())).kind != "close":
                self._orders.put(order)
            self._orders.put(order)
        except EOFError:
            os._exit(1)

    def serve(self, part: RankTask) -> None:
        """Carry out orders until the run ends."""
        self._link.send(encode("ready", {}, {}))
        while (order := self._orders.get()).kind != "close":
            self._link.send(encode("told", *part.answer(order)))

    def failed(self, error: Exception) -> None:
        """Report an error, in one sentence for the user."""
        sentence = str(error) if isinstance(error, KNOWN) else _FAULT
        self._link.send(encode("failed", {"error": type(error).__name__, "sentence": sentence}, {}))


def connect() -> Connection:
    """Connect to the process that started this one."""
    port, _, password = os.environ[ADDRESS].partition(":")
    connection = socket.create_connection(("127.0.0.1", int(port)))
    connection.sendall(password.encode())
    return Connection(connection)


def job_of(begin: Message, solver: Solver) -> Job:
    """The job that the first message describes."""
    values, arrays = begin.values, begin.arrays
    n = int(values["n"])
    instance = Instance(
        values["name"], values["kind"], n, arrays.get("coordinates"), arrays.get("weights"), display=np.zeros((n, 2))
    )
    params = solver.params.from_mapping(values["params"])
    return Job(instance, params, int(values["seed"]), "cpu", Budget().start(), pictures=False)


def take_part(windows: bool) -> None:
    """Serve the connection as process 0, or follow process 0."""
    ranks = join(windows)
    run_service = RootConnection(connect()) if ranks.rank == 0 else None
    begin = decode(ranks.told(run_service.begin if run_service else bytearray()))
    solver = solvers.find(begin.values["algorithm"], solvers.SOLVERS)
    make = partial(rank_task, solver, job_of(begin, solver), ranks)
    if run_service is None:
        follow(make, ranks)
        return
    try:
        part = make()
        run_service.serve(part)
        part.close()
    except Exception as error:
        run_service.failed(error)
        if isinstance(error, KNOWN):
            ranks.close()
        raise
    ranks.close()


def main() -> None:
    """Take part in the run."""
    try:
        with or_all_end():
            take_part("--no-windows" not in sys.argv)
    except KNOWN:
        return  # process 0 has reported it


if __name__ == "__main__":
    main()
