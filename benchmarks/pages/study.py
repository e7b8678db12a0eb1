"""Speed of the study page: opening a finished study, and a step of its slider.

Each figure is the median of several repeats; see `benchmarks.pages.browser`. A synthetic study of 3,000 runs with 200
improvements each is opened by its address, in a browser that has never seen the page and in one that has.
"""

import tempfile
import time
from pathlib import Path

from benchmarks.pages.browser import measure_all, open_context, open_page, run_server, wait_until_ready
from runs.study_jobs.folders import make_study_id
from tests.studies.made_up import write_study

#: Elements to wait for, each timed from navigation: the matrix, the first chart, all charts.
_SIGHTS = {
    "matrix": "document.querySelector('#study-matrix td')",
    "chart": "document.querySelector('#study-anytime .scatterlayer path.js-line')",
    "words": "document.querySelector('#study-words')?.textContent.includes('better')",
}
#: Records in the browser when each of them is first painted, in milliseconds since navigation.
_WATCH = """(() => {
    window.sights = {};
    const look = () => {
        SIGHTS
        if (Object.keys(window.sights).length < COUNT) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
})()"""
#: Moves the slider, and waits until the distributions at that budget are on the screen; returns the milliseconds.
_STEP = """async (key) => {
    const slider = document.getElementById('study-budget'), said = document.getElementById('study-spread-sentence');
    const before = said.textContent, began = performance.now();
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(slider, key);
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    slider.dispatchEvent(new Event('change', { bubbles: true }));
    while (said.textContent === before) {
        if (performance.now() - began > 30000) throw new Error('the slider moves nothing');
        await new Promise(requestAnimationFrame);
    }
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return performance.now() - began;
}"""
_PLACES = (150, 120, 90, 60)


def make_watch_script() -> str:
    """Return the script that records when each part appears."""
    lines = (
        f"if (!window.sights.{name} && {look}) window.sights.{name} = performance.now();"
        for name, look in _SIGHTS.items()
    )
    return _WATCH.replace("SIGHTS", "\n".join(lines)).replace("COUNT", str(len(_SIGHTS)))


def _time_opening(context, address: str) -> tuple[dict[str, float], list[float]]:
    """Return the seconds from navigation to each element, and milliseconds of some steps of the slider."""
    page = context.new_page()
    page.add_init_script(make_watch_script())
    page.goto(address, wait_until="commit")
    page.wait_for_function(f"() => Object.keys(window.sights).length === {len(_SIGHTS)}", timeout=60_000)
    sights = page.evaluate("() => window.sights")
    page.wait_for_timeout(1000)
    steps = [page.evaluate(_STEP, str(place)) for place in _PLACES]
    page.close()
    return {name: 1e-3 * at for name, at in sights.items()}, steps


def _measure_opening(browser, port: int, repeats: int) -> dict[str, list[float]]:
    """Open a study of 3,000 runs by its address, and step its slider."""
    figures: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as home:
        path = Path(home).resolve() / "studies" / "made.tourstudy"
        path.parent.mkdir()
        write_study(path)
        with run_server(Path(home), port):
            address = f"http://127.0.0.1:{port}/study/?id={make_study_id(path)}"
            first = open_context(browser)
            open_page(first.new_page(), f"http://127.0.0.1:{port}/study/")
            first.close()
            wait_until_ready(port)
            time.sleep(2)
            for _ in range(repeats):
                context = open_context(browser)
                for visit in ("new", "again"):
                    sights, steps = _time_opening(context, address)
                    for name, seconds in sights.items():
                        figures.setdefault(f"study_{visit}_{name}_s", []).append(seconds)
                    figures.setdefault("study_slider_ms", []).extend(steps)
                context.close()
    return figures


def main(repeats: int, output: Path | None) -> int:
    """Measure, print the medians, and write the raw samples to `output`."""
    return measure_all((_measure_opening,), repeats, output)
