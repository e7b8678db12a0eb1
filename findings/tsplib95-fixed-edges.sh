#!/usr/bin/env bash
# tsplib95 0.7.1: get_graph() says is_fixed=False of every edge, also of those that the file
# fixes: the file's edges are read as lists and then looked up as tuples. The graph also has
# a loop at each city.
# Expected: edge (1, 2) is fixed, and no loops.
# Seen: fixed_edges == [[1, 2]], yet no edge of the graph is fixed; 6 edges for 3 cities.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check tsplib95==0.7.1
"$folder/venv/bin/python" - <<'PY'
import tsplib95

problem = tsplib95.parse("""NAME: three
TYPE: TSP
DIMENSION: 3
EDGE_WEIGHT_TYPE: EUC_2D
NODE_COORD_SECTION
1 0 0
2 3 4
3 1 1
FIXED_EDGES_SECTION
1 2
-1
EOF
""")
edges = {(a, b): fixed for a, b, fixed in problem.get_graph().edges(data="is_fixed")}
print(problem.fixed_edges, edges)
assert problem.fixed_edges == [[1, 2]]
assert set(edges) == {(1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3)}
assert not any(edges.values())
PY
