"""Sentences on moves match the run's record: an oracle recomputes each number from the events."""

from dataclasses import replace

import numpy as np
import pytest

from data.distances import distance_matrix
from data.generators import directed, uniform
from data.paths import ANY, with_path
from solvers.core.events import Rows
from solvers.worker.frames import encode_instance_frame
from tests.assets.explaining import check_insertion, explain_climb, numbers, tour_after, tour_edges
from tests.assets.node import evaluate
from tests.solver_runs import KINDS, collect_climbs, collect_events, make_spec
from tests.tables import each_row

pytestmark = pytest.mark.slow


def on_side(p, q, r):
    """The side of the line through p and q on which the point r lies."""
    return int(np.sign((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])))


def edges_cross(points, a, b, c, d):
    """Whether two edges cross at interior points."""
    through = on_side(points[a], points[b], points[c]) * on_side(points[a], points[b], points[d])
    back = on_side(points[c], points[d], points[a]) * on_side(points[c], points[d], points[b])
    return through < 0 and back < 0


def crossing_clause(instance, ends, delta):
    """The expected clause about whether the removed edges cross, and the reason if the move shortens the tour."""
    if instance.kind not in ("EUC_2D", "CEIL_2D", "ATT"):
        return (" are replaced by ",)
    if edges_cross(instance.coordinates, *ends):
        return (" crossed. Uncrossing always shortens a tour: ",) if delta < 0 else (" crossed;",)
    return (" did not cross, but " if delta < 0 else " did not cross;",)


def city_names(instance):
    """Names of the cities."""
    return np.arange(1, instance.n + 1) if instance.node_ids is None else instance.node_ids


def explain_move(instance, order, move, length):
    """All numbers in a sentence about a 2-opt move, and its wording about crossing edges."""
    (i, j, delta), n, name = move, instance.n, city_names(instance)
    matrix = distance_matrix(instance)
    a, b, c, d = order[i], order[i + 1], order[j], order[(j + 1) % n]
    out = matrix[a, b] + matrix[c, d]
    assert matrix[a, c] + matrix[b, d] - out == delta
    inside = 2 * (j - i) <= n
    stretch = (b, c) if inside else (d, a)
    size = j - i if inside else n - (j - i)
    change = [abs(delta), length + delta, length] if delta else []
    lengths = [matrix[a, b], matrix[c, d], out, matrix[a, c], matrix[b, d], out + delta]
    expected = [*lengths, *change, *name[[a, b, c, d]], *name[[a, c, b, d]], size, *name[list(stretch)]]
    return [float(number) for number in expected], crossing_clause(instance, (a, b, c, d), delta)


@each_row("name", KINDS)
def test_2_opt_move_is_explained_with_its_recorded_numbers(name):
    instance, spec = KINDS[name](), make_spec("two-opt", seed=len(name), climbers=1, variant="sequential")
    events = collect_events(instance, spec)
    climb = collect_climbs(events)[0]
    explanations = explain_climb("moves.js", instance, events, spec.to_json(), "sequential")
    assert len(explanations) == 2 * len(climb.moves) + 2
    assert explanations[0]["line"] == "start"
    assert numbers(explanations[0]["sentence"]) == [instance.n, climb.length]
    order, length, told_why = np.array(climb.start), climb.length, set()
    for move, after, before in zip(climb.moves, explanations[1::2], explanations[2::2], strict=False):
        expected, crossing = explain_move(instance, order, move, length)
        length += move[2]
        assert numbers(after["sentence"]) == [*expected, (instance.n - 1) * (instance.n - 2) / 2]
        assert all(words in after["sentence"] for words in crossing)
        told_why.add(crossing[0])
        assert after["line"] == "move"
        ends = {order[move[0]], order[move[0] + 1], order[move[1]], order[(move[1] + 1) % instance.n]}
        assert set(after["cities"]) == ends  # those that have their names on the map
        assert after["sentence"] == before["sentence"]  # while the edges leave it is the same move
        order = tour_after(order, move[0], move[1])
    assert len(told_why) == (2 if instance.kind in ("EUC_2D", "CEIL_2D", "ATT") else 1)  # moves of both kinds


