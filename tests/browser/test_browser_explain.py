"""The sentence below the tour in a real browser: it explains each step, and the layout does not move."""

import re

import pytest
from watching import at, link, open_address, open_form, start_run, wait_for_text, wait_state

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

#: Where the legend and the player begin, below the sentence.
BELOW = "() => ['legend', 'player'].map((id) => document.getElementById(id).getBoundingClientRect().top)"
#: The least height of the tour in a low window, where one with other views has a row for their choice.
LEAST = {"two-opt": 300, "ant-system": 264}
#: What of the legend is cut at the right of the panel, or lies below the player's first row.
CUT = """() => {
    const [stage, player] = ['stage', 'player'].map((id) => document.getElementById(id).getBoundingClientRect());
    return [...document.querySelectorAll('#legend :is(span, label, .form-check-input)')].filter((part) => {
        const { right, bottom, width } = part.getBoundingClientRect();
        return width && (right > stage.right - 8 || bottom > player.top + 1);
    }).map((part) => part.textContent);
}"""
#: What is above and below the tour.
ABOVE_TOUR = {"two-opt": ["#hud-length", "#tile-gap"], "ant-system": ["#tile-gap", "#views"]}
BELOW_TOUR = ["#explain", "#legend", "#player"]
#: The cities that have their names on the map.
NAMED = "() => window.TourScope.tour.named()"
#: The longest edge of the tour that is shown, and where its middle is in the window.
MIDDLE_OF_LONGEST = """() => {
    const { tour, player } = window.TourScope;
    const [{ xy }, { scale, ratio, x, y }, { edges, count }] = [tour.map(), tour.place(), player.shown()];
    const box = document.getElementById('tour').getBoundingClientRect();
    const at = (city) => [box.x + x + scale * xy[2 * city], box.y + y - scale * ratio * xy[2 * city + 1]];
    const all = Array.from({ length: count }, (_, edge) => {
        const [[ax, ay], [bx, by]] = [at(edges[2 * edge]), at(edges[2 * edge + 1])];
        return { edge, x: (ax + bx) / 2, y: (ay + by) / 2, far: Math.hypot(ax - bx, ay - by) };
    });
    return all.sort((one, other) => other.far - one.far)[0];
}"""
#: What is said now, and of which line.
EXPLAINED = "() => window.TourScope.explanation()"


def places_below(page, width, steps):
    """The top of the element below the sentence during some steps by keyboard, and the sentences."""
    page.set_viewport_size({"width": width, "height": 1000})
    page.evaluate("() => { document.activeElement?.blur(); window.TourScope.player.playClimb(0, false); }")
    at(page, 0, 0)
    sentences, places = [wait_for_text(page, "explain", "Start")], [page.evaluate(BELOW)]
    for move in range(1, steps + 1):
        page.keyboard.press("ArrowRight")
        at(page, 0, move)
        sentences.append(wait_for_text(page, "explain", "Removes"))
        places.append(page.evaluate(BELOW))
    page.keyboard.press("End")
    sentences.append(wait_for_text(page, "explain", "optimum"))
    places.append(page.evaluate(BELOW))
    return sentences, places


def read_cities(sentence):
    """The cities that a sentence on a 2-opt move names, as numbers from 0."""
    return {int(name) - 1 for pair in re.findall(r"(\d+)\u2013(\d+)", sentence) for name in pair}


def test_each_step_has_a_sentence_whose_cities_are_marked_on_the_map(climb):
    assert climb.evaluate(NAMED) == []
    sentences = [wait_for_text(climb, "explain", "Start")]
    for move in (1, 2, 3):
        climb.keyboard.press("ArrowRight")
        at(climb, 0, move)
        sentences.append(wait_for_text(climb, "explain", "Removes"))
        assert len(read_cities(sentences[-1])) == 4
        assert set(climb.evaluate(NAMED)) == read_cities(sentences[-1])
    climb.keyboard.press("End")
    sentences.append(wait_for_text(climb, "explain", "optimum"))
    assert climb.evaluate(NAMED) == []
    assert len(set(sentences)) == len(sentences)
    assert climb.get_attribute("#explain", "aria-live") == "polite"
    assert climb.evaluate(EXPLAINED)["line"] == "optimum"


