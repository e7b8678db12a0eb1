"""The views of a colony: the picture of a known field, the iteration of a slider position, and the form's presets."""

import json

import numpy as np
import pytest
from visiting import visiting
from watching import DRAWN, choose, link, open_save_menu, wait_for_text

from data.collection import resolve
from data.distances import tour_length
from runs.store.pheromone import picture_iteration
from runs.store.run_file import Entry, RunWriter
from solvers.core.events import Ants, Colony, Edges, Field, Finished, Phases, Progress, Rows, Shortened, Started, Tour
from solvers.worker.frames import decode, encode, event_frame, instance_frame

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

RUN, N = "abcdefghijkl", 14
#: The same run, its tours shortened by local search in every iteration, and its best one at the end.
EVERY, AT_THE_END = "everyabcdefg", "endabcdefghi"
#: Iterations of the known run, and those of them that are pictured.
LAST, PICTURED = 12, (0, 1, 2, 4, 8, 12)
LOW, HIGH = 0.001, 1.0
SPEC = {"v": 1, "instance": {"name": "burma14"}, "stages": [{"algorithm": "ant-system", "params": {"iterations": 12}}]}
#: The image of the field: its size, and red, green and blue of its first row.
PIXELS = """() => {
    const canvas = document.getElementById('heat-canvas');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, 1);
    return { side: [canvas.width, canvas.height], row: Array.from(data).filter((_, k) => k % 4 < 3) };
}"""
WHERE = "() => document.getElementById('hud-where').textContent"


def make_heat(iteration: int) -> np.ndarray:
    """Bytes that differ from cell to cell and from iteration to iteration."""
    return (np.arange(N * N).reshape(N, N) * 7 + 13 * iteration).astype(np.uint8)


def field(iteration: int) -> Field:
    """Six edges of the tour, from the strongest trail to a faint one."""
    edges = np.array([[k, k + 1] for k in range(6)], np.int32)
    trail = np.array([1, 0.9, 0.6, 0.3, 0.05, 0.001], np.float32)
    return Field(iteration, LOW, HIGH, make_heat(iteration), np.arange(N, dtype=np.int32), edges, trail)


def by_2_opt(run: str, iteration: int, best: int) -> list:
    """The gain of 2-opt in an iteration of one of the runs, and the time spent on everything else."""
    if run != EVERY:
        return []
    took = np.array([12.5 if iteration != 3 else np.nan])
    one = np.array([iteration])
    gains = Shortened(one, np.array([best + 402.0]), np.array([best + 2.0]), took)
    return [Phases(one, *(np.array([ms]) for ms in (1.0, 5.0, 2.0, 0.5))), gains]


def final_two_opt(run: str, instance, before: int) -> list:
    """The recorded best tour of a run, which 2-opt shortened at the end to the optimum."""
    if run != AT_THE_END:
        return []
    order, now = instance.optimal_tour, np.array([3323])
    last = np.array([LAST])
    progress = Progress(last, 3 * last, np.array([0.121]), now, now, np.array([float(before)]))
    gains = Shortened(last, np.array([float(before)]), np.array([3323.0]), np.array([1.5]), best=True)
    return [Tour(order, 3323, 0), progress, gains]


def colony_events(instance, run: str = RUN) -> list:
    """The events of a run whose best ant improves at iteration 5, unless 2-opt improves it at the end."""
    orders = [np.roll(np.arange(N, dtype=np.int32), 0), instance.optimal_tour]
    lengths = [tour_length(instance, order) for order in orders]
    events: list = [Started("ant-system", "cpu", "a machine", 1, 0.0), field(0)]
    for iteration in range(1, LAST + 1):
        better = iteration >= 5 and run != AT_THE_END
        order, best = orders[better], lengths[better]
        edges = np.stack([order, np.roll(order, -1)], axis=1).astype(np.int32)
        delta = np.array([tour_length(instance, order)] + [0] * (N - 1), np.int32)
        events.append(Edges(iteration - 1, edges, delta))
        if iteration == 1 or (iteration == 5 and better):
            events.append(Tour(order, best, iteration - 1))
        one = np.array([iteration])
        events += [
            Rows(one.astype(np.int32) - 1, np.array([best]), np.zeros(1, np.int32), np.array([3]), np.array([0.01])),
            Progress(one, 3 * one, 0.01 * one, np.array([best]), np.array([best]), np.array([float(best)])),
            Colony(one, np.array([best]), np.array([best + 2.0]), np.array([best + 9]), 1.0 * one, 2.0 * one,
                   np.array([[6, 3, 1]])),
        ]  # fmt: skip
        events += by_2_opt(run, iteration, best)
        if iteration in PICTURED:
            events += [Ants(iteration, np.array([best, best + 2, best + 9])), field(iteration)]
    events += final_two_opt(run, instance, lengths[0])
    events.append(
        Finished(
            orders[1].astype(np.int32), lengths[1], LAST, 3 * LAST, 0.12, 0.05, 0.0, "completed", "a machine", 1, {}
        )
    )
    return events


