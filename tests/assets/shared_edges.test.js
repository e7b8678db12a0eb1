/* The edges that a tour shares with the optimal one: their lines, their number, and what is said of them. */
import { page } from "./page.js";
import assert from "node:assert/strict";
import test from "node:test";
import { emit } from "../../assets/common/events.js";
import { run } from "../../assets/watch/run.js";
import "../../assets/watch/status/status.js";
import { comparedTo, sharedLines, sharedSentence } from "../../assets/watch/tour/shared_edges.js";
import { tour } from "../../assets/watch/tour/tour.js";
import { tourEdges, edgeKey, randoms, shuffled } from "./made_up.js";

const N = 12;
const random = randoms(3);
const optimal = Int32Array.from(shuffled(N, random));
const other = Int32Array.from([...optimal.slice(0, 7), ...shuffled(N - 7, random).map((k) => optimal[7 + k])]);
const map = {
  n: N,
  xy: Float64Array.from({ length: 2 * N }, (_, k) => (k * k) % 31),
  optimalTour: optimal,
  directed: false,
  proven: true,
};
const element = (id) => Object.assign(new Element("div", { id }), { dataset: {} });
page.elements.push(element("tour-shared"));

const named = (pairs) =>
  new Set(Array.from({ length: pairs.length / 2 }, (_, k) => edgeKey(pairs[2 * k], pairs[2 * k + 1])));

test("a tour's edges are told apart by whether the optimal tour has them", () => {
  const { both, only } = comparedTo(map, { order: other });
  const [mine, best] = [tourEdges([...other]), tourEdges([...optimal])];
  assert.deepEqual(named(both), mine.intersection(best));
  assert.deepEqual(named(only[0]), mine.difference(best));
  assert.deepEqual(named(only[1]), best.difference(mine));
  assert.ok(both.length && only[0].length);
});

test("edges that are leaving are neither", () => {
  const whole = comparedTo(map, { order: optimal });
  assert.equal(whole.both.length, 2 * N);
  const { both, only } = comparedTo(map, { order: optimal, cut: [2, 5] });
  assert.deepEqual([both.length, only[0].length], [2 * (N - 2), 0]);
});

test("of a tour that is being built nothing is missing until it is whole", () => {
  const pairs = Int32Array.from([...other].flatMap((city, k) => [city, other[(k + 1) % N]]));
  const part = comparedTo(map, { pairs, count: 8 });
  assert.equal(part.both.length + part.only[0].length, 16);
  assert.equal(part.only[1].length, 0);
  assert.ok(comparedTo(map, { pairs, count: N }).only[1].length);
});

test("an edge in the other direction is another one where edges have directions", () => {
  const back = optimal.toReversed();
  assert.equal(comparedTo(map, { order: back }).both.length, 2 * N);
  assert.equal(comparedTo({ ...map, directed: true }, { order: back }).both.length, 0);
});

test("nothing is compared where no optimal tour is known", () => {
  assert.equal(comparedTo({ ...map, optimalTour: null }, { order: other }), null);
  assert.equal(comparedTo(map, { pairs: new Int32Array(0), count: 0 }), null, "before the first edge");
});

test("shared edges are calm, those of the optimal tour alone are dashed", () => {
  const compared = comparedTo(map, { order: other });
  const lines = sharedLines(map, compared, { tour: 1, missing: 2 });
  assert.deepEqual(
    lines.map(({ colour, dash, name }) => [colour, Boolean(dash), name]),
    [
      ["mute", false, "edges of both tours"],
      ["optimal", true, "only in the optimal tour"],
      ["tour", false, "only in this tour"],
    ],
  );
  const points = lines.map(({ line }) => line.x.length);
  const parts = [compared.both, compared.only[1], compared.only[0]];
  assert.deepEqual(
    points,
    parts.map((pairs) => (3 * pairs.length) / 2 - 1),
  );
});

test("the sentence counts them, and says of what the tour is the best", () => {
  const compared = comparedTo(map, { order: other });
  const count = compared.both.length / 2;
  assert.equal(sharedSentence(map, compared), `${count} of 12 edges are in the optimal tour`);
  const unproven = { ...map, proven: false };
  assert.equal(sharedSentence(unproven, compared), `${count} of 12 edges are in the best known tour`);
});

test("beside the tour it is counted for the best tour of the run", async () => {
  tour.map = () => map;
  run.reset("r");
  run.best = { length: 5, climber: 0, order: other };
  emit("best", run.best);
  await page.pass(300);
  const place = document.getElementById("tour-shared");
  const count = comparedTo(map, { order: other }).both.length / 2;
  assert.equal(place.textContent, `Of the best tour, ${count} of 12 edges are in the optimal tour.`);
  assert.equal(place.hidden, false);
  tour.map = () => ({ ...map, optimalTour: null });
  emit("best", run.best);
  await page.pass(300);
  assert.deepEqual([place.textContent, place.hidden], ["", true]);
});
