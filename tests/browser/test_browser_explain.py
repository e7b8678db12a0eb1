"""The sentence below the tour in a real browser: of each step by the keyboard, and nothing around it moves."""

import re

import pytest
from watching import at, link, opened, said, started, wait_state

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

#: Where the legend and the player begin, below the sentence.
BELOW = "() => ['legend', 'player'].map((id) => document.getElementById(id).getBoundingClientRect().top)"
#: The cities that have their names on the map.
NAMED = "() => window.TourScope.tour.named()"
#: What is said now, and of which line.
EXPLAINED = "() => window.TourScope.explanation()"


def places_below(page, width, steps):
    """Where what is below the sentence begins, over some steps by the keyboard; and the sentences."""
    page.set_viewport_size({"width": width, "height": 1000})
    page.evaluate("() => { document.activeElement?.blur(); window.TourScope.player.playClimb(0, false); }")
    at(page, 0, 0)
    sentences, places = [said(page, "explain", "Start")], [page.evaluate(BELOW)]
    for move in range(1, steps + 1):
        page.keyboard.press("ArrowRight")
        at(page, 0, move)
        sentences.append(said(page, "explain", "Out"))
        places.append(page.evaluate(BELOW))
    page.keyboard.press("End")
    sentences.append(said(page, "explain", "optimum"))
    places.append(page.evaluate(BELOW))
    return sentences, places


def cities_of(sentence):
    """The cities that a sentence on a 2-opt move names, counted from 0."""
    return {int(name) - 1 for pair in re.findall(r"(\d+)\u2013(\d+)", sentence) for name in pair}


@pytest.mark.parametrize("width", [390, 1440])
def test_each_step_has_a_sentence_and_nothing_moves_below_it(page, server, width):
    opened(page, link(server, "berlin52", climbers=50))
    started(page)
    wait_state(page, "finished")
    sentences, places = places_below(page, width, 6)
    assert len(set(sentences)) == len(sentences)
    assert all(place == places[0] for place in places)
    assert page.get_attribute("#explain", "aria-live") == "polite"
    assert page.evaluate(EXPLAINED)["line"] == "optimum"


def test_the_cities_of_a_sentence_have_their_names_on_the_map(page, server):
    opened(page, link(server, "berlin52", climbers=50))
    started(page)
    wait_state(page, "finished")
    page.evaluate("() => { document.activeElement?.blur(); window.TourScope.player.playClimb(0, false); }")
    at(page, 0, 0)
    assert page.evaluate(NAMED) == []
    for move in (1, 2, 3):
        page.keyboard.press("ArrowRight")
        at(page, 0, move)
        sentence = said(page, "explain", "Out")
        assert len(cities_of(sentence)) == 4
        assert set(page.evaluate(NAMED)) == cities_of(sentence)
    page.keyboard.press("End")
    said(page, "explain", "optimum")
    assert page.evaluate(NAMED) == []
