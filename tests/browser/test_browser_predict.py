"""Prediction questions in a real browser: by mouse, finger and keyboard; the score is checked against the run file."""

import json
import random
import re

import numpy as np
import pytest
from chromium import MODULES
from serving import PATIENCE
from watching import CITY, link, open_form, start_run, wait_state

from data.distances import distance_matrix
from runs.store.climb import build_climb_frame
from runs.store.reader import RunReader
from runs.store.run_file import SUFFIX
from solvers.worker.frames import decode, decode_instance

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

PHASE = "phase => document.querySelector('.stage').dataset.predict === phase"
STANDS = "k => window.TourScope.player.state.position === k && !window.TourScope.player.isLoading()"
#: Where an edge of the tour that is shown, by its position, is farthest from the others on the screen, and how far.
CLEAR = """k => {
    const { tour, player, onCanvas, edgesNear } = window.TourScope;
    const [order, { xy }, place] = [player.shown().seek(player.state.position), tour.map(), tour.place()];
    const pairs = [...order].flatMap((city, at) => [city, order[(at + 1) % order.length]]);
    const [a, b] = [pairs[2 * k], pairs[2 * k + 1]].map((city) => onCanvas(xy, place, city));
    const box = document.getElementById('tour').getBoundingClientRect();
    const points = Array.from({ length: 81 }, (_, t) => {
        const share = 0.1 + t / 100;
        const point = { x: a.x + share * (b.x - a.x), y: a.y + share * (b.y - a.y) };
        const other = edgesNear(xy, pairs, place, point, 1e4).find(({ at }) => at !== k);
        return [other.distance, box.x + point.x, box.y + point.y];
    });
    return points.sort((one, other) => other[0] - one[0])[0];
}"""
TOP = "() => document.getElementById('tour').getBoundingClientRect().top"
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def instance(n: int) -> str:
    return json.dumps({"generate": "uniform", "n": n, "seed": random.randrange(10**6)})


def read_first_climb(server, run: str):
    """The first climb of a run and its distances, read from the run file."""
    with RunReader(server.home / "runs" / f"{run}{SUFFIX}") as reader:
        frame = decode(build_climb_frame(0, reader.climb(0), 0))
        return frame.arrays, distance_matrix(decode_instance(decode(reader.instance())))


def tours(arrays) -> list[np.ndarray]:
    """All tours of a short climb, computed in the simplest way."""
    result = [arrays["tours"].reshape(-1, arrays["tours"].shape[-1])[0]]
    for i, j in zip(arrays["i"], arrays["j"], strict=True):
        order = result[-1].copy()
        order[i + 1 : j + 1] = order[i + 1 : j + 1][::-1]
        result.append(order)
    return result


def length(distances, order) -> int:
    return int(distances[order, np.roll(order, -1)].sum())


def open_at_start(page, server, algorithm: str, n: int, **fields) -> str:
    """Open a finished run at its start."""
    open_form(page, link(server, instance(n), algorithm, **fields))
    run = start_run(page)
    wait_state(page, "finished")
    page.evaluate("() => window.TourScope.player.playClimb(0, false)")
    page.wait_for_function(STANDS, arg=0)
    return run


def ask(page, position: int) -> None:
    """Open the question about a step."""
    page.wait_for_function(STANDS, arg=position)
    if not page.evaluate(PHASE, "asking"):
        page.click("#player-forward")
    page.wait_for_function(PHASE, arg="asking")


def score(page) -> str:
    return page.inner_text("#predict-score")


def exchange_change(distances, order, i: int, j: int) -> int:
    """The change of the tour's length by an exchange, from both lengths."""
    after = order.copy()
    after[i + 1 : j + 1] = after[i + 1 : j + 1][::-1]
    return length(distances, after) - length(distances, order)


def some_edges(n: int) -> tuple[int, int]:
    """Positions of two edges without a common city."""
    one = random.randrange(n - 2)
    return one, random.randrange(one + 2, n - (one == 0))


def test_edges_are_picked_by_mouse_and_the_score_matches_the_file(climb, shared_server):
    page = climb
    arrays, distances = read_first_climb(shared_server, page.evaluate("() => window.TourScope.run.id"))
    page.click("#predict-on")
    right = asked = 0
    for k, order in enumerate(tours(arrays)[:-1]):
        ask(page, k)
        truth = int(arrays["i"][k]), int(arrays["j"][k])
        choice = truth if k % 2 else some_edges(14)
        places = [page.evaluate(CLEAR, at) for at in choice]
        if min(places)[0] < 6:  # another edge lies too near for a mouse
            page.click("#predict-skip")
            continue
        for _, x, y in places:
            page.mouse.click(x, y)
        page.wait_for_function(PHASE, arg="told")
        asked += 1
        is_right = exchange_change(distances, order, *choice) == arrays["delta"][k]
        right += is_right
        assert page.get_attribute("#predict-sentence", "data-verdict") == ("right" if is_right else "wrong")
        assert score(page) == f"{right} of {asked} right"
    assert asked
    page.click("#predict-reset")
    assert score(page) == ""
    page.click("#predict-on")
    page.wait_for_function(PHASE, arg="off")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")  # nothing is asked any more
    page.wait_for_function(STANDS, arg=1)
    assert page.evaluate("() => document.getElementById('tour').getAttribute('tabindex')") is None


