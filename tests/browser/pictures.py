"""Takes the pictures of README and docs again: ``make pictures``, a few minutes on a quiet machine.

As a script it takes those of the pages that it is given by the names of the functions here, else all.
"""

import json
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlencode

from chromium import ARGUMENTS, MODULES, executable
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright
from serving import PATIENCE, ROOT, Server, start_server, stop_server

FOLDER = ROOT / "docs" / "pictures"
WIDE, TALL, PHONE = (1440, 860), (1440, 900), (390, 844)
#: Runs of the library, the newest first in its list: instance, algorithm, seconds, what differs from defaults.
RUNS = [
    ("berlin52", "two-opt", 1, {}),
    ("kroA100", "ant-system", 1, {}),
    ("kroA100", "simulated-annealing", 2, {}),
    ("kroA200", "max-min-ant-system", 2, {}),
    ("eil51", "nearest-neighbour", 1, {}),
    ("ulysses16", "held-karp", 2, {}),
    ("pr1002", "two-opt", 2, {}),
]
LANES = [["two-opt"], ["ant-system"], ["simulated-annealing"], ["nearest-neighbour", "two-opt"]]
STUDY = {
    "2-opt": [("two-opt", {"climbers": 10_000_000})],
    "Ant System": [("ant-system", {"iterations": 1_000_000})],
    "MAX-MIN Ant System": [("max-min-ant-system", {"iterations": 1_000_000})],
    "Ant Colony System": [("ant-colony-system", {"iterations": 1_000_000})],
    "Nearest neighbour, then 2-opt": [("nearest-neighbour", {}), ("two-opt", {"climbers": 10_000_000})],
}
#: Whether the thumbnails of the library are painted, which comes after its rows.
PAINTED = """() => [...document.querySelectorAll('#library-body canvas')].every(({ width, height }, k, all) =>
    width && all[k].getContext('2d').getImageData(0, 0, width, height).data.some(Boolean))"""
IDLE = "() => ['finished', 'over'].includes(document.body.dataset.runState)"


def open_page(browser: Browser, size: tuple[int, int], scheme: str = "light") -> Page:
    """A page of a new visitor at double pixel density."""
    width, height = size
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    context.add_init_script(path=MODULES)
    context.set_default_timeout(PATIENCE)
    return context.new_page()


def keep(page: Page, name: str) -> None:
    """Take a picture of the page once nothing moves."""
    page.mouse.move(0, 0)
    page.wait_for_timeout(1500)
    page.screenshot(path=FOLDER / f"{name}.png")


def run(page: Page, server: Server, instance: str, algorithm: str, seconds: float, **params: object) -> str:
    """Start a run and wait for its end; its address."""
    query = {"v": 1, "instance": instance, "algorithm": algorithm, "seed": 1, "budget.seconds": seconds, **params}
    page.goto(f"{server.url}?{urlencode(query)}")
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_function(IDLE)
    return page.url


def watch(browser: Browser, server: Server) -> None:
    """A climb during one of its moves."""
    page = open_page(browser, WIDE)
    run(page, server, "kroA100", "two-opt", 5, climbers=1000)
    page.wait_for_function("() => TourScope.player.state.position > 0")
    page.wait_for_selector("#climbers .ag-row")  # the table is read after all else, however soon a run has ended
    page.evaluate("() => { TourScope.player.pause(); TourScope.player.seek(90); }")
    keep(page, "watch-light")
    page.context.close()


def colony(browser: Browser, server: Server) -> None:
    """The heatmap of the pheromone."""
    page = open_page(browser, TALL)
    run(page, server, "kroA100", "ant-system", 4)
    page.get_by_text("Pheromone", exact=True).click()
    page.wait_for_timeout(2000)
    page.get_by_role("button", name="To the end").click()
    keep(page, "pheromone-light")
    page.context.close()


def race(browser: Browser, server: Server) -> None:
    """Four lanes at the same time of a race."""
    lanes = [{"stages": [{"algorithm": name} for name in names]} for names in LANES]
    spec = {"v": 1, "instance": {"name": "kroA200"}, "lanes": lanes, "seed": 1, "budget": {"seconds": 5}}
    page = open_page(browser, WIDE)
    page.goto(f"{server.url}race/?{urlencode({'race': json.dumps(spec)})}")
    page.get_by_role("button", name="Start the race").click()
    page.wait_for_function(IDLE)
    page.reload()
    page.wait_for_function("() => TourScope.racePlayer.state.clock > 1")
    page.evaluate("() => TourScope.racePlayer.seek(0.5)")
    keep(page, "race-light")
    page.context.close()


def study(browser: Browser, server: Server) -> None:
    """Five algorithms on six instances, ten seeds of a second each."""
    entries = [
        {"label": label, "stages": [{"algorithm": name, "params": params} for name, params in stages]}
        for label, stages in STUDY.items()
    ]
    spec = {
        "v": 1,
        "title": "Five algorithms on six instances, one second each",
        "instances": [{"name": name} for name in ("berlin52", "kroA100", "ch130", "kroA200", "lin318", "pr439")],
        "entries": entries,
        "seeds": {"first": 1, "count": 10},
        "budget": {"seconds": 1},
        "device": "cpu",
        "threads": 1,
    }
    page = open_page(browser, WIDE)
    page.goto(f"{server.url}study/?{urlencode({'study': json.dumps(spec)})}")
    page.get_by_role("button", name="Start the study").click()
    page.get_by_text("All 300 runs are done.").wait_for(timeout=600_000)
    page.reload()
    page.get_by_text("All 300 runs are done.").wait_for()
    page.wait_for_function("() => document.getElementById('study-finding').textContent")
    keep(page, "study-light")
    page.context.close()


def library(browser: Browser, server: Server) -> None:
    """The list with five runs selected, and the list and their comparison on a phone."""
    page = open_page(browser, WIDE)
    for instance, algorithm, seconds, params in RUNS:
        run(page, server, instance, algorithm, seconds, **params)
    page.goto(f"{server.url}library/")
    boxes = page.get_by_role("row").get_by_role("checkbox")
    boxes.nth(5).wait_for()
    for number in range(1, 6):  # the first chooses all
        boxes.nth(number).check()
    page.wait_for_function(PAINTED)
    keep(page, "library-light")
    page.get_by_role("button", name="Compare").click()
    page.get_by_role("heading", name="Compared runs").wait_for()
    address = page.url
    page.context.close()
    parts = []
    for scheme, where in (("light", f"{server.url}library/"), ("dark", address)):
        page = open_page(browser, PHONE, scheme)
        page.goto(where)
        page.wait_for_timeout(1500)
        if scheme == "light":
            page.get_by_role("checkbox").nth(1).check(force=True)
        keep(page, f"library-{scheme}-phone")
        parts.append(FOLDER / f"library-{scheme}-phone.png")
        page.context.close()
    both = Image.new("RGB", (2 * PHONE[0] + 24, PHONE[1]), "#808896")
    for number, part in enumerate(parts):
        both.paste(Image.open(part), (number * (PHONE[0] + 24), 0))
        part.unlink()
    both.save(FOLDER / "library-narrow.png", optimize=True)


def main(chosen: list[str]) -> None:
    """Take the pictures of some pages, or of all, with a server of their own, whose home folder is empty at first."""
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        server = start_server(Path(home))
        browser = playwright.chromium.launch(executable_path=executable(), args=list(ARGUMENTS))
        for take in (watch, colony, race, study, library):
            if not chosen or take.__name__ in chosen:
                take(browser, server)
        browser.close()
        stop_server(server)


if __name__ == "__main__":
    main(sys.argv[1:])
