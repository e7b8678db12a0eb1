#!/usr/bin/env bash
# scipy 1.17.1: Delaunay leaves cities out of the triangulation, without a warning, if they lie
# close together far from the origin, as places of a survey in UTM or Web Mercator do. They are in
# the attribute `coplanar`. A list of neighbours made of the edges has none for them.
# Guess before the run: all cities are in it.
# Seen: of 100 cities in a square of 1 m near (5,000,000, 5,000,000) most are left out, none when
# the same cities are moved to the origin; KDTree finds the neighbours at both places.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check scipy==1.17.1 numpy==2.4.6
"$folder/venv/bin/python" - <<'PY'
import numpy as np
from scipy.spatial import Delaunay, KDTree

far = np.random.default_rng(0).random((100, 2)) + 5e6
near = far - 5e6  # exact
assert len(np.unique(far, axis=0)) == 100


def count_missing(cities):
    triangles = Delaunay(cities)
    missing = 100 - len(np.unique(triangles.simplices))
    assert missing == len(triangles.coplanar)
    return missing


neighbours = [KDTree(cities).query(cities, k=2)[1][:, 1] for cities in (near, far)]
print(count_missing(near), count_missing(far))
assert count_missing(near) == 0
assert count_missing(far) > 50
assert (neighbours[0] == neighbours[1]).all()
PY
