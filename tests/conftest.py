"""For all tests: what is drawn at random has as long as it needs, since another process may have the core just then."""

import time
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, settings

from solvers import stop

settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


@pytest.fixture
def processor_clock(monkeypatch):
    """Lets the clocks of runs in this process count the seconds of its processor: those that other work takes are none.

    A run that its clock cuts has then come as far as on a machine that it has to itself.
    """
    monkeypatch.setattr(stop, "time", SimpleNamespace(perf_counter=time.process_time))
