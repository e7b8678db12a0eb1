"""Speed of drawing: dragging one of 200 cities, the world's 1,000 largest cities, a portrait of 5,000 cities.

Each figure is the median of several repeats; see `benchmarks.pages.browser`.
"""

import contextlib
import io
import json
import os
import time
from pathlib import Path
from urllib.parse import urlencode

from benchmarks.pages.browser import measure_all, print_progress, serve_page, wait_until_ready
from benchmarks.pages.watch import DRAWN

#: The dialog's own module, as loaded by the page.
_DIALOG = """async () => {
    const address = document.querySelector('link[href$="/draw.css"]').href.replace(/css$/, 'js');
    window.Draw = (await import(address))['draw/dialog.js'].draw;
}"""
#: Drags a city in circles for a few seconds, with a pointer move per frame; counts repairs and frames per second.
_DRAG = """async (seconds) => {
    const { drawing, place, stats } = window.Draw;
    const board = document.getElementById('draw-board'), box = board.getBoundingClientRect();
    const { scale, ratio, x, y } = place(), [city] = drawing().cities;
    const at = (left, up) => ({
        pointerId: 1, pointerType: 'mouse', bubbles: true, button: 0,
        clientX: box.x + x + scale * left, clientY: box.y + y - scale * ratio * up,
    });
    board.setPointerCapture = () => {};
    board.dispatchEvent(new PointerEvent('pointerdown', at(city.x, city.y)));
    stats.reset();
    const begun = performance.now(), solved = new Set();
    let pictures = 0;
    for (let now = begun; now - begun < 1000 * seconds; now = performance.now()) {
        const angle = (now - begun) / 700;
        const to = at(500 + 400 * Math.cos(angle), 500 + 400 * Math.sin(angle));
        board.dispatchEvent(new PointerEvent('pointermove', to));
        await new Promise(requestAnimationFrame);
        solved.add(drawing());
        pictures += 1;
    }
    const spent = (performance.now() - begun) / 1000;
    board.dispatchEvent(new PointerEvent('pointerup', at(500, 500)));
    return [solved.size / spent, stats.frames / spent, pictures];
}"""
#: Presses Start and, once the drawn best tour is short enough, resolves to the milliseconds.
_SOLVE = """async (target) => {
    const { run, stats } = window.TourScope, begun = performance.now();
    const former = run.id;
    document.getElementById('start').click();
    for (;;) {
        if (performance.now() - begun > 120000) throw new Error('not within two minutes');
        const frames = stats.frames;
        await new Promise(requestAnimationFrame);
        if (run.id !== former && run.best?.length <= target && stats.frames > frames) return performance.now() - begun;
    }
}"""


def _measure_dragging(browser, port: int, repeats: int) -> dict[str, list[float]]:
    """Measure repaired tours and frames per second while one of 200 cities is dragged, and processor time per frame."""
    figures: dict[str, list[float]] = {"drag_200_solves_per_s": [], "drag_200_fps": [], "drag_200_cpu_ms": []}
    with serve_page(browser, port) as (page, _):
        page.wait_for_function(DRAWN)
        page.click("#draw-open")
        page.wait_for_selector("#draw[open]")
        page.evaluate(_DIALOG)
        page.click("#draw summary >> nth=0")
        page.select_option("#draw-shape", "clusters")
        page.fill("#draw-count", "200")
        page.click("#draw-shape-use")
        page.wait_for_function("() => window.Draw.drawing().cities.length === 200")
        for _ in range(repeats):
            before = _measure_browser_seconds()
            solves, frames, pictures = page.evaluate(_DRAG, 5)
            figures["drag_200_solves_per_s"].append(solves)
            figures["drag_200_fps"].append(frames)
            figures["drag_200_cpu_ms"].append(1000 * (_measure_browser_seconds() - before) / pictures)
    return figures


def _measure_browser_seconds() -> float:
    """Return the processor time of all browser processes, which are children of this one."""
    import psutil

    used = 0.0
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            if "chrom" in process.name():
                used += sum(process.cpu_times()[:2])
    return used


