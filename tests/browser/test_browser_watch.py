"""The main job in a real browser: start, watch, scrub, cancel, reload, save, share, and survive a dead server."""

import json
import re
from urllib.parse import parse_qs, urlencode, urlparse

import psutil
import pytest
from conftest import start_server, stop_server

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]

DRAWN = """() => {
    const graph = document.querySelector('#tour .js-plotly-plot');
    return graph?.data && (graph.data[4].x.length > 0 || graph.layout.images?.length > 0);
}"""
FRAMES = "() => window.TourScope.stats.frames"
#: Whether the tile shows a length, whatever stands between its thousands.
BEST = "length => document.getElementById('tile-best').textContent.replace(/\\D/g, '') === String(length)"
#: The tour's polyline as the browser shows it: n + 1 points.
POINTS = "() => document.querySelector('#tour .js-plotly-plot').data[1].x.length"


def link(server, instance: str, algorithm: str = "two-opt", **fields) -> str:
    query = {"v": 1, "instance": instance, "algorithm": algorithm, "seed": 1, "device": "auto", **fields}
    return server.url + "?" + urlencode(query)


def opened(page, address: str):
    page.goto(address)
    page.wait_for_function(DRAWN)
    return page


def started(page):
    """Press Start, and wait until the run is known and a tour of it is on the canvas."""
    page.click("#start")
    page.wait_for_function("() => window.TourScope.run.id && window.TourScope.player.shown()")
    return page.evaluate("() => window.TourScope.run.id")


def state_of(page) -> str:
    return page.evaluate("() => document.body.dataset.runState")


def wait_state(page, *states: str) -> None:
    page.wait_for_function("states => states.includes(document.body.dataset.runState)", arg=list(states))


def position(page) -> list[int]:
    return page.evaluate("() => [window.TourScope.player.state.climb, window.TourScope.player.state.position]")


def at(page, climb: int, move: int) -> None:
    page.wait_for_function(
        "([climb, move]) => { const s = window.TourScope.player.state; return s.climb === climb && s.position === move }",
        arg=[climb, move],
    )


def test_first_visit_is_one_press_away_from_a_moving_tour(page, server):
    opened(page, server.url)
    assert "berlin52" in page.inner_text("#instance")
    assert "2-opt" in page.inner_text("#algorithm")
    started(page)
    before = page.evaluate(FRAMES)
    page.wait_for_function("before => window.TourScope.stats.frames > before + 5", arg=before)
    assert page.evaluate(POINTS) in (53, 55), "the whole tour, or the tour without the two edges that leave"
    assert re.search(r"climber 1 of 1.000 · move \d+ of \d+", page.inner_text("#hud-where"))
    wait_state(page, "finished")
    page.wait_for_function(BEST, arg=7542)
    assert page.inner_text("#tile-gap") == "optimal"
    assert page.locator("#climbers .ag-row").count() > 5


def test_scrubbing_reaches_every_move_and_steps_back_over_a_climb(page, server):
    opened(page, link(server, "burma14", climbers=20))
    started(page)
    wait_state(page, "finished")
    page.click("#player-play")  # pause
    page.keyboard.press("Home")
    at(page, *[position(page)[0], 0])
    page.evaluate("() => window.TourScope.player.playClimb(3, false)")
    at(page, 3, 0)
    moves = page.evaluate("() => window.TourScope.player.shown().count")
    lengths = []
    for move in range(1, moves + 1):
        page.click("#player-forward")
        at(page, 3, move)
        lengths.append(int(re.sub(r"\D", "", page.inner_text("#hud-length")) or 0))
    page.wait_for_timeout(300)
    final = int(re.sub(r"\D", "", page.inner_text("#hud-length")))
    assert lengths == sorted(lengths, reverse=True)
    row = page.evaluate("() => window.TourScope.climbs.get(3).then((climb) => climb.lengths[climb.count])")
    assert final == row
    page.click("#player-forward")
    at(page, 4, 0)
    page.click("#player-back")
    at(page, 3, moves)
    page.locator("#player-move").fill("2")
    at(page, 3, 2)
    page.locator("#player-climb").fill("7")
    page.wait_for_function("() => window.TourScope.player.state.climb >= 6")


