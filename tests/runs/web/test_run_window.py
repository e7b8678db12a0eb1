"""The native window: the server ends when it is closed, runs without one, and closes it at its own end."""

import os
import signal
import subprocess
import sys
import threading
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import pytest

from runs.web import window
from tests.clock import PATIENCE, wait_until

ROOT = Path(__file__).resolve().parents[3]
#: A package in place of pywebview: its window loads the page, and then does what the test says.
WEBVIEW = """
import os, sys, time, urllib.request
settings, shown = {}, []
def create_window(title, address, **more):
    shown.append((title, address))
def start(private_mode=True):
    assert settings["ALLOW_DOWNLOADS"] and not private_mode
    page = urllib.request.urlopen(shown[0][1]).read().decode()
    open(os.environ["SEEN"], "w").write(shown[0][1] + page)
    THEN_IT_DOES
"""


def stand_in(folder, do):
    """Make the package that does something once it has loaded a page; returns the environment that it needs."""
    (folder / "packages").mkdir()
    (folder / "packages" / "webview.py").write_text(WEBVIEW.replace("THEN_IT_DOES", do))
    return {"PYTHONPATH": str(folder / "packages"), "SEEN": str(folder / "seen")}


@contextmanager
def serving(folder, do):
    """A server whose window runs an action once the page is loaded; yields the server's process."""
    variables = {**os.environ, **stand_in(folder, do)}
    command = [sys.executable, "app.py", "--port", "0", "--window", "--open", "learn", "--home", str(folder / "home")]
    with subprocess.Popen(command, cwd=ROOT, env=variables, text=True, stdout=-1, stderr=-1) as server:
        try:
            yield server
        finally:
            server.kill()


def test_a_window_shows_its_page_and_tells_that_it_was_closed(tmp_path, monkeypatch):
    for name, value in stand_in(tmp_path, "return").items():
        monkeypatch.setenv(name, value)
    closed = threading.Event()
    window.Window(page := "data:text/plain,TourScope", closed.set)
    wait_until(closed.is_set)
    assert (tmp_path / "seen").read_text() == f"{page}TourScope"


@pytest.mark.long
def test_the_server_ends_when_the_window_is_closed(tmp_path):
    with serving(tmp_path, "return") as server:
        assert server.wait(PATIENCE) == 0
        address = server.stdout.readline().split()[-1]
        seen = (tmp_path / "seen").read_text()
        assert seen.startswith(f"{address}learn/")
        assert "TourScope" in seen


@pytest.mark.long
def test_without_a_screen_the_server_says_so_and_goes_on(tmp_path):
    with serving(tmp_path, "raise RuntimeError('no screen here')") as server:
        address = server.stdout.readline().split()[-1]
        assert "could not be opened (RuntimeError: no screen here)" in server.stderr.readline()
        assert urllib.request.urlopen(f"{address}healthz", timeout=PATIENCE).status == 200


@pytest.mark.long
@pytest.mark.skipif(os.name != "posix", reason="ends a process by a signal")
def test_the_window_is_closed_with_the_server(tmp_path):
    with serving(
        tmp_path, "open(os.environ['SEEN'] + '-pid', 'w').write(str(os.getpid())); time.sleep(3600)"
    ) as server:
        pid = tmp_path / "seen-pid"
        wait_until(lambda: pid.exists() and pid.read_text())
        server.send_signal(signal.SIGINT)
        assert server.wait(PATIENCE) == 0
        wait_until(lambda: not alive(int(pid.read_text())))


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def test_missing_package_gives_one_sentence(monkeypatch):
    import app

    monkeypatch.setattr(window, "find_spec", lambda _: None)
    monkeypatch.setattr(sys, "argv", ["app.py", "--window"])
    with pytest.raises(SystemExit, match="needs the package pywebview"):
        app.serve(app.parse_options(), None)
