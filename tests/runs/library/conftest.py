"""A data folder for each test, with a library that is read by waiting."""

import pytest

from tests.clock import PATIENCE
from tests.runs.library.library_place import Place


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    monkeypatch.setattr("runs.library.scanner.SCAN_TIMEOUT", PATIENCE)


@pytest.fixture
def place(tmp_path):
    result = Place(tmp_path / "home", [tmp_path / "elsewhere"])
    (tmp_path / "elsewhere").mkdir()
    yield result
    result.close()
