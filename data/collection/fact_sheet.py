"""Formats instances as plain text for the command line."""

from collections.abc import Iterator, Sequence

from data.collection.resolve import Card
from data.distances import tour_length
from data.instance import Instance
from data.missing import describe_missing
from data.paths import has_directions

_WIDTH = 100


def format_instance_table(cards: Sequence[Card]) -> Iterator[str]:
    """Format the instance list as aligned lines with a heading."""
    names = max(len("name"), *(len(card.name) for card in cards))
    yield f"{'name':<{names}}  {'cities':>7}  {'distances':<9}  {'optimum':>11}  {'tour':<4}  {'from':<7}  what it is"
    for card in cards:
        optimum = "unknown" if card.optimum is None else f"{card.optimum:,}{'' if card.proven else ' best'}"
        tour = "yes" if card.has_optimal_tour else "-"
        drawn = " [map by MDS]" if card.computed_map else ""
        directed = " [directed]" if card.directed else ""
        row = f"{card.name:<{names}}  {card.n:>7,}  {card.kind:<9}  {optimum:>11}  {tour:<4}  {card.source:<7}"
        yield f"{row}  {card.comment[:_WIDTH]}{directed}{drawn}".rstrip()


def format_fact_sheet(instance: Instance) -> Iterator[str]:
    """Format an instance's facts, one per line."""
    facts = {
        "name": instance.name,
        "comment": instance.comment or "-",
        "cities": f"{instance.n:,}",
        "distances": f"{instance.kind}, {_describe_kind(instance.kind)}" + ", directed" * has_directions(instance),
        **({"edges": describe_missing(instance.missing, instance.edge_count)} if instance.missing else {}),
        "optimum": _describe_optimum(instance),
        "tour": _describe_tour(instance),
        "drawing": instance.display_note or "By its coordinates.",
        "extent": _describe_extent(instance),
        "source": instance.source,
        "sha256": instance.sha256,
    }
    for key, value in [*facts.items(), *(("warning", text) for text in instance.warnings)]:
        yield f"{key:<10} {value}"


def _describe_kind(kind: str) -> str:
    return {
        "EUC_2D": "straight lines rounded to the nearest integer",
        "CEIL_2D": "straight lines rounded up",
        "ATT": "straight lines over the root of 10, rounded up",
        "GEO": "whole kilometres on the globe of TSPLIB, rounded up",
        "HAVERSINE_KM": "whole kilometres on the ground",
        "HAVERSINE_M": "whole metres on the ground",
        "EXPLICIT": "a table of weights",
    }[kind]


def _describe_optimum(instance: Instance) -> str:
    if instance.optimum is None:
        return "unknown"
    return f"{instance.optimum:,} ({'proven' if instance.proven else 'best known'})"


def _describe_tour(instance: Instance) -> str:
    if instance.optimal_tour is None:
        return "no optimal tour is known here"
    return f"an optimal tour is known, of length {tour_length(instance, instance.optimal_tour):,}"


def _describe_extent(instance: Instance) -> str:
    low, high = instance.display.min(axis=0), instance.display.max(axis=0)
    unit = " degrees (longitude, latitude)" if instance.is_on_globe else ""
    return f"{low[0]:,.10g} to {high[0]:,.10g} by {low[1]:,.10g} to {high[1]:,.10g}{unit}"
