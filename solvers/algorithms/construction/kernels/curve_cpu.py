"""Positions along the closed space-filling curve of L. K. Platzman and J. J. Bartholdi (1989).

The curve is W. Sierpinski's (1912). It runs from a corner of a square to the opposite corner, through the triangle on
one side of the diagonal, and returns through the other triangle. In a right triangle, it runs from one end of the long
side to the other. The line from the right angle to the middle of the long side divides the triangle into two similar
ones, through which the curve runs one after the other.
"""

import numpy as np

from solvers.kernels.compiler import njit

#: Number of times that each of the two triangles is halved.
HALVINGS = 40


@njit(cache=True, nogil=True)
def curve_keys(points, low, extent, first, last, keys):
    """Compute each point's position along the curve, from 0 at the corner with the least coordinates to 2^41 - 1.

    Parameters
    ----------
    points : ndarray, shape (n, 2), float64
    low : ndarray, shape (2,), float64
        Coordinates of that corner of the square.
    extent : float
        Side of the square; not 0.
    first, last : int
        The range of points, `first` to `last` - 1.
    keys : ndarray, shape (n,), int64
        Written in place.
    """
    for p in range(first, last):
        x, y = (points[p, 0] - low[0]) / extent, (points[p, 1] - low[1]) / extent
        back = x > y
        key = np.int64(back)
        # The ends of the long side, and the corner with the right angle.
        from_x = from_y = 1.0 if back else 0.0
        to_x = to_y = 1.0 - from_x
        corner_x, corner_y = (1.0, 0.0) if back else (0.0, 1.0)
        for _ in range(HALVINGS):
            middle_x, middle_y = (from_x + to_x) / 2, (from_y + to_y) / 2
            second = (x - middle_x) * (to_x - from_x) + (y - middle_y) * (to_y - from_y) > 0
            key = 2 * key + second
            if second:
                from_x, from_y = corner_x, corner_y
            else:
                to_x, to_y = corner_x, corner_y
            corner_x, corner_y = middle_x, middle_y
        keys[p] = key
