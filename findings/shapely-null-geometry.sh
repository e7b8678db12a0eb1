#!/usr/bin/env bash
# shapely 2.2.0: a GeoJSON feature without a place has the geometry null (RFC 7946, section 3.2). One
# such feature, and from_geojson can read nothing of the file.
# Guess before the run: the other features, and an empty one in its place.
# Seen: GEOSException, "cannot use at() with null"; the same file without that feature is read.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check shapely==2.2.0 numpy==2.4.6
"$folder/venv/bin/python" - <<'PY'
import json

import shapely


def make_file(*geometries):
    features = [{"type": "Feature", "geometry": g, "properties": {}} for g in geometries]
    return json.dumps({"type": "FeatureCollection", "features": features})


POINT = {"type": "Point", "coordinates": [8, 47]}
print(shapely.from_geojson(make_file(POINT)))
assert shapely.from_geojson(make_file(POINT)).wkt == "GEOMETRYCOLLECTION (POINT (8 47))"
try:
    places = shapely.from_geojson(make_file(POINT, None))
except shapely.errors.GEOSException as error:
    print("GEOSException:", error)
    assert "null" in str(error)
else:
    raise AssertionError(places)
PY
