"""Seconds from Start to the first drawn tour of each algorithm on a new machine; see `benchmarks.pages.browser`.

For each run a server starts with empty folders for data and kernels. Start is pressed as soon as the page is ready, but
not earlier than two seconds after the server's start.
"""

import argparse
import os
import tempfile
import time
from functools import partial
from pathlib import Path

from benchmarks.pages.browser import measure_all, open_context, open_page, print_progress, run_server
from benchmarks.pages.watch import DRAWN, FIRST_FRAME, make_permalink
from solvers import BUILT_IN

#: Instances of algorithms that take few cities, or are meant for many; the first is the default.
_INSTANCES = {"": "kroA100", "held-karp": "gr17", "lin-kernighan": "pr1002"}
#: Minimum seconds from a server's start until Start is pressed.
_SECONDS = 2.0
#: All algorithms but `given`, which has no tour of its own.
_ALGORITHMS = [solver.name for solver in BUILT_IN if solver.family != "given"]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this benchmark."""
    parser.add_argument("--algorithm", action="append", choices=_ALGORITHMS, help="default all; repeatable")


def _measure(names: list[str], browser, port: int, repeats: int) -> dict[str, list[float]]:
    figures: dict[str, list[float]] = {name: [] for name in names}
    url = f"http://127.0.0.1:{port}/"
    for _ in range(repeats):
        for name in names:
            with tempfile.TemporaryDirectory() as folder, open_context(browser) as context:
                os.environ["TOURSCOPE_CACHE"] = str(Path(folder, "cache"))
                start_time = time.perf_counter()
                with run_server(Path(folder, "home"), port):
                    page = context.new_page()
                    open_page(page, make_permalink(url, _INSTANCES.get(name, _INSTANCES[""]), algorithm=name))
                    page.wait_for_function(DRAWN, polling="raf")
                    time.sleep(max(0.0, start_time + _SECONDS - time.perf_counter()))
                    figures[name].append(page.evaluate(FIRST_FRAME) / 1000)
            print_progress(f"{name:24}{figures[name][-1]:8.2f}")
    return figures


def main(repeats: int, output: Path | None, algorithm: list[str] | None) -> int:
    """Measure, print the medians, and write the raw samples to `output`."""
    return measure_all([partial(_measure, algorithm or _ALGORITHMS)], repeats, output)
