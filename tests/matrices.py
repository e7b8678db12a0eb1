"""Instances whose distances are computed by a test."""

import numpy as np

from data.instance import Instance
from data.tsplib.normal_form import assemble


def from_weights(weights: np.ndarray, name: str = "t") -> Instance:
    """An EXPLICIT instance of integers, (n, n), in the type that readers return."""
    return assemble(name, "EXPLICIT", "inline", weights=weights.astype(np.int32))
