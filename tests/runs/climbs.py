"""A run's climb as returned by its route, without calling the route."""

from collections.abc import Callable
from pathlib import Path

from runs.computing.answer import NotRecorded
from runs.service import RunService
from runs.web.downloads import climb


def read_climb(run_service: RunService, run: str, climber: int, wanted: Callable[[], bool] = lambda: True) -> bytes:
    """The ``climb`` frame, recomputed if it was not recorded."""
    path = run_service.path(run)
    try:
        found = climb(str(path), climber)
    except NotRecorded:
        again = Path(run_service.home.incoming) / "again"
        again.write_bytes(run_service.replay(run, climber, wanted))
        found = climb(str(path), climber, replay_file=str(again))
        again.unlink()
    assert isinstance(found.content, bytes)
    return found.content