def test_a_click_on_a_row_plays_that_climb(page, server):
    opened(page, link(server, "burma14", climbers=50))
    started(page)
    wait_state(page, "finished")
    cell = page.locator("#climbers .ag-center-cols-container .ag-row[row-index='4']").first
    climber = int(re.sub(r"\D", "", cell.inner_text().split("\n")[0]))
    cell.click()
    page.wait_for_function("climb => window.TourScope.player.state.climb === climb", arg=climber - 1)


def test_cancel_ends_a_long_run_and_its_worker_within_two_seconds(page, server):
    opened(page, link(server, "pr1002", climbers=1_000_000, **{"budget.seconds": 600}))
    started(page)
    page.click("#player-live")
    page.evaluate("() => window.TourScope.stats.reset()")
    page.wait_for_timeout(2000)
    assert page.evaluate(FRAMES) > 10
    workers = set(worker_ids(server))
    page.click("#run-cancel")
    page.wait_for_function("() => document.body.dataset.runState === 'cancelled'", timeout=2000)
    page.wait_for_timeout(1500)
    gone = workers - set(worker_ids(server))
    assert len(gone) == 1, "the run's own worker has ended, the spare has not"


def worker_ids(server) -> list[int]:
    return [child.pid for child in psutil.Process(server.process.pid).children(recursive=True)]


def test_pause_stands_the_run_and_a_step_moves_it(page, server):
    opened(page, link(server, "pr1002", climbers=1000, **{"budget.seconds": 60}))
    started(page)
    page.click("#run-pause")
    wait_state(page, "paused")
    page.wait_for_timeout(700)
    before = page.evaluate("() => window.TourScope.run.evaluations")
    page.wait_for_timeout(700)
    assert page.evaluate("() => window.TourScope.run.evaluations") == before
    page.click("#run-resume")
    wait_state(page, "running")
    page.wait_for_function("before => window.TourScope.run.evaluations > before", arg=before)
    page.click("#run-cancel")
    wait_state(page, "cancelled")


def test_reload_brings_everything_back_and_the_link_repeats_the_run(page, server, chromium):
    opened(page, link(server, "eil51", climbers=30, seed=5))
    run = started(page)
    wait_state(page, "finished")
    query = parse_qs(urlparse(page.url).query)
    assert query["run"] == [run]
    assert query["seed"] == ["5"]
    best = page.evaluate("() => window.TourScope.run.best.length")
    page.reload()
    page.wait_for_function("() => window.TourScope?.run?.id && window.TourScope.player.shown()")
    assert page.evaluate("() => window.TourScope.run.id") == run
    wait_state(page, "finished")
    page.wait_for_function(BEST, arg=best)

    query.pop("run")
    elsewhere = server.url + "?" + urlencode(query, doseq=True)
    opened(page, elsewhere)
    again = started(page)
    assert again != run
    wait_state(page, "finished")
    page.wait_for_function(BEST, arg=best)


@pytest.mark.parametrize(("button", "ending", "magic"), [
    ("save-png", ".png", b"\x89PNG"),
    ("save-svg", ".svg", b"<svg"),
    ("save-gif", ".gif", b"GIF8"),
    ("save-tour", ".tour", b"NAME"),
    ("save-csv", ".csv", b"climber,"),
    ("save-json", ".json", b"{"),
    ("save-run", ".tourscope", b"SQLite format 3"),
])  # fmt: skip
def test_everything_can_be_saved(page, server, button, ending, magic):
    opened(page, link(server, "burma14", climbers=10))
    started(page)
    wait_state(page, "finished")
    with page.expect_download() as download:
        page.click(f"#{button}")
    saved = download.value
    assert saved.suggested_filename.startswith("burma14")
    assert saved.suggested_filename.endswith(ending)
    content = saved.path().read_bytes()
    assert content.startswith(magic)
    if ending == ".json":
        assert json.loads(content)["optimum"] == 3323
    if ending == ".tour":
        assert sorted(map(int, re.findall(r"^\d+$", content.decode(), re.M))) == list(range(1, 15))


