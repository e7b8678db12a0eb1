#!/usr/bin/env bash
# networkx 3.6.1: tours are closed walks, first city last again. For two cities of a directed
# graph, traveling_salesman_problem and asadpour_atsp leave the way back out; greedy_tsp has
# it, and so has the same problem undirected. One city of three raises
# NetworkXPointlessConcept, which speaks of a null graph.
# Guess before the run: [0, 1, 0], and [1] or [1, 1] for one city.
# Seen: [0, 1], and the exception.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check networkx==3.6.1 numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" - <<'PY'
import networkx as nx
from networkx.algorithms import approximation

there_and_back = nx.DiGraph()
there_and_back.add_weighted_edges_from([(0, 1, 1), (1, 0, 5)])
tours = [
    approximation.traveling_salesman_problem(there_and_back),
    approximation.asadpour_atsp(there_and_back, seed=1),
    approximation.greedy_tsp(there_and_back),
    approximation.traveling_salesman_problem(there_and_back.to_undirected()),
]
print(tours)
assert tours == [[0, 1], [0, 1], [0, 1, 0], [0, 1, 0]]

try:
    tour = approximation.traveling_salesman_problem(nx.path_graph(3), nodes=[1])
except nx.NetworkXPointlessConcept as error:
    print("NetworkXPointlessConcept:", error)
    assert "null graph" in str(error)
else:
    raise AssertionError(tour)
PY
