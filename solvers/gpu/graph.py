"""A sequence of kernel launches as one CUDA graph, which is captured while Numba launches them.

Imports Numba: for use inside `solve()`, with a GPU.
"""

from collections.abc import Callable
from typing import Any


class Graph:
    """The launches that a function enqueues on a stream, to be replayed all at once.

    Numba's launches pass arguments by value, so a graph repeats the same values. What changes from one replay to the
    next, such as the iteration's number, must be in device memory.

    Parameters
    ----------
    stream : numba.cuda Stream
        Any stream but the default one, which cannot be captured.
    launch : callable
        Launches kernels on `stream`. All these kernels must have been compiled and launched before, because the
        function must not allocate memory or load code.

    Raises
    ------
    RuntimeError
        If the driver refuses to capture or build the graph.
    """

    def __init__(self, stream: Any, launch: Callable[[], None]) -> None:
        from cuda.bindings import driver

        self._driver, self._stream = driver, int(stream.handle)
        mode = driver.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL
        self._check(driver.cuStreamBeginCapture(self._stream, mode))
        try:
            launch()
        finally:
            graph = self._check(driver.cuStreamEndCapture(self._stream))
        self._graph = graph
        self._executable = self._check(driver.cuGraphInstantiate(graph, 0))

    def replay(self) -> None:
        """Launch the graph once, without waiting for it."""
        self._check(self._driver.cuGraphLaunch(self._executable, self._stream))

    def close(self) -> None:
        """Destroy the graph."""
        self._check(self._driver.cuGraphExecDestroy(self._executable))
        self._check(self._driver.cuGraphDestroy(self._graph))

    @staticmethod
    def _check(answer: tuple) -> Any:
        code, *values = answer
        if int(code) != 0:
            raise RuntimeError(f"the driver refuses a graph of launches: {code.name}")
        return values[0] if values else None
