#!/usr/bin/env bash
# fastkml 1.4.0: in a KML line the altitude of each point is optional. A line in which one
# point has it and another does not loses its whole geometry; its placemark stays, and no
# error is raised.
# Expected: two points, the first with altitude 0 or none.
# Seen: LINESTRING for no altitude, LINESTRING Z for two, None for one of two.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check fastkml==1.4.0
"$folder/venv/bin/python" - <<'PY'
import fastkml
from pygeoif import LineString

line = fastkml.Placemark(name="way", geometry=LineString([(8, 47), (9, 48)]))
text = fastkml.KML(features=[line]).to_string()
assert "8,47 9,48" in text


def read(coordinates):
    document = fastkml.KML.from_string(text.replace("8,47 9,48", coordinates))
    placemark = document.features[0]
    assert placemark.name == "way"
    return placemark.geometry


for coordinates in ("8,47 9,48", "8,47,0 9,48,5", "8,47 9,48,5"):
    print(coordinates, "->", read(coordinates))
assert read("8,47 9,48").coords == ((8, 47), (9, 48))
assert read("8,47,0 9,48,5").coords == ((8, 47, 0), (9, 48, 5))
assert read("8,47 9,48,5") is None
PY
