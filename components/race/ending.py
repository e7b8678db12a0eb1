"""Describes a race's result in a sentence, like ``assets/race/ending/sentence.js``; a test compares the two."""

from collections.abc import Sequence

from components.race.lanes import describe_lanes
from components.shell.numbers import format_gap, format_seconds
from components.shell.texts import common
from components.shell.texts import race as text
from components.types import ItemJson
from data.instance import Instance
from runs.races.ending import LaneEnd, RaceEnd


def describe_result(lanes: Sequence[ItemJson], end: RaceEnd) -> str:
    """Describe the result of a race or comparison; empty if no lane has a tour.

    Parameters
    ----------
    lanes : sequence of dict
        Lanes of a race's JSON.
    end : RaceEnd
    """
    return describe_named(_name_lanes(lanes), end)


def describe_named(names: Sequence[str], end: RaceEnd) -> str:
    """Describe the result, given the names of the lanes; see `describe_result`."""
    named = [(name, lane) for name, lane in zip(names, end.lanes, strict=True) if lane.length is not None]
    ranked = sorted(named, key=lambda pair: (pair[1].length, pair[1].at))
    if not ranked:
        return ""
    best = ranked[0][1]
    first = [pair for pair in ranked if _is_tie(pair[1], best)]
    behind = [
        _describe_lag(name, lane_end, best, end.instance) for name, lane_end in ranked if not _is_tie(lane_end, best)
    ]
    none = [text("ending.none", name=name) for name, lane in zip(names, end.lanes, strict=True) if lane.length is None]
    order = "; ".join([_head([name for name, _ in first], best, end.instance), *behind, *none])
    notes = [
        text("ending.seed" if end.one_seed else "ending.seeds"),
        *([] if end.is_complete else [text("ending.cut")]),
    ]
    return " ".join([f"{order}.", *notes])


def _name_lanes(lanes: Sequence[ItemJson]) -> list[str]:
    """Return the lanes' titles, with letters if two are equal."""
    lane_views = describe_lanes(lanes)
    titles = [view["title"] for view in lane_views]
    return [
        f"{view['letter']} {view['title']}" if titles.count(view["title"]) > 1 else view["title"] for view in lane_views
    ]


def _is_tie(one: LaneEnd, other: LaneEnd) -> bool:
    """Return whether two lanes reached the same length at the same time, as displayed."""
    return one.length == other.length and format_seconds(one.at) == format_seconds(other.at)


def _head(names: list[str], best: LaneEnd, instance: Instance) -> str:
    assert best.length is not None
    named = text("ending.names", first=", ".join(names[:-1]), last=names[-1]) if len(names) > 1 else names[0]
    tie, time = len(names) > 1, format_seconds(best.at)
    worth = _describe_missing(best.length, instance) or _describe_gap(best.length, instance)
    if not worth:
        length = common("length.in", length=best.length, unit=instance.unit) if instance.unit else best.length
        return text("ending.tie.unknown" if tie else "ending.first.unknown", names=named, length=length, time=time)
    return text("ending.tie" if tie else "ending.first", names=named, worth=worth, time=time)


def _describe_lag(name: str, end: LaneEnd, best: LaneEnd, instance: Instance) -> str:
    assert end.length is not None
    assert best.length is not None
    time = format_seconds(end.at)
    if end.length == best.length:
        return text("ending.same", name=name, time=time)
    if uses := _describe_missing(end.length, instance):
        return text("ending.uses", name=name, uses=uses, time=time)
    if end.length == instance.optimum:
        return text("ending.equal", name=name, time=time)
    against = best.length if instance.optimum is None else instance.optimum
    side = "longer" if instance.optimum is None else "below" if end.length < against else "above"
    return text(f"ending.behind.{side}", name=name, gap=format_gap(end.length, against)[1:], time=time)


def _describe_missing(length: int, instance: Instance) -> str:
    count = instance.missing_in(length)
    return common("edges.missing", count=count) if count else ""


def _describe_gap(length: int, instance: Instance) -> str:
    """Describe a length's gap; empty if no optimum is known."""
    if instance.optimum is None:
        return ""
    known = "optimal" if instance.proven else "best-known"
    if length == instance.optimum:
        return common(f"gap.{known}")
    side = "above" if length > instance.optimum else "below"
    return common(f"gap.{side}.{known}", gap=format_gap(length, instance.optimum)[1:])
