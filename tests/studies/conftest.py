"""Studies whose runs need no worker processes."""

import pytest

from studies.pool import slot
from tests.studies.small_study import WorkerHere


@pytest.fixture
def work_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do the runs of studies in this process."""
    monkeypatch.setattr(slot, "Worker", WorkerHere)
