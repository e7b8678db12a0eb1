"""Instances whose distances are computed or drawn by a test."""

import numpy as np
from hypothesis import strategies as st

from data.instance import Instance
from data.tsplib.normal_form import assemble


def from_weights(weights: np.ndarray, name: str = "t") -> Instance:
    """An EXPLICIT instance of integers, (n, n), in the type that readers return."""
    return assemble(name, "EXPLICIT", "inline", weights=weights.astype(np.int32))


def draw_crowds(most: int = 20) -> st.SearchStrategy[Instance]:
    """Up to `most` cities of a small grid, many at the same place or at equal distances."""
    cities = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=most)
    return cities.map(lambda each: assemble("t", "EUC_2D", "inline", coordinates=np.array(each, np.float64)))


def draw_weights(
    least: int = 1, most: int = 12, highest: int = 3, directed: bool = False
) -> st.SearchStrategy[Instance]:
    """Matrices of `least` to `most` cities, with many equal weights from -3 to `highest`."""

    def make(flat: list[int]) -> Instance:
        weights = np.array(flat).reshape(2 * [round(len(flat) ** 0.5)])
        lower = np.tril(weights, -1)
        return from_weights(lower + (np.triu(weights, 1) if directed else lower.T))

    sizes = st.integers(least, most).map(lambda n: n * n)
    return sizes.flatmap(lambda n: st.lists(st.integers(-3, highest), min_size=n, max_size=n)).map(make)
