/* The views of a colony: what a pointer on the heatmap is told, how trails are painted, what 2-opt gained. */
import "./page.js";
import assert from "node:assert/strict";
import test from "node:test";
import { emit } from "../../assets/common/events.js";
import { format } from "../../assets/common/format.js";
import { heat } from "../../assets/watch/colony/heatmap.js";
import { ramp } from "../../assets/watch/colony/scale.js";
import { trails } from "../../assets/watch/colony/trails.js";
import { shortened } from "../../assets/watch/colony/two_opt_gain.js";

const { THIN, MINUS } = format;
const SCALE = { iteration: 1, low: 0.001, high: 1 };
const EDGES = Int32Array.of(0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6);
const TRAILS = Float32Array.of(1, 0.9, 0.6, 0.3, 0.05, 0.001);

/** A field of so many cities in blocks, its middle trail everywhere, the tour being the cities' order. */
function field(n, blocks) {
  const heat = new Uint8Array(blocks * blocks).fill(127.5);
  return {
    values: SCALE,
    arrays: { heat, order: Int32Array.from({ length: n }, (_, k) => k), edges: EDGES, trail: TRAILS },
  };
}

test("a pointer on the heatmap is told the edge and its trail", () => {
  assert.equal(heat.describeCell(0, 1), "", "there is no field yet");
  emit("picture", { field: field(14, 14), ants: null });
  assert.equal(heat.describeCell(0, 1), "edge 1 \u2013 2: 1");
  assert.equal(heat.describeCell(4, 3), "edge 5 \u2013 4: 0.3");
  assert.equal(heat.describeCell(2, 2), "city 3");
  assert.equal(heat.describeCell(9, 2), "edge 10 \u2013 3: about 0.0312", "it is not among the strongest");
});

test("of many cities a pointer is told the blocks, their mean and their strongest edge", () => {
  emit("picture", { field: field(14, 4), ants: null });
  assert.equal(
    heat.describeCell(0, 1),
    "positions 1 to 3 and 4 to 7 of the tour: mean trail 0.0312; strongest edge 3 \u2013 4: 0.6",
  );
  assert.equal(heat.describeCell(0, 3), "positions 1 to 3 and 11 to 14 of the tour: mean trail 0.0312");
});

test("trails fall into buckets by their strength, and faint ones are left out", () => {
  assert.deepEqual(trails.buckets({ edges: EDGES, trail: TRAILS }), [[4, 5], [3, 4], [], [2, 3], [], [0, 1, 1, 2]]);
});

test("the scale has few ticks with round numbers", () => {
  assert.deepEqual(ramp.ticks(SCALE, true), [0.001, 0.01, 0.1, 1]);
  assert.deepEqual(ramp.ticks({ low: 1e-12, high: 1 }, true), [1e-12, 1e-9, 1e-6, 1e-3, 1]);
  assert.deepEqual(ramp.ticks({ low: 2, high: 8 }, true), [2, 4, 8]);
  assert.deepEqual(ramp.ticks(SCALE, false), [0, 0.5, 1]);
  assert.deepEqual(ramp.ticks({ low: 3, high: 3 }, true), [3]);
});

test("what 2-opt gained is told with its time, where that was measured", () => {
  const row = { iteration: 12, before: 3725, after: 3325, milliseconds: 12.5 };
  const gain = `3${THIN}725 \u2192 3${THIN}325 (${MINUS}10.7${THIN}%)`;
  assert.equal(shortened.describeGain(row), `${gain}, 12.5${THIN}ms`);
  assert.equal(shortened.describeGain({ ...row, milliseconds: NaN }), gain);
  assert.equal(shortened.describeGain({ ...row, after: 3725, milliseconds: NaN }), `3${THIN}725, no improvement`);
});
