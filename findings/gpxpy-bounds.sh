#!/usr/bin/env bash
# gpxpy 1.6.2: get_bounds(), length_2d() and get_points_no() of a file see tracks alone. Of a
# file with waypoints and a route the bounds are None, though the route knows its length.
# Guess before the run: bounds around all points.
# Seen: None, 0 and 0; the route's own length() is 134 km.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check gpxpy==1.6.2
"$folder/venv/bin/python" - <<'PY'
from gpxpy.gpx import GPX, GPXRoute, GPXRoutePoint, GPXWaypoint

gpx = GPX()
gpx.waypoints = [GPXWaypoint(47, 8), GPXWaypoint(48, 9)]
route = GPXRoute()
route.points = [GPXRoutePoint(47, 8), GPXRoutePoint(48, 9)]
gpx.routes.append(route)
print(gpx.get_bounds(), gpx.length_2d(), gpx.get_points_no(), route.length())
assert gpx.get_bounds() is None
assert gpx.length_2d() == 0
assert gpx.get_points_no() == 0
assert 134_000 < route.length() < 135_000
PY
