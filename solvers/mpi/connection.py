"""The connection between a process and the ranks that it has started: frames, each a message on a local socket.

Not over the standard input of ``mpiexec``: Open MPI 5 does not report its end to the processes.
"""

import socket
from multiprocessing.connection import Connection


def connection_over(link: socket.socket) -> Connection:
    """A connection over a stream socket that blocks, which is used up: the connection closes it."""
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return Connection(link.detach())
