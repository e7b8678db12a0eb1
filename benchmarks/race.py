"""How quick the race page is: pictures a second of four lanes that go, and played again; a step of its scrub bar.

Each figure is the median of several repeats; see `benchmarks.browsing`.
"""

import json
import tempfile
from pathlib import Path
from urllib.parse import urlencode

from benchmarks.browsing import measure_all, open_page, serving, visiting, wait_ready

_GOING = "() => TourScope.race.lanes.length && TourScope.race.lanes.every((lane) => lane.known > 0.3)"
_OVER = "() => TourScope.race.lanes.every((lane) => lane.over && lane.filmed) && !TourScope.racePlayer.state.live"
_RESET = "() => [TourScope.racePlayer.stats(), ...TourScope.racePanels.stats()].forEach((each) => each.reset())"
#: How often all panels were brought to the clock, and how often each of them then showed another picture.
_FRAMES = "() => [TourScope.racePlayer.stats(), ...TourScope.racePanels.stats()].map((each) => each.frames)"
#: Milliseconds from a step of the scrub bar until it is on the screen, sorted.
_STEPS = """async () => {
    const took = [];
    TourScope.racePlayer.seek(0);
    for (let k = 0; k < 100; k += 1) {
        const began = performance.now();
        TourScope.racePlayer.step(9);
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        took.push(performance.now() - began);
    }
    return took.sort((a, b) => a - b);
}"""
_SECONDS = 4


def _lane(*algorithms: str, **params: int) -> dict:
    stages = [{"algorithm": name, "params": {}} for name in algorithms]
    stages[-1]["params"] = params
    return {"stages": stages}


_FOUR = [
    _lane("two-opt", climbers=100_000),
    _lane("ant-system", iterations=100_000),
    _lane("simulated-annealing", chains=100_000),
    _lane("nearest-neighbour", "two-opt", climbers=100_000),
]


def _start(page, port: int, lanes: list[dict], seconds: float) -> None:
    """Open the race page for these lanes on kroA200, and press Start."""
    race = {"v": 1, "instance": {"name": "kroA200"}, "lanes": lanes, "seed": 1, "budget": {"seconds": seconds}}
    page.goto(f"http://127.0.0.1:{port}/race/?{urlencode({'race': json.dumps(race)})}")
    page.wait_for_function("() => TourScope.race.instance")
    page.wait_for_timeout(1000)
    page.click("#race-start")
    page.wait_for_function(_GOING, timeout=120_000)


def _rates(page) -> tuple[float, float]:
    """Pictures a second of all panels together, and of the panel that changed least."""
    page.evaluate(_RESET)
    page.wait_for_timeout(_SECONDS * 1000)
    whole, *each = page.evaluate(_FRAMES)
    return whole / _SECONDS, min(each) / _SECONDS


def _lanes(browser, port: int, repeats: int) -> dict[str, list[float]]:
    """Four lanes on kroA200 while they go, and the same played again at their own speed."""
    names = ("race_live_fps", "race_live_other_pictures_per_s", "race_replay_fps", "race_replay_other_pictures_per_s")
    figures: dict[str, list[float]] = {name: [] for name in names}
    with tempfile.TemporaryDirectory() as home, serving(Path(home), port):
        context = visiting(browser)
        page = context.new_page()
        open_page(page, f"http://127.0.0.1:{port}/race/")
        wait_ready(port)
        for _ in range(repeats):
            _start(page, port, _FOUR, 5.0)
            live = _rates(page)
            page.wait_for_function(_OVER, timeout=120_000)
            page.wait_for_timeout(1000)
            page.evaluate("() => { TourScope.racePlayer.seek(0); TourScope.racePlayer.play(); }")
            for name, value in zip(names, (*live, *_rates(page)), strict=True):
                figures[name].append(value)
        context.close()
    return figures


def _scrub(browser, port: int, repeats: int) -> dict[str, list[float]]:
    """Steps through a race of four runs, each with a film of most of a thousand pictures."""
    figures: dict[str, list[float]] = {"race_film_pictures": [], "race_step_p50_ms": [], "race_step_p95_ms": []}
    with tempfile.TemporaryDirectory() as home, serving(Path(home), port):
        context = visiting(browser)
        page = context.new_page()
        open_page(page, f"http://127.0.0.1:{port}/race/")
        wait_ready(port)
        _start(page, port, [_lane("two-opt", climbers=1_000_000)] * 4, 20.0)
        page.wait_for_function(_OVER, timeout=300_000)
        page.wait_for_timeout(2000)
        for _ in range(repeats):
            took = page.evaluate(_STEPS)
            figures["race_film_pictures"].append(
                page.evaluate("() => Math.min(...TourScope.race.lanes.map((lane) => lane.film.at.length))")
            )
            figures["race_step_p50_ms"].append(took[50])
            figures["race_step_p95_ms"].append(took[95])
        context.close()
    return figures


def main(repeats: int, output: Path | None) -> int:
    """Measure, print the medians, and write the raw samples to `output`."""
    return measure_all((_lanes, _scrub), repeats, output)
