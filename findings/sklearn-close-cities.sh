#!/usr/bin/env bash
# scikit-learn 1.9.1: euclidean_distances, which NearestNeighbors takes too with
# algorithm="brute", subtracts squares of coordinates. For cities near each other and far from
# the origin, as in UTM, little is left: centimetres are wrong, and the nearest may be another.
# Guess before the run: right to a millimetre.
# Seen: 0.108 m and 0.207 m for cities 0.1 and 0.2 m apart; 0 for 0.01 m; right with the origin moved.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check scikit-learn==1.9.1 scipy==1.17.1 numpy==2.4.6
"$folder/venv/bin/python" - <<'PY'
import numpy as np
from scipy.spatial.distance import cdist
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.neighbors import NearestNeighbors

near = np.array([[0, 0], [0.1, 0], [0, 0.2], [0.01, 0]])
far = near + [500_000, 5_000_000]
computed = euclidean_distances(far)[0]
print(computed, cdist(far, far)[0])
assert np.abs(cdist(far, far) - cdist(near, near)).max() < 1e-9
assert np.abs(euclidean_distances(near) - cdist(near, near)).max() < 1e-9
assert computed[3] == 0
assert abs(computed[1] - 0.1) > 0.005 and abs(computed[2] - 0.2) > 0.005


def find_nearest(algorithm):
    """Return how many of 1,000 cities have the right city as their nearest."""
    cities = np.random.default_rng(0).random((1000, 2)) * 3 + [500_000, 5_000_000]
    table = cdist(cities, cities)
    np.fill_diagonal(table, np.inf)
    nearest = NearestNeighbors(n_neighbors=1, algorithm=algorithm).fit(cities).kneighbors()[1][:, 0]
    return int((nearest == table.argmin(axis=1)).sum())


counts = {name: find_nearest(name) for name in ("brute", "kd_tree")}
print(counts)
assert counts["kd_tree"] == 1000
assert counts["brute"] < 900
PY
