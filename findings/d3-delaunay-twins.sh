#!/usr/bin/env bash
# d3-delaunay 6.0.6: of cities in one place the triangulation has one alone. The others have no
# neighbours, and are no neighbour of the first, so a candidate list made of it cannot reach them.
# Guess before the run: each other, and those around.
# Seen: none for the second of two; find() returns the first.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix "$folder" d3-delaunay@6.0.6
cat > "$folder/twins.mjs" <<'JS'
import assert from "node:assert";
import { Delaunay } from "d3-delaunay";

const cities = [[0, 0], [4, 0], [4, 4], [0, 4], [2, 2], [2, 2]];
const delaunay = Delaunay.from(cities);
const neighbours = cities.map((_, city) => [...delaunay.neighbors(city)].sort());
console.log(neighbours, delaunay.find(2, 2));
assert.deepEqual(neighbours[4], [0, 1, 2, 3]);
assert.deepEqual(neighbours[5], []);
assert.equal(neighbours.flat().includes(5), false);
assert.equal(delaunay.find(2, 2), 4);
JS
node "$folder/twins.mjs"
