"""Resources used by an idle TourScope: memory of server, workers and pages, and processor time of open pages.

Memory is proportional (PSS): a memory page shared by several processes counts once, divided between them. Pages shared
with other programs count as if they were not shared, so that the figures do not depend on those. Needs Linux, the
packages of requirements-dev.txt, and a Chromium, which renders in software.
"""

import argparse
import re
import tempfile
import time
from collections import defaultdict
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import psutil

from benchmarks.pages.browser import (
    find_free_port,
    measure_all,
    open_context,
    open_page,
    print_progress,
    report,
    run_server,
    wait_until_ready,
)

#: Pages to measure, in addition to pages of runs. Each is open for a while before it is measured.
PAGES = ("", "race/", "study/", "library/", "papers/", "learn/")
SETTLE = 15.0
#: Maximum number of seconds for which a playing run is measured.
_PLAYED = 60.0
#: Runs to make, cycling through the algorithms.
ALGORITHMS = ("two-opt", "lin-kernighan", "ant-system", "simulated-annealing", "greedy")
_MB = 1 << 20
_AREA = re.compile(r"[0-9a-f]+-[0-9a-f]+ (....) [0-9a-f]+ \S+ \d+ *(.*)")
#: Hides a page, since headless browsers show all of their tabs.
_HIDE = """() => {
    Object.defineProperty(document, 'hidden', {configurable: true, get: () => true});
    Object.defineProperty(document, 'visibilityState', {configurable: true, get: () => 'hidden'});
    document.dispatchEvent(new Event('visibilitychange', {bubbles: true}));
}"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this benchmark."""
    parser.add_argument("--runs", type=int, default=50, help="runs after which memory is measured (default 50)")
    parser.add_argument(
        "--seconds", type=float, default=120.0, help="for which the pages are at rest, seen and hidden (default 120)"
    )


def main(repeats: int, output: Path | None, runs: int, seconds: float) -> int:
    """Measure, print the medians, and write the raw samples to `output`; no pages with ``--seconds 0``."""
    if not seconds:
        return report(_measure_processes(runs, None, find_free_port(), repeats), output)
    measures = [partial(_measure_processes, runs)] if runs else []
    return measure_all([*measures, partial(_measure_open_pages, seconds)], repeats, output)


def measure_memory(*processes: psutil.Process) -> float:
    """Return the total memory of processes in MB: shares of modified pages, plus the largest use of each file.

    Processes that are forks of each other, or run the same program, share these pages.
    """
    anonymous, files = 0, defaultdict[str, int](int)
    for process in processes:
        own: dict[str, int] = defaultdict(int)
        name = ""
        for line in Path(f"/proc/{process.pid}/smaps").read_text().splitlines():
            if results := _AREA.match(line):
                name = results[2] if results[2].startswith("/") else ""
                rss = pss = changed = 0
            key, _, value = line.partition(":")
            if key == "Rss":
                rss = int(value.split()[0]) << 10
            elif key == "Pss":
                pss = int(value.split()[0]) << 10
            elif key == "Anonymous":
                changed = int(value.split()[0]) << 10
                share = pss if not name else min(pss, changed)
                anonymous += share
                own[name] += max(0, rss - changed) if name else 0
        for each, size in own.items():
            files[each] = max(files[each], size)
    return (anonymous + sum(files.values())) / _MB


def _split_processes(server: int) -> tuple[psutil.Process, list[psutil.Process]]:
    process = psutil.Process(server)
    return process, process.children(recursive=True)


def _start_run(url: str, **fields: Any) -> str:
    """Start a run of the Watch page's form, and return its id."""
    form = {"instance": "kroA100", "params": {}, "seed": 1, "seconds": 0.5, "device": "cpu", "threads": None}
    return httpx.post(f"{url}start", json=form | fields, timeout=60).raise_for_status().json()["run"]


def _wait_until(url: str, run: str, *states: str) -> None:
    while httpx.get(f"{url}runs/{run}", timeout=60).json()["state"] not in states:
        time.sleep(0.05)


def _run_to_end(url: str, **fields: Any) -> str:
    run = _start_run(url, **fields)
    _wait_until(url, run, "finished", "failed")
    return run


