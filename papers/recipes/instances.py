"""The instances of papers: bundled ones with their facts, and the authors' own."""

from collections.abc import Sequence

import numpy as np

from data.collection.resolve import load
from data.generators import uniform
from data.home.place import default_home
from data.instance import Instance
from data.tsplib.normal_form import assemble
from papers.recipes.plan import Plan
from papers.results import MeasuredTable


def list_instances(plan: Plan, instances: Sequence[str]) -> MeasuredTable:
    """Return the cities and optimum of bundled instances."""
    rows = {}
    for instance in map(load, instances):
        optimum = [float(instance.optimum)] if instance.optimum is not None else []
        rows[instance.name] = [float(instance.n)], optimum
    return MeasuredTable("Instance", ("cities", "optimum"), ("", ""), rows)


def load_qin_han_cities(n: int) -> Instance:
    """Load Qin and Han's input with this many cities if their file is in the data folder, otherwise make random cities.

    Their files are in the folder ``inputs`` of their repository: a line with n, a line with the sides of the map, and a
    line with x and y for each city. They belong in the folder ``papers/qin-han`` of the data folder.
    """
    path = default_home() / "papers" / "qin-han" / f"TSP_input_{n}.txt"
    if not path.is_file():
        return uniform(n, 1)
    coordinates = np.loadtxt(path, skiprows=2, max_rows=n)
    return assemble(path.stem, "EUC_2D", "inline", coordinates=coordinates)


def describe_origin(instances: Sequence[Instance]) -> dict[str, str]:
    """Return the note on the origin of the cities, as in `papers.results.MeasuredTable.notes`."""
    theirs = sum(instance.name.startswith("TSP_input") for instance in instances)
    if not theirs:
        return {"Cities": "Random cities: the authors' input files were not in the data folder."}
    return (
        {"Cities": "The authors' own input files."}
        if theirs == len(instances)
        else {"Cities": "The authors' own input files where there are any, otherwise random cities."}
    )