def write_run(home, run: str) -> None:
    instance = resolve.load("burma14")
    folder = home / "runs"
    folder.mkdir(parents=True, exist_ok=True)
    writer = RunWriter.create(folder / f"{run}.tourscope", run, 1.7e9, json.dumps(SPEC), instance_frame(instance))
    for event in colony_events(instance, run):
        raw = event_frame(event, 1.7e9)
        frame = decode(raw)
        pieces = ((frame.values["climber"], 0),) if frame.kind == "edges" else ()
        writer.append([Entry(1.7e9, frame.kind, raw, pieces, picture_iteration(frame))])
    state = encode("state", {"state": "finished", "reason": "completed", "at": 1.7e9}, {})
    writer.append([Entry(1.7e9, "state", state)], ("finished", "completed"))
    writer.finish()


@pytest.fixture(scope="module")
def server(shared_server):
    """The server, with the known runs in its folder."""
    for run in (RUN, EVERY, AT_THE_END):
        write_run(shared_server.home, run)
    return shared_server


@pytest.fixture(scope="module")
def field_page(context, server):
    """A page that shows the known run."""
    with visiting(context, server) as view:
        open_run(view, server, RUN)
        yield view


@pytest.fixture(scope="module")
def two_opt_page(context, server):
    """A page that shows the ants of a run with 2-opt in every iteration."""
    with visiting(context, server) as view:
        open_run(view, server, EVERY)
        choose(view, "Ants")
        yield view


def open_run(page, server, run: str) -> None:
    page.goto(f"{server.url}?run={run}")
    page.wait_for_function("() => window.TourScope?.run?.state === 'finished' && window.TourScope.player.shown()")


def go(page, iteration: int) -> None:
    """Move the slider to an iteration and wait until the line above the view shows it."""
    page.get_by_label("Iteration", exact=True).fill(str(iteration - 1))
    wait_for_text(page, "hud-where", f"^iteration {iteration} of 12")


def wait_for_colours(page, row: np.ndarray) -> None:
    """Wait until the first row of the field's image has these colours."""
    wanted = row.ravel().tolist()
    page.wait_for_function(
        f"wanted => {{ const {{ row }} = ({PIXELS})(); return row.length === wanted.length"
        " && row.every((value, k) => Math.abs(value - wanted[k]) <= 1.01); }",
        arg=wanted,
    )


def curves(page, count: int) -> list:
    """Names and points of the traces in the ants' figure, once it has this number of them."""
    graph = "document.querySelector('#ants .js-plotly-plot')"
    page.wait_for_function(f"() => {graph}?.data?.length === {count}")
    return page.evaluate(f"() => {graph}.data.map(({{ name, x, y }}) => ({{ name, x: [...x], y: [...y] }}))")


def shows(page, iteration: int) -> None:
    """Wait until the picture of this iteration is on the screen."""
    script = "k => window.TourScope.iterationPlayer.picture()?.field.values.iteration === k"
    page.wait_for_function(script, arg=iteration)


def colours(page) -> np.ndarray:
    """The colours of the ramp in the style sheet, shape (5, 3)."""
    stops = page.evaluate("() => [0, 1, 2, 3, 4].map((k) => window.TourScope.colour(`heat-${k}`))")
    return np.array([[int(stop[at : at + 2], 16) for at in (1, 3, 5)] for stop in stops], float)


def ramp(page, share: np.ndarray) -> np.ndarray:
    """Colours at positions of the ramp, computed with NumPy."""
    stops = colours(page)
    return np.stack([np.interp(share * 4, np.arange(5), stops[:, part]) for part in range(3)], axis=-1)


