"""Measures every reported tour again, so that no solver can report a wrong length."""

from dataclasses import replace

from data.distances import tour_length
from data.instance import Instance
from data.paths import order_with_added
from solvers.core.errors import RunFailed
from solvers.core.events import Tour


def verify(instance: Instance, tour: Tour) -> Tour:
    """Return the tour if its length is correct; for a path, rotate it so that it runs from the start to the end.

    Raises
    ------
    RunFailed
        If the tour's length is wrong.
    """
    exact = tour_length(instance, tour.order)
    if exact != tour.length:
        raise RunFailed(f"A solver reported a tour of length {tour.length}, which measures {exact}.")
    if not instance.is_path:
        return tour
    order = order_with_added(instance, tour.order)
    return replace(tour, order=order, length=tour_length(instance, order))
