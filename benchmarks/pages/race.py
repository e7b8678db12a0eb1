"""Speed of the race page: frames per second of four lanes, live and replayed; a step of the scrub bar.

Each figure is the median of several repeats; see `benchmarks.pages.browser`. A frame counts if a panel's tour has
changed; changed numbers beside the same tour do not count. A repeat takes about half a minute.
"""

import json
import os
from pathlib import Path
from urllib.parse import urlencode

from benchmarks.pages.browser import measure_all, print_progress, serve_page, wait_until_ready

_GOING = "() => TourScope.race.lanes.length && TourScope.race.lanes.every((lane) => lane.known > 0.3)"
_OVER = "() => TourScope.race.lanes.every((lane) => lane.over && lane.filmed) && !TourScope.racePlayer.state.live"
_RESET = "() => [TourScope.racePlayer.stats(), ...TourScope.racePanels.stats()].forEach((each) => each.reset())"
#: Counts the updates of all panels, and the changed tours of each panel.
_FRAMES = "() => [TourScope.racePlayer.stats(), ...TourScope.racePanels.stats()].map((each) => each.frames)"
_CLOCK = "() => [TourScope.racePlayer.state.clock, TourScope.racePlayer.front()]"
#: Gives every lane a timeline of 1,000 tours, each a few moves from the one before, spread evenly over the race.
_FILL_TIMELINES = """() => {
    for (const lane of TourScope.race.lanes) {
        const { film } = lane, count = 1000, end = lane.known;
        const order = Int32Array.from(film.orders[0]), n = order.length;
        film.at = Array.from({ length: count }, (_, k) => (end * k) / count);
        film.lengths = film.at.map(() => film.lengths[0]);
        film.orders = film.at.map((_, k) => {
            for (let move = 0; move < 5; move += 1) {
                const at = (97 * (5 * k + move)) % (n - 20);
                order.subarray(at, at + 20).reverse();
            }
            return order.slice();
        });
    }
}"""
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
_BUDGET, _LIVE, _REPLAY = 4.0, 8, 3


def _make_lane(*algorithms: str, **params: int) -> dict:
    stages = [{"algorithm": name, "params": {}} for name in algorithms]
    stages[-1]["params"] = params
    return {"stages": stages}


_FOUR = {
    "two_opt": _make_lane("two-opt", climbers=1_000_000),
    "ant_system": _make_lane("ant-system", iterations=1_000_000),
    "annealing": _make_lane("simulated-annealing", chains=1_000_000),
    "nearest_two_opt": _make_lane("nearest-neighbour", "two-opt", climbers=1_000_000),
}

Samples = dict[str, list[float]]


def _start(page, port: int) -> None:
    """Open the race page with the four lanes on kroA200, and press Start."""
    lanes = list(_FOUR.values())
    race = {"v": 1, "instance": {"name": "kroA200"}, "lanes": lanes, "seed": 1, "budget": {"seconds": _BUDGET}}
    page.goto(f"http://127.0.0.1:{port}/race/?{urlencode({'race': json.dumps(race)})}")
    page.wait_for_function("() => TourScope.race.instance")
    page.wait_for_timeout(1000)
    page.click("#start")
    page.wait_for_function(_GOING, timeout=120_000)


def _watch(page, seconds: float, label: str) -> dict[str, float]:
    """Return the frames per second of all panels together, of each panel, and of the slowest one."""
    page.evaluate(_RESET)
    page.wait_for_timeout(seconds * 1000)
    whole, *each = (count / seconds for count in page.evaluate(_FRAMES))
    results = {f"race_{label}_{name}_pictures_per_s": rate for name, rate in zip(_FOUR, each, strict=True)}
    return {f"race_{label}_clock_per_s": whole, f"race_{label}_least_pictures_per_s": min(each), **results}


def _measure_live(page) -> dict[str, float]:
    """Measure the live race, and the seconds by which the page lags behind it."""
    clock, _ = page.evaluate(_CLOCK)
    results = _watch(page, _LIVE, "live")
    now, front = page.evaluate(_CLOCK)
    return {**results, "race_live_behind_s": (front - now) / (now - clock) * _LIVE}


def _measure_scrubbing(page) -> dict[str, float]:
    """Step through the race, with a timeline of 1,000 tours for each lane."""
    page.evaluate(_FILL_TIMELINES)
    elapsed = page.evaluate(_STEPS)
    return {"race_step_p50_ms": elapsed[50], "race_step_p95_ms": elapsed[95]}


def _measure_race(browser, port: int, repeats: int) -> Samples:
    """Measure four lanes on kroA200 live, replayed at their own speed, and scrubbed."""
    figures: Samples = {}
    with serve_page(browser, port, "race/") as (page, _):
        print_progress("server: loading kernels")
        wait_until_ready(port)
        for repeat in range(repeats):
            print_progress(f"race {repeat + 1} of {repeats}: four lanes of {_BUDGET:g} s each")
            _start(page, port)
            results = {"load_average": os.getloadavg()[0], **_measure_live(page)}
            page.wait_for_function(_OVER, timeout=120_000)
            page.wait_for_timeout(1000)
            page.evaluate("() => { TourScope.racePlayer.seek(0); TourScope.racePlayer.play(); }")
            results |= _watch(page, _REPLAY, "replay")
            results |= _measure_scrubbing(page)
            for name, value in results.items():
                figures.setdefault(name, []).append(value)
            print_progress("  ".join(f"{name.removeprefix('race_')} {value:.1f}" for name, value in results.items()))
    return figures


def main(repeats: int, output: Path | None) -> int:
    """Measure, print the medians, and write the raw samples to `output`."""
    return measure_all((_measure_race,), repeats, output)
