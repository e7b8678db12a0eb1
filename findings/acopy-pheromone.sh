#!/usr/bin/env bash
# acopy 0.7.0: a solver leaves its pheromone in the graph that it was given, as an attribute of the
# edges, and the next solver begins with it. So the same seed gives another tour the second time,
# unless the graph is built anew.
# Guess before the run: the same tour.
# Seen: different tours on one graph, the same one on new graphs; the pheromone adds up.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check acopy==0.7.0
"$folder/venv/bin/python" - <<'PY'
import math
import random

import acopy
import networkx as nx

CITIES = [(0, 0), (5, 1), (3, 0), (3, 4), (0, 4), (1, 9), (7, 7), (2, 2), (6, 3)]


def make_graph():
    graph = nx.complete_graph(len(CITIES))
    for a, b in graph.edges:
        graph[a][b]["weight"] = math.dist(CITIES[a], CITIES[b])
    return graph


def solve(graph):
    """Return the tour of a seeded run, and the sum of the pheromone after it."""
    random.seed(1)
    tour = acopy.Solver(rho=0.03, q=1).solve(graph, acopy.Colony(alpha=1, beta=3), limit=5)
    return tour.nodes, sum(pheromone for _, _, pheromone in graph.edges(data="pheromone"))


graph = make_graph()
again = [solve(graph) for _ in range(3)]
anew = [solve(make_graph()) for _ in range(3)]
print(again, anew, sep="\n")
assert anew[0] == anew[1] == anew[2] == again[0]
assert again[1][0] != again[0][0]
assert again[0][1] < again[1][1] < again[2][1]
PY
