"""Tours that are drawn."""

from typing import Any

from data.instance import Instance
from solvers.events import Finished


def drawn(instance: Instance, end: Finished) -> dict[str, Any]:
    """The tour that a run ended with, as `papers.results.Measured` has it."""
    assert instance.coordinates is not None
    x, y = instance.coordinates.T.tolist()
    return {"x": x, "y": y, "order": end.order.tolist(), "length": int(end.length)}
