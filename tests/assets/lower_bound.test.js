/* The pictures that prove a bound: their steps, their lines and what is said of them. */
import "./page.js";
import assert from "node:assert/strict";
import test from "node:test";
import { makeTraces } from "../../assets/common/map/painter.js";
import { decimals, decodeMoats, drawMoats, moats } from "../../assets/lower_bound/moats.js";
import { countDegrees, highest, drawTree, sentence, decodeSteps } from "../../assets/lower_bound/one_tree.js";

const THIN = "\u202f";
const xy = Float64Array.of(0, 0, 1, 0, 2, 0, 2, 1, 0, 1);
// Twice five edges: a 1-tree with a city of three edges and a leaf, then a tour. City 4 is special in both.
const frame = {
  arrays: {
    tree: [0, 40],
    bound: [90, 100],
    edges: Int32Array.of(0, 1, 1, 2, 1, 3, 0, 4, 4, 3, 0, 1, 1, 2, 2, 3, 3, 4, 4, 0),
    prices: Float32Array.of(0, 0, 0, 0, 0, 0, 4, -1, 0, 0),
  },
};
const steps = decodeSteps(frame, 5);

test("an ascent is read step by step", () => {
  assert.deepEqual(
    steps.map(({ tree, bound }) => [tree, bound]),
    [
      [0, 90],
      [40, 100],
    ],
  );
  assert.deepEqual([...steps[0].degrees], [2, 3, 1, 2, 2]);
  assert.deepEqual([...steps[1].prices], [0, 4, -1, 0, 0]);
  assert.deepEqual(countDegrees(steps[0].degrees), { one: 1, two: 3, more: 1 });
  assert.equal(highest(steps), 4);
});

test("the edges of the special city are dashed, cities have the colours of their degrees", () => {
  const lines = drawTree({ xy, n: 5 }, steps[0], highest(steps), 8);
  const [tree, own, one, more] = lines;
  assert.deepEqual([tree.line.x.length, own.line.x.length], [3 * 3 - 1, 2 * 3 - 1]);
  assert.ok(own.dash && !tree.dash);
  assert.deepEqual([one.colour, [...one.line.x], [...one.line.y]], ["optimal", [2], [0]]);
  assert.deepEqual([more.colour, [...more.line.x]], ["removed", [1]]);
});

test("a price is a disc whose area is its size, in a colour by its sign", () => {
  const [dear, cheap] = drawTree({ xy, n: 5 }, steps[1], highest(steps), 8);
  assert.deepEqual([dear.colour, cheap.colour], ["bound", "added"]);
  assert.equal(dear.dots / cheap.dots, 2);
});

test("the sentence says what is proven, and how far below it lies", () => {
  const first = sentence(steps[0], 100, "optimum");
  assert.equal(
    first,
    `All prices are zero: no tour is shorter than 90. That is 10.0${THIN}% below the optimum, 100. 3 cities have two ` +
      "edges as in a tour, 1 have one, 1 have more.",
  );
  assert.match(sentence(steps[0], 100, "best"), /below the best tour, 100\./);
  const last = sentence(steps[1], 100, "optimum");
  assert.equal(
    last,
    "After 40 1-trees: no tour is shorter than 100. A tour has the same length, so it is optimal. All cities have two edges: " +
      "it is a tour.",
  );
  assert.equal(sentence(steps[0], null, "best").includes("below"), false);
});

// Two pairs of cities far apart: zones alone, and then a moat around each of a pair and their surroundings.
const square = { xy: Float64Array.of(0, 0, 0, 2, 20, 0, 20, 2), n: 4, ratio: 1 };
const zones = {
  values: { scale: 2, ended: true },
  arrays: {
    bound: [4, 20],
    radii: Float64Array.of(0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.25),
    first: Int32Array.of(0, 0, 2),
    widths: Float64Array.of(7, 1),
    start: Int32Array.of(0, 3, 5),
    cities: Int32Array.of(0, 1, 2, 0, 1),
  },
};