def test_pheromone_is_shown_iteration_by_iteration_and_played(field_page):
    page = field_page
    choose(page, "Pheromone")
    page.get_by_label("Logarithmic").set_checked(True)
    page.keyboard.press("Space")  # pause, wherever it plays
    go(page, 12)
    share = make_heat(12)[0] / 255
    wait_for_colours(page, ramp(page, share))
    assert page.evaluate(PIXELS)["side"] == [N, N]
    assert page.text_content(".heat-title") == "pheromone"
    assert page.text_content(".heat-axis.across") == "1cities along the optimal tour14"
    page.get_by_label("Logarithmic").set_checked(False)
    wait_for_colours(page, ramp(page, LOW * (HIGH / LOW) ** share / HIGH))
    page.get_by_label("Logarithmic").set_checked(True)
    picture = page.get_by_role("img", name="Pheromone between the cities")
    box = picture.bounding_box()
    picture.hover(position={"x": 1.5 * box["width"] / N, "y": 0.5 * box["height"] / N})
    page.get_by_text("edge 1 \u2013 2: 1", exact=True).wait_for()
    page.mouse.move(0, 0)
    page.get_by_text("edge 1 \u2013 2: 1", exact=True).wait_for(state="hidden")
    lengths = {}
    for iteration, nearest in ((3, 2), (4, 4), (5, 4), (11, 8), (1, 1)):
        go(page, iteration)
        wait_for_colours(page, ramp(page, make_heat(nearest)[0] / 255))
        ending = f"iteration {iteration} of \\d+" if nearest == iteration else f"pheromone of {nearest}"
        wait_for_text(page, "hud-where", f"{ending}$")
        wait_for_text(page, "hud-gap", "^best up to here")
        lengths[iteration] = int("".join(filter(str.isdigit, page.inner_text("#hud-length"))))
    assert lengths[1] == lengths[4] > lengths[5] == lengths[11] == 3323, "the best one until that iteration"

    page.evaluate("() => document.activeElement.blur()")
    page.keyboard.press("Home")
    shows(page, 1)
    page.keyboard.press("ArrowRight")
    shows(page, 2)
    page.keyboard.press("Space")
    shows(page, 12)
    page.wait_for_function("() => !window.TourScope.player.state.playing")
    choose(page, "Tour")
    wait_for_text(page, "hud-where", "^iteration 12 of 12.*complete")


@pytest.mark.long
def test_trails_and_ants_are_drawn_and_an_animation_is_of_the_view(field_page):
    page = field_page
    choose(page, "Trails")
    go(page, 12)
    traces = page.evaluate("() => window.TourScope.trails.traces().map(({ x, line }) => [x.length, line.width])")
    assert [count for count, _ in traces] == [2, 2, 0, 2, 0, 5, N + 1], "the last one is the best tour"
    assert [width for _, width in traces[:6]] == sorted(width for _, width in traces[:6])
    inked = """() => {
        const canvas = document.getElementById('trails');
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        return data.filter((value, k) => k % 4 === 3 && value > 0).length;
    }"""
    page.wait_for_function(inked)
    with_tour = page.evaluate(inked)
    page.get_by_label("The run's best tour").set_checked(False)
    page.wait_for_function(f"before => 0 < ({inked})() && ({inked})() < before", arg=with_tour)
    open_save_menu(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="GIF", exact=True).and_(page.locator("#save-gif")).click()
    assert download.value.suggested_filename == "burma14-ant-system-trails.gif"
    assert download.value.path().read_bytes().startswith(b"GIF89a")
    choose(page, "Ants")
    bars, worst, mean, best = curves(page, 4)
    assert sum(bars["y"]) == 3
    assert worst["x"] == mean["x"] == best["x"] == list(range(1, 13))
    assert np.subtract(worst["y"], best["y"]).tolist() == [9] * 12
    choose(page, "Trials")
    trials = curves(page, 2)[1]
    assert (trials["x"][-1], trials["y"]) == ("roulette", [60, 30, 10])
    for absent in ("Time", "Local search"):
        assert not page.locator("label:visible").get_by_text(absent, exact=True).count()
    assert not page.is_visible("#shortened")


@pytest.mark.long
def test_iteration_time_is_drawn_by_phase(two_opt_page):
    choose(two_opt_page, "Time")
    bands = {band["name"]: band["y"][0] for band in curves(two_opt_page, 6)[1:]}
    assert bands == {
        "building tours": 5, "pheromone update": 2, "fitness": 1, "finding the best": 0.5, "local search": 12.5,
    }  # fmt: skip


