"""Shared parts of the page benchmarks: a server, a browser, and repeated measurements.

Needs the packages of requirements-dev.txt and a headless Chromium, which renders in software on the same machine as the
server and the solver.
"""

import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from websockets.sync.client import connect
from websockets.typing import Origin

from benchmarks.machine import describe_machine
from benchmarks.saving import save
from solvers.worker.frames import decode, split

ROOT = Path(__file__).resolve().parents[2]
#: Gives the probes access to the exports of a page's modules.
_MODULES = ROOT / "tests" / "browser" / "modules.js"
#: Executables of Chromium, as in browser tests.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_WINDOW: Any = {"width": 1440, "height": 860}

#: Takes a browser, a port and the number of repeats, and returns samples by figure.
Measure = Callable[[Any, int, int], dict[str, list[float]]]


def find_free_port() -> int:
    """Find a free port of the loopback interface."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def run_server(home: Path, port: int, *program: str):
    """Context manager: a server with its own data folder."""
    command = [sys.executable, *(program or ("app.py",)), "--port", str(port), "--home", str(home)]
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(10)


def open_context(browser):
    """Return a new browser context, as for a first visit."""
    # The page's content security policy would forbid the probes, which are evaluated from strings.
    context = browser.new_context(viewport=_WINDOW, bypass_csp=True)
    context.add_init_script(path=_MODULES)
    return context


def open_page(page, url: str) -> None:
    """Load the page as soon as the server answers."""
    while True:
        try:
            with urlopen(url, timeout=5):
                break
        except OSError:
            time.sleep(0.01)
    page.goto(url, wait_until="commit")


@contextmanager
def serve_page(browser, port: int, path: str = "", program: tuple[str, ...] = ()):
    """Serve an empty data folder, and open a page in a context of its own; yield the page and the server's process."""
    with (
        tempfile.TemporaryDirectory() as home,
        run_server(Path(home), port, *program) as server,
        open_context(browser) as context,
    ):
        page = context.new_page()
        open_page(page, f"http://127.0.0.1:{port}/{path}")
        yield page, server


def wait_until_ready(port: int) -> None:
    """Wait until the server's spare worker has loaded its kernels."""
    with connect(f"ws://127.0.0.1:{port}/stream", origin=Origin(f"http://127.0.0.1:{port}")) as socket:
        while True:
            frame = decode(next(split(socket.recv(timeout=120, decode=False))))
            if frame.kind == "status" and frame.values["spare"] == "ready":
                return


def print_progress(text: str) -> None:
    """Print the current measurement on standard error."""
    print(text, file=sys.stderr, flush=True)


def measure_all(measures: Sequence[Measure], repeats: int, output: Path | None) -> int:
    """Measure, print the medians, and write the raw samples to `output`."""
    from playwright.sync_api import sync_playwright

    chromium = os.environ.get("TOURSCOPE_CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    samples: dict[str, list[float]] = {}
    with sync_playwright() as playwright:
        arguments = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
        quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
        browser = playwright.chromium.launch(executable_path=chromium, args=arguments + quiet)
        for measure in measures:
            samples |= measure(browser, find_free_port(), repeats)
        browser.close()
    return report(samples, output)


def report(samples: dict[str, list[float]], output: Path | None) -> int:
    """Print the medians, and write the raw samples to `output`."""
    for name, values in samples.items():
        print(f"{name:36} {statistics.median(values):9.2f}   of {', '.join(f'{v:.2f}' for v in values)}")
    save({"machine": describe_machine(), "samples": samples}, output)
    return 0
