#!/usr/bin/env bash
# geopandas 1.2.0 (pyogrio 0.13.0 with GDAL 3.12.4): FlatGeobuf sorts what it stores by place, for
# its index. Cities that are written and read come back in another order than their distance matrix
# or tour has; GeoPackage, shapefiles and GeoJSON keep the order. SPATIAL_INDEX="NO" keeps it too.
# Guess before the run: another order.
# Seen: cities 6, 8, 5, 7, 1, 2, 3, 4.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check geopandas==1.2.0 pyogrio==0.13.0 shapely==2.2.0 pandas==3.1.1 numpy==2.4.6
"$folder/venv/bin/python" - <<'PY'
import tempfile
from pathlib import Path

import geopandas as gpd
import numpy as np
import pyogrio

draw = np.random.default_rng(0)
numbers = list(range(1, 9))
places = gpd.points_from_xy(draw.random(8), draw.random(8))
cities = gpd.GeoDataFrame({"city": numbers}, geometry=places, crs=4326)


def write_and_read(ending, **options):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"cities.{ending}"
        cities.to_file(path, **options)
        return [int(city) for city in gpd.read_file(path)["city"]]


sorted_by_place = write_and_read("fgb")
print(pyogrio.__gdal_version_string__, sorted_by_place)
assert sorted_by_place != numbers and sorted(sorted_by_place) == numbers
for ending in ("gpkg", "shp", "geojson"):
    assert write_and_read(ending) == numbers
assert write_and_read("fgb", SPATIAL_INDEX="NO") == numbers
PY
