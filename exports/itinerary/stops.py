"""A tour's stops in order, and the distance from each to the next."""

from dataclasses import dataclass

import numpy as np

from data.distances import decimal_degrees, edge_lengths
from data.instance import Instance
from data.paths import open_order


@dataclass(frozen=True, slots=True)
class Stop:
    """A city of a tour.

    Attributes
    ----------
    number : int
        The city's number in the instance's file, or counted from 1.
    name : str
        Name of the city; empty if the instance has none.
    x, y : float or None
        Longitude and latitude in decimal degrees, or the instance's coordinates; None if the instance has only
        distances.
    leg : int
        Distance to the next stop; for the last stop back to the first, or 0 if a path ends there.
    before : int
        Length of the tour from the first stop to this one.
    """

    number: int
    name: str
    x: float | None
    y: float | None
    leg: int
    before: int

    @property
    def label(self) -> str:
        """City's name, or its number if it has none."""
        return self.name or str(self.number)


def list_stops(instance: Instance, order: np.ndarray) -> list[Stop]:
    """Return a tour's stops in visiting order, from the instance's first city or the start of its path.

    Parameters
    ----------
    instance : Instance
    order : ndarray, shape (n,), int32
    """
    cities = open_order(instance, order)
    if not instance.is_path:
        cities = np.roll(cities, -int(np.flatnonzero(cities == 0)[0]))
    legs = edge_lengths(instance, cities, np.roll(cities, -1)).astype(np.int64)
    if instance.is_path:
        legs[-1] = 0
    before = np.concatenate(([0], np.cumsum(legs)[:-1]))
    numbers = np.arange(1, instance.n + 1) if instance.node_ids is None else instance.node_ids
    places = _find_places(instance)
    stop_list = []
    for city, leg, length_before in zip(cities.tolist(), legs.tolist(), before.tolist(), strict=True):
        number = int(numbers[city])
        x, y = (None, None) if places is None else places[city]
        name = instance.names[city] if instance.names else ""
        stop_list.append(Stop(number, name, x, y, leg, length_before))
    return stop_list


def repeat_first(instance: Instance, stop_list: list[Stop]) -> list[Stop]:
    """Return the stops, with the first repeated at the end if the tour returns to it."""
    return stop_list if instance.is_path else [*stop_list, stop_list[0]]


def _find_places(instance: Instance) -> list[list[float]] | None:
    """Return x and y of each city."""
    if instance.coordinates is not None and instance.is_on_globe:
        # From the coordinates, since displayed longitudes may exceed 180 degrees on a map that crosses the date line.
        return np.round(decimal_degrees(instance.kind, instance.coordinates)[:, ::-1], 6).tolist()
    if instance.coordinates is not None:
        return instance.coordinates.tolist()
    return None if instance.display_note else instance.display.tolist()
