"""Weighted Voronoi stippling: points that are dense where a picture is dark.

A. Secord, "Weighted Voronoi stippling", Proceedings of the 2nd International Symposium on Non-Photorealistic Animation
and Rendering (2002): Lloyd's method with weights. In each round, every point moves to the centroid of the pixels
nearest to it, weighted by density. The Voronoi diagram is computed on a raster, with a tree of the points.
"""

import numpy as np
from scipy.spatial import KDTree

#: Maximum number of rounds of Lloyd's method, and the movement, relative to the points' spacing, below which it stops.
ROUNDS, STILL = 40, 0.01
#: Pixels with less than this share of the greatest weight get no initial points.
_FAINT = 1e-4
#: Threads that search for nearest points; they do not affect the result.
_THREADS = 4


def stipple(weights: np.ndarray, n: int, seed: int, rounds: int = ROUNDS) -> np.ndarray:
    """Place points in a picture.

    Parameters
    ----------
    weights : ndarray, shape (height, width), float64
        Desired density of points at each pixel; not all 0.
    n : int
        Number of points.
    seed : int
        Seed of the initial points; the same seed gives the same points.
    rounds : int
        Maximum number of rounds of Lloyd's method.

    Returns
    -------
    ndarray, shape (n, 2), float64
        x to the right and y downwards, in pixels.
    """
    rng = np.random.Generator(np.random.Philox(np.random.SeedSequence(seed)))
    rows, columns = np.nonzero(weights > _FAINT * weights.max())
    weight = weights[rows, columns]
    pixels = np.column_stack((columns, rows)) + 0.5
    share = weight / weight.sum()
    points = _draw_points(rng, pixels, share, n)
    spacing = np.sqrt(len(pixels) / n)
    for _ in range(rounds):
        nearest = KDTree(points, balanced_tree=False, compact_nodes=False).query(pixels, workers=_THREADS)[1]
        mass = np.bincount(nearest, weight, n)
        moved = np.column_stack([np.bincount(nearest, weight * pixels[:, axis], n) for axis in (0, 1)])
        lonely = mass == 0  # without a nearest pixel, as when two points coincide
        moved[~lonely] /= mass[~lonely, None]
        moved[lonely] = _draw_points(rng, pixels, share, int(lonely.sum()))
        movement = np.sqrt(((moved - points) ** 2).sum(axis=1)).mean() / spacing
        points = moved
        if movement < STILL:
            break
    return points


def _draw_points(rng: np.random.Generator, pixels: np.ndarray, share: np.ndarray, n: int) -> np.ndarray:
    """Draw random points in pixels, chosen by their shares."""
    return pixels[rng.choice(len(pixels), n, p=share)] + rng.uniform(-0.5, 0.5, (n, 2))
