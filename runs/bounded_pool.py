"""Separate thread pools for slow work, so that it never delays Start, Cancel or a stream.

The server's other threads are the few dozen shared by all routes and the asyncio threads shared by all callbacks. Slow
requests from strangers would fill them, so each kind of slow work has its own threads and a bounded queue.
"""

import asyncio
import contextvars
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from runs.computing.answer import PoolFull

T = TypeVar("T")


class BoundedPool:
    """A pool of threads for one kind of work, with a bounded queue.

    Parameters
    ----------
    name : str
        Name of its threads.
    threads : int
    max_waiting : int
        Maximum length of the queue.
    """

    def __init__(self, name: str, threads: int, max_waiting: int) -> None:
        self._capacity, self._inside = threads + max_waiting, 0
        self._lock = threading.Lock()
        self._threads = ThreadPoolExecutor(threads, name)

    async def run(self, function: Callable[..., T], *arguments: object) -> T:
        """Call the function in the pool as the current visitor, and return its result.

        Raises
        ------
        PoolFull
        """
        with self._lock:
            if self._inside >= self._capacity:
                raise PoolFull
            self._inside += 1
        try:
            run = contextvars.copy_context().run
            return await asyncio.get_running_loop().run_in_executor(self._threads, run, function, *arguments)
        finally:
            with self._lock:
                self._inside -= 1


#: Reading uploaded files and pictures; each is read by a sandboxed child process.
IMPORTS = BoundedPool("imports", 2, 62)
#: Comparing runs, which reads their instances.
COMPARISONS = BoundedPool("comparisons", 1, 63)
#: Recomputing climbs: a whole class may request the climb that its lecturer shows.
REPLAYS = BoundedPool("replays", 2, 254)
