"""Makes instances from names, files, another instance's cities, or uniform cities in a square."""

import math
from pathlib import Path
from typing import Any

import numpy as np

from data.collection.optima import attach_optimum
from data.collection.resolve import load
from data.instance import Instance
from data.tsplib.instances import read
from data.tsplib.normal_form import assemble

#: Side of the square, and the constant in the tables of J. L. Bentley and D. S. Johnson.
_SIDE, _CONSTANT = 1_000_000, 0.7124
#: Lengths of the shortest known tours: TSPLIB's optima, and the DIMACS challenge's best for E and C.
BEST_KNOWN = {
    "u1817": 57_201, "pr2392": 378_032, "fl3795": 28_772, "fnl4461": 182_566, "pla7397": 23_260_728, "rl11849": 923_288,
    "usa13509": 19_982_859, "d15112": 1_573_084, "d18512": 645_238, "pla33810": 66_048_945, "pla85900": 142_382_641,
    "E10k.0": 71_865_826, "E31k.0": 127_281_803, "E100k.0": 225_783_795, "C10k.0": 33_001_034, "C100k.0": 104_617_752,
}  # fmt: skip


def pick_cities(instance: Instance, selection: Any, name: str = "") -> Instance:
    """Return a new instance of the cities that an index selects."""
    assert instance.coordinates is not None
    coordinates = np.array(instance.coordinates[selection])
    return assemble(name or instance.name, instance.kind, "inline", coordinates=coordinates)


def shuffle_cities(instance: Instance, seed: int) -> Instance:
    """Shuffle the cities of an instance by a seed."""
    return pick_cities(instance, np.random.default_rng(seed).permutation(instance.n))


def generate_square(name: str, n: int, seed: int) -> Instance:
    """Return uniform cities in a square; `n` may exceed the limit on files."""
    points = np.random.default_rng(seed).integers(0, _SIDE, (n, 2)).astype(np.float64)
    return Instance(name, "EUC_2D", n, points, None, points)


def expect_length(n: int) -> float:
    """Return the expected length of a shortest tour of such a square."""
    return _CONSTANT * _SIDE * math.sqrt(n)


def load_any(name: str) -> Instance:
    """Load an instance of the list, a file of TSPLIB, or coordinates (n, 2) in ``FILE.npy`` or ``FILE.npz:NAME``; or
    make the cities of ``uniform:CITIES``.
    """
    file, _, key = name.partition(":")
    path = Path(file)
    if file == "uniform":
        return generate_square(name, int(key), 1)
    if path.suffix == ".tsp":
        return attach_optimum(read(path.read_bytes(), path.stem))
    if path.suffix not in (".npy", ".npz"):
        return load(name)
    points, stem = (np.load(path)[key], key) if key else (np.load(path), path.stem)
    kind = "CEIL_2D" if stem.startswith("pla") else "EUC_2D"
    return assemble(stem, kind, "inline", coordinates=points.astype(np.float64))


def load_shuffled(name: str, seed: int) -> tuple[Instance, float]:
    """Load an instance with its cities shuffled, or other uniform cities, and the length to which its gaps refer."""
    instance = load_any(name)
    if name.startswith("uniform:"):
        return generate_square(name, instance.n, seed), expect_length(instance.n)
    reference = BEST_KNOWN.get(instance.name, instance.optimum)
    assert reference is not None
    return shuffle_cities(instance, seed), reference
