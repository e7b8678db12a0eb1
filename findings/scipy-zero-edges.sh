#!/usr/bin/env bash
# scipy 1.17.1: shortest_path and connected_components take a stored 0 of a sparse matrix for an
# edge of length 0; minimum_spanning_tree drops it. Of two cities in one place one is missing from
# the tree, which then has two components.
# Guess before the run: three edges for four cities.
# Seen: one component before, two in the tree, which has two edges.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" - <<'PY'
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree, shortest_path

# Cities 0 and 1 are in one place; 0 is joined to all others.
graph = csr_array(([0.0, 3.0, 4.0], ([0, 0, 0], [1, 2, 3])), shape=(4, 4))
tree = minimum_spanning_tree(graph)
counts = [connected_components(g, directed=False)[0] for g in (graph, tree)]
distances = shortest_path(graph, directed=False)[1].tolist()
print(graph.nnz, tree.nnz, counts, distances)
assert (graph.nnz, tree.nnz) == (3, 2)
assert counts == [1, 2]
assert distances == [0, 0, 3, 4]
PY
