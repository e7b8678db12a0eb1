"""The run service with real workers, as the tests of `runs` have it."""

from tests.runs.conftest import address, make_spec, process_engine, run_service

__all__ = ("address", "make_spec", "process_engine", "run_service")