@pytest.mark.long
@pytest.mark.parametrize("width", [390, 1440])
def test_step_sentences_move_nothing(page, server, width):
    open_form(page, link(server, "berlin52", climbers=50))
    start_run(page)
    wait_state(page, "finished")
    _, places = places_below(page, width, 6)
    assert all(place == places[0] for place in places)


@pytest.mark.long
@pytest.mark.parametrize("algorithm", ["two-opt", "ant-system"])
def test_low_window_leaves_room_for_the_tour_without_overlap(page, server, algorithm):
    page.set_viewport_size({"width": 1280, "height": 720})
    open_form(page, link(server, "berlin52", algorithm))
    start_run(page)
    wait_state(page, "finished")
    page.evaluate("() => { document.activeElement?.blur(); window.TourScope.player.playClimb(0, false); }")
    at(page, 0, 0)
    page.keyboard.press("ArrowRight")
    at(page, 0, 1)
    wait_for_text(page, "explain", "\\d")
    canvas = page.locator(".canvas").bounding_box()
    assert canvas["height"] >= LEAST[algorithm]
    assert page.evaluate(CUT) == []
    tops = [page.locator(part).bounding_box()["y"] for part in BELOW_TOUR]
    assert canvas["y"] + canvas["height"] <= tops[0]
    assert tops == sorted(tops)
    for part in ABOVE_TOUR[algorithm]:
        box = page.locator(part).bounding_box()
        assert box["y"] + box["height"] <= canvas["y"]
    buttons = page.eval_on_selector_all(
        "#player .button", "all => all.filter((each) => each.offsetWidth).map((each) => each.offsetTop)"
    )
    assert len(buttons) == 8
    assert max(buttons) - min(buttons) < 4
    long = """() => {
        const sentence = document.getElementById('explain');
        sentence.textContent = 'word '.repeat(300);
        sentence.parentElement.scrollTop = 40;
        return sentence.parentElement.scrollTop;
    }"""
    assert page.evaluate(long) == 40  # what is longer still scrolls, and lies over nothing
    assert page.locator(".canvas").bounding_box()["height"] >= LEAST["ant-system"]


@pytest.mark.long
def test_choice_of_an_ant_shows_candidates_and_an_updated_edge_explains_itself(watch_page, server):
    page = watch_page
    open_address(page, link(server, "berlin52", "ant-system", iterations=2, device="cpu"))
    start_run(page)
    wait_state(page, "finished")
    page.evaluate("() => { document.activeElement?.blur(); window.TourScope.player.playClimb(0, false); }")
    at(page, 0, 0)
    assert not page.is_visible("#legend-candidates")
    page.keyboard.press("ArrowRight")
    wait_for_text(page, "explain", "Its chances")
    assert page.is_visible("#legend-candidates")
    assert page.inner_text("#legend-candidates").strip() == "candidates, by chance from 0 to 1"
    page.keyboard.press("End")
    wait_for_text(page, "explain", "press E")
    ends = "k => Array.from(window.TourScope.player.shown().edges.slice(2 * k, 2 * k + 2), (city) => city + 1)"
    for key, edge in (("e", 0), ("e", 1), ("Shift+E", 0)):
        page.keyboard.press(key)
        a, b = page.evaluate(ends, edge)
        wait_for_text(page, "explain", f"edge {a}\u2013{b}: ")
    middle = page.evaluate(MIDDLE_OF_LONGEST)
    a, b = page.evaluate(ends, middle["edge"])
    page.mouse.click(middle["x"], middle["y"])
    wait_for_text(page, "explain", f"edge {a}\u2013{b}: ")
    assert sorted(page.evaluate(NAMED)) == sorted([a - 1, b - 1])
