/* One lane of a race, as far as the page has been told of its run. */
import { page } from "./page.js";
import assert from "node:assert/strict";
import test from "node:test";
import { Lane } from "../../assets/race/lane.js";
import { encode } from "./encoded.js";

const state = (value) => ({ kind: "state", values: { state: value, reason: "time" }, arrays: {} });
const tour = (length, order) => ({ kind: "tour", values: { length, climber: 0 }, arrays: { order } });
const progress = (arrays) => ({ kind: "progress", values: {}, arrays });

/** A lane after three rows of progress. */
function going() {
  const lane = new Lane("r", {}, 0);
  const rows = { iteration: [1, 2, 3], evaluations: [5, 9, 20], elapsed: [0.1, 0.4, 2.0], best: [50, 40, 40] };
  lane.take({ state: "running", reason: "" }, [tour(50, [0, 1]), tour(40, [1, 0]), progress(rows)]);
  return lane;
}

/** The `finished` event. */
function end(length, seconds) {
  return { kind: "finished", values: { length, iterations: 3, evaluations: 20, seconds }, arrays: { order: [9] } };
}

test("a lane is in the state that a message tells, whatever its events say", () => {
  const lane = new Lane("r", {}, 0);
  const after = (values, frames) => {
    lane.take(values, frames);
    return [lane.state, lane.reason, lane.over];
  };
  assert.deepEqual(after({ state: "running", reason: "" }, [state("paused"), state("finished")]), [
    "running",
    "",
    false,
  ]);
  assert.deepEqual(after({ state: "finished", reason: "time" }, []), ["finished", "time", true]);
  assert.deepEqual(after({ state: "failed", reason: "full" }, [state("running")]), ["failed", "full", true]);
});

test("a lane knows its best length at any second, and its best tour", () => {
  const lane = going();
  lane.take({ state: "finished", reason: "time" }, [end(39, 2.5)]);
  const early = { length: 50, at: 0.1 };
  const late = { length: 40, at: 0.4 };
  assert.equal(lane.best(0), null);
  assert.deepEqual(lane.best(0.1), early);
  assert.deepEqual(lane.best(0.39), early);
  assert.deepEqual(lane.best(0.4), late);
  assert.deepEqual(lane.best(2.4), late);
  assert.deepEqual(lane.best(2.5), { length: 39, at: 2.5 });
  assert.deepEqual(
    [0, 0.1, 0.4, 2.4, 2.5].map((seconds) => lane.moment(seconds).order),
    [null, [0, 1], [1, 0], [1, 0], [9]],
  );
  assert.deepEqual([lane.known, lane.over], [2.5, true]);
});

test("a lane that has ended has no current tour beside its best one", () => {
  const lane = going();
  lane.film.picture = () => ({ order: [1, 2], number: 7, length: 60 });
  lane.take({ state: "finished", reason: "time" }, [end(39, 2.5)]);
  assert.equal(lane.moment(2.4).work?.number, 7);
  assert.equal(lane.moment(2.5).work, null);
});

test("an end that is no better than the best adds none", () => {
  const lane = going();
  lane.take({ state: "finished", reason: "time" }, [end(40, 2.5)]);
  assert.deepEqual(lane.best(2.5), { length: 40, at: 0.4 });
  assert.deepEqual(lane.moment(2.5).order, [9]);
  assert.deepEqual(lane.bests[3], [50, 40]);
});

test("a best tour that is not known as a whole is drawn as the last one that is", () => {
  const lane = going();
  lane.take({ state: "running", reason: "" }, [
    progress({ iteration: [4], evaluations: [30], elapsed: [3], best: [30] }),
  ]);
  assert.deepEqual(lane.best(3), { length: 30, at: 3 });
  assert.deepEqual(lane.moment(3).order, [1, 0]);
});

test("a lane compiles until it starts, and keeps its first start", () => {
  const lane = new Lane("r", {}, 0);
  lane.take({ state: "running", reason: "" }, [{ kind: "compiling", values: {}, arrays: {} }]);
  assert.equal(lane.compiling, true);
  lane.take({ state: "running", reason: "" }, [{ kind: "started", values: { threads: 2 }, arrays: {} }]);
  lane.take({ state: "running", reason: "" }, [{ kind: "started", values: { threads: 1 }, arrays: {} }]);
  assert.deepEqual([lane.compiling, lane.started], [false, { threads: 2 }]);
});

test("a lane fetches the film of its run; without one it stays as it is", async () => {
  const lane = new Lane("r", {}, 0);
  await lane.fetchFilm();
  page.answers.set("/runs/r/film", null);
  await lane.fetchFilm();
  assert.equal(lane.known, 0);
  const arrays = { at: Float64Array.of(1), length: BigInt64Array.of(9n), orders: Uint16Array.of(2, 0, 1) };
  page.answers.set("/runs/r/film", encode("film", { seconds: 1 }, arrays, { orders: [1, 3] }));
  await lane.fetchFilm();
  assert.deepEqual([...lane.moment(1).order], [2, 0, 1]);
  assert.equal(lane.known, 1);
});

test("a tour of the film that is shorter than the best, or than the last known one, is shown with its own length", () => {
  const lane = new Lane("r", {}, 0);
  const shown = (seconds) => {
    const { best, work, order } = lane.moment(seconds);
    return [best.length, work?.length, order];
  };
  Object.assign(lane.film, {
    at: [0.1, 0.2, 0.9],
    lengths: [44, 42, 48],
    orders: [
      [0, 1],
      [1, 2],
      [2, 0],
    ],
  });
  assert.deepEqual(shown(0.1), [44, undefined, [0, 1]]);
  lane.take({ state: "running", reason: "" }, [tour(90, [2, 1])]); // the chain's start
  const rows = { iteration: [0, 1, 2], evaluations: [1, 2, 3], elapsed: [0.3, 1, 2], best: [90, 42, 40] };
  lane.take({ state: "running", reason: "" }, [progress(rows)]);
  assert.deepEqual(shown(0.3), [42, undefined, [1, 2]]);
  assert.deepEqual(shown(0.9), [42, 48, [1, 2]]);
  assert.deepEqual(shown(1), [42, 48, [1, 2]]); // the row's tour has not arrived, but was on the film
  lane.take({ state: "finished", reason: "time" }, [tour(40, [0, 2])]);
  assert.deepEqual(shown(2), [40, 48, [0, 2]]);
});
