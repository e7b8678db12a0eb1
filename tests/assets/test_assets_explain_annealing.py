"""Sentences on annealing: an oracle repeats the draws in plain Python and follows each insertion through the tours."""

import math
from dataclasses import replace

import numpy as np
import pytest

from data.distances import distance_matrix
from data.generators import directed, uniform
from solvers.core.events import Moves
from tests import naive
from tests.assets.explaining import check_insertion, explain_climb, numbers, tour_after, tour_edges
from tests.shortened import shorten
from tests.solver_runs import KINDS, collect_climbs, collect_events, make_spec
from tests.tables import each_row

pytestmark = pytest.mark.slow

NAME = "simulated-annealing"
FEW = {"chains": 2, "moves_per_city": 8, "final_temperature_ratio": 0.2, "variant": "sequential"}


def explain_chain(instance, seed, climber=0, **params):
    """A recorded chain, with the explanations of its moves and its end."""
    spec = make_spec(NAME, seed, **(FEW | params))
    events = collect_events(instance, spec)
    explanations = explain_climb("annealing.js", instance, events, spec.to_json(), (FEW | params)["variant"], climber)
    return collect_climbs(events)[climber], explanations[1:-1:2], explanations[-1]


def draw_uniform(seed, climber, draw):
    """The random number that decides a draw."""
    return (naive.random_bits(seed, climber, (1 << 32) + 4 * (draw - 1) + 1) >> 11) / 2**53


def number_after(words, sentence):
    """The number after a phrase in a sentence."""
    return numbers(sentence.split(words, 1)[1])[0]


def check_acceptance(sentence, line, delta, seed, climber, step, temperature):
    """Check a sentence's reason for a draw; return whether the draw lengthened the tour."""
    assert line == ("uphill" if delta > 0 else "downhill")
    if temperature == 0:
        assert "T = 0 " in sentence
        return False
    assert number_after("T = ", sentence) == pytest.approx(temperature, rel=0.005)
    if delta <= 0:
        assert "any temperature" in sentence
        return False
    chance, drew = math.exp(-delta / temperature), draw_uniform(seed, climber, step)
    assert number_after("chance was", sentence) == pytest.approx(chance, rel=0.05)
    assert number_after(", and", sentence) == pytest.approx(drew, rel=0.05)
    assert number_after("chance was", sentence) > number_after(", and", sentence)
    return True


def check_draws_between(sentence, count):
    """Check a sentence's account of the draws since the previous move."""
    if count > 1:
        assert number_after("All", sentence) == count
    else:
        assert ("The move drawn before it" in sentence) == (count == 1)


def check_share(sentence, step, steps):
    """Check a sentence's account of earlier draws, and its number of accepted ones."""
    if step >= 1000:
        assert number_after("Of the last", sentence) == 1000
        result = len({each for each in steps if step - 1000 < each <= step})
        assert number_after("moves drawn, ", sentence) == result
    else:
        assert "Of the last" not in sentence


@pytest.mark.parametrize("climber", shorten([0, 1], (0).__eq__))
@pytest.mark.parametrize("kind", shorten(["grid", "geo", "explicit", "att"], ("grid", "explicit").__contains__))
def test_annealing_move_is_explained_with_temperature_chance_and_draw(kind, climber):
    seed = 11 + len(kind)
    climb, explanations, _ = explain_chain(KINDS[kind](), seed, climber)
    before, uphill, drawn = 0, 0, 0
    for (_, _, delta), (step, temperature), each in zip(climb.moves, climb.steps, explanations, strict=True):
        sentence = each["sentence"]
        if step <= 0:
            assert each["line"] == ("back" if step == 0 else "finish")
            continue
        drawn += 1
        uphill += check_acceptance(sentence, each["line"], delta, seed, climber, step, temperature)
        check_draws_between(sentence, step - before - 1)
        check_share(sentence, step, [each for each, _ in climb.steps])
        before = step
    assert uphill > 10
    assert drawn > 50
    assert before > 1000


