"""A sequence of kernel launches as one: a CUDA graph, captured while Numba launches the kernels.

Imports Numba: for use inside `solve()`, with a card.
"""

from collections.abc import Callable
from typing import Any


class Graph:
    """What `launch` puts on a stream, to be launched again and again as one.

    Numba's launches pass arguments by value, so that a graph repeats them as they are: what is to change from one
    replay to the next, such as the number of the iteration, must lie in device memory.

    Parameters
    ----------
    stream : numba.cuda Stream
        Not the default one, which cannot be captured.
    launch : callable
        Launches kernels on `stream`, all of them compiled and launched before: it must allocate and load nothing.

    Raises
    ------
    RuntimeError
        If the driver refuses.
    """

    def __init__(self, stream, launch: Callable[[], None]) -> None:
        from cuda.bindings import driver

        self._driver, self._stream = driver, int(stream.handle)
        mode = driver.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL
        self._ask(driver.cuStreamBeginCapture(self._stream, mode))
        try:
            launch()
        finally:
            graph = self._ask(driver.cuStreamEndCapture(self._stream))
        self._graph = graph
        self._executable = self._ask(driver.cuGraphInstantiate(graph, 0))

    def replay(self) -> None:
        """Launch all of it once more, and return at once."""
        self._ask(self._driver.cuGraphLaunch(self._executable, self._stream))

    def close(self) -> None:
        """Give the graph back."""
        self._ask(self._driver.cuGraphExecDestroy(self._executable))
        self._ask(self._driver.cuGraphDestroy(self._graph))

    @staticmethod
    def _ask(answer: tuple) -> Any:
        code, *values = answer
        if int(code) != 0:
            raise RuntimeError(f"the driver refuses a graph of launches: {code.name}")
        return values[0] if values else None
