"""A second start opens the page of the running server."""

import os
from types import SimpleNamespace

import pytest

from data.lock import open_locked
from runs.web import listening

ADDRESS = "http://127.0.0.1:8051/"


@pytest.fixture
def opened_addresses(monkeypatch):
    """The addresses opened in the browser."""
    addresses = []
    monkeypatch.setattr(listening, "open_in_browser", lambda address, wait=False: addresses.append(address))
    return addresses


def test_second_start_opens_the_running_server_and_exits_with_0(tmp_path, opened_addresses, capsys):
    held = open_locked(tmp_path / "lock")
    listening.write_address(tmp_path, ADDRESS)
    with pytest.raises(SystemExit) as end:
        listening.open_running(SimpleNamespace(home=tmp_path))
    os.close(held)
    assert (end.value.code, opened_addresses) == (0, [ADDRESS])
    assert ADDRESS in capsys.readouterr().out
    assert (tmp_path / listening.ADDRESS).stat().st_mode & 0o077 == 0, "it may have the host's code"


def test_start_continues_if_no_server_runs(tmp_path, opened_addresses):
    listening.open_running(SimpleNamespace(home=tmp_path / "new"))
    os.close(open_locked(tmp_path / "lock"))
    listening.write_address(tmp_path, ADDRESS)
    listening.open_running(SimpleNamespace(home=tmp_path))
    assert opened_addresses == []
