/* Where the cities of an instance lie on a canvas. */
import "./page.js";
import assert from "node:assert/strict";
import test from "node:test";
import { cities } from "../../assets/common/map/cities.js";
import { makeMap, placeMap, stripStretch } from "../../assets/common/map/map.js";

/** The map of cities at the corners of a rectangle that begins at 0. */
function rectangle(width, height, kind = "EUC_2D") {
  const values = { sha256: "a", name: "x", edge_weight_type: kind };
  return makeMap({ values, arrays: { display: Float64Array.of(0, 0, width, height) } });
}

/** Pixels between the two corners on a canvas, to the right and upwards. */
function extent(map, width, height) {
  const { scale, ratio } = placeMap(map, width, height, undefined, stripStretch(map, width, height));
  return [scale * map.xy[2], scale * ratio * map.xy[3]];
}

test("cities are as far apart on the screen as they are, whatever the canvas", () => {
  for (const [across, up] of [
    [10, 10],
    [20, 10],
    [10, 20],
    [30, 10],
  ]) {
    const [x, y] = extent(rectangle(across, up), 500, 500);
    assert.ok(Math.abs(x / y - across / up) < 1e-9);
    assert.ok(Math.max(x, y) > 450 && Math.max(x, y) < 500);
  }
});

test("of a strip of cities the shorter side fills the canvas too", () => {
  for (const [across, up, width, height] of [
    [1000, 10, 500, 500],
    [10, 1000, 900, 500],
    [100, 10, 500, 400],
  ]) {
    const [x, y] = extent(rectangle(across, up), width, height);
    assert.ok(x > 0.9 * width && x < width && y > 0.9 * height && y < height, `${x} ${y}`);
  }
});

test("on a canvas as flat as they are, and on the globe, and on a line, nothing is stretched", () => {
  assert.equal(stripStretch(rectangle(1000, 100), 1000, 200), 1);
  assert.equal(stripStretch(rectangle(100, 10, "GEO"), 500, 500), 1);
  assert.equal(stripStretch(rectangle(100, 0), 500, 500), 1);
});

test("dots that are narrow lie below the lines, wide dots and rings above them", () => {
  const place = { scale: 1, ratio: 1, x: 0, y: 0 };
  const below = (n) => {
    const map = { ...rectangle(5000, 5000), n };
    return cities.lieBelow(map, place, cities.cityStyle(map));
  };
  assert.deepEqual([100, 2000, 5000, 20_000].map(below), [false, false, true, true]);
});