def test_a_saved_run_opens_again_by_upload(page, server):
    opened(page, link(server, "burma14", climbers=10))
    run = started(page)
    wait_state(page, "finished")
    with page.expect_download() as download:
        page.click("#save-run")
    page.click("#recent-runs summary, #recent-runs")
    page.set_input_files("#run-upload input[type=file]", download.value.path())
    page.wait_for_function("run => window.TourScope.run.id && window.TourScope.run.id !== run", arg=run)
    page.wait_for_function("() => window.TourScope.player.shown()")
    assert state_of(page) == "finished"
    assert page.evaluate(POINTS) == 15


def test_a_file_of_ones_own_is_drawn_and_a_damaged_one_refused_in_a_sentence(page, server, tmp_path):
    square = "NAME: square\nTYPE: TSP\nDIMENSION: 4\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n"
    square += "1 0 0\n2 0 30\n3 40 30\n4 40 0\nEOF\n"
    good, bad = tmp_path / "square.tsp", tmp_path / "bad.tsp"
    good.write_text(square)
    bad.write_text(square.replace("DIMENSION: 4", "DIMENSION: 5"))
    opened(page, server.url)
    page.set_input_files("#upload input[type=file]", bad)
    page.wait_for_function("() => /asks for 5/.test(document.getElementById('upload-note').textContent)")
    page.set_input_files("#upload input[type=file]", good)
    page.wait_for_function("() => document.getElementById('instance').textContent.includes('square')")
    page.wait_for_function("() => document.querySelector('#tour .js-plotly-plot').data[4].x.length === 4")
    started(page)
    wait_state(page, "finished")
    page.wait_for_function(BEST, arg=140)
    assert page.inner_text("#tile-gap") != "optimal"


@pytest.mark.parametrize("algorithm", ["greedy", "nearest-neighbour", "random"])
def test_every_algorithm_plays(page, server, algorithm):
    opened(page, link(server, "ulysses16", algorithm))
    started(page)
    wait_state(page, "finished")
    page.wait_for_function("() => /\\d/.test(document.getElementById('hud-length').textContent)")


def test_keys_work_the_player(page, server):
    opened(page, link(server, "burma14", climbers=10))
    started(page)
    wait_state(page, "finished")
    page.locator("#tour").click(position={"x": 5, "y": 5})
    page.keyboard.press("Space")
    assert not page.evaluate("() => window.TourScope.player.state.playing")
    climb, _ = position(page)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Home")
    page.wait_for_function("() => window.TourScope.player.state.position === 0")
    climb = position(page)[0]
    page.keyboard.press("ArrowRight")
    at(page, climb, 1)
    page.keyboard.press("ArrowLeft")
    at(page, climb, 0)
    page.keyboard.press("End")
    page.wait_for_function("() => window.TourScope.player.state.position === window.TourScope.player.shown().count")


def test_dark_is_remembered(page, server):
    opened(page, server.url)
    page.click("#theme-toggle")
    page.wait_for_function("() => document.documentElement.dataset.bsTheme === 'dark'")
    page.reload()
    page.wait_for_function("() => document.documentElement.dataset.bsTheme === 'dark'")


@pytest.mark.parametrize("width", [1440, 1024, 390])
def test_no_width_scrolls_sideways(page, server, width):
    page.set_viewport_size({"width": width, "height": 860})
    opened(page, server.url)
    started(page)
    assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")


def test_the_page_comes_back_by_itself_when_the_server_does(chromium, tmp_path):
    """The server dies without warning in the middle of a run; the run is there, marked, and the page shows it."""
    first = start_server(tmp_path)
    context = chromium.new_context(viewport={"width": 1440, "height": 860})
    page = context.new_page()
    try:
        opened(page, link(first, "pr1002", climbers=1000, **{"budget.seconds": 60}))
        started(page)
        page.wait_for_timeout(1500)
        first.process.kill()
        first.process.wait()
        second = start_server(tmp_path, first.port)
        try:
            page.wait_for_function("() => document.body.dataset.runState === 'interrupted'", timeout=15_000)
            assert page.evaluate("() => window.TourScope.player.shown().count") > 0
        finally:
            stop_server(second)
    finally:
        context.close()
        if first.process.poll() is None:
            stop_server(first)
