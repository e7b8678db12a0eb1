"""Separate thread pools for slow work, so that it never delays Start, Cancel or a stream.

The server's other threads are the few dozen shared by all routes and the asyncio threads shared by all callbacks. Slow
requests from strangers would fill them, so each kind of slow work has its own threads and a bounded queue. A request
does not reveal whether its callback must load a large instance. So every callback starts in the shared threads
(`run_in_thread`), and starts again in a pool of its own once it needs a large instance.
"""

import asyncio
import contextvars
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect

from runs.abandoned import ABANDONED
from runs.computing.answer import PoolFull
from runs.visitors import wait_until_left

T = TypeVar("T")
#: Whether the current work must be short, because it is in a thread that all callbacks share.
_IS_SHARED_THREAD = contextvars.ContextVar("in_haste", default=False)


class TakesLong(Exception):
    """The current work would occupy a thread that all callbacks share; see `run_in_thread`."""


def require_slow_thread() -> None:
    """Raise `TakesLong` before long work in a thread that all callbacks share.

    Raises
    ------
    TakesLong
        In a thread that all callbacks share.
    """
    if _IS_SHARED_THREAD.get():
        raise TakesLong


class BoundedPool:
    """A thread pool for one kind of work, with a bounded queue.

    Parameters
    ----------
    name : str
        Name of the pool's threads.
    threads : int
    max_waiting : int
        Maximum length of the queue.
    shared : bool, optional
        Whether the work is for several clients, so that it continues when the client who requested it leaves.
    """

    def __init__(self, name: str, threads: int, max_waiting: int, shared: bool = False) -> None:
        self._capacity, self._inside, self._shared = threads + max_waiting, 0, shared
        self._lock = threading.Lock()
        self._executor = ThreadPoolExecutor(threads, name)

    async def run(self, function: Callable[..., T], *arguments: object) -> T:
        """Call the function in the pool as the current visitor and return its result.

        If nobody waits any more, work in the queue is dropped, and `is_abandoned` becomes true for work in progress.

        Raises
        ------
        PoolFull
        ClientDisconnect
            If the client leaves first.
        """
        with self._lock:
            if self._inside >= self._capacity:
                raise PoolFull
            self._inside += 1
        abandoned, context = threading.Event(), contextvars.copy_context()
        context.run(ABANDONED.set, abandoned)
        work = asyncio.get_running_loop().run_in_executor(self._executor, context.run, function, *arguments)
        awaited: set[asyncio.Future[Any]] = {work}
        if not self._shared:
            awaited.add(asyncio.create_task(wait_until_left()))
        try:
            await asyncio.wait(awaited, return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                raise ClientDisconnect
            return work.result()
        finally:
            abandoned.set()
            for each in awaited:
                each.cancel()
            with self._lock:
                self._inside -= 1


#: Reads uploaded files and pictures, each in a sandboxed child process.
IMPORTS = BoundedPool("imports", 2, 62)
#: Compares runs, which requires reading their instances.
COMPARISONS = BoundedPool("comparisons", 1, 63)
#: Recomputes climbs: a whole class may request the climb that its lecturer shows.
REPLAYS = BoundedPool("replays", 2, 254, shared=True)
#: Sends commands to runs, races and studies, such as Cancel, which are quick and must not wait for other callbacks.
CONTROLS = BoundedPool("controls", 2, 1022, shared=True)
#: Runs callbacks that load a large instance in a process; one at a time, since each takes much memory.
INSTANCES = BoundedPool("instances", 1, 255)


async def run_in_thread(function: Callable[..., T], *arguments: Any) -> T:
    """Call a function in a thread that all callbacks share, or in `INSTANCES` once it needs a large instance.

    The function must change nothing before it loads the instance.

    Raises
    ------
    PoolFull
    ClientDisconnect
        If the client leaves while the instance is loaded.
    """
    context = contextvars.copy_context()
    context.run(_IS_SHARED_THREAD.set, True)
    try:
        return await asyncio.get_running_loop().run_in_executor(None, partial(context.run, function, *arguments))
    except TakesLong:
        return await INSTANCES.run(function, *arguments)
