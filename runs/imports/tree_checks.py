"""Checks a branch-and-cut tree in an untrusted run file; see `runs.imports.frame_checks`."""

import numpy as np

from solvers.worker.frames import Frame

#: Limit on the counts and lengths of the page.
_MAX_COUNT = 1 << 53
#: Arrays that never fall, and arrays that never rise.
_RISING, _FALLING = ("node", "cuts", "relaxations", "bound", "elapsed"), ("length",)


def check_tree(frame: Frame, arrays: dict[str, np.ndarray], n: int) -> None:
    """Check that the bound never falls and the best length never grows.

    Raises
    ------
    ValueError
        If the bound falls, the best length grows, or a value is out of range.
    """
    for name, array in arrays.items():
        minimum = -_MAX_COUNT if name in ("bound", "length") else 0
        steps = np.diff(array)
        invalid = (name in _RISING and (steps < 0).any()) or (name in _FALLING and (steps > 0).any())
        if (array < minimum).any() or (array > _MAX_COUNT).any() or invalid:
            raise ValueError(f"the {name} of a tree is invalid")
    if (arrays["bound"] > arrays["length"]).any() or (arrays["columns"] > n * n).any():
        raise ValueError("the tree does not fit the instance")