def _measure_processes(runs: int, _: Any, port: int, repeats: int) -> dict[str, list[float]]:
    """Return the memory of the server and its workers, once they are ready and after some runs."""
    figures: dict[str, list[float]] = defaultdict(list)
    url = f"http://127.0.0.1:{port}/"
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as home, run_server(Path(home), port) as server:
            _wait(url)
            wait_until_ready(port)
            time.sleep(SETTLE)
            for when in ("start", f"{runs}_runs"):
                process, workers = _split_processes(server.pid)
                figures[f"server_{when}_mb"].append(measure_memory(process))
                figures[f"workers_{when}_mb"].append(measure_memory(*workers))
                figures[f"workers_{when}_count"].append(len(workers))
                print_progress(
                    f"{when}: {measure_memory(process):.0f} MB, {measure_memory(*workers):.0f} MB of {len(workers)}"
                )
                if when == "start":
                    for number in range(runs):
                        _run_to_end(url, algorithm=ALGORITHMS[number % len(ALGORITHMS)], seed=number)
    return figures


def _wait(url: str) -> None:
    while True:
        try:
            httpx.get(url, timeout=60)
            return
        except httpx.TransportError:
            time.sleep(0.1)


def _measure_open_pages(seconds: float, browser: Any, port: int, repeats: int) -> dict[str, list[float]]:
    """Return each page's memory, and the processor time while all pages are open, visible or hidden.

    The time is given for each page's process, for the browser's other processes, and for the server with its workers.
    A page that plays a run is measured by itself.
    """
    figures: dict[str, list[float]] = defaultdict(list)
    url = f"http://127.0.0.1:{port}/"
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as home, run_server(Path(home), port) as server:
            _wait(url)
            wait_until_ready(port)
            ended = _run_to_end(url, algorithm="two-opt")
            paused = _start_run(url, algorithm="two-opt", params={"climbers": 1_000_000}, seconds=None)
            resting = {page.strip("/") or "watch": page for page in PAGES}
            resting |= {"ended": f"?run={ended}", "paused": f"?run={paused}"}
            _measure_pages(url, browser, server.pid, resting, seconds, figures)
            _measure_pages(url, browser, server.pid, {"playing": f"?run={ended}"}, min(seconds, _PLAYED), figures)
    return figures


def _measure_pages(
    url: str, browser: Any, server: int, paths: dict[str, str], seconds: float, figures: dict[str, list[float]]
) -> None:
    chromium = next(child for child in psutil.Process().children(recursive=True) if _is_browser(child))
    pages, processes = [], {"browser": chromium, "server": psutil.Process(server)}
    with ExitStack() as contexts:
        for name, path in paths.items():
            page = contexts.enter_context(open_context(browser)).new_page()
            if name != "playing":  # otherwise a run that has ended would be replayed
                page.emulate_media(reduced_motion="reduce")
            open_page(page, f"{url}{path}")
            page.wait_for_load_state()
            if name == "paused":
                page.click("#run-pause")
                _wait_until(url, path.partition("=")[2], "paused")
            time.sleep(SETTLE)
            others = [renderer for renderer in _find_renderers(chromium) if renderer not in processes.values()]
            pages.append(page)
            processes[name] = max(others, key=measure_memory)  # the browser has an empty one ready
            figures[f"{name}_mb"].append(measure_memory(processes[name]))
        for state in ("seen", "hidden"):
            if state == "hidden":
                for page in pages:
                    page.evaluate(_HIDE)
                time.sleep(SETTLE)
            before = {name: _measure_processor_time(process) for name, process in processes.items()}
            time.sleep(seconds)
            spent = {name: _measure_processor_time(process) - before[name] for name, process in processes.items()}
            spent["browser"] -= sum(spent[name] for name in paths)
            for name, used in spent.items():
                where = name if name in paths else f"{name}_of_{len(paths)}"
                figures[f"{where}_{state}_ms_a_minute"].append(60_000 * used / seconds)
            print_progress(f"{', '.join(paths)}, {state}: {sum(spent.values()):.2f} s in {seconds:.0f} s")


def _find_renderers(chromium: psutil.Process) -> list[psutil.Process]:
    return [child for child in chromium.children(recursive=True) if "--type=renderer" in _read_command_line(child)]


def _read_command_line(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.NoSuchProcess:
        return ""


def _is_browser(process: psutil.Process) -> bool:
    line = _read_command_line(process)
    return "--headless" in line and "--type=" not in line and "node" not in process.name()


def _measure_processor_time(process: psutil.Process) -> float:
    """Return the processor seconds used by a process and all of its children."""
    total = 0.0
    for member in (process, *process.children(recursive=True)):
        try:
            total += sum(member.cpu_times()[:2])
        except psutil.NoSuchProcess:
            continue
    return total
