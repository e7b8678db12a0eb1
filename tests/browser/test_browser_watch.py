"""The main job in a real browser: start, watch, scrub, cancel, reload, save, share, and survive a dead server."""

import json
import re
from urllib.parse import parse_qs, urlencode, urlparse

import numpy as np
import psutil
import pytest
from PIL import Image
from serving import PATIENCE, start_server, stop_server
from visiting import visiting

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
    """Wait until the player stands there, and the line above the tour says so."""
    page.wait_for_function(
        """([climb, move]) => {
            const { state, isLoading } = window.TourScope.player;
            const where = document.getElementById('hud-where').textContent.replace(/\\D+/g, ' ').trim().split(' ');
            const shown = Number(where[0]) === climb + 1 && where.slice(1).includes(String(move));
            return shown && !isLoading() && state.climb === climb && state.position === move;
        }""",
        arg=[climb, move],
    )


def settled(page, script: str):
    """The value of a script once it has not changed for a second."""
    value, same = page.evaluate(script), 0
    while same < 10:
        page.wait_for_timeout(100)
        now = page.evaluate(script)
        value, same = now, same + 1 if now == value else 0
    return value


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
    page.wait_for_function("() => document.querySelectorAll('#climbers .ag-row').length > 5")


def test_scrubbing_reaches_every_move_and_steps_back_over_a_climb(page, server):
    opened(page, link(server, "burma14", climbers=20))
    started(page)
    wait_state(page, "finished")
    page.click("#player-play")  # pause
    page.evaluate("() => window.TourScope.player.playClimb(3, false)")
    at(page, 3, 0)
    moves = page.evaluate("() => window.TourScope.player.shown().count")
    lengths = []
    for move in range(1, moves + 1):
        page.click("#player-forward")
        at(page, 3, move)
        lengths.append(int(re.sub(r"\D", "", page.inner_text("#hud-length")) or 0))
    assert lengths == sorted(lengths, reverse=True)
    end = page.evaluate("() => window.TourScope.climbs.get(3).then((climb) => climb.lengths[climb.count])")
    shown = "end => document.getElementById('hud-length').textContent.replace(/\\D/g, '') === String(end)"
    page.wait_for_function(shown, arg=end)
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
    page.keyboard.press("Space")
    page.wait_for_function("() => !window.TourScope.player.state.playing")
    page.keyboard.press("ArrowDown")
    page.wait_for_function("climb => window.TourScope.player.state.climb !== climb", arg=climber - 1)


