"""Distances to test Held-Karp with, and the paths that it finds."""

from contextlib import closing

import numpy as np

from data.tsplib.normal_form import assemble
from solvers.algorithms.held_karp.cpu import CpuLayers
from solvers.algorithms.held_karp.plan import Plan
from solvers.algorithms.held_karp.qin_han.cpu import QinHanLayers
from solvers.algorithms.held_karp.qin_han.plan import QinHanPlan


def draw_distances(n: int, seed: int, most: int = 300) -> np.ndarray:
    """Random distances, many of them equal."""
    half = np.random.default_rng(seed).integers(0, most, (n, n), np.int32)
    return np.triu(half, 1) + np.triu(half, 1).T


def explicit_instance(distances: np.ndarray):
    return assemble(f"drawn-{len(distances)}", "EXPLICIT", "inline", weights=distances.astype(np.int32))


def collect_bests(layers, plan: Plan | QinHanPlan, shares: list | None = None) -> list:
    """The best path of each layer; appends the reported shares of layers to `shares`."""
    found = []
    with closing(layers):
        while len(found) < plan.layers:
            done = layers.advance()
            if done.best is not None:
                found.append(done.best)
                assert done.layer == len(found) - 1
            elif shares is not None:
                shares.append(done.share)
    return found


def cpu_bests(plan: Plan | QinHanPlan, distances: np.ndarray, threads: int = 1) -> list:
    """The best path of each layer, on the CPU."""
    kind = CpuLayers if isinstance(plan, Plan) else QinHanLayers
    return collect_bests(kind(plan, distances, threads), plan)