def test_annealing_move_names_its_edges_and_their_lengths():
    instance = KINDS["grid"]()
    climb, explanations, _ = explain_chain(instance, 15)
    matrix, order = distance_matrix(instance), np.array(climb.start)
    for (i, j, delta), each in zip(climb.moves, explanations, strict=True):
        a, b, c, d = order[i], order[i + 1], order[j], order[(j + 1) % instance.n]
        out, into = [matrix[a, b], matrix[c, d]], [matrix[a, c], matrix[b, d]]
        change = [abs(delta), *numbers(each["sentence"])[7:9]] if delta else []
        expected = [*out, sum(out), *into, sum(into), *change, *(np.array([a, b, c, d, a, c, b, d]) + 1)]
        sentence = each["sentence"].split("Removes ", 1)[1]  # what is before it says which phase it is
        assert numbers(sentence)[: len(expected)] == expected
        order = tour_after(order, i, j)


@each_row(("finish", "words"), [("2-opt", "local optimum"), ("best", "its best tour")])
def test_end_of_a_chain_explains_its_moves(finish, words):
    climb, _, end = explain_chain(KINDS["grid"](), 3, temperature=400.0, final_temperature_ratio=0.9, finish=finish)
    steps = [step for step, _ in climb.steps]
    length = climb.length + sum(delta for _, _, delta in climb.moves)
    drawn, back, after = sum(step > 0 for step in steps), steps.count(0), steps.count(-1)
    assert numbers(end["sentence"]) == [length, drawn, *([back] if back else []), *([after] if after else [])]
    assert words in end["sentence"]
    assert (back > 0) == (finish == "best")


@each_row(("finish", "words"), [("none", "its current tour"), ("best", "its best tour")])
def test_a_chain_without_local_search_does_not_claim_an_optimum(finish, words):
    _, _, end = explain_chain(uniform(20, 5), 3, finish=finish)
    assert words in end["sentence"]
    assert "optimum" not in end["sentence"]


def test_temperature_exchange_is_explained_for_a_replica():
    params = {"variant": "replica-exchange", "chains": 3, "exchange_after": 2, "moves_per_city": 20}
    climb, explanations, _ = explain_chain(KINDS["grid"](), 6, **params)
    exchanged, before = 0, 0.0
    for (step, temperature), each in zip(climb.steps, explanations, strict=True):
        if step <= 0:
            break
        if before not in (0.0, temperature):
            assert number_after("swapped T = ", each["sentence"]) == pytest.approx(before, rel=0.005)
            exchanged += 1
        else:
            assert "exchanged" not in each["sentence"]
        before = temperature
    assert exchanged > 3


@each_row("seed", [1, 2])
def test_insertion_is_explained_with_the_new_places_of_its_cities(seed):
    instance = directed(14, seed)
    climb, explanations, _ = explain_chain(instance, seed)
    order = np.array(climb.start)
    for first in range(0, len(climb.moves), 3):
        after = order
        for i, j, _ in climb.moves[first : first + 3]:
            after = tour_after(after, i, j)
        gone, come = tour_edges(order) - tour_edges(after), tour_edges(after) - tour_edges(order)
        delta = sum(change for _, _, change in climb.moves[first : first + 3])
        for each in explanations[first : first + 3]:
            check_insertion(each["sentence"], gone, come, delta)
        step, temperature = climb.steps[first]
        if step > 0:
            for each in explanations[first : first + 3]:
                check_acceptance(each["sentence"], each["line"], delta, seed, 0, step, temperature)
                check_share(each["sentence"], step, [one for one, _ in climb.steps])
        order = after


def test_file_without_steps_is_explained_as_far_as_possible():
    instance, spec = KINDS["grid"](), make_spec(NAME, 2, **FEW)
    events = [event for event in collect_events(instance, spec) if isinstance(event, Moves)]
    former = [replace(event, step=np.empty(0, np.int64), control=np.empty(0)) for event in events]
    explanations = explain_climb("annealing.js", instance, former, spec.to_json(), "sequential")
    climb = collect_climbs(events)[0]
    for (_, _, delta), each in zip(climb.moves, explanations[1:-1:2], strict=True):
        numbers_in = numbers(each["sentence"])
        assert numbers_in[5] - numbers_in[2] == delta
        assert "T =" not in each["sentence"]
    assert "drawn" not in explanations[-1]["sentence"]
