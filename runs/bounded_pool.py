"""Separate threads for slow work, so that it never delays Start, Cancel or a stream.

The server's other threads are a few dozen that all routes share, and those of asyncio that all callbacks share. What a
stranger can make take seconds would fill them; so each kind of it has threads of its own, and a bound on how many wait.
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
    """Threads for one kind of work.

    Parameters
    ----------
    name : str
        Of its threads.
    threads : int
    waiting : int
        How many may wait for one of them.
    """

    def __init__(self, name: str, threads: int, waiting: int) -> None:
        self._most, self._inside = threads + waiting, 0
        self._lock = threading.Lock()
        self._threads = ThreadPoolExecutor(threads, name)

    async def run(self, function: Callable[..., T], *arguments: object) -> T:
        """Call the function in the pool as the current visitor, and return its result.

        Raises
        ------
        PoolFull
        """
        with self._lock:
            if self._inside >= self._most:
                raise PoolFull
            self._inside += 1
        try:
            run = contextvars.copy_context().run
            return await asyncio.get_running_loop().run_in_executor(self._threads, run, function, *arguments)
        finally:
            with self._lock:
                self._inside -= 1


#: Files and pictures that are read, each by a child process with limits of its own.
IMPORTS = BoundedPool("imports", 2, 62)
#: Comparisons of runs, whose instances are read for them.
COMPARISONS = BoundedPool("comparisons", 1, 63)
#: Climbs that are computed again; a class asks for the one that its lecturer shows all at once.
REPLAYS = BoundedPool("replays", 2, 254)
