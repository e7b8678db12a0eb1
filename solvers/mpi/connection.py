"""The connection between a process and the ranks it started: a local socket with one message per frame.

The standard input of ``mpiexec`` is not used, since Open MPI 5 does not report its end to the processes.
"""

import socket
from multiprocessing.connection import Connection


def make_connection(link: socket.socket) -> Connection:
    """Make a connection from a blocking stream socket, which it then owns and closes."""
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return Connection(link.detach())
