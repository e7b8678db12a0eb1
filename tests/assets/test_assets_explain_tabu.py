"""Sentences on tabu search: an oracle keeps its own tabu lists for the recorded moves."""

import numpy as np
import pytest

from tests.assets.explaining import explain_climb, numbers, tour_after
from tests.solver_runs import KINDS, collect_climbs, collect_events, make_spec

pytestmark = pytest.mark.slow

FEW = {"searches": 1, "steps_per_city": 8, "variant": "sequential"}


def explain_search(instance, seed, **params):
    """A recorded search, with the explanations of its moves and its end."""
    spec = make_spec("tabu-search", seed, **(FEW | params))
    events = collect_events(instance, spec)
    explanations = explain_climb("tabu.js", instance, events, spec.to_json(), "sequential")
    return collect_climbs(events)[0], explanations[1:-1:2], explanations[-1]


class Lists:
    """The edges that may not be added and those that may not be removed, oldest first."""

    def __init__(self, held, both):
        self.removed, self.added, self.held, self.both = [], [], held, both

    def skip_steps(self, steps):
        """Steps without a move; each drops the oldest two entries of each list."""
        self.removed, self.added = self.removed[2 * steps :], self.added[2 * steps :]

    def forbid(self, gone, come):
        """The tabu edges of a move."""
        back = [edge for edge in come if edge in self.removed]
        if self.both and len(back) < 2:
            back = []
        return back + [edge for edge in gone if edge in self.added]

    def take(self, gone, come, tenure):
        """Add a move's edges to the lists and drop the oldest ones."""
        self.removed = (self.removed + gone)[-2 * int(tenure) :]
        self.added = (self.added + come)[-2 * self.held :] if self.held else []


def edges_at(order, i, j):
    """The edges that a move removes, and the edges that it adds."""
    a, b, c, d = (int(order[k % len(order)]) for k in (i, i + 1, j, j + 1))
    return [{a, b}, {c, d}], [{a, c}, {b, d}]


RULES = {
    "any": {"tenure": 6},
    "both": {"tenure": 20, "tabu_if": "both", "tenure_variation": 0.0},
    "added": {"tenure": 8, "added_tenure": 5},
    "few-cities": {"tenure": 40},
}


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.long)])
def test_tabu_move_is_explained_with_tabu_status_and_aspiration(rule, seed):
    instance, params = KINDS["geo" if rule == "few-cities" else "grid"](), RULES[rule]
    climb, explanations, _ = explain_search(instance, seed, **params)
    lists = Lists(params.get("added_tenure", 0), params.get("tabu_if") == "both")
    order, length, best, before, allowed = np.array(climb.start), climb.length, climb.length, 0, 0
    for (i, j, delta), (step, tenure), each in zip(climb.moves, climb.steps, explanations, strict=True):
        if step <= 0:
            assert each["line"] == ("back" if step == 0 else "finish")
            continue
        lists.skip_steps(step - before - 1)
        gone, come = edges_at(order, i, j)
        forbidden = lists.forbid(gone, come)
        lists.take(gone, come, tenure)
        length += delta
        sentence = each["sentence"]
        assert numbers(sentence)[-2:] == [tenure, len(lists.removed)]
        if forbidden:
            assert length < best
            assert each["line"] == "allowed"
            told_edges = sentence.split("although ")[1].split(" w")[0].split(", ")
            assert [{int(city) - 1 for city in edge.split("\u2013")} for edge in told_edges] == forbidden
            allowed += 1
        else:
            assert "No allowed move was better." in sentence
            assert each["line"] == ("worsen" if delta > 0 else "shorten")
        shaded = each["shades"][0]["line"]["x"]
        assert sum(x is not None for x in shaded) == 2 * len(lists.removed)
        order, best, before = tour_after(order, i, j), min(best, length), step
    assert allowed or rule in ("both", "few-cities")


def test_end_of_a_search_explains_its_moves():
    climb, _, end = explain_search(KINDS["grid"](), 5)
    steps = [step for step, _ in climb.steps]
    length = climb.length + sum(delta for _, _, delta in climb.moves)
    result, back, after = sum(step > 0 for step in steps), steps.count(0), steps.count(-1)
    assert numbers(end["sentence"]) == [length, result, *([back] if back else []), *([after] if after else [])]
    assert back > 0
