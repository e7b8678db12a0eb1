"""One of the processes of a colony that `solvers.mpi_colony` has started: ``python -m solvers.mpi_rank``.

Process 0 does what it is told over the link, a slice of work at a time; the others follow.
"""

import os
import queue
import socket
import sys
import threading
from dataclasses import asdict

import numpy as np

from data.instance import Instance
from solvers.ant_colony_system import AntColonySystemParams
from solvers.ant_colony_system_cpu import AntColonySystemColony
from solvers.mpi_launch import ADDRESS
from solvers.mpi_link import Link, Message, decode, encode
from solvers.mpi_world import follow, join
from solvers.solver import Job
from solvers.stop import Budget


class Desk:
    """Process 0's end of the link.

    Parameters
    ----------
    link : Link

    Attributes
    ----------
    begin : bytearray
        The first message, which says what the run is.
    """

    def __init__(self, link: Link) -> None:
        self._link, self.begin = link, link.receive()
        self._orders: queue.Queue[Message] = queue.Queue()
        threading.Thread(target=self._listen, name="orders", daemon=True).start()

    def _listen(self) -> None:
        """Read what comes; the end of it ends this process, and the launcher then ends the others."""
        try:
            while (order := decode(self._link.receive())).kind != "close":
                self._orders.put(order)
            self._orders.put(order)
        except EOFError:
            os._exit(1)

    def serve(self, colony: AntColonySystemColony) -> None:
        """Do what comes until the run is to end."""
        self._link.send(encode("ready", {}, {}))
        while (order := self._orders.get()).kind != "close":
            if order.kind == "advance":
                found = colony.advance(order.values["until"])
                self._tell({} if found is None else asdict(found))
            elif order.kind == "trails":
                self._tell({"trails": colony.trails()})
            elif order.kind == "unfinished":
                self._tell({"order": colony.unfinished()})

    def failed(self, error: Exception) -> None:
        """Say what went wrong."""
        self._link.send(encode("failed", {"error": type(error).__name__, "sentence": str(error)}, {}))

    def _tell(self, arrays: dict[str, np.ndarray]) -> None:
        self._link.send(encode("told", {}, arrays))


def connect() -> Link:
    """Reach who started this process."""
    port, _, password = os.environ[ADDRESS].partition(":")
    connection = socket.create_connection(("127.0.0.1", int(port)))
    connection.sendall(password.encode())
    return Link(connection)


def job_of(begin: Message) -> Job:
    """The job that the first message holds."""
    values, arrays = begin.values, begin.arrays
    n = int(values["n"])
    instance = Instance(
        values["name"], values["kind"], n, arrays.get("coordinates"), arrays.get("weights"), display=np.zeros((n, 2))
    )
    params = AntColonySystemParams.from_mapping(values["params"])
    return Job(instance, params, int(values["seed"]), "cpu", Budget().start(), pictures=False)


def main() -> None:
    """Take part in the run."""
    windows = "--no-windows" not in sys.argv
    ranks = join(windows)
    desk = Desk(connect()) if ranks.rank == 0 else None
    job = job_of(decode(ranks.told(desk.begin if desk else bytearray())))
    if desk is None:
        assert isinstance(job.params, AntColonySystemParams)
        follow(AntColonySystemColony(job, 1, ranks), ranks, job.params.iterations)
        return
    try:
        colony = AntColonySystemColony(job, 1, ranks)
        try:
            desk.serve(colony)
        finally:
            colony.close()
    except Exception as error:
        desk.failed(error)
        raise


if __name__ == "__main__":
    main()