test("moats are read from the outermost, with the reach of all that they surround", () => {
  const [first, last] = decodeMoats(zones, 4);
  assert.deepEqual([first.zones, first.moats, first.rings], [4, 0, []]);
  assert.deepEqual([last.zones, last.moats, last.radii], [3.5, 16, [1, 1, 1, 0.5]]);
  assert.deepEqual(last.rings, [
    { cities: [0, 1, 2], inner: [3, 3, 1], outer: [17, 17, 15] },
    { cities: [0, 1], inner: [1, 1], outer: [3, 3] },
  ]);
});

test("each moat is painted over those around it, its inside is left free, and the tour lies on top", () => {
  const best = { order: Int32Array.of(0, 1, 3, 2), length: 44 };
  const [first, last] = moats.read(zones, square, { length: 44, known: "best", best }).steps;
  const painted = last.lines().map(({ colour, radii }) => [colour, radii?.[0]]);
  const around = (colour, outer) => [colour, "panel", colour].map((each) => [each, outer]);
  const rings = [...around("bound", 17), ["panel", 3], ...around("bound", 3), ["panel", 1]];
  assert.deepEqual(painted, [...rings, ...around("added", 1), ["tour", undefined]]);
  assert.equal(first.lines().length, 4);
  const [alone] = moats.read(zones, square, { length: null, known: "best", best: null }).steps;
  assert.equal(alone.lines().length, 3);
});

test("in a saved picture areas are polygons, with one entry of the legend for zones and one for moats", () => {
  globalThis.getComputedStyle = () => ({ getPropertyValue: () => "hue" });
  const map = { ...square, globe: false, box: { x0: 0, x1: 900, y0: 0, y1: 900 } };
  const traces = makeTraces(map, drawMoats(map, decodeMoats(zones, 4)[1], null));
  assert.deepEqual(
    traces.filter(({ showlegend }) => showlegend).map(({ name }) => name),
    ["moat around a group", "zone of a city"],
  );
  const [outer] = traces;
  assert.equal(outer.fill, "toself");
  const corners = outer.x.map((x, k) => [x, outer.y[k]]).filter(([x]) => !Number.isNaN(x));
  const reaches = corners.map(([x, y]) =>
    Math.min(
      ...[
        [0, 0, 17],
        [0, 2, 17],
        [20, 0, 15],
      ].map(([a, b, radius]) => Math.abs(Math.hypot(x - a, y - b) - radius)),
    ),
  );
  assert.ok(corners.length > 200 && Math.max(...reaches) < 1e-9);
});

test("the sentence adds zones and moats, and says what of the tour is left", () => {
  const read = (length, ended = true) => {
    const best = length === null ? null : { length, order: null };
    const { steps } = moats.read({ ...zones, values: { scale: 1, ended } }, square, { length, known: "best", best });
    return steps.map(({ says }) => says);
  };
  assert.deepEqual(read(25), [
    `Zones alone, 4: no tour is shorter than 4. The best tour, 25, is 21 longer, a gap of 525.0${THIN}%.`,
    `2 moats: zones 3.5 + moats 16 = 19.5. No tour is shorter than 20. The best tour, 25, is 5 longer, a gap of 25.0${THIN}%.` +
      " No other zones and moats have a greater sum.",
  ]);
  assert.match(read(20)[1], /A tour has the same length, so it is optimal\./);
  assert.match(read(null, false)[1], /than 20\. Time was up: more moats could raise the bound\.$/);
});

test("the map has room for the zones and moats of all steps", () => {
  const { map } = moats.read(zones, square, { length: null, known: "best", best: null });
  const { x0, x1, y0, y1 } = map.box; // with a margin of 4.5 % of the longer side
  const margin = 0.045 * (35 + 17);
  const sides = [-17 - margin, 35 + margin, -17 - margin, 19 + margin];
  assert.deepEqual([x0, x1, y0, y1], sides);
});

test("lengths have up to two decimals", () => {
  assert.deepEqual([20936.5, 8.333, 12, 0.999].map(decimals), [`20${THIN}936.5`, "8.33", "12", "1"]);
});
