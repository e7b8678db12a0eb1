"""The command line's progress bar, shown only on a terminal."""

import sys
from contextlib import ExitStack
from typing import Any, Self

from data.gaps import gap_text
from data.instance import Instance
from solvers.core.events import Compiling, Event, Front, Layers, Progress, Tour
from solvers.core.params import Params
from solvers.core.solver import Solver, plural
from solvers.core.stop import Counter
from solvers.kernels.compiling import progress


class Bar:
    """Shows a run's progress and its best length on standard error, if that is a terminal.

    Parameters
    ----------
    instance : Instance
    solver : Solver
    params : Params
    counter : Counter
    """

    def __init__(self, instance: Instance, solver: Solver, params: Params, counter: Counter) -> None:
        self._instance, self._title = instance, solver.title
        self._optimum, self._units, self._counter = instance.optimum, plural(solver.iteration_unit), counter
        counted = solver.iterations_param()
        self._total = None if counted is None else getattr(params, counted.name)
        self._share = 0.0
        self._transitions = 0  # the sum over all layers, if the algorithm has layers
        self._compiled = 0  # number of kernels compiled before this run
        self._start = ""  # the first tour's length, shown while other kernels are compiled
        self._stack = ExitStack()
        self._bar: Any = None

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

            columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
            self._bar = self._stack.enter_context(Progress(*columns, console=Console(stderr=True), transient=True))
            self._task = self._bar.add_task("starting", total=1.0)
        self._compiled, progress.listener = progress.count, self._compiling
        self._stack.callback(setattr, progress, "listener", None)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _compiling(self, count: int) -> None:
        """Show which kernel is being compiled; without a bar, only say that kernels are being compiled."""
        number = count - self._compiled
        if self._bar is not None:
            self._bar.update(self._task, description=f"{self._start}compiling kernel {number} for the first run")
        elif number == 1:
            text = f"Compiling {self._title} for its first run on this machine; this may take a minute."
            print(text, file=sys.stderr, flush=True)

    def take(self, event: Event) -> None:
        """Update the bar for an event."""
        if self._bar is None:
            return
        if isinstance(event, Compiling):
            self._bar.update(self._task, description=f"{self._start}preparing")
        elif isinstance(event, Tour):
            self._start = self._start or f"{self._describe(event.length)}, "
        elif isinstance(event, Layers):
            self._transitions = int(event.transitions.sum())
        elif isinstance(event, Front) and event.layer.size and self._transitions:
            self._show(event.transitions[-1] / self._transitions)
        elif isinstance(event, Progress) and event.iteration.size:
            done = int(event.iteration[-1])
            text = f"{self._describe(int(event.best[-1]))}, {done:,} {self._units}"
            self._show(done / self._total if self._total else 0.0, text)

    def _describe(self, length: int) -> str:
        """Describe a tour's length."""
        optimum = None if self._instance.missing_in(length) else self._optimum
        return f"{length:,}" if optimum is None else f"{length:,} ({gap_text(length, optimum)})"

    def _show(self, share: float, text: str | None = None) -> None:
        """Advance to the completed share of the run or its limit, whichever is greater; the bar never moves back."""
        self._share = min(1.0, max(self._share, self._counter.progress(), share))
        more = {} if text is None else {"description": text}
        self._bar.update(self._task, completed=self._share, **more)