def test_end_of_a_climb_gives_the_number_of_evaluated_moves():
    instance, spec = KINDS["grid"](), make_spec("two-opt", seed=3, climbers=2, variant="sequential")
    events = collect_events(instance, spec)
    rows = next(event for event in events if isinstance(event, Rows) and 1 in event.climber)
    row = rows.climber.tolist().index(1)
    explanations = explain_climb("moves.js", instance, events, spec.to_json(), "sequential", climber=1)[-1]
    result, looked_at, length = int(rows.moves[row]), int(rows.evaluations[row]), int(rows.length[row])
    assert numbers(explanations["sentence"]) == [length, looked_at / (result + 1), result, looked_at]
    assert explanations["line"] == "optimum"


def test_reversed_segment_is_shaded():
    instance, spec = KINDS["grid"](), make_spec("two-opt", seed=4, climbers=1, variant="sequential")
    events = collect_events(instance, spec)
    climb, order = collect_climbs(events)[0], None
    explanations = explain_climb("moves.js", instance, events, spec.to_json(), "sequential")
    order = np.array(climb.start)
    for (i, j, _), after in zip(climb.moves, explanations[1::2], strict=False):
        inside = set(order[i + 1 : j + 1].tolist())
        stretch = inside if 2 * (j - i) <= instance.n else set(range(instance.n)) - inside
        [shade] = after["shades"]
        shaded = set(zip(shade["line"]["x"], shade["line"]["y"], strict=True))
        assert shaded == {tuple(instance.display[city].tolist()) for city in stretch}
        order = tour_after(order, i, j)


#: Paths of so many cities that they have no matrix, but for their size.
PATHS = {"from": (1, None), "to": (None, 2), "open": (ANY, ANY)}


@each_row("name", ["tour", *PATHS])
def test_2_opt_on_directed_distances_is_explained_by_insertions(name):
    instance = directed(9, 3)
    if name in PATHS:
        instance = with_path(instance, *PATHS[name])
    spec = make_spec("two-opt", seed=5, climbers=1, variant="sequential")
    events = collect_events(instance, spec)
    climb, row = collect_climbs(events)[0], next(event for event in events if isinstance(event, Rows))
    *explanations, end = explain_climb("moves.js", instance, events, spec.to_json(), "sequential")
    n, sentences = instance.n, checked_insertions(climb, explanations)
    each = sum(n * (n - 1 - length) for length in (1, 2, 3))
    assert sentences
    assert {numbers(sentence)[-1] for sentence in sentences} == {each}
    assert numbers(end["sentence"]) == [int(row.length[0]), each, len(sentences), int(row.evaluations[0])]


def checked_insertions(climb, explanations):
    """The sentences on the insertions of a climb, which name the edges that leave and enter."""
    order, sentences = np.array(climb.start), []
    for first in range(0, len(climb.moves), 3):
        moves, after = climb.moves[first : first + 3], order
        for i, j, _ in moves:
            after = tour_after(after, i, j)
        gone, come = tour_edges(order) - tour_edges(after), tour_edges(after) - tour_edges(order)
        sentences.append(explanations[2 * first + 5]["sentence"])
        check_insertion(sentences[-1], gone, come, sum(delta for _, _, delta in moves))
        order = after
    return sentences


def test_lin_kernighan_on_directed_distances_is_explained_by_insertions():
    instance, spec = directed(18, 3), make_spec("lin-kernighan", 3, variant="cpu", rounds=5)
    events = collect_events(instance, spec)
    climbs = collect_climbs(events)
    number = max(climbs, key=lambda climber: len(climbs[climber].moves))
    explanations = explain_climb("moves.js", instance, events, spec.to_json(), "cpu", number)
    sentences = checked_insertions(climbs[number], explanations)
    assert sentences
    assert all("shown as insertions" in sentence for sentence in sentences)


@each_row("name", [*KINDS, *PATHS])
def test_distances_of_scripts_match_tsplib(name):
    path = PATHS.get(name)
    instance = replace(with_path(uniform(9, 1), *path), weights=None) if path else KINDS[name]()
    modules = ("assets/common/frames.js", "assets/common/map/map.js", "assets/common/map/distances.js")
    answer = evaluate(
        modules,
        """({ frames, makeMap, distance }, bytes) => {
          const map = makeMap(frames.decode(bytes));
          const all = Array.from({ length: map.n }, (_, k) => k);
          return all.map((a) => all.map((b) => distance(map, a, b)));
        }""",
        encode_instance_frame(instance),
    )
    assert answer == distance_matrix(instance).tolist()
