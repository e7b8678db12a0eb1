"""What is known of instances."""

from collections.abc import Sequence

from data.collection.resolve import load
from papers.recipes.plan import Plan
from papers.results import Measured


def table(plan: Plan, instances: Sequence[str]) -> Measured:
    """Cities and optimum of bundled instances."""
    rows = {}
    for instance in map(load, instances):
        optimum = [float(instance.optimum)] if instance.optimum is not None else []
        rows[instance.name] = [float(instance.n)], optimum
    return Measured("Instance", ("cities", "optimum"), ("", ""), rows)