@pytest.mark.long
def test_gain_of_2_opt_in_each_iteration_is_shown_and_drawn(two_opt_page):
    page = two_opt_page
    choose(page, "Local search")
    _, after, before = curves(page, 3)
    assert after["x"] == before["x"] == list(range(1, 13))
    assert np.subtract(before["y"], after["y"]).tolist() == [400] * 12
    for iteration, words in ((12, "3\u202f725 \u2192 3\u202f325 (\u221210.7\u202f%), 12.5\u202fms"), (3, ")")):
        go(page, iteration)
        start = f"Local search, mean of iteration {iteration}: "
        page.wait_for_function("start => document.getElementById('shortened').textContent.startsWith(start)", arg=start)
        text = page.inner_text("#shortened")
        assert text.endswith(words), "a time that was not measured is not told"
        caption = "() => document.querySelector('#ants .js-plotly-plot').layout.annotations[1].text"
        page.wait_for_function(f"words => ({caption})().endsWith(words)", arg=text.removeprefix(start))


@pytest.mark.long
def test_final_2_opt_tour_is_marked_and_shown(page, server):
    open_run(page, server, AT_THE_END)
    page.wait_for_function("() => document.getElementById('shortened').textContent.includes('at the end')")
    content = page.inner_text("#shortened")
    assert content.startswith("Local search on the best tour at the end: ")
    assert content.endswith("\u2192 3\u202f323 (\u221227.2\u202f%), 1.5\u202fms"), content
    chart = "document.querySelector('#convergence .js-plotly-plot')?"
    page.wait_for_function(f"() => {chart}.data[5].x.length === 1")
    point, texts, low = page.evaluate(
        f"() => [{chart}.data[5], {chart}.layout.annotations, {chart}.layout.yaxis.range[0]]"
    )
    assert (point["x"], point["y"]) == ([12], [3323])
    assert [text["text"] for text in texts][-2:] == ["optimum 3\u202f323", "local search"]
    assert low < 3323
    page.keyboard.press("End")
    page.wait_for_function(f"() => ({WHERE})().endsWith('shortened by local search')")
    assert page.inner_text("#hud-length") == "3\u202f323"
    points = page.evaluate("() => window.TourScope.tour.painted().points")
    assert points == N + 1, "a whole tour"
    page.keyboard.press("ArrowLeft")
    page.wait_for_function(f"() => !({WHERE})().includes('2-opt')")


@pytest.mark.long
def test_every_view_is_saved_as_shown(field_page):
    for view in ("Pheromone", "Trails", "Ants"):
        choose(field_page, view)
        go(field_page, 12)
        open_save_menu(field_page)
        for kind in ("PNG", "SVG"):
            with field_page.expect_download() as download:
                field_page.click(f"#save-{kind.lower()}")
            name = f"burma14-ant-system-{view.lower()}-iteration-12.{kind.lower()}"
            assert download.value.suggested_filename == name


@pytest.mark.long
def test_a_run_is_followed_live(page, server):
    page.goto(link(server, "kroA100", "ant-system", iterations=1_000_000, ants=10, **{"budget.seconds": 600}))
    page.wait_for_function(DRAWN)
    page.click("#start")
    page.wait_for_selector("#views", state="visible")
    choose(page, "Pheromone")
    page.click("#player-live")
    page.wait_for_function("() => window.TourScope.player.state.live && window.TourScope.iterationPlayer.picture()")
    before = page.evaluate("() => window.TourScope.iterationPlayer.picture().field.values.iteration")
    later = "before => window.TourScope.iterationPlayer.picture().field.values.iteration > before"
    page.wait_for_function(later, arg=before)
    page.click("#run-cancel")
    page.wait_for_function("() => document.body.dataset.runState === 'cancelled'")
    page.wait_for_function("() => !window.TourScope.player.state.live")


@pytest.mark.long
def test_non_repeatable_run_says_so(page, server):
    devices = {}
    for mode in ("deferred", "racy"):
        fields = {"iterations": 3, "ants": 4, "variant": "cpu", "local_update": mode}
        page.goto(link(server, "burma14", "ant-colony-system", **fields))
        page.wait_for_function(DRAWN)
        page.click("#start")
        page.wait_for_function("() => document.body.dataset.runState === 'finished'")
        page.wait_for_function("() => document.getElementById('run-device').textContent.startsWith('cpu on ')")
        devices[mode] = page.inner_text("#run-device")
    assert devices["racy"].replace(" \u00b7 not repeatable", "") == devices["deferred"] != devices["racy"]
