"""Compares two runs with the same seed, whatever the division of their work."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from solvers.core.events import Edges, Event, Moves, Rows, Tour


def collect_reports(events: Iterable[Event]) -> dict[str, Any]:
    """Collect what a run reports, without times and the division of work, under names that fit into sentences."""
    content: dict[str, Any] = {"best tours": [], "tours": [], "moves": {}, "constructions": {}}
    for event in events:
        if isinstance(event, Tour):
            content["best tours"].append((event.climber, event.length, event.order.tolist()))
        elif isinstance(event, Rows):
            columns = (event.climber, event.length, event.moves, event.evaluations)
            content["tours"].extend(zip(*(column.tolist() for column in columns), strict=True))
        elif isinstance(event, Moves):
            for climber, moves in group_moves(event).items():
                content["moves"].setdefault(climber, []).extend(moves)
        elif isinstance(event, Edges):
            content["constructions"][event.climber] = event.edges.tolist()
    return content


def find_difference(first: Iterable[Event], second: Iterable[Event]) -> str:
    """Return a noun for what first differs between two runs; empty if they are equal."""
    one, other = collect_reports(first), collect_reports(second)
    return next((name for name in one if one[name] != other[name]), "")


def group_moves(event: Moves) -> dict[int, list[tuple[int, int, int]]]:
    """Return an event's moves, grouped by climber."""
    moves: dict[int, list[tuple[int, int, int]]] = {}
    ends = np.cumsum(event.count)
    for climber, end, count in zip(event.climber.tolist(), ends.tolist(), event.count.tolist(), strict=True):
        rows = slice(end - count, end)
        columns = (event.i[rows], event.j[rows], event.delta[rows])
        moves.setdefault(climber, []).extend(zip(*(column.tolist() for column in columns), strict=True))
    return moves
