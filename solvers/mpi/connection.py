"""Messages between a process and the ranks that it has started: over a socket, with length prefixes, without pickle.

Not over the standard input of ``mpiexec``: Open MPI 5 does not report its end to the processes.

A message is: uint64 size of its head, the head as JSON, then the bytes of each array in the order of the head, which
holds ``kind``, ``values``, and ``arrays``: name, dtype and shape. On the socket, the message's size, uint64, precedes
it.
"""

import json
import math
import select
import socket
import struct
from typing import Any, NamedTuple

import numpy as np

_SIZE = struct.Struct("<Q")


class Message(NamedTuple):
    """A received message."""

    kind: str
    values: dict[str, Any]
    arrays: dict[str, np.ndarray]


def encode(kind: str, values: dict[str, Any], arrays: dict[str, np.ndarray]) -> bytes:
    """Encode a message as bytes."""
    layout = [[name, array.dtype.str, array.shape] for name, array in arrays.items()]
    head = json.dumps({"kind": kind, "values": values, "arrays": layout}).encode()
    return b"".join(
        [_SIZE.pack(len(head)), head, *(np.ascontiguousarray(array).tobytes() for array in arrays.values())]
    )


def decode(message: bytes | bytearray) -> Message:
    """Decode a message; its arrays are views of the bytes."""
    at = _SIZE.size + _SIZE.unpack_from(message)[0]
    head, arrays = json.loads(message[_SIZE.size : at]), {}
    for name, dtype, shape in head["arrays"]:
        count = math.prod(shape)
        arrays[name] = np.frombuffer(message, dtype, count, at).reshape(shape)
        at += count * np.dtype(dtype).itemsize
    return Message(head["kind"], head["values"], arrays)


class Connection:
    """One end of a connection.

    Parameters
    ----------
    connection : socket.socket
        A stream socket; `close` closes it.
    """

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, message: bytes) -> None:
        """Send a message.

        Raises
        ------
        OSError
            If the other end is gone.
        """
        self._connection.sendall(_SIZE.pack(len(message)))
        self._connection.sendall(message)

    def receive(self) -> bytearray:
        """Wait for a message, and return its bytes.

        Raises
        ------
        EOFError
            If the other end is gone.
        """
        return self._bytes(_SIZE.unpack(self._bytes(_SIZE.size))[0])

    def ready(self, seconds: float) -> bool:
        """Whether a message, or the end of the connection, arrives within so many seconds."""
        return bool(select.select([self._connection], [], [], seconds)[0])

    def close(self) -> None:
        """Close the socket."""
        self._connection.close()

    def _bytes(self, count: int) -> bytearray:
        received = bytearray(count)
        view, at = memoryview(received), 0
        while at < count:
            try:
                count_read = self._connection.recv_into(view[at:])
            except OSError as error:
                raise EOFError from error
            if not count_read:
                raise EOFError
            at += count_read
        return received
