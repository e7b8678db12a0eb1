"""Beat 2-opt in a real browser: a tour drawn by mouse, finger or keyboard races 2-opt, which then improves it."""

import json
import random
import re

import numpy as np
import pytest
from chromium import MODULES
from serving import PATIENCE
from watching import CITY, link, open_address, open_form, wait_state

from data.distances import tour_length
from runs.store.reader import RunReader
from runs.store.run_file import SUFFIX
from solvers.worker.frames import decode, decode_instance

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

PHASE = "phase => document.querySelector('.stage').dataset.hand === phase"
#: The least distance between two cities on the screen.
APART = """() => {
    const { tour, onCanvas } = window.TourScope;
    const [map, place] = [tour.map(), tour.place()];
    const at = Array.from({ length: map.n }, (_, c) => onCanvas(map.xy, place, c));
    return Math.min(...at.flatMap((a, k) => at.slice(k + 1).map((b) => Math.hypot(a.x - b.x, a.y - b.y))));
}"""


def visit(page, server, n: int, apart: float = 0) -> None:
    """Open a random instance whose cities are at least this number of pixels apart."""
    for _ in range(20):
        instance = json.dumps({"generate": "uniform", "n": n, "seed": random.randrange(10**6)})
        open_form(page, link(server, instance))
        if page.evaluate(APART) > apart:
            return
    raise AssertionError("no such instance was found")


def read_saved(server, run: str):
    """The instance, spec and best tour from a run's file."""
    with RunReader(server.home / "runs" / f"{run}{SUFFIX}") as reader:
        order = decode(reader.last("finished")).arrays["order"]
        return decode_instance(decode(reader.instance())), reader.meta().spec, order


def digits(text: str) -> list[int]:
    """The integers in a text, with or without thousands separators."""
    return [int(re.sub(r"\D", "", found)) for found in re.findall(r"\d+(?:\D\d{3})*", text)]


def is_tour(one, other) -> bool:
    """Whether two city orders are the same closed tour."""
    edges = [{frozenset(pair) for pair in zip(each, np.roll(each, -1), strict=True)} for each in (one, other)]
    return edges[0] == edges[1]


def race_by_hand(page, server, order: list[int]) -> None:
    """Race a hand-drawn tour, compare the page with both runs' files, and let 2-opt continue from it."""
    page.wait_for_function(PHASE, arg="whole")
    mine = digits(page.inner_text("#hand-sentence"))[0]
    page.click("#hand-race")
    page.wait_for_function("() => window.TourScope.run.id && window.TourScope.player.shown()")
    wait_state(page, "finished")
    page.evaluate("() => document.activeElement.blur()")
    page.keyboard.press("End")  # who wants little motion goes to the end of the climb by themselves
    page.wait_for_function(PHASE, arg="told")
    ids = page.get_attribute("#hand-compare", "href").split("=")[1].split(",")
    (instance, spec, stored), (_, other_spec, theirs) = (read_saved(server, run) for run in ids)
    assert spec["stages"][0]["algorithm"] == "given"
    assert other_spec["stages"][0]["algorithm"] == "two-opt"
    assert [*stored] == order
    length, other = tour_length(instance, stored), tour_length(instance, theirs)
    assert mine == length
    sentence = page.inner_text("#hand-sentence")
    assert sentence.startswith("You beat" if length < other else "A draw" if length == other else "2-opt wins")
    assert {length, other} <= set(digits(sentence.replace("2-opt", "")))
    page.click("#hand-improve")
    page.wait_for_function("id => window.TourScope.run.id && window.TourScope.run.id !== id", arg=ids[1])
    wait_state(page, "finished")
    improved = read_saved(server, page.evaluate("() => window.TourScope.run.id"))
    assert [stage["algorithm"] for stage in improved[1]["stages"]] == ["given", "two-opt"]
    assert tour_length(instance, improved[2]) <= length
    if tour_length(instance, improved[2]) == length:
        return  # what was drawn by chance is a local optimum: there is no move to show
    page.wait_for_function("() => window.TourScope.player.shown()")
    start = page.evaluate("() => [...window.TourScope.player.shown().tours.slice(0, window.TourScope.tour.map().n)]")
    assert is_tour(start, order)


@pytest.mark.long
def test_tour_is_drawn_by_mouse_raced_and_improved(watch_page, server):
    page = watch_page
    open_address(page, link(server, "kroA100"))
    page.wait_for_function("() => window.TourScope.tour.map().n === 100")
    page.click("#hand-open")
    page.wait_for_function(PHASE, arg="refused")
    assert "this instance has 100" in page.inner_text("#hand-sentence")
    page.click("#hand-smaller [data-instance=burma14]")
    page.wait_for_function(PHASE, arg="drawing")
    assert page.evaluate("() => window.TourScope.tour.map().n") == 14
    page.keyboard.press("Escape")
    page.wait_for_function(PHASE, arg="off")
    open_address(
        page, link(server, json.dumps({"generate": "uniform", "n": 9, "seed": 45}))
    )  # whose cities lie far apart
    page.wait_for_function("() => window.TourScope.tour.map().n === 9")
    page.click("#hand-open")
    page.wait_for_function(PHASE, arg="drawing")
    page.set_viewport_size({"width": 1440, "height": 900})
    order = random.sample(range(9), 9)
    for count, city in enumerate(order[:5], 1):
        page.mouse.click(*page.evaluate(CITY, city))
        assert digits(page.inner_text("#hand-at"))[:2] == [count, 9] or page.inner_text("#hand-at").startswith("City")
    page.mouse.move(2, 2)
    hidden = "({ scrollHeight, clientHeight }) => scrollHeight - clientHeight"
    assert page.locator(".reading").evaluate(hidden) == 0, "all of the text and the buttons is seen"
    page.click("#hand-undo")
    assert digits(page.inner_text("#hand-at"))[:2] == [4, 9]
    for count, city in enumerate(order[4:], 5):
        page.mouse.click(*page.evaluate(CITY, city))
        page.mouse.move(2, 2)
        if count < 9:
            assert digits(page.inner_text("#hand-at"))[:2] == [count, 9]
    race_by_hand(page, server, order)


@pytest.mark.long
def test_a_tour_is_drawn_by_keyboard(page, server):
    visit(page, server, 7)
    xs = page.evaluate("() => Array.from({ length: 7 }, (_, c) => window.TourScope.tour.map().xy[2 * c])")
    page.focus("#hand-open")
    page.keyboard.press("Enter")
    page.wait_for_function(PHASE, arg="drawing")
    order: list[int] = []
    for k in range(7):
        page.keyboard.press("ArrowRight")  # from none, or from a city that is drawn: to the first from the left
        page.keyboard.press("Enter")
        order.append(int(min(set(range(7)) - set(order), key=lambda city: (xs[city], city))))
        if k == 2:
            page.keyboard.press("Backspace")
            page.keyboard.press("ArrowRight")
            page.keyboard.press("Enter")
    race_by_hand(page, server, order)


@pytest.mark.long
def test_tour_is_drawn_by_touch_on_a_phone(chromium, server):
    context = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    context.add_init_script(path=MODULES)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    visit(page, server, 6, apart=25)
    order = random.sample(range(6), 6)
    page.locator("#hand-open").tap()
    page.wait_for_function(PHASE, arg="drawing")
    page.locator("#tour").scroll_into_view_if_needed()
    for city in order:
        page.touchscreen.tap(*page.evaluate(CITY, city))
    race_by_hand(page, server, order)
    context.close()