def _measure_places(browser, port: int, repeats: int) -> dict[str, list[float]]:
    """Return the seconds from Start to a drawn tour of the 1,000 largest cities within 3 % of their bound."""
    from data.places.largest import largest
    from solvers.bounds.load import load
    from solvers.bounds.lower_bound import compute_lower_bound

    print_progress("The bound of the world's 1,000 largest cities ...")
    load()
    bound = compute_lower_bound(largest("world", 1000)).length
    figures: dict[str, list[float]] = {"world_1000_within_3_percent_s": []}
    query = {"instance": json.dumps({"places": "world", "n": 1000}), "algorithm": "lin-kernighan", "budget.seconds": 3}
    with serve_page(browser, port) as (page, _):
        for _ in range(repeats):
            page.goto(f"http://127.0.0.1:{port}/?{urlencode({'v': 2, **query})}")
            page.wait_for_function(DRAWN)
            wait_until_ready(port)
            page.wait_for_timeout(1500)
            figures["world_1000_within_3_percent_s"].append(page.evaluate(_SOLVE, int(1.03 * bound)) / 1000)
    return figures


def _measure_portrait(browser, port: int, repeats: int) -> dict[str, list[float]]:
    """Return the seconds of a portrait of 5,000 cities: placing them, a run of 3 s, and both including the clicks."""
    figures: dict[str, list[float]] = {"portrait_5000_placed_s": [], "portrait_5000_s": []}
    with serve_page(browser, port) as (page, _):
        for _ in range(repeats):
            page.goto(f"http://127.0.0.1:{port}/?v=2&algorithm=lin-kernighan&budget.seconds=3")
            page.wait_for_function(DRAWN)
            wait_until_ready(port)
            page.click("#instances-open")
            page.click("#picture-open")
            file = {"name": "face.png", "mimeType": "image/png", "buffer": _draw_face()}
            page.set_input_files("#picture-file", file)
            start = time.perf_counter()
            page.click("#picture-make")
            page.wait_for_selector("#picture-use:enabled", timeout=120_000)
            figures["portrait_5000_placed_s"].append(time.perf_counter() - start)
            page.click("#picture-use")
            page.wait_for_function("() => window.TourScope.tour.map()?.n === 5000")
            page.wait_for_selector("#start:enabled")
            page.click("#start")
            page.wait_for_function("() => window.TourScope.run.state === 'finished'", timeout=120_000)
            figures["portrait_5000_s"].append(time.perf_counter() - start)
    return figures


def _draw_face() -> bytes:
    """Return a picture of a head, 600 by 750 pixels; it differs each time, so that caches are not used."""
    import numpy as np
    from PIL import Image

    rows, columns = np.mgrid[0:750, 0:600]
    x, y = (columns - 300) / 300, (rows - 340) / 300
    grey = np.full((750, 600), 235.0)
    for across, up, wide, high, shade in (
        (0, 1.5, 1.0, 0.75, 60),
        (0, -0.15, 0.62, 0.85, 45),
        (0, 0, 0.5, 0.68, 190),
        (-0.2, -0.1, 0.1, 0.06, 10),
        (0.2, -0.1, 0.1, 0.06, 10),
        (0, 0.36, 0.17, 0.05, 60),
    ):
        inside = np.clip((1 - ((x - across) / wide) ** 2 - ((y - up) / high) ** 2) / 0.15, 0, 1)
        grey = grey * (1 - inside) + shade * inside
    grey += np.frombuffer(os.urandom(grey.size), np.uint8).reshape(grey.shape) / 64
    file = io.BytesIO()
    Image.fromarray(grey.clip(0, 255).astype(np.uint8)).save(file, "PNG")
    return file.getvalue()


PARTS = {"drag": _measure_dragging, "places": _measure_places, "portrait": _measure_portrait}


def add_options(parser) -> None:
    """Add the options that select parts."""
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), help="these alone (default all)")


def main(repeats: int, output: Path | None, only: list[str]) -> int:
    """Measure, print the medians, and write the raw samples to `output`."""
    return measure_all([PARTS[name] for name in only], repeats, output)
