"""Tours to be drawn."""

from typing import Any

from data.instance import Instance
from solvers.core.events import Finished


def describe_final_tour(instance: Instance, end: Finished) -> dict[str, Any]:
    """Return the final tour of a run, in the form of `papers.results.MeasuredTable`."""
    assert instance.coordinates is not None
    x, y = instance.coordinates.T.tolist()
    return {"x": x, "y": y, "order": end.order.tolist(), "length": int(end.length)}
