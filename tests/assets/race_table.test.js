/* The table of a race: which lane leads at a moment, and what its row says. */
import "./page.js";
import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";
import { format } from "../../assets/common/format.js";
import { Lane } from "../../assets/race/lane.js";
import { race } from "../../assets/race/state.js";
import { standings } from "../../assets/race/table.js";

const { THIN } = format;

/** A lane with a best length at each of some seconds. */
function makeLane(letter, ...bests) {
  const lane = new Lane(letter, { letter }, 0);
  const column = (value) => Float64Array.from(bests, value);
  const iteration = column((_, k) => k);
  const arrays = { iteration, evaluations: iteration, elapsed: column(([at]) => at), best: column(([, best]) => best) };
  lane.take({ state: "running", reason: "" }, [{ kind: "progress", values: {}, arrays }]);
  return lane;
}

/** The letters of the lanes at a moment, the leading one first. */
const order = (lanes, clock) => standings(lanes, clock).map(({ lane }) => lane.run);

/** What the row of the leading lane says. */
const leader = (...lanes) => standings(lanes, 9)[0].texts;

beforeEach(() => Object.assign(race, { lanes: [], optimum: 100, proven: true }));

test("the lane with the least gap leads, of equal ones the earlier, and those without a tour are last", () => {
  const none = makeLane("n");
  const lanes = [
    none,
    makeLane("a", [1, 130], [3, 110]),
    makeLane("b", [2, 110]),
    makeLane("c", [1, 120]),
    makeLane("d"),
  ];
  assert.deepEqual(order(lanes, 1), ["c", "a", "n", "b", "d"]);
  assert.deepEqual(order(lanes, 2), ["b", "c", "a", "n", "d"]);
  assert.deepEqual(order(lanes, 9), ["b", "a", "c", "n", "d"]);
});

test("before the first climb of a lane has ended, its best tour is the current one", () => {
  const first = makeLane("f");
  first.film.push({ values: { length: 105 }, arrays: { order: Int32Array.of(0, 1, 2) } }, 0.5);
  assert.deepEqual(order([makeLane("a", [0.2, 110]), first], 0.4), ["a", "f"]);
  assert.deepEqual(order([makeLane("a", [0.2, 110]), first], 1), ["f", "a"]);
  assert.deepEqual(leader(first).slice(0, 3), ["105", `+5.00${THIN}%`, `500${THIN}ms`]);
});

test("a row says what the lane has come to, a dash where there is nothing yet", () => {
  const lane = makeLane("a", [2, 12345]);
  lane.take({ state: "running", reason: "" }, [{ kind: "started", values: { compile_seconds: 0.25 }, arrays: {} }]);
  race.optimum = 12000;
  assert.deepEqual(leader(lane), [`12${THIN}345`, `+2.88${THIN}%`, `2.00${THIN}s`, `250${THIN}ms`]);
  assert.deepEqual(leader(makeLane("n")), ["\u2013", "\u2013", "\u2013", "\u2013"]);
});

test("the best length that is known is said in words, and no optimum makes the best of the race the measure", () => {
  const lane = makeLane("a", [2, 100]);
  assert.equal(leader(lane)[1], "optimal");
  race.proven = false;
  assert.equal(leader(lane)[1], "best known");
  const other = makeLane("b", [2, 110]);
  Object.assign(race, { optimum: null, lanes: [lane, other] });
  assert.deepEqual(
    standings([other, lane], 9).map(({ texts }) => texts[1]),
    [`+0.00${THIN}%`, `+10.0${THIN}%`],
  );
});
