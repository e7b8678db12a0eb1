#!/usr/bin/env bash
# osm2geojson 0.3.2: points that a way uses are left out of the result, named ones too, and it looks
# for them by number alone. Nodes and ways of OpenStreetMap have numbers of their own, so a way
# whose number is that of a used node is left out as well. The marks stay in the data that it was
# given: a second call with a node alone finds nothing.
# Guess before the run: a point and a line.
# Seen: the line alone; nothing for way 1 along nodes 1 and 2; nothing for the marked nodes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check osm2geojson==0.3.2
"$folder/venv/bin/python" - <<'PY'
from copy import deepcopy

from osm2geojson import json2geojson

NODES = [
    {"type": "node", "id": 1, "lat": 47, "lon": 8, "tags": {"railway": "station", "name": "First"}},
    {"type": "node", "id": 2, "lat": 48, "lon": 9},
]


def list_types(elements):
    features = json2geojson({"elements": elements})["features"]
    return [feature["geometry"]["type"] for feature in features]


def make_way(number):
    return {"type": "way", "id": number, "nodes": [1, 2], "tags": {"railway": "rail"}}


nodes = deepcopy(NODES)
seen = [
    list_types(deepcopy(NODES)),
    list_types([*nodes, make_way(3)]),
    list_types([*deepcopy(NODES), make_way(1)]),
    list_types(nodes),
]
print(seen)
assert seen == [["Point", "Point"], ["LineString"], [], []]
PY
