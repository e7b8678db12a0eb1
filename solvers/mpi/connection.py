"""The connection between a process and the ranks that it started: a local socket with one frame per message.

The standard input of ``mpiexec`` is not used, since Open MPI 5 does not tell the processes when that ends.
"""

import socket
from multiprocessing.connection import Connection


def make_connection(link: socket.socket) -> Connection:
    """Make a connection from a blocking stream socket, which the connection then owns and closes."""
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return Connection(link.detach())