def test_cancel_ends_a_long_run_and_its_worker(page, server):
    opened(page, link(server, "pr1002", climbers=1_000_000, **{"budget.seconds": 600}))
    started(page)
    page.click("#player-live")
    page.evaluate("() => window.TourScope.stats.reset()")
    page.wait_for_function("() => window.TourScope.stats.frames > 10")
    workers = set(worker_ids(server))
    page.click("#run-cancel")
    wait_state(page, "cancelled")
    for _ in range(PATIENCE // 100):
        page.wait_for_timeout(100)
        if workers - set(worker_ids(server)):
            return
    raise AssertionError("the run's worker goes on")


def worker_ids(server) -> list[int]:
    return [child.pid for child in psutil.Process(server.process.pid).children(recursive=True)]


#: What there is to see of where a run is: its numbers, and the picture that is drawn live.
NUMBERS = """() => {
    const { run, player } = window.TourScope;
    const live = player.state.live ? document.getElementById('hud-where').textContent : '';
    return [run.evaluations, run.rows, live].join(' | ');
}"""


def test_a_paused_run_stands_and_goes_by_single_steps(page, server):
    opened(page, link(server, "pr1002", climbers=1000, **{"budget.seconds": 60}))
    started(page)
    page.click("#run-pause")
    wait_state(page, "paused")
    page.click("#player-live")
    before = settled(page, NUMBERS)
    assert "live" in before, "where the run stands is shown, though nothing moves"
    for _ in range(6):
        page.click("#run-step")
        page.wait_for_function(f"before => ({NUMBERS})() !== before", arg=before)
        before = settled(page, NUMBERS)
        assert state_of(page) == "paused"
    evaluations = page.evaluate("() => window.TourScope.run.evaluations")
    page.click("#run-resume")
    wait_state(page, "running")
    page.wait_for_function("before => window.TourScope.run.evaluations > before", arg=evaluations)
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


def test_a_step_of_the_run_takes_a_player_that_was_elsewhere_to_the_run(page, server):
    opened(page, link(server, "pr1002", climbers=1000, **{"budget.seconds": 60}))
    started(page)
    page.click("#run-pause")
    wait_state(page, "paused")
    page.keyboard.press("Home")
    page.click("#run-step")
    page.wait_for_function("() => document.getElementById('hud-where').textContent.includes('live')")
    assert state_of(page) == "paused"
    page.click("#run-cancel")
    wait_state(page, "cancelled")


def test_a_reload_keeps_the_players_place_and_a_new_run_begins_at_the_first_climb(page, server):
    opened(page, link(server, "burma14", climbers=20))
    started(page)
    wait_state(page, "finished")
    page.evaluate("() => window.TourScope.player.playClimb(6, false)")
    at(page, 6, 0)
    page.click("#player-forward")
    page.click("#player-forward")
    at(page, 6, 2)
    for _ in range(2):
        page.reload()
        page.wait_for_function("() => window.TourScope?.player?.shown()")
        at(page, 6, 2)
        assert not page.evaluate("() => window.TourScope.player.state.playing")
    first = page.evaluate("() => window.TourScope.run.id")
    page.click("#start")
    page.wait_for_function("first => window.TourScope.run.id !== first && window.TourScope.player.shown()", arg=first)
    assert position(page)[0] == 0


@pytest.fixture(scope="module")
def ended(context, server):
    """A page of a run that has ended, for what leaves it as it is."""
    with visiting(context, server) as view:
        opened(view, link(server, "burma14", climbers=10))
        started(view)
        wait_state(view, "finished")
        yield view


@pytest.mark.parametrize(("button", "name", "magic"), [
    ("save-png", r"burma14-two-opt-\d+\.png", b"\x89PNG"),
    ("save-svg", r"burma14-two-opt-\d+\.svg", b"<svg"),
    ("save-gif", r"burma14-two-opt-climb-\d+\.gif", b"GIF8"),
    ("save-tour", r"burma14-two-opt-3323\.tour", b"NAME"),
    ("save-csv", r"burma14-two-opt-climbers\.csv", b"climber,"),
    ("save-json", r"burma14-two-opt-3323\.json", b"{"),
    ("save-run", r"burma14-two-opt\.tourscope", b"SQLite format 3"),
])  # fmt: skip
def test_everything_can_be_saved(ended, button, name, magic):
    with ended.expect_download() as download:
        ended.click(f"#{button}")
    saved = download.value
    assert re.fullmatch(name, saved.suggested_filename)
    ending = saved.suggested_filename[saved.suggested_filename.rindex(".") :]
    content = saved.path().read_bytes()
    assert content.startswith(magic)
    if ending == ".json":
        assert json.loads(content)["optimum"] == 3323
    if ending == ".tour":
        assert sorted(map(int, re.findall(r"^\d+$", content.decode(), re.M))) == list(range(1, 15))


RANGES = """() => {
    const { xaxis, yaxis } = document.querySelector('#tour .js-plotly-plot').layout;
    return [xaxis, yaxis];
}"""


def test_saving_leaves_the_map_as_it_is_and_fills_the_picture(page, server):
    opened(page, link(server, "berlin52", climbers=10))
    started(page)
    wait_state(page, "finished")
    before = page.evaluate(RANGES)
    for _ in range(2):
        with page.expect_download() as download:
            page.click("#save-png")
        picture = np.asarray(Image.open(download.value.path()).convert("L"), np.int32)
        inked = np.flatnonzero((np.abs(picture[:-120] - picture[0, 0]) > 40).any(axis=0))
        assert inked[-1] - inked[0] > 0.85 * picture.shape[1]
        assert page.evaluate(RANGES) == before


def test_another_instance_leaves_the_run(page, server):
    opened(page, link(server, "burma14", climbers=10))
    started(page)
    wait_state(page, "finished")
    page.evaluate("() => window.dash_clientside.set_props('instance', { value: 'eil51' })")
    page.wait_for_function("() => !window.TourScope.run.id && document.getElementById('save-png').disabled")
    page.wait_for_function("() => !window.location.search.includes('run=')")
    assert page.inner_text("#player-climb-label") == page.inner_text("#player-move-label") == "–"


def test_a_climb_that_was_shown_as_far_as_it_was_ends_where_it_ended(page, server):
    opened(page, link(server, "pr1002", climbers=1000, **{"budget.seconds": 3}))
    started(page)
    page.click("#player-play")  # pause
    wait_state(page, "finished")
    page.keyboard.press("End")
    page.wait_for_function("() => window.TourScope.player.shown().whole")
    moves = page.evaluate("() => window.TourScope.climbs.get(0).then((climb) => climb.count)")
    page.wait_for_function("moves => window.TourScope.player.state.position === moves", arg=moves)
    assert moves > 1000
    assert "+" not in page.inner_text("#player-move-label")


def test_little_motion_is_wanted(page, server):
    page.emulate_media(reduced_motion="reduce")
    opened(page, link(server, "burma14", climbers=10))
    started(page)
    at(page, 0, 0)
    assert not page.evaluate("() => window.TourScope.player.state.playing")


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
    wait_state(page, "finished")
    assert page.evaluate(POINTS) in (15, 17)


def test_what_is_no_run_file_is_refused_beside_the_upload(page, server, tmp_path):
    wrong = tmp_path / "wrong.tourscope"
    wrong.write_bytes(b"no run")
    opened(page, server.url)
    page.click("#recent-runs summary, #recent-runs")
    page.set_input_files("#run-upload input[type=file]", wrong)
    page.wait_for_function("() => /cannot be taken/.test(document.getElementById('run-upload-note').textContent)")


def test_the_table_speaks_of_what_the_algorithm_counts(page, server):
    opened(page, link(server, "burma14", "random"))
    page.wait_for_function("() => document.querySelector('#climbers .ag-header-cell-text').textContent === 'sample'")
    assert "one sample" in page.inner_text("#climbers-note")


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


def test_a_choice_takes_its_own_keys_alone(page, server):
    opened(page, server.url)
    page.locator("#device input[type=radio]").first.focus()
    page.keyboard.press("?")
    page.wait_for_selector("#keys")


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
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    try:
        opened(page, link(first, "pr1002", climbers=1000, **{"budget.seconds": 60}))
        started(page)
        page.wait_for_function("() => window.TourScope.player.shown().count > 0")
        first.process.kill()
        first.process.wait()
        page.wait_for_function("() => document.getElementById('run-cancel').disabled")
        second = start_server(tmp_path, first.port)
        try:
            page.wait_for_function("() => document.body.dataset.runState === 'interrupted'")
            assert page.evaluate("() => window.TourScope.player.shown().count") > 0
            assert page.evaluate("() => document.getElementById('run-state').dataset.kind") == "refusal"
            assert not page.evaluate("() => document.getElementById('run-cancel').disabled")
        finally:
            stop_server(second)
    finally:
        context.close()
        if first.process.poll() is None:
            stop_server(first)
