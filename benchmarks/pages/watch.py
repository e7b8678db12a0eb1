"""Speed of the page: server start, Start to first frame, frames per second, age of a frame, a colony's pheromone.

Each figure is the median of several repeats; see `benchmarks.pages.browser`.
"""

import argparse
import json
import tempfile
import time
from pathlib import Path
from urllib.parse import urlencode

from benchmarks.pages.browser import measure_all, open_context, open_page, run_server, serve_page, wait_until_ready

# Resolves to the browser's own time once the page has drawn a frame of a run.
FIRST_FRAME = """async () => {
    const before = window.TourScope.stats.frames, begun = performance.now();
    document.getElementById('start').click();
    while (window.TourScope.stats.frames <= before) {
        if (performance.now() - begun > 60000) throw new Error('no frame within 60 s');
        await new Promise(requestAnimationFrame);
    }
    return performance.now() - begun;
}"""
# The cities are drawn and Start is enabled, since the form has its values.
DRAWN = "() => window.TourScope?.tour?.painted().cities > 0 && document.querySelector('#start:enabled') !== null"
_SPEED = 6  # position of the player's speed slider: 60 moves per second


def make_permalink(url: str, instance: str, **fields: object) -> str:
    query = {"v": 1, "instance": instance, "algorithm": "two-opt", "seed": 1, "device": "auto", **fields}
    return f"{url}?{urlencode(query)}"


def _measure_starts(browser, port: int, repeats: int) -> dict[str, list[float]]:
    """Measure the seconds to a page, and the milliseconds from Start to the first frame, cold and warm."""
    figures: dict[str, list[float]] = {"page_drawn_s": [], "first_frame_cold_ms": [], "first_frame_warm_ms": []}
    url = f"http://127.0.0.1:{port}/"
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as home, open_context(browser) as context:
            page = context.new_page()
            start = time.perf_counter()
            with run_server(Path(home), port):
                open_page(page, url)
                page.wait_for_function(DRAWN, polling="raf")
                figures["page_drawn_s"].append(time.perf_counter() - start)
                figures["first_frame_cold_ms"].append(page.evaluate(FIRST_FRAME))
                wait_until_ready(port)
                page.goto(url)
                page.wait_for_function(DRAWN, polling="raf")
                page.wait_for_timeout(1500)
                figures["first_frame_warm_ms"].append(page.evaluate(FIRST_FRAME))
    return figures


def _watch(page, seconds: float) -> tuple[float, float]:
    """Return the frames per second, and the 95th percentile of the frames' age in milliseconds, from now on."""
    page.evaluate("() => window.TourScope.stats.reset()")
    start = time.perf_counter()
    page.wait_for_timeout(seconds * 1000)
    frames = page.evaluate("() => window.TourScope.stats.frames")
    return frames / (time.perf_counter() - start), page.evaluate("() => window.TourScope.stats.ageP95()") * 1000


def _start_run(page, port: int, permalink: str) -> None:
    page.goto(permalink)
    page.wait_for_function(DRAWN)
    wait_until_ready(port)
    page.evaluate(FIRST_FRAME)


def _measure_live(browser, port: int, repeats: int) -> dict[str, list[float]]:
    """Measure live frames of pr1002 while its worker climbs."""
    figures: dict[str, list[float]] = {"pr1002_live_fps": [], "pr1002_live_age_p95_ms": []}
    url = f"http://127.0.0.1:{port}/"
    with serve_page(browser, port) as (page, _):
        for _ in range(repeats):
            _start_run(page, port, make_permalink(url, "pr1002", climbers=100_000, **{"budget.seconds": 20}))
            page.click("#player-live")
            page.wait_for_timeout(1000)
            fps, age = _watch(page, 8)
            figures["pr1002_live_fps"].append(fps)
            figures["pr1002_live_age_p95_ms"].append(age)
            page.click("#run-cancel")
            page.wait_for_timeout(1500)
    return figures


def _measure_large(browser, port: int, repeats: int) -> dict[str, list[float]]:
    """Replay an 18,512-city climb while its worker continues."""
    figures: dict[str, list[float]] = {"n18512_replay_fps": []}
    url = f"http://127.0.0.1:{port}/"
    instance = json.dumps({"generate": "uniform", "n": 18_512, "seed": 1})
    with serve_page(browser, port) as (page, _):
        _start_run(page, port, make_permalink(url, instance, climbers=10, **{"budget.seconds": 80 + 8 * repeats}))
        page.wait_for_timeout(60_000)
        page.evaluate(f"() => window.TourScope.player.setSpeed({_SPEED})")
        for _ in range(repeats):
            page.evaluate("() => window.TourScope.player.playClimb(0)")
            page.wait_for_timeout(500)
            figures["n18512_replay_fps"].append(_watch(page, 5)[0])
    return figures


def _measure_colony(browser, port: int, repeats: int) -> dict[str, list[float]]:
    """Measure pheromone and trails of pr1002 live at 30 iterations per second, with `benchmarks.pages.paced_ants`."""
    import psutil

    views = ("pheromone", "trails")
    names = [f"pr1002_{view}_{figure}" for view in views for figure in ("fps", "age_p95_ms", "server_core_percent")]
    figures: dict[str, list[float]] = {name: [] for name in ("pr1002_colony_iterations_per_s", *names)}
    url, seconds = f"http://127.0.0.1:{port}/", 8
    with serve_page(browser, port, program=("-m", "benchmarks.pages.paced_ants")) as (page, server):
        process = psutil.Process(server.pid)
        settings = {"algorithm": "ant-system", "iterations": 5000, "ants": 4, "budget.seconds": 60}
        for _ in range(repeats):
            _start_run(page, port, make_permalink(url, "pr1002", **settings))
            for view in views:
                page.click(f"#view input[value={view}] + label")
                if page.get_attribute("#player-live", "aria-pressed") == "false":
                    page.click("#player-live")
                page.wait_for_timeout(1500)
                before = page.evaluate("() => window.TourScope.run.known")
                used = sum(process.cpu_times()[:2])
                fps, age = _watch(page, seconds)
                share = 100 * (sum(process.cpu_times()[:2]) - used) / seconds  # share of a core used by the server
                known = page.evaluate("() => window.TourScope.run.known")
                figures["pr1002_colony_iterations_per_s"].append((known - before) / seconds)
                figures[f"pr1002_{view}_fps"].append(fps)
                figures[f"pr1002_{view}_age_p95_ms"].append(age)
                figures[f"pr1002_{view}_server_core_percent"].append(share)
            page.click("#run-cancel")
            page.wait_for_timeout(1500)
    return figures


PARTS = {"starts": _measure_starts, "live": _measure_live, "large": _measure_large, "colony": _measure_colony}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that select parts."""
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), help="these alone (default all)")


def main(repeats: int, output: Path | None, only: list[str]) -> int:
    """Measure, print the medians, and write the raw samples to `output`."""
    return measure_all([PARTS[name] for name in only], repeats, output)
