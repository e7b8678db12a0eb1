"""The progress bar of a study, on terminals only."""

import sys
from contextlib import ExitStack
from typing import Any, Self

from studies.pool.pool import Pool

#: Redraws per second.
_REFRESH_RATE = 4


class StudyBar:
    """Shows the progress of a study and the time left, on standard error if that is a terminal.

    Parameters
    ----------
    pool : Pool
    """

    def __init__(self, pool: Pool) -> None:
        self._pool, self._stack = pool, ExitStack()
        self._bar: Any = None

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

            time_left = TextColumn("{task.fields[left]}")
            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), time_left)
            console, total = Console(stderr=True), self._pool.progress().total
            self._bar = Progress(*columns, console=console, transient=True, refresh_per_second=_REFRESH_RATE)
            self._stack.enter_context(self._bar)
            self._task = self._bar.add_task("runs", total=total, left="")
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def show(self) -> None:
        """Show the current progress of the pool."""
        if self._bar is not None:
            progress = self._pool.progress()
            description = f"{progress.failed:,} failed" if progress.failed else "runs"
            self._bar.update(
                self._task,
                completed=progress.done,
                description=description,
                left=format_time_left(progress.seconds_left),
            )


def format_time_left(seconds: float | None) -> str:
    """Format the time left, such as ``about 3 min left``; empty if unknown."""
    if seconds is None:
        return ""
    for size, name in ((3600, "h"), (60, "min")):
        if seconds >= 1.5 * size:
            return f"about {seconds / size:.0f} {name} left"
    return f"about {seconds:.0f} s left"