@pytest.mark.long
def test_low_window_shows_the_whole_question(page, server):
    page.set_viewport_size({"width": 1280, "height": 720})
    open_at_start(page, server, "two-opt", 52, climbers=1)
    page.click("#predict-on")
    ask(page, 0)
    hidden = (
        "() => (({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector('.reading'))"
    )
    assert page.evaluate(hidden) == 0


@pytest.mark.long
def test_edges_are_picked_by_keyboard_and_the_score_matches_the_file(page, server):
    run = open_at_start(page, server, "two-opt", 30, climbers=1)
    arrays, distances = read_first_climb(server, run)
    page.focus("#predict-on")
    page.keyboard.press("Enter")
    right = 0
    for k, order in enumerate(tours(arrays)[:6]):
        page.wait_for_function(STANDS, arg=k)
        if k:
            page.keyboard.press("ArrowRight")
        page.wait_for_function(PHASE, arg="asking")
        truth = int(arrays["i"][k]), int(arrays["j"][k])
        one, other = truth if k in (1, 4) else some_edges(30)
        for presses in (one + 1, other - one):
            for _ in range(presses):
                page.keyboard.press("ArrowRight")
            page.keyboard.press("Enter")
        page.wait_for_function(PHASE, arg="told")
        change = exchange_change(distances, order, one, other)
        right += change == arrays["delta"][k]
        sentence = page.inner_text("#predict-sentence")
        assert score(page) == f"{right} of {k + 1} right"
        if change != arrays["delta"][k]:
            assert str(abs(change)) in re.sub(r"(?<=\d)\D(?=\d{3})", "", sentence)
    page.wait_for_function(STANDS, arg=6)
    page.keyboard.press("ArrowRight")
    page.wait_for_function(PHASE, arg="asking")
    page.keyboard.press("Escape")  # a question that is skipped does not count
    page.wait_for_function(STANDS, arg=7)
    assert score(page) == f"{right} of 6 right"


#: Whether all of the map is on the screen.
ON_SCREEN = """() => {
    const { top, bottom } = document.getElementById('tour').getBoundingClientRect();
    return top > -1 && bottom < window.innerHeight;
}"""


@pytest.mark.long
def test_cities_are_picked_by_touch_on_a_phone(chromium, server):
    context = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    context.add_init_script(path=MODULES)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    run = open_at_start(page, server, "nearest-neighbour", 9)
    arrays, distances = read_first_climb(server, run)
    page.locator("#predict-on").tap()
    order, right = [int(a) for a, _ in arrays["edges"].reshape(-1, 2)], 0
    for k in range(7):
        page.wait_for_function(STANDS, arg=k)
        if not page.evaluate(PHASE, "asking"):
            page.locator("#predict-skip").tap()
        page.wait_for_function(PHASE, arg="asking")
        choice = random.choice(order[k + 1 :])
        top = page.evaluate(TOP)
        assert page.evaluate(ON_SCREEN), "the cities to choose from are seen"
        page.touchscreen.tap(*page.evaluate(CITY, choice))
        page.wait_for_function(PHASE, arg="told")
        page.evaluate(DRAWN)
        assert page.evaluate(TOP) == top, "the click after the tap falls on what lies there now"
        assert not page.is_visible(".city-tip"), "it would cover what was picked"
        verdict = page.get_attribute("#predict-sentence", "data-verdict")
        if distances[order[k], choice] == distances[order[k], order[k + 1]]:
            assert verdict == "right"
        right += verdict == "right"
        assert score(page) == f"{right} of {k + 1} right"
    assert page.evaluate("() => document.documentElement.scrollWidth") == 390
    context.close()


@pytest.mark.long
def test_annealing_questions_can_be_answered_by_its_record(page, server):
    run = open_at_start(page, server, "simulated-annealing", 12, chains=1)
    arrays, _ = read_first_climb(server, run)
    page.click("#predict-on")
    right = 0
    for k, delta in enumerate(arrays["delta"][:8]):
        ask(page, k)
        yes = random.random() < 0.5
        asked = page.inner_text("#predict-sentence")
        page.click("#predict-yes" if yes else "#predict-no")
        page.wait_for_function(PHASE, arg="told")
        truth = arrays["step"][k] - arrays["step"][k - 1] == 1 if "accepted?" in asked else delta > 0
        right += yes == truth
        assert score(page) == f"{right} of {k + 1} right"
