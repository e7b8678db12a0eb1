/* What is told of a city on the map, and the names on a picture that is kept. */
import assert from "node:assert/strict";
import test from "node:test";
import { cityName, cityNumber, edgeName, listCities } from "../../assets/watch/explain/edges.js";
import { findNeighbours } from "../../assets/watch/tour/neighbours.js";
import { makeMap } from "../../assets/common/map/map.js";

test("a city has the cities before and after it on a tour beside it", () => {
  const order = Int32Array.of(3, 0, 2, 1);
  assert.deepEqual(findNeighbours({ order }, 3), [1, 0]);
  assert.deepEqual(findNeighbours({ order }, 2), [0, 1]);
  assert.deepEqual(findNeighbours({ order: Int32Array.of(0) }, 0), []);
});

test("a city of a construction has those beside it that edges join it to so far", () => {
  const pairs = Int32Array.of(0, 1, 1, 2, 4, 0);
  assert.deepEqual(findNeighbours({ pairs, count: 2 }, 1), [0, 2]);
  assert.deepEqual(findNeighbours({ pairs, count: 2 }, 0), [1]);
  assert.deepEqual(findNeighbours({ pairs, count: 3 }, 0), [4, 1]);
  assert.deepEqual(findNeighbours({ pairs, count: 2 }, 3), []);
});

test("a map has the names of its cities, or none", () => {
  const frame = (values) => ({
    values: { edge_weight_type: "EUC_2D", ...values },
    arrays: { display: Float64Array.of(0, 0, 1, 1) },
  });
  assert.deepEqual(makeMap(frame({ names: ["Ulm", ""] })).names, ["Ulm", ""]);
  assert.equal(makeMap(frame({})).names, null);
});

test("sentences have the names of cities, and numbers for cities without one", () => {
  const map = { names: ["Depot", "", "Mill"], labels: Float64Array.of(7, 8, 9), directed: true };
  assert.deepEqual(
    [0, 1, 2].map((city) => cityName(map, city)),
    ["Depot", "8", "Mill"],
  );
  assert.equal(edgeName(map, 0, 2), "Depot\u2192Mill");
  assert.equal(listCities(map, [0, 1, 2]), "Depot, 8 and Mill");
  assert.equal(cityNumber(map, 0), "7");
  assert.equal(cityName({ names: null, labels: null }, 0), "1");
});
