"""Checks that the page ends every short run and race; it hangs if it keeps showing one that the server has ended.

A Chromium has the Watch page and the Race page open, and presses Start on them again and again. An end counts once the
page shows it; if the page does not show it within a minute after the server, this is a hang. Meant for a busy machine:
``--load`` starts busy loops.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

from playwright.sync_api import TimeoutError

from benchmarks.pages.browser import measure_all, open_context, open_page, print_progress, run_server, wait_until_ready

#: Seconds after the server's own end at which the page counts as hanging.
_HANG = 60.0
_LANES = [
    {"stages": [{"algorithm": "two-opt", "params": {"climbers": 1_000_000}}]},
    {"stages": [{"algorithm": "nearest-neighbour", "params": {}}]},
]
_SECONDS = 0.2
_STATE = "() => document.body.dataset.runState"
_ENDS = ("over", "finished", "failed")
#: Timeout in milliseconds for everything else.
_PATIENCE = 120_000

Samples = dict[str, list[float]]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this benchmark."""
    parser.add_argument("--load", type=int, default=6, help="busy loops beside it (default 6)")


class _Page:
    """A page that starts the same run or race again and again.

    Parameters
    ----------
    browser : playwright.sync_api.Browser
    url : str
        Address of the page, with the run or race to start.
    answers : str
        Server address for the state of a run or race.
    known : str
        Script that returns the id of the current run or race.
    """

    def __init__(self, browser: Any, url: str, answers: str, known: str) -> None:
        self._page, self._url, self._answers, self._known = open_context(browser).new_page(), url, answers, known
        self._last: str | None = None
        open_page(self._page, url)

    def end(self) -> float:
        """Press Start, and return how many seconds after the server the page ends the run; infinite if never."""
        self._page.wait_for_function("() => !document.querySelector('#start')?.disabled", timeout=_PATIENCE)
        self._page.click("#start")
        has_started = "([script, last]) => ![null, last].includes(eval(script))"
        try:
            self._page.wait_for_function(has_started, arg=[self._known, self._last], timeout=_PATIENCE)
        except TimeoutError:
            print_progress(f"Start began nothing: {self._page.inner_text('#start-note')}")
            raise
        self._last = self._page.evaluate(self._known)
        over = None
        while self._page.evaluate(_STATE) not in _ENDS:
            if over is None and self._read_message() in _ENDS:
                over = time.monotonic()
            if over is not None and time.monotonic() - over > _HANG:
                print_progress(f"{self._last} hangs")
                self._page.goto(self._url)
                self._last = None
                return float("inf")
            self._page.wait_for_timeout(20)
        return 0.0 if over is None else time.monotonic() - over

    def _read_message(self) -> str:
        with urlopen(f"{self._answers}/{self._last}", timeout=60) as answer:
            return json.load(answer)["state"]


def _measure_endings(browser: Any, port: int, repeats: int) -> Samples:
    """Measure runs and races alternately."""
    base = f"http://127.0.0.1:{port}/"
    race = {"v": 1, "instance": {"name": "berlin52"}, "lanes": _LANES, "seed": 1, "budget": {"seconds": _SECONDS}}
    run = {
        "v": 1,
        "instance": "berlin52",
        "algorithm": "two-opt",
        "seed": 1,
        "climbers": 1_000_000,
        "budget.seconds": _SECONDS,
    }
    samples: Samples = {}
    with tempfile.TemporaryDirectory() as home, run_server(Path(home), port):
        open_page(browser.new_page(), base)
        wait_until_ready(port)
        pages = {
            "run": _Page(browser, f"{base}?{urlencode(run)}", f"{base}runs", "TourScope.run.id"),
            "race": _Page(
                browser, f"{base}race/?{urlencode({'race': json.dumps(race)})}", f"{base}races", "TourScope.race.id"
            ),
        }
        for repeat in range(repeats):
            for kind, page in pages.items():
                behind = page.end()
                hangs = behind == float("inf")
                samples.setdefault(f"{kind}_hangs", []).append(float(hangs))
                if not hangs:
                    samples.setdefault(f"{kind}_behind_s", []).append(behind)
            if (repeat + 1) % 10 == 0:
                line = ", ".join(f"{sum(samples[f'{kind}_hangs']):.0f} {kind}s hang" for kind in pages)
                print_progress(f"{repeat + 1} of {repeats}: {line}; load {os.getloadavg()[0]:.1f}")
    print(
        "  ".join(f"{name}: {sum(sample):.0f} of {len(sample)}" for name, sample in samples.items() if "hangs" in name)
    )
    return samples


def main(repeats: int, output: Path | None, load: int) -> int:
    """Measure, print the number of hangs and the lag of pages, and write the raw samples to `output`."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(load)]
    try:
        return measure_all((_measure_endings,), repeats, output)
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
