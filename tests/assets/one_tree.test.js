/* The 1-tree of a bound: its steps, its lines and what is said of it. */
import "./page.js";
import assert from "node:assert/strict";
import test from "node:test";
import { counted, highest, drawTree, sentence, decodeSteps } from "../../assets/one_tree/ascent.js";

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
  assert.deepEqual(counted(steps[0].degrees), { one: 1, two: 3, more: 1 });
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
