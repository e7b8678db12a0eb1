"""Builds the coastlines drawn by pages: ``python -m data.places.build_coastlines FOLDER``.

FOLDER is the unpacked npm package world-atlas 2.0.2 (``npm pack world-atlas@2.0.2``): Natural Earth's land, which is in
the public domain, as TopoJSON. ``assets/world/land-110m.bin`` and ``land-50m.bin`` are little-endian int16: for each
ring the number of points, then longitude and latitude of each, in hundred-and-fiftieths of a degree.

A ring that crosses the date line continues beyond 180 degrees instead of jumping to the other side, and Antarctica,
which goes around the globe, is closed through the pole. So a page can fill rings as they are, and repeat them 360
degrees apart.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

#: Steps per degree.
STEPS = 150
_TARGET = Path(__file__).parents[2] / "assets" / "world"


def list_rings(topology: dict) -> Iterator[np.ndarray]:
    """Yield the rings of the land in a TopoJSON, outer and inner, (points, 2) in degrees."""
    scale, origin = (np.array(topology["transform"][key]) for key in ("scale", "translate"))
    arcs = [np.cumsum(arc, axis=0) * scale + origin for arc in topology["arcs"]]
    for land in topology["objects"]["land"]["geometries"]:
        for polygon in land["arcs"]:
            for ring in polygon:
                # A negative index k stands for arc ~k reversed; consecutive arcs share an end point.
                parts = [arcs[k] if k >= 0 else arcs[~k][::-1] for k in ring]
                yield unwrap(np.concatenate([part[:-1] for part in parts]))


def unwrap(ring: np.ndarray) -> np.ndarray:
    """Remove a ring's jumps across the date line, and close it through the pole if necessary."""
    longitude = np.unwrap(ring[:, 0], period=360.0)
    longitude -= 360.0 * np.floor((longitude.min() + 180.001) / 360.0)
    turn = longitude[-1] - longitude[0]
    ring = np.column_stack([longitude, ring[:, 1]])
    if abs(turn) < 180.0:
        return ring
    pole = np.copysign(90.0, ring[:, 1].mean())
    return np.concatenate([ring, [[longitude[0] + np.copysign(360.0, turn), ring[0, 1]]],
                           [[longitude[0] + np.copysign(360.0, turn), pole], [longitude[0], pole]]])  # fmt: skip


def build(folder: Path) -> None:
    """Write both files."""
    for detail in ("110m", "50m"):
        topology = json.loads((folder / f"land-{detail}.json").read_text(encoding="utf-8"))
        numbers: list[np.ndarray] = []
        for ring in list_rings(topology):
            numbers += [np.array([len(ring)]), np.rint(ring * STEPS).ravel()]
        values = np.concatenate(numbers)
        if np.abs(values).max() >= 2**15:
            raise SystemExit("A ring has too many points, or goes too far.")
        (_TARGET / f"land-{detail}.bin").write_bytes(values.astype("<i2").tobytes())


if __name__ == "__main__":
    build(Path(sys.argv[1]))
